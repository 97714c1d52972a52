"""Units of columns, and values with their unit: every form states the value, and `correct` lets no other one through."""

import pytest

from benchwright.benchmarks.metrics.correct import correct, template_values
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question
from benchwright.builders.sql.units import CLOCK, FRACTION, MONEY, named_unit, unit_by_name, with_unit


@pytest.mark.parametrize(
    ("noun", "column", "values", "unit"),
    [
        ("film", "length", [112, 90], "minutes"),
        ("film", "length", [6720], ""),
        ("box", "length", [112], ""),
        ("box", "weightKg", [1.5], "kilograms"),
        ("house", "area_m2", [80], "square metres"),
        ("product", "price_usd", [4.5], "dollars"),
        ("product", "price_min", [4.5], ""),
        ("product", "UnitPrice", [4.5, 18], MONEY),
        ("fuel", "price", [1.799], ""),
        ("fuel", "amount", [3], ""),
        ("call", "duration_min", [4], "minutes"),
        ("order line", "Discount", [0, 0.15], FRACTION),
        ("order line", "discount", [0, 5], ""),
        ("order line", "tax_pct", [19, 7], "percent"),
        ("order line", "tax_pct", [0.19, 0.07], ""),
        ("hotel", "check_in", ["15:00:00"], CLOCK),
        ("lap", "lap_time", ["01:10:00"], ""),
        ("hotel", "opens", ["at 9", "10:00"], ""),
        ("hotel", "rating", [], ""),
    ],
)
def test_the_unit_of_a_column(noun: str, column: str, values: list[object], unit: str) -> None:
    assert unit_by_name(noun, column, values) == unit


@pytest.mark.parametrize(
    ("value", "unit", "forms"),
    [
        ("4.5", "dollars", ("$4.50", "4.50 dollars", "USD 4.50", "4.50")),
        ("-4200", "euros", ("-€4,200", "-4,200 euros", "EUR -4,200", "-4,200")),
        ("0.999", "pounds", ("£0.999", "0.999 pounds", "GBP 0.999")),
        ("1234.5", MONEY, ("1,234.50",)),
        ("12", MONEY, ()),
        ("1E+30", MONEY, ()),
        ("5", "yuan", ("5 yuan", "CNY 5")),
        ("112", "minutes", ("112 minutes", "112 min", "1 hour 52 minutes")),
        ("112.5", "minutes", ("112.5 minutes", "112.5 min")),
        ("3725", "seconds", ("3,725 seconds", "3,725 s", "1 hour 2 minutes 5 seconds")),
        ("1", "feet", ("1 foot", "1 ft")),
        ("0.125", FRACTION, ("12.5%", "12.5 percent")),
        ("15:00:00", CLOCK, ("15:00", "3:00 pm", "3 pm")),
        ("00:30", CLOCK, ("12:30 am",)),
        ("15:00:30", CLOCK, ()),
        ("26:00:00", CLOCK, ()),
        ("2019", "years", ()),
        ("3", "rooms", ("3 rooms",)),
        ("many", "rooms", ()),
        ("NaN", "minutes", ()),
    ],
)
def test_the_forms_of_a_value(value: str, unit: str, forms: tuple[str, ...]) -> None:
    assert with_unit(value, unit) == forms


RIGHT = {
    (
        "112",
        "minutes",
    ): "112|112 minutes|1 hour 52 minutes|1 hour and 52 minutes|1h 52m|6720 seconds|one hour fifty-two minutes",
    ("4.5", "dollars"): "4.50|$4.50|US$4.50|4.50 USD|450 cents|four dollars and fifty cents",
    ("1234.5", MONEY): "1234.50|1,234.5|$1,234.50|€1,234.50|1234.5 euros",
    ("0.15", FRACTION): "0.15|.15|15%|15 percent|15 per cent",
    ("0.01", FRACTION): "1%|0.01",
    ("1.5", "kilograms"): "1.5|1.5 kg|1500 g|1.5 kilograms",
    ("15:00:00", CLOCK): "15:00:00|15:00|3 pm|3:00 PM",
    ("2024-01-02 10:11:00", ""): "2024-01-02 10:11|2 January 2024 at 10:11|January 2, 2024, 10:11 am",
}
WRONG = {
    (
        "112",
        "minutes",
    ): "112 hours|112 seconds|112 kg|1 hour 32 minutes|1 hour 52 seconds|52 minutes|2 hours|about 2 hours",
    ("4.5", "dollars"): "4.50 euros|£4.50|$4.05|$45|4.5 thousand dollars|$4.5 million",
    ("1234.5", MONEY): "1234|1,234,500|$1,234.05|12.345|1.2345",
    ("0.15", FRACTION): "0.15%|1.5%|15|150%|5%|85%",
    ("0.01", FRACTION): "1|100%|0.1%",
    ("1.5", "kilograms"): "1.5 g|15 kg|1.5 pounds",
    ("15:00:00", CLOCK): "3 am|3:00|16:00|15:30|15:00:30",
    ("2024-01-02 10:11:00", ""): "2024-01-02 09:11:00|2 January 2024, 10:11 pm|3 January 2024, 10:11",
}
OTHERS = (
    "52",
    "60",
    "92",
    "120",
    "1",
    "4.05",
    "45",
    "0.05",
    "0.25",
    "15",
    "03:00:00",
    "16:00:00",
    "2024-01-02 09:11:00",
)


@pytest.mark.parametrize(("value", "unit"), RIGHT)
def test_forms_let_no_wrong_value_through(value: str, unit: str) -> None:
    def question(answer: str) -> Question:
        return Question(
            "q", "What is recorded for the film Chai?", (answer,), (with_unit(answer, unit),), "one", template="t"
        )

    asked = question(value)
    others = [other for other in OTHERS if (":" in other) == (":" in value)]
    values = template_values([asked, *map(question, others)])["t"]
    for wanted, said in (("correct", RIGHT), ("wrong", WRONG)):
        found = {text: correct(asked, Prediction("", text), values).outcome for text in said[value, unit].split("|")}
        assert found == dict.fromkeys(found, wanted)


def test_a_unit_has_signs_codes_and_names() -> None:
    said = ["$", "EUR", "kg", "Kilogram", "m²", "m2", "%", "min", "fraction", "points"]
    found = ["dollars", "euros", "kilograms", "kilograms", "square metres", "square metres", "percent", "minutes"]
    assert list(map(named_unit, said)) == [*found, "fraction", "points"]
