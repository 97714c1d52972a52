"""The ranking as the data of its page: small, and no text that could end or change a script.

Texts are cut and made readable here; the page's script makes text nodes of them, never markup.
"""

import base64
import gzip
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlsplit

from benchwright.benchmarks.leaderboards.details import Slice, SystemDetails, WorstGroup
from benchwright.benchmarks.leaderboards.frontier import COST_COLUMNS
from benchwright.benchmarks.leaderboards.layout import Place
from benchwright.benchmarks.leaderboards.standings import Move, ShownRound, Standing, Standings, Table
from benchwright.benchmarks.leaderboards.system_file import SystemFile
from benchwright.benchmarks.leaderboards.verdict import Costs, Figure, Part, Verdict, figure_name
from benchwright.benchmarks.reports.format import SHARE
from benchwright.benchmarks.reports.metrics.figures import metric_sense
from benchwright.cards.blocks.foreign_text import readable

COSTS = tuple(sorted(COST_COLUMNS, key="cost".__ne__))
"""The columns of costs, in the order of the page: money first."""
CHUNK = 25
"""Systems whose details are packed together: the page unpacks a pack when one of them is opened."""
_NAME, _TEXT, _LONG, _LISTED = 80, 200, 600, 12
"""Characters of a name, a line and a description; members of a list."""
_MOVES = 200


def page_data(standings: Standings, details: Mapping[Place, SystemDetails], endpoint: str) -> dict[str, Any]:
    """What the ranking itself is drawn from."""
    found = _submissions(standings)
    places = {place: at for at, place in enumerate(found)}
    forms = sorted({each.value for one in details.values() for each in one.slices if each.column == "form"})
    return {
        "repository": _text(standings.repository),
        "address": f"{endpoint}/datasets/{quote(standings.repository)}",
        "hub": endpoint,
        "costs": COSTS,
        "forms": [_text(each, _NAME) for each in forms],
        "systems": [_system(standing, details.get(place), forms) for place, standing in found.items()],
        "tables": [_table(table, places) for table in standings.tables],
        "moves": [_move(each) for each in standings.moves[:_MOVES]],
        "rounds": [_round(each) for each in standings.rounds],
        "chunk": CHUNK,
    }


def packs(standings: Standings, details: Mapping[Place, SystemDetails]) -> list[str]:
    """The rest of what a system's own page shows: packs of `CHUNK` systems each, in the order of `page_data`."""
    found = list(_submissions(standings))
    figures: dict[Place, dict[str, Mapping[str, Figure]]] = {}
    for table in standings.tables:
        for standing in table.standings:
            figures.setdefault(_place(standing), {})[table.part] = standing.figures
    rows = [_details(details.get(place), figures[place]) for place in found]
    return [_packed(rows[at : at + CHUNK]) for at in range(0, len(rows), CHUNK)]


def _submissions(standings: Standings) -> dict[Place, Standing]:
    """Each submission once, where it stands first."""
    found: dict[Place, Standing] = {}
    for table in standings.tables:
        for standing in table.standings:
            found.setdefault(_place(standing), standing)
    return found


def _place(standing: Standing) -> Place:
    return Place(standing.verdict.benchmark, standing.verdict.version, standing.verdict.system)


def _system(standing: Standing, details: SystemDetails | None, forms: Sequence[str]) -> dict[str, Any]:
    said = {**_of_file(standing.system), **_of_verdict(standing.verdict)}
    if details is not None:
        by_form = {each.value: each for each in details.slices if each.column == "form"}
        said["forms"] = [_spread(by_form.get(form)) for form in forms]
        said["formMetric"] = details.metric
    return {key: value for key, value in said.items() if value not in (None, "", False, [])}


def _of_file(system: SystemFile) -> dict[str, Any]:
    return {
        "name": _text(system.name, _NAME),
        "authors": _texts(system.authors),
        "openness": _text(system.openness, _NAME),
        "retriever": _text(system.retriever),
        "models": [[_text(each.role, _NAME), _text(each.name, _NAME)] for each in system.models[:_LISTED]],
        "licence": _text(system.licence, _NAME),
        "link": _link(system.link),
        "organisation": None if system.organisation is None else _text(system.organisation, _NAME),
        "builders": system.builders_took_part,
        "description": _text(system.description, _LONG),
    }


def _of_verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "place": _text(Place(verdict.benchmark, verdict.version, verdict.system)),
        "submitter": _text(verdict.submitter, _NAME),
        "number": verdict.number,
        "revision": _text(verdict.revision, 40),
        "submitted": _text(verdict.submitted, 25),
        "organisers": verdict.is_organisers,
        "noContexts": not verdict.has_contexts,
        "builtIn": verdict.has_built_in_reader,
        "flags": _texts(verdict.flags),
        "round": None if verdict.round is None else _text(verdict.round, _NAME),
        "scoredBy": _text(verdict.scored_by, _NAME),
        "parts": [_part(each) for each in verdict.parts],
    }


def _part(part: Part) -> list[Any]:
    return [_text(part.split, _NAME), part.questions, part.answered, part.abstained, part.failed, part.missing]


def _table(table: Table, places: Mapping[Place, int]) -> dict[str, Any]:
    ranked = sum(standing.ranks is not None for standing in table.standings)
    return {
        "benchmark": _text(table.benchmark, _NAME),
        "version": _text(table.version, _NAME),
        "part": _text(table.part, _NAME),
        "metric": _text(table.metric, _NAME),
        "judge": None if table.judge is None else _text(table.judge, _NAME),
        "higher": table.higher_is_better,
        "range": metric_sense(table.metric)[1],
        "questions": table.questions,
        "groups": table.groups,
        "note": _text(table.note, _LONG),
        "ranked": ranked,
        "rows": [_row(each, places[_place(each)], table) for each in table.standings],
        "separated": _bits(table.separated, ranked),
    }


def _row(standing: Standing, place: int, table: Table) -> list[Any]:
    """Place among the systems, value, low, high, ranks, coverage, verified, frontier, why apart, costs, undecided."""
    figure = standing.figures.get(figure_name(table.metric, table.judge)) or standing.figures.get(table.metric)
    low, high = standing.ranks or (None, None)
    return [
        place,
        *(_number(each) for each in (standing.value, standing.low, standing.high)),
        low,
        high,
        _number(standing.coverage),
        int(figure is not None and figure.mark == "verified"),
        sum(bool(standing.is_on_frontier.get(name)) << bit for bit, name in enumerate(COSTS)),
        None if standing.apart is None else _text(standing.apart),
        _costs(standing.costs),
        standing.undecided,
    ]


def _costs(costs: Costs) -> list[float | None]:
    return [_number(COST_COLUMNS[name](costs)) for name in COSTS]


def _bits(separated: Sequence[Sequence[int]], ranked: int) -> str:
    """A square of bits, row after row, each row in whole bytes, the lowest bit first; as base64."""
    width = (ranked + 7) // 8
    square = bytearray(width * ranked)
    for row, others in enumerate(separated[:ranked]):
        for each in others:
            if 0 <= each < ranked:
                square[row * width + each // 8] |= 1 << each % 8
    return base64.b64encode(square).decode()


def _details(details: SystemDetails | None, figures: Mapping[str, Mapping[str, Figure]]) -> dict[str, Any]:
    said: dict[str, Any] = {
        "figures": {_text(part, _NAME): [_figure(*each) for each in found.items()] for part, found in figures.items()}
    }
    if details is not None:
        said |= {
            "metric": _text(details.metric, _NAME),
            "range": metric_sense(details.metric)[1],
            "slices": [_slice(each) for each in details.slices],
            "worst": [_worst(each) for each in details.worst],
            "groups": details.groups,
            "wrongGroups": details.wrong_groups,
        }
    return said


def _figure(name: str, figure: Figure) -> list[Any]:
    numbers = [_number(each) for each in (figure.value, figure.low, figure.high)]
    is_share = int(metric_sense(name.split(" ")[0])[1] == SHARE)
    verified = int(figure.mark == "verified")
    return [_text(name, _TEXT), *numbers, figure.scored, figure.total, verified, _number(figure.claimed), is_share]


def _slice(each: Slice) -> list[Any]:
    return [_text(each.column, _NAME), _text(each.value, _NAME), each.questions, *_spread(each)]


def _spread(each: Slice | None) -> list[float | None]:
    return [] if each is None else [_number(each.mean), _number(each.low), _number(each.high)]


def _worst(group: WorstGroup) -> list[Any]:
    answer = None if group.answer is None else _text(group.answer, _LONG)
    return [_number(group.mean), group.questions, _text(group.question, _LONG), _text(group.gold, _LONG), answer]


def _move(move: Move) -> dict[str, Any]:
    return {
        "when": _text(move.when, 25),
        **{key: _text(getattr(move, key), _NAME) for key in ("benchmark", "version", "part", "metric", "system")},
        "before": [_number(move.value_before), *(move.ranks_before or ())],
        "after": [_number(move.value), *(move.ranks or ())],
        "why": _text(move.why, _LONG),
    }


def _round(shown: ShownRound) -> dict[str, Any]:
    names = ("name", "edition", "benchmark", "version", "opened", "closes", "revealed_until", "commitment")
    return {
        **{name: _text(getattr(shown, name)) for name in names},
        "questions": shown.questions,
        "groups": shown.groups,
        "answers": None if shown.answers is None else _text(shown.answers),
        "teams": [
            [
                *(_text(text, _TEXT) for text in (each.team, each.system or "", each.state, each.reason)),
                *(_number(value) for value in (each.gain, each.low, each.high)),
            ]
            for each in shown.teams
        ],
        "late": _texts(shown.late),
    }


def _text(said: object, limit: int = _TEXT) -> str:
    text = readable(said)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def _texts(said: Iterable[str]) -> list[str]:
    found = list(said)
    more = [f"and {len(found) - _LISTED:,} more"] if len(found) > _LISTED else []
    return [*(_text(each) for each in found[:_LISTED]), *more]


def _link(address: str | None) -> str | None:
    """An address that a reader may follow: of https, to a named host, without a user's name."""
    if address is None or len(address) > 500 or not address.isascii() or not address.isprintable() or " " in address:
        return None
    try:
        parts = urlsplit(address)
        is_good = parts.scheme == "https" and bool(parts.hostname) and "@" not in parts.netloc and parts.port != 0
    except ValueError:
        return None
    return address if is_good else None


def _number(value: float | None) -> float | None:
    """Six digits; what is no number is none."""
    if value is None or not math.isfinite(value):
        return None
    rounded = float(f"{value:.6g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 2**53 else rounded


def _packed(rows: Sequence[object]) -> str:
    text = json.dumps(rows, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode("utf-8", "replace"), 9, mtime=0)).decode()
