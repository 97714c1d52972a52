"""A leaderboard's page in a browser: what a reader sees and does there, by keyboard too, and what cannot run."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browsing import opened, serious
from hostile_submissions import SCRIPTS
from test_report_html import EVIL, ODD

from benchwright.benchmarks.leaderboards.details import Slice, SystemDetails, WorstGroup
from benchwright.benchmarks.leaderboards.layout import Place
from benchwright.benchmarks.leaderboards.standings import Move, ShownRound, ShownTeam, Standing, Standings, Table
from benchwright.benchmarks.leaderboards.system_file import SystemModel
from benchwright.cards.leaderboard.page import render_page
from benchwright.scripts.measure.made_standings import made_standings

Details = Mapping[Place, SystemDetails]


@pytest.fixture(scope="module")
def made() -> tuple[Standings, Details]:
    return made_standings(24)


@pytest.fixture(scope="module")
def path(made: tuple[Standings, Details], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("leaderboard") / "index.html"
    path.write_text(render_page(*made, endpoint="https://huggingface.co"), encoding="utf-8")
    return path


def names(page: Any) -> list[str]:
    return page.locator("#table tbody th[scope=row] a").all_inner_texts()


def ranked(table: Table) -> list[Standing]:
    return [each for each in table.standings if each.ranks is not None]


def test_axe_finds_nothing(chromium: Any, axe: str, tmp_path: Path) -> None:
    path = tmp_path / "index.html"
    path.write_text(render_page(*made_standings(6, older=1)), encoding="utf-8")
    with opened(chromium, path) as page:
        page.locator("#table tbody input").nth(3).check()
        page.locator("summary", has_text="Columns").click()
        page.select_option("[name=form]", "long")
        assert serious(page, axe) == []
    with opened(chromium, path, width=390, scheme="dark") as page:
        page.locator("#table tbody input").nth(0).check()
        page.locator("#table tbody input").nth(1).check()
        assert serious(page, axe) == []
        page.get_by_role("link", name="Side by side").click()
        page.wait_for_selector("#one .worst")
        assert serious(page, axe) == [] and page.evaluate("document.documentElement.scrollWidth") == 390
        page.locator("#one thead a").first.click()
        page.wait_for_selector("#one .worst")
        assert serious(page, axe) == [] and page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_table_is_sorted_by_keyboard_and_says_so(chromium: Any, made: tuple[Standings, Details], path: Path) -> None:
    table = made[0].tables[0]
    in_order = [each.system.name for each in table.standings]
    with opened(chromium, path) as page:
        assert names(page) == in_order
        assert page.locator("th[aria-sort]").get_attribute("data-id") == "rank"
        page.get_by_role("button", name="System", exact=True).focus()
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.textContent").startswith("System")
        assert page.locator("th[aria-sort=ascending]").get_attribute("data-id") == "name"
        count = len(ranked(table))
        assert names(page) == sorted(in_order[:count], key=str.lower) + sorted(in_order[count:], key=str.lower)
        page.keyboard.press("Enter")
        assert names(page)[:count] == sorted(in_order[:count], key=str.lower, reverse=True)
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Enter")
        assert names(page) == in_order


def test_systems_are_filtered_and_searched_and_the_address_keeps_it(
    chromium: Any, made: tuple[Standings, Details], path: Path
) -> None:
    first, _, older, _ = made[0].tables
    with opened(chromium, path) as page:
        page.select_option("[name=openness]", "closed")
        closed = [each.system.name for each in first.standings if each.system.openness == "closed"]
        assert names(page) == closed and 0 < len(closed) < len(first.standings)
        assert page.inner_text(".status") == f"{len(closed)} of {len(first.standings)} systems"
        address = page.evaluate("location.hash")
    with opened(chromium, path, address) as page:
        assert names(page) == closed
        page.get_by_role("button", name="Clear").click()
        page.fill("[name=text]", first.standings[2].system.name.upper())
        page.wait_for_selector(".status:has-text(' of ')")
        assert first.standings[2].system.name in names(page)
        page.get_by_role("button", name="Clear").click()
        page.select_option("[name=version]", "1.0.0")
        assert names(page) == [each.system.name for each in older.standings]
        page.select_option("[name=part]", "heldout")
        assert "aurp 1.0.0, held-out questions: correct" in page.inner_text("#table caption")


def test_a_form_has_a_column_of_its_own(chromium: Any, made: tuple[Standings, Details], path: Path) -> None:
    standings, details = made
    of = {
        standing.system.name: each.mean
        for standing in ranked(standings.tables[0])
        for each in details[Place("aurp", "1.1.0", standing.verdict.system)].slices
        if each.value == "formal"
    }
    with opened(chromium, path, "#ranking?form=formal") as page:
        assert page.locator("th[aria-sort=descending]").inner_text().split()[0] == "formal"
        assert names(page)[: len(of)] == sorted(of, key=lambda name: -of[name])
        best = max(of.values())
        assert f"{100 * best:.1f} %" in page.locator("#table tbody tr").first.inner_text()


def test_a_chosen_system_marks_all_that_are_not_separated_from_it(
    chromium: Any, made: tuple[Standings, Details], path: Path
) -> None:
    table = made[0].tables[0]
    one, count = 4, len(ranked(table))
    tied = [at for at in range(count) if at != one and at not in table.separated[one]]
    with opened(chromium, path) as page:
        box = page.locator("#table tbody input").nth(one)
        box.focus()
        page.keyboard.press("Space")
        marked = page.evaluate("[...document.querySelectorAll('tr.tied')].map((row) => Number(row.dataset.row))")
        assert marked == tied and 0 < len(tied) < count - 1
        assert page.locator(".tie:visible").all_inner_texts() == ["not separated"] * len(tied)
        name = table.standings[one].system.name
        assert page.inner_text("#choice").startswith(f"{len(tied)} systems are not separated from {name}.")
        assert page.inner_text("#said") == page.inner_text("#choice")
        page.locator("#table tbody input").nth(count - 1).check()
        assert "are separated by the tests" in page.inner_text("#choice")
        page.get_by_role("link", name="Side by side").click()
        assert page.locator("#one .pill").first.inner_text() == "separated"
        assert page.locator("#one .pair thead a").all_inner_texts() == [name, table.standings[count - 1].system.name]


def test_a_system_has_a_page_and_the_way_back_leads_to_its_link(
    chromium: Any, made: tuple[Standings, Details], path: Path
) -> None:
    standings, details = made
    standing = standings.tables[0].standings[6]
    with opened(chromium, path) as page:
        link = page.get_by_role("link", name=standing.system.name, exact=True).first
        link.focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("#one .worst")
        assert page.evaluate("document.activeElement.textContent") == standing.system.name
        assert page.title() == f"{standing.system.name} – RAG on Aurp" and page.is_hidden("#board")
        text = page.inner_text("#one")
        for group in details[Place("aurp", "1.1.0", standing.verdict.system)].worst:
            assert group.question in text and group.gold in text and (group.answer or "") in text
        assert f"{standing.verdict.number}" in text and "example.org" in text
        assert page.locator("#one a[rel~=nofollow]").evaluate_all("(found) => found.map((each) => each.href)") == [
            f"https://huggingface.co/datasets/example/rag-leaderboard/discussions/{standing.verdict.number}",
            standing.system.link,
        ]
        page.go_back()
        page.wait_for_selector("#board", state="visible")
        assert page.evaluate("document.activeElement.textContent") == standing.system.name
    without = next(each for each in standings.tables[0].standings if not each.verdict.has_contexts)
    with opened(chromium, path, f"#system=aurp%2F1.1.0%2F{without.verdict.system}") as page:
        assert "not handed in: retrieval figures could not be computed again" in page.inner_text("#one")
    with opened(chromium, path, "#system=aurp%2F1.1.0%2Fnobody") as page:
        assert "has no submission aurp/1.1.0/nobody" in page.inner_text("#one")


def test_the_frontier_is_drawn_and_listed(chromium: Any, made: tuple[Standings, Details], path: Path) -> None:
    table = made[0].tables[0]
    best = [each for each in ranked(table) if each.is_on_frontier.get("cost")]
    best.sort(key=lambda each: each.costs.cost or 0)
    with opened(chromium, path) as page:
        assert page.locator("#plot tbody a").all_inner_texts() == [each.system.name for each in best]
        assert page.locator("svg .point").count() == sum(each.costs.cost is not None for each in ranked(table))
        assert page.locator("svg .point.best").count() == len(best)
        page.select_option("#plot select", "latency")
        assert "seconds for an answer" in (page.get_attribute("svg", "aria-label") or "")


def hostile(text: str) -> tuple[Standings, Details]:
    """A leaderboard in which every text that somebody else writes is this one."""
    standings, details = made_standings(8)
    tables = []
    for table in standings.tables:
        found = []
        for each in table.standings:
            system = replace(
                each.system, name=text, authors=(text, text), openness=text, retriever=text, models=(SystemModel(text, text),),
                licence=text, link=f"javascript:alert(1)//{text}", organisation=text, description=text,
            )  # fmt: skip
            verdict = replace(
                each.verdict, submitter=text, submitted=text, revision=text, flags=(text,), round=text, scored_by=text
            )
            found.append(replace(each, system=system, verdict=verdict, apart=each.apart and text))
        tables.append(replace(table, note=text, standings=tuple(found)))
    kept = {
        place: replace(
            each,
            slices=tuple(Slice("form", text, 3, 0.5) for _ in range(2)),
            worst=(WorstGroup(0.0, 1, text, text, text),),
        )
        for place, each in details.items()
    }
    moves = (Move(text, text, text, text, text, text, 0.1, 0.2, (1, 2), (1, 2), text),)
    board = replace(standings.board, title=text, contact=text)
    return replace(standings, board=board, tables=tuple(tables), moves=moves, rounds=(a_round(text),)), kept


def a_round(text: str = "autumn", system: str = "birch-rag") -> ShownRound:
    """A round that is revealed, with two teams."""
    times = ("2026-11-01T00:00:00Z", "2026-11-08T00:00:00Z", "2026-11-10T00:00:00Z")
    teams = (
        ShownTeam(f"ann-{text}", "scored", system, "", 0.21, 0.15, 0.27),
        ShownTeam("ben", "not revealed", reason=f"no predictions until then {text}"),
    )
    edition = (text, f"example/{text}", "aurp", "1.1.0", 2_000, 400)
    return ShownRound(*edition, *times, "c" * 64, f"example/{text} 1.0.0", teams, (text,))


@pytest.mark.parametrize("text", [EVIL, f"</script><!--<script>{ODD}", " ".join(SCRIPTS[::2]), " ".join(SCRIPTS[1::2])])
def test_nothing_that_others_wrote_can_run_or_reach_out(chromium: Any, tmp_path: Path, text: str) -> None:
    path = tmp_path / "index.html"
    path.write_text(render_page(*hostile(text)), encoding="utf-8")
    with opened(chromium, path) as page:
        page.locator("#table tbody input").nth(0).check()
        page.locator("#table tbody input").nth(1).check()
        places = [each["place"] for each in json.loads(page.text_content("#data"))["systems"]]
        page.get_by_role("link", name="Side by side").click()
        page.wait_for_selector("#one .worst")
        page.evaluate("(place) => (location.hash = `#system=${encodeURIComponent(place)}`)", places[0])
        page.wait_for_selector("#one dl")
        page.wait_for_selector("#one .worst")
        assert page.locator("img, iframe, script:not([type]):not(:last-of-type), [onerror], [onload]").count() == 0
        assert "Link" not in page.locator("#one dt").all_inner_texts()
        assert page.evaluate("[...document.links].every((each) => /^(file|https):/.test(each.href))")
        assert text.split("\n")[0][:20] in page.inner_text("#one")


def test_the_policy_of_the_page_lets_no_other_script_run(chromium: Any, path: Path) -> None:
    context = chromium.new_context()
    page = context.new_page()
    page.goto(path.as_uri())
    page.evaluate("""() => {
      document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='window.ran = 1'><b style='color: red' id=styled>x</b>");
      const script = document.createElement("script");
      script.textContent = "window.ran = 2";
      document.body.append(script);
    }""")
    page.wait_for_timeout(100)
    assert page.evaluate("window.ran") is None
    assert page.evaluate("getComputedStyle(document.getElementById('styled')).color") != "rgb(255, 0, 0)"
    context.close()


def test_a_round_says_who_gained_by_heart(chromium: Any, made: tuple[Standings, Details], tmp_path: Path) -> None:
    standings, details = made
    first = standings.tables[0].standings[0]
    shown = a_round(system=first.verdict.system)
    path = tmp_path / "index.html"
    path.write_text(
        render_page(replace(standings, rounds=(shown, replace(shown, answers=None, teams=()))), details), "utf-8"
    )
    with opened(chromium, path, "#rounds") as page:
        rows = [each.split("\t") for each in page.locator("#round-list tbody tr").all_inner_texts()]
        assert rows == [
            ["ann-autumn", first.system.name, "scored", "+21.0 points", "+15.0 to +27.0"],
            ["ben", "–", "not revealed: no predictions until then autumn", "–", "–"],
        ]
        text = page.inner_text("#rounds")
        assert "It does not" not in text and "A round does not show who fitted a system to the generator" in text
        assert text.count("commitments until 2026-11-08 00:00") == 2 and text.count("not yet") == 1


def test_judges_have_tables_of_their_own(chromium: Any, made: tuple[Standings, Details], tmp_path: Path) -> None:
    table = made[0].tables[0]
    first = replace(table.standings[0], verdict=replace(table.standings[0].verdict, has_built_in_reader=True))
    table = replace(table, standings=(first, *table.standings[1:]))
    judged = replace(table, judge="judge-a 2026-10", standings=table.standings[:3], separated=((), (), ()))
    path = tmp_path / "index.html"
    path.write_text(render_page(replace(made[0], tables=(table, judged)), made[1]), encoding="utf-8")
    with opened(chromium, path) as page:
        assert page.locator("[name=metric] option").all_inner_texts() == ["correct", "correct by judge-a 2026-10"]
        page.select_option("[name=metric]", "correct by judge-a 2026-10")
        assert page.inner_text("#table caption") == "aurp 1.1.0, open questions: correct by judge-a 2026-10"
        assert names(page) == [each.system.name for each in table.standings[:3]]
        assert ["built-in" in text for text in page.locator("#table tbody th .marks").all_inner_texts()] == [
            True,
            False,
            False,
        ]


def test_a_leaderboard_without_systems_says_so(chromium: Any, made: tuple[Standings, Details], tmp_path: Path) -> None:
    path = tmp_path / "index.html"
    path.write_text(render_page(replace(made[0], tables=(), moves=()), {}), encoding="utf-8")
    with opened(chromium, path) as page:
        assert page.inner_text(".status") == "No system is ranked yet."
        assert page.is_visible("#submit") and page.locator("select").count() == 0
