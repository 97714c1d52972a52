"""Answers to questions of yes or no in the styles of real systems, judged by hand: yes, no, a value instead, neither."""

import pytest

from benchwright.benchmarks.metrics.base import ReleaseData
from benchwright.benchmarks.metrics.correct import METRIC
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question


def asked(template: str, text: str, gold: str, source: str, conditions: str) -> Question:
    sql = f"SELECT COUNT(*) > 0 FROM {source} WHERE {conditions};"
    name = f"{template} {conditions}"
    return Question(name, text, (gold,), ((),), "boolean", template=template, kind="yes_no", sql=sql)


_OF_CLIENT = "project JOIN client ON project.client_id = client.id"
_WALL = "project.name = 'Quay Wall' AND client.name ="
CLIENT = asked("client", "Was Quay Wall made for Halden Marine?", "yes", _OF_CLIENT, f"{_WALL} 'Halden Marine'")
OTHER = asked("other", "Was Quay Wall made for Orla Foods?", "no", _OF_CLIENT, f"{_WALL} 'Orla Foods'")
CITY = asked(
    "city",
    "Is the city of the customer North Rowers Oslo?",
    "no",
    "customer",
    "customer.name = 'North Rowers' AND customer.city = 'Oslo'",
)
TOWN = asked(
    "city",
    "Tell me whether the city of the customer Lake Hikers is Bern.",
    "yes",
    "customer",
    "customer.name = 'Lake Hikers' AND customer.city = 'Bern'",
)
PRICE = asked(
    "price",
    "is 12.5 the unit price of product Ipoh Coffee?",
    "yes",
    "product",
    "product.name = 'Ipoh Coffee' AND product.unit_price = 12.5",
)
PHONE = asked(
    "phone",
    "need to know if phone number of supplier Gai is (206) 555-9857",
    "no",
    "supplier",
    "supplier.name = 'Gai' AND supplier.phone = '(206) 555-9857'",
)
LINE = asked(
    "phone",
    "phone number of supplier Bigfoot is (010) 998-4510, yes or no?",
    "yes",
    "supplier",
    "supplier.name = 'Bigfoot' AND supplier.phone = '(010) 998-4510'",
)
START = asked(
    "start",
    "Tell me whether the start date of the project Quay Wall is 2019-03-04.",
    "yes",
    "project",
    "project.name = 'Quay Wall' AND project.start = '2019-03-04'",
)
STAFF = asked(
    "staff",
    "order 10703: employee Laura O'Hara or not?",
    "yes",
    '"Orders" JOIN "Employees" ON "Orders"."EmployeeID" = "Employees"."EmployeeID"',
    '"Orders"."OrderID" = 10703 AND "Employees"."FirstName" = \'Laura\' AND "Employees"."LastName" = \'O\'\'Hara\'',
)
CLERK = asked(
    "staff",
    "order 10704: employee Robert King or not?",
    "no",
    '"Orders" JOIN "Employees" ON "Orders"."EmployeeID" = "Employees"."EmployeeID"',
    '"Orders"."OrderID" = 10704 AND "Employees"."FirstName" = \'Robert\' AND "Employees"."LastName" = \'King\'',
)
BERGEN = asked("city", "?", "yes", "customer", "customer.name = 'Valley Singers' AND customer.city = 'Bergen'")
TITLE = asked("title", "?", "yes", "staff", "staff.name = 'Ada Moor' AND staff.title = 'Sales Manager'")
NOT_BERN = asked(
    "not",
    "Is the city of the customer Lake Hikers not Bern?",
    "no",
    "customer",
    "customer.name = 'Lake Hikers' AND customer.city = 'Bern'",
)
RELEASE = (CLIENT, OTHER, CITY, TOWN, PRICE, PHONE, LINE, START, STAFF, CLERK, BERGEN, TITLE, NOT_BERN)

RIGHT: list[tuple[Question, str]] = [
    (CLIENT, "Yes, Quay Wall was made for Halden Marine."),
    (CLIENT, "Yes"),
    (CLIENT, "That is correct."),
    (CLIENT, "Halden Marine"),
    (CLIENT, "It was Halden Marine."),
    (CLIENT, "The client of Quay Wall is **Halden Marine**."),
    (CLIENT, "According to the project report, Quay Wall was made for Halden Marine, a shipping company in Oslo."),
    (CLIENT, "Ja, das Projekt wurde für Halden Marine durchgeführt."),
    (CLIENT, "Oui."),
    (CLIENT, "Sí, es correcto."),
    (OTHER, "No, it was made for Halden Marine."),
    (OTHER, "Halden Marine"),
    (OTHER, "It was made for Halden Marine."),
    (OTHER, "Not exactly. It was made for Halden Marine."),
    (OTHER, "The documents name Halden Marine as the client of Quay Wall."),
    (OTHER, "Nein, der Auftraggeber war Halden Marine."),
    (OTHER, "Non, c'était Halden Marine."),
    (CITY, "No."),
    (CITY, "Bergen"),
    (CITY, "The city of North Rowers is Bergen, not Oslo."),
    (CITY, "That's incorrect: the customer North Rowers is in Bergen."),
    (TOWN, "Answer: Bern"),
    (TOWN, "Indeed, Lake Hikers is based in Bern."),
    (PRICE, "12.50"),
    (PRICE, "The unit price is $12.50."),
    (LINE, "(010) 998-4510"),
    (START, "It started on March 4, 2019."),
    (STAFF, "Laura O'Hara"),
    (CLERK, "Not Robert King – it was Laura O'Hara."),
    (NOT_BERN, "Bern"),
]
WRONG: list[tuple[Question, str]] = [
    (CLIENT, "No."),
    (CLIENT, "No, Quay Wall was made for Orla Foods."),
    (CLIENT, "Orla Foods"),
    (CLIENT, "It was Orla Foods."),
    (CLIENT, "That is not correct."),
    (CLIENT, "Nein."),
    (CLIENT, "Non, pas du tout."),
    (CLIENT, "Quay Wall"),
    (OTHER, "Yes, it was."),
    (OTHER, "Orla Foods"),
    (OTHER, "The client was Orla Foods."),
    (OTHER, "Ja."),
    (OTHER, "Sí, fue para Orla Foods."),
    (OTHER, "That's right, Quay Wall was made for Orla Foods."),
    (CITY, "Oslo"),
    (CITY, "The city is Oslo."),
    (CITY, "North Rowers"),
    (CITY, "Sales Manager"),
    (TOWN, "Bergen"),
    (TOWN, "Lake Hikers is located in Bergen."),
    (TOWN, "Sales Manager"),
    (PRICE, "18"),
    (PRICE, "The unit price of Ipoh Coffee is 46."),
    (PHONE, "(206) 555-9857"),
    (PHONE, "206"),
    (LINE, "010"),
    (START, "It started on 5 April 2020."),
    (STAFF, "10703"),
    (STAFF, "Robert King"),
    (NOT_BERN, "Correct, it is not Bern."),
]
ABSTAINED: list[tuple[Question, str]] = [
    (CLIENT, "The documents do not say."),
    (OTHER, "I don't know."),
    (CITY, "The provided context does not mention the city of North Rowers."),
    (TOWN, "I could not find any information about Lake Hikers."),
]
UNREAD: list[tuple[Question, str]] = [
    (CLIENT, "Naturally so."),
    (CLIENT, "Halden"),
    (OTHER, "Some client from the harbour"),
    (TOWN, "Muri bei Bern"),
    (CITY, "Drammen"),
]


@pytest.mark.parametrize(
    ("wanted", "cases"),
    [("correct", RIGHT), ("wrong", WRONG), ("abstained", ABSTAINED), ("unscored", UNREAD)],
    ids=["right", "wrong", "abstained", "unread"],
)
def test_an_answer_is_what_a_person_would_count(wanted: str, cases: list[tuple[Question, str]]) -> None:
    rule = METRIC.rule
    assert rule is not None
    score = rule(ReleaseData(RELEASE))
    scores = score([question for question, _ in cases], [Prediction(one.id, answer) for one, answer in cases])
    found = [
        (question.question, question.answers[0], answer, given.outcome, given.reason)
        for (question, answer), given in zip(cases, scores, strict=True)
        if given.outcome != wanted
    ]
    assert found == []
