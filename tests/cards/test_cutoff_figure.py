"""`plot-cutoff` with two scripted models over HTTP, of which one knows the old facts: calls, figures, tests, files."""

import base64
import contextlib
import json
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from built import Built, copy_release, wikipedia_release
from command_server import CommandServer
from cutoff_models import FORGETS, JUDGE, KNOWS, Scripted, scripted
from support import Run
from test_report_html import Page

from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_questions
from benchwright.scripts.measure.report_page import Browser, browser
from benchwright.scripts.servers.openai.server import OpenAIServer

HOME = "runs/wikipedia/1.0.0"
RUNS = [
    f"wikipedia/cutoff-{system}-{model}" for model in (KNOWS, FORGETS) for system in ("closed-book", "gold-documents")
]


@dataclass(frozen=True)
class Wiki:
    """A release in the folder of a test, with its scripted models behind a server."""

    release: Release
    models: Scripted
    server: OpenAIServer
    sizes: Counter[str | None]
    """Subset → questions."""

    @property
    def of_model(self) -> list[str]:
        return ["--model", f"judge={JUDGE}", "--base-url", self.server.url, "--cache", "cache.sqlite"]


@contextlib.contextmanager
def served(built: Built, folder: Path) -> Iterator[Wiki]:
    release = copy_release(wikipedia_release(built, questions=3), folder / "releases")
    models = scripted(release)
    sizes = Counter(question.subset for question in load_questions(release, "test"))
    with OpenAIServer(models, record=False) as server:
        yield Wiki(release, models, server, sizes)


@pytest.fixture
def wiki(built: Built, tmp_path: Path) -> Iterator[Wiki]:
    with served(built, tmp_path) as wiki:
        yield wiki


@dataclass(frozen=True)
class Both:
    """A folder with the figure of each of two models and that of both, which no test changes."""

    folder: Path
    wiki: Wiki
    asked: tuple[Mapping[tuple[str, str], int], ...]
    """What the models and the judge were asked, after each command."""


@pytest.fixture(scope="module")
def both(built: Built, command_server: CommandServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    folder = tmp_path_factory.mktemp("both")
    with served(built, folder) as wiki:
        asked = []
        for model in (KNOWS, FORGETS):
            given = ("wikipedia", "--model", f"system={model}", *wiki.of_model)
            drawn = command_server.run("plot-cutoff", *given, folder=folder)
            assert (drawn.returncode, drawn.stdout) == (0, f"{HOME}/cutoff-{model}.svg\n"), drawn
            asked.append(wiki.models.asked.copy())
        drawn = command_server.run("plot-cutoff", "wikipedia", *RUNS, folder=folder)
        assert (drawn.returncode, drawn.stdout) == (0, f"{HOME}/cutoff.svg\n"), drawn
        yield Both(folder, wiki, (*asked, wiki.models.asked.copy()))


def data(tmp_path: Path, name: str) -> dict[str, Any]:
    return json.loads((tmp_path / HOME / f"{name}.json").read_text())


def means(figure: dict[str, Any], model: int) -> list[tuple[float, float]]:
    return [(part["truthfulness"]["value"], part["relevance"]["value"]) for part in figure["models"][model]["parts"]]


def test_two_models_of_which_one_knows_the_old_facts(command_server: CommandServer, both: Both) -> None:
    wiki, folder = both.wiki, both.folder
    every, recent = wiki.sizes.total(), wiki.sizes["post_cutoff"]
    old = wiki.sizes["created_after_cutoff"]
    assert min(wiki.sizes.values()) > 3 and set(wiki.sizes) == {"random", "created_after_cutoff", "post_cutoff"}
    for model, after in zip((KNOWS, FORGETS), both.asked, strict=False):
        asked = {key: count for key, count in after.items() if key[0] == model}
        assert asked == {(model, "closed"): every, (model, "article"): recent}, "only what the figure uses"
    assert both.asked[1][JUDGE, "grades"] <= 2 * (every + recent)
    assert both.asked[2] == both.asked[1], "runs are drawn as they are: nothing is asked"
    figure = data(folder, "cutoff")
    mean_of_b = (5 * old + recent) / (old + recent)
    assert means(figure, 0) == [(5, 5), (pytest.approx(mean_of_b),) * 2, (1, 1), (5, 5)]
    assert means(figure, 1) == [(2, 4), (1, 1), (1, 1), (5, 5)]
    assert [row["AfGT"] for row in figure["table"]] == [5, 5, 5, 5]
    assert [row["Ar"] for row in figure["table"]] == [5, 5, 2, 4]
    shares = {share["sum"]: share["value"] for share in figure["models"][0]["parts"][1]["shares"]}
    assert shares[10] == pytest.approx(old / (old + recent)) and shares[2] == pytest.approx(recent / (old + recent))
    assert sum(shares.values()) == pytest.approx(1) and list(shares) == list(range(2, 11))
    compared = {(test["of"], test["first"], test["second"]): test for test in figure["tests"]}
    assert len(compared) == 12
    between = compared[KNOWS, "b without c", "c"]
    assert between["difference"]["value"] == 8 and between["questions"] == [old, recent]
    assert between["test"] == "permutation of articles" and between["p_holm"] < 0.05
    assert compared[FORGETS, "b without c", "c"]["difference"]["p"] == 1
    assert compared[KNOWS, "d", "c"]["test"] == "sign flips by article"
    assert compared["a", KNOWS, FORGETS]["difference"]["value"] == 4
    assert compared["c", KNOWS, FORGETS]["difference"]["value"] == 0
    assert (figure["version"], figure["content_hash"]) == ("1.0.0", wiki.release.manifest.content_hash)
    assert [model["name"] for model in figure["models"]] == [KNOWS, FORGETS]
    assert all(judge.startswith(f"model:{JUDGE}:") for model in figure["models"] for judge in model["judges"])
    for each in (KNOWS, FORGETS):
        alone = data(folder, f"cutoff-{each}")
        assert [model["name"] for model in alone["models"]] == [each] and len(alone["tests"]) == 4
    names = {path.name for path in (folder / HOME).iterdir() if path.is_file()}
    stems = ("cutoff", f"cutoff-{KNOWS}", f"cutoff-{FORGETS}")
    assert names == {f"{stem}.{ending}" for stem in stems for ending in ("svg", "png", "html", "json")}
    svg = ElementTree.fromstring((folder / HOME / "cutoff.svg").read_text())
    texts = " ".join(svg.itertext())
    assert f"wikipedia 1.0.0 (content {wiki.release.manifest.content_hash[:12]}…)" in texts
    assert f"{KNOWS} · graded by {JUDGE}" in texts and "no model" not in texts
    assert (folder / HOME / "cutoff.png").read_bytes().startswith(b"\x89PNG")
    again = command_server.run("plot-cutoff", *RUNS, "--quiet", folder=folder)
    assert (again.stdout, again.stderr) == (f"{HOME}/cutoff.svg\n", ""), "the release is that of the first run"


def test_a_sample_is_of_the_same_questions_and_a_second_start_goes_on(run: Run, wiki: Wiki, tmp_path: Path) -> None:
    model = ["--model", f"system={KNOWS}", *wiki.of_model]
    drawn = run("plot-cutoff", "wikipedia", "--limit", "12", *model)
    assert drawn.returncode == 0, drawn
    parts = data(tmp_path, f"cutoff-{KNOWS}")["models"][0]["parts"]
    assert parts[0]["asked"] + parts[1]["asked"] == 12
    assert parts[3]["asked"] == parts[2]["asked"] == wiki.models.asked[KNOWS, "article"] > 0
    assert wiki.models.asked[KNOWS, "closed"] == 12
    tests = {(test["first"], test["second"]): test for test in data(tmp_path, f"cutoff-{KNOWS}")["tests"]}
    assert tests["d", "c"]["questions"] == [parts[2]["asked"]] * 2, "the same questions"
    assert (
        f"a sample: {parts[0]['asked']} of {wiki.sizes['random']} asked"
        in (tmp_path / HOME / f"cutoff-{KNOWS}.svg").read_text()
    )
    whole = run("plot-cutoff", "wikipedia", *model)
    assert whole.returncode == 0, whole
    assert wiki.models.asked[KNOWS, "closed"] == wiki.sizes.total(), "what was answered is not asked again"
    assert wiki.models.asked[KNOWS, "article"] == wiki.sizes["post_cutoff"]
    fewer = run("plot-cutoff", "wikipedia", "--limit", "12", *model)
    assert fewer.returncode == 1 and fewer.stderr.count("\n") == 1
    assert f"it is of {wiki.sizes.total()} questions, not of 12" in fewer.stderr


def test_the_built_in_reader_is_never_drawn_like_a_model(run: Run, wiki: Wiki, tmp_path: Path) -> None:
    drawn = run("plot-cutoff", "wikipedia")
    assert (drawn.returncode, drawn.stdout) == (0, f"{HOME}/cutoff-built-in-reader.svg\n"), drawn
    assert wiki.server.calls == 0
    model = data(tmp_path, "cutoff-built-in-reader")["models"][0]
    assert model["is_built_in"] and model["is_graded_by_rule"] and model["judges"] == ["by rule"]
    assert drawn.stderr.startswith("Built-in: the built-in reader, a program of rules and no language model, answered;")
    svg, page = (tmp_path / HOME / f"cutoff-built-in-reader.{each}" for each in ("svg", "html"))
    assert "no model: built-in reader · graded by rule" in svg.read_text()
    assert "url(#h" in svg.read_text(), "its bars are hatched"
    assert "For trying things out and comparing, not for judging a real system." in Page(page.read_text()).text
    by_rule = ["--model", f"system={KNOWS}", *wiki.of_model[2:]]
    assert run("plot-cutoff", "wikipedia", *by_rule).returncode == 0
    svg = (tmp_path / HOME / f"cutoff-{KNOWS}.svg").read_text()
    bars = re.findall(r'<g id="patch_\d+">\s*<path d="[^"]*" clip-path="[^"]*" style="([^"]*)"', svg)
    assert bars and all("fill: none" in bar for bar in bars), "graded by rule: outlines"
    mixed = run("plot-cutoff", "wikipedia/cutoff-closed-book", RUNS[0])
    assert mixed.returncode == 0, mixed
    assert f"{KNOWS}, d) unscored: no run with the article is given" in mixed.stderr
    parts = {part["part"]: part for part in data(tmp_path, "cutoff")["models"][1]["parts"]}
    assert (parts["d"]["sum"], parts["d"]["shares"]) == (None, []), "unscored is not 0"


def test_the_page_holds_all_and_fits_a_phone(both: Both, chromium_path: str) -> None:
    wiki, path = both.wiki, both.folder / HOME / "cutoff.html"
    page = Page(path.read_text())
    assert "script" not in {tag for tag, _ in page.found}
    (image,), (source,) = page.all("img"), page.all("source")
    assert f"{KNOWS}, graded by {JUDGE}. a) random articles, closed book: mean 10.00" in (image["alt"] or "")
    drawn = [base64.b64decode((text or "").partition(",")[2]).decode() for text in (image["src"], source["srcset"])]
    assert all("prefers-color-scheme:dark" in each for each in drawn)
    assert [len(page.all(tag)) for tag in ("table", "caption", "h1")] == [5, 5, 1]
    assert "permutation of articles" in page.text and wiki.release.manifest.content_hash in page.text
    with browser(chromium_path) as driven:
        assert [_width(driven, path, wide) for wide in (390, 1280)] == [390, 1280]
        assert driven.value("document.images[0].complete && document.images[0].naturalWidth > 0")


def _width(driven: Browser, path: Path, wide: int) -> int:
    """How wide the page is in a window of a width; as wide as that where nothing sticks out."""
    driven.call("Emulation.setDeviceMetricsOverride", width=wide, height=900, deviceScaleFactor=1, mobile=True)
    driven.call("Page.navigate", url=path.as_uri())
    ready = "new Promise(done => document.readyState === 'complete' ? done() : addEventListener('load', done))"
    driven.value(ready)
    return driven.value("document.documentElement.scrollWidth")


def test_what_the_judge_refuses_is_unscored(run: Run, wiki: Wiki, tmp_path: Path) -> None:
    wiki.models.refused = {question.id for question in wiki.models.by_text.values() if question.subset == "random"}
    (kept,) = [wiki.models.refused.pop()]
    drawn = run("plot-cutoff", "wikipedia", "--model", f"system={KNOWS}", *wiki.of_model)
    assert drawn.returncode == 0, drawn
    part = data(tmp_path, f"cutoff-{KNOWS}")["models"][0]["parts"][0]
    assert (part["asked"], part["scored"], part["articles"]) == (wiki.sizes["random"], 1, 1), kept
    assert part["truthfulness"] == {"value": 5.0, "low": None, "high": None}
    assert sum(part["unscored"].values()) == wiki.sizes["random"] - 1
    assert f"{KNOWS}, a) {wiki.sizes['random'] - 1} questions unscored: " in " ".join(drawn.stderr.split())


def test_nothing_is_asked_where_nothing_can_be_written(run: Run, wiki: Wiki, tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("a file")
    drawn = run("plot-cutoff", "wikipedia", "--model", f"system={KNOWS}", *wiki.of_model)
    assert drawn.returncode == 1 and drawn.stderr.startswith("error: ") and drawn.stderr.count("\n") == 1, drawn
    assert wiki.server.calls == 0


def test_an_estimate_counts_both_conditions(run: Run, wiki: Wiki) -> None:
    said = run("plot-cutoff", "wikipedia", "--model", f"system={KNOWS}", *wiki.of_model, "--estimate")
    calls = wiki.sizes.total() + wiki.sizes["post_cutoff"]
    assert said.returncode == 0 and said.stdout.startswith(f"about answers: {calls} calls of {KNOWS}"), said
    assert wiki.server.calls == 0


HOSTILE = ["../../a<script>alert(1)</script>&'\" $\\frac{x}$ {y} %s 模型" + "n" * 300, "a/b", "a b"]


def test_hostile_names_of_models(run: Run, wiki: Wiki, tmp_path: Path) -> None:
    refused = run("plot-cutoff", "wikipedia", "--model", "system=a\x1b[31m", *wiki.of_model)
    assert (refused.returncode, "\x1b" in refused.stderr, refused.stderr.count("\n")) == (2, False, 1), refused
    wiki.models.knows = {*HOSTILE}
    for name in HOSTILE:
        drawn = run("plot-cutoff", "wikipedia", "--limit", "6", "--model", f"system={name}", *wiki.of_model)
        assert drawn.returncode == 0, drawn
        assert "\x1b" not in drawn.stderr and re.fullmatch(rf"{HOME}/cutoff-[a-z0-9._-]{{1,80}}\.svg\n", drawn.stdout)
        path = tmp_path / drawn.stdout.strip()
        assert ElementTree.fromstring(path.read_text()).tag.endswith("svg")
        html = path.with_suffix(".html").read_text()
        assert "<script" not in html and "\x1b" not in html
        Page(html)
    assert len(list((tmp_path / HOME).glob("*.svg"))) == len(HOSTILE), "no file took the place of another"
