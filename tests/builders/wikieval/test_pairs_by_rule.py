"""Pairs by rule: a question with its grounded answer, and candidates that are worse by construction."""

from dataclasses import replace

import pytest

from benchwright.benchmarks.grounding.evidence import plain, states
from benchwright.builders.wiki.questions.dates import find_dates
from benchwright.builders.wikieval.material import Neighbour, PairParts, Passage
from benchwright.builders.wikieval.rules.by_rule import pair_by_rule, pool_of
from benchwright.builders.wikieval.rules.paper_rules import (
    ANSWERED,
    DIFFICULTY,
    LINK,
    POINTING,
    TRIVIAL,
    UNREADABLE,
    YES_OR_NO,
    broken_rules,
)
from benchwright.builders.wikieval.rules.questions import COMMON, NOTHING, find_facts
from benchwright.builders.wikieval.rules.swaps import swap

NEIGHBOURS = (
    "Odalind Farrow grew up beside the river and studied painting before she turned to films.",
    "The festival of Brackwater showed it on 12 May 2022 in a tent beside the harbour.",
    "Lantern Hill Pictures has made eleven films since it was set up by two brothers.",
    "In 2022 the same company opened a second studio in the old tram depot.",
    "a fragment without a beginning that goes on for quite a while",
    "Its score was played by the town's own orchestra over three nights.",
)
FILM = Passage(
    "The Glass Orchard",
    "The Glass Orchard is a drama film directed by Odalind Farrow. It was released on 12 May 2022. "
    "The film tells of two sisters who keep an orchard.",
    "https://wiki.example/The_Glass_Orchard",
    tuple(Neighbour((text,), "linking page", "Odalind Farrow") for text in NEIGHBOURS),
)
MUSEUM = Passage(
    "Brackwater Tram Museum",
    "The Brackwater Tram Museum is a museum of trams and their makers. It was opened in June 1985.",
    "https://wiki.example/Brackwater_Tram_Museum",
)
EVENT = Passage(
    "2023 Brackwater Council election",
    "The 2023 Brackwater Council election was held on 4 May 2023.",
    "https://wiki.example/2023",
)
PERSON = Passage(
    "Ilse Varn",
    "Ilse Varn (born 3 May 1970) is a Danish heiress. Her sisters live by the sea.",
    "https://wiki.example/Ilse_Varn",
)
PAGES = [FILM, MUSEUM, EVENT]


def pair_of(passage: Passage, seed: int = 1) -> PairParts:
    pair, reason = pair_by_rule(passage, seed)
    assert pair is not None, reason
    return pair


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("passage", PAGES, ids=lambda passage: passage.title)
def test_each_candidate_is_worse_by_construction(passage: Passage, seed: int) -> None:
    pair = pair_of(passage, seed)
    values = [fact["value"] for fact in pair.question.detail["facts"]]
    assert all(states([plain(pair.answer.text)], [value]) for value in values)
    assert broken_rules(pair.question.text, pair.answer.text, passage.text, values) == ()
    assert pair.ungrounded is not None
    swapped = pair.ungrounded.detail["swapped"]
    assert [one["from"] for one in swapped] == values
    assert all(not states([plain(passage.text)], [one["to"]]) for one in swapped)
    assert all(states([plain(pair.ungrounded.text)], [one["to"]]) for one in swapped)
    assert all(text[0].isupper() and text.endswith(".") for text in (pair.answer.text, pair.ungrounded.text))
    if pair.poor is None:
        assert passage is EVENT
        return
    left_out = set(pair.poor.detail["left_out"])
    untold = [fact["value"] for fact in pair.question.detail["facts"] if fact["question"] in left_out]
    assert untold and not any(states([plain(pair.poor.text)], [value]) for value in untold)
    assert pair.poor.text[0].isupper() and pair.poor.text.endswith(".")


def test_two_facts_are_asked_in_one_question_and_the_incomplete_answer_leaves_one_out() -> None:
    pair = pair_of(FILM)
    assert pair.poor is not None
    assert [fact["kind"] for fact in pair.question.detail["facts"]] in (["date", "person"], ["person", "date"])
    assert ", and " in pair.question.text and pair.question.text.count("?") == 1
    assert "Odalind Farrow directed" in pair.answer.text and "released on 12 May 2022." in pair.answer.text
    assert len(pair.poor.detail["kept"]) == len(pair.poor.detail["left_out"]) == 1


def test_an_incomplete_answer_to_one_question_says_what_the_subject_is() -> None:
    poor = pair_of(MUSEUM).poor
    assert poor is not None and poor.detail["kept"] == []
    assert poor.text == "The Brackwater Tram Museum is a museum of trams and their makers."


def test_an_incomplete_answer_to_a_question_for_a_day_tells_the_year() -> None:
    poor = pair_of(replace(MUSEUM, text=MUSEUM.text.replace("in June 1985", "on 8 June 1985"))).poor
    assert poor is not None and poor.text == "The Brackwater Tram Museum was opened in 1985."


def test_without_an_incomplete_answer_that_reads_well_there_is_none() -> None:
    assert pair_of(EVENT).poor is None


def test_the_year_in_an_events_name_is_kept() -> None:
    ungrounded = pair_of(EVENT).ungrounded
    assert ungrounded is not None
    (date,) = find_dates(ungrounded.detail["swapped"][0]["to"])
    assert date.first.year == 2023 and date.precision == "day"


@pytest.mark.parametrize("value", ["29 February 2020", "December 31, 2019", "2020-02-29", "February 2020", "1999"])
def test_a_date_moves_to_another_in_its_own_form(value: str) -> None:
    (film, dated), _ = find_facts(FILM)
    assert film.kind == "person"
    for seed in range(20):
        moved = swap([replace(dated, value=value)], f"It came on {value}. Others came in 2024.", seed)
        if value == "2020-02-29":  # without a month's name: such a fact is not asked for
            assert moved is None
            continue
        assert moved is not None
        (told,), (before,) = find_dates(moved[0]), find_dates(value)
        assert told.precision == before.precision and told.first != before.first
        assert told.end == len(moved[0])


def test_the_widened_context_holds_the_passage_in_order_and_sentences_that_do_not_answer() -> None:
    context = pair_of(FILM).context_v2
    assert context is not None
    added = [context.texts[place] for place in context.detail["added"]]
    own = [text for place, text in enumerate(context.texts) if place not in context.detail["added"]]
    assert " ".join(own) == FILM.text and context.texts[0] == own[0]
    assert added == [NEIGHBOURS[2]]


def test_a_passage_without_neighbours_has_no_widened_context() -> None:
    assert pair_of(replace(FILM, neighbours=())).context_v2 is None


@pytest.mark.parametrize(
    ("passage", "reason"),
    [
        (PERSON, COMMON),
        (replace(FILM, text="Two sisters keep an orchard."), NOTHING),
        (
            replace(FILM, title="Polling", text="Polling is a moth of the family Polyidae. Nothing is known of it."),
            NOTHING,
        ),
    ],
)
def test_a_passage_that_cannot_be_asked_about_says_why(passage: Passage, reason: str) -> None:
    assert pair_by_rule(passage, 1) == (None, reason)


def test_a_fact_without_another_of_its_kind_is_not_asked_for() -> None:
    facts, _ = find_facts(FILM)
    person = next(fact for fact in facts if fact.kind == "person")
    odd = replace(person, kind="name", question="By what other name is it known?")
    assert swap([odd], FILM.text, 1) is None


def test_answers_of_other_pages_are_taken_before_the_built_in_ones() -> None:
    other = replace(FILM, title="The Tin Harbour", text="The Tin Harbour is a drama film directed by Bertil Quist.")
    facts, _ = find_facts(FILM)
    pool = pool_of(find_facts(other)[0])
    person = next(fact for fact in facts if fact.kind == "person")
    assert swap([person], FILM.text, 1, pool) == ("Bertil Quist",)


def test_a_seed_gives_the_same_pair_again_and_seeds_differ() -> None:
    assert pair_of(FILM, 7) == pair_of(FILM, 7)
    assert len({made.text for seed in range(8) if (made := pair_of(FILM, seed).ungrounded)}) > 4


@pytest.mark.parametrize(
    ("question", "answer", "value", "rule"),
    [
        ("When was the film The Glass Orchard released?", "It was released on 3 June 2021.", "3 June 2021", ANSWERED),
        ("Who is Odalind Farrow who directed the film?", "It is Odalind Farrow.", "Odalind Farrow", TRIVIAL),
        ("When was the film released?", "On 12 May 2022, see https://wiki.example.", "12 May 2022", LINK),
        ("Who directed it?", "The film is by Odalind Farrow.", "Odalind Farrow", DIFFICULTY),
        ("Was the film released in May?", "It was released on 12 May 2022.", "12 May 2022", YES_OR_NO),
        ("Tell me when it was released in 2022.", "It was released on 12 May 2022.", "12 May 2022", UNREADABLE),
        ("When was the film released? By whom?", "It was released on 12 May 2022.", "12 May 2022", UNREADABLE),
        ("According to the given context, who made it?", "It is by Odalind Farrow.", "Odalind Farrow", POINTING),
        ("Who directed the film, as the passage says?", "It is by Odalind Farrow.", "Odalind Farrow", POINTING),
    ],
)
def test_a_question_that_breaks_one_of_the_six_rules_is_found(
    question: str, answer: str, value: str, rule: str
) -> None:
    assert broken_rules(question, answer, FILM.text, [value]) == (rule,)
