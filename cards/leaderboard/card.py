"""The card of a leaderboard: what the Hub shows and `load_dataset` reads of its repository."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from benchwright.benchmarks.leaderboards.layout import HISTORY, RESULTS
from benchwright.benchmarks.leaderboards.plain_yaml import write_plain
from benchwright.benchmarks.leaderboards.standings import Standings, Table, table_figure
from benchwright.benchmarks.reports.format import number_of
from benchwright.cards.blocks.markdown_text import escape, one_line, table_cell
from benchwright.cards.dataset.install import install_command

_CONFIGS = (("results", RESULTS), ("history", HISTORY))

MOST = 10
"""Systems of a table that the card shows."""


def render_board_card(standings: Standings, endpoint: str) -> str:
    """The card as Markdown with YAML front matter.

    Args:
        standings: the ranking.
        endpoint: the Hub that it is on.
    """
    return _template("card.md.jinja").render(
        front_matter=_front_matter(standings),
        board=standings.board,
        tables=[table for table in standings.tables if table.standings],
        most=MOST,
        rows=_rows,
        rounds=standings.rounds,
        repo_id=standings.repository,
        made_by=standings.made_by,
        page=f"{endpoint}/spaces/{standings.repository}",
        install=install_command(),
    )


def _rows(table: Table) -> Iterator[tuple[str, str, str, str, str]]:
    """Rank, system, submitter, value and mark of the first systems of a table."""
    for each in table.standings[:MOST]:
        low, high = each.ranks or (None, None)
        rank = "apart" if low is None else f"{low}" if low == high else f"{low}\N{EN DASH}{high}"
        value = "" if each.value is None else f"{each.value:.3f}"
        if each.low is not None and each.high is not None:
            value += f" [{each.low:.3f}, {each.high:.3f}]"
        figure = table_figure(table, each)
        mark = "" if figure is None else figure.mark
        marks = [
            mark,
            *(["organisers'"] if each.verdict.is_organisers else []),
            *(["built-in"] if each.verdict.has_built_in_reader else []),
            *(["flagged"] if each.verdict.flags else []),
        ]
        yield rank, each.system.name, each.verdict.submitter, value, ", ".join(filter(None, marks))


def render_workflow(repo_id: str) -> str:
    """A workflow file that keeps a leaderboard on a schedule."""
    return _template("workflow.yml.jinja").render(repo_id=repo_id, install=install_command())


@cache
def _template(name: str) -> Any:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False, keep_trailing_newline=True
    )
    environment.filters.update(escape=escape, cell=table_cell, number=number_of)
    source = files("benchwright.cards") / "templates" / "leaderboard" / name
    return environment.from_string(source.read_text(encoding="utf-8"))


def _front_matter(standings: Standings) -> str:
    content: dict[str, Any] = {
        "pretty_name": one_line(standings.board.title),
        "tags": ["benchwright", "leaderboard"],
        "configs": [
            {
                "config_name": name,
                **({"default": True} if not number else {}),
                "data_files": [{"split": name, "path": path}],
            }
            for number, (name, path) in enumerate(_CONFIGS)
        ],
    }
    return write_plain(content)
