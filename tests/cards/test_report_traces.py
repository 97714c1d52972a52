"""How answers were judged: the same steps in a report's list of questions, in a browser, and in a terminal."""

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from report_cases import PREDICTIONS_MADE, make_release, make_run
from test_report_answers import browsed
from test_report_html import EVIL

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.judgments import Judge, Judgment, judgment_line
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.columns import load_run
from benchwright.benchmarks.runs.score import score_run
from benchwright.cards.report import answer_data
from benchwright.cards.report.page import PAGE, report_run
from benchwright.cards.report.trace_text import question_text, trace_text
from benchwright.scripts.measure.report_page import browser

JUDGE = Judge("model", "scripted", "0123456789ab")
STEPS = [
    {
        "step": "judge_nuggets",
        "inputs": "x",
        "prompt": "0123456789abcdef" * 4,
        "output": {"verdicts": [{"nugget": 1, "reason": "It says <b>Oslo</b>.", "support": "full"}]},
        "raw": '{"verdicts": "…"}',
        "thinking": "Hm.",
    },
    {
        "step": "nugget_recall",
        "inputs": "y",
        "output": {
            "arithmetic": "1 of 1 needed nuggets stated = 1",
            "rows": [{"nugget": EVIL, "importance": "vital", "support": "full"}] * 50,
        },
    },
]


def judged(number: str, value: float | None, judge: Judge = JUDGE, **others: Any) -> Judgment:
    trace = {"steps": STEPS} if value is not None else {"steps": [{"step": "judge_nuggets", "error": "refusal: no"}]}
    return Judgment(number, "nugget_recall", value, judge=judge, reason="as said", trace=trace, **others)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of which some answers were judged: by one model once and again, by another, and one with an error."""
    root = tmp_path_factory.mktemp("traces")
    case = make_run(make_release(root / "release"), root / "run", PREDICTIONS_MADE)
    every = [
        *(judged(f"halden-{number}", 1.0) for number in range(4)),
        judged("halden-0", 0.5, judge_repeat=1),
        judged("halden-0", 0.0, Judge("model", "another", "0")),
        judged("quay-0", None),
        Judgment("quay-1", "nugget_recall", 0.0, judge=JUDGE),
    ]
    lines = [json.dumps(judgment_line(each)) for each in every]
    (case.folder / "judgments.jsonl").write_text("\n".join(lines) + "\n")
    score_run(case.release, case.folder, metrics=("correct", "nugget_recall"))
    report_run(case.release, case.folder)
    return case.folder


def details(html: str) -> dict[str, Any]:
    """The row of each question."""
    found = {}
    for kind in ("index", "details"):
        ((text),) = re.findall(rf'data-{kind}="0">([^<]*)</script>', html)
        found[kind] = json.loads(gzip.decompress(base64.b64decode(text)))
    return dict(zip(found["index"]["id"], found["details"]["rows"], strict=True))


def test_the_page_has_the_steps_of_the_judge_whose_verdicts_count(folder: Path) -> None:
    rows = details((folder / PAGE).read_text("utf-8"))
    assert {name for name, row in rows.items() if "judged" in row} == {
        *(f"halden-{each}" for each in range(4)),
        "quay-0",
    }
    ((metric, value, reason, judge, steps),) = rows["halden-0"]["judged"]
    assert (metric, value, reason, judge) == ("nugget_recall", "1", "as said", "scripted")
    assert steps[0] == {
        "title": "judge_nuggets",
        "prompt": "0123456789ab",
        "columns": ["reason", "support"],
        "rows": [["It says <b>Oslo</b>.", "full"]],
    }
    assert steps[1]["arithmetic"] == "1 of 1 needed nuggets stated = 1"
    assert (len(steps[1]["rows"]), steps[1]["more"]) == (40, 10)
    assert rows["quay-0"]["judged"][0][1:] == [
        None,
        "as said",
        "scripted",
        [{"title": "judge_nuggets", "error": "refusal: no"}],
    ]


def test_a_page_too_large_has_no_steps(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(answer_data, "BUDGET", 200)
    run = load_run(Release.load(folder.parent / "release"), folder)
    with (tmp_path / "blocks").open("wb") as file:
        answer_data.write_answers(run, file)
    rows = details((tmp_path / "blocks").read_text())
    assert not any("judged" in row for row in rows.values())


def test_a_browser_shows_them_as_text(folder: Path, chromium_path: str) -> None:
    with browser(chromium_path) as driven:
        browsed(driven, folder / PAGE, text="halden-0")
        shown = driven.value("""(() => {
          const panel = [...document.querySelectorAll(".label")].find((each) => each.textContent === "How it was judged");
          panel.parentElement.querySelectorAll("details").forEach((each) => (each.open = true));
          return panel.parentElement.innerText;
        })()""")
        assert driven.value("document.querySelectorAll('.steps b, .steps script, .steps img').length") == 0
    lines = [" ".join(line.split()) for line in shown.splitlines() if line.strip()]
    assert lines[:5] == [
        "How it was judged", "nugget_recall 1", "by scripted", "as said", "judge_nuggets prompt 0123456789ab"
    ]  # fmt: skip
    assert "It says <b>Oslo</b>. full" in lines and lines[-2:] == [
        "10 more: see judgments.jsonl", "1 of 1 needed nuggets stated = 1"
    ]  # fmt: skip


def test_a_terminal_shows_them_one_below_the_other(folder: Path) -> None:
    text = trace_text(folder, "halden-0", ("nugget_recall",))
    first, again, other = text.split("\n\n")[:3]
    assert first.splitlines()[:7] == [
        "nugget_recall: 1, by scripted",
        "  as said",
        "  1. judge_nuggets (prompt 0123456789ab)",
        "     1) It says <b>Oslo</b>.",
        "        support: full",
        "  2. nugget_recall",
        f"     1) {first.splitlines()[6].strip()[3:]}",
    ]
    assert first.endswith("     = 1 of 1 needed nuggets stated = 1")
    assert again.startswith("nugget_recall: 0.5 (judged again, 1), by scripted")
    assert other.startswith("nugget_recall: 0, by another")
    assert all(len(line) <= 100 and line.isprintable() for line in text.splitlines())
    assert "Hm." not in text and "     thoughts:\n       Hm.\n     reply:" in trace_text(
        folder, "halden-0", with_replies=True
    )
    assert trace_text(folder, "quay-0", ("nugget_recall",)).endswith("  1. judge_nuggets\n     error: refusal: no")
    release = Release.load(folder.parent / "release")
    assert question_text(release, folder, "halden-1").splitlines() == [
        "Question: Wording 1 of what halden asks?", "Gold: Oslo", "Answer (own): It is in Oslo.",
        "  Context 1 (d1): Halden Marine has its head office in Oslo.",
    ]  # fmt: skip
    assert question_text(release, folder, "halden-9") == ""
    assert trace_text(folder, "quay-1").endswith(
        "no steps are kept of it\n\nBy rule:\n  correct: 0 – does not name the gold answer"
    )
    assert trace_text(folder, "brightwater-0", ("nugget_recall",)) == (
        "By rule:\n  nugget_recall: 1 – by rule: 1 of 1 needed nuggets stated = 1"
    )


def test_rows_of_an_earlier_step_are_not_repeated(tmp_path: Path) -> None:
    rows = [{"statement": "It is in Oslo.", "explanation": "Passage 1 says so.", "supported": True}]
    steps = [
        {"step": "judge_verdicts", "prompt": "0" * 64, "output": {"verdicts": rows}},
        {"step": "faithfulness", "output": {"arithmetic": "1 of 1 statements supported = 1.000", "rows": rows}},
    ]
    one = Judgment("halden-0", "faithfulness", 1.0, judge=JUDGE, trace={"steps": steps})
    (tmp_path / "judgments.jsonl").write_text(json.dumps(judgment_line(one)) + "\n")
    assert trace_text(tmp_path, "halden-0").splitlines()[-3:] == [
        "  2. faithfulness", "     of the rows of step 1:", "     = 1 of 1 statements supported = 1.000"
    ]  # fmt: skip


def test_contexts_stand_below_the_answer(tmp_path: Path) -> None:
    contexts = [Context("quays", "Quay 1 is\nin Oslo."), Context("unread"), *[Context(None, "more")] * 21]
    made = Prediction("halden-1", "It is in Oslo.", contexts=tuple(contexts))
    case = make_run(make_release(tmp_path / "release"), tmp_path / "run", [made])
    lines = question_text(case.release, case.folder, "halden-1").splitlines()
    assert lines[3:6] == ["  Context 1 (quays): Quay 1 is", "          in Oslo.", "  Context 2: unread"]
    assert lines[6] == "  Context 3: more" and lines[-1] == "  and 3 more contexts" and len(lines) == 25


@pytest.mark.parametrize(
    ("question", "metrics", "message"),
    [
        (
            "halden-9",
            (),
            "{} has no score of 'halden-9': give the id of one of its questions",
        ),
        ("halden-0", ("relevance",), "'halden-0' was scored by nugget_recall, correct, and not by relevance"),
    ],
)
def test_what_was_not_judged_is_named(folder: Path, question: str, metrics: tuple[str, ...], message: str) -> None:
    with pytest.raises(BenchwrightError) as error:
        trace_text(folder, question, metrics)
    assert str(error.value) == message.format(folder)
