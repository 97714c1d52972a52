"""Small talk beside a benchmark: asked once, in no figure but its own, and compared text by text."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from lighthouses import make_release

from benchwright import compare_systems
from benchwright.benchmarks.comparisons.smalltalk_blocks import smalltalk_blocks, smalltalk_sentences
from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.blocks import Table, Text
from benchwright.benchmarks.reports.effort.figures import KnownTotal
from benchwright.benchmarks.reports.report import Report, make_report
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.run import PREDICTIONS, SMALLTALK
from benchwright.benchmarks.runs.score_system import Scored, score_system
from benchwright.benchmarks.runs.smalltalk import SmalltalkStore, smalltalk
from benchwright.benchmarks.runs.store import stored_predictions
from benchwright.cards.report.page import report_run

OPTIONS = Options(metrics=("correct",), with_smalltalk=True)
ALONE = Options(metrics=("correct",))


@dataclass
class Chat:
    """Retrieves for what is a question (`never` retrieves for nothing, `always` for all): 500 tokens, and 60 without."""

    way: str = "agent"
    asked: int = 0
    fails_at: str = ""

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"way": self.way}

    def answer(self, question: str) -> Any:
        self.asked += 1
        if question == self.fails_at:
            raise OSError("the line is dead")
        retrieves = self.way == "always" or (self.way == "agent" and "?" in question + "?" * ("height" in question))
        usage = {
            "input_tokens": 490 if retrieves else 50,
            "output_tokens": 10,
            "calls": 1,
            "retrievals": int(retrieves),
        }
        return {"answer": "31 metres", "usage": usage, "contexts": [{"id": "gannet-rock"}] if retrieves else []}


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return make_release(tmp_path_factory.mktemp("lights"))


def plain(cell: Any) -> str:
    parts = cell if isinstance(cell, tuple) else (cell,)
    return "".join(part if isinstance(part, str) else part.text for part in parts)


def rows(table: Any) -> list[list[str]]:
    assert isinstance(table, Table)
    return [[plain(cell) for cell in row] for row in table.rows]


def texts(blocks: Any) -> list[str]:
    return [plain(each.text) for each in blocks if isinstance(each, Text)]


def scored(release: Release, root: Path, chat: Chat, options: Options = OPTIONS, name: str = "chat") -> Scored:
    return score_system(release, chat, output=root, name=name, options=options)


def test_a_hundred_texts_of_two_kinds() -> None:
    kinds = [text.subset for text in smalltalk().values()]
    assert {kind: kinds.count(kind) for kind in kinds} == {"chit-chat": 50, "generic questions": 50}
    assert len({text.question.lower() for text in smalltalk().values()}) == 100
    hello = next(text for text in smalltalk().values() if text.question == "hello")
    assert hello.id == "smalltalk-ae36e7fdf865"


@pytest.fixture(scope="module")
def agent(release: Release, tmp_path_factory: pytest.TempPathFactory) -> tuple[Scored, Report, Report]:
    """A run with small talk, its report, and that of the same run without."""
    root = tmp_path_factory.mktemp("agent")
    with_it, without = scored(release, root, Chat()), scored(release, root, Chat(), ALONE, "alone")
    return with_it, make_report(release, with_it.folder), make_report(release, without.folder)


def test_it_is_in_no_figure_of_the_benchmark(agent: tuple[Scored, Report, Report]) -> None:
    run, report, alone = agent
    assert (run.asked, run.smalltalk) == (10, (100, 0))
    assert "small talk: 100 answers; in no figure of the benchmark" in run.summary
    assert (run.folder / PREDICTIONS).read_text().count("\n") == 10
    assert report.counts == alone.counts and report.questions == alone.questions == 10
    for name in ("metrics", "outcomes", "causes", "groups", "conditions", "attribution", "errors", "slices"):
        assert getattr(report, name) == getattr(alone, name), name
    assert alone.cost.smalltalk is None and not [each for each in alone.sections if each.id == "smalltalk"]
    assert report.cost.parts == alone.cost.parts
    for name in ("input_tokens", "output_tokens", "calls", "retrievals"):
        assert getattr(report.cost, name) == getattr(alone.cost, name)


def test_what_it_took_with_and_without(agent: tuple[Scored, Report, Report]) -> None:
    figures = agent[1].cost.smalltalk
    assert figures is not None
    own, chat, generic = figures.parts
    assert (own.answers, own.retrieved, own.input_tokens.total) == (10, 10, 4900)
    assert (chat.subset, chat.answers, chat.retrieved) == ("chit-chat", 50, 14)
    assert (generic.subset, generic.answers, generic.retrieved) == ("generic questions", 50, 50)
    assert chat.tokens_with_retrieval == KnownTotal(14 * 500, 14, 14)
    assert chat.tokens_without_retrieval == KnownTotal(36 * 60, 36, 36)
    (section,) = [each for each in agent[1].sections if each.id == "smalltalk"]
    table = next(each for each in section.blocks if isinstance(each, Table))
    assert rows(table) == [
        ["the benchmark's questions", "10", "10 (100 %)", "10", "4,900", "100", "500", "–"],
        ["chit-chat", "50", "14 (28 %)", "14", "8,660", "500", "500", "60"],
        ["generic questions", "50", "50 (100 %)", "50", "24,500", "500", "500", "–"],
        ["all, with small talk", "110", "74 (67 %)", "74", "38,060", "1,100", "500", "60"],
    ]
    said = texts(section.brief)
    assert said[1] == "It retrieved for 64 of 100 (64.0 %, 95 % interval 54.1 to 72.8) of the texts of small talk."
    assert "the 36 that did not would have taken 18,000, and took 2,160: about 15,840 spared" in said[2]


def test_a_second_start_goes_on(release: Release, tmp_path: Path) -> None:
    fails = Chat(fails_at="hello")
    first = scored(release, tmp_path, fails)
    assert (fails.asked, first.smalltalk) == (110, (99, 1))
    assert "small talk: 99 answers, 1 failed: the same command asks them again; in no figure of the benchmark" in (
        first.summary
    )
    assert first.counts.errors == 0
    figures = make_report(release, first.folder).cost.smalltalk
    assert figures is not None and (figures.failed, figures.kinds[0].answers) == (1, 49)
    again = Chat()
    second = scored(release, tmp_path, again)
    assert (again.asked, second.asked, second.reused, second.smalltalk) == (1, 0, 10, (100, 0))
    lines = list(stored_predictions(second.folder / SMALLTALK))
    assert len(lines) == 100 and not any(line.is_failed for line in lines)
    third = Chat()
    assert scored(release, tmp_path, third, ALONE).smalltalk is None and third.asked == 0
    assert (second.folder / SMALLTALK).is_file()
    fresh = Chat()
    scored(release, tmp_path, fresh, Options(metrics=("correct",), again=True))
    assert fresh.asked == 10 and not (second.folder / SMALLTALK).exists()


def test_it_may_be_asked_later_and_beside_other_conditions(release: Release, tmp_path: Path) -> None:
    """A system that is asynchronous, retrieves by itself, and says nothing of what its answers took."""

    async def answer(question: str, *, contexts: list[str] | None = None) -> str:
        await asyncio.sleep(0)
        return "31 metres" if contexts is None else "nothing"

    options = Options(metrics=("correct",), conditions=("closed", "own"), repeat=2)
    first = score_system(release, answer, output=tmp_path, name="chat", options=options)
    later = Options(metrics=("correct",), conditions=("closed", "own"), repeat=2, with_smalltalk=True)
    second = score_system(release, answer, output=tmp_path, name="chat", options=later)
    assert (first.asked, second.asked, second.reused, second.smalltalk) == (40, 0, 40, (100, 0))
    assert {each.answer for each in stored_predictions(second.folder / SMALLTALK)} == {"31 metres"}
    (section,) = [each for each in make_report(release, second.folder).sections if each.id == "smalltalk"]
    assert texts(section.brief)[1] == "How often it retrieved is not known: no answer says its retrievals."


def test_answers_that_do_not_say_whether_it_retrieved_are_none_that_did_not(release: Release, tmp_path: Path) -> None:
    run = scored(release, tmp_path, Chat(), replace(OPTIONS, limit=2))
    path = run.folder / SMALLTALK
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    silent = [line for line in lines if not line["usage"]["retrievals"]][:20]
    for line in silent:
        del line["usage"]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    report = make_report(release, run.folder)
    figures = report.cost.smalltalk
    assert figures is not None
    chat = figures.kinds[0]
    assert (chat.answers, chat.retrieved, chat.retrievals.known, chat.retrievals.of) == (50, 14, 30, 50)
    assert chat.tokens_without_retrieval == KnownTotal(16 * 60, 16, 16)
    (section,) = [each for each in report.sections if each.id == "smalltalk"]
    said = texts(section.brief)
    assert said[1] == "It retrieved for at least 64 of 100 of the texts of small talk: 20 answers say nothing of it."
    assert "the 16 that did not would have taken 8,000" in said[2]
    table = next(each for each in section.blocks if isinstance(each, Table))
    assert [row[2] for row in rows(table)][1:3] == ["14 (of 30)", "50 (100 %)"]


def test_texts_that_are_no_longer_asked_are_counted_apart(release: Release, tmp_path: Path) -> None:
    run = scored(release, tmp_path, Chat())
    store = SmalltalkStore(run.folder)
    assert store.missing == [] and not store.takes(Prediction("q", "x"))
    store.close()
    with (run.folder / SMALLTALK).open("a") as file:
        file.write('{"id": "smalltalk-0", "answer": "an older text"}\n')
    figures = make_report(release, run.folder).cost.smalltalk
    assert figures is not None and (figures.unknown, sum(part.answers for part in figures.kinds)) == (1, 100)


def test_a_file_cannot_be_asked(release: Release, tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text('{"id": "q", "answer": "x"}\n')
    with pytest.raises(UsageError, match=r"mine\.jsonl cannot be asked anything: leave out --with-smalltalk"):
        score_system(release, str(file), output=tmp_path / "runs", options=OPTIONS)


def test_runs_are_compared_text_by_text(release: Release, tmp_path: Path) -> None:
    folders = []
    for way in ("always", "agent", "never"):
        run = scored(release, tmp_path, Chat(way), OPTIONS, way)
        report_run(release, run.folder)
        folders.append(run.folder)
    report_run(release, scored(release, tmp_path, Chat("agent"), OPTIONS, "again").folder)
    found = compare_systems(*folders, release=release)
    tokens, retrievals, none, _ = found.smalltalk
    assert (tokens.run, tokens.reference, tokens.amount, tokens.texts) == ("agent", "always", "tokens", 100)
    assert tokens.difference == pytest.approx(0.36 * -440) and tokens.separated
    assert tokens.low is not None and tokens.high is not None and tokens.low < -158.4 < tokens.high < 0
    assert retrievals.difference == pytest.approx(-0.36) and retrievals.confidence == pytest.approx(1 - 0.05 / 4)
    assert (none.run, none.difference) == ("never", -440)
    first, table, differences, last = smalltalk_blocks(found.effort, found.smalltalk)
    assert isinstance(first, Text) and isinstance(last, Text)
    assert rows(table)[:4] == [
        ["always", "without", "10", "4,900", "100", "10", ""],
        ["always", "with", "110", "53,900", "1,100", "110", "100 (100 %)"],
        ["agent", "without", "10", "4,900", "100", "10", ""],
        ["agent", "with", "110", "38,060", "1,100", "74", "64 (64 %)"],
    ]
    assert rows(differences)[0][:6] == ["agent", "tokens", "100", "341.60", "500.00", "−158.40"]
    assert [row[-1] for row in rows(differences)] == ["less"] * 4
    assert texts(smalltalk_sentences(found.smalltalk))[1] == (
        "agent took 0.36 (0.23 to 0.49) fewer retrievals a text of small talk than always."
    )
    same = compare_systems(folders[1], folders[1].parent / "again", release=release, baseline=folders[1])
    assert texts(smalltalk_sentences(same.smalltalk)) == [
        "again: not separated from agent by tokens a text of small talk.",
        "again: not separated from agent by retrievals a text of small talk.",
    ]
