"""Each promise of the pages is kept by a test: `tests/claims.toml` says which."""

import ast
import re
import tomllib

import pytest
from guides import PAGES
from support import ROOT

TESTS = ROOT / "tests"
CLAIMS = tomllib.loads((TESTS / "claims.toml").read_text(encoding="utf-8"))
STRONG = re.compile(r"\b(never|always|all|every|refused?|refuses|proved?|proves|nobody|nothing)\b", re.IGNORECASE)
"""Words that promise: a sentence with one of them needs a test, or another wording."""
UNPROMISING = re.compile(r"`[^`]*`|\]\([^)]*\)|\bnearly all\b|^\[ \] .*")
"""Where such a word promises nothing: code, links, and what is still to be done."""


def sentences_of(text: str) -> list[str]:
    """The sentences of a page's prose, each in one line; headings, tables and blocks are none."""
    prose = re.sub(
        r"^```.*?^```$|<!--.*?-->|^\|.*?$|^#.*?$|!\[.*?\]\(.*?\)", "\n", text, flags=re.MULTILINE | re.DOTALL
    )
    found = []
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", prose):
        whole = re.sub(r"^(?:[-*]|\d+\.) ", "", " ".join(paragraph.split()))
        found += re.split(r"(?<=[.!?])\s+(?=[A-Z`*\"])", whole)
    return [sentence for sentence in found if sentence]


SENTENCES = {page.name: sentences_of(page.read_text(encoding="utf-8")) for page in PAGES}


@pytest.mark.parametrize(
    ("page", "says", "test"),
    [(page, claim["says"], claim["test"]) for page, claims in CLAIMS.items() for claim in claims],
)
def test_a_promise_is_made_and_tested(page: str, says: str, test: str) -> None:
    assert says in SENTENCES[page], [each for each in SENTENCES[page] if each[:20] == says[:20]]
    file, _, name = test.partition("::")
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    assert name in [item.name for item in tree.body if isinstance(item, ast.FunctionDef)], test


@pytest.mark.parametrize("page", sorted(SENTENCES))
def test_no_strong_word_without_a_test(page: str) -> None:
    promised = {claim["says"] for claim in CLAIMS.get(page, ())}
    strong = [each for each in SENTENCES[page] if STRONG.search(UNPROMISING.sub("", each))]
    assert not [each for each in strong if each not in promised]
