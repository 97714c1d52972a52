"""Scope, references, definitions, abbreviations, architecture, timers and the history of changes."""

from itertools import groupby

from benchwright.builders.telequad.own.data import Specification, Timer
from benchwright.builders.telequad.own.outline import Grid, Line, Section, dashes, normal


def foreword(specification: Specification) -> Section:
    """Who made the document, and what its version says."""
    first, second, third = specification.version.split(".")
    return Section(
        "Foreword",
        "foreword",
        (
            *normal(
                f"This Technical Specification has been produced by the {specification.group} of the Lantern Coast "
                "Standards Council (LCSC). The Council, its members and everything specified here are invented.",
                "The contents of the present document can change after approval. Where they do, the document is "
                "released again with a new date and a higher version number x.y.z:",
            ),
            Line(f"-\tx is the release, {first} in the present document;", "B1"),
            Line(f"-\ty is raised for a technical change, {second} in the present document; and", "B1"),
            Line(f"-\tz is raised for an editorial change, {third} in the present document.", "B1"),
        ),
    )


def opening(specification: Specification) -> tuple[Section, ...]:
    """Clauses 1 to 3."""
    references = tuple(Line(f"[{place}]\t{text}", "EX") for place, text in enumerate(specification.references, 1))
    terms = tuple(Line(f"{term}: {text}", "Term") for term, text in sorted(specification.terms, key=_by_name))
    short = tuple(Line(f"{short}\t{long}", "EW") for short, long in sorted(specification.abbreviations, key=_by_name))
    general = "For the purposes of the present document, the following"
    return (
        Section("Scope", "scope", (*normal(*specification.scope[:1]), *_topics(specification))),
        Section(
            "References",
            "references",
            (
                Line("The following documents contain provisions which are provisions of the present document where "
                     "the text refers to them. A reference without a version is to the latest version."),
                *references,
            ),
        ),
        Section(
            "Definitions and abbreviations",
            "definitions",
            children=(
                Section("Terms", "terms", (Line(f"{general} terms apply:"), *terms)),
                Section("Abbreviations", "abbreviations", (Line(f"{general} abbreviations apply:"), *short)),
            ),
        ),
    )  # fmt: skip


def _by_name(entry: tuple[str, str]) -> str:
    return entry[0].lower()


def _topics(specification: Specification) -> tuple[Line, ...]:
    return (
        Line("The present document specifies:"),
        *dashes(specification.topics),
        *normal(*specification.scope[1:]),
    )


def architecture(specification: Specification) -> Section:
    """The nodes, the reference points between them, and the states that a node can be in."""
    nodes = tuple(
        Section(
            f"{node.name[0].upper()}{node.name[1:]} ({node.short})",
            f"node {node.name}",
            (Line(node.text), Line(f"The {node.name} shall support the following functions:"), *dashes(node.functions)),
        )
        for node in specification.nodes
    )
    heads = ("Reference point", "Between", None, "Carries")
    interfaces = tuple((name, one, other, carries) for name, one, other, carries in specification.interfaces)
    states = tuple((state, text) for state, text in specification.states)
    return Section(
        "Architecture",
        "architecture",
        children=(
            Section("Overview", "overview", normal(*specification.overview)),
            Section("Functional entities", "nodes", children=nodes),
            Section(
                "Reference points",
                "points",
                (
                    Line("The reference points between the functional entities are listed in table {@points}-1."),
                    Grid("Reference points", (heads, *interfaces)),
                ),
            ),
            Section(
                "States",
                "states",
                (
                    Line("The states used by the procedures of clause {@procedures} are listed in table {@states}-1. "
                         "Towards each of the others, an entity shall be in exactly one of these states at any time."),
                    Grid("States", (("State", "Meaning"), *states)),
                ),
            ),
        ),
    )  # fmt: skip


def timers(specification: Specification) -> Section:
    """Timers by the node that runs them, their ranges, and the counters of retransmissions."""
    ordered = sorted(specification.timers, key=lambda timer: (timer.node, timer.name))
    rows: list[tuple[str | None, ...]] = []
    for _, group in groupby(ordered, key=lambda timer: timer.node):
        for place, timer in enumerate(group):
            rows.append((timer.node if not place else "^", timer.name, f"{timer.value} {timer.unit}", *_events(
                specification, timer)))  # fmt: skip
    ranges = tuple(
        (timer.name, str(timer.low), str(timer.high), timer.unit, str(timer.value)) for timer in specification.timers
    )
    counters = tuple(
        (counter(timer), timer.name, str(timer.retries)) for timer in specification.timers
    )  # fmt: skip
    count = len(specification.timers)
    return Section(
        "Timers and counters",
        "timers",
        children=(
            Section(
                "Timers",
                "timer table",
                (
                    Line(f"The {specification.protocol} uses {count} timers. Table {{@timer table}}-1 gives their "
                         "default values and what starts and stops them."),
                    Grid(
                        "Timers of the " + specification.protocol,
                        (("Entity", "Timer", "Default value", "Start", "Normal stop"), *rows),
                        notes=("NOTE:\tThe default value applies where the operator has not configured another value "
                               "in the range given in clause {@timer ranges}.",),
                    ),
                ),
            ),
            Section(
                "Ranges of timers",
                "timer ranges",
                (
                    Line("An operator may configure each timer to a value in the range given in table "
                         "{@timer ranges}-1. An entity shall ignore a configured value that is out of range."),
                    Grid(
                        "Ranges of timers",
                        (("Timer", "Value", None, None, None), ("^", "Minimum", "Maximum", "Unit", "Default"), *ranges),
                        heads=2,
                    ),
                ),
            ),
            Section(
                "Counters",
                "counters",
                (
                    Line("The maximum number of retransmissions on expiry of each timer is given in table "
                         "{@counters}-1. A counter shall be reset to zero when its timer is stopped."),
                    Grid("Counters", (("Counter", "Timer", "Maximum value"), *counters)),
                ),
            ),
        ),
    )  # fmt: skip


def counter(timer: Timer) -> str:
    """The name of the counter of a timer's expiries: `N310` for `T310`."""
    return "N" + timer.name[1:]


def _events(specification: Specification, timer: Timer) -> tuple[str, str]:
    procedure = next(each for each in specification.procedures if each.timer == timer.name)
    return f"{procedure.request} message sent", f"{procedure.accept} or {procedure.reject} message received"


def history(specification: Specification) -> Section:
    """The last annex: what has changed, by version."""
    return Section(
        "Change history",
        "history",
        (Grid("Change history", (("Date", "Version", "Change"), *specification.changes)),),
        annex="informative",
    )
