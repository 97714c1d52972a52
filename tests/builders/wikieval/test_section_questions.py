"""Questions about sections of documents by rule, and pairs of them that are proved."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.builders.base import build_release
from benchwright.builders.wikieval.making import NO_CHOICE, make_pairs
from benchwright.builders.wikieval.material import Passage
from benchwright.builders.wikieval.proofs.prove_candidates import (
    GROUNDED,
    INCOMPLETE,
    SOURCE,
    SWAPPED,
    WIDENED,
    Asked,
    pair_problems,
    read_provenance,
)
from benchwright.builders.wikieval.rows import as_pair
from benchwright.builders.wikieval.rules.by_rule import pair_by_rule
from benchwright.builders.wikieval.rules.facts import NO_OTHER
from benchwright.builders.wikieval.sections.candidates import ASKED_BEFORE, pair_of_section
from benchwright.builders.wikieval.sections.questions import NOTHING, section_facts
from benchwright.builders.wikieval.sources.from_documents import ReadFolder, document_passages
from benchwright.cards.dataset.card import render_card

HANDBOOK = """# Staff handbook

## 1 Leave

### 1.1 Holidays

Each employee has 28 days of leave in a year. Leave is asked for in the portal at least two weeks before it begins.
The rules were agreed on 4 May 2021. This holds for 3 sites.

### 1.2 Sick leave

Whoever is ill tells the team lead before ten in the morning. A doctor's note is needed from the fourth day on.
The insurer pays from the seventh week, and the company tells the insurer by itself.
"""


def section(text: str) -> Passage:
    return Passage("Staff handbook > Leave > Holidays", text, "handbook.md", metadata={"clause": "1.1"})


@pytest.mark.parametrize(
    ("sentence", "asked", "value"),
    [
        ("Each employee has 28 days of leave.", "how many days of leave does each employee have", "28"),
        ("Claims must be sent within 30 days.", "within how many days must claims be sent", "30"),
        ("Passwords must have at least 12 characters.", "at least how many characters must passwords have", "12"),
        ("Ada Berg signed the rules on 4 May 2021.", "when did Ada Berg sign the rules", "4 May 2021"),
        ("The rules were agreed in May 2021.", "when were the rules agreed", "May 2021"),
        ("The site was opened by Ada Berg in 1998.", "when was the site opened by Ada Berg", "1998"),
        ("At most 5 % of trips are by air.", "at most what percentage of trips are by air", "5 %"),
        ("The tank holds 1,500 litres of oil.", "how many litres of oil does the tank hold", "1,500"),
        ("A frame lasts 20 ms at most.", "how many ms does a frame last at most", "20"),
        ("The message is 20 bytes long.", "how many bytes long is the message", "20"),
        ("By default, 10 listeners can be added.", "how many listeners can be added by default", "10"),
        ("A depot is a yard in which trams stand.", "what is a depot", "a yard in which trams stand"),
        ("Depots are used to keep trams dry.", "what are depots used to do", "to keep trams dry"),
        ("The team lead must sign the form.", "what must the team lead do", "sign the form"),
        ("Trips are paid by the travel office.", "what are trips paid by", "the travel office"),
        ("Invoices are stored in the archive.", "where are invoices stored", "the archive"),
        ("The travel office buys a ticket for guests.", "what does the travel office buy", "a ticket for guests"),
        ("The cache depends on the size of the disk.", "what does the cache depend on", "the size of the disk"),
        ("The split method returns a list of words.", "which method returns a list of words", "split"),
        ("To book a flight, write to the office.", "how do you book a flight", "write to the office"),
        ("Use the search form to find a room.", "what do you use to find a room", "the search form"),
        ("If a train is late, the office pays a taxi.", "what happens if a train is late", "the office pays a taxi"),
        ("Claims are refused if the form is missing.", "in which case are claims refused", "the form is missing"),
        ("Trams are slow because the rails are old.", "why are trams slow", "the rails are old"),
    ],
)
def test_what_a_sentence_tells_is_asked_for_at_the_head(sentence: str, asked: str, value: str) -> None:
    found = {fact.asked_next: fact for fact in section_facts(section(f"{sentence} Our leave is long."))}
    assert asked in found
    assert (found[asked].value, found[asked].statement) == (value, sentence)
    assert found[asked].question == f'According to "Staff handbook: Leave, Holidays", {asked}?'


@pytest.mark.parametrize(
    "sentence",
    [
        "It has 28 days of leave.",
        "The other holds 28 days of leave.",
        "The result is a list of words in the order of the text.",
        "The value is in the range 0 to 20 metres.",
        "You have two choices of leave.",
        "The rules hold for 2 sites, and 2 depots.",
        "As told above, the tank holds 20 litres.",
        "The tank status is 20 degree.",
        "The team lead must not sign the form.",
        "The function returns a list of words.",
        "You can sign the form.",
        "You must sign the form.",
        "The office has two methods of keeping forms.",
        "Where the form is the only proof.",
        "Ada Berg is the head of the office.",
        "This is why the tank holds oil.",
        "Writing the test before you write the code helps a lot of people.",
    ],
)
def test_what_cannot_be_asked_for_by_itself_is_not(sentence: str) -> None:
    assert section_facts(section(sentence)) == ()


def test_a_first_word_keeps_its_capital_where_it_is_a_name() -> None:
    said = "Trams need a dry yard. Rust needs a dry yard. Tokens need a dry yard. A Rust program is small."
    asked = [fact.asked_next for fact in section_facts(section(said)) if fact.asked == "need"]
    assert asked == ["what do trams need", "what does Rust need", "what do tokens need"]


def test_no_question_is_asked_of_two_sections() -> None:
    first = section("A depot is a yard in which trams stand. Rails are kept dry by a roof.")
    second = section("A depot is a yard in which trams stand. Trams are cleaned by the night crew.")
    others = {"is a": ("a form that is signed by the head",), "by": ("the travel office",)}
    before = Counter[str]()
    made = [pair_of_section(each, 0, others, asked_before=before) for each in (first, second, second)]
    questions = [parts.question.text.partition('", ')[2] for parts, _ in made if parts is not None]
    assert questions == ["what is a depot?", "what are trams cleaned by?"]
    assert made[2] == (None, ASKED_BEFORE)


def test_where_nothing_can_take_a_facts_place_a_pair_may_lack_the_ungrounded_answer(tmp_path: Path) -> None:
    (tmp_path / "depot.md").write_text(
        "# Trams\n\n## Depots\n\nA depot is a yard with rails when the night crew comes. Rails are kept dry, and a crew of "
        "cleaners comes in the night when trams are there and the power is off for them.\n",
        encoding="utf-8",
    )
    (passage,) = document_passages(ReadFolder(tmp_path), 0)
    assert pair_of_section(passage, 0, {}) == (None, NO_OTHER)
    parts, _ = pair_of_section(passage, 0, {}, may_lack=True)
    assert parts is not None and parts.ungrounded is None and parts.poor is not None
    made = make_pairs([passage], 2, 0, None, lambda what, done, total: None)
    assert ([each.ungrounded for each in made.parts], made.left_out) == ([None], {})
    short = replace(passage, text=passage.text.replace("when the night crew comes", "in every town"))
    assert make_pairs([short], 2, 0, None, lambda what, done, total: None).left_out == {NO_CHOICE: 1}
    release, _ = build_release("wikieval", {"documents": str(tmp_path)}, render_card, output=tmp_path / "releases")
    assert release.manifest.checks["pairs_per_dimension"]["faithfulness"] == 0
    assert verify_release(release).problems == []


def test_a_handbook_gives_a_pair_that_is_proved(tmp_path: Path) -> None:
    (tmp_path / "handbook.md").write_text(HANDBOOK, encoding="utf-8")
    made = {
        passage.title.split(" > ")[-1]: pair_by_rule(passage, 0, others={})
        for passage in document_passages(ReadFolder(tmp_path), 0)
    }
    assert made["Sick leave"] == (None, NOTHING)
    parts, reason = made["Holidays"]
    assert parts is not None, reason
    facts = parts.answer.detail["facts"]
    assert len(facts) == 2
    assert parts.question.text.startswith('According to "Staff handbook: Leave, Holidays", ')
    assert parts.question.text.count("?") == 1
    row, proved = as_pair(parts), Counter[str]()
    provenance, problem = read_provenance(row)
    assert problem == "", json.dumps(row)
    asked = Asked(row["question"], ("a",), parts.passage.text, "handbook.md")
    assert list(pair_problems(row, provenance, asked, proved)) == []
    assert proved == {SOURCE: 1, GROUNDED: 1, SWAPPED: 1, INCOMPLETE: 1, WIDENED: 1}
