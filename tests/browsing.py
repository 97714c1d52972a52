"""Pages in a real browser: opened from disk, watched for what they ask for and say, looked through by axe-core."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def opened(chromium: Any, path: Path, address: str = "", width: int = 1280, scheme: str = "light") -> Iterator[Any]:
    """The page, opened from disk. It may ask for nothing else, and its console stays empty."""
    context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page, asked, said = context.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url.split("#")[0]))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.goto(f"{path.as_uri()}{address}")
    page.wait_for_selector("html[data-ready]", state="attached")
    yield page
    assert set(asked) <= {path.as_uri()} and said == []
    context.close()


def serious(page: Any, axe: str) -> list[tuple[str, str]]:
    """What axe finds. The shades at the edges of tables are taken off: axe cannot see colours above a gradient."""
    page.evaluate("for (const each of document.querySelectorAll('.scroll')) each.style.background = 'none'")
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe)
    found = page.evaluate("axe.run({ resultTypes: ['violations'] })")["violations"]
    return [(each["id"], node["html"][:200]) for each in found for node in each["nodes"]]
