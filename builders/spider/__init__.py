"""Context-augmented Spider: encyclopedia-like pages and questions of a database (GRAMMAR: 5.1 and appendix H.2).

build            the builder: database → profiles → pages, templates → fillings → questions
opening          the copy that a build reads and a proof asks
source           the database: Spider's, found in its layout, with the keys that it lacks; or our own (`companies.toml`)
asking           templates whose answers pages can state, filled, with the facts that each answer needs
needs            which facts an answer needs, found by its query
absent           why a question has no answer, and whether pages bear that out
facts            what a page may state
profiles         what the database knows of each named row
make_pages       the pages of a build, written and read
pages            the built-in writer of pages (`pages.toml`)
pages_by_model   a model writes them, and each is read
questions        the questions, with the places where pages state what they need
closed           fictitious names for real ones (`closed.toml`)
reading          where a page states each fact, and what it says that is none
prove_pages      every fact that an answer needs is stated where its evidence says
"""

from benchwright.builders.spider.build import VERSION, build, check_holdout
from benchwright.builders.spider.opening import as_asked
from benchwright.builders.spider.prove_pages import rules
from benchwright.builders.sql.proofs.rows import sql_proof

PROOFS = (sql_proof(rules),)

__all__ = ["PROOFS", "VERSION", "as_asked", "build", "check_holdout"]
