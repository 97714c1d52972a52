"""Which groups are asked, and in which split: what parameters, quotas and documents make of what the patterns gave."""

import logging
from collections.abc import Collection, Mapping
from typing import Any

from benchwright.builders.telequad.asking import Found, chosen_groups
from benchwright.builders.telequad.quotas import Quotas
from benchwright.builders.telequad.reading import ReadDocuments
from benchwright.builders.telequad.split import TEST, TRAIN, split_documents

log = logging.getLogger("benchwright")


def quotas_of(parameters: Mapping[str, Any]) -> Quotas:
    """The quotas that a build's parameters set."""
    return Quotas(parameters["groups"], parameters["per_document"], parameters["per_clause"])


def choose_and_split(
    read: ReadDocuments, found: Found, quotas: Quotas, train: float, seed: int
) -> tuple[Collection[str], Mapping[str, str]]:
    """The groups that are asked, and the split of each document; one of which nothing can be asked is in none, and goes
    with the test's. Where few groups leave nothing for the test, all are the test's."""
    asked = sorted({each.document for each in found.candidates})
    families = {read.documents[place].name: read.documents[place].names[0].casefold() for place in asked}
    splits = split_documents(families, train, seed)
    training = {place for place in asked if splits[read.documents[place].name] == TRAIN}
    chosen = chosen_groups(found, training, quotas, seed)
    if chosen and all(each.document in training for each in chosen):
        splits, training = dict.fromkeys(splits, TEST), set()
    if train and not any(each.document in training for each in chosen):
        why = "what could be trained on stands in documents of the test too, or too few groups are wanted"
        if TRAIN not in splits.values():
            why = "they are of one document, or of versions of one"
        log.warning("all questions are in the split test: %s", why)
    return {each.group for each in chosen}, {each.name: splits.get(each.name, TEST) for each in read.documents}
