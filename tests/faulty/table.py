"""The table of faults: every kind at each of its strengths on three stacks, healthy pipelines and pairs of faults.

    python -m faulty.table FOLDER [--blind | --blind-again] [--of held|other|healthy|pair]… [--stack NAME]… [--again]

in `tests`, writes what each report said to FOLDER/table-STACK.jsonl, goes on where an earlier start stopped, and prints
the summary. `--again` asks nothing: what was run is diagnosed anew, after rules have changed. `--blind` runs what `blind.py` has in
place of all that, on a fourth stack too, and `--blind-again` what `blind_again.py` has. `benchmarks/facts/faults.md` holds what came of it.
"""

import argparse
import json
import logging
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.answers.signs import Signs, signs_of
from benchwright.benchmarks.reports.columns import RunData, load_run
from benchwright.benchmarks.reports.failures.diagnosis import Diagnosis, diagnose
from benchwright.benchmarks.reports.failures.probes import probed_answers
from benchwright.benchmarks.statistics.power import minimum_detectable_difference
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card
from faulty.blind import FIRST, WRONG_LABELS, with_wrong_labels
from faulty.blind_again import AGAIN
from faulty.blind_trial import Trial
from faulty.corpora import aurp_questions, films, tracks
from faulty.draw import Kind, held_out, kinds
from faulty.hops import HOPS, hops_bench
from faulty.pipeline import Stack, simulated_reader
from faulty.stacks import MAKERS, by_characters, narrowed, sentences, whole
from faulty.trial import Variant, run_of

BLIND = (FIRST, AGAIN)
"""What is tried blind, by sets."""
GROUPS_TRIED = (150, 75, 40)
"""Groups of two questions each with which the same runs are looked at again."""
PAIRS = (
    ("corpus_lacks_documents", 0.3, "reader_too_shy", 0.4),
    ("index_stale_values", 0.3, "threshold_too_strict", 0.3),
    ("ranking_reversed", 0.35, "reader_takes_another_value", 0.4),
    ("threshold_too_strict", 0.3, "answers_hedged", 0.4),
    ("embeddings_shuffled_of_entities", 0.35, "reader_copies_the_first_sentence", 0.4),
    ("documents_cut_at_import", 0.4, "reader_refuses_on_policy", 0.4),
    ("passages_of_a_document_mixed_up", 0.3, "reader_too_bold", 1.0),
)
"""Two modules broken at once: each a kind with its strength, of those that thresholds were fixed on."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a report said of a variant."""

    stack: str
    variant: str
    sort: str
    """other or held: the half of its kind; healthy; pair; and those that are tried blind."""
    kinds: tuple[str, ...]
    cost: float
    """By how much fewer answers are right than with the healthy stack; of boldness, how many more gaps are answered."""
    is_costly: bool
    """It costs more than the detectable difference."""
    own: tuple[tuple[str, str, float], ...]
    """Module, confidence and share, of those named, from the run's own condition alone."""
    full: tuple[tuple[str, str, float], ...]
    by_groups: dict[str, tuple[tuple[str, str, float], ...]]
    """The same as `full`, of fewer groups."""


def benches(root: Path) -> dict[str, tuple[Release, Stack]]:
    """The stacks, each with its release."""
    made = {}
    for name in MAKERS:
        folder = root / "narrow" / name
        if not folder.exists():
            if name == "aurp":
                build_release("aurp", {}, render_card, output=root / "built")
                (manifest,) = (root / "built").rglob("manifest.json")
                aurp_questions(root, Release.load(manifest.parent))
            else:
                {"films": films, "tracks": tracks}[name](root)
            narrowed(Release.load(root / name), folder, MAKERS[name])
        release = Release.load(folder)
        made[name] = (release, MAKERS[name](release))
    return made


def healthy_stacks(stack: Stack) -> Iterator[tuple[str, Stack]]:
    """The same pipeline with other settings, each of them fine."""
    yield "as it is", stack
    for k in (stack.k + 1, stack.k + 3, 10):
        yield f"{k} contexts", replace(stack, k=k)
    for name, hands_in in (("document", "id"), ("chunk", "own"), ("no", "text")):
        yield f"contexts with {name} ids", replace(stack, hands_in=hands_in)
    chunks = {
        "of 80 words": sentences(80),
        "of 120 words": sentences(120),
        "of 900 characters": by_characters(900, 100),
        "of 1,500 characters": by_characters(1500, 200),
        "of whole documents": whole,
    }
    for name, chunk in chunks.items():
        yield f"passages {name}", replace(stack, chunk=chunk)
    for guesses, errs in ((0.0, 0.0), (0.2, 0.05), (0.5, 0.02)):
        reader = simulated_reader(
            guesses, errs, ("{value}", "I found {value}.", "According to the documents, {value}.")
        )
        yield f"a reader that guesses {guesses:.0%} and errs {errs:.0%}", replace(stack, reader=reader)


def variants_of(sort: str, stack: Stack) -> Iterator[tuple[Variant, Stack]]:
    """The variants of a sort on a stack."""
    tried = next((each for each in BLIND if sort in each.sorts), None)
    if tried is not None:
        yield from tried.variants(sort, stack)
    elif sort == "healthy":
        for number, (_, other) in enumerate(healthy_stacks(stack)):
            yield Variant(label=f"healthy-{number}"), other
    elif sort == "pair":
        for one, weak, two, strong in PAIRS:
            yield Variant(((one, weak), (two, strong))), stack
    else:
        for place in (1, 2, 0):  # from the middle, so that a table that was stopped has every kind
            for kind in kinds():
                if (kind.name in held_out()) == (sort == "held"):
                    yield Variant(((kind.name, kind.strengths[place]),)), stack


def named(found: Diagnosis) -> tuple[tuple[str, str, float], ...]:
    """The modules that a diagnosis names."""
    return tuple((each.key, each.confidence, round(each.share.value or 0.0, 3)) for each in found.blamed)


def of_groups(run: RunData, signs: Signs, groups: int) -> Signs:
    """The signs of the first groups alone."""
    clusters = run.questions.clusters[[sign.question for sign in signs.each]]
    first = set(
        dict.fromkeys(clusters.tolist()).keys()
        if groups >= len(set(clusters.tolist()))
        else list(dict.fromkeys(clusters.tolist()))[:groups]
    )
    return replace(
        signs, each=tuple(sign for sign, one in zip(signs.each, clusters.tolist(), strict=True) if one in first)
    )


def answered_gaps(run: RunData) -> float:
    """The share of questions without an answer in the documents that are answered all the same."""
    from benchwright.benchmarks.reports.answers.outcomes import attempt_outcomes

    outcomes = attempt_outcomes(run)
    silent = ~run.questions.headline[outcomes.question] & outcomes.is_answered
    return float((~outcomes.abstained[silent]).mean()) if silent.any() else 0.0


def say(
    release: Release,
    name: str,
    sort: str,
    variant: Variant,
    stack: Stack,
    root: Path,
    healthy: tuple[float, float],
    kept: RunData | None = None,
) -> Said:
    """Scores a variant, unless its run was kept, and notes what its report says."""
    run = kept or run_of(release, stack, variant, root, full=True)
    signs, probes = signs_of(run), probed_answers(run)
    own, full = diagnose(run, signs, {}, uses_conditions=False), diagnose(run, signs, probes, uses_conditions=True)
    names = tuple(kind for kind, _ in variant.faults)
    is_bold = bool(names) and all(_kind(each).full == ("bold",) for each in names)
    right, gaps = 1 - own.lost / max(1, own.total), answered_gaps(run)
    cost = gaps - healthy[1] if is_bold else healthy[0] - right
    groups = len(np.unique(run.questions.clusters[~run.questions.headline if is_bold else run.questions.headline]))
    by_groups = {
        str(number): named(diagnose(run, of_groups(run, signs, number), probes, uses_conditions=True))
        for number in GROUPS_TRIED
    }
    least = minimum_detectable_difference(groups)
    return Said(name, variant.name, sort, names, round(cost, 3), cost >= least, named(own), named(full), by_groups)


def _tried_blind(*sets: Trial) -> tuple[Kind, ...]:
    return tuple(kind for each in sets for kind in (*each.kinds(), *each.others()))


def _kind(name: str) -> Kind:
    return next(each for each in (*kinds(), *_tried_blind(*BLIND)) if each.name == name)


def verdict(said: Said, blamed: Sequence[Sequence[object]], expected: Sequence[Sequence[str]]) -> str:
    """right, wrong, sure and wrong, or undetermined: of a pair, both must be among those named."""
    if not blamed:
        return "undetermined"
    keys = [str(each[0]) for each in blamed]
    if said.sort.endswith("pair"):
        return (
            "right"
            if all(set(keys) & set(each) for each in expected)
            else "wrong"
            if not any(set(keys) & set(each) for each in expected)
            else "in part"
        )
    if any(keys[0] in each for each in expected):
        return "right"
    return "sure and wrong" if blamed[0][1] == "clear" else "wrong"


def main() -> None:
    """Runs what is wanted, and prints the summary."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    blind = parser.add_mutually_exclusive_group()
    for each in BLIND:
        blind.add_argument(
            f"--{each.name}",
            dest="blind",
            action="store_const",
            const=each,
            help="what is tried blind, in place of all else",
        )
    sorts_blind = (sort for each in BLIND for sort in each.sorts)
    parser.add_argument("--of", action="append", choices=("held", "other", "healthy", "pair", *sorts_blind))
    parser.add_argument("--stack", action="append", choices=(*MAKERS, *HOPS))
    parser.add_argument("--again", action="store_true", help="diagnose what was run anew, and run nothing")
    given = parser.parse_args()
    tried: Trial | None = given.blind
    logging.disable(logging.WARNING)
    given.folder.mkdir(parents=True, exist_ok=True)
    wanted, made = given.stack or [*MAKERS, *(HOPS if tried else ())], benches(given.folder / "benches")
    if "hops" in wanted:
        made["hops"] = hops_bench(given.folder / "benches")
    for name in wanted:
        sorts = given.of or (tried.sorts if tried else ("healthy", "other", "held", "pair"))
        run_stack(given.folder, name, *made[name], sorts, again=given.again)
    said = read(given.folder)
    sys.stdout.write(f"{summary(said)}\n\n{by_kind(said, _tried_blind(tried) if tried else kinds())}\n")


def run_stack(
    folder: Path, name: str, release: Release, stack: Stack, sorts: Sequence[str], *, again: bool = False
) -> None:
    """All variants of some sorts on a stack that were not run before; again: those that were."""
    path = folder / f"table-{name}.jsonl"
    if again:
        path.unlink(missing_ok=True)
    done = {(each.stack, each.variant) for each in read(folder)}
    base = run_of(release, stack, Variant(label="healthy-0"), folder / "runs" / name, full=True)
    signs = signs_of(base).each
    healthy = sum(sign.outcome == "correct" for sign in signs) / len(signs), answered_gaps(base)
    for sort in sorts:
        for variant, its in variants_of(sort, stack):
            kept = next((folder / "runs" / name).glob(f"*/*/{variant.name[:80]}/scores.parquet"), None)
            if (name, variant.name) in done or (again and kept is None):
                continue
            asked = release
            if variant.name == WRONG_LABELS:
                asked = with_wrong_labels(release, stack, folder / "benches" / f"{name}-{variant.name}")
            kept_run = load_run(asked, kept.parent) if again and kept is not None else None
            said = say(asked, name, sort, variant, its, folder / "runs" / name, healthy, kept_run)
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(said)) + "\n")
            sys.stdout.write(f"{sort:8}{name:8}{said.variant[:60]:60} {said.cost:6.2f} {said.own} | {said.full}\n")
            sys.stdout.flush()


def read(folder: Path) -> list[Said]:
    """What was noted."""
    lines = [line for path in sorted(folder.glob("table-*.jsonl")) for line in path.read_text("utf-8").splitlines()]
    return [Said(**{**json.loads(line), "kinds": tuple(json.loads(line)["kinds"])}) for line in lines]


def summary(said: Sequence[Said]) -> str:
    """The table, and how often the reports were right, as Markdown."""
    lines = [
        "| half | seen | variants | right | undetermined | wrong | sure and wrong |",
        "|---|---|---|---|---|---|---|",
    ]
    for sort in ("other", "held", *(sort for each in BLIND for sort in (each.name, f"{each.name}-other"))):
        for seen in ("own", "full", *(str(number) for number in GROUPS_TRIED)):
            counts = _counts([each for each in said if each.sort == sort and each.is_costly], seen)
            total = sum(counts.values())
            if total:
                cells = [
                    f"{counts.get(name, 0)} ({counts.get(name, 0) / total:.0%})"
                    for name in ("right", "undetermined", "wrong", "sure and wrong")
                ]
                shown = seen if seen in ("own", "full") else f"full, {seen} groups"
                lines.append(f"| {sort} | {shown} | {total} | {' | '.join(cells)} |")
    healthy = [each for each in said if each.sort.endswith("healthy")]
    pairs = [each for each in said if each.sort.endswith("pair")]
    for seen in ("own", "full"):
        blamed = [each for each in healthy if getattr(each, seen)]
        lines.append(
            f"\nHealthy, {seen}: {len(blamed)} of {len(healthy)} blamed: {[(each.stack, each.variant, getattr(each, seen)) for each in blamed]}"
        )
        lines.append(f"\nPairs, {seen}: {_counts(pairs, seen)} of {len(pairs)}")
    return "\n".join(lines)


def by_kind(said: Sequence[Said], tried: Sequence[Kind]) -> str:
    """What was said of each kind, of the variants that cost more than the detectable difference."""
    lines = [
        "| half | kind | may be said | variants | right, own alone | right, with all | else said, with all |",
        "|---|---|---|---|---|---|---|",
    ]
    for kind in tried:
        mine = [each for each in said if each.kinds == (kind.name,) and each.is_costly]
        own = [verdict(each, each.own, [kind.own]) for each in mine]
        full = [verdict(each, each.full, [kind.full]) for each in mine]
        else_said = sorted(
            f"{each.stack}: {each.full[0][0]} ({each.full[0][1]})" if each.full else f"{each.stack}: undetermined"
            for each, how in zip(mine, full, strict=True)
            if how != "right"
        )
        half = "held" if kind.name in held_out() else "other" if kind in kinds() else "blind"
        cells = (
            half,
            kind.name.replace("_", " "),
            ", ".join(kind.full),
            len(mine),
            own.count("right"),
            full.count("right"),
            "; ".join(else_said),
        )
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def _counts(said: Sequence[Said], seen: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for each in said:
        blamed = each.own if seen == "own" else each.full if seen == "full" else each.by_groups[seen]
        expected = [_kind(name).own if seen == "own" else _kind(name).full for name in each.kinds]
        key = verdict(each, blamed, expected)
        counts[key] = counts.get(key, 0) + 1
    return counts


if __name__ == "__main__":
    main()
