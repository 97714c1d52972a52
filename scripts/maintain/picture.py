"""Takes the picture of the README: the first screen of a report, from a real run, with headless Chromium.

python -m benchwright.scripts.maintain.picture
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import click

PICTURE = Path(__file__).resolve().parents[2] / "cards" / "guides" / "pictures" / "report.png"
COLOURS = 160
"""Of the picture: a page of text needs few, and the file is a third of the size."""
RUN = (("build-benchmark", "aurp"), ("score-system", "aurp", "bm25", "--limit", "1000"))
"""As scripts/quickstart, but with more questions, so that intervals are narrower."""


@click.command()
@click.option("--browser", default="chromium", show_default=True, help="Chromium's program.")
@click.option("--width", default=1180, show_default=True, help="Of the page, in pixels.")
@click.option("--height", default=1040, show_default=True, help="Of the first screen, in pixels.")
def main(browser: str, width: int, height: int) -> None:
    """Build Aurp, score the baseline bm25, and take the picture of its report."""
    program = shutil.which(browser)
    if program is None:
        raise click.UsageError(f"there is no program {browser}: install Chromium, or name it with --browser")
    with tempfile.TemporaryDirectory() as folder:
        for command, *arguments in RUN:
            path = Path(sys.executable).with_name(command)
            subprocess.run([path, *arguments, "--quiet"], cwd=folder, check=True, stdout=subprocess.PIPE)
        shot = Path(folder) / "report.png"
        page = Path(folder) / "runs" / "aurp" / "1.0.0" / "bm25" / "report.html"
        options = ["--headless", "--no-sandbox", "--hide-scrollbars", f"--window-size={width},{height}"]
        subprocess.run(
            [program, *options, f"--screenshot={shot}", page.as_uri()], check=True, capture_output=True, timeout=120
        )
        _save_small(shot)
    click.echo(f"{PICTURE}: {PICTURE.stat().st_size:,} bytes")


def _save_small(shot: Path) -> None:
    """Writes the picture, a PNG with few colours."""
    from PIL import Image

    PICTURE.parent.mkdir(exist_ok=True)
    with Image.open(shot) as image:
        image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
