"""A CSV file as its program wrote it: which encoding, what stands between values, and its rows with their lines."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError

ENDINGS = (".csv", ".tsv")
_DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "vertical bar": "|"}
_LOOKED_AT = 200
"""Rows by which it is decided what stands between values."""
_LONGEST = 2**31 - 1
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


@dataclass(frozen=True)
class CsvFile:
    """A file, and how it is to be read."""

    path: Path
    encoding: str
    delimiter: str
    declared: bool = False
    """Whether its first line is `sep=…`, by which spreadsheets are told the delimiter."""

    @property
    def separated_by(self) -> str:
        """What people call the delimiter."""
        return next((name for name, sign in _DELIMITERS.items() if sign == self.delimiter), repr(self.delimiter))

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Its rows with the number of the line on which each begins, the header first. Empty lines are none.

        Raises:
            BenchwrightError: a line is not in the encoding, or a quotation mark is not as CSV has it.
        """
        csv.field_size_limit(_LONGEST)
        skipped = 1 if self.declared else 0
        begins = skipped + 1
        try:
            with self.path.open(newline="", encoding=self.encoding) as file:
                if skipped:
                    file.readline()
                reader = csv.reader(file, strict=True, delimiter=self.delimiter)
                for row in reader:
                    if row:
                        yield begins, row
                    begins = skipped + reader.line_num + 1
        except UnicodeError:
            raise BenchwrightError(_not_text(self.path, self.encoding)) from None
        except csv.Error as error:
            what = "a quotation mark is never closed" if "end of data" in str(error) else str(error)
            raise BenchwrightError(f"{self.path}, line {begins} is no CSV: {what}") from None


def read_csv_file(path: Path) -> CsvFile:
    """Finds out how a file is to be read: its encoding by its first bytes, its delimiter by its first rows.

    Raises:
        BenchwrightError: it is no text.
    """
    with path.open("rb") as file:
        beginning = file.read(4)
    encoding = next((name for mark, name in _MARKS if beginning.startswith(mark)), "utf-8")
    try:
        with path.open(newline="", encoding=encoding) as file:
            first = file.readline(1000).rstrip("\r\n")
    except UnicodeError:
        raise BenchwrightError(_not_text(path, encoding)) from None
    if "\0" in first:
        raise BenchwrightError(f"{path} is not UTF-8 text (UTF-16 without a byte order mark?): save it as CSV UTF-8")
    if first.lower().startswith("sep=") and len(first) == 5:
        return CsvFile(path, encoding, first[4], declared=True)
    files = [CsvFile(path, encoding, sign) for sign in _DELIMITERS.values()]
    return max(files, key=_likelihood)  # of those that are as likely, the first


def _likelihood(file: CsvFile) -> tuple[bool, int]:
    """Whether the first rows agree on more columns than one, and the columns of the header."""
    try:
        widths = [len(row) for _, row in islice(file.rows(), _LOOKED_AT)]
    except BenchwrightError:
        return False, 0
    width = widths[0] if widths else 0
    return width > 1 and set(widths) == {width}, width


def _not_text(path: Path, encoding: str) -> str:
    """The first line that is not in the encoding, and what to do."""
    if encoding == "utf-16":
        return f"{path} is not the UTF-16 text that its first bytes say: save it as CSV UTF-8"
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                wrong = line[error.start]
                meant = bytes([wrong]).decode("cp1252", errors="replace")
                return (
                    f"{path}, line {number} is not UTF-8 text (its byte 0x{wrong:02x} is {meant!r} in Windows-1252 and "
                    "Latin-1): save it as CSV UTF-8"
                )
    return f"{path} is not UTF-8 text: save it as CSV UTF-8"
