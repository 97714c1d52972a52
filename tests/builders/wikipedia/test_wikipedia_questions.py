"""Questions by rules: what is asked of which sentence, what is not and why, and what comes of real articles."""

from datetime import date
from pathlib import Path

import pytest

from benchwright.builders.wiki.pages import Article, Page
from benchwright.builders.wiki.questions.article_questions import ArticleQuestion
from benchwright.builders.wiki.questions.fact_dates import is_after
from benchwright.builders.wiki.questions.questions_by_rule import ask_by_rule, choose, counted, holds_answer
from benchwright.builders.wiki.questions.subjects import read_subject, split_sentences
from benchwright.builders.wiki.questions.vocabulary import rules, verbs
from benchwright.builders.wiki.text.page import read_article
from benchwright.scripts.measure import wikipedia_questions

CUTOFF = date(2021, 10, 1)
PERSON = """'''Ada Moor''' (born 3 May 1980) is a Norwegian film director. She was born in Bergen, Norway. In 2004, she graduated from Holm College. She joined Kestrel Pictures in March 2010 as a cutter.
== Career ==
Moor won the Amanda Award in 2022. Her brother is a painter. Moor directed 12 films for Lantern Studios. Ben Tal married her in 2011.
"""
FILM = """{{Infobox film
| director = [[Ada Moor]]
| producer = {{ubl|Ben Tal|Cy Orr}}
| music = Gil Hart
| released = {{start date|2023|5|4|df=y}}
| runtime = 104 minutes
}}
'''''The Tide''''' is a 2023 Norwegian drama film written by Dee Fane. The film premiered on 18 February 2023, at a festival. It was shot in 2021 and 2022.
"""


def article(text: str, title: str, number: int = 1) -> Article:
    return read_article(Page(number, title, "2023-01-01T00:00:00Z", 1, "2023-01-01T00:00:00Z", "0" * 40, text))


def told(text: str, title: str) -> list[tuple[str, str, str]]:
    return [(one.question, one.answer, one.answer_kind) for one in ask_by_rule(article(text, title)).asked]


ADA = "the Norwegian film director Ada Moor"


def test_of_a_person() -> None:
    about = article(PERSON, "Ada Moor (director)")
    found = ask_by_rule(about)
    assert [(one.question, one.answer, one.answer_kind, one.fact_date, one.dated_by) for one in found.asked] == [
        (f"When was {ADA} born?", "3 May 1980", "date", "1980-05-03", "answer"),
        (f"Where was {ADA} born?", "Bergen, Norway", "place", None, ""),
        (f"Which institution did {ADA} graduate from in 2004?", "Holm College", "organisation", "2004-01-01/2004-12-31", "sentence"),
        (f"When did {ADA} graduate from Holm College?", "2004", "date", "2004-01-01/2004-12-31", "answer"),
        (f"Which organisation or group did {ADA} join in March 2010?", "Kestrel Pictures", "organisation", "2010-03-01/2010-03-31", "sentence"),
        (f"When did {ADA} join Kestrel Pictures?", "March 2010", "date", "2010-03-01/2010-03-31", "answer"),
        (f"Which award or title did {ADA} win in 2022?", "Amanda Award", "name", "2022-01-01/2022-12-31", "sentence"),
        (f"When did {ADA} win the Amanda Award?", "2022", "date", "2022-01-01/2022-12-31", "answer"),
        (f"How many films did {ADA} direct for Lantern Studios?", "12", "number", None, ""),
    ]  # fmt: skip
    assert found.asked[1] == ArticleQuestion(
        1, f"Where was {ADA} born?", "Bergen, Norway", ("Bergen",), "place", 57, 88, "rule"
    )
    assert about.text[57:88] == "She was born in Bergen, Norway."
    assert counted(found.rejected) == {"it is not clear that it is about the subject": 1}


def test_rows_of_other_things_are_no_facts_of_the_subject() -> None:
    rows = "\n{{Some road|opened=1903|length=5 km}}\n{{Some record|released=4 May 2021|artist=Gil Hart}}\n"
    about = article(FILM + "== Roads ==" + rows, "The Tide (2023 film)")
    assert "Opened: 1903; Length: 5 km\nReleased: 4 May 2021; Artist: Gil Hart" in about.text
    assert told(FILM + "== Roads ==" + rows, "The Tide (2023 film)") == told(FILM, "The Tide (2023 film)")


def test_of_a_film() -> None:
    assert told(FILM, "The Tide (2023 film)") == [
        ("Who wrote the 2023 film The Tide?", "Dee Fane", "person"),
        ("When did the 2023 film The Tide premiere?", "18 February 2023", "date"),
        ("Who directed the 2023 film The Tide?", "Ada Moor", "person"),
        ("Who composed the music of the 2023 film The Tide?", "Gil Hart", "person"),
        ("When was the 2023 film The Tide released?", "4 May 2023", "date"),
        ("What is the running time of the 2023 film The Tide?", "104 minutes", "number"),
    ]
    rejected = ask_by_rule(article(FILM, "The Tide (2023 film)")).rejected
    assert [(one.question, one.reason) for one in rejected] == [
        ("In which year was the 2023 film The Tide released?", "the subject's name tells the answer"),
        ("When was the 2023 film The Tide shot?", "what follows the date may belong to it"),
        ("Who produced the 2023 film The Tide?", "there are several values"),
    ]


@pytest.mark.parametrize(
    ("text", "title", "expected"),
    [
        ("Holm is a village in Vik, Norway. As of 2020, it has a population of 1,183.", "Holm, Vik",
         [("What was the population of Holm, Vik as of 2020?", "1,183")]),
        ("Holm is a village in Vik, Norway. As of 2020, it has a population of 1,183.", "Holm",
         [("What was the population of the village of Holm in Vik as of 2020?", "1,183")]),
        ("Kestrel is a software company based in Oslo, Norway. It was founded in 2022 by Ada Moor.", "Kestrel",
         [("Where is the software company Kestrel based?", "Oslo, Norway"), ("Who founded the software company Kestrel?", "Ada Moor"),
          ("When was the software company Kestrel founded?", "2022")]),
        ("Tide is an album by the Norwegian band Gull, released on 4 May 2023.", "Tide (album)",
         [("Which artist made the album Tide?", "Gull"), ("When was the album Tide by Gull released?", "4 May 2023")]),
        ("Foobara is a genus of moths in the family Noctuidae. It was described by Ben Tal in 1903.", "Foobara",
         [("Which family does the genus Foobara belong to?", "Noctuidae"), ("Who described the genus Foobara?", "Ben Tal"),
          ("When was the genus Foobara described by Ben Tal?", "1903")]),
        ("The 2023 Vik Open was a tennis tournament held at Gull Hall in May.", "2023 Vik Open",
         [("Where did the 2023 Vik Open take place?", "Gull Hall")]),
        ("Gull FM is a radio station owned by broadcaster Ben Tal, who lives.", "Gull FM", [("Who owns the radio station Gull FM?", "Ben Tal")]),
        ("Ben Tal (1 May 1900 – 2 June 1980) was a painter.", "Ben Tal",
         [("When did the painter Ben Tal die?", "2 June 1980"), ("When was the painter Ben Tal born?", "1 May 1900")]),
        ("Ada Moor is a director. Moor married Ben Tal and Cy Orr.", "Ada Moor", []),
        ("Ben Tal is a painter. He returned in 2021.", "Ben Tal", []),
        ("Ben Tal is a painter. In 2021, it was said.", "Ben Tal", []),
        ("Ben Tal is a painter. Cy Orr left in 2020. He moved to Oslo in 2021.", "Ben Tal", []),
        ("Tide is a film. It was released in 2020. It was released in 2022.", "Tide", []),
        ("The list has 5 towers. It was made in 2020.", "List of towers", []),
        ("", "Foo", []),
    ],
)  # fmt: skip
def test_what_is_asked(text: str, title: str, expected: list[tuple[str, str]]) -> None:
    assert [(question, answer) for question, answer, _ in told(text, title)] == expected


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("Moor joined it in 2020.", "it refers to something else"),
        ("Moor joined Vik, a club, in 2020.", "its clause is not simple"),
        ("Moor joined Vik in 2020 World Games.", "what follows the date may belong to it"),
        ("Moor yodelled at Vik in 2020.", "its verb is not known"),
        ("Moor was thanked in 2020.", "its verb is not known"),
        ("Moor was named in 2020.", "its clause is not whole"),
        ("In 2020, Moor joined the 2. divisjon with Vik.", "its clause is not whole"),
        ("In 2020, Moor joined a label, Gull Records.", "its clause is not whole"),
        ("In 2020, Moor won a prize for wit and humour.", "its clause is not whole"),
        ("Moor won the show in 2020.", "it refers to something else"),
        ("Moor retired soon in 2020.", "its clause is not whole"),
        ("Moor joined a club that is as old and as large and as rich as most clubs in 2020.", "it refers to something else"),
        ("In 2020, the club joined.", "it is not clear that it is about the subject"),
    ],
)  # fmt: skip
def test_what_is_not_asked(sentence: str, reason: str) -> None:
    found = ask_by_rule(article(f"Ada Moor is a director. {sentence}", "Ada Moor"))
    assert (found.asked, [one.reason for one in found.rejected]) == ((), [reason])


def test_sentences() -> None:
    text = 'Peter D. Norton of St. Louis met Dr. Orr. "He left." Then it was over.It ended\nA line'
    assert [text[start:end] for start, end in split_sentences(text)] == [
        "Peter D. Norton of St. Louis met Dr. Orr.", '"He left."', "Then it was over.", "It ended", "A line"]  # fmt: skip
    assert read_subject(article("Samuel Birrell is a politician.", "Sam Birrell")).is_defined
    assert not read_subject(article("Local elections were held.", "2022 Vik elections")).is_defined


def test_the_words() -> None:
    pasts = verbs().base_of_past
    assert [pasts[past] for past in ("planned", "studied", "co-wrote", "played", "released", "won", "became")] == [
        "plan", "study", "co-write", "play", "release", "win", "become"]  # fmt: skip
    assert len(rules()) == 55
    assert holds_answer("Who won the Vik Cup in 2022?", "the Vik Cup")
    assert not holds_answer("Who won the Vik Cup?", "Vik Rovers")


def test_choosing() -> None:
    asked = ask_by_rule(article(PERSON, "Ada Moor")).asked
    first = choose(asked, 3, seed=1)
    assert first == choose(tuple(reversed(asked)), 3, seed=1)
    assert len({one.answer_kind for one in first}) == 3
    assert len({(one.start, one.end) for one in choose(asked, 20, seed=1)}) == len(choose(asked, 20, seed=1)) == 6
    assert [is_after(one.fact_date, CUTOFF) for one in choose(asked, 3, seed=1, after=CUTOFF)] == [True, False, False]
    assert choose(asked, 0, seed=1) == () == choose((), 5, seed=1)


def test_of_real_articles(shared: Path) -> None:
    articles = wikipedia_questions.read_articles(shared / "wikipedia_created_after_2021-10.jsonl", "dev")
    assert len(articles) == 432
    asked = wikipedia_questions.ask(articles, questions=3, seed=1)
    for one in asked.kept:
        assert one.answer in articles[one.page].text[one.start : one.end]
        assert "  " not in one.question and one.question.endswith("?")
    assert wikipedia_questions.summary(asked) == [
        "articles 432, with a question 156",
        "questions 220, of facts after 2021-10-01 37",
        "kinds: date 158, place 25, person 16, organisation 10, name 7, number 4; born or died: 70",
    ]
    assert asked.filters == {
        "the built-in reader does not find the answer in its passage": 42,
        "it repeats another question": 12,
    }
    some = {place: articles[place] for place in list(articles)[:60]}
    assert wikipedia_questions.ask(some, questions=3, seed=1) == wikipedia_questions.ask(some, questions=3, seed=1)
