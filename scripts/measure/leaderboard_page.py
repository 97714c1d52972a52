"""How large and quick a leaderboard's page is: 500 systems with all their details, in Chromium.

python -m benchwright.scripts.measure.leaderboard_page
"""

import json
import tempfile
import time
from pathlib import Path
from statistics import median

import click

from benchwright.cards.leaderboard.page import render_page
from benchwright.scripts.measure.made_standings import made_standings
from benchwright.scripts.measure.report_page import Browser, browser

_READY = "document.documentElement?.getAttribute('data-ready')"
_DONE = "new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
_TIMED = """(async () => {{
  const begun = performance.now();
  {act};
  while (!({until})) await new Promise((done) => setTimeout(done, 5));
  await {done};
  return performance.now() - begun;
}})()"""
_CHOICE = (
    "const box = document.querySelector('[name={name}]'); box.value = {value}; box.dispatchEvent(new Event('{event}'))"
)
_OF = "document.querySelector('.status').textContent.includes(' of ')"


@click.command()
@click.option("--browser", "program", default="chromium", show_default=True, help="Chromium's program.")
@click.option("--systems", default=500, show_default=True, help="All in one version, so that one table holds them.")
@click.option("--times", default=5, show_default=True, help="How often each is done; the median is printed.")
def main(program: str, systems: int, times: int) -> None:
    """Print the size and the times of the page of a made-up leaderboard."""
    made = made_standings(systems, older=0)
    begun = time.perf_counter()
    text = render_page(*made)
    click.echo(
        f"page of {systems:,} systems: {len(text.encode()) / 1e6:.2f} MB, made in {time.perf_counter() - begun:.2f} s"
    )
    with tempfile.TemporaryDirectory() as folder, browser(program) as driven:
        path = Path(folder) / "index.html"
        path.write_text(text, encoding="utf-8")
        _say("interactive", [_opened(driven, path) for _ in range(times)])
        names = json.dumps([each.system.name for each in made[0].tables[0].standings[:1]])[1:-1]
        acts = {
            "sort": ("document.querySelector('th[data-id=name] button').click()", "true"),
            "filter": (_CHOICE.format(name="openness", value="'closed'", event="change"), _OF),
            "search, with 60 ms of waiting for the next key": (
                _CHOICE.format(name="text", value=names, event="input"),
                _OF,
            ),
            "a system's own page": ("document.querySelector('tbody th a').click()", "document.querySelector('.worst')"),
        }
        for name, (act, until) in acts.items():
            taken = []
            for _ in range(times):
                _opened(driven, path)
                taken.append(driven.value(_TIMED.format(act=act, until=until, done=_DONE)))
            _say(name, taken)
        click.echo(f"memory of the script {driven.value('performance.memory.usedJSHeapSize') / 1e6:.0f} MB")


def _opened(driven: Browser, path: Path) -> float:
    """Milliseconds from the start of loading until the table is drawn and answers."""
    driven.call("Page.navigate", url="about:blank")
    driven.call("Page.navigate", url=path.as_uri())
    while not driven.value(_READY):
        time.sleep(0.01)
    return driven.value(f"{_DONE}.then(() => Number({_READY}))")


def _say(name: str, times: list[float]) -> None:
    click.echo(f"{name}: {median(times):.0f} ms (longest {max(times):.0f})")


if __name__ == "__main__":
    main()
