"""Questions of others as releases: what is read of CSV, JSON, Parquet, SQuAD and BEIR, and what is left out."""

import json
from collections.abc import Mapping
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from report_cases import make_run
from rich.console import Console
from support import SHARED

import benchwright
from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_documents, load_questions
from benchwright.benchmarks.reports.columns import load_run
from benchwright.benchmarks.reports.report import compute_report
from benchwright.benchmarks.types import Evidence, Question
from benchwright.builders.base import build_release
from benchwright.builders.beforehand import preview_release
from benchwright.builders.rebuild import Given, rebuild
from benchwright.cards.blocks.terminal import draw
from benchwright.cards.dataset.card import render_card
from benchwright.cards.hub.publish import Target, check_publishable
from benchwright.cards.report.terminal import terminal_table

ARTICLES = SHARED / "wikipedia_random_300.jsonl"
VERDICTS = SHARED / "grammar_published" / "aurp_verdicts.jsonl"


def build(folder: Path, source: str | Path, name: str = "mine", **settings: str) -> Release:
    texts = {"source": str(source), **settings}
    return build_release("tabular", texts, render_card, output=folder / "releases", name=name)[0]


def questions_of(release: Release) -> list[Question]:
    return list(load_questions(release, "test"))


def write(folder: Path, name: str, *rows: Mapping[str, Any]) -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


FAQ = """question;Ground Truth;User;category
Who runs Oslo?;Ada;u1;people
Who runs Oslo?;Ada;u2;people
Who runs Oslo?;Eve;u3;people
;Nobody;u4;people
Is it open?;TRUE;u5;hours
Which cities?;"['Oslo', 'Perth']";u6;hours
What is it?;;u7;hours
"""


@pytest.fixture(scope="module")
def faq(tmp_path_factory: pytest.TempPathFactory) -> Release:
    folder = tmp_path_factory.mktemp("faq")
    (folder / "faq.csv").write_text("\ufeff" + FAQ, "utf-8")
    return build(folder, folder / "faq.csv", columns="metadata=User")


def test_a_file_of_questions_is_a_release(faq: Release) -> None:
    found = questions_of(faq)
    assert [(each.question, each.answers, each.aliases, each.answer_type, each.answerability) for each in found] == [
        ("Who runs Oslo?", ("Ada",), ((),), "one", "answerable"),
        ("Is it open?", ("yes",), ((),), "boolean", "answerable"),
        ("Which cities?", ("Oslo",), (("Perth",),), "one", "answerable"),
        ("What is it?", (), (), "none", None),
    ]
    assert [each.subset for each in found] == ["people", "hours", "hours", "hours"]
    assert found[0].metadata == {"User": "u1"}
    assert found[0].id == f"{found[0].group}-4e9d0dcf"


def test_what_is_left_out_is_counted_with_its_reason(faq: Release) -> None:
    checks = faq.manifest.checks
    assert checks["rows_read"] == 7
    assert checks["rows_left_out"] == {
        "asked before, with another answer": 1,
        "asked before, with the same answer": 1,
        "its question is empty": 1,
    }
    counts = {name: checks[f"questions_{name}"] for name in ("with_answers", "without_answers", "unanswerable")}
    assert counts == {"with_answers": 3, "without_answers": 1, "unanswerable": 0}


def test_what_was_guessed_stands_on_the_screen_and_on_the_card(
    faq: Release, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    card = (faq.folder / "README.md").read_text("utf-8")
    assert "| answer | `Ground Truth` | guessed by its name |" in card
    assert "| metadata | `User` | said by who built it |" in card
    (tmp_path / "faq.csv").write_text(FAQ, "utf-8")
    build(tmp_path, tmp_path / "faq.csv", columns="subset=")
    assert caplog.messages[0] == (
        "questions of faq.csv: question = question (guessed), answer = Ground Truth (guessed); not read: User, category"
    )
    assert "its question is empty: faq.csv, line 5" in caplog.messages[1]
    assert "asked before, with another answer: faq.csv, line 4" in caplog.messages[1]


def test_a_preview_shows_what_would_be_asked_and_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "faq.csv").write_text(FAQ, "utf-8")
    blocks = preview_release("tabular", {"source": str(tmp_path / "faq.csv"), "questions": "3"}, releases=tmp_path)
    console = Console(file=StringIO(), width=120)
    draw(console, blocks)
    shown = " ".join(console.file.getvalue().split())  # pyright: ignore[reportAttributeAccessIssue]
    assert "3 questions of 7 rows would be asked (" in shown
    assert "answer Ground Truth guessed by its name" in shown and "not read User" in shown
    assert "its question is empty 1 faq.csv, line 5" in shown
    assert [path.name for path in tmp_path.iterdir()] == ["faq.csv"]


def test_names_of_columns_are_written_out_on_the_card(tmp_path: Path) -> None:
    name = "<script>alert(1)</script>|`x`"
    rows = {"question": "Who?", name: "Ada", "[a](http://x)": 1}
    columns = json.dumps({"answer": name})
    release = build(tmp_path, write(tmp_path, "a.jsonl", rows), columns=columns)
    card = (release.folder / "README.md").read_text("utf-8")
    assert questions_of(release)[0].answers == ("Ada",)
    assert release.manifest.parameters["columns"] == columns
    assert "| answer | <code>&#60;script&#62;alert(1)&#60;/script&#62;&#124;&#96;x&#96;</code> |" in card
    assert "Not read: `[a](http://x)`" in card


def test_what_looks_personal_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    rows = [
        {
            "question": "Why did ann@example.com call +49 30 1234567?",
            "answer": "GB29 NWBK 6016 1331 9268 19",
            "user e-mail": "x",
        },
        {"question": "What happened on 2021-10-01 at 12:30, @noon, to 1234567 of AB12?", "user e-mail": "y"},
        {"question": "Who?", "user e-mail": "cy@example.org"},
    ]
    release = build(tmp_path, write(tmp_path, "a.jsonl", *rows), columns="metadata=user e-mail")
    assert release.manifest.checks["questions_that_look_personal"] == {
        "bank accounts": 1,
        "e-mail addresses": 2,
        "telephone numbers": 1,
    }
    assert caplog.messages[-1] == (
        "questions that look as if they held personal data: 1 hold bank accounts; 2 hold e-mail addresses; 1 hold "
        "telephone numbers; columns that are kept: user e-mail (e-mail addresses)"
    )
    card = (release.folder / "README.md").read_text("utf-8")
    assert (
        "Found: bank accounts in 1 question, e-mail addresses in 2 questions, telephone numbers in 1 question." in card
    )
    assert "Kept, and named as if they held it: `user e-mail` (e-mail addresses)." in card
    assert verify_release(release).problems == []


def test_of_others_data_the_licence_is_unknown_and_it_is_not_pushed_in_public(faq: Release) -> None:
    assert "**Unknown.** The sources state no licence" in (faq.folder / "README.md").read_text("utf-8")
    with pytest.raises(UsageError, match="mine holds rows of data that it did not make: leave out --public"):
        check_publishable(faq.manifest, Target(public=True))


def test_ids_stay_where_answers_and_order_change(tmp_path: Path) -> None:
    first = build(tmp_path, write(tmp_path, "a.jsonl", {"question": "Who?", "answer": "Ada"}, {"question": "When?"}))
    other = {"question": "When?", "answer": 1990.0}, {"question": "Who?", "answer": "Eve"}
    second = build(tmp_path, write(tmp_path, "b.jsonl", *other), "other")
    ids = {each.question: each.id for each in questions_of(first)}
    assert ids == {each.question: each.id for each in questions_of(second)}
    assert [each.answers for each in questions_of(second)] == [("1990",), ("Eve",)]


def test_all_answers_are_wanted_where_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("question,answer\nWhich?,Oslo|Perth|Oslo\n", "utf-8")
    release = build(tmp_path, tmp_path / "a.csv", several="all", separator="|")
    assert [(each.answers, each.answer_type) for each in questions_of(release)] == [(("Oslo", "Perth"), "set")]


SHAPES = [
    ({"question": "Q?", "answer": {"value": "Sunset", "aliases": ["Sunset Blvd", "Sunset"]}}, ("Sunset", "Sunset Blvd")),
    ({"question": "Q?", "answer": ["1990", "in 1990"]}, ("1990", "in 1990")),
    ({"question": "Q?", "answer": True}, ("yes",)),
    ({"user_input": "Q?", "reference": "G", "response": "R", "retrieved_contexts": ["c"]}, ("G",)),
    ({"question": "Q?", "ground_truth": "G", "answer": "the system's", "contexts": ["c"]}, ("G",)),
    ({"Question": "Q?", "best_answer": "A", "correct_answers": ["A", "B"]}, ("A", "B")),
    ({"question": "Q?", "choices": ["A", "B"], "answer": 1}, ()),
]  # fmt: skip


@pytest.mark.parametrize(("row", "forms"), SHAPES)
def test_answers_as_others_have_them(row: Mapping[str, Any], forms: tuple[str, ...], tmp_path: Path) -> None:
    (question,) = questions_of(build(tmp_path, write(tmp_path, "a.jsonl", row)))
    assert (*question.answers, *(form for each in question.aliases for form in each)) == forms
    assert question.documents == ()


def test_a_list_of_questions_is_enough(tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_bytes("\ufeffWho, me?\r\n\r\n When? \n".encode())
    (tmp_path / "log.csv").write_text('Query\nWho, me?\n"""When?"", he said"\n', "utf-8")
    found = [
        [each.question for each in questions_of(build(tmp_path, tmp_path / f"log.{kind}", kind))]
        for kind in ("txt", "csv")
    ]
    assert found == [["Who, me?", "When?"], ["Who, me?", '"When?", he said']]


def test_groups_share_an_answer(tmp_path: Path) -> None:
    rows = [
        {"q": "Who?", "a": ["Ada", "A."], "set": 1, "form": "short"},
        {"q": "Who is it, please?", "a": ["A.", "Ada"], "set": 1, "form": "long"},
    ]
    release = build(tmp_path, write(tmp_path, "a.jsonl", *rows), columns="question=q,answer=a,group=set")
    first, second = questions_of(release)
    assert first.group == second.group and first.id != second.id
    assert (first.answers, first.form, second.answers, second.form) == (("Ada",), "short", ("Ada",), "long")


def test_what_several_ask_in_the_same_words_is_one_group(tmp_path: Path) -> None:
    rows = [
        {"id": 1, "question": "Who?", "answer": ["Ada", "A."]},
        {"id": 2, "question": "Who?", "answer": ["A.", "Ada"]},
        {"id": 3, "question": "Who?", "answer": "Eve"},
        {"id": 3, "question": "Who?", "answer": "Eve"},
        {"question": "id 1", "answer": "x"},
    ]
    release = build(tmp_path, write(tmp_path, "a.jsonl", *rows))
    first, second, third, fourth = questions_of(release)
    assert (first.id, second.id, third.id) == ("1", "2", "3")
    assert first.group == second.group and len({first.group, third.group, fourth.group}) == 3
    assert second.answers == ("Ada",) and third.answers == ("Eve",)
    assert release.manifest.checks["rows_left_out"] == {"asked before, with the same answer": 1}


SQUAD = {
    "version": "v2.0",
    "data": [
        {
            "title": "Oslo",
            "paragraphs": [
                {
                    "context": " Oslo, founded in 1048, is Norway's 🏙 capital.",
                    "qas": [
                        {
                            "id": "a1",
                            "question": "When?",
                            "answers": [
                                {"text": "1048", "answer_start": 18},
                                {"text": "in 1048", "answer_start": 15},
                                {"text": "1048", "answer_start": 18},
                            ],
                        },
                        {"id": "a2", "question": "Who?", "answers": [], "is_impossible": True},
                        {"id": "a3", "question": "Of what?", "answers": [{"text": "Norway", "answer_start": 3}]},
                        {"id": "a4", "question": "What?", "answers": [{"text": "capital", "answer_start": 38}]},
                    ],
                }
            ],
        }
    ],
}


def test_squad_gives_documents_evidence_and_unanswerable_questions(tmp_path: Path) -> None:
    (tmp_path / "dev.json").write_text(json.dumps(SQUAD), "utf-8")
    release = build(tmp_path, tmp_path / "dev.json")
    (document,) = load_documents(release).values()
    assert (document.title, document.text) == ("Oslo", " Oslo, founded in 1048, is Norway's 🏙 capital.")
    first, second, third, fourth = questions_of(release)
    assert (first.id, first.answers, first.aliases) == ("a1", ("1048",), (("in 1048",),))
    assert first.evidence == (Evidence(document.id, 18, 22), Evidence(document.id, 15, 22))
    assert (second.answerability, second.documents, second.answers) == ("unanswerable", (), ())
    assert (third.documents, third.evidence) == ((document.id,), ())
    assert fourth.evidence == (Evidence(document.id, 38, 45),)
    assert release.manifest.checks["details_left_out"] == {"places where the answer does not stand": 1}
    found = verify_release(release)
    assert (found.problems, found.proved["evidence spans"]) == ([], 3)


def test_beir_gives_documents_and_the_queries_of_a_split(tmp_path: Path) -> None:
    folder = tmp_path / "beir"
    (folder / "qrels").mkdir(parents=True)
    write(folder, "corpus.jsonl", *({"_id": f"d{n}", "title": "T", "text": f"Text {n}."} for n in range(3)))
    write(folder, "queries.jsonl", *({"_id": f"q{n}", "text": f"Query {n}?"} for n in range(3)))
    qrels = folder / "qrels"
    (qrels / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td2\t2\nq1\td1\t1\nq0\td0\t0\nq2\td9\t1\n", "utf-8")
    (qrels / "dev.tsv").write_text("q0 0 d0 1\n", "utf-8")
    release = build(tmp_path, folder)
    assert [(each.id, each.documents, each.answerability) for each in questions_of(release)] == [
        ("q1", ("d2", "d1"), None),
        ("q2", (), None),
    ]
    assert [each.id for each in load_documents(release).values()] == ["d0", "d1", "d2"]
    checks = release.manifest.checks
    assert checks["rows_left_out"] == {"no qrel of this split names it": 1}
    assert checks["details_left_out"] == {
        "grades above 1, of which is kept that they are relevant": 1,
        "names of documents that the corpus has not": 1,
    }
    other = build(tmp_path, folder, "dev", split="dev")
    assert [(each.id, each.documents) for each in questions_of(other)] == [("q0", ("d0",))]


def test_a_corpus_beside_the_questions(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.txt").write_text("Ada runs Oslo.", "utf-8")
    (folder / "deep" / "b.md").write_text("# Ben", "utf-8")
    rows = {"question": "Who?", "answer": "Ada", "doc_ids": ["a.txt", "c.txt"]}, {"question": "Why?"}
    release = build(tmp_path, write(tmp_path, "a.jsonl", *rows), corpus=str(folder))
    assert [(each.id, each.title, each.text) for each in load_documents(release).values()] == [
        ("a.txt", "a", "Ada runs Oslo."),
        ("deep/b.md", "b", "# Ben"),
    ]
    assert [each.documents for each in questions_of(release)] == [("a.txt",), ()]
    assert release.manifest.checks["details_left_out"] == {"names of documents that the corpus has not": 1}


def test_parquet_with_a_path_into_a_column_and_a_sample(tmp_path: Path) -> None:
    rows = [
        {
            "n": n,
            "question": f"Query {n}?",
            "answer": {"value": f"A{n}", "aliases": [f"a {n}"]},
            "day": date(2024, 1, 2),
        }
        for n in range(40)
    ]
    folder = tmp_path / "shards"
    folder.mkdir()
    for part in range(2):
        pq.write_table(pa.Table.from_pylist(rows[part * 20 : part * 20 + 20]), folder / f"p{part}.parquet")
    columns = "id=n,answer=answer.value,aliases=answer.aliases,metadata=day"
    release = build(tmp_path, folder, columns=columns)
    assert release.manifest.rows == {"questions": 40, "queries": 40, "corpus": 0, "qrels": 0}
    last = questions_of(release)[-1]
    assert (last.id, last.answers, last.aliases) == ("39", ("A39",), (("a 39",),))
    assert last.metadata == {"day": "2024-01-02"}
    sample = [each.id for each in questions_of(build(tmp_path, folder, "few", columns=columns, questions="5"))]
    assert len(sample) == 5 and sample == sorted(sample, key=int)


def test_it_is_built_again_from_the_same_file_and_from_no_other(tmp_path: Path) -> None:
    source = write(tmp_path, "a.jsonl", {"question": "Who?", "answer": "Ada", "context": "Ada did."})
    release = build(tmp_path, source)
    found = verify_release(release)
    rebuild(release, found, Given({"source": str(source)}, render_card))
    assert (found.problems, found.unchecked, found.proved["content hash, built again"]) == ([], {}, 1)
    found = verify_release(release)
    rebuild(release, found, Given({}, render_card))
    assert "add --set source=…/a.jsonl" in "".join(found.reasons.values())
    write(tmp_path, "a.jsonl", {"question": "Who?", "answer": "Eve", "context": "Ada did."})
    found = verify_release(release)
    rebuild(release, found, Given({"source": str(source)}, render_card))
    assert found.problems == []
    assert "a.jsonl is not the file that the manifest names" in "".join(found.reasons.values())


def test_both_halves_of_a_holdout_hold_rows_of_others(tmp_path: Path) -> None:
    rows = [{"question": f"Query {n}?", "answer": f"A{n}", "context": f"It is A{n}."} for n in range(30)]
    settings = {"source": str(write(tmp_path, "a.jsonl", *rows))}
    public, _ = build_release("tabular", settings, render_card, output=tmp_path, name="mine", holdout=0.3)
    private = Release.load(tmp_path / "mine-private" / "1.0.0")
    assert [half.manifest.sources[0]["rows_shipped"] for half in (public, private)] == ["questions"] * 2
    assert (verify_release(public).problems, verify_release(private, public=public).problems) == ([], [])


def test_a_report_says_that_there_is_no_gold(tmp_path: Path) -> None:
    rows = [{"question": f"What is {n}?", "context": f"It is A{n}."} for n in range(4)]
    asked = build(tmp_path, write(tmp_path, "a.jsonl", *rows))
    predictions = [
        Prediction(each.id, "A1", contexts=(Context(each.documents[0]),)) for each in load_questions(asked, "test")
    ]
    case = make_run(asked, tmp_path / "run", predictions, ("recall@2",))
    shown = " ".join(terminal_table(case.made()).split())
    assert "Of this benchmark no question has a gold answer, so that what needs one, such as `correct`, is not" in shown
    assert case.made().metrics["recall@2"].value == 1.0


@pytest.mark.skipif(not VERDICTS.is_file(), reason=f"{VERDICTS.name} is not here")
def test_published_verdicts_are_analysed_again_without_asking_anything(tmp_path: Path) -> None:
    """GRAMMAR's published run on Aurp: 471 questions a form, of 157 groups."""
    asked = build(tmp_path, VERDICTS, columns="question=id,id=id")
    found = [json.loads(line) for line in VERDICTS.read_text("utf-8").splitlines()]
    answers = write(tmp_path, "answers.jsonl", *({"id": each["id"], "answer": "…"} for each in found))
    verdicts = [
        {"id": each["id"], "metric": name, "value": each[name]} for each in found for name in ("correct", "retrieved")
    ]
    run = benchwright.score_system(
        asked, str(answers), runs=tmp_path / "runs", judgments=write(tmp_path, "verdicts.jsonl", *verdicts)
    )
    report = compute_report(load_run(asked, run.folder))
    assert {name: entry.value for name, entry in report.metrics.items()} == {
        "correct": pytest.approx(259 / 942),
        "retrieved": pytest.approx(267 / 942),
    }
    short = report.grammar.forms["short"]
    assert short.groups == {"gap": 112, "non-robust": 5, "robust": 40, "once": 0, "total": 157}
    assert (short.retrieval.value, short.retrieval_source) == (pytest.approx(135 / 471), "judgements")


@pytest.mark.skipif(not ARTICLES.is_file(), reason=f"{ARTICLES.name} is not here")
def test_real_articles_with_questions_and_no_answers(tmp_path: Path) -> None:
    release = build(tmp_path, ARTICLES, columns="metadata=url")
    assert release.manifest.rows == {"questions": 300, "corpus": 300, "queries": 300, "qrels": 300}
    first = questions_of(release)[0]
    assert (first.answers, first.answer_type, len(first.documents)) == ((), "none", 1)
    assert release.manifest.checks["columns_read"] == {
        "contexts": "text",
        "metadata": "url",
        "question": "question",
        "title": "title",
    }
