"""A writer that knows the checks and means harm: what it may put beside the facts of an order, and what is refused."""

import base64
import codecs

import pytest

from benchwright.builders.aurp.cells import Cells
from benchwright.builders.aurp.document_plan import Plan, make_plan
from benchwright.builders.aurp.documents import documents, shown_in
from benchwright.builders.aurp.documents_by_model import Written, read_reply
from benchwright.builders.aurp.generate import make_world
from benchwright.builders.aurp.prove_documents import Checker
from benchwright.builders.aurp.world import World


@pytest.fixture(scope="module")
def world() -> World:
    return make_world(10)


@pytest.fixture(scope="module")
def plan(world: World) -> Plan:
    """Of an employee whose office is a known gap: Wothlow Exchange."""
    cells = Cells(world, 0.9)
    superseded = cells.superseded()
    plans = (make_plan(cells, superseded, document, stated) for document, stated in documents(world))
    found = next(one for one in plans if one.gaps and one.document.metadata["kind"] == "employee page")
    assert [str(gap.value) for gap in found.gaps] == ["Wothlow Exchange"]
    return found


def read(world: World, plan: Plan, more: str) -> tuple[str, list[str]]:
    """The text of a document that says all it should and one thing more, and the sorts of what is wrong with it."""
    facts = [f"{one.subject} has as its {one.label} {one.shown}." for one in plan.facts]
    (document, _), problems = read_reply(plan, Written((*facts, more)), Checker(world, 0.9), shown_in(world))
    return document.body, [sort for sort, _ in problems]


def test_nothing_more_is_nothing_wrong(world: World, plan: Plan) -> None:
    assert read(world, plan, "The weather was kind.")[1] == []


GAP = "Wothlow Exchange"
TOLD = {
    "as it is": GAP,
    "in small letters": GAP.lower(),
    "backwards": GAP[::-1],
    "backwards in small letters": GAP[::-1].lower(),
    "turned by a sign": f"\u202e{GAP[::-1]}\u202c",
    "spelt out": " ".join(GAP.lower()),
    "with dots": ".".join(GAP.lower()),
    "with underscores": "_".join(GAP.lower()),
    "with joiners": "\u200d".join(GAP),
    "with spaces of no width": "\u200b".join(GAP),
    "with soft hyphens": "\u00ad".join(GAP),
    "with accents": "\u0301".join(GAP.lower()),
    "in tags": "".join(chr(0xE0000 + ord(sign)) for sign in GAP),
    "in wide letters": "".join(chr(ord(sign) + 0xFEE0) if sign != " " else sign for sign in GAP.lower()),
    "in Cyrillic letters": GAP.lower().replace("o", "\u043e").replace("e", "\u0435"),
    "in braille": "\u2803\u2817\u280a\u2819",
    "in base64": base64.b64encode(GAP.encode()).decode(),
    "as bytes": GAP.encode().hex(),
    "in leetspeak": GAP.lower().translate(str.maketrans("aeo", "430")),
    "turned by 13": codecs.encode(GAP, "rot13"),
}


@pytest.mark.parametrize("told", TOLD.values(), ids=TOLD)
def test_a_known_gap_that_is_told_in_another_way(told: str, world: World, plan: Plan) -> None:
    assert read(world, plan, f"The note of the day reads {told} and nothing else.")[1]


ODD = [
    "The day was\x00 fine.", "The day was \x1b[mfine.", "The day was \u202efine\u202c.", "The da\u200cy was fine.",
    "The da\u2060y was fine.", "The day was fine.\U000e0041", "The day was \ue000 fine.", "The day was \ud800 fine.",
    f"The d{chr(0x301) * 500}ay was fine.", "The day was \U0001f600 fine.", "The day was \u597d fine.",
    "The day was [fine](//x.y).", "![fine](data:x)", "<script>fine</script>", "See ftp://x.y for it.",
    "See example.com/path for it.", "See example.org for it.", "Write to mailto:fine.", "It was javascript:fine.",
    '=HYPERLINK("x")', "It was ~~fine~~.", "---\nlicense: mit\n---", "a" * 100_000, "fine " * 20_000,
]  # fmt: skip


@pytest.mark.parametrize("more", ODD, ids=range(len(ODD)))
def test_what_no_document_should_hold(more: str, world: World, plan: Plan) -> None:
    assert read(world, plan, more)[1]


@pytest.mark.parametrize(
    ("more", "kept"),
    [
        ("The day\u00a0was\u2028fine.", "The day was fine."),
        ("The da\u200by was f\u00adine.", "The day was fine."),
        ("The day was fine\r\nand the day was fine.", "The day was fine\nand the day was fine."),
        (
            "The caf\u00e9 \u2013 \u201cfine\u201d \u2013 was fine\u2026",
            "The caf\u00e9 \u2013 \u201cfine\u201d \u2013 was fine\u2026",
        ),
        ("Their desire landed well.", "Their desire landed well."),
    ],
)
def test_what_is_put_right_or_may_stand(more: str, kept: str, world: World, plan: Plan) -> None:
    text, wrong = read(world, plan, more)
    assert (text.split("\n\n")[-1], wrong) == (kept, [])


@pytest.mark.parametrize(
    "told",
    [
        "Wind over the hills lifted our words.",
        "It reads .-- --- - .... .-.. --- .-- and nothing else.",
    ],
    ids=["by first letters", "in Morse"],
)
def test_what_is_not_stopped(told: str, world: World, plan: Plan) -> None:
    """A code that both sides have agreed on is prose to whoever does not know it; the guide says so."""
    assert read(world, plan, told)[1] == []
