"""The leaderboard's page: one file that opens from disk, asks for nothing elsewhere, and trusts no text.

page_data  what it is drawn from
"""

from collections.abc import Mapping

from markupsafe import Markup

from benchwright.benchmarks.leaderboards.details import SystemDetails
from benchwright.benchmarks.leaderboards.layout import Place
from benchwright.benchmarks.leaderboards.standings import Standings
from benchwright.benchmarks.releases.fetch import default_endpoint
from benchwright.cards.blocks.foreign_text import readable
from benchwright.cards.blocks.page_parts import page_part, page_template, policy_hash, script_json
from benchwright.cards.leaderboard.page_data import packs, page_data

_SCRIPTS = ("table-library.js", "elements.js", "data.js", "ranking.js", "frontier.js", "one-system.js", "page.js")
"""Under `templates/leaderboard`, in their order; all but the library share one function."""


def render_page(standings: Standings, details: Mapping[Place, SystemDetails], *, endpoint: str | None = None) -> str:
    """The page of a leaderboard. A browser may run no script and no style but ours, by their hashes.

    Args:
        standings: All tables.
        details: What is known of single systems; one without is shown without.
        endpoint: The Hub that links go to; None: `HF_ENDPOINT`, else the Hub.
    """
    style = f"{page_part('report.css')}\n{page_part('leaderboard/page.css')}"
    script = _script()
    data = page_data(standings, details, (endpoint or default_endpoint()).rstrip("/"))
    page = page_template("leaderboard/page.html.jinja").render(
        title=readable(standings.board.title),
        contact=readable(standings.board.contact),
        repository=readable(standings.repository),
        made_by=readable(standings.made_by),
        has_rounds=bool(standings.rounds),
        has_moves=bool(standings.moves),
        style=Markup(style),
        style_hash=policy_hash(style),
        script=Markup(script),
        script_hash=policy_hash(script),
        data=Markup(script_json(data)),
        packs=[Markup(pack) for pack in packs(standings, details)],
    )
    return page.encode("utf-8", "replace").decode()


def _script() -> str:
    library, *ours = (page_part(f"leaderboard/{name}") for name in _SCRIPTS)
    return "\n".join([library, "(() => {", '"use strict";', *ours, "})();"])
