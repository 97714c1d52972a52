"""What a user of pytrec_eval runs: reads predictions with the standard library, evaluates them, and writes the values.

python peers_pytrec_eval.py PREDICTIONS QRELS VALUES, where QRELS is a JSON object: question → gold documents.
"""

import json
import sys
from pathlib import Path

import pytrec_eval  # type: ignore[import-not-found]

MEASURES = {"ndcg_cut.10", "recall.10", "P.10", "recip_rank", "success.10"}


def main() -> None:
    """Evaluates once."""
    predictions, qrels, values = map(Path, sys.argv[1:4])
    gold = json.loads(qrels.read_text(encoding="utf-8"))
    run: dict[str, dict[str, float]] = {}
    relevant: dict[str, dict[str, int]] = {}
    with predictions.open(encoding="utf-8") as file:
        for line in file:
            said = json.loads(line)
            key = f"{said['id']} {said['repeat']}"
            run[key] = {context["id"]: -float(place) for place, context in enumerate(said["contexts"])}
            relevant[key] = dict.fromkeys(gold[said["id"]], 1)
    found = pytrec_eval.RelevanceEvaluator(relevant, MEASURES).evaluate(run)
    with values.open("w", encoding="utf-8") as file:
        for key, scores in found.items():
            file.write(json.dumps({"key": key, **scores}) + "\n")


if __name__ == "__main__":
    main()
