"""The recorded random sample of a run's answers that people judge: how it is drawn, kept, and known to be one.

    RUN/samples/sample-1.json

Semantic groups are drawn without replacement, by the hashes of the seed and their names, and of each group that is
drawn one answer. So an answer of a group of m, of which n of G groups are drawn, is drawn with probability n/G · 1/m.
Of one seed a smaller sample is the beginning of a larger one. The same answers, seed and size draw the same sample,
so that a file that was edited is known by drawing again.
"""

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.records import Strict, problem_of
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.runs.run import PREDICTIONS
from benchwright.benchmarks.runs.store import stored_predictions

SAMPLES = "samples"
"""The folder of a run that holds its samples."""
FORMAT = 1
_NAME = re.compile(r"sample-([1-9]\d{0,5})\.json")

AnswerKey = tuple[str, int]
"""An answer in a condition: question and repeat."""
Unit = tuple[str, str]
"""What is drawn: `group` and its name, or `question` and its id, of a question without a group."""
_CONTEXT = ("id", "uri", "start", "end", "text")


@dataclass(frozen=True, slots=True)
class DrawnAnswer(Strict):
    """An answer that was drawn."""

    id: str
    """The question's."""
    condition: str
    repeat: int
    group: str | None
    """The semantic group; None of a question without one, which is a group of its own."""
    probability: float
    """With which it was drawn: the share of groups that are drawn, over the group's answers."""

    @property
    def key(self) -> AnswerKey:
        """Question and repeat: which answer of the condition it is."""
        return self.id, self.repeat


@dataclass(frozen=True, slots=True)
class DrawnFrom(Strict):
    """What a sample is of: the answers in a condition to the questions of the headline."""

    condition: str
    groups: int
    answers: int
    """Of those groups. Failures of the system and what it was not asked are none."""
    sha256: str
    """Of the SHA-256 of each of these answers, with its contexts, in the order of id and repeat."""


@dataclass(frozen=True, slots=True)
class HumanSample(Strict):
    """A random sample of a run's answers."""

    seed: int
    drawn_from: DrawnFrom
    answers: tuple[DrawnAnswer, ...]
    """In the order of the draw: the first of them are a smaller sample of the same seed."""
    format: int = FORMAT

    @property
    def hash(self) -> str:
        """What tells it from other samples: 16 hexadecimal digits."""
        return hashlib.sha256(_text(self).encode()).hexdigest()[:16]


def draw_sample(run: RunData, groups: int, seed: int = 0) -> HumanSample:
    """A random sample of a run's answers in the condition shown, one of each semantic group that is drawn.

    Args:
        run: with its scores.
        groups: how many are drawn; all where there are no more.
        seed: of the draw.

    Raises:
        UsageError: fewer than one group is asked for.
        BenchwrightError: there is no answer to draw from.
    """
    if groups < 1:
        raise UsageError(f"a sample of {groups:,} groups holds no answer: draw at least 1")
    return _drawn(run, _answers(run), groups, seed)


def _drawn(run: RunData, there: Mapping[AnswerKey, bytes], groups: int, seed: int) -> HumanSample:
    if not there:
        raise BenchwrightError(
            f"{run.folder.name} has no answer to a question of the headline in the condition {run.shown}: there is "
            "nothing to draw from"
        )
    members: dict[Unit, list[AnswerKey]] = defaultdict(list)
    for key in there:
        group = run.questions.group.at(run.questions.index[key[0]])
        members[("group", group) if group is not None else ("question", key[0])].append(key)
    answers = tuple(
        DrawnAnswer(key[0], run.shown, key[1], unit[1] if unit[0] == "group" else None, probability)
        for unit, key, probability in draw_answers(members, groups, seed)
    )
    return HumanSample(
        seed,
        DrawnFrom(run.shown, len(members), len(there), hashlib.sha256(b"".join(there.values())).hexdigest()),
        answers,
    )


def draw_answers(
    members: Mapping[Unit, Sequence[AnswerKey]], groups: int, seed: int
) -> list[tuple[Unit, AnswerKey, float]]:
    """One answer of each group that is drawn, in the order of the draw, and with which probability it was.

    Args:
        members: the answers of each group.
        groups: how many are drawn without replacement; all where there are no more.
        seed: of the draw.
    """
    drawn = sorted(members, key=lambda unit: (rank(seed, "human sample, group", *unit), unit))[:groups]
    share = len(drawn) / len(members)
    return [
        (
            unit,
            min(members[unit], key=lambda key: (rank(seed, "human sample, answer", *key), key)),
            share / len(members[unit]),
        )
        for unit in drawn
    ]


def write_sample(folder: Path, sample: HumanSample) -> str:
    """Keeps a sample in a run's folder, in one step; returns its name, such as `sample-1`.

    A sample that is there already keeps its name, so that the number of files is that of the samples that were drawn.

    Raises:
        BenchwrightError: a sample that is there cannot be read.
    """
    there = read_samples(folder)
    for name, each in there.items():
        if each == sample:
            return name
    name = f"sample-{max(map(_number, there), default=0) + 1}"
    (folder / SAMPLES).mkdir(exist_ok=True)
    part = folder / SAMPLES / f".{name}.json"
    part.write_text(_text(sample), encoding="utf-8")
    part.replace(folder / SAMPLES / f"{name}.json")
    return name


def read_samples(folder: Path) -> dict[str, HumanSample]:
    """The samples in a run's folder, by name, in the order in which they were drawn.

    Raises:
        BenchwrightError: one of them cannot be read.
    """
    found = {}
    paths = (folder / SAMPLES).glob("*.json") if (folder / SAMPLES).is_dir() else ()
    for path in sorted((path for path in paths if _NAME.fullmatch(path.name)), key=lambda path: _number(path.stem)):
        try:
            found[path.stem] = _adapter().validate_json(path.read_bytes(), strict=True)
        except (OSError, ValidationError) as error:
            what = problem_of(error) if isinstance(error, ValidationError) else str(error)
            raise BenchwrightError(
                f"{path} cannot be read as a sample: {what}; draw a new one, and let its labels go"
            ) from None
        if found[path.stem].format > FORMAT:
            raise BenchwrightError(
                f"{path} has the format {found[path.stem].format}, and this version reads {FORMAT}: update benchwright"
            )
    return found


def check_sample(run: RunData, name: str, sample: HumanSample) -> list[AnswerKey]:
    """The answers that a sample was drawn from. Refuses one that is not what its seed draws from them as they are.

    Args:
        run: in the sample's condition.
        name: of the sample, for messages.
        sample: as it was read.

    Raises:
        BenchwrightError: the answers are others than those that were drawn from, or the sample is another.
    """
    if sample.drawn_from.condition != run.shown:
        raise BenchwrightError(
            f"{name} was drawn in the condition {sample.drawn_from.condition}, and not in {run.shown}: choose it with "
            "--condition"
        )
    there = _answers(run)
    again = _drawn(run, there, max(len(sample.answers), 1), sample.seed)
    if again.drawn_from != sample.drawn_from:
        before, now = sample.drawn_from, again.drawn_from
        numbers = f" ({before.answers:,} in {before.groups:,} groups then, {now.answers:,} in {now.groups:,} now)"
        raise BenchwrightError(
            f"the answers of {run.folder.name} are others than those that {name} was drawn from"
            f"{numbers if (before.answers, before.groups) != (now.answers, now.groups) else ''}: draw a new sample"
        )
    if again != sample:
        raise BenchwrightError(
            f"{name} of {run.folder.name} is not the sample that its seed, {sample.seed}, draws from these answers: "
            "its file was changed; draw a new sample"
        )
    return list(there)


def drawn_of_same(samples: Mapping[str, HumanSample], sample: HumanSample) -> list[str]:
    """The names of the samples that were drawn from the same answers, this one's among them.

    Of one seed only the largest: the smaller ones are its beginning.
    """
    largest: dict[int, str] = {}
    for name, each in samples.items():
        before = largest.get(each.seed)
        if each.drawn_from == sample.drawn_from and (
            before is None or len(samples[before].answers) < len(each.answers)
        ):
            largest[each.seed] = name
    return list(largest.values())


def _answers(run: RunData) -> dict[AnswerKey, bytes]:
    """What is drawn from, by question and repeat, in their order, and a hash of each answer with its contexts."""
    wanted = run.condition.where(run.shown) & run.questions.headline[run.question]
    ids = run.questions.ids
    scored = {
        (ids[question], repeat)
        for question, repeat in zip(run.question[wanted].tolist(), run.repeat[wanted].tolist(), strict=True)
    }
    path = run.folder / PREDICTIONS
    if not path.is_file():
        raise BenchwrightError(f"{run.folder} has no {PREDICTIONS}: there are no answers to draw from")
    found = {
        (each.id, each.repeat): _hash_of(each)
        for each in stored_predictions(path)
        if each.condition == run.shown
        and (each.id, each.repeat) in scored
        and not (each.is_failed or each.is_unsupported)
    }
    return dict(sorted(found.items()))


def _hash_of(answer: Prediction) -> bytes:
    contexts = [[getattr(context, name) for name in _CONTEXT] for context in answer.contexts]
    line = json.dumps([answer.id, answer.repeat, answer.answer, answer.abstained, contexts], separators=(",", ":"))
    return hashlib.sha256(line.encode()).digest()


def _number(name: str) -> int:
    return int(name.removeprefix("sample-"))


def _text(sample: HumanSample) -> str:
    return json.dumps(asdict(sample), indent=1, sort_keys=True) + "\n"


@cache
def _adapter() -> TypeAdapter[HumanSample]:
    return TypeAdapter(HumanSample)
