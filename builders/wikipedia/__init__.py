"""Post-cutoff Wikipedia: questions about articles that a model cannot have read.

build            the builder: pages → articles → subsets → questions → filters → release
parameters       what a build is asked for, checked; where a release is built again, its own
cutoffs          the cutoff: a date, or a model whose cutoff is known (`cutoffs.toml`)
sources          where the pages come from: a wiki's API, its dumps, or the revisions of a release
wiki_language    the language of the wiki, and what is not done for one that the rules do not know
asking           from articles to the questions of a release
classifier       is an article mostly about things after the cutoff? By its dates, or by a model
questions_by_model
                 the questions of an article by a model; those by rule are those of `wiki/questions`
proposals        which of a model's proposals can be used
proposal_dates   when the fact of one came to be: the model's word, held against what the rules read
refused          those that could not be used, as a file of the release
filters          which of them stay
rows             articles and questions as rows of a release
prove_articles, prove_names, prove_questions, prove_counts, prove_refused
                 what a release says of itself agrees with its articles, by the same rules
"""

from benchwright.benchmarks.releases.cells import default_cells
from benchwright.benchmarks.releases.proofs.held_cells import held_cells_proof
from benchwright.builders.wikipedia.build import VERSION, build, settings_to_rebuild
from benchwright.builders.wikipedia.prove_questions import questions_proof

PROOFS = (
    held_cells_proof(lambda material: lambda row: default_cells(row["group"] or row["id"], row)),
    questions_proof(VERSION),
)

__all__ = ["PROOFS", "VERSION", "build", "settings_to_rebuild"]
