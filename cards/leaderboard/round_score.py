"""What teams handed in to a round, and the baselines that were announced, scored as submissions to the leaderboard."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version as installed
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.apart import score_team_apart
from benchwright.benchmarks.leaderboards.check_run import check_runs
from benchwright.benchmarks.leaderboards.flags import find_flags, sketch_of
from benchwright.benchmarks.leaderboards.layout import SYSTEM, Place
from benchwright.benchmarks.leaderboards.package import write_package
from benchwright.benchmarks.leaderboards.refusal import RefusedError, plain
from benchwright.benchmarks.leaderboards.rounds.scoring import ScoredTeam, score_team
from benchwright.benchmarks.leaderboards.rounds.times import say_time
from benchwright.benchmarks.leaderboards.system_file import SystemFile, read_system_file, slug_of
from benchwright.benchmarks.leaderboards.verdict import Verdict
from benchwright.benchmarks.progress import Progress
from benchwright.benchmarks.releases.release import HELDOUT, TEST, Release
from benchwright.benchmarks.releases.rows import ReleaseSplit
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score_system import score_system
from benchwright.cards.leaderboard.round_count import HandedIn, Teams
from benchwright.cards.leaderboard.round_hub import RoundFiles
from benchwright.cards.leaderboard.round_ranked import BASELINE_TEAM


@dataclass(frozen=True)
class ScoredEntry:
    """A submission to the round, ready to be published."""

    place: Place
    folder: Path
    verdict: Verdict
    scored: ScoredTeam


def score_all(
    files: RoundFiles, teams: Teams, halves: tuple[Release, Release], work: Path, progress: Progress
) -> tuple[list[ScoredEntry], Mapping[str, str]]:
    """What is ranked, teams first, and for each team that is refused the reason."""
    found: list[ScoredEntry] = []
    refused: dict[str, str] = {}
    public, private = halves
    split = ReleaseSplit(private, TEST)
    for number, handed_in in enumerate(teams.handed_in, 1):
        progress("teams scored", number, len(teams.handed_in))
        if handed_in.folder is None:
            continue
        rooms = work / f"rooms-{number}"
        rooms.mkdir()
        try:
            system = _system_of(handed_in.folder)
            scored = score_team_apart(handed_in.folder, public, private, rooms)
        except RefusedError as error:
            refused[handed_in.counted.team] = plain(str(error), 300)
        else:
            found.append(_team(files, handed_in, system, scored, halves, split, found))
    assert files.announcement is not None
    for number, system in enumerate(files.announcement.baselines, 1):
        progress("baselines scored", number, len(files.announcement.baselines))
        found.append(_score_baseline(files, system, public, private, work / f"baseline-{system}"))
    return found, refused


def _system_of(folder: Path) -> SystemFile:
    """What a team says of its system. Raises RefusedError."""
    try:
        return read_system_file((folder / SYSTEM).read_bytes())
    except BenchwrightError as error:
        raise RefusedError(str(error)) from None


def _team(
    files: RoundFiles,
    handed_in: HandedIn,
    system: SystemFile,
    scored: ScoredTeam,
    halves: tuple[Release, Release],
    split: ReleaseSplit,
    others: Sequence[ScoredEntry],
) -> ScoredEntry:
    """A team's submission, which was scored."""
    counted, folder = handed_in.counted, handed_in.folder
    assert folder is not None
    place = _place(halves[0], system, counted.team, others)
    sketch = sketch_of(split.questions, scored.answers)
    flags = list(find_flags(split.questions, scored.answers, sketch, place, [each.verdict for each in others], {}))
    if counted.late:
        flags.append(f"committed to something else {counted.late:,} times after the round was closed")
    verdict = _verdict(files, place, halves[1], scored)
    said = replace(
        verdict,
        submitter=counted.team,
        number=counted.number,
        revision=counted.revision,
        submitted=say_time(counted.time),
        flags=tuple(flags),
        sketch=sketch,
        sha256=dict(handed_in.opening.files) if handed_in.opening else {},
    )
    return ScoredEntry(place, folder, said, scored)


def _score_baseline(files: RoundFiles, system: str, public: Release, private: Release, work: Path) -> ScoredEntry:
    """One of the organisers' runs, on the same way as a team's."""
    run = score_system(public, system, output=work / "runs", options=Options(split=HELDOUT)).folder
    folder = work / "files"
    folder.mkdir(parents=True)
    said = SystemFile(
        name=f"baseline {system}",
        authors=("benchwright",),
        openness="open source",
        retriever="none" if system == "closed-book" else system,
        licence="apache-2.0",
        builders_took_part=True,
        description="A built-in baseline, announced before the secret was drawn.",
    )
    write_package(check_runs(run, public), said, folder)
    (work / "rooms").mkdir()
    scored = score_team(folder, public, private, work / "rooms")
    place = Place(public.manifest.name, public.manifest.version, str(slug_of(said.name)))
    verdict = _verdict(files, place, private, scored)
    return ScoredEntry(place, folder, replace(verdict, submitter=BASELINE_TEAM, is_organisers=True), scored)


def _place(public: Release, system: SystemFile, team: str, others: Sequence[ScoredEntry]) -> Place:
    """Where a system stands: by its name; where an earlier commitment has that, with the team's behind it."""
    taken = {each.place.system for each in others}
    name = slug_of(system.name) or slug_of(team) or "system"
    if name in taken or name.startswith("baseline-"):
        name = f"{name[:40]}-{slug_of(team) or 'team'}"[:64].rstrip("._-")
    number = 2
    while name in taken:
        name, number = f"{name[:60]}-{number}", number + 1
    return Place(public.manifest.name, public.manifest.version, name)


def _verdict(files: RoundFiles, place: Place, private: Release, scored: ScoredTeam) -> Verdict:
    return Verdict(
        benchmark=place.benchmark,
        version=place.version,
        system=place.system,
        content_hash=files.opened.edition.content_hash,
        submitter="",
        number=0,
        revision="",
        submitted=files.opened.closes,
        accepted=True,
        parts=scored.parts,
        costs=scored.costs,
        has_contexts=scored.has_contexts,
        has_built_in_reader=scored.has_built_in_reader,
        built_in_texts=tuple(private.manifest.built_in_texts),
        scored_by=installed("benchwright"),
        round=files.name,
    )
