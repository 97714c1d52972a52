"""Whether the rows of tables that are documents say what their sections say."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.releases.proofs.base import Material, Text, Verification
from benchwright.benchmarks.releases.rows import read_metadata
from benchwright.builders.documents.sections import BETWEEN_CELLS
from benchwright.builders.telequad.passages import ROW_END, ROW_START, SECTION
from benchwright.builders.telequad.rows import FILE

ROWS_PROVED = "rows of tables that say what their sections say"


@dataclass(frozen=True)
class Corpus:
    """The documents of a release, and what is said of them."""

    texts: Mapping[str, Text]
    said: Mapping[str, Mapping[str, Any]]

    def file_of(self, name: str) -> str:
        """The file that a document is from."""
        return str(self.said[name].get(FILE))

    def texts_of(self, file: str) -> Iterator[str]:
        """The sections' texts of a file, as far as they are here."""
        for name, said in self.said.items():
            text = self.texts[name].text
            if said.get(FILE) == file and SECTION not in said and text is not None:
                yield text

    def check_counts(self, checks: Mapping[str, Any], found: Verification) -> None:
        """Compares what the builder counted of documents and passages."""
        files = {said.get(FILE) for said in self.said.values()}
        rows = sum(SECTION in said for said in self.said.values())
        counted = {"documents_read": len(files), "corpus_of": {"sections": len(self.said) - rows, "rows": rows}}
        for name, value in counted.items():
            found.counted.add(name)
            if checks.get(name) == value:
                found.proved["counts of the manifest"] += 1
            else:
                found.problem("count", f"{name} is said to be {checks.get(name)!r:.80}, and counted it is {value}")

    def check_rows(self, found: Verification) -> None:
        """Compares each row with the characters of its section that it is said to be."""
        for name, said in self.said.items():
            if SECTION not in said:
                continue
            problem = self._row_problem(name, said)
            if problem:
                found.problem("row", f"document {name}: {problem}")
            elif self.texts[name].text is not None:
                found.proved[ROWS_PROVED] += 1

    def _row_problem(self, name: str, said: Mapping[str, Any]) -> str | None:
        section, start, end = said[SECTION], said.get(ROW_START), said.get(ROW_END)
        if section not in self.texts or self.file_of(section) != self.file_of(name):
            return f"it is said to be a row of {section}, which is no section of its document"
        if not (isinstance(start, int) and isinstance(end, int) and 0 <= start < end):
            return "the place of its row is no span"
        row, whole = self.texts[name].text, self.texts[section].text
        if row is None or whole is None:
            return None
        if end > len(whole):
            return f"the place of its row is outside of {section}"
        for cell in whole[start:end].split(BETWEEN_CELLS):
            if cell.strip() not in row:
                return f"it lacks {cell.strip()[:80]!r}, which stands in its row of {section}"
        if strange := next((word for word in row.split() if word.rstrip(".;:") not in whole), None):
            return f"it says {strange[:80]!r}, which does not stand in {section}"
        return None


def read_corpus(material: Material) -> Corpus:
    """What a release says of its documents. All texts are held in memory."""
    said = {
        row["_id"]: read_metadata(row["metadata"]) for row in material.rows("corpus", "corpus", ["_id", "metadata"])
    }
    return Corpus(material.texts, said)
