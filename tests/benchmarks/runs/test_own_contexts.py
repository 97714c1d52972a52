"""Contexts of a company's own, decorated or not: what they are matched to, what they hold, and what may break nothing."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from lighthouses import HEIGHTS, lighthouse, make_release

from benchwright.benchmarks.grounding.matching import CorpusMatcher
from benchwright.benchmarks.metrics.evidence_recall import holds, states
from benchwright.benchmarks.predictions import Context
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_questions
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.run import ContextCounts, read_run
from benchwright.benchmarks.runs.score import score_run
from benchwright.benchmarks.runs.score_system import Scored, score_system
from benchwright.benchmarks.types import Document, Evidence

CORPUS = {(page := lighthouse(name, height)).id: page for name, height in HEIGHTS.items()}
ROCK = CORPUS["gannet-rock"]
FACT = Evidence(ROCK.id, (at := ROCK.body.index("31 metres")), at + len("31 metres"))
WRAPPED = "Gannet Rock has\na height of 31\nmetres. Its keeper lives in the village\nand rows over every week."
AFTER = WRAPPED[38:]
DECOY = Document(
    "decoy",
    "",
    "The keeper of the station walks 31 metres to the well every morning, and counts all of his steps aloud.",
)


@pytest.mark.parametrize(
    ("text", "document", "is_held"),
    [
        pytest.param(ROCK.body, "gannet-rock", True, id="the whole document"),
        pytest.param(WRAPPED, "gannet-rock", True, id="other line breaks"),
        pytest.param(f"Source: lighthouses / Gannet Rock, page 3 of 7\n\n{WRAPPED}", "gannet-rock", True, id="header"),
        pytest.param(f"<p><b>Gannet Rock</b> has a height of <i>31&nbsp;metres</i>.{AFTER}</p>", "gannet-rock", True, id="HTML"),
        pytest.param(f"## Gannet Rock\n\n> **Gannet Rock** has a [height](https://w.example/h) of `31 metres`.{AFTER}",
                     "gannet-rock", True, id="Markdown"),
        pytest.param(ROCK.body[60:150], "gannet-rock", True, id="overlap"),
        pytest.param(f"{ROCK.body}\n\n{ROCK.body}", "gannet-rock", True, id="twice"),
        pytest.param("\n\n".join(page.body for page in CORPUS.values()), "gannet-rock", True, id="longer than the document"),
        pytest.param(ROCK.body.replace("31", "29"), "gannet-rock", False, id="an older version"),
        pytest.param(DECOY.body.replace("keeper", "**keeper**"), "decoy", False, id="the same words of another document"),
        pytest.param("Der Leuchtturm von Gannet Rock ist 31 Meter hoch, sagt man im Dorf gern.", None, False, id="other language"),
        pytest.param("", None, False, id="empty"),
        pytest.param("\x00\ufffd \n", None, False, id="control characters"),
        pytest.param("31 metres", None, True, id="too short to be matched"),
        pytest.param("131 metres, 31.5 metres, 31 metresque", None, False, id="other values"),
    ],
)  # fmt: skip
def test_texts_of_all_sorts(text: str, document: str | None, is_held: bool) -> None:
    (found,) = CorpusMatcher({**CORPUS, DECOY.id: DECOY}).match([Context(id="chunk-1", text=text)])
    assert (found.document, holds(found, FACT, "31 metres")) == (document, is_held)


def test_a_summary_holds_what_it_states_alone() -> None:
    """Its first and last sentences stand in the document; what was between them does not stand in it."""
    body = " ".join(
        f"Sentence {number} tells of stone {number * 7} and of nothing else at all." for number in range(20)
    )
    (found,) = CorpusMatcher({"long": Document("long", "", body)}).match(
        [Context(id="long", text=body[:60] + body[-60:])]
    )
    for fact, is_held in (("stone 0", True), ("stone 70", False), ("stone 133", True)):
        start = body.index(fact)
        assert holds(found, Evidence("long", start, start + len(fact)), fact) == is_held


def test_offsets_are_of_the_stretch_that_is_there() -> None:
    (found,) = CorpusMatcher(CORPUS).match([Context(id="gannet-rock", text=f"Page 3\n\n{WRAPPED.upper()}")])
    assert found.start is not None
    assert ROCK.body[found.start : found.end] == " ".join(WRAPPED.split())
    chinese = Document("zh", "", "灯塔建于一九三一年。它高三十一米，由花岗岩建成。守塔人住在村里。")
    (found,) = CorpusMatcher({"zh": chinese}).match([Context(id="zh", text="**它高三十一米**，\n由花岗岩建成。守塔人")])
    assert chinese.body[found.start or 0 : found.end] == "。它高三十一米，由花岗岩建成。守塔人"


def test_of_near_duplicates_the_one_that_has_it_word_for_word() -> None:
    said = "The harbour wall was finished in 1931 by two brothers who had never built one before."
    corpus = {
        name: Document(name, "", said + end) for name, end in (("a", " Then it fell."), ("b", " It still stands."))
    }
    (found,) = CorpusMatcher(corpus).match([Context(text=said + " It still stands.")])
    assert found.document == "b"


@pytest.mark.parametrize(
    ("text", "wanted", "is_stated"),
    [
        ("built in 1931.", "1931", True),
        ("built in 19310", "1931", False),
        ("1931.5 tons", "1931", False),
        ("in 1931, 12 men", "1931", True),
        ("14.4 million", "4.4 million", False),
        ("the CORK’s", "Cork", True),
        ("Corkscrew, then Cork", "Cork", True),
        ("東京は日本の首都", "東京", True),
        ("a $14.6 million deal", "$14.6 million", True),
        ("text", "", False),
    ],
)
def test_whole_words_are_stated(text: str, wanted: str, is_stated: bool) -> None:
    assert states(text, wanted) == is_stated


@pytest.fixture
def release(tmp_path: Path) -> Release:
    return make_release(tmp_path / "releases")


def ask(release: Release, root: Path, contexts: Mapping[str, Any], **options: Any) -> Scored:
    """A run of a file, each of whose predictions has the contexts of its document."""
    lines = [
        {"id": each.id, "answer": "31", "contexts": [contexts[name] for name in each.documents]}
        for each in load_questions(release, "test")
    ]
    (root / "said.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return score_system(release, str(root / "said.jsonl"), output=root, name="own", options=Options(**options))


def test_a_run_is_matched_by_its_map_and_keeps_it(release: Release, tmp_path: Path) -> None:
    contexts = {
        "gannet-rock": {"uri": "https://wiki.example/gannet-rock.html#h", "text": "somewhere"},
        "sable-point": {"id": "https://wiki.example/sable-point.html", "text": "something"},
        "old-hook": {"id": "chunk-9", "text": CORPUS["old-hook"].body},
        "cape-farrow": {"uri": "https://elsewhere.example/cape-farrow.html"},
    }
    first = ask(release, tmp_path, contexts)
    assert first.counts.contexts == ContextCounts(id=0, uri=0, text=2, foreign=6)
    mapped = ask(release, tmp_path, contexts, uris="https://wiki.example/{id}.html")
    assert (mapped.asked, mapped.is_rescored) == (0, True)
    assert mapped.counts.contexts == ContextCounts(id=0, uri=4, text=2, foreign=2)
    assert mapped.summary[-1] == "contexts: 0 matched by id, 4 by URI, 2 by text, 2 foreign"
    assert not ask(release, tmp_path, contexts).is_rescored  # what was said once is known
    assert score_run(release, mapped.folder, metrics=("recall@5",)).run.counts.contexts.uri == 4
    uris = {"https://elsewhere.example/cape-farrow.html": "cape-farrow", "x": "y"}
    other = ask(release, tmp_path, contexts, uris=uris)
    assert other.counts.contexts == ContextCounts(id=0, uri=2, text=2, foreign=4)
    assert other.warnings == ("1 of the 2 entries of the map name no document of the corpus: they are left out",)
    run = read_run(other.folder)
    assert run is not None and run.scoring.uris is not None


def test_what_is_left_out_is_found_by_its_uri(release: Release, tmp_path: Path) -> None:
    class Wiki:
        """Retrieves pages by their address, whose texts are no part of the corpus."""

        def retrieve(self, question: str, k: int) -> list[dict[str, str]]:
            return [{"uri": f"https://wiki.example/{name}", "text": f"A page on {name}."} for name in CORPUS][:k]

        def answer(self, question: str, *, contexts: list[str] | None = None) -> str:
            return " ".join(contexts or [])

    options = Options(conditions=("without-gold",), uris="https://wiki.example/{id}")
    scored = score_system(release, Wiki(), output=tmp_path, name="wiki", options=options)
    assert scored.counts.contexts == ContextCounts(id=0, uri=24, text=0, foreign=0)
    said = [json.loads(line) for line in (scored.folder / "predictions.jsonl").read_text().splitlines()]
    asked = next(each for each in said if each["error"] is None) if "error" in said[0] else said[0]
    assert asked["answer"] in {" ".join(f"A page on {name}." for name in CORPUS if name != left) for left in CORPUS}
