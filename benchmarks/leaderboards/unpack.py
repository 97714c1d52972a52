"""The predictions of a submission become those of a run: each looked at, all of them bounded."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchwright.benchmarks.collector import settled_memory
from benchwright.benchmarks.leaderboards.flags import MOST_OF_ANSWER
from benchwright.benchmarks.leaderboards.limits import LONGEST_LINE, MOST_REPEATS, MOST_UNFOLDED
from benchwright.benchmarks.leaderboards.predictions_table import holds_contexts, read_prediction_lines
from benchwright.benchmarks.leaderboards.refusal import RefusedError, plain, quoted, reason_of
from benchwright.benchmarks.leaderboards.verdict import Costs
from benchwright.benchmarks.prediction_fields import PredictionFields, is_failed, key_of, plain_fields
from benchwright.benchmarks.predictions import CONDITIONS, OWN, UNSUPPORTED, read_prediction
from benchwright.benchmarks.runs.store import StoredLines

_AMOUNTS = ("input_tokens", "output_tokens", "cost", "latency", "retrievals")


@dataclass
class Unpacked:
    """What the predictions of a submission are."""

    lines: StoredLines = field(default_factory=StoredLines)
    """As they were written."""
    has_contexts: bool = False
    abstained: int = 0
    """That say so themselves; of the first repeat of the condition own, as the answers."""
    answers: dict[str, str] = field(default_factory=dict)
    """Question → its answer, cut."""
    sums: dict[str, tuple[float, int]] = field(default_factory=dict)
    """What answers took: the total, and of how many it is known; of the condition own."""

    @property
    def costs(self) -> Costs:
        """The means."""
        return Costs(**{name: total / known for name, (total, known) in self.sums.items()})

    def states(self, questions: Iterable[str]) -> Mapping[str, str]:
        """Question → answered or failed, in its first repeat of the condition own; those without either are missing."""
        found = {}
        for name in questions:
            key = name, OWN, 0
            if key in self.lines.numbers and key not in self.lines.unsupported:
                found[name] = "failed" if key in self.lines.failed else "answered"
        return found


def unpack_predictions(
    source: Path, target: Path, ids: Collection[str], where: str, elsewhere: Callable[[str], str | None]
) -> Unpacked:
    """Writes the predictions of a submission's file as a run keeps them.

    Args:
        source: Parquet or lines of JSON.
        target: predictions.jsonl.
        ids: the questions that may be answered.
        where: what these are of: for messages.
        elsewhere: what an id that is not among them is of, in words.

    Raises:
        BenchwrightError: the file cannot be read, or unfolds to too much. RefusedError: a row is no prediction, of no
            question, or there twice.
    """
    found = Unpacked(has_contexts=source.suffix == ".parquet" and holds_contexts(source))
    most = len(ids) * len(CONDITIONS) * MOST_REPEATS
    lines = read_prediction_lines(source) if source.suffix == ".parquet" else _json_lines(source)
    with target.open("wb") as file, settled_memory():
        for number, text in enumerate(lines, start=1):
            at = f"{source.name}, row {number:,}"
            if number > most:
                raise RefusedError(f"{source.name} has more than {most:,} rows, for {len(ids):,} questions")
            line = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
            fields = _checked(line, at)
            _take(found, fields, at, ids, where, elsewhere, len(line) + 1)
            file.write(line + b"\n")
            if found.lines.end > MOST_UNFOLDED:
                raise RefusedError(f"{source.name} unfolds to more than {MOST_UNFOLDED // 10**6:,} MB of predictions")
    if not found.lines.numbers:
        raise RefusedError(f"{source.name} holds no prediction")
    return found


def _json_lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while line := file.readline(LONGEST_LINE + 1):
            if len(line) > LONGEST_LINE:
                raise RefusedError(f"{path.name} has a line of more than {LONGEST_LINE:,} bytes")
            if line.strip():
                yield line.strip()


def _checked(line: bytes, at: str) -> PredictionFields:
    """The fields of a line, as a run keeps them.

    Raises:
        RefusedError: it is not as a run keeps it.
    """
    if len(line) > LONGEST_LINE:
        raise RefusedError(f"{at}: the prediction has {len(line):,} bytes, and may have {LONGEST_LINE:,}")
    fields = plain_fields(line)
    if fields is None:
        try:
            read_prediction(line, at)
        except Exception as error:
            raise RefusedError(reason_of(error)) from None
        raise RefusedError(f"{at}: not as a run keeps a prediction: make the submission with submit-system")
    return fields


def _take(
    found: Unpacked,
    fields: PredictionFields,
    at: str,
    ids: Collection[str],
    where: str,
    elsewhere: Callable[[str], str | None],
    size: int,
) -> None:
    """Takes in a prediction."""
    name, condition, repeat = key = key_of(fields)
    if name not in ids:
        of = elsewhere(name)
        raise RefusedError(f"{at}: no question {quoted(name)} in {where}" + (f": it is of {of}" if of else ""))
    if condition not in CONDITIONS:
        raise RefusedError(f"{at}: there is no condition {quoted(condition)}")
    if repeat >= MOST_REPEATS:
        raise RefusedError(f"{at}: repeat {plain(str(repeat))}, and they are numbered from 0 to {MOST_REPEATS - 1}")
    if key in found.lines.numbers:
        raise RefusedError(
            f"{at}: a second prediction for {quoted(name)} in the condition {condition}, repeat {repeat}"
        )
    found.lines.add(key, fields, size)
    found.has_contexts |= bool(fields.get("contexts"))
    if condition == OWN and not (is_failed(fields) or (fields.get("error") or "").startswith(UNSUPPORTED)):
        _add_costs(found, fields)
        if repeat == 0:
            found.abstained += bool(fields.get("abstained"))
            answer = fields.get("answer")
            if answer is not None and not fields.get("abstained"):
                found.answers[name] = answer[:MOST_OF_ANSWER]


def _add_costs(found: Unpacked, fields: PredictionFields) -> None:
    usage = fields.get("usage", {})
    said = {"cost": fields.get("cost"), "latency": fields.get("latency"), **usage}
    if said.get("retrievals") is None and fields.get("contexts"):
        said["retrievals"] = 1
    for name in _AMOUNTS:
        value = said.get(name)
        if isinstance(value, int | float) and value >= 0:
            total, known = found.sums.get(name, (0.0, 0))
            found.sums[name] = total + value, known + 1
