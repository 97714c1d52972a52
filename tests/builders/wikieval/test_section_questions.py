"""Questions about sections of documents by rule, and pairs of them that are proved."""

import json
from collections import Counter
from pathlib import Path

import pytest

from benchwright.builders.wikieval.by_rule import pair_by_rule
from benchwright.builders.wikieval.from_documents import ReadFolder, document_passages
from benchwright.builders.wikieval.material import Passage
from benchwright.builders.wikieval.prove_pairs import (
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
from benchwright.builders.wikieval.section_questions import NOTHING, section_facts

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
        ("Each employee has 28 days of leave.", "each employee has how many days of leave", "28"),
        ("Leave is asked for two weeks before.", "leave is asked for how many weeks before", "two"),
        ("Ada Berg signed the rules on 4 May 2021.", "Ada Berg signed the rules on which date", "4 May 2021"),
        ("The rules were agreed in May 2021.", "the rules were agreed in which month", "May 2021"),
        ("The site was opened in 1998, by Ada Berg.", "the site was opened in which year, by Ada Berg", "1998"),
        ("At most 5 % of trips are by air.", "at most what percentage of trips are by air", "5 %"),
        ("The tank holds 1,500 litres of oil.", "the tank holds how many litres of oil", "1,500"),
        ("A frame lasts 20 ms at most.", "a frame lasts how many ms at most", "20"),
    ],
)
def test_what_a_sentence_tells_is_asked_for_in_its_place(sentence: str, asked: str, value: str) -> None:
    (fact,) = section_facts(section(f"{sentence} Our leave is long."))
    assert (fact.asked_next, fact.value, fact.statement) == (asked, value, sentence)
    assert fact.question == f'According to "Staff handbook: Leave, Holidays", {asked}?'


@pytest.mark.parametrize(
    "sentence",
    [
        "It has 28 days of leave.",
        "The other holds 28 days of leave.",
        "The rules are told in clause 3 words.",
        "The value is in the range 0 to 20 metres.",
        "Only one call is open between the same two entities.",
        "The rules hold for 2 sites, and 2 depots.",
        "A 429 halves the rate of calls.",
        "Version 3.1.4 needs 0x20 bytes.",
        "As told above, the tank holds 20 litres.",
        "The tank status is 20 degree.",
    ],
)
def test_what_cannot_be_asked_for_by_itself_is_not(sentence: str) -> None:
    assert section_facts(section(sentence)) == ()


def test_a_handbook_gives_a_pair_that_is_proved(tmp_path: Path) -> None:
    (tmp_path / "handbook.md").write_text(HANDBOOK, encoding="utf-8")
    made = {
        passage.title.split(" > ")[-1]: pair_by_rule(passage, 0)
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
