"""Takes the picture of the README: the first screen of a report, from a real run, with headless Chromium.

python -m benchwright.scripts.maintain.picture
"""

import shutil
import subprocess
import tempfile
from pathlib import Path

import click

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.reports.report import make_report
from benchwright.benchmarks.runs.harness import Options, score_system
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card
from benchwright.cards.report.page import write_report

PICTURE = Path(__file__).resolve().parents[2] / "cards" / "guides" / "pictures" / "report.png"
COLOURS = 160
"""Of the picture: a page of text needs few, and the file is a third of the size."""


@click.command()
@click.option("--browser", default="chromium", show_default=True, help="Chromium's program.")
@click.option("--width", default=1180, show_default=True, help="Of the page, in pixels.")
@click.option("--height", default=840, show_default=True, help="Of the first screen, in pixels.")
def main(browser: str, width: int, height: int) -> None:
    """Build Aurp, score the baseline bm25 on 1,000 questions as scripts/quickstart does, and take the picture."""
    program = shutil.which(browser)
    if program is None:
        raise BenchwrightError(f"there is no program {browser}: install Chromium, or name it with --browser")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        release, _ = build_release("aurp", {}, render_card, output=root / "releases")
        scored = score_system(release, "bm25", output=root / "runs", options=Options(limit=1000))
        write_report(make_report(release, scored.folder), scored.folder)
        shot = root / "report.png"
        subprocess.run(
            [
                program,
                "--headless",
                "--no-sandbox",
                "--hide-scrollbars",
                f"--window-size={width},{height}",
                f"--screenshot={shot}",
                (scored.folder / "report.html").as_uri(),
            ],
            check=True,
            capture_output=True,
            timeout=120,
        )
        _save_small(shot, PICTURE)
    click.echo(f"{PICTURE}: {PICTURE.stat().st_size:,} bytes")


def _save_small(source: Path, target: Path) -> None:
    """Writes a PNG with few colours."""
    from PIL import Image

    target.parent.mkdir(exist_ok=True)
    with Image.open(source) as image:
        few = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        few.save(target, optimize=True)


if __name__ == "__main__":
    main()
