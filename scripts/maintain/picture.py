"""Takes the pictures of the pages: the first screen of a report, and of a page on which people judge.

python -m benchwright.scripts.maintain.picture

Both are of real runs, in headless Chromium. The judge whose steps people look at is played by rules.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from benchwright.scripts.servers.openai.server import OpenAIServer

PICTURES = Path(__file__).resolve().parents[2] / "cards" / "guides" / "pictures"
PICTURE, ANNOTATE = PICTURES / "report.png", PICTURES / "annotate.png"
COLOURS = 160
"""Of the picture: a page of text needs few, and the file is a third of the size."""
RUN = (("build-benchmark", "aurp"), ("score-system", "aurp", "bm25", "--limit", "1000"))
"""As scripts/quickstart, but with more questions, so that intervals are narrower."""
JUDGED = (
    ("score-system", "aurp", "bm25", "--limit", "200", "--name", "my-rag", "--metric", "correct", "--metric",
     "ragas_fact", "--model", "judge=example-judge"),
    ("annotate", "aurp/my-rag", "--annotators", "Ada"),
)  # fmt: skip


@click.command()
@click.option("--browser", default="chromium", show_default=True, help="Chromium's program.")
@click.option("--width", default=1180, show_default=True, help="Of the page, in pixels.")
@click.option("--height", default=1040, show_default=True, help="Of the first screen, in pixels.")
def main(browser: str, width: int, height: int) -> None:
    """Build Aurp, score the baseline bm25, and take the pictures of its report and of a page for people."""
    program = shutil.which(browser)
    if program is None:
        raise click.UsageError(f"there is no program {browser}: install Chromium, or name it with --browser")
    with tempfile.TemporaryDirectory() as folder, OpenAIServer(_judge) as server:
        for command, *arguments in (*RUN, *JUDGED):
            path = Path(sys.executable).with_name(command)
            address = {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "sk-none"}
            subprocess.run([path, *arguments, "--quiet"], cwd=folder, check=True, stdout=subprocess.PIPE,
                           env={**os.environ, **address})  # fmt: skip
        home = Path(folder) / "runs" / "aurp" / "1.0.0"
        _take(program, home / "bm25" / "report.html", PICTURE, (width, height))
        _take(program, home / "my-rag" / "annotate" / "sample-1-ada.html", ANNOTATE, (1280, 800), is_judged=True)
    for picture in (PICTURE, ANNOTATE):
        click.echo(f"{picture}: {picture.stat().st_size:,} bytes")


def _judge(body: Mapping[str, Any]) -> Any:
    """Plays the judge: an answer is one statement, which is grounded where a passage has the answer's words."""
    told, asked = json.dumps(body["messages"][0]), body["messages"][-1]["content"]
    lines = [line for line in asked.splitlines() if line.strip()]
    if "take apart" in told:
        place = next(number for number, line in enumerate(lines) if line.startswith("The chatbot's answer"))
        return {"statements": [f"What is asked for is {lines[place + 2].rstrip('.')}."]}
    claim = next(line for line in lines if line.startswith("1. "))
    words = claim.removeprefix("1. What is asked for is ").rstrip(".")
    is_said = words in asked.split(claim)[0]
    reason = f"A passage says {words}." if is_said else f"No passage says {words} in these words."
    return {"verdicts": [{"number": 1, "reason": reason, "verdict": "Yes" if is_said else "Null"}]}


def _take(program: str, page: Path, picture: Path, size: tuple[int, int], *, is_judged: bool = False) -> None:
    """Takes a picture of a page's first screen; of a page for people once the first answer with steps is judged."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        shown = browser.new_page(viewport={"width": size[0], "height": size[1]})
        shown.goto(page.as_uri())
        while is_judged and "of the judge" not in shown.locator(".tasks").inner_text():
            shown.keyboard.press("j")
        for key in ("1", "1") if is_judged else ():
            shown.keyboard.press(key)
        shot = page.with_suffix(".png")
        shown.screenshot(path=shot)
        browser.close()
    _save_small(shot, picture)


def _save_small(shot: Path, picture: Path) -> None:
    """Writes the picture, a PNG with few colours."""
    from PIL import Image

    picture.parent.mkdir(exist_ok=True)
    with Image.open(shot) as image:
        image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(picture, optimize=True)


if __name__ == "__main__":
    main()
