"""Questions and answers that somebody else wrote, as a release: from files, folders and datasets on the Hub.

build        the builder: source → columns → rows → questions and documents
ready        what a build has at hand before it writes
preview      what would be asked, on screen
tables       what every reader gives: rows by the names of their columns, each with its place
files        CSV, JSON, JSON lines, Parquet and folders of them, by their names and beginnings
squad        SQuAD's nested JSON as rows
beir         BEIR's folders: corpus, queries and qrels
hub          datasets on the Hub, at a commit
documents    a corpus, from a table or from texts in a folder
columns      which column is what: as it was said, else by usual names (`columns.toml`)
rows         rows as questions
personal     what of them looks like personal data
left_out     what is left out of them, and why
"""

from benchwright.benchmarks.releases.cells import default_cells
from benchwright.benchmarks.releases.proofs.held_cells import held_cells_proof
from benchwright.builders.tabular.build import VERSION, build, settings_to_rebuild
from benchwright.builders.tabular.preview import preview

PROOFS = (held_cells_proof(lambda material: lambda row: default_cells(row["group"] or row["id"], row)),)

__all__ = ["PROOFS", "VERSION", "build", "preview", "settings_to_rebuild"]
