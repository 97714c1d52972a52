"""Citations: what an answer's sentences cite, the formulas worked by hand, support by words, and by a judge in one call."""

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from model_clients import KEY

from benchwright.benchmarks.metrics import JudgedItem, Score, Tools, find_metric
from benchwright.benchmarks.metrics.steps.citations import (
    AnswerSupport,
    SupportedSentence,
    precision,
    precision_line,
    recall,
    recall_line,
)
from benchwright.benchmarks.metrics.steps.cited_sentences import CitedSentence, cited_sentences
from benchwright.benchmarks.metrics.steps.nuggets import Support
from benchwright.benchmarks.metrics.steps.word_support import word_support
from benchwright.benchmarks.metrics.tools import Steps
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.predictions import Context, Prediction, Usage
from benchwright.benchmarks.types import Question
from benchwright.scripts.servers.openai.server import OpenAIServer

URL = "https://x.org/wiki/Lenn.html"
FOUR = (
    Context("client-0007", "a"),
    Context("client-0010", "b"),
    Context("page-3", "c", uri=URL),
    Context("page-4", "d"),
)
NOTHING = None


def cites(answer: str) -> list[tuple[str, list[int | None]]]:
    """Sentences and the numbers, from 1, of the contexts that they cite; None: of nothing."""
    return [
        (each.text, [None if place is None else place + 1 for place in each.contexts])
        for each in cited_sentences(answer, FOUR)
    ]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("It is tall [1]. It is old [2, 3].", [("It is tall.", [1]), ("It is old.", [2, 3])]),
        ("It is tall.[1] It is old.[2][3]", [("It is tall.", [1]), ("It is old.", [2, 3])]),
        ("It is tall. [1] It is old. [7]", [("It is tall.", [1]), ("It is old.", [NOTHING])]),
        ("It is tall [1-3] [1][1].", [("It is tall.", [1, 2, 3])]),
        ("Dr. Smith of St. Ives paid [4]. No. 5 did not.", [("Dr. Smith of St. Ives paid.", [4]), ("No. 5 did not.", [])]),
        ("Vaduz", [("Vaduz", [])]),
        ("Vaduz [1]", [("Vaduz", [1])]),
        ("[1] It is tall. It is old.", [("It is tall.", [1]), ("It is old.", [])]),
        ("[8][9] a", [("a", [NOTHING, NOTHING])]),
        ("It is tall [0].", [("It is tall.", [NOTHING])]),
        ("Lenn [^1] and Osk[^4].", [("Lenn and Osk.", [1, 4])]),
        ("Lenn [1]. (Osk, with others, is less [2].)", [("Lenn.", [1]), ("(Osk, with others, is less.)", [2])]),
        ("Lenn **31 km**[^1^][^2^, ^3^].", [("Lenn 31 km.", [1, 2, 3])]),
        ("It is tall【3†source】. It is old【4:0†source】.", [("It is tall.", [3]), ("It is old.", [1])]),
        ("It is tall【1†Lenn.html】【2】.", [("It is tall.", [3, 2])]),
        ("Lenn [Source 2], Osk (doc 3; doc 4), Var [citation:1].", [("Lenn, Osk, Var.", [2, 3, 4, 1])]),
        ("Lenn [client-0010], Osk (page-3), Var [doc: page-4].", [("Lenn, Osk, Var.", [2, 3, 4])]),
        ("Lenn [client-0099].", [("Lenn.", [NOTHING])]),
        ("In [2019] it (the Lenn) was big [sic].", [("In [2019] it (the Lenn) was big [sic].", [])]),
        (f"See [the page]({URL}) and [one](https://x.org/no).", [("See the page and one.", [3, NOTHING])]),
        (f"It is tall [[2]]({URL}) ({URL}).", [("It is tall.", [3])]),
        ("It is tall.<sup>1</sup> It has 12 m<sup>2</sup>.", [("It is tall.", [1]), ("It has 12 m2.", [])]),
        ("The rivers are:\n- Lenn [1]\n* Osk\n1. Var [2]\n2) Dor", [("Lenn", [1]), ("Osk", []), ("Var", [2]), ("Dor", [])]),
        ("It has [1][2]:\n- Lenn\n- Osk [3]\n\nThe end.", [("Lenn", [1, 2]), ("Osk", [3]), ("The end.", [])]),
        ("It has: [1]\n| Lenn |\n| Osk |", [("Lenn", [1]), ("Osk", [1])]),
        ("# Rivers\n**Long ones**\n\nLenn [1]\n\n---\n", [("Lenn", [1])]),
        ("| river | km |\n|---|:-:|\n| Lenn | 31 [1] |\n| Osk | 12 |", [("Lenn, 31", [1]), ("Osk, 12", [])]),
        ("Paris.\n\nSources: [1], [2]", [("Paris.", [1, 2])]),
        ("Lenn [1]. Osk [2].\n\nSources:\n[1] client-0010\n2. " + URL, [("Lenn.", [2]), ("Osk.", [3])]),
        ("Lenn.[^1]\n\n[^1]: see page-4, p. 3", [("Lenn.", [4])]),
        ("Lenn [1].\n[1] page-4", [("Lenn.", [4])]),
        ('{"answer": "Lenn [2]", "sources": [1, 2]}', [("Lenn", [2])]),
        ('```json\n{"answer": "Lenn"}\n```', [("Lenn", [])]),
        ("It is `x[1]`:\n```\nprint(a[1])\n```\nDone [2].", [("It is x:", [1]), ("Done.", [2])]),
        ("彼は高い。[1]それは古い。[2]", [("彼は高い。", [1]), ("それは古い。", [2])]),
        ("<b>Lenn</b> is **tall** [1]", [("Lenn is tall", [1])]),
        ("", []),
        ("[1]", []),
        ("***", []),
    ],
)  # fmt: skip
def test_what_the_sentences_of_an_answer_cite(answer: str, expected: list[tuple[str, list[int | None]]]) -> None:
    assert cites(answer) == expected


def test_answers_of_fifty_thousand_words_are_read() -> None:
    hostile = ["[" * 30_000, "(" * 30_000 + "1", "!?" * 60_000, " " * 100_000 + "a", "- " * 60_000, "> " * 60_000 + "a",
               "|-" * 60_000, "[1, " * 50_000, "1 " * 60_000, "【" * 60_000, "\n" * 100_000, '{"a":' * 50_000]  # fmt: skip
    assert all(len(cited_sentences(each, FOUR)) <= 1 for each in hostile)
    assert len(cited_sentences("It is tall [1]. " * 12_000, FOUR)) == 12_000


def supported(*sentences: str) -> AnswerSupport:
    """Sentences as their citations: f, p and n for how each supports, ? for one that cannot be told, 0 for nothing."""
    names: dict[str, Support | None] = {"f": "full", "p": "partial", "n": "none", "0": "none", "?": None}
    order = "?n0pf"
    made = []
    for each in sentences:
        places = tuple(None if sign == "0" else place for place, sign in enumerate(each))
        together = names[max(each, key=order.index)] if each else "none"
        made.append(SupportedSentence(CitedSentence("s", places), tuple(names[sign] for sign in each), together))
    return AnswerSupport(tuple(made))


@pytest.mark.parametrize(
    ("sentences", "by_precision", "by_recall"),
    [
        (["f"], 1, 1),
        (["p"], 0.5, 0.5),
        (["n"], 0, 0),
        (["0"], 0, 0),
        (["f", ""], 1, 1 / 2),
        (["f", "n"], 1 / 2, 1 / 2),
        (["fn", "f"], 2 / 3, 1),
        (["pf", "", ""], 1.5 / 2, 1 / 3),
        (["p", "p", "f", ""], 2 / 3, 2 / 4),
        (["ff", "f0"], 3 / 4, 1),
        (["f?", "?"], 1, 1),
        (["nnn", "f"], 1 / 4, 1 / 2),
        (["fff", "ppp", ""], 4.5 / 6, 1.5 / 3),
    ],
)
def test_precision_and_recall_by_hand(sentences: list[str], by_precision: float, by_recall: float) -> None:
    found = supported(*sentences)
    assert precision(found) == pytest.approx(by_precision)
    assert recall(found) == pytest.approx(by_recall)


def test_the_arithmetic_is_said() -> None:
    found = supported("fp", "0", "")
    assert precision_line(found) == "1 of 3 citations support their sentence, 1 in part, 1 points to nothing = 0.5"
    assert recall_line(found) == "1 of 3 sentences are supported by what they cite, 1 cites nothing = 0.333"


LENN = "The river Lenn is 3,100 km long. It rises near Selby in Norvenia."


@pytest.mark.parametrize(
    ("sentence", "source", "expected"),
    [
        ("The Lenn is 3100 km long.", LENN, "full"),
        ("It rises near Selby.", LENN, "full"),
        ("The Lenn is 3,200 km long.", LENN, "partial"),
        ("The Lenn is 3,100 km long and was dammed by Osk engineers.", LENN, "partial"),
        ("3,200 km", LENN, "none"),
        ("3,100 km", LENN, "full"),
        ("The Osk is deep.", LENN, "none"),
        ("Selby Norvenia Lenn", LENN, "full"),
        ("Managers managed it.", "It is managed by a manager.", "full"),
        ("It was opened on 2012-05-19.", "The pier was opened on 19 May 2012.", "full"),
        ("It was opened on May 20th, 2012.", "It was opened on 19 May 2012.", "none"),
        ("According to the documents, the answer is 3,100 km.", LENN, "full"),
        ("Yes.", LENN, None),
        ("...", LENN, None),
        ("It rises near Selby in 3 places.", "It rises at three places near Selby.", "full"),
        ("The mash rests at 67 degrees Celsius.", "The mash rests at 67 °C.", "full"),
        ("Ninety percent of it is recovered.", "90 % of it is recovered.", "full"),
        ("Das Haus verfügt über 412 Betten in elf Abteilungen.", "Das Haus hat 412 Betten und 11 Abteilungen.", "full"),
        ("Yes, damaged kegs are taken back.", "Kegs are returned. Damaged kegs are not taken back.", "none"),
        ("Die Aufzüge dürfen benutzt werden.", "Die Aufzüge werden nicht benutzt.", "none"),
        ("Dogs are not admitted.", "Dogs are admitted.", "none"),
        ("Dogs are not admitted.", "Dogs are not admitted. Groups are admitted.", "full"),
        ("The beer ferments in open vats.", "The beer is fermented in open vats and is never filtered.", "full"),
        ("No, dogs are not admitted.", "Dogs are not admitted.", "full"),
        ("Not only ales are fermented.", "Ales are fermented.", "full"),
        ("Assistants never work alone.", "Assistants work shifts and never alone.", "full"),
        ("Karten werden am Schalter zurückgenommen.", "Gekaufte Karten werden nicht zurückgenommen.", "none"),
        ("Les shorts sont autorisés dans l'eau.", "Les shorts ne sont pas autorisés dans l'eau.", "none"),
        ("L'eau est analysée 2 fois par jour.", "L'eau est analysée deux fois par jour.", "full"),
        ("The Faermann has no alcohol.", "The Faermann is alcohol-free, the Pils has 5 % alcohol.", "full"),
        ("No se admiten perros.", "Se admiten perros.", "none"),
        ("Abre a las diez y cierra a las 20 h.", "Cierra a las 20 horas; abre a las 10.", "full"),
        ("It meets two times per year.", "It meets twice per year.", "full"),
        ("It is 3 nm wide and 2 km long at 3 pm.", "At 15:00 it is 3 nanometres wide, 2 kilometres long.", "full"),
        ("It is 3 km long.", "It is 3 nm long.", "partial"),
        ("It sold 38 000 hl for 1.50 euros each.", "It sold 38,000 hl, each for 1,50 €.", "full"),
        ("Die Talfahrt ist um 17.30 Uhr.", "Die Talfahrt ist um 17:30 Uhr.", "full"),
        ("彼は高い", "彼は高い", None),
        ("The Lenn is long.", "", "none"),
        ("Lenn deep cold", "Lenn." + " and" * 900 + " deep." + " and" * 900 + " cold.", "partial"),
    ],
)
def test_support_by_words(sentence: str, source: str, expected: Support | None) -> None:
    assert word_support(sentence, source) == expected


ASKED = Question("q", "How long is the Lenn, and where does it rise?", ("310 km",), answer_type="one")
TWO = (
    Context("a", "The river Lenn is 310 km long."),
    Context("b", "In Norvenia, near Selby, the Lenn rises."),
    Context("c"),
)


@pytest.mark.parametrize(
    ("answer", "by_precision", "by_recall"),
    [
        ("The Lenn is 310 km long [1]. It rises near Selby [2].", 1, 1),
        ("The Lenn is 310 km long [1]. It rises near Selby.", 1, 1 / 2),
        ("The Lenn is 310 km long [1]. It rises near Selby [1].", 1 / 2, 1 / 2),
        ("The Lenn is 310 km long and it rises near Selby in Norvenia [1][2].", 1 / 2, 1),
        ("310 km [1]", 1, 1),
        ("310 km", "the answer cites nothing", 0),
        ("310 km [9]", 0, 0),
        ("310 km [3]", "no citation can be judged", "no citation can be judged"),
        ("Yes [1].", "no citation can be judged", "no citation can be judged"),
        ("I don't know.", "the answer makes no statement", "the answer makes no statement"),
        ("I don't know. [2]", "the answer makes no statement", "the answer makes no statement"),
        ("", "the answer makes no statement", "the answer makes no statement"),
    ],
)
def test_an_answer_by_rule(answer: str, by_precision: float | str, by_recall: float | str) -> None:
    for name, expected in (("citation_precision", by_precision), ("citation_recall", by_recall)):
        score = find_metric(name).score(ASKED, Prediction("q", answer, contexts=TWO))
        if isinstance(expected, str):
            assert score.value is None and str(score.reason).startswith(expected)
        else:
            assert score.value == pytest.approx(expected) and str(score.reason).startswith("by rule: "), score


@pytest.mark.parametrize(
    ("prediction", "expected"),
    [
        (Prediction("q", None, error="timeout", contexts=TWO), "the system gave no answer"),
        (Prediction("q", "310 km [1]"), "handed in no contexts"),
        (Prediction("q", None, abstained=True, contexts=TWO), "the answer makes no statement"),
        (Prediction("q", "310 km [1]", usage=Usage(retrievals=1)), 0.0),
    ],
)
def test_without_an_answer_or_contexts(prediction: Prediction, expected: str | float) -> None:
    for name in ("citation_precision", "citation_recall"):
        score = find_metric(name).score(ASKED, prediction)
        assert expected == (score.reason if isinstance(expected, str) else score.value)


def judge(tmp_path: Path, reply: Any, answer: str, contexts: tuple[Context, ...] = TWO) -> tuple[list[Any], Any]:
    """Precision and recall of an answer with their traces, and the server that was asked."""
    item = JudgedItem(ASKED, Prediction("q", answer, contexts=contexts), {})
    with OpenAIServer(reply) as server:
        settings = ModelSettings({"judge": Endpoint("m", server.url, KEY, None)}, cache=tmp_path / "kept.sqlite")
        with Client(settings) as client:
            steps = Steps()

            async def scores(_: int) -> list[Any]:
                found = []
                for name in ("citation_precision", "citation_recall"):
                    metric = find_metric(name)
                    assert metric.judged is not None
                    tools = Tools(client, steps, name, metric.uses, (name,))
                    found.append((await metric.judged(item, tools), tools.trace))
                return found

            ((_, result),) = client.each([0], scores)
        if not isinstance(result, list):
            raise result
        return result, server


def says(*supports: str) -> dict[str, Any]:
    return {
        "verdicts": [
            {"check": number, "reason": f"r{number}", "support": each} for number, each in enumerate(supports, start=1)
        ]
    }


def test_a_judge_is_asked_once_for_both(tmp_path: Path) -> None:
    answer = "It is 310 km long and rises near Selby [1][2]. It is cold [9]. It is deep."
    found, server = judge(tmp_path, lambda body: says("partial", "partial", "full"), answer)
    (by_precision, trace), (by_recall, _) = found
    assert server.calls == 1
    shown = server.requests[0].body["messages"][-1]["content"]
    assert "Source 1:" in shown and "Source 2:" in shown and "Source 3:" not in shown
    assert "Checks (3):" in shown and "3. By sources 1 and 2 together:" in shown
    assert by_precision == Score(
        1 / 3, "0 of 3 citations support their sentence, 2 in part, 1 points to nothing = 0.333"
    )
    assert by_recall == Score(1 / 3, "1 of 3 sentences are supported by what they cite, 1 cites nothing = 0.333")
    assert trace[-1].output["rows"] == [
        {"sentence": "It is 310 km long and rises near Selby.", "cites": "1: partial, 2: partial", "together": "full",
         "reason": "1: r1; 2: r2; together: r3"},
        {"sentence": "It is cold.", "cites": "nothing: none", "together": "none",
         "reason": "it points to nothing that was handed in"},
        {"sentence": "It is deep.", "cites": "nothing", "together": "none", "reason": ""},
    ]  # fmt: skip


def test_verdicts_that_do_not_fit_are_asked_for_anew(tmp_path: Path) -> None:
    replies = iter([says("full", "full"), says("fully"), says("none")])
    ((score, _), _), server = judge(tmp_path, lambda body: next(replies), "It is 310 km long [1].")
    assert (score.value, server.calls) == (0.0, 3)


@pytest.mark.parametrize("answer", ["310 km", "310 km [9]", "310 km [3]", "I don't know.", ""])
def test_where_there_is_nothing_to_judge_nobody_is_asked(tmp_path: Path, answer: str) -> None:
    _, server = judge(tmp_path, lambda body: says("full"), answer)
    assert server.calls == 0


def test_of_many_citations_the_first_are_judged_and_that_is_said(tmp_path: Path) -> None:
    answer = " ".join(f"It is {number} km long [1]." for number in range(100))
    ((score, _), _), server = judge(tmp_path, lambda body: says(*["full"] * 60), answer)
    assert score == Score(
        1.0, "60 of 60 citations support their sentence = 1; the first 60 of 100 sentences were judged"
    )
    assert server.calls == 1


def test_of_long_sources_the_beginning_is_read_and_that_is_said(tmp_path: Path) -> None:
    long = tuple(Context(name, f"{name} " * 25_000) for name in "ab")
    ((score, _), _), server = judge(tmp_path, lambda body: says(*["full"] * 3), "It is long [1][2].", long)
    assert score.reason.endswith("; the first 60,000 of 100,000 characters of what is cited were read")
    assert len(server.requests[0].body["messages"][-1]["content"]) < 62_000


@pytest.mark.full
def test_sentences_of_real_articles(shared: Path) -> None:
    """Against their own paragraph, the next one and another article, by words: the figures of the guide."""
    files = "wikipedia_random_300.jsonl", "wikipedia_created_after_2021-10.jsonl"
    texts = [json.loads(line)["text"] for name in files for line in (shared / name).read_text("utf-8").splitlines()]
    draw, found = random.Random(1), Counter[tuple[str, Support | None]]()
    for text in texts:
        paragraphs = [each for each in text.split("\n") if len(each) > 300]
        if len(paragraphs) < 2:
            continue
        place = draw.randrange(len(paragraphs))
        sentences = cited_sentences(paragraphs[place], [])
        if not sentences:
            continue
        sentence = draw.choice(sentences).text
        sources = {
            "own": paragraphs[place],
            "next": paragraphs[(place + 1) % len(paragraphs)],
            "other": draw.choice(texts)[:1500],
        }
        found.update((name, word_support(sentence, source)) for name, source in sources.items())
    assert found == {
        ("own", "full"): 798, ("other", "none"): 798,
        ("next", "full"): 11, ("next", "partial"): 72, ("next", "none"): 715,
    }  # fmt: skip
