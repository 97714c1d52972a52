"""Pairs whose preference is proved from what the release says of them, and lies that are found."""

import json
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support import TOY_FACTS

from benchwright.benchmarks.releases.proofs.base import Material, Verification
from benchwright.benchmarks.releases.proofs.verify import run
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.builders.wikieval.contexts.wider_contexts import count_origins
from benchwright.builders.wikieval.making import how_made
from benchwright.builders.wikieval.material import Made, Neighbour, PairParts, Passage
from benchwright.builders.wikieval.proofs.prove_candidates import (
    GROUNDED,
    INCOMPLETE,
    SOURCE,
    SWAPPED,
    WIDENED,
    Asked,
    is_same,
    pair_problems,
    read_provenance,
)
from benchwright.builders.wikieval.proofs.prove_counts import COUNTED
from benchwright.builders.wikieval.proofs.prove_pairs import AGAIN, NOT_AGAIN, pairs_proof
from benchwright.builders.wikieval.rows import as_document, as_pair, as_question, counts_of
from benchwright.builders.wikieval.rules.by_rule import pair_by_rule

TEXT = "Marram Light is a novel by Iva Holm. It was released on 4 May 2021. It was set on Tarn Island."
FIRST, SECOND = "Who wrote Marram Light?", "When was Marram Light released?"
FACTS = [{"question": FIRST, "value": "Iva Holm"}, {"question": SECOND, "value": "4 May 2021"}]
ASKED = Asked("Who wrote Marram Light, and when was it released?", ("page-1",), TEXT, "https://wiki.example/1")
ROW: dict[str, Any] = {
    "id": "a",
    "question": ASKED.question,
    "source": ASKED.source,
    "answer": "Iva Holm wrote Marram Light. It was released on 4 May 2021.",
    "ungrounded_answer": "Per Dahl wrote Marram Light. It was released on 9 July 2019.",
    "poor_answer": "Iva Holm wrote Marram Light.",
    "context_v1": [TEXT],
    "context_v2": [
        "Marram Light is a novel by Iva Holm.",
        "The library of Tarn Island holds its first edition.",
        "It was released on 4 May 2021.",
        "It was set on Tarn Island.",
        "A ferry goes there twice a day.",
    ],
}
MADE: dict[str, dict[str, Any]] = {
    "question": {"how": "rule", "facts": FACTS},
    "answer": {"how": "rule", "facts": FACTS},
    "ungrounded_answer": {
        "how": "rule",
        "swapped": [{"from": "Iva Holm", "to": "Per Dahl"}, {"from": "4 May 2021", "to": "9 July 2019"}],
    },
    "poor_answer": {"how": "rule", "left_out": [SECOND], "kept": [FIRST]},
    "context_v2": {"how": "rule", "added": [1, 4], "from": [{"from": "linking page"}] * 2, "sentences": 5},
}
BY_MODEL = {
    column: {"how": "model", "model": "m", **({"added": [1, 4], "sentences": 5} if column == "context_v2" else {})}
    for column in MADE
}
Pair = tuple[dict[str, Any], dict[str, dict[str, Any]]]


def problems(row: dict[str, Any], made: dict[str, dict[str, Any]], asked: Asked | None = ASKED) -> list[str]:
    found, problem = read_provenance({**row, "provenance": json.dumps(made)})
    return [problem] if problem else list(pair_problems(row, found, asked, Counter()))


def test_a_pair_by_rule_is_proved() -> None:
    proved: Counter[str] = Counter()
    assert list(pair_problems(ROW, MADE, ASKED, proved)) == []
    assert proved == {SOURCE: 1, GROUNDED: 1, SWAPPED: 1, INCOMPLETE: 1, WIDENED: 1}


def test_of_a_model_only_contexts_and_source_are_proved() -> None:
    proved: Counter[str] = Counter()
    assert list(pair_problems(ROW, BY_MODEL, ASKED, proved)) == []
    assert proved == {SOURCE: 1, WIDENED: 1}


def test_what_could_not_be_made_is_empty() -> None:
    row = {**ROW, "ungrounded_answer": "", "poor_answer": "", "context_v2": []}
    made = {column: MADE[column] for column in ("question", "answer")}
    assert problems(row, made) == []


def _swap_one(row: dict[str, Any], made: dict[str, Any], to: str) -> None:
    row["ungrounded_answer"] = row["ungrounded_answer"].replace("Per Dahl", to)
    made["ungrounded_answer"]["swapped"][0]["to"] = to


LIES: dict[str, tuple[Callable[[dict[str, Any], dict[str, Any]], object], str]] = {
    "another answer": (
        lambda row, made: row.update(answer="Ada Berg wrote Marram Light. It was released on 4 May 2021."),
        "its answer does not state 'Iva Holm'",
    ),
    "another fact everywhere": (
        lambda row, made: (
            [each.update(value="Ada Berg") for each in (made["answer"]["facts"][0],)]
            and made["question"].update(facts=made["answer"]["facts"])
        ),
        "its source does not state 'Ada Berg'",
    ),
    "facts of the question and of the answer differ": (
        lambda row, made: made["question"].update(facts=[]),
        "its question and its answer are said to be of other facts",
    ),
    "no facts": (lambda row, made: made["answer"].update(facts=[]), "does not tell the facts of its answer"),
    "facts of another form": (lambda row, made: made["answer"].update(facts="Iva Holm"), "does not tell the facts"),
    "a swapped fact that the source states": (
        lambda row, made: _swap_one(row, made, "Tarn Island"),
        "its source states 'Tarn Island', which stands in the ungrounded answer for 'Iva Holm'",
    ),
    "the grounded answer twice": (
        lambda row, made: row.update(ungrounded_answer=row["answer"]),
        "the ungrounded answer is not the answer with its facts swapped",
    ),
    "one fact not swapped": (
        lambda row, made: row.update(ungrounded_answer=row["ungrounded_answer"].replace("Per Dahl", "Iva Holm")),
        "the ungrounded answer is not the answer with its facts swapped",
    ),
    "a swap that is not told": (
        lambda row, made: made["ungrounded_answer"].update(swapped=[]),
        "what is swapped is not what its answer states",
    ),
    "words besides facts": (
        lambda row, made: row.update(ungrounded_answer="He did. " + row["ungrounded_answer"]),
        "the ungrounded answer is not the answer with its facts swapped",
    ),
    "the incomplete answer is whole": (
        lambda row, made: row.update(poor_answer=row["answer"]),
        "its incomplete answer states '4 May 2021', which it is said to leave out",
    ),
    "it keeps nothing": (
        lambda row, made: row.update(poor_answer="Many people read it."),
        "its incomplete answer does not state 'Iva Holm', which it is said to keep",
    ),
    "nothing is left out": (
        lambda row, made: made["poor_answer"].update(left_out=[], kept=[FIRST, SECOND]),
        "what its incomplete answer leaves out and keeps is not what is asked",
    ),
    "a part that is not asked for": (
        lambda row, made: made["poor_answer"].update(left_out=["Where was it set?"]),
        "what its incomplete answer leaves out and keeps is not what is asked",
    ),
    "context_v2 lacks a sentence": (
        lambda row, made: row["context_v2"].__setitem__(2, "It was read widely."),
        "context_v2 without what was added is not context_v1",
    ),
    "an added sentence answers": (
        lambda row, made: row["context_v2"].__setitem__(4, "Iva Holm lives there."),
        "'Iva Holm lives there.' was added to context_v2, and states 'Iva Holm'",
    ),
    "an added sentence is its own": (
        lambda row, made: row["context_v2"].__setitem__(4, "It was set on Tarn Island."),
        "'It was set on Tarn Island.' was added to context_v2, and context_v1 has it",
    ),
    "added places that are not there": (
        lambda row, made: made["context_v2"].update(added=[1, 9]),
        "what was added to context_v2 is not in it",
    ),
    "a date that was swapped for itself in other words": (
        lambda row, made: (
            row.update(ungrounded_answer=row["ungrounded_answer"].replace("9 July 2019", "May 4, 2021"))
            or made["ungrounded_answer"]["swapped"][1].update(to="May 4, 2021")
        ),
        "'May 4, 2021' is '4 May 2021' in other words",
    ),
    "an added sentence stands first": (
        lambda row, made: (
            row["context_v2"].insert(0, row["context_v2"].pop(1)) or made["context_v2"].update(added=[0, 4])
        ),
        "context_v2 begins with a sentence that was added",
    ),
    "another number of sentences": (
        lambda row, made: made["context_v2"].update(sentences=6),
        "context_v2 has 5 sentences, and is said to have 6",
    ),
    "nothing is added": (
        lambda row, made: made["context_v2"].update({"added": [], "from": []}),
        "what was added to context_v2 is not",
    ),
    "contexts are one": (
        lambda row, made: row.update(context_v2=[TEXT]),
        "what was added to context_v2 is not in it",
    ),
    "another introduction": (
        lambda row, made: row.update(context_v1=[TEXT + " It was praised."]),
        "context_v1 is not the text of its document",
    ),
    "another source": (lambda row, made: row.update(source="https://wiki.example/2"), "its source is"),
    "another question": (lambda row, made: row.update(question="Who?"), "its question is not the one that"),
    "a candidate without provenance": (
        lambda row, made: made.pop("poor_answer"),
        "poor_answer is there, and its provenance says otherwise",
    ),
    "a provenance without its candidate": (
        lambda row, made: row.update(context_v2=[]),
        "context_v2 is empty, and its provenance says otherwise",
    ),
    "no answer": (
        lambda row, made: row.update(answer="") or made.pop("answer"),
        "it has no answer",
    ),
    "made in another way": (
        lambda row, made: made["answer"].update(how="magic"),
        "how answer was made is 'magic', and not one of rule, model",
    ),
    "a column that is not there": (
        lambda row, made: made.update(context_v3={"how": "rule"}),
        "its provenance tells of 'context_v3', which pairs do not have",
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_lies_are_found(lie: str) -> None:
    row, made = deepcopy(ROW), deepcopy(MADE)
    edit, expected = LIES[lie]
    edit(row, made)
    found = problems(row, made)
    assert any(expected in each for each in found), found


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (None, "there is no question with its id"),
        (Asked(ASKED.question, ("page-1",), None, ASKED.source), "its document page-1 is not in the corpus"),
        (Asked(ASKED.question, (), None, ASKED.source), "its question has 0 documents, and not one"),
    ],
)
def test_a_question_or_a_document_that_is_not_there(asked: Asked | None, expected: str) -> None:
    assert expected in problems(ROW, MADE, asked)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"answer": 1}'])
def test_a_provenance_that_cannot_be_read(text: str) -> None:
    assert read_provenance({**ROW, "provenance": text})[1].startswith("its provenance is no ")


@pytest.mark.parametrize(
    ("value", "other", "wanted"),
    [
        ("January 13, 2022", "13 January 2022", True),
        ("2022-01-13", "13 January 2022", True),
        ("14 January 2022", "13 January 2022", False),
        ("51770", "51,770", True),
        ("151,770", "51,770", False),
        ("1,200 metres", "1200 metres", True),
        ("1,200 feet", "1200 metres", False),
        ("iva  Holm", "Iva Holm", True),
        ("Iva Holmes", "Iva Holm", False),
    ],
)
def test_a_value_in_other_words(value: str, other: str, wanted: bool) -> None:
    assert is_same(value, other) is wanted


NEIGHBOURS = tuple(
    Neighbour((text,), "linking page", "Tarn Island", revision=7)
    for text in (
        "The library of Tarn Island holds a first edition of the book.",
        "A ferry goes from Tarn Island to the coast twice a day.",
    )
)
PASSAGE = Passage(
    "Marram Light",
    "Marram Light is a novel by Iva Holm. It was released on 4 May 2022, and is set on Tarn Island.",
    ASKED.source,
    NEIGHBOURS,
    {"id": 1, "revision": 5, "created": "2022-06-01T10:00:00Z", "edited": "2023-06-01T10:00:00Z"},
)


def parts(text: str = PASSAGE.text) -> PairParts:
    """A pair by rule."""
    found, reason = pair_by_rule(replace(PASSAGE, text=text), 0)
    assert found is not None, reason
    return found


def proved(folder: Path, pairs: list[PairParts], models: list[dict[str, Any]] | None = None) -> Verification:
    """What is found of a release of pairs."""
    writer = ReleaseWriter(folder)
    writer.documents(as_document(each.passage) for each in pairs)
    writer.questions([as_question(each) for each in pairs])
    writer.rows("pairs", [as_pair(each) for each in pairs], "test")
    writer.checks |= {"pairs_per_dimension": counts_of(pairs), "candidates_made": how_made(pairs)}
    writer.checks["context_sentences_from"] = count_origins(pairs)
    writer.texts["questions"] = {pairs[0].question.how: len(pairs)}
    writer.models += models or []
    facts = {**TOY_FACTS, "seed": 0, "parameters": {"since": "2022-01-01"}}
    writer.seal(writer.finish(**facts), "# card\n")
    found = Verification()
    run([pairs_proof(TOY_FACTS["builder_version"])], Material(Release.load(folder), found))
    return found


def test_a_release_is_proved_from_its_files(tmp_path: Path) -> None:
    found = proved(tmp_path, [parts()])
    assert found.problems == []
    assert found.proved[AGAIN] == found.proved[GROUNDED] == found.proved[SWAPPED] == 1 and found.proved[COUNTED] == 4


def test_a_pair_by_another_version_is_not_made_again(tmp_path: Path) -> None:
    found = Verification()
    proved(tmp_path, [parts()])
    run([pairs_proof("another")], Material(Release.load(tmp_path), found))
    assert found.problems == [] and not found.proved[AGAIN] and list(found.unchecked) == [NOT_AGAIN]


def test_a_model_writes_no_part_of_a_pair_by_rule(tmp_path: Path) -> None:
    whole = parts()
    assert whole.poor is not None
    by_model = replace(whole, poor=Made(whole.poor.text, "model", {"model": "m"}))
    found = proved(tmp_path, [by_model])
    name = as_question(whole).id
    assert [text for text in found.problems if text.startswith("pairs")] == [
        f"pairs: pair {name}: poor_answer is by the model 'm', which the manifest lacks",
        f"pairs: pair {name}: its question is by rule, and poor_answer by a model",
    ]
