"""What the built-in reader makes of several facts: extremes, sums, averages, how many pass a bound, yes and no."""

import pytest

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.systems.reader.extract import UNKNOWN, read_passages

TEXTS = {
    "Harbour Line (client)": "Harbour Line has had us build Gull Bridge, Tern Tower and Heron Hall. It was founded in 1951.",
    "Gull Bridge": "Gull Bridge is a footbridge.\n\nThe budget is US$2 million. A former budget was $9 million.",
    "Report on Tern Tower": "The budget of the tower comes to US$500,000.\n\nWork began on 3 May 2019.",
    "Heron Hall": "The budget is $3,500,000, fees included. The manager is Mia Rook.",
    "Plover Hall": "The budget is $77 million. The client is Sand & Sons.",
    "Works at Crane Yard": "Crane Yard Lifts is a package. It is valued at $40,000. Its lead is Ada Wren.\n\n"
    "Crane Yard Doors was let next. It is valued at $90,000. Its lead is Otto Finch.\n\n"
    "Crane Yard Roof follows. Its value is $60,000. Its lead is Ada Wren.",
    "Ada Wren": "Ada Wren was hired on 9 July 1999. She is best reached on extension 4417. Her desk is in Mill House.",
}
ASKED = {
    "What is the highest budget in US dollars among the projects of the client Harbour Line?": "$3,500,000",
    "lowest budget over projects of client Harbour Line?": "US$500,000",
    "Could you tell me the total budget in US dollars of the projects of the client Harbour Line, please?": "6,000,000",
    "average budget in US dollars, projects of client Harbour Line": "2,000,000",
    "how many projects of client Harbour Line with a budget in US dollars above 1000000?": "2",
    "What is the total value of the packages whose lead is Ada Wren?": "100,000",
    "number of packages whose lead is Ada Wren and whose value is from 50000 to 70000": "1",
    "Which project of the client Harbour Line has the highest budget in US dollars?": "Heron Hall",
    "name of the project of the client Harbour Line with the second-highest budget, please": "Gull Bridge",
    "package with the lowest value among those whose lead is Ada Wren": "Crane Yard Lifts",
    "list of the works whose lead is Ada Wren": "Crane Yard Lifts, Crane Yard Roof",
    "how many packages whose lead is Ada Wren are there?": "2",
    "total budget of the buildings of the client Sand & Sons in euros": "77,000,000",
    "Was Ada Wren hired on 9 July 1999?": "Yes",
    "Was Ada Wren hired on 10 July 1999?": "No",
    "hiring date of Ada Wren is 1999-07-09, yes or no?": "Yes",
    "Can you tell me whether Harbour Line was founded in 1951?": "Yes",
    "need to know if the founding year of Harbour Line is 1950": "No",
    "Is Mia Rook the manager of Heron Hall?": "Yes",
    "When was Ada Wren hired?": "9 July 1999",
    "what is the budget of Plover Hall": "$77 million",
    "highest budget among the projects of the client Nobody & Co": UNKNOWN,
    "Is the seat of Nobody & Co in Lima?": UNKNOWN,
}


@pytest.mark.parametrize(("question", "answer"), ASKED.items())
def test_it_is_read(question: str, answer: str) -> None:
    passages = [Passage(f"d{number}", title, 0, len(text), text) for number, (title, text) in enumerate(TEXTS.items())]
    assert read_passages(question, passages) == answer
