"""Pairs whose preference is proved from what the release says of them, and lies that are found."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support import TOY_FACTS

from benchwright.benchmarks.releases.pairs import WITHOUT_PREFERENCE
from benchwright.benchmarks.releases.proofs.base import Material, Verification
from benchwright.benchmarks.releases.proofs.verify import run
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.builders.wikieval.material import Made, MadeContext, PairParts, Passage
from benchwright.builders.wikieval.prove_pairs import (
    BY_MODEL as MODELS,
)
from benchwright.builders.wikieval.prove_pairs import (
    GROUNDED,
    INCOMPLETE,
    OF_RUNS,
    PROOF,
    SOURCE,
    SWAPPED,
    WIDENED,
    Asked,
    pair_problems,
    read_provenance,
)
from benchwright.builders.wikieval.rows import as_document, as_pair, as_question

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
    "context_v2": {"how": "rule", "added": [1, 4], "sentences": 5},
}
BY_MODEL = {
    column: {"how": "model", "model": "m", **({"added": [ROW["context_v2"][1]]} if column == "context_v2" else {})}
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
    row = {**ROW, "context_v2": [TEXT.replace("It was set", f"{ROW['context_v2'][1]} It was set")]}
    proved: Counter[str] = Counter()
    assert list(pair_problems(row, BY_MODEL, ASKED, proved)) == []
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
    "nothing is added": (lambda row, made: made["context_v2"].update(added=[]), "what was added to context_v2 is not"),
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


def test_a_sentence_that_a_model_only_says_it_added_is_found() -> None:
    made = deepcopy(BY_MODEL)
    row = {**ROW, "context_v2": [TEXT]}
    assert problems(row, made) == ["context_v2 without what was added is not context_v1"]


def _made(column: str) -> Made:
    detail = {key: value for key, value in MADE[column].items() if key != "how"}
    return Made(ROW[column], "rule", detail)


PARTS = PairParts(
    Passage("Marram Light", TEXT, ASKED.source, metadata={"id": 1}),
    _made("question"),
    _made("answer"),
    _made("ungrounded_answer"),
    _made("poor_answer"),
    MadeContext(tuple(ROW["context_v2"]), "rule", {"added": [1, 4]}),
)


def proved(
    folder: Path,
    parts: list[PairParts],
    without: int = 0,
    checks: Mapping[str, Any] = {},
    models: list[dict[str, Any]] | None = None,
) -> Verification:
    """What is found of a release of pairs, of which the first ones are left out of the config `pairs`."""
    writer = ReleaseWriter(folder)
    writer.documents([as_document(parts[0].passage)])
    writer.questions([as_question(each) for each in parts])
    writer.rows("pairs", [as_pair(each) for each in parts[without:]], "test")
    writer.checks |= checks
    writer.models += models or []
    writer.seal(writer.finish(**TOY_FACTS), "# card\n")
    found = Verification()
    run([PROOF], Material(Release.load(folder), found))
    return found


def test_a_release_is_proved_from_its_files(tmp_path: Path) -> None:
    second = replace(PARTS, question=replace(PARTS.question, text="By whom and when was Marram Light made public?"))
    found = proved(tmp_path, [PARTS, second])
    assert found.problems == []
    assert found.proved == {SOURCE: 2, GROUNDED: 2, SWAPPED: 2, INCOMPLETE: 2, WIDENED: 2}


def test_a_question_without_a_pair_is_found(tmp_path: Path) -> None:
    second = replace(PARTS, question=replace(PARTS.question, text="By whom and when was Marram Light made public?"))
    found = proved(tmp_path, [second, PARTS], without=1)
    assert found.problems == [f"pairs: question {as_question(second).id} has no pair"]


def test_a_model_must_be_in_the_manifest(tmp_path: Path) -> None:
    by_model = replace(PARTS, poor=Made(ROW["poor_answer"], "model", {"model": "m"}))
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    found = proved(tmp_path / "a", [by_model])
    assert found.problems == [
        f"pairs: pair {as_question(PARTS).id}: poor_answer is by the model 'm', which the manifest lacks"
    ]
    found = proved(tmp_path / "b", [by_model], models=[{"role": "writer", "name": "m"}])
    assert (found.problems, found.unchecked[MODELS]) == ([], 1)


def test_pairs_of_two_runs_have_no_preference_to_prove(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    found = proved(tmp_path / "a", [PARTS], checks={WITHOUT_PREFERENCE: 1})
    assert (found.problems, found.unchecked[OF_RUNS]) == ([], 1)
    found = proved(tmp_path / "b", [PARTS], checks={WITHOUT_PREFERENCE: 2})
    assert found.problems == ["count: checks.pairs_without_preference is 2, and counted it is 1"]
