"""The text writer: its forms, its grammar, and how far its wordings are apart."""

import itertools
import re
from collections import Counter
from collections.abc import Callable, Collection

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.sql.wording.by_rule import FORMS, count_words, write
from benchwright.builders.sql.wording.meaning import AskedColumn, Entity, Given, Link, LinkKind, Meaning, ValueKind
from benchwright.builders.sql.wording.skeleton import FILLER, PLACEHOLDER, distance, skeleton, words_of
from benchwright.scripts.maintain.sample_wordings import MEANINGS, main

COMPANY = Entity("company", (Given("name", "[company.Name]", True),))
PERSON = Entity("person", (Given("name", "[people.Name]", True),))
PROJECT = Entity("project", (Given("name", "[project.Name]", True),))
EMPLOYMENT = Entity(
    "employment", links=(Link("has_role", "person", PERSON), Link("has_role", "company", COMPANY)), association=True
)
INDUSTRY = Meaning((AskedColumn("industry", "text", False),), COMPANY)
SALES = Meaning((AskedColumn("sales in billions", "number", False, plural=True),), COMPANY)
DATES = Meaning((AskedColumn("start date", "date", False), AskedColumn("end date", "date", False)), PROJECT)
CLIENT = Meaning(
    (AskedColumn("name", "organisation", True),), Entity("company", links=(Link("role_of", "client", PROJECT),))
)
YEAR = Meaning((AskedColumn("year working", "number", False),), EMPLOYMENT)
EMPLOYER = Meaning(
    (AskedColumn("name", "text", True),), Entity("company", links=(Link("through", "employment", PERSON),))
)
OF_CLIENT = Meaning(
    (AskedColumn("name", "text", True),), Entity("project", links=(Link("has_role", "client", COMPANY),))
)
NAMESAKE = Meaning(
    (AskedColumn("job title", "text", False),),
    Entity(
        "employee",
        (Given("department", "[employee.Department]", False), Given("name", "[employee.Name]", True)),
    ),
)
ACTIVE = Meaning((AskedColumn("is active", "boolean", False),), PROJECT)

OUTSIDE_FILLER = """
a an the of for in on at by with to from about as into regarding concerning please kindly just find get show tell give
"""


def outside_mask(text: str, phrases: Collection[str], by_word: bool) -> str:
    """Another reader's way to mask: by phrase or word by word, nothing made equal, nothing collapsed."""
    text = PLACEHOLDER.sub(" PPPP ", text)
    masked = {word for phrase in phrases for word in phrase.split()} if by_word else phrases
    for phrase in sorted(masked, key=len, reverse=True):
        text = re.sub(rf"\b{re.escape(phrase)}\b", " CCCC ", text, flags=re.IGNORECASE)
    return " ".join(word for word in re.findall(r"[^\W_]+", text) if word.lower() not in OUTSIDE_FILLER.split())


def measures(meaning: Meaning) -> list[Callable[[str], tuple[str, ...]]]:
    words = words_of(meaning)
    return [
        lambda text: skeleton(text, words),
        lambda text: tuple(outside_mask(text, words, by_word=False).split()),
        lambda text: tuple(outside_mask(text, words, by_word=True).split()),
    ]


def check(meaning: Meaning, least: float = 0.3) -> None:
    for form in FORMS:
        wordings = write(meaning, form, limit=None)
        assert len(wordings) >= 10, form
        for text in wordings:
            assert sorted(PLACEHOLDER.findall(text)) == sorted(meaning.placeholders), text
            assert not re.search(r"[{}]|  | [,.:;?!]|\bthe the\b|\bof of\b", text), text
            if form != "short":
                assert text[0] == "[" or not text[0].islower(), text
                assert text.endswith((".", "?", "!", " …”")), text
            if form == "long":
                assert count_words(text) >= 30, text
        for measure in measures(meaning):
            taken = [measure(text) for text in wordings]
            if form != "long":
                assert len(set(taken)) == len(taken), [text for text in wordings if taken.count(measure(text)) > 1]
                continue
            for a, b in itertools.combinations(taken, 2):
                assert distance(a, b) >= least, (a, b)
                assert Levenshtein.normalized_distance(" ".join(a), " ".join(b)) >= least, (a, b)


@pytest.mark.parametrize("meaning", MEANINGS, ids=range(len(MEANINGS)))
def test_every_sort_of_meaning(meaning: Meaning) -> None:
    check(meaning)


KINDS: tuple[ValueKind, ...] = ("text", "person", "place", "organisation", "date", "number")
LINKS: tuple[LinkKind, ...] = ("role_of", "has_role", "through")
NOUNS = st.sampled_from(["company", "person", "client", "order item", "staff member", "hour log", "record", "series"])
WORDS = st.sampled_from(
    [
        "industry",
        "headquarters",
        "sales in billions",
        "note",
        "name",
        "status",
        "date of birth",
        "supervisor or manager",
    ]
)


@st.composite
def entities(draw: st.DrawFn, depth: int = 2, prefix: str = "t") -> Entity:
    """Entities as the enumeration yields them, and wilder ones."""
    name = Given(draw(st.sampled_from(["name", "title", "code", "first name"])), f"[{prefix}.name]", True)
    other = Given(draw(WORDS), f"[{prefix}.other]", False)
    if depth == 0 or draw(st.booleans()):
        return Entity(draw(NOUNS), draw(st.sampled_from([(name,), (other,), (name, other)])))
    linked = draw(entities(depth=depth - 1, prefix=f"{prefix}x"))
    role = draw(st.sampled_from(["client", "project director", "reports to", "employment", "supervisor or manager"]))
    return Entity(draw(NOUNS), links=(Link(draw(st.sampled_from(LINKS)), role, linked),))


@st.composite
def meanings(draw: st.DrawFn) -> Meaning:
    kinds = st.sampled_from(KINDS)
    if draw(st.booleans()):
        parts = [draw(entities(depth=0, prefix=prefix)) for prefix in ("a", "b")]
        links = tuple(Link("has_role", draw(NOUNS), part) for part in parts)
        return Meaning(
            (AskedColumn(draw(WORDS), draw(kinds), False),), Entity("employment", links=links, association=True)
        )
    entity = draw(entities())
    can_name = not any(known.naming for known in entity.given)
    naming = can_name and draw(st.booleans())
    return Meaning((AskedColumn("name" if naming else draw(WORDS), draw(kinds), naming),), entity)


SUBORDINATORS = "that which who whom whether because since if when while before until although what where how unless"
FUNCTION_WORDS = f"""
{SUBORDINATORS} a an the this these those and or but nor so yet for as though after once whose than then there here it its
he she they them his her their i me my we us our you your not no neither either both all each any some of in on at by with
to from into about over under between against without within through behind beside beyond up down out off is are was were
be been being am has have had do does did can could will would shall should may might must please let
""".split()


def syntax(text: str, words: Collection[str]) -> list[str]:
    """How a sentence is built, whatever it speaks of: its function words and signs in order, the words of the schema as
    C, placeholders as P; all nouns, verbs, adjectives and adverbs of its own are gone."""
    text = PLACEHOLDER.sub(" PPPP ", text)
    for phrase in sorted(words, key=len, reverse=True):
        text = re.sub(rf"\b{re.escape(phrase)}\b", " CCCC ", text, flags=re.IGNORECASE)
    tokens = re.findall(r"[^\W_]+|[,;:?.–“]", text)
    kept = [
        token for token in tokens if token in ("PPPP", "CCCC") or token.lower() in FUNCTION_WORDS or not token.isalnum()
    ]
    return [token.lower() for token in kept]


LONG_MEANINGS = [INDUSTRY, SALES, DATES, CLIENT, YEAR, EMPLOYER, OF_CLIENT, NAMESAKE, ACTIVE]


@pytest.mark.parametrize("meaning", LONG_MEANINGS)
def test_at_least_sixty_long_wordings_differ_in_syntax(meaning: Meaning) -> None:
    """Not by what they speak of, nor by a frame around one clause: by openings, by where the thing that is asked about
    stands, by the clauses that they are made of, by statement, question and request."""
    every = write(meaning, "long", limit=None)
    built = [syntax(text, words_of(meaning)) for text in every]
    apart = [distance(a, b) for a, b in itertools.combinations(built, 2)]
    assert len(every) >= 60 and min(apart) >= 0.4
    openings = Counter(text.split()[0] for text in every)
    assert len(openings) >= 40 and max(openings.values()) <= 8
    thirds = Counter(3 * text.index("[") // len(text) for text in every)
    assert min(thirds[number] for number in range(3)) >= 4
    assert 15 <= sum("?" in text for text in every) <= 40
    clauses = Counter(sum(token in SUBORDINATORS.split() for token in one) for one in built)
    assert len([number for number, count in clauses.items() if count > 1]) >= 4
    for worn in ("colleague", "letter", "meeting", "report"):
        assert sum(worn in text for text in every) <= 6, worn


@pytest.mark.parametrize("meaning", LONG_MEANINGS)
def test_long_wordings_vary_from_template_to_template(meaning: Meaning) -> None:
    """The first ten stay those that they were; each template has another ten."""
    every = write(meaning, "long", limit=None)
    assert write(meaning, "long") == every[:10]
    mixed = [write(meaning, "long", vary=f"{number:016x}") for number in range(40)]
    assert all(len(set(ten)) == 10 and set(ten) <= set(every) for ten in mixed)
    assert len(set().union(*mixed)) == len(every)
    assert mixed[0] == write(meaning, "long", vary=f"{0:016x}") != mixed[1]
    assert write(meaning, "short", vary="0") == write(meaning, "short")


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(meanings())
def test_any_meaning(meaning: Meaning) -> None:
    """Of these, phrases with many facts are most of a sentence, so that two of them are more alike by letters."""
    check(meaning, least=0.25)


@pytest.mark.parametrize(
    ("meaning", "form", "expected"),
    [
        (
            INDUSTRY,
            "short",
            (
                "what about company [company.Name]'s industry?",
                "industry of company [company.Name]",
                "company [company.Name]: industry",
                "industry needed: company [company.Name]",
            ),
        ),
        (
            INDUSTRY,
            "directive",
            (
                "Write company [company.Name]'s industry on a separate line.",
                "State the industry of the company [company.Name].",
            ),
        ),
        (
            SALES,
            "interrogative",
            (
                "What are company [company.Name]'s sales in billions?",
                "What are the sales in billions for the company [company.Name]?",
                "For the company [company.Name], what are the sales in billions?",
            ),
        ),
        (
            DATES,
            "interrogative",
            (
                "What are project [project.Name]'s start date and end date?",
                "What are the start date and end date of the project [project.Name]?",
            ),
        ),
        (
            CLIENT,
            "casual",
            (
                "Remind me, who's project [project.Name]'s client again?",
                "Hey, who's the client of the project [project.Name]?",
            ),
        ),
        (
            YEAR,
            "interrogative",
            (
                "For the person named [people.Name] and the company [company.Name], what is the year working in the "
                "employment record?",
            ),
        ),
        (
            EMPLOYER,
            "interrogative",
            (
                "What is the company that is linked to the person named [people.Name] by an employment record?",
                "Which company is linked to the person named [people.Name] by an employment record?",
            ),
        ),
        (
            OF_CLIENT,
            "directive",
            (
                "Name the project whose client is the company [company.Name].",
                "Tell me which project has the company [company.Name] as client.",
            ),
        ),
        (
            NAMESAKE,
            "formal",
            (
                "With reference to the employee named [employee.Name] whose department is [employee.Department], "
                "please state the job title.",
            ),
        ),
        (
            ACTIVE,
            "interrogative",
            (
                "Is the project [project.Name] active?",
                "Is it the case that the project [project.Name] is active, or not?",
                "Do you know whether the project [project.Name] is active?",
            ),
        ),
        (
            INDUSTRY,
            "long",
            (
                "My question today is about the company [company.Name]: I have been going through my notes for a "
                "letter that must leave the house this evening, and I cannot see from them what the industry is.",
            ),
        ),
    ],
)
def test_the_first_wordings(meaning: Meaning, form: str, expected: tuple[str, ...]) -> None:
    assert write(meaning, form, limit=len(expected)) == expected


def test_a_wording_that_asks_for_an_entity_asks_for_its_name() -> None:
    assert "Do you know the name of the client of the project [project.Name]?" in write(CLIENT, "interrogative", None)
    assert "Do you know the industry of the company [company.Name]?" in write(INDUSTRY, "interrogative", None)


def test_a_possessive_is_not_formed_where_it_would_be_unclear() -> None:
    def asked_of(role: str) -> str:
        employee = Entity("employee", (Given("name", "[employee.Name]", True),))
        superior = Entity("employee", links=(Link("role_of", role, employee),))
        return " ".join(write(Meaning((AskedColumn("job title", "text", False),), superior), "short", limit=None))

    assert "what about [employee.Name]'s manager's job title?" in asked_of("manager")
    assert "'s" not in asked_of("supervisor or manager")


def test_the_limit() -> None:
    assert len(write(INDUSTRY, "formal")) == 10
    assert write(INDUSTRY, "formal", limit=3) == write(INDUSTRY, "formal", limit=None)[:3]


def test_an_unknown_form() -> None:
    with pytest.raises(BenchwrightError) as caught:
        write(INDUSTRY, "rude")
    assert str(caught.value) == (
        "there is no form 'rude'; the forms are short, long, interrogative, directive, formal, casual"
    )


def test_skeletons_see_structure_only() -> None:
    words = words_of(INDUSTRY)
    assert skeleton("Find the industry of company [company.Name].", words) == ("C", "P")
    assert skeleton("please just GET industry for the company [company.Name]", words) == ("C", "P")
    assert skeleton("company [company.Name]'s industry?", words) == ("C", "P", "C")
    assert skeleton("Who's in need? We are.", words) == ("what", "is", "require", "i", "is")
    assert {"please", "kindly", "just", "the", "find", "get", "show", "give", "tell", "fetch", "state"} <= FILLER


def test_masks_prefer_the_longer_phrase() -> None:
    assert skeleton("date of birth, date", {"date", "date of birth"}) == ("C",)
    assert skeleton("update [a.b] dates", {"date"}) == ("update", "P", "dates")


def test_distance() -> None:
    assert distance(("C", "P"), ("C", "P")) == 0
    assert distance(("C", "P"), ("P", "C", "x", "y")) == 0.75


def test_the_sampler_prints_filled_wordings() -> None:
    result = CliRunner().invoke(main, ["--count", "5", "--form", "short", "--seed", "1"])
    assert result.exit_code == 0
    assert len(result.output.splitlines()) == 5
    assert all(line.startswith("short ") and "[" not in line for line in result.output.splitlines())
    assert result.output == CliRunner().invoke(main, ["--count", "5", "--form", "short", "--seed", "1"]).output


def test_what_links_two_things_is_called_by_its_own_name() -> None:
    order = Entity("order", (Given("order number", "[orders.number]", True),))
    product = Entity("product", (Given("name", "[products.name]", True),))
    line = Entity(
        "order line", links=(Link("has_role", "order", order), Link("has_role", "product", product)), association=True
    )
    quantity = Meaning((AskedColumn("quantity", "number", False),), line)
    through = Meaning(
        (AskedColumn("name", "text", True),), Entity("product", links=(Link("through", "order line", order),))
    )
    texts = [text for meaning in (quantity, through) for form in FORMS for text in write(meaning, form, limit=None)]
    assert not [text for text in texts if "line record" in text]
    assert "quantity of product [products.name] in order [orders.number]" in texts
    assert "product linked to order [orders.number] by order line" in texts


def test_a_plural_role_owns_with_an_apostrophe_alone() -> None:
    owners = Entity("company", links=(Link("role_of", "customers", PROJECT),))
    texts = write(Meaning((AskedColumn("city", "place", False),), owners), "short")
    assert texts[0] == "what about project [project.Name]'s customers' city?"
