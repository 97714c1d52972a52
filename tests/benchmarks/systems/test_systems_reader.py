"""The built-in reader: what a question asks for, and what is found for it in texts of no benchmark's style."""

import subprocess
import sys

import pytest

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.systems.reader.extract import UNKNOWN, read_passages
from benchwright.benchmarks.systems.reader.passages import find_values, read_passage
from benchwright.benchmarks.systems.reader.question import parse_question

MILL = Passage(
    "mill",
    "Corbel Mill",
    0,
    0,
    "Corbel Mill stands in Lyon, France. It was founded in 1887 and belongs to the Ferrand Group. Its manager is Odile "
    "Maret, who lives next door. The mill employs 240 workers; its annual budget comes to $3.2 million.",
)
MARET = Passage(
    "maret",
    "Odile Maret",
    0,
    0,
    "Odile Maret joined on 4 May 2011. Her telephone: 555-0182. Odile Maret reports to Jean Bost.",
)
CARD = Passage(
    "card",
    "Data sheet",
    0,
    0,
    "Name: Tarn Bridge\nLength: 412 m\nOpened: 2003-06-14\nType: suspension bridge\nBuilder: Vanel & Sons",
)
OTHER = Passage(
    "other", "Sorel Mill", 0, 0, "Sorel Mill stands in Oslo, Norway. Its manager is Per Lund. It was founded in 1901."
)
EVERY = (OTHER, MILL, MARET, CARD)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where is Corbel Mill?", "Lyon, France"),
        ("What is the location of Corbel Mill?", "Lyon, France"),
        ("In which year was Corbel Mill founded?", "1887"),
        ("Who is the manager of Corbel Mill?", "Odile Maret"),
        ("Who is the manager of Sorel Mill?", "Per Lund"),
        ("Corbel Mill; manager?", "Odile Maret"),
        ("What is the annual budget of Corbel Mill in US dollars?", "$3.2 million"),
        ("How many workers does Corbel Mill employ?", "240 workers"),
        ("what is the telephone of the manager of Corbel Mill?", "555-0182"),
        ("Who is the supervisor of the manager of Corbel Mill?", "Jean Bost"),
        ("When did Odile Maret join?", "4 May 2011"),
        ("My question is about the Tarn Bridge: for a letter of this evening I must know what the length is.", "412 m"),
        ("When was Tarn Bridge opened?", "2003-06-14"),
        ("what about Tarn Bridge's type?", "suspension bridge"),
        ("Please tell me the name of the builder of Tarn Bridge.", "Vanel & Sons"),
        ("What is the melting point of Tarn Bridge?", UNKNOWN),
        ("", UNKNOWN),
        ("???", UNKNOWN),
    ],
)
def test_answers(question: str, answer: str) -> None:
    assert read_passages(question, EVERY) == answer


def test_nothing_to_read() -> None:
    assert read_passages("Where is Corbel Mill?", []) == UNKNOWN
    assert read_passages("Where is Corbel Mill?", [Passage("e", "", 0, 0, "")]) == UNKNOWN


@pytest.mark.parametrize(
    ("question", "names", "steps"),
    [
        ("When was Long Quay opened?", {"long", "quay"}, ["open"]),
        ("the office of the manager of the project Long Quay, need opening date", {"long", "quay"}, ["manag", "offic", "open"]),
        ("what about Long Quay's owner's date of birth?", {"long", "quay"}, ["owner", "birth"]),
        ("In a list I must enter the number of beds of the ward named Elm.", {"elm"}, ["bed"]),
        ("Somebody asks for the height, and the tower Elm Spire is meant.", {"elm", "spire"}, ["heigh"]),
        ("what do whales eat?", set(), ["eat whale"]),
    ],
)  # fmt: skip
def test_what_is_asked_of_what(question: str, names: set[str], steps: list[str]) -> None:
    asked = parse_question(question)
    assert asked.names == names
    assert [" ".join(sorted(step.own)) for step in asked.steps] == steps


def test_words_ask_for_kinds_of_values_and_stand_for_others() -> None:
    (opened,) = parse_question("When was Long Quay opened?").steps
    assert opened.kinds == {"date", "year"}
    assert opened.groups == (frozenset({"open", "inaug"}),)
    (other,) = parse_question("What is the gist of Long Quay?").steps
    assert other.kinds == {"phrase", "name", "number", "money"}


@pytest.mark.parametrize(
    ("sentence", "kind", "texts"),
    [
        ("It opened on 1 May 2020, not on 2021-07-03 or June 4th, 1999.", "date", ["1 May 2020", "2021-07-03", "June 4th, 1999"]),
        ("It cost US$5.1 million, later 3,000,000 euros, then £7.", "money", ["US$5.1 million", "3,000,000 euros", "£7"]),
        ("With 12 m, 1,250 tonnes and 7.5 % for eleven, call +44 20 7946 0018.", "number", ["12 m", "1,250 tonnes", "7.5 %", "eleven", "+44 20 7946 0018"]),
        ("The year 1931 and 840 others.", "year", ["1931"]),
        ("In Graz, Austria, Anna Bell met Carl of the Red House.", "place", ["Graz, Austria"]),
        ("Then Anna Bell’s MSc in Law met the Trade Union.", "name", ["Anna Bell", "MSc in Law", "Trade Union"]),
        ("Runs well. Anna is here.", "name", ["Anna"]),
        ("Anna Bell is a senior clerk at the mill, built by hand and foot.", "phrase", ["senior clerk", "mill", "hand and foot"]),
    ],
)  # fmt: skip
def test_values_of_a_sentence(sentence: str, kind: str, texts: list[str]) -> None:
    assert [value.text for value in find_values(sentence) if value.kind == kind] == texts


def test_a_label_names_its_value() -> None:
    (line,) = read_passage(Passage("d", "Card", 0, 20, "* Phone: 12 (work)")).sentences
    assert line.label == {"phone"}
    assert [(value.kind, value.text) for value in line.values] == [
        ("phrase", "12 (work)"), ("name", "12 (work)"), ("place", "12 (work)"), ("number", "12"),
    ]  # fmt: skip


def test_the_same_in_another_process() -> None:
    code = (
        "from benchwright.benchmarks.systems.reader.extract import read_passages\n"
        "from benchwright.benchmarks.grounding.chunking import Passage\n"
        f"print(read_passages('Who is the manager of Corbel Mill?', [Passage('d', 'Corbel Mill', 0, 0, {MILL.text!r})]))"
    )
    for seed in ("1", "2"):
        environment = {"PYTHONHASHSEED": seed}
        result = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
        )
        assert result.stdout == "Odile Maret\n"


def test_it_shares_no_code_with_the_writers_of_documents() -> None:
    code = (
        "import sys, benchwright.benchmarks.systems.reader.extract\n"
        "print([name for name in sys.modules if name.startswith('benchwright.builders')])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
