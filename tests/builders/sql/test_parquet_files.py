"""A folder of Parquet files becomes a database: types are kept, and what CSV files lack is found as there."""

from datetime import UTC, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import open_database
from benchwright.builders.sql.csv_folder import database_of_folder
from benchwright.builders.sql.own_database import own_database
from benchwright.builders.sql.reflection import reflect

_DAY = datetime(2020, 1, 2, 3, 4, 5, 678900)
_COLUMNS = {
    "customer_id": pa.array([1, 2], pa.uint16()),
    "name": pa.array(["Añejo", "夜"]).dictionary_encode(),
    "day": pa.array([_DAY, None], pa.timestamp("ns")),
    "seen": pa.array([_DAY.replace(tzinfo=UTC), None], pa.timestamp("ns", "Europe/Berlin")),
    "opens": pa.array([time(8, 30), None], pa.time64("ns")),
    "lasts": pa.array([timedelta(hours=34, seconds=5), None], pa.duration("ns")),
    "serial": pa.array([2**64 - 1, None], pa.uint64()),
    "exact": pa.array([Decimal("12345678901234567890.50"), None], pa.decimal128(30, 2)),
    "price": pa.array([Decimal("8.50"), None], pa.decimal128(9, 2)),
    "whole": pa.array([Decimal(7), None], pa.decimal128(9, 0)),
    "active": pa.array([True, False]),
    "tags": pa.array([["a"], None]),
    "logo": pa.array([b"x", None]),
    "nothing": pa.nulls(2),
    "__index_level_0__": pa.array([0, 1]),
}


def test_types_and_references(tmp_path: Path) -> None:
    """A key that pandas made floats of, since some are missing, leads to the integers; a folder of parts is one table."""
    folder = tmp_path / "shop"
    folder.mkdir()
    pq.write_table(pa.table(_COLUMNS), folder / "customers.parquet")
    orders = pa.table({"order_id": [1, 2, 3], "customer_id": pa.array([2.0, None, 1.0]), "year": [2020, 2021, 2021]})
    pq.write_to_dataset(orders, folder / "orders.parquet", partition_cols=["year"])
    (folder / "notes.csv").write_text("note,customer_id\nA,1\n")
    with own_database(str(folder)) as own, open_database(own.url) as database:
        tables = reflect(database).tables
        [row] = database.all("SELECT * FROM customers WHERE customer_id = 1")
        assert own.made_from == "csv:shop"
    kinds = {name: column.kind for name, column in tables["customers"].columns.items()}
    assert dict(zip(kinds, row, strict=True)) == {
        "customer_id": 1, "name": "Añejo", "day": "2020-01-02 03:04:05.678900", "seen": "2020-01-02 04:04:05.678900+01:00",
        "opens": "08:30:00", "lasts": "34:00:05", "serial": "18446744073709551615", "exact": "12345678901234567890.5",
        "price": 8.5, "whole": 7, "active": 1, "tags": '["a"]', "logo": b"x", "nothing": None,
    }  # fmt: skip
    assert kinds == {
        "customer_id": "number", "name": "text", "day": "date", "seen": "date", "opens": "text", "lasts": "text",
        "serial": "text", "exact": "text", "price": "number", "whole": "number", "active": "boolean", "tags": "other",
        "logo": "other", "nothing": "text",
    }  # fmt: skip
    assert tables["customers"].primary_key == ("customer_id",)
    for name in ("orders", "notes"):
        assert [(key.columns, key.table) for key in tables[name].foreign_keys] == [(("customer_id",), "customers")]
    assert list(tables["orders"].columns) == ["order_id", "customer_id", "year"]


@pytest.mark.parametrize("damage", ["no Parquet", "cut", "zeros"])
def test_damaged_files(damage: str, tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    pq.write_table(pa.table({"name": [f"A {number}" for number in range(500)]}), file)
    whole = file.read_bytes()
    file.write_bytes(
        {"no Parquet": b"PAR1 nonsense", "cut": whole[:-100], "zeros": whole[:50] + bytes(300) + whole[350:]}[damage]
    )
    with pytest.raises(BenchwrightError, match=r"a\.parquet (?:is no Parquet file, or a damaged one|cannot be read: )"):
        database_of_folder(tmp_path, tmp_path / "t.sqlite")


def test_columns_of_one_name(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1], "A": [2]}), tmp_path / "a.parquet")
    with pytest.raises(BenchwrightError, match=r"a\.parquet: two columns have the same name"):
        database_of_folder(tmp_path, tmp_path / "t.sqlite")
