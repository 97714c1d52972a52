"""Every pattern by its name; the order is that of the questions of a build."""

from collections.abc import Mapping

from benchwright.builders.telequad.questions.abbreviations import abbreviations
from benchwright.builders.telequad.questions.asked import Pattern
from benchwright.builders.telequad.questions.cells import cells
from benchwright.builders.telequad.questions.definitions import definitions
from benchwright.builders.telequad.questions.ranges import ranges
from benchwright.builders.telequad.questions.references import references
from benchwright.builders.telequad.questions.requirements import requirements
from benchwright.builders.telequad.questions.unanswerable import unanswerable

PATTERNS: Mapping[str, Pattern] = {
    "definition": definitions,
    "abbreviation": abbreviations,
    "cell": cells,
    "range": ranges,
    "requirement": requirements,
    "reference": references,
    "unanswerable": unanswerable,
}
