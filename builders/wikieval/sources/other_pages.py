"""Sentences of other pages of the same build: of each the one that says what its subject is, for pages of its kind."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from benchwright.benchmarks.hashing import rank
from benchwright.builders.wiki.questions.subjects import read_subject
from benchwright.builders.wikieval.contexts.leaning import leans
from benchwright.builders.wikieval.material import Neighbour, Passage
from benchwright.builders.wikieval.rules.questions import as_article
from benchwright.builders.wikieval.sources.introductions import sentences_in
from benchwright.builders.wikieval.sources.page_neighbours import name_of, names

MOST = 8
"""Other pages that a passage is given."""
_PERSON = "person"


class OtherPages:
    """The pages of a build by the kinds of their subjects: films, elections, people."""

    def __init__(self, passages: Iterable[Passage]) -> None:
        """Of passages; sections of documents have no kind, and are left out."""
        self._of_kind: dict[str, list[Neighbour]] = defaultdict(list)
        for passage in passages:
            kind, sentence = kind_of(passage), next(iter(sentences_in(passage.text)), "")
            if (
                kind
                and names(sentence, name_of(passage.title))
                and not leans(sentence, f"{passage.title} {passage.text}")
            ):
                revision = passage.metadata["revision"]
                self._of_kind[kind].append(Neighbour((sentence,), "other page", passage.title, revision=revision))

    def beside(self, passage: Passage, seed: int) -> Sequence[Neighbour]:
        """Sentences of at most eight pages of its kind but for itself, drawn by the seed."""
        found = [one for one in self._of_kind.get(kind_of(passage), ()) if one.title != passage.title]
        return sorted(found, key=lambda one: rank(seed, "wikieval other", passage.source, one.title))[:MOST]


def kind_of(passage: Passage) -> str:
    """What a page's first sentence calls its subject, else the last word of its title; nothing where neither tells."""
    if "revision" not in passage.metadata:
        return ""
    subject = read_subject(as_article(passage))
    last = name_of(passage.title).rpartition(" ")[2]
    return _PERSON if subject.is_person else subject.noun or (last if last.islower() else "")
