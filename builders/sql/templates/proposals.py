"""What a model proposes: asked for all at once and again where too little can be used; what is not used says why."""

import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

import jsonlines

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.responses import ReplyError, shown

WRITER = "writer"
"""The role of the model that writes."""
ROUNDS = 3
"""Times that the same thing is asked for, the first included."""
NO_REPLY = "no usable reply"
REPEATED = 20
"""RejectedProposal proposals that a model is shown when it is asked again: the last ones."""

log = logging.getLogger("benchwright")
Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True)
class RejectedProposal:
    """A proposal that is not used."""

    kind: str
    """`text` or `sql`."""
    about: str
    """The SQL template that it words, or the tables that it asks about."""
    form: str
    """Of a text; else nothing."""
    round: int
    """The first is 1."""
    text: str
    """What was proposed; what came back, where that was no proposal at all."""
    reason: str
    """One of few, to be counted."""
    detail: str = ""

    @property
    def is_proposal(self) -> bool:
        """Whether there was a proposal at all."""
        return not self.reason.startswith(NO_REPLY)

    @property
    def why(self) -> str:
        """Reason and detail in one."""
        return f"{self.reason} ({self.detail})" if self.detail else self.reason


def writer_of(client: Client | None, parameter: str, value: str) -> Client | None:
    """The client that writes, or None where rules do.

    Args:
        client: asks the models that were named.
        parameter: `texts` or `sql`, for the message.
        value: `model`, `rule`, or `auto`: a model where one is named.

    Raises:
        UsageError: a model is wanted and none is named.
    """
    has_writer = client is not None and client.has(WRITER)
    if value == "model" and not has_writer:
        raise UsageError(f"{parameter}=model needs a model: add --model {WRITER}=NAME")
    return client if has_writer and value != "rule" else None


def ask_all(
    client: Client,
    items: Iterable[Item],
    ask: Callable[[Item], Awaitable[Result]],
    progress: Callable[[int], None] = lambda done: None,
    found: list[tuple[Item, Result | ReplyError]] | None = None,
) -> list[tuple[Item, Result | ReplyError]]:
    """All items with their replies, in order; put into `found`, too, so that they are there whatever is raised.

    Raises:
        StopError: nothing that follows would go better; what came is kept.
        Estimated: nothing is to be asked, and not all replies are there already.
    """
    found = [] if found is None else found
    for pair in client.each(items, ask, must_answer=True):
        found.append(pair)
        progress(len(found))
    return found


def unusable(kind: str, about: str, form: str, number: int, error: ReplyError) -> RejectedProposal:
    """A reply that holds no proposal."""
    return RejectedProposal(kind, about, form, number, shown(error.raw), f"{NO_REPLY}: {error.reason}", str(error))


def show_rejected(rejected: Iterable[RejectedProposal]) -> None:
    """Says on --verbose what is not used and why: where nothing is left, no release keeps it."""
    for item in rejected:
        log.info("not used, %s %s: %s", item.form or item.kind, item.why, shown(item.text))


def count_reasons(rejected: Sequence[RejectedProposal], kind: str) -> dict[str, int]:
    """Reason → proposals of a kind that were rejected for it, the most frequent first."""
    counts = Counter(item.reason for item in rejected if item.kind == kind)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def named(counts: Mapping[str, int]) -> str:
    """Counts as a text for messages."""
    return ", ".join(f"{reason}: {count}" for reason, count in counts.items()) or "nothing was proposed"


def save_rejected(folder: Path, name: str, rejected: Sequence[RejectedProposal]) -> None:
    """Writes `templates/NAME.rejected.jsonl`, one proposal a line; nothing where all were used.

    It is a file of the release, with its hash in the manifest, but no content: the same templates, whatever else was
    proposed, are the same benchmark. As `.jsonl` it is no file of templates: a release's folder `templates` can be
    edited and given to `--set templates=…` as it is.
    """
    if not rejected:
        return
    path = folder / "templates" / f"{name}.rejected.jsonl"
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8", errors="backslashreplace") as file:
        jsonlines.Writer(file).write_all(asdict(item) for item in rejected)
