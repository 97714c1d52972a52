"""The builder `wikieval`: passages → a question, its answer and worse candidates → pairs; or pairs from two runs."""

import logging
from collections import Counter
from collections.abc import Mapping
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.builders.base import BuildRequest
from benchwright.builders.wikieval.contexts.wider_contexts import count_origins
from benchwright.builders.wikieval.from_runs import run_names, write_run_pairs
from benchwright.builders.wikieval.making import how_made, make_pairs
from benchwright.builders.wikieval.models.asking import ROLE, prompt_of
from benchwright.builders.wikieval.rows import as_document, as_pair, as_question, counts_of
from benchwright.builders.wikieval.sources.pages import OWN
from benchwright.builders.wikieval.sources.passages import find_passages

log = logging.getLogger("benchwright")

VERSION = "1.0.0"
RULE, MODEL = "rule", "model"
_MOST_TOLD = 3
"""Reasons why nothing of a model is used that an error names."""
_PLACES = ("documents", "site", "dump", "dump_log")


def build(request: BuildRequest, writer: ReleaseWriter) -> None:
    """Builds from what `request.parameters` name: see `benchmarks/specs/wikieval.toml`."""
    parameters = request.parameters
    if parameters["runs"]:
        for name in _PLACES:
            if parameters[name]:
                raise UsageError(f"the pairs come from two runs or from passages: leave out runs or {name}")
        if parameters["asked_by"] == MODEL:
            raise UsageError("pairs of two runs are what their systems said, and no model is asked: leave out asked_by")
        write_run_pairs(request, writer)
        return
    client = _asker(request)
    found = find_passages(request, by_rule=client is None)
    made = make_pairs(found.passages, parameters["pages"], request.seed, client, request.progress)
    if not made.parts:
        reasons = [*made.left_out.items(), *Counter(made.refused).most_common(_MOST_TOLD)]
        why = "; ".join(f"{reason}: {number:,}" for reason, number in reasons) or "there is no passage"
        looked_at, others = sum(made.left_out.values()), "" if client is None else ", or another model"
        raise BenchwrightError(f"no pair came of {looked_at:,} passages ({why}): give others, or more{others}")
    if len(made.parts) < parameters["pages"]:
        log.warning(
            "only %d of %d pairs, of the %d passages that there were to ask about; what was left out is counted",
            *(len(made.parts), parameters["pages"], len(found.passages)),
        )
    documents = {document.id: document for document in (as_document(parts.passage) for parts in made.parts)}
    writer.documents(documents.values())
    writer.questions(map(as_question, made.parts))
    writer.rows("pairs", map(as_pair, made.parts))
    writer.sources.extend(found.sources)
    who = RULE if client is None else MODEL
    writer.texts["questions"] = {who: len(made.parts)}
    writer.texts["documents"] = {"rule" if _is_own(found.sources) else "given": len(documents)}
    if client is not None:
        writer.models += client.described(ROLE, [prompt_of(step) for step in made.asked])
    writer.checks |= {
        **found.checks,
        "pairs_per_dimension": counts_of(made.parts),
        "candidates_made": how_made(made.parts),
        "context_sentences_from": count_origins(made.parts),
        "passages_without_pair": dict(made.left_out),
        **({} if client is None else {"model_refused": dict(made.refused)}),
    }


def check_holdout(parameters: Mapping[str, Any]) -> None:
    """Raises UsageError: pairs hold the answers, and are public."""
    raise UsageError("the pairs of wikieval hold every answer, and are public: build it without --holdout")


def settings_to_rebuild(release: Release, given: Mapping[str, str]) -> dict[str, str]:
    """What builds a release again beside its manifest's parameters: of pairs of two runs their names, as sources tell.

    Raises:
        BenchwrightError: its pages came from a wiki, whose pages change.
    """
    if release.manifest.parameters.get("site") and "site" not in given:
        raise BenchwrightError(
            "its pages came from a wiki, whose pages are edited: name a dump of it, with --set dump=FILE --set site="
        )
    if release.manifest.parameters.get("runs") and "runs" not in given:
        return {"runs": ",".join(run_names(release.manifest.sources))}
    return {}


def _is_own(sources: Any) -> bool:
    return any(source["uri"] == OWN for source in sources)


def _asker(request: BuildRequest) -> Client | None:
    """Who asks the model: None where rules make all.

    Raises:
        UsageError: a model is to make them, and none is named.
    """
    wanted = request.parameters["asked_by"]
    client = request.client if request.client is not None and request.client.has(ROLE) else None
    if wanted == RULE and client is not None:
        log.warning("rules make all, and the %s is not asked: --set asked_by=model lets it", ROLE)
    if wanted == MODEL and client is None:
        raise UsageError(f"asked_by={MODEL} needs a model: add --model {ROLE}=NAME")
    return None if wanted == RULE else client
