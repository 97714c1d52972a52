"""How quick a report's page is in Chromium: first paint, the list of questions, a search, a filter, an answer opened.

python -m benchwright.scripts.measure.report_page runs/aurp/1.0.0/bm25/report.html

Chromium is driven through its pipe for debugging, so that nothing has to be installed beside it.
"""

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import click

_FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe")
_READY = "/[0-9] questions$/.test(document.querySelector('.status')?.textContent ?? '')"
_PAINT = """new Promise((done) => {
  new PerformanceObserver((list) => done(list.getEntries()[0].startTime)).observe({ type: "paint", buffered: true });
})"""
_WAIT = "new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
_SEARCH = """(async () => {{
  const box = document.querySelector("[name=text]"), status = document.querySelector(".status");
  box.value = {text};
  const begun = performance.now();
  const changed = new Promise((done) => new MutationObserver(done).observe(status, {{ childList: true }}));
  box.dispatchEvent(new Event("input", {{ bubbles: true }}));
  await changed;
  await {wait};
  return [performance.now() - begun, status.textContent];
}})()"""
_FILTER = """(async () => {{
  const choice = document.querySelector("[name={name}]"), status = document.querySelector(".status");
  choice.selectedIndex = {place};
  const begun = performance.now();
  choice.dispatchEvent(new Event("change", {{ bubbles: true }}));
  await {wait};
  return [performance.now() - begun, status.textContent];
}})()"""
_OPEN = """(async () => {{
  const row = document.querySelectorAll(".rows > details")[{place}], begun = performance.now();
  row.open = true;
  while (!row.querySelector(".beside")) await new Promise((done) => setTimeout(done));
  return [performance.now() - begun, row.querySelectorAll("mark").length + " marks"];
}})()"""


class Browser:
    """Chromium with one page, driven by its protocol for debugging."""

    def __init__(self, read: int, write: int) -> None:
        self._read, self._write, self._buffer, self._number = os.fdopen(read, "rb", 0), write, b"", 0
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session: str | None = None
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The result of a command."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if getattr(self, "_session", None):
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = json.loads(self._next())
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise click.ClickException(f"Chromium refuses {method}: {answer['error']['message']}")
                return answer["result"]

    def _next(self) -> bytes:
        while b"\0" not in self._buffer:
            read = self._read.read(1 << 16)
            if not read:
                raise click.ClickException("Chromium ended: open the page by hand to see why")
            self._buffer += read
        message, _, self._buffer = self._buffer.partition(b"\0")
        return message

    def value(self, expression: str) -> Any:
        """What an expression comes to in the page."""
        done = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in done:
            raise click.ClickException(f"the page fails: {done['exceptionDetails']['exception']['description']}")
        return done["result"].get("value")


@contextmanager
def browser(program: str) -> Iterator[Browser]:
    """A browser that ends with the block."""
    found = shutil.which(program)
    if found is None:
        raise click.UsageError(f"there is no program {program}: install Chromium, or name it with --browser")
    to_child, from_us = os.pipe()
    to_us, from_child = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = f'exec 3<&{to_child} 4>&{from_child}; exec "$@"'
        process = subprocess.Popen(
            ["bash", "-c", command, "bash", found, *_FLAGS, f"--user-data-dir={profile}"],
            pass_fds=(to_child, from_child),
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        os.close(to_child)
        os.close(from_child)
        try:
            yield Browser(to_us, from_us)
        finally:
            os.close(from_us)
            process.terminate()
            process.wait(timeout=30)


@click.command()
@click.argument("page", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--browser", "program", default="chromium", show_default=True, help="Chromium's program.")
@click.option("--times", default=5, show_default=True, help="How often each is done; the median is printed.")
def main(page: Path, program: str, times: int) -> None:
    """Print the sizes and times of a report's page."""
    click.echo(f"size {page.stat().st_size / 1e6:.1f} MB")
    with browser(program) as driven:
        paints, lists = [], []
        for _ in range(times):
            driven.call("Page.navigate", url="about:blank")
            begun = time.perf_counter()
            driven.call("Page.navigate", url=page.resolve().as_uri())
            while not driven.value(_READY):
                time.sleep(0.01)
            lists.append(1000 * (time.perf_counter() - begun))
            paints.append(driven.value(_PAINT))
        _say("first paint", paints, "")
        _say("list ready", lists, driven.value("document.querySelector('.status').textContent"))
        words = [json.dumps(text) for text in ("office", "off", "manager of", "zzz", "e")]
        searched = [driven.value(_SEARCH.format(text=each, wait=_WAIT)) for each in words for _ in range(2)]
        _say("search, with 60 ms of waiting for the next key", [each[0] for each in searched], "; ".join(words))
        driven.value(_SEARCH.format(text='""', wait=_WAIT))
        filtered = [
            driven.value(_FILTER.format(name="outcome", place=place % 3, wait=_WAIT)) for place in range(1, times + 1)
        ]
        _say("filter", [each[0] for each in filtered], filtered[0][1])
        driven.value(_FILTER.format(name="outcome", place=0, wait=_WAIT))
        opened = [driven.value(_OPEN.format(place=9 * place)) for place in range(min(times, 5))]
        _say("open an answer", [each[0] for each in opened], opened[0][1])
        used = driven.value("performance.memory.usedJSHeapSize")
        click.echo(f"memory of the script {used / 1e6:.0f} MB")


def _say(name: str, times: list[float], note: str) -> None:
    said = f"{name}: {median(times):.0f} ms (longest {max(times):.0f})"
    click.echo(f"{said} · {note}" if note else said)


if __name__ == "__main__":
    main()
