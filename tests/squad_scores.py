"""Run by the environment of transformers, not ours: what its SQuAD metrics make of answers.

python squad_scores.py reads a list of objects from stdin (id, answers, prediction) and prints {"rows": {id: [exact,
f1]}, "whole": the evaluation}. Its module is loaded alone: the package would ask for a framework.
"""

import json
import sys
from types import SimpleNamespace


def main() -> None:
    """Scores once."""
    from transformers.data.metrics import squad_metrics  # type: ignore[import-not-found]

    cases = json.load(sys.stdin)
    examples = [
        SimpleNamespace(qas_id=each["id"], answers=[{"text": text} for text in each["answers"]]) for each in cases
    ]
    predictions = {each["id"]: each["prediction"] for each in cases}
    exact, f1 = squad_metrics.get_raw_scores(examples, predictions)
    whole = squad_metrics.squad_evaluate(examples, predictions)
    json.dump({"rows": {name: [exact[name], f1[name]] for name in exact}, "whole": dict(whole)}, sys.stdout)


if __name__ == "__main__":
    main()
