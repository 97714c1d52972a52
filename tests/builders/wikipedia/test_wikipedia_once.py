"""What is not asked: what may have happened more than once, is said otherwise elsewhere, planned, quoted or of another."""

import pytest

from benchwright.builders.wiki.pages import Article, Page
from benchwright.builders.wiki.questions.questions_by_rule import ask_by_rule
from benchwright.builders.wiki.text.page import read_article

ADA = "the Norwegian director Ada Moor"


def article(text: str, title: str) -> Article:
    return read_article(Page(1, title, "", 1, "2023-01-01T00:00:00Z", "0" * 40, text))


def of_ada(text: str) -> list[tuple[str, str]]:
    asked = ask_by_rule(article(f"Ada Moor is a Norwegian director. {text}", "Ada Moor")).asked
    return [(one.question.replace(ADA, "ADA"), one.answer) for one in asked]


@pytest.mark.parametrize(
    "sentence",
    [
        "Moor played for Vik Rovers in 2010.",  # an activity: no day is its own
        "Moor defeated Ben Tal in 2010.",
        "Moor won the tournament in 2010.",
        "Moor became chairwoman of the company in 2010.",
        "Moor was elected to a second term in the assembly in 2010.",
        "Moor assumed office in 2010.",
        "Moor became depressed in 2010.",
        "Moor left Oslo during the Vik War in 2010.",  # an event tells its date
        "Moor arrived from Bergen in 2010.",
        "In 2010, Moor planned to join Kestrel Pictures.",
        "In 2010, Moor reportedly joined Kestrel Pictures.",
        "Moor was to join Kestrel Pictures in 2010.",
        "Moor refused to join Kestrel Pictures in 2010.",
        'Moor built a "tall and rather ugly house on Gull Street" in 2010.',
        'Moor joined Kestrel Pictures in 2010, and "she was glad.',
        "Her father was a painter. She joined Kestrel Pictures in 2010.",
        "Her older brother died young. She joined Kestrel Pictures in 2010.",
        "Her husband was Ben Moor. Moor joined Kestrel Pictures in 2010.",  # which Moor?
        "Moor began working at the Red, White and Blue studio in 2010.",
        "Moor wrote articles for the Gull Post from Washington, D.C. in 2010.",
        "Moor was born in Norway.",  # a whole country
        "Moor died in World War II.",
        "Moor attended Holm School. Moor graduated from Vik College.",  # which of them?
        "Moor studied chemistry at Holm School. Moor received her doctorate from the University of Vik.",
        "Moor graduated from the Faculty of Arts at Vik College.",  # the answer is cut
        "Moor is married to Ben Tal and Cy Orr.",
        "Moor scored 12 goals.",
        "In the next general election in 2004, Moor joined the crew.",
        "In 2010, Moor was announced to join the Gull Junior Team.",
        "Moor defeated Cy Orr in her return match at Gull Hall on 2 May 2010.",
        "Moor bought an interest in the The Gull Post in 2010.",
        "Moor received six nominations. Moor married her fourth husband Cy in 2010.",
        "Moor was elected President of Vik Council in 2010 and 2012.",
        "Moor retired from painting effective 30 June 2010.",
        "Moor joined the Gull's reserve team in 2010.",
        "Moor competed at the Winter Games in 2010.",
        "In 2010, Moor founded.",
        "In 2010, Moor wed Mary Orr of Vik. In 2012, Moor painted Mary for the Vik Hall.",  # which Mary?
        "Moor is a midfielder for Vik Rovers.",  # no date: it changes
    ],
)
def test_it_is_not_asked(sentence: str) -> None:
    assert of_ada(sentence) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Moor won the Amanda Award in 2010. Moor won the Amanda Award again in 2015.",
         [("Which award or title did ADA win in 2010?", "Amanda Award")]),
        ("In 2010, Moor married Ben Tal. In 2015, Moor married Cy Orr.",
         [("Who did ADA marry in 2010?", "Ben Tal"), ("When did ADA marry Ben Tal?", "2010"),
          ("Who did ADA marry in 2015?", "Cy Orr"), ("When did ADA marry Cy Orr?", "2015")]),
        ("Moor died in 2010. She died on 4 May 2010.", [("When did ADA die?", "4 May 2010")]),
        ("Moor moved to Bergen in 2010. In 2015, Moor moved to Vik.",
         [("Where did ADA move to in 2010?", "Bergen"), ("When did ADA move to Bergen?", "2010"),
          ("Where did ADA move to in 2015?", "Vik"), ("When did ADA move to Vik?", "2015")]),
        ("Moor joined Kestrel Pictures in 2010. Moor joined Gull Films in 2010.",
         [("When did ADA join Kestrel Pictures?", "2010"), ("When did ADA join Gull Films?", "2010")]),
        ("Moor made her stage debut in 2010.", [("When did ADA make her stage debut?", "2010")]),
        ("Moor was awarded the Gull Prize for her work in 2010.",
         [("When was ADA awarded the Gull Prize?", "2010")]),
        ("Moor wrote the novel Tide in 2010.", [("Which novel did ADA write in 2010?", "Tide"), ("When did ADA write the novel Tide?", "2010")]),
        ("In 2010, Moor became head coach of Vik Rovers.",
         [("Which organisation did ADA become head coach of in 2010?", "Vik Rovers"), ("When did ADA become head coach of Vik Rovers?", "2010")]),
        ("Moor succeeded Ben Tal as mayor of Vik.", [("Who did ADA succeed as mayor of Vik?", "Ben Tal")]),
        ("Moor succeeded Ben Tal as leader of the party.", []),
        ("In 2010, Moor founded Moor House. Moor joined Gull Films in 2012.",
         [("When did ADA found Moor House?", "2010"), ("Which organisation or group did ADA join in 2012?", "Gull Films"),
          ("When did ADA join Gull Films?", "2012")]),
        ('Moor defeated Dan "The Bear" Orr at the Vik Games in 2010.', [("When did ADA defeat Dan Orr at the Vik Games?", "2010")]),
        ("Moor made 20 appearances for Vik Rovers in 2010.",  # counted over a time: no day is its own
         [("How many appearances did ADA make for Vik Rovers in 2010?", "20")]),
        ("Moor scored her first goal for Vik Rovers in 2010.", [("When did ADA score her first goal for Vik Rovers?", "2010")]),
        ("Moor was married to Ben Tal.", [("Who was ADA married to?", "Ben Tal")]),
    ],
)  # fmt: skip
def test_what_the_article_tells_besides(text: str, expected: list[tuple[str, str]]) -> None:
    assert of_ada(text) == expected


@pytest.mark.parametrize(
    ("text", "title", "expected"),
    [
        ("Tide is a 2023 film. Principal photography began on 4 May 2022 in Oslo.", "Tide (film)",
         [("In which year was the film Tide released?", "2023"), ("When did principal photography of the film Tide begin?", "4 May 2022")]),
        ("The 2022 Gull Awards was the fifth ceremony, held at Vik Hall, Oslo on 5 June 2022.", "2022 Gull Awards",
         [("Where did the 2022 Gull Awards take place?", "Vik Hall, Oslo"), ("When was the 2022 Gull Awards held?", "5 June 2022")]),
        ("The 2023 Vik local elections were held in Vik on 13 May 2023.", "2023 Vik local elections",
         [("When were the 2023 Vik local elections held?", "13 May 2023")]),
        ("The Gull 22 is a Norwegian sailboat that was designed by Ada Moor and first built in 1967.", "Gull 22",
         [("Who designed the Norwegian sailboat Gull 22?", "Ada Moor"), ("When was the Norwegian sailboat Gull 22 first built?", "1967")]),
        ("Tide is a 2001 Norwegian book by Ada Moor.", "Tide (book)",
         [("Who wrote the book Tide?", "Ada Moor"), ("In which year was the book Tide by Ada Moor published?", "2001")]),
        ("Local elections were held in Vik on 24 April 2022 to elect all 90 councillors.", "2022 Vik local election",
         [("When was the 2022 Vik local election held?", "24 April 2022")]),
        ("The Battle of Vik was a fight. The battle began on 4 May 1022 and ended on 6 May 1022.", "Battle of Vik",
         [("When did the Battle of Vik begin?", "4 May 1022")]),
        ("Tide is a game. It was released in Japan on 4 May 2022.", "Tide (game)", [("When was the game Tide released in Japan?", "4 May 2022")]),
        ("Tide is a programme. It was created by Ada Moor.", "Long Tide Weekly", [("Who created the programme Long Tide Weekly?", "Ada Moor")]),
        ("The Vik storm was a storm that crossed the coast near Holm on 19 May 2022.", "Vik storm",
         [("When did the Vik storm cross the coast near Holm?", "19 May 2022")]),
        ("The Gull bridge is a road bridge. It was opened on 4 May 2022. The bridge is open to all.", "Gull bridge",
         [("When was the Gull bridge opened?", "4 May 2022")]),
        ("The Vik Vipers are a hockey team. The team was founded in 2009.", "Vik Vipers", [("When were the Vik Vipers founded?", "2009")]),
        ("The Northern Gull Prize is a literary award. The award was established in 2018.", "The Northern Gull Prize",
         [("When was the Northern Gull Prize established?", "2018")]),
        ("Ben van der Orr is a Norwegian painter. Van der Orr joined Vik College in 2018.", "Ben van der Orr",
         [("Which organisation or group did the Norwegian painter Ben van der Orr join in 2018?", "Vik College"),
          ("When did the Norwegian painter Ben van der Orr join Vik College?", "2018")]),
        ("Tide is a film co-directed by Ada Moor.", "Tide (film)", []),
        ("Tide is a film directed by Ada Moor and Ben Tal.", "Tide (film)", []),
        ("Tide is a series created by Ada Moor and Ben Tal for Gullvision.", "Tide (series)", []),
        ("Tide is an upcoming film directed by Ada Moor.", "Tide (film)", []),
        ("Tide is a film. Tide was written by the players alongside Ada Moor.", "Tide (film)", []),
        ("Tide is an album. The album has the song Gull. It was released in May 2022.", "Tide (album)", []),
        ("Venue: TBC\n\nTide is a film.", "Tide (film)", []),
        ("Holm is a village in Vik, Norway. It has a population of 1,183.", "Holm", []),  # of which year?
    ],
)  # fmt: skip
def test_of_things(text: str, title: str, expected: list[tuple[str, str]]) -> None:
    assert [(one.question, one.answer) for one in ask_by_rule(article(text, title)).asked] == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "Moor joined Kestrel Pictures in 2010. ",
        "Moor " + "Aa " * 120 + "in 2010. ",
        "Moor was " + "the of a " * 40 + "in 2010. ",
        "Moor joined (" * 20 + ". ",
        'Moor said "aa ' * 8 + "in 2010. ",
        "He joined A, B, C, D, E, F and G in 2010 and in 2011. ",
        "Her father of the said his " * 10 + ". ",
    ],
)
def test_hostile_sentences_end(sentence: str) -> None:
    about = article(
        "Ada Moor (born 3 May 1980) is a Norwegian director. " + sentence * (200_000 // len(sentence)), "Ada Moor"
    )
    assert {one.question for one in ask_by_rule(about).asked} <= {f"When was {ADA} born?"}
