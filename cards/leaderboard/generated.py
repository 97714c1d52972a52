"""Results, card and page: made of a leaderboard's ranking and of nothing else, the same bytes each time."""

from collections.abc import Mapping

from benchwright.benchmarks.leaderboards.board import Board
from benchwright.benchmarks.leaderboards.details import SystemDetails
from benchwright.benchmarks.leaderboards.layout import CARD, PAGE, RESULTS, Place
from benchwright.benchmarks.leaderboards.plain_yaml import write_plain
from benchwright.benchmarks.leaderboards.results import results_bytes
from benchwright.benchmarks.leaderboards.standings import Standings
from benchwright.cards.blocks.markdown_text import one_line
from benchwright.cards.leaderboard.card import render_board_card
from benchwright.cards.leaderboard.page import render_page


def generated_files(standings: Standings, details: Mapping[Place, SystemDetails], endpoint: str) -> dict[str, bytes]:
    """Path → content of all that is generated."""
    return {
        RESULTS: results_bytes(standings),
        CARD: render_board_card(standings, endpoint).encode(),
        PAGE: render_page(standings, details, endpoint=endpoint).encode(),
    }


def space_card(board: Board, repo_id: str) -> bytes:
    """The README of the Space that shows the page."""
    title = one_line(board.title)
    header = {"title": title, "sdk": "static", "pinned": False, "datasets": [repo_id], "tags": ["leaderboard"]}
    text = write_plain(header)
    return f"---\n{text}---\n\nThe page of the leaderboard [{repo_id}](/datasets/{repo_id}), which makes it.\n".encode()
