"""How questions name their subject: qualifiers worded in, descriptions, other pages of the same name, and what they tell."""

import pytest

from benchwright.builders.wiki.pages import Article, Page
from benchwright.builders.wiki.questions.guessing import is_guessable
from benchwright.builders.wiki.questions.naming import is_told_apart
from benchwright.builders.wiki.questions.questions_by_rule import ask_by_rule
from benchwright.builders.wiki.questions.subjects import read_subject
from benchwright.builders.wiki.text.page import read_article


def article(text: str, title: str, *namesakes: str) -> Article:
    return read_article(Page(1, title, "", 1, "2023-01-01T00:00:00Z", "0" * 40, text, namesakes))


def told(text: str, title: str, *namesakes: str) -> list[tuple[str, str]]:
    return [(one.question, one.answer) for one in ask_by_rule(article(text, title, *namesakes)).asked]


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("Ada Moor", "Ada Moor is a Norwegian film director and producer.", "the Norwegian film director Ada Moor"),
        ("Ada Moor", "Ada Moor is a former American professional football running back for the Vik Kings.",
         "the American football running back Ada Moor"),
        ("Ada Moor", "Ada Moor (born 3 May 1980) is a Fijian politician serving as a senator.", "the Fijian politician Ada Moor"),
        ("Ada Moor", "Ada Moor is a well-known stage, film and television actor.", "the stage, film and television actor Ada Moor"),
        ("Ada Moor", "Ada Moor is an American young adult writer.", "the American young adult writer Ada Moor"),
        ("Ada Moor", "Ada Moor was an Indian Politician.", "the Indian politician Ada Moor"),
        ("Ada Moor", "Ada Moor (1800–1870) was the first wife of Ben Tal.", None),
        ("Ada Moor", "Ada Moor (born 1957) is the pseudonym of a Norwegian writer.", None),
        ("Ada Moor (footballer, born 1993)", "Ada Moor (born 3 May 1993) is a Norwegian footballer.",
         "the Norwegian footballer Ada Moor (born 1993)"),
        ("Ada Moor (rower)", "Ada Moor is a Norwegian rower and teacher.", "the Norwegian rower Ada Moor"),
        ("Ada Moor (Oslo politician)", "Ada Moor is a Norwegian politician.", "the Oslo politician Ada Moor"),
        ("Ada Moor (field hockey)", "Ada Moor is a Norwegian field hockey player.", "the Norwegian field hockey player Ada Moor"),
        ("Tide (2022 film)", "Tide is a 2022 Norwegian drama film directed by Ada Moor.", "the 2022 film Tide"),
        ("Tide (Gull song)", "Tide is a song by Gull from their first album.", "the Gull song Tide"),
        ("Tide (album)", "Tide is the second studio album by Gull.", "the album Tide by Gull"),
        ("Tide (song)", "Tide is a song written by Ben Tal and recorded by Gull.", "the song Tide by Gull"),
        ("Tide", "Tide is a 2022 Norwegian drama film.", "the 2022 film Tide"),
        ("The Long Tide", "The Long Tide is a Norwegian television series. It rains long.", "the Norwegian television series The Long Tide"),
        ("Ministry of Tides (Norway)", "The Ministry of Tides is a ministry of Norway.", "the Ministry of Tides in Norway"),
        ("Gull Bridge (Ohio)", "The Gull Bridge is a bridge in Vik, Ohio.", "the Gull Bridge in Ohio"),
        ("Vik (Glomma)", "The Vik is a river in Norway.", None),
        ("Line 9 (Vik Metro)", "Line 9 is a metro line.", None),
        ("Holm (Vik District)", "Holm is a village in Norway.", "the village of Holm in Vik District"),
        ("Storm Ada", "Storm Ada was an intense cyclone.", "Storm Ada"),
        ("Kestrel Park", "Kestrel Park is a Norwegian rock band.", "the Norwegian rock band Kestrel Park"),
        ("Holm, Ohio", "Holm is a village in Vik County, Ohio.", "Holm, Ohio"),
        ("Holm", "Holm is a village in Vik, Norway.", "the village of Holm in Vik"),
        ("Gull Arts", "Gull Arts is a small software company based in Oslo.", "the software company Gull Arts"),
        ("Foobara minor", "Foobara minor is a species of moth.", "the species Foobara minor"),
        ("Statue of Ada Moor", "The Statue of Ada Moor is a statue in Oslo.", "the Statue of Ada Moor"),
        ("2023 Vik Open", "The 2023 Vik Open was a tennis tournament.", "the 2023 Vik Open"),
        ("Medieval Institute", "The Medieval Institute is a research institute in Vik. It is a medieval place.", "the Medieval Institute in Vik"),
        ("IGull 9", "The iGull 9 is a Norwegian telephone.", "the Norwegian telephone iGull 9"),
        ("Dome (Q9 thing)", "Dome is a dome.", None),
        ("Ada Moor", "Ada Moor was a British expedition leader, writer and presenter.", None),
        ("Ada Moor", "Ada Moor was the General manager of Vik Railways.", None),
        ("Gull Aid (Norway)", "Gull Aid is a large health charity.", "the health charity Gull Aid in Norway"),
        ("Gull Aid", "Gull Aid is a Norwegian health.", None),
        ("Tide", "Tide is a drama film directed by Ada Moor.", None),  # several are called so
        ("Tide Over", "Tide Over is a novel published by Gull Press.", None),  # nor is a publisher its author
        ("Vik coins", "The Vik coins were a series of coins.", "the Vik coins"),
    ],
)  # fmt: skip
def test_a_subject_is_named(title: str, text: str, expected: str | None) -> None:
    subject = read_subject(article(text, title))
    assert (subject.names[0] if subject.names else None) == expected
    assert bool(subject.problem) == (expected is None)


@pytest.mark.parametrize(
    ("naming", "name", "other", "expected"),
    [
        ("the Norwegian engineer Ada Moor", "Ada Moor", "Ada Moor (footballer)", True),
        ("the Norwegian footballer Ada Moor", "Ada Moor", "Ada Moor (footballer)", False),
        ("the Norwegian footballer Ada Moor", "Ada Moor", "Ada Moor (footballer, born 1993)", False),
        ("the Norwegian footballer Ada Moor (born 1990)", "Ada Moor", "Ada Moor (footballer, born 1993)", True),
        ("the film Tide", "Tide", "Tide (2022 film)", False),
        ("the 2019 film Tide", "Tide", "Tide (2022 film)", True),
        ("the film Tide", "Tide", "Tide (song)", True),
        ("the song Tide by Gull", "Tide", "Tide (Kestrel song)", True),
        ("the song Tide by Gull", "Tide", "Tide (Gull song)", False),
        ("the Norwegian footballer Ada Moor", "Ada Moor", "Ada Moor", True),
        ("Holm", "Holm", "Holm, Ohio", False),
        ("the village of Holm in Vik", "Holm", "Holm, Ohio", True),
        ("the Norwegian film director Ada Moor", "Ada Moor", "Ada Moor (disambiguation)", True),
        ("Ada Moor", "Ada Moor", "Ada Moor (Begriffsklärung)", False),
    ],
)  # fmt: skip
def test_a_naming_tells_apart(naming: str, name: str, other: str, expected: bool) -> None:
    assert is_told_apart(naming, name, other) is expected


def test_a_shared_name_that_nothing_tells_apart_is_not_asked_about() -> None:
    text = "Ada Moor is a Norwegian footballer. She was born in Bergen. In 2021, she joined Vik Rovers."
    assert told(text, "Ada Moor", "Ada Moor (engineer)")[0] == (
        "Where was the Norwegian footballer Ada Moor born?",
        "Bergen",
    )
    found = ask_by_rule(article(text, "Ada Moor", "Ada Moor (engineer)", "Ada Moor (footballer, born 1993)"))
    assert found.asked == ()
    assert {one.reason for one in found.rejected} == {"its name is shared, and nothing tells it apart"}


@pytest.mark.parametrize(
    ("question", "title", "answer", "kind", "expected"),
    [
        ("Where is the Karachi Fever Hospital?", "Karachi Fever Hospital", "Pakistan", "place", True),
        ("Where is the Karachi Fever Hospital?", "Karachi Fever Hospital", "Karachi, Pakistan", "place", True),
        ("Where is the Norwegian School of Fever?", "Norwegian School of Fever", "Oslo, Norway", "place", False),
        ("Where is the Bergenian Hall?", "Bergenian Hall", "Bergen", "place", True),
        ("Where is Mount Ada in Ohio?", "Mount Ada (Ohio)", "Gull County", "place", True),
        ("Where is Vik, Ohio?", "Vik, Ohio", "Gull County", "place", True),
        ("How many halls does the Gull Hall have?", "Gull Hall", "two", "number", True),
        ("When did Ada Moor swim at the Olympics?", "Ada Moor", "2022", "date", True),
        ("Who described the species Foobara talii?", "Foobara talii", "Ben Tal", "person", False),
        ("Who described the species Foobara kestreli?", "Foobara kestreli", "Ada Kestrel", "person", True),
        ("Who founded Moor Mills?", "Moor Mills", "Ada Moor", "person", True),
        ("Who developed the GWT Kit?", "GWT Kit", "Gull Web Tools", "organisation", True),
        ("By what other name is Jo-sun known?", "Jo-sun", "Josun", "name", True),
        ("When was the 2022 film Tide released?", "Tide (2022 film)", "2022", "date", True),
        ("When was the 2022 film Tide released?", "Tide (2022 film)", "4 May 2022", "date", False),
        ("When was the footballer Ada Moor (born 1993) born?", "Ada Moor (footballer, born 1993)", "3 May 1993", "date", True),
        ("When did the footballer Ada Moor (born 1993) join Vik?", "Ada Moor (footballer, born 1993)", "2020", "date", False),
    ],
)  # fmt: skip
def test_a_name_that_tells_the_answer(question: str, title: str, answer: str, kind: str, expected: bool) -> None:
    assert is_guessable(question, title, answer, kind) is expected  # type: ignore[arg-type]


def test_another_naming_is_taken_where_one_tells_the_answer() -> None:
    text = "Tide is an album by the Norwegian band Gull, released on 4 May 2023."
    assert told(text, "Tide (album)") == [
        ("Which artist made the album Tide?", "Gull"),
        ("When was the album Tide by Gull released?", "4 May 2023"),
    ]
