"""`build-benchmark --from`: a release joined with its texts, or built again; and what both can be used for."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from berths import FERRIES, build, rows, write_documents
from click.testing import CliRunner, Result

import benchwright
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.metrics.ranked import NO_IDS
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.baselines import measure_baselines
from benchwright.benchmarks.reports.columns import load_run
from benchwright.benchmarks.reports.metrics.figures import headline_metrics
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score_system import score_system
from benchwright.cards.hub.publish import Target, check_publishable
from benchwright.cards.report.page import report_run
from benchwright.scripts.build_benchmark import main


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_documents(tmp_path_factory.mktemp("documents") / "specifications")


@pytest.fixture(scope="module")
def made(documents: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of releases with one without texts."""
    root = tmp_path_factory.mktemp("releases")
    build(documents, root, "berths", text="offsets", documents_at="https://example.org/berths", train="0")
    return root


@pytest.fixture
def releases(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "releases"))


@pytest.fixture(scope="module")
def bare(made: Path) -> Release:
    return Release.load(made / "berths" / "1.0.0")


@pytest.fixture(scope="module")
def whole(made: Path, documents: Path, tmp_path_factory: pytest.TempPathFactory) -> Release:
    root = tmp_path_factory.mktemp("joined")
    result = run(root, "--from", str(made / "berths" / "1.0.0"), "--documents", str(documents))
    assert result.stdout.strip() == str(root / "berths" / "1.1.0"), result.stderr
    return Release.load(root / "berths" / "1.1.0")


def run(root: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, [*arguments, "--releases", str(root)])


def test_joined_by_name(releases: Path, documents: Path, whole: Release) -> None:
    for state in ("built", "unchanged, was there already"):
        result = run(releases, "--from", "berths@1.0.0", "--documents", str(documents))
        assert (result.exit_code, result.stdout) == (0, f"{releases / 'berths' / '1.1.0'}\n"), result.stderr
        assert f"berths 1.1.0 ({state}): " in result.stderr
        assert f"content hash {whole.manifest.content_hash}" in result.stderr
    result = run(releases, "--from", "berths@1.0.0", "--documents", str(documents), "--as-version", "3.0.0", "-q")
    assert result.stdout == f"{releases / 'berths' / '3.0.0'}\n"
    assert result.stderr == ""


def test_what_is_missing_is_named_a_line_each(releases: Path, tmp_path: Path) -> None:
    (tmp_path / "11200.md").write_text(FERRIES.replace("within ten minutes", "within five minutes"), "utf-8")
    result = run(releases, "--from", "berths", "--documents", str(tmp_path))
    assert result.exit_code == 1 and result.stdout == ""
    assert [line for line in result.stderr.splitlines() if line] == [
        "11200.md: another version of it, which differs in 1 clause (3)",
        "11300.md: it is not there or cannot be read (3 documents)",
        f"error: 4 of 9 documents of berths 1.0.0 are missing in {tmp_path}, or differ: give the files that it was "
        "made from, in those versions; its manifest has their SHA-256",
    ]
    assert [path.name for path in (releases / "berths").iterdir()] == ["1.0.0"]


def test_built_again(releases: Path, documents: Path, bare: Release, tmp_path: Path) -> None:
    result = run(releases, "--from", "berths", "--set", f"source={documents}")
    assert (result.exit_code, result.stdout) == (0, f"{releases / 'berths' / '1.0.0'}\n"), result.stderr
    assert "berths 1.0.0 (unchanged, was there already)" in result.stderr
    (tmp_path / "manifest.json").write_bytes((bare.folder / "manifest.json").read_bytes())
    result = run(tmp_path, "--from", str(tmp_path / "manifest.json"), "--set", f"source={documents}")
    again = Release.load(tmp_path / "berths" / "1.0.0")
    assert again.manifest.content_hash == bare.manifest.content_hash
    result = run(tmp_path, "--from", "berths")
    assert result.exit_code == 1 and "add --set source=…/specifications" in result.stderr


def test_built_again_from_a_database(company: Path, tmp_path: Path) -> None:
    first = benchwright.build_release("grammar", {"database": str(company), "wordings": 1}, releases=tmp_path / "a")
    arguments = ("--from", str(first.folder), "--database", str(company))
    result = run(tmp_path / "b", *arguments)
    assert result.exit_code == 0, result.stderr
    assert Release.load(Path(result.stdout.strip())).manifest.content_hash == first.manifest.content_hash


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "say what to build: the name of a benchmark, or --from RELEASE"),
        (("grammar", "--from", "berths"), "--from says what to build: leave out grammar"),
        (("--from", "berths", "--seed", "3"), "--seed cannot go with --from, whose release says it: leave it out"),
        (("--from", "berths", "--preview"), "--preview cannot go with --from"),
        (("--from", "berths", "--as-version", "2.0.0"), "--as-version goes with --documents alone"),
        (("--from", "berths", "--documents", ".", "--set", "rows=no"), "leave out --set and --database"),
        (("--from", "berths", "--documents", "nowhere"), "nowhere is not there: name the folder of the documents"),
        (("telequad", "--documents", "."), "--documents joins a release of offsets with its texts: add --from"),
        (("telequad", "--database", "x.sqlite"), "--database goes with --from: name the database of a new benchmark"),
    ],
)
def test_bad_use(made: Path, arguments: tuple[str, ...], said: str) -> None:
    result = run(made, *arguments)
    assert result.exit_code == 2 and said in result.stderr, result.stderr
    assert result.stderr.startswith("error: ") and result.stderr.count("\n") == 1


def test_the_card_says_how_it_is_made_whole(bare: Release, whole: Release) -> None:
    card, joined = ((each.folder / "README.md").read_text("utf-8") for each in (bare, whole))
    assert "build-benchmark --from berths@1.0.0 --documents DIR" in card
    assert "Where they can be had: https://example.org/berths" in card
    assert f"the content hash `{whole.manifest.content_hash}`" in card
    assert "## The documents' texts" not in joined and "reads the span of every evidence again" in joined


class Answers:
    """Answers as a file has them, with contexts of one sort."""

    def __init__(self, release: Release, sort: str) -> None:
        self.rows = {row["question"]: row for row in rows(release, "questions")}
        self.sort = sort

    def answer(self, question: str) -> dict[str, Any]:
        row = self.rows[question]
        contexts = [self.context(item) for item in row["evidence"]]
        return {"answer": next(iter(row["answers"]), "none"), "contexts": contexts}

    def context(self, item: dict[str, Any]) -> dict[str, Any]:
        place = {"id": item["document"], "start": item["start"], "end": item["end"]}
        text = "Words that a chunk of the document could have, as many as make it known by them alone."
        return {"placed": place, "named": {"id": item["document"], "text": text}, "quoted": {"text": text}}[self.sort]


def figures(release: Release, system: Any, runs: Path) -> Any:
    """The headline figures of a system, by metric."""
    done = score_system(release, system, output=runs, name="one")
    return headline_metrics(load_run(release, done.folder))


@pytest.mark.parametrize(
    ("sort", "values"),
    [
        ("placed", {"correct": 1.0, "hit@5": 1.0, "evidence_recall@5": 1.0}),
        ("named", {"correct": 1.0, "hit@5": 1.0, "evidence_recall@5": None}),
        ("quoted", {"correct": 1.0, "hit@5": None, "evidence_recall@5": None}),
    ],
)
def test_scored_without_texts(bare: Release, tmp_path: Path, sort: str, values: dict[str, float | None]) -> None:
    """What nobody can compare is unscored, not 0."""
    found = figures(bare, Answers(bare, sort), tmp_path)
    assert {name: found[name].value for name in values} == values
    if sort == "quoted":
        assert found["hit@5"].reasons.keys() == {NO_IDS}


class Failing(Answers):
    """Wrong in each answer, with contexts that are next to the evidence."""

    def answer(self, question: str) -> dict[str, Any]:
        said = super().answer(question)
        return {**said, "answer": "the harbour pilot"}

    def context(self, item: dict[str, Any]) -> dict[str, Any]:
        return {"id": item["document"], "start": item["end"], "end": item["end"] + 9}


def test_failures_are_listed_on_both(bare: Release, whole: Release, tmp_path: Path) -> None:
    """With the same counts, and the words of the documents only where they are."""
    found = {}
    for release in (bare, whole):
        done = score_system(release, Failing(release, "placed"), output=tmp_path, name="one")
        report = report_run(release, done.folder)
        page = (done.folder / "report.html").read_text("utf-8")
        assert "the harbour pilot" in page
        found[release.manifest.version] = {name: (each.value, each.scored) for name, each in report.metrics.items()}
        assert ("before they enter" in page) is (release is whole)
    assert found["1.0.0"] == found["1.1.0"] and found["1.0.0"]["evidence_recall@5"][0] == 0.0


class Indexing(Answers):
    """One that wants the corpus."""

    def index(self, documents: Any) -> None:
        raise AssertionError("it is not given a corpus without texts")


def test_what_reads_texts_says_that_they_are_to_be_joined(bare: Release, whole: Release, tmp_path: Path) -> None:
    said = "9 of 9 have none here: join them first, build-benchmark --from RELEASE --documents DIR"
    for given in ("bm25", "oracle", Indexing(bare, "placed")):
        with pytest.raises(BenchwrightError, match=said):
            score_system(bare, given, output=tmp_path, name="one")
    asked = {each.system: each for each in measure_baselines(bare).baselines}
    assert said in (asked["bm25"].reason or "") and asked["closed-book"].value == 0.0
    assert figures(whole, "oracle", tmp_path)["hit@5"].value == 1.0


def test_the_gold_passages_are_not_here(bare: Release, tmp_path: Path) -> None:
    options = Options(conditions=("closed", "gold"))
    done = score_system(bare, "closed-book", output=tmp_path, options=options)
    assert done.counts.unsupported > 0
    lines = (done.folder / "predictions.jsonl").read_text("utf-8").splitlines()
    errors = {error for line in lines if (error := json.loads(line).get("error"))}
    assert len(lines) and all("unsupported" in each for each in errors) and errors


def test_joined_in_python(bare: Release, documents: Path, whole: Release, tmp_path: Path) -> None:
    texts = {row["_id"]: row["text"] for row in rows(whole, "corpus")}
    joined = benchwright.derive(bare, "1.1.0", texts=texts.get, releases=tmp_path)
    assert [row["context"] for row in rows(joined, "squad")] == [row["context"] for row in rows(whole, "squad")]
    assert joined.manifest.rows == whole.manifest.rows
    joined = benchwright.derive(bare, "1.2.0", documents=documents, releases=tmp_path)
    assert (joined.folder, joined.manifest.content_hash) == (
        tmp_path / "berths" / "1.2.0",
        whole.manifest.content_hash,
    )
    with pytest.raises(UsageError, match="documents are joined by themselves"):
        benchwright.derive(bare, "1.3.0", documents=documents, texts=texts.get, releases=tmp_path)


def test_it_may_be_public_and_with_its_texts_not(bare: Release, whole: Release) -> None:
    check_publishable(bare.manifest, Target(public=True))
    with pytest.raises(UsageError, match="holds rows of data that it did not make: leave out --public"):
        check_publishable(whole.manifest, Target(public=True))
