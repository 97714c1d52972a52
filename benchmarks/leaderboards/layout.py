"""Where things stand in a leaderboard's repository.

REPOSITORY, a dataset
  leaderboard.yaml                            what is ranked, and who keeps it: by maintainers
  submissions/BENCHMARK/VERSION/SYSTEM/       by submitters, each in a pull request of its own
    system.yaml  run.json  report.json  predictions.parquet
    heldout.parquet                           answers to held-out questions, where the release has any
    judgments.jsonl                           where a model or a person judged
  verdicts/BENCHMARK/VERSION/SYSTEM.json      what maintainers found
  scores/BENCHMARK/VERSION/SYSTEM.parquet     the scores that they computed again, of questions whose answers are public
  details/BENCHMARK/VERSION/SYSTEM.json       where it is weak: what its own page shows, of open questions
  history/history.parquet                     what a new version of a metric or judge changed
  results/results.parquet                     the ranking: `load_dataset(REPOSITORY, "results")`
  rounds/ROUND/                               a round with a secret edition; see rounds/places.py
    announcement.json  round.json  outcome.json  commitments/TEAM.json  submissions/TEAM/opening.json
  README.md  index.html                       generated; the same page is the Space's
"""

from dataclasses import dataclass

BOARD, CARD, PAGE = "leaderboard.yaml", "README.md", "index.html"
SUBMISSIONS, VERDICTS, SCORES, DETAILS, ROUNDS = "submissions", "verdicts", "scores", "details", "rounds"
RESULTS, HISTORY = "results/results.parquet", "history/history.parquet"
SYSTEM, RUN, REPORT = "system.yaml", "run.json", "report.json"
PREDICTIONS, HELDOUT, JUDGMENTS = "predictions", "heldout", "judgments.jsonl"
FORMATS = (".parquet", ".jsonl")
"""Of predictions; submit-system writes the first."""


@dataclass(frozen=True, order=True)
class Place:
    """One submission of a leaderboard."""

    benchmark: str
    version: str
    system: str
    """The system's name in paths and addresses: lower-case letters, digits, `.`, `_` and `-`."""

    def __str__(self) -> str:
        return f"{self.benchmark}/{self.version}/{self.system}"

    @property
    def folder(self) -> str:
        """What its submitter handed in."""
        return f"{SUBMISSIONS}/{self}"

    @property
    def verdict(self) -> str:
        """What maintainers found."""
        return f"{VERDICTS}/{self}.json"

    @property
    def scores(self) -> str:
        """The scores that they computed again."""
        return f"{SCORES}/{self}.parquet"

    @property
    def details(self) -> str:
        """Where it is weak."""
        return f"{DETAILS}/{self}.json"
