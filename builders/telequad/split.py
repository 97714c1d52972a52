"""Train and test by document: nothing of a document, nor of another version of it, is in both."""

from collections.abc import Mapping, Sequence

from benchwright.benchmarks.hashing import rank

TRAIN, TEST = "train", "test"


def split_documents(families: Mapping[str, str], share: float, seed: int) -> dict[str, str]:
    """The split of each document.

    Args:
        families: document → what its versions share, such as the number without the version.
        share: of the documents that are for training; where it is not 0, one family at least is. One at least is not.
        seed: decides which.
    """
    members: dict[str, list[str]] = {}
    for document, family in families.items():
        members.setdefault(family, []).append(document)
    ranked = sorted(members, key=lambda family: rank(seed, "telequad split", family))
    wanted = round(share * len(families))
    train: list[str] = []
    for family in ranked[: len(ranked) - 1] if share else ():
        taken = sum(len(members[each]) for each in train)
        if taken + len(members[family]) <= wanted or not train:
            train.append(family)
    return {document: TRAIN if family in train else TEST for document, family in families.items()}


def test_first(documents: Sequence[str], splits: Mapping[str, str]) -> list[int]:
    """Places of documents: those of the test split, then the others."""
    return sorted(range(len(documents)), key=lambda place: splits[documents[place]] != TEST)
