"""Who asks: the patterns, a language model, or both."""

import logging
from collections.abc import Mapping
from typing import Any

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.models.client import Client
from benchwright.builders.base import BuildRequest
from benchwright.builders.telequad.asking import parse_patterns
from benchwright.builders.telequad.questions.asked import Pattern
from benchwright.builders.telequad.questions.by_model import (
    ROLE,
    AskedByModel,
    ask_model,
    can_be_asked_about,
    choose_sections,
    orders_about,
)
from benchwright.builders.telequad.questions.proposals import PATTERN
from benchwright.builders.telequad.reading import ReadDocuments

RULE, MODEL = "rule", "model"
log = logging.getLogger("benchwright")


def writer_of(request: BuildRequest) -> Client | None:
    """Who asks the model, where a model is to ask.

    Raises:
        UsageError: none is named.
    """
    client = request.client if request.client is not None and request.client.has(ROLE) else None
    if request.parameters["asked_by"] == RULE:
        if client is not None:
            log.warning("rules ask, and the %s is not asked: --set asked_by=model lets it", ROLE)
        return None
    if client is None:
        raise UsageError(f"asked_by={request.parameters['asked_by']} needs a model that asks: add --model {ROLE}=NAME")
    return client


def patterns_of(
    request: BuildRequest, read: ReadDocuments, client: Client | None
) -> tuple[Mapping[str, Pattern], AskedByModel | None]:
    """What is asked of each document; and what a model was asked, where one was."""
    rules = parse_patterns(request.parameters["patterns"])
    if client is None:
        return rules, None
    asked = _ask(client, request, read, request.parameters)
    return {**(rules if request.parameters["asked_by"] != MODEL else {}), PATTERN: asked.pattern}, asked


def _ask(client: Client, request: BuildRequest, read: ReadDocuments, parameters: Mapping[str, Any]) -> AskedByModel:
    each = min(parameters["per_section"], parameters["per_clause"] or parameters["per_section"])
    there = {}
    for place, document in enumerate(read.documents):
        known = read.sections(place)
        there[place] = document.name, [number for number, each in enumerate(known) if can_be_asked_about(each)]
    chosen = choose_sections(there, each, parameters["groups"], parameters["per_document"], request.seed)
    orders = (
        order
        for place, places in chosen.items()
        for order in orders_about(place, read.specification(place), places, each, request.seed)
    )
    total = sum(map(len, chosen.values()))
    return ask_model(client, orders, total, read.specification, request.progress)
