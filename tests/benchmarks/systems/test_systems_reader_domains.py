"""The built-in reader on small texts of many fields, none of them a benchmark's: its rules are of English.

What it cannot do is pinned too, so that a change of the rules shows.
"""

import pytest

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.systems.reader.extract import UNKNOWN, read_passages


def passage(title: str, text: str) -> Passage:
    return Passage(title.lower(), title, 0, len(text), text)


EVERY = (
    passage(
        "St Brannock Hospital",
        "St Brannock Hospital is a teaching hospital in Exeter, England. It opened on 3 March 1962 and has 410 beds. The "
        "chief executive is Dr Amina Rowe, who took over from Peter Galt in 2019. Visiting hours are daily from 14:00 to "
        "20:00. The emergency department, led by Dr Lukas Meier, treats 62,000 patients a year.",
    ),
    passage(
        "Lukas Meier",
        "Lukas Meier is a consultant in emergency medicine. He studied in Vienna and holds a Doctor of Medicine. Meier "
        "joined the hospital in May 2008. His office is in the Hawthorn Building. He can be reached on extension 7714 on "
        "Tuesday afternoons.",
    ),
    passage(
        "Harrow Vale FC",
        "Harrow Vale FC\n\nFounded: 1904\nGround: Mill Lane (capacity 8,250)\nManager: Stella Okoro\nLeague: Northern "
        "Premier\n\nHarrow Vale FC play their home games at Mill Lane. Their captain is the midfielder Tom Brandt, 29. The "
        "record signing, Iker Sola, cost £1.2 million in 2021.",
    ),
    passage(
        "Basking shark",
        "The basking shark is the second-largest living fish. It feeds on plankton, and adults typically reach 7.9 m in "
        "length and weigh up to 5.2 tonnes. It was first described by Johan Ernst Gunnerus in 1765.",
    ),
    passage(
        "River Tolva",
        "The River Tolva rises in the Kern Mountains and flows into Lake Ossen. It is 214 km long. The largest town on its "
        "banks is Brekke, which has a population of 18,400.",
    ),
    passage(
        "The Grey Harbour",
        "The Grey Harbour is an oil painting by the Dutch artist Maaike de Wit, completed in 1873. It hangs in the "
        "Rijnveld Museum, Utrecht. It was bought for 90,000 euros in 1998.",
    ),
    passage(
        "Kestrel Airways",
        "Kestrel Airways is a regional airline based in Tromsø, Norway. It was established in 1987 by Henrik Aas and "
        "operates a fleet of 23 aircraft. The airline employs 640 people. In 2022 its revenue was $148 million. Ingrid "
        "Solberg has been chief executive since 1 June 2020; before her, Lars Moe held the post.",
    ),
    passage(
        "Staff directory",
        "Name: Farah Aziz\nPosition: Senior Pharmacist\nDepartment: Oncology\nPhone: 555-0199\nManager: Owen Price",
    ),
    passage(
        "Owen Price",
        "Owen Price, head of pharmacy, has worked at the hospital since 2009. Born in Cardiff, he graduated with a Master "
        "of Pharmacy from Cardiff University.",
    ),
    passage(
        "Lease of Unit 7",
        "The lease of Unit 7 runs from 1 April 2021 to 31 March 2026. The tenant is Brightwell Bakery Ltd and the landlord "
        "is Oakham Estates. The annual rent is £24,000. The deposit, formerly £4,000, was raised to £6,000.",
    ),
    passage(
        "The Glass Hour",
        "The Glass Hour is a 1968 novel by the Irish writer Nora Keane. It was published by Harbinger Press and won the "
        "Eastwood Prize in 1969. The book has 312 pages.",
    ),
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where is St Brannock Hospital?", "Exeter, England"),
        ("When did St Brannock Hospital open?", "3 March 1962"),
        ("Who is the chief executive of St Brannock Hospital?", "Dr Amina Rowe"),
        ("What type of hospital is St Brannock Hospital?", "teaching hospital"),
        ("Which degree does Lukas Meier hold?", "Doctor of Medicine"),
        ("What is the extension of Lukas Meier?", "7714"),
        ("In which building is the office of Lukas Meier?", "Hawthorn Building"),
        ("Where did Lukas Meier study?", "Vienna"),
        ("Who is the captain of Harrow Vale FC?", "Tom Brandt"),
        ("What is the capacity of Mill Lane?", "8,250"),
        ("How much did Iker Sola cost?", "£1.2 million"),
        ("What does the basking shark eat?", "plankton"),
        ("How long is the basking shark?", "7.9 m"),
        ("How much does the basking shark weigh?", "5.2 tonnes"),
        ("How long is the River Tolva?", "214 km"),
        ("What is the population of Brekke?", "18,400"),
        ("Who painted The Grey Harbour?", "Maaike de Wit"),
        ("How much was paid for The Grey Harbour?", "90,000 euros"),
        ("When was Kestrel Airways established?", "1987"),
        ("How many people does Kestrel Airways employ?", "640 people"),
        ("What was the revenue of Kestrel Airways?", "$148 million"),
        ("What is the position of Farah Aziz?", "Senior Pharmacist"),
        ("Which degree does the manager of Farah Aziz hold?", "Master of Pharmacy"),
        ("When did the lease of Unit 7 start?", "1 April 2021"),
        ("What is the annual rent of Unit 7?", "£24,000"),
        ("What is the deposit of Unit 7?", "£6,000"),
        ("Who published The Glass Hour?", "Harbinger Press"),
        ("How many pages does The Glass Hour have?", "312 pages"),
    ],
)
def test_answers(question: str, answer: str) -> None:
    assert read_passages(question, EVERY) == answer


@pytest.mark.parametrize(
    "question",
    [
        "Who is the dentist of Lukas Meier?",
        "What is the melting point of the River Tolva?",
        "What is the salary of Owen Price?",
        "What is the extension of the dentist of Lukas Meier?",
        "When was Polar House opened?",
        "Who is the manager of Tarn Rovers?",
    ],
)
def test_what_no_text_states(question: str) -> None:
    assert read_passages(question, EVERY) == UNKNOWN


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where does The Grey Harbour hang?", "Rijnveld Museum"),
        ("What are the visiting hours of St Brannock Hospital?", "daily"),
        ("What is the specialism of Lukas Meier?", UNKNOWN),
        ("In which league does Harrow Vale FC play?", "Mill Lane"),
        ("What is the job title of Owen Price?", "pharmacy"),
        ("When does the lease of Unit 7 end?", "1 April 2021"),
        ("Which prize did The Glass Hour win?", "Harbinger Press"),
        ("What is the extension of the head of the emergency department of St Brannock Hospital?", UNKNOWN),
    ],
)
def test_what_it_finds_in_part_wrongly_or_not(question: str, answer: str) -> None:
    assert read_passages(question, EVERY) == answer
