"""The CSV and Parquet files of a folder, as tables."""

from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.text.csv_files import ENDINGS

PARQUET = ".parquet"


def table_files(folder: Path) -> list[Path]:
    """The CSV and Parquet files of a folder, by their names; a folder of Parquet files of such a name is one table.

    Raises:
        BenchwrightError: there is none, one is a folder, or two have the name of one table.
    """
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() in (*ENDINGS, PARQUET))
    if not files:
        raise BenchwrightError(f"the folder {folder} holds no *.csv, *.tsv or *.parquet file")
    tables: dict[str, Path] = {}
    for path in files:
        if not path.is_file() and not (path.suffix.lower() == PARQUET and any(path.rglob(f"*{PARQUET}"))):
            raise BenchwrightError(f"{path} is not a file: give it another name, or take it out of the folder")
        other = tables.setdefault(path.stem.lower(), path)
        if other is not path:
            raise BenchwrightError(f"{other} and {path.name} would be one table: give one of them another name")
        if path.stem.lower().startswith("sqlite_"):
            raise BenchwrightError(f"{path}: names of tables do not begin with sqlite_: give it another name")
    return files
