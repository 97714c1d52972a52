"""What tables and columns are called: as the schema file says, else as their identifiers read in English."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from benchwright.builders.sql.wording import english
from benchwright.builders.sql.wording.columns import column_words


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words for a schema, by names in lower case: they are found whatever their capitals."""

    tables: Mapping[str, str] = field(default_factory=dict)
    """Table → singular noun."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """`table.column` → words."""
    roles: Mapping[str, str] = field(default_factory=dict)
    """`table.column` of a foreign key → what the row that it leads to is to this one, where it differs from the words
    of the column."""

    def noun(self, table: str) -> str:
        """The singular noun of a table."""
        return self.tables.get(table.lower()) or english.noun(table)

    def column(self, table: str, column: str) -> str:
        """The words of a column that is asked for or given."""
        return self.columns.get(f"{table}.{column}".lower()) or column_words(self.noun(table), column) or column

    def names_role(self, table: str, column: str) -> bool:
        """Whether the file says what a key leads to, so that its column need not."""
        key = f"{table}.{column}".lower()
        return key in self.roles or key in self.columns

    def role(self, table: str, column: str) -> str:
        """The role that a foreign key's column names."""
        key = f"{table}.{column}".lower()
        return self.roles.get(key) or self.columns.get(key) or english.role(column)
