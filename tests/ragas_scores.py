"""Run by the environment of ragas, not ours: what its metrics make of predictions, with a judge at an address.

python ragas_scores.py BASE_URL reads a list of objects from stdin (metric, question, answer, reference, contexts) and
prints a list of values, null where ragas gives NaN. Texts are embedded by the angle that they end with: `@60`.
"""

import asyncio
import json
import math
import sys
from typing import Any


def vector(text: str) -> list[float]:
    """The vector in the plane at the angle that a text ends with."""
    angle = math.radians(float(text.rpartition("@")[2] or 0))
    return [math.cos(angle), math.sin(angle)]


class Embeddings:
    """As much of an embedder as answer relevancy and answer similarity use."""

    def embed_query(self, text: str) -> list[float]:
        """One text."""
        return vector(text)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Several."""
        return [vector(text) for text in texts]

    async def embed_text(self, text: str) -> list[float]:
        """One text, without waiting for others."""
        return vector(text)


def main() -> None:
    """Scores once."""
    from langchain_openai import ChatOpenAI  # type: ignore[import-not-found]
    from ragas import SingleTurnSample  # type: ignore[import-not-found]
    from ragas.llms import LangchainLLMWrapper  # type: ignore[import-not-found]
    from ragas.metrics import (  # type: ignore[import-not-found]
        AnswerCorrectness,
        FactualCorrectness,
        Faithfulness,
        ResponseRelevancy,
    )
    from ragas.metrics._answer_similarity import AnswerSimilarity  # type: ignore[import-not-found]
    from ragas.run_config import RunConfig  # type: ignore[import-not-found]

    model: Any = LangchainLLMWrapper(ChatOpenAI(model="m", base_url=sys.argv[1], api_key="none", max_retries=0))
    made: dict[str, Any] = {
        "faithfulness": Faithfulness(llm=model),
        "factual_correctness": FactualCorrectness(llm=model),
        "facts in answer_correctness": AnswerCorrectness(llm=model, weights=[1.0, 0.0]),
        "answer_correctness": AnswerCorrectness(llm=model, embeddings=Embeddings()),
        "answer_relevance": ResponseRelevancy(llm=model, embeddings=Embeddings()),
        "answer_similarity": AnswerSimilarity(embeddings=Embeddings()),
    }
    for metric in made.values():
        metric.init(RunConfig(max_retries=1, timeout=60))

    async def score(asked: dict[str, Any]) -> float | None:
        sample = SingleTurnSample(
            user_input=asked["question"],
            response=asked["answer"],
            reference=asked["reference"],
            retrieved_contexts=asked["contexts"],
        )
        value = float(await made[asked["metric"]].single_turn_ascore(sample))
        return None if math.isnan(value) else value

    async def every() -> list[float | None]:
        return [await score(asked) for asked in json.load(sys.stdin)]

    print(json.dumps(asyncio.run(every())))  # noqa: T201


if __name__ == "__main__":
    main()
