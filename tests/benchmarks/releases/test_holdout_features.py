"""What the shape of a public half says of held-out rows: order, ids, counts, lengths, numbers of documents."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from holdouts import build, load_halves, rows

from benchwright.benchmarks.releases.release import Release

_DRAWS = 2_000
NAMES = (
    "place among the rows of its template",
    "first digits of its id",
    "questions of the group",
    "length of its question",
    "open groups about its entity",
    "open known gaps about its entity",
    "held-out groups about its entity",
    "documents about its entity",
    "number in the id of its entity's document",
)


@dataclass(frozen=True)
class Group:
    """What anybody sees of a group, and what is to be found out."""

    template: str
    entity: str
    features: tuple[float, ...]
    is_gap: bool
    answer: str


@dataclass(frozen=True)
class Seen:
    """The groups of a release, open ones and held-out ones."""

    open: Sequence[Group]
    held: Sequence[Group]


def seen(public: Release, private: Release) -> Seen:
    """The features of all groups come from the public half alone; what they are to tell, of held-out ones not."""
    truth = {row["group"]: row for row in rows(private, "test")}
    shown = [row for split in ("test", "dev") for row in rows(public, split)]
    kept = rows(public, "heldout")
    gaps = {row["group"]: row["entity"] for row in shown if row["answerability"] == "gap"}
    counts = {
        "open": Counter({row["group"]: row["entity"] for row in shown}.values()),
        "gaps": Counter(gaps.values()),
        "held": Counter({row["group"]: row["entity"] for row in kept}.values()),
    }
    documents: Counter[str] = Counter()
    numbers: dict[str, int] = {}
    for document in rows(public, "corpus", "corpus"):
        entity = json.loads(document["metadata"]).get("entity")
        documents[entity] += 1
        if match := re.search(r"-(\d+)", document["_id"]):
            numbers.setdefault(entity, int(match[1]))

    def groups(table: Sequence[Mapping[str, str]]) -> list[Group]:
        of: defaultdict[str, list[Mapping[str, str]]] = defaultdict(list)
        for row in table:
            of[row["group"]].append(row)
        places: Counter[str] = Counter()
        found = []
        for group, questions in of.items():
            row = questions[0]
            entity, places[row["template"]] = row["entity"], places[row["template"]] + 1
            known = truth.get(group, row)
            is_own_gap = known["answerability"] == "gap" and group not in truth
            features = (
                places[row["template"]],
                int(row["id"][:8], 16),
                len(questions),
                len(row["question"]),
                counts["open"][entity] - (group not in truth),
                counts["gaps"][entity] - is_own_gap,
                counts["held"][entity] - (group in truth),
                documents[entity],
                numbers.get(entity, 0),
            )
            found.append(
                Group(row["template"], entity, features, known["answerability"] == "gap", " / ".join(known["answers"]))
            )
        return found

    return Seen(groups(shown), groups(kept))


def within_templates(groups: Sequence[Group]) -> np.ndarray:
    """The features of groups, each as it stands among those of its template: between -1 and 1."""
    found = np.zeros((len(groups), len(NAMES)))
    for places in by_template(groups).values():
        of = np.array([groups[place].features for place in places])
        below = (of[:, None, :] > of[None, :, :]).sum(1) - (of[:, None, :] < of[None, :, :]).sum(1)
        found[places] = below / max(1, len(places) - 1)
    return found


def by_template(groups: Sequence[Group]) -> Mapping[str, list[int]]:
    found: defaultdict[str, list[int]] = defaultdict(list)
    for place, group in enumerate(groups):
        found[group.template].append(place)
    return found


def logistic(features: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """The weights of a logistic regression with a little shrinkage, by Newton's method."""
    design = np.column_stack([np.ones(len(features)), features])
    weights = np.zeros(design.shape[1])
    for _ in range(20):
        likely = 1 / (1 + np.exp(-design @ weights))
        slope = design.T @ (truth - likely) - weights
        bend = (design * (likely * (1 - likely))[:, None]).T @ design + np.eye(len(weights))
        weights += np.linalg.solve(bend, slope)
    return weights[1:]


def pairs_in_order(score: np.ndarray, truth: np.ndarray, groups: Sequence[Group]) -> tuple[float, float]:
    """Of the pairs of a gap and an answerable group of one template, the share in which the gap has the higher score;
    and how far that is from one half by chance: in 99 of 100 shufflings of the gaps within their templates."""
    draw = np.random.default_rng(1)
    won, all_pairs = np.zeros(1 + _DRAWS), 0
    for places in by_template(groups).values():
        gap = truth[places].astype(bool)
        if gap.any() and not gap.all():
            order = score[places]
            above = np.sign(order[:, None] - order[None, :])
            shuffled = draw.permuted(np.tile(gap, (_DRAWS, 1)), axis=1)
            chosen = np.vstack([gap, shuffled]).astype(float)
            won += (chosen @ above * (1 - chosen)).sum(1) / 2
            all_pairs += int(gap.sum() * (~gap).sum())
    shares = 0.5 + won / all_pairs
    return float(shares[0]), float(np.quantile(np.abs(shares[1:] - 0.5), 0.99))


@pytest.fixture(scope="module")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Release, Release]:
    """A build with the groups that are chosen where nothing else is said."""
    root = tmp_path_factory.mktemp("sampled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("benchwright.benchmarks.releases.holdout.secrets.token_bytes", lambda size: bytes(range(size)))
        build(root, {"size": "40", "wordings": "2", "forms": "short"}, holdout=0.4)
    return load_halves(root)


def both(halves: tuple[Release, Release], sampled: tuple[Release, Release]) -> Seen:
    first, second = seen(*halves), seen(*sampled)
    return Seen([*first.open, *second.open], [*first.held, *second.held])


def test_no_feature_of_a_row_says_whether_it_is_a_known_gap(
    halves: tuple[Release, Release], sampled: tuple[Release, Release]
) -> None:
    found = both(halves, sampled)
    known, asked = within_templates(found.open), within_templates(found.held)
    truth = np.array([group.is_gap for group in found.held])
    assert truth.sum() > 60
    weights = logistic(known, np.array([group.is_gap for group in found.open], dtype=float))
    scores = {"all of them, learnt from open rows": asked @ weights}
    scores |= {name: asked[:, place] for place, name in enumerate(NAMES)}
    for name, score in scores.items():
        share, chance = pairs_in_order(score, truth, found.held)
        assert abs(share - 0.5) <= chance, (name, share, chance)


def number(answer: str) -> float | None:
    """An answer as a number: an amount, or a date."""
    digits = answer.replace("-", "") if re.fullmatch(r"\d{4}-\d\d-\d\d", answer) else answer
    return float(digits) if re.fullmatch(r"\d+(\.\d+)?", digits) else None


def test_no_feature_of_a_row_goes_with_its_answer(
    halves: tuple[Release, Release], sampled: tuple[Release, Release]
) -> None:
    found = both(halves, sampled)
    known, asked = within_templates(found.open), within_templates(found.held)
    opened, held = by_template(found.open), by_template(found.held)
    for place, name in enumerate(NAMES):
        right, guessed, together = [], [], []
        for template, places in held.items():
            of = [found.open[one].answer for one in opened.get(template, ())]
            if not of:
                continue
            best = Counter(of).most_common(1)[0][0]
            near = np.abs(asked[places, place][:, None] - known[opened[template], place][None, :]).argmin(1)
            right += [of[at] == found.held[one].answer for at, one in zip(near, places, strict=True)]
            guessed += [best == found.held[one].answer for one in places]
            numbers = [number(found.held[one].answer) for one in places]
            if None not in numbers and len(set(numbers)) > 2 and np.ptp(asked[places, place]):
                ranks = np.argsort(np.argsort(np.array(numbers, dtype=float)))
                together.append((np.corrcoef(ranks, asked[places, place])[0, 1], len(places)))
        strength = sum(value * many for value, many in together) / max(1, sum(many for _, many in together))
        chance = 2.6 / max(1, sum(many for _, many in together)) ** 0.5
        assert np.mean(right) <= np.mean(guessed) + 0.02, name
        assert abs(strength) <= chance, (name, strength, chance)
