"""Retrieves nothing: what is known without the corpus."""

from benchwright.benchmarks.predictions import GOLD, WITHOUT_GOLD
from benchwright.benchmarks.systems.baseline import Baseline

BASELINE = Baseline(
    what="retrieves nothing",
    retriever=lambda documents, opening: lambda attempt: None,
    unsupported={GOLD: "it reads no passages", WITHOUT_GOLD: "it retrieves nothing"},
)
