"""Run by the environment of ragas, not ours: calls a second of its faithfulness and answer correctness.

python peers_ragas.py BASE_URL WORKERS SAMPLES prints the calls that the server counted, divided by the seconds.
"""

import json
import sys
import time
import urllib.request
from typing import Any


def main() -> None:
    """Measures once."""
    url, workers, samples = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    from langchain_openai import ChatOpenAI  # type: ignore[import-not-found]
    from ragas import EvaluationDataset, RunConfig, evaluate  # type: ignore[import-not-found]
    from ragas.llms import LangchainLLMWrapper  # type: ignore[import-not-found]
    from ragas.metrics import AnswerCorrectness, Faithfulness  # type: ignore[import-not-found]

    rows = [
        {
            "user_input": f"Question {number}: who built the quay wall at Oslo?",
            "response": "Halden Marine built the quay wall. It was finished in 2022.",
            "reference": "Halden Marine built it in 2022.",
            "retrieved_contexts": ["Halden Marine built the quay wall at Oslo in 2022. " * 20],
        }
        for number in range(samples)
    ]
    model: Any = LangchainLLMWrapper(ChatOpenAI(model="measured", base_url=url, api_key="none"))
    metrics = [Faithfulness(llm=model), AnswerCorrectness(llm=model, weights=[1.0, 0.0])]
    before, started = _calls(url), time.perf_counter()
    evaluate(
        EvaluationDataset.from_list(rows),
        metrics=metrics,
        run_config=RunConfig(max_workers=workers, timeout=60),
        show_progress=False,
        raise_exceptions=False,
    )
    print((_calls(url) - before) / (time.perf_counter() - started))  # noqa: T201


def _calls(url: str) -> int:
    with urllib.request.urlopen(f"{url}/stats") as answer:
        return json.load(answer)["calls"]


if __name__ == "__main__":
    main()
