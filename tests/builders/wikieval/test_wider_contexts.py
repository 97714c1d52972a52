"""Contexts that are wider than they need be: which sentences may stand in them, where, and what is said of them."""

from dataclasses import replace

import pytest

from benchwright.benchmarks.grounding.evidence import plain
from benchwright.builders.wiki.pages import Article, Page, Section
from benchwright.builders.wikieval.contexts import wider_sentences as wider
from benchwright.builders.wikieval.contexts.leaning import leans, leans_only_on
from benchwright.builders.wikieval.contexts.wider_contexts import FEWEST, NEAR, count_origins, mix, widen
from benchwright.builders.wikieval.material import Made, Neighbour, Origin, PairParts, Passage
from benchwright.builders.wikieval.models import candidate_checks as checks
from benchwright.builders.wikieval.sources.other_pages import OtherPages
from benchwright.builders.wikieval.sources.page_neighbours import neighbours_in

TEXT = (
    "The Halden Lights is a festival of lanterns in Halden. The first one was opened by Mira Sand on 4 May 2022. "
    "About 12,000 people came to the harbour, and five bridges were lit. It was held again in June 2023."
)
PASSAGE = Passage("Halden Lights", TEXT, "https://wiki.example/Halden_Lights")
WHO = "Who opened the first Halden Lights, and on which day?"
ANSWER = "Mira Sand opened the first Halden Lights on 4 May 2022."


@pytest.mark.parametrize(
    ("sentence", "problem"),
    [
        ("Halden is a small town with a river.", ""),
        ("Lanterns of paper have long been made in Norway.", ""),
        ("The first festival was opened by Mira Sand.", wider.IN_TEXT),
        ("The Halden Lights was opened by a painter named Mira Bergman.", wider.TELLS),
        ("Snow fell on the hills in that winter.", wider.ELSEWHERE),
        ("Halden is small. It has a river.", wider.NOT_SENTENCE),
        ("It stands on a hill above Halden.", wider.LEANS),
        ("The town of lanterns has a river as well.", wider.LEANS),
        ("In that year Halden had a new mayor.", wider.LEANS),
        ("A small town.", wider.NOT_SENTENCE),
        ("Is Halden a small town with a river?", wider.NOT_SENTENCE),
        ("Halden (a town has a river.", wider.NOT_SENTENCE),
        ("More about the town of Halden is at www.halden.example now.", checks.LINK),
        ("Halden" + " and Moor" * 60 + " are towns.", wider.LONG),
    ],
)
def test_sentences_that_widen_a_context_do_not_answer(sentence: str, problem: str) -> None:
    assert wider.new_sentence_problem(sentence, [ANSWER], WHO, PASSAGE) == problem


def test_sentences_beside_an_answer_without_names_or_figures() -> None:
    answer, asked = ["The harbour was crowded and loud."], "How was it in Halden?"
    assert wider.sentence_problem("Halden has a loud and crowded street.", answer, asked, PASSAGE) == wider.TELLS
    assert wider.sentence_problem("Halden has a harbour for small boats.", answer, asked, PASSAGE) == ""


@pytest.mark.parametrize(
    ("value", "sentence", "is_told"),
    [
        ("13 January 2022", "The ship left on January 13, 2022.", True),
        ("13 January 2022", "The ship left on 2022-01-13.", True),
        ("13 January 2022", "The ship left on 13/01/2022.", True),
        ("13 January 2022", "The ship left on the 13th of January 2022.", True),
        ("13 January 2022", "The ship left on 13 Jan 2022.", True),
        ("13 January 2022", "The ship left in January 2022.", True),
        ("13 January 2022", "The ship left in early 2022.", True),
        ("2022", "The ship left on 13 January 2022.", True),
        ("13 January 2022", "The ship left on 14 January 2022 with 13 people.", False),
        ("13 January 2022", "The ship left in January 1950.", False),
        ("51,770", "About 51770 people came.", True),
        ("51,770", "About 51 770 people came.", True),
        ("51,770", "About 51,771 people came.", False),
        ("thirty", "The 30 people came.", True),
        ("$123 million", "It cost 123,000,000 dollars.", True),
        ("4.2 million", "It cost 4,200,000 crowns.", True),
        ("Odalind Farrow", "The prize went to Farrow.", True),
        ("Odalind Farrow", "The prize went to O. Farrow.", True),
        ("Odalind Farrow", "The prize went to Bertil Quist.", False),
        ("the Ashgrave rope factory", "It was a factory for rope.", True),
        ("Eskarra, Ostrine", "It was in Eskarra.", True),
        ("a rope factory", "Workers of the factory wound rope.", True),
        ("a rope factory", "Workers of the brewery sang.", False),
    ],
)
def test_the_same_value_in_other_words_is_told(value: str, sentence: str, is_told: bool) -> None:
    assert wider.tells(sentence, value, "When did it happen?", "Ostrine") is is_told


def test_what_question_and_title_tell_is_not_told_by_a_sentence() -> None:
    asked = "On which day was the 2023 Moor election held?"
    assert not wider.tells("In 2023 the town of Moor had a new mayor.", "4 May 2023", asked, "2023 Moor election")
    assert wider.tells("In May 2023 the town of Moor had a new mayor.", "4 May 2023", asked, "2023 Moor election")


@pytest.mark.parametrize(
    ("sentence", "is_leaning"),
    [
        ("Moor observatory is an observatory above Moor; it was opened on 3 May 1990.", False),
        ("The Moor bridge was opened in 1990.", False),
        ("The roof of Moor Hall was damaged, but its books stayed dry.", False),
        ("The band Queen came to Moor.", False),
        ("As of 2023, Denmark has won twice.", False),
        ("Ada Farrow grew up in Moor before she left.", False),
        ("A ferry crosses the Lisk, and it sank twice.", False),
        ("It was opened in 1990.", True),
        ("Her crew came from Moor.", True),
        ("On 3 March 2023 her crew left Moor.", True),
        ("At its northern end passengers change for Moor Hall.", True),
        ("The bridge was opened by Ada Farrow.", True),
        ("In 2025 the observatory joined Moor Hall.", True),
        ("The coalition's programme promised to restore Moor Hall.", True),
        ("On 30 April 1979 the choir of the theatre sang in Moor Hall.", True),
        ("In that year, Ada Farrow left Moor.", True),
        ("In the same year, Ada Farrow left Moor.", True),
        ("Two years later, Ada Farrow left Moor.", True),
        ("After his election, Ada Farrow left Moor.", True),
        ("After the match, Ada Farrow left Moor.", True),
        ("However, Ada Farrow left Moor.", True),
        ("Ada Farrow also left Moor.", True),
        ("The first was Ada Farrow of Moor.", True),
        ("Filming began in Moor in May.", True),
        ("Turnout was 77 per cent in Moor.", True),
    ],
)
def test_what_leans_on_the_sentences_before_it(sentence: str, is_leaning: bool) -> None:
    assert leans(sentence, "A team from Denmark came.") is is_leaning


def test_a_mention_is_understood_after_what_introduces_it() -> None:
    first = "Moor observatory is an observatory in Moor."
    assert leans_only_on("In 2025 the observatory joined a network with Ashgrave ship.", first)
    assert not leans_only_on("In 2025 the theatre joined a network with Ashgrave ship.", first)
    assert not leans_only_on("In that year the observatory joined a network.", first)


LINKING = (
    "Moor lighthouse is a lighthouse near Moor. Its tower is tall and white. Moor lighthouse has a keeper.\n\n"
    "A walk leads from the lighthouse to the Halden Lights. The roof of Halden Lights hall was damaged. "
    "She saw the Halden Lights twice. The coalition promised to restore Halden Lights. Halden Lightship is a ship."
)


def linking(text: str = LINKING, title: str = "Moor lighthouse") -> Article:
    end = text.find("\n\n")
    return Article(Page(3, title, "", 77, "", "", ""), text, (Section("", 0, 0, end), Section("A", 2, end, len(text))))


def test_sentences_of_a_linking_page_that_name_the_page_come_before_those_that_introduce_it() -> None:
    first = "Moor lighthouse is a lighthouse near Moor."
    found = neighbours_in(linking(), "Halden Lights (festival)", "linking page")
    assert [(one.sentences, one.names_it) for one in found] == [
        ((first, "A walk leads from the lighthouse to the Halden Lights."), True),
        (("The roof of Halden Lights hall was damaged.",), True),
        ((first,), False),
        (("Moor lighthouse has a keeper.",), False),
    ]
    assert found[0].as_row() == {"from": "linking page", "title": "Moor lighthouse", "revision": 77}


def test_a_linking_page_without_an_introduction_gives_what_stands_by_itself() -> None:
    text = LINKING.replace("Moor lighthouse is", "The tower is").replace("Moor lighthouse has", "It has")
    (found,) = neighbours_in(linking(text), "Halden Lights", "linking page")
    assert found.sentences == ("The roof of Halden Lights hall was damaged.",)


def beside(origin: Origin, count: int = 1, names_it: bool = False) -> tuple[Neighbour, ...]:
    said = "Halden has a" if names_it else "Moor has a"
    return tuple(
        Neighbour((f"{said} {'very ' * number}{origin} street.",), origin, "Moor", names_it, 5)
        for number in range(count)
    )


def test_linking_pages_come_first_then_linked_ones_then_others() -> None:
    everything = (*beside("other page", 9), *beside("linked page", 2), *beside("linking page", 9))

    def origins(*neighbours: Neighbour, only: tuple[Origin, ...] = (*NEAR, "linked page", "other page")) -> list[str]:
        context = widen(replace(PASSAGE, neighbours=neighbours), WHO, [ANSWER], 1, origins=only)
        return [] if context is None else sorted(row["from"] for row in context.detail["from"])

    assert origins(*everything) == ["linking page"] * 4  # as many as the passage has
    assert origins(*everything[:11]) == ["linked page"] * 2 + ["other page"]
    assert origins(*everything[:12]) == ["linked page"] * 2 + ["linking page"] and FEWEST == 3
    assert origins(*everything[:11], only=NEAR) == []
    assert origins(*beside("same document", 9)) == ["same document"] * 4
    named = (*beside("linking page", 9), *beside("linking page", 4, names_it=True))
    context = widen(replace(PASSAGE, neighbours=named), WHO, [ANSWER], 1)
    assert context is not None
    assert all(context.texts[place].startswith("Halden") for place in context.detail["added"])


def test_a_wider_context_tells_where_each_sentence_is_from() -> None:
    run = Neighbour(("Moor hall is a hall.", "In 1990 the hall was sold."), "linking page", "Moor hall", True, 8)
    other = Neighbour(("Moor has a school for 30 pupils.",), "same document", "Moor > School", file="moor.md")
    telling = Neighbour(("Moor hall is a barn.", "Mira Sand saw it burn."), "linking page", "Moor hall", True, 8)
    passage = replace(PASSAGE, neighbours=(run, other, telling))
    context = widen(passage, WHO, [ANSWER], 3)
    assert context is not None and context.how == "rule"
    said = {
        context.texts[place]: row for place, row in zip(context.detail["added"], context.detail["from"], strict=True)
    }
    row = {"from": "linking page", "title": "Moor hall", "revision": 8}
    assert said == {
        **dict.fromkeys(run.sentences, row),
        other.sentences[0]: {"from": "same document", "title": "Moor > School", "file": "moor.md"},
    }
    assert context.texts.index(run.sentences[1]) == context.texts.index(run.sentences[0]) + 1
    rest = [text for place, text in enumerate(context.texts) if place not in context.detail["added"]]
    assert plain(" ".join(rest)) == plain(TEXT) and context.detail["sentences"] == len(context.texts) == 7
    made = pair_of(passage, seed=3)
    assert count_origins([made, replace(made, context_v2=None)]) == {"linking page": 2, "same document": 1}
    by_model = mix(passage, [("Moor is a town.",)], 1, "model", {"model": "one"})
    assert count_origins([replace(made, context_v2=by_model)]) == {"model": 1}


def pair_of(passage: Passage, seed: int) -> PairParts:

    made = Made(WHO, "rule")
    return PairParts(passage, made, made, context_v2=widen(passage, WHO, [ANSWER], seed))


def test_no_sentence_stands_before_one_that_leans_on_what_was_said() -> None:
    text = "Halden is a town. It has a river. Lanterns hang in Halden. The lanterns are red."
    own = ["Halden is a town.", "It has a river.", "Lanterns hang in Halden.", "The lanterns are red."]
    added = [f"Halden has a street number {number}." for number in range(9)]
    mixed = mix(Passage("Halden", text, "a"), [(each,) for each in added], 1, "rule", {}).texts
    assert [mixed[mixed.index(own[place]) + 1] == own[place + 1] for place in (0, 1, 2)] == [True, False, True]
    assert [each for each in mixed if each in own] == own and sorted(each for each in mixed if each not in own) == added


def test_what_names_the_page_of_times_before_it_is_taken_last() -> None:
    older = Neighbour(("In 1977 a choir sang at the Halden Lights.",), "linking page", "Moor opera", True)
    newer = Neighbour(("In 2024 a choir sang at the Halden Lights.",), "linking page", "Moor opera", True)
    for others, is_taken in ((beside("other page", 9), False), (beside("other page", 2), True)):
        context = widen(replace(PASSAGE, neighbours=(older, *others)), WHO, [ANSWER], 1)
        assert context is not None and (older.sentences[0] in context.texts) is is_taken
    context = widen(replace(PASSAGE, neighbours=(newer, *beside("other page", 9))), WHO, [ANSWER], 1)
    assert context is not None and newer.sentences[0] in context.texts


def page(title: str, text: str, **metadata: int) -> Passage:
    return Passage(title, text, title, metadata=metadata)


def test_other_pages_are_of_the_same_kind() -> None:
    pages = [
        page("Moor bridge", "Moor bridge carries a road. It is long.", revision=1),
        page("Lisk bridge", "Lisk bridge carries the road to Lisk. It is short.", revision=2),
        page("Wend bridge", "It carries the road to Wend.", revision=3),
        page("Ada Farrow", "Ada Farrow (born 3 May 1970) is a painter. She lives in Moor.", revision=4),
        page("Odo Quist", "Odo Quist is a Danish painter. He lives in Moor.", revision=5),
        page("The Glass Orchard", "The Glass Orchard is a 2022 film by Ada Farrow. It is long.", revision=6),
        page("Tin", "Tin is a 2023 film by Odo Quist. It is short.", revision=7),
        page("Leave > Holidays", "Whoever works here has leave. It is long."),
    ]
    others = OtherPages(pages)
    found = {each.title: [one.as_row() for one in others.beside(each, 1)] for each in pages}
    of = {each.title: {"from": "other page", "title": each.title, **each.metadata} for each in pages}
    assert found == {
        "Moor bridge": [of["Lisk bridge"]],
        "Lisk bridge": [of["Moor bridge"]],
        "Wend bridge": found["Wend bridge"],
        "Ada Farrow": [of["Odo Quist"]],
        "Odo Quist": [of["Ada Farrow"]],
        "The Glass Orchard": [of["Tin"]],
        "Tin": [of["The Glass Orchard"]],
        "Leave > Holidays": [],
    }
    assert len(found["Wend bridge"]) == 2
