"""A page on which people judge, in a real browser: filled in by keyboard, kept, saved, gone on with, and hostile texts."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pairs
import pytest
from annotated import Annotated, make_annotated, saved_lines, write_lines
from browsing import opened, serious
from test_report_html import EVIL, ODD

from benchwright.benchmarks.annotations.exports import judgment_lines, label_lines, read_export
from benchwright.benchmarks.annotations.items import STEP_CHOICES, Item, Shown, Task, Work, in_order
from benchwright.benchmarks.annotations.pair_items import pair_work
from benchwright.cards.annotate.page import Page, write_page
from benchwright.cards.annotate.pages import write_pages

ADA = Page("sample-1-ada", "Ada")


@pytest.fixture(scope="module")
def annotated(tmp_path_factory: pytest.TempPathFactory) -> Annotated:
    return make_annotated(tmp_path_factory.mktemp("page"))


@pytest.fixture(scope="module")
def work(annotated: Annotated) -> Work:
    """Three answers, each with two steps."""
    return annotated.work(3)


def written(work: Work, folder: Path, page: Page = ADA) -> Path:
    (found,) = write_pages(lambda _: work, folder, [page])
    assert found.bytes == found.path.stat().st_size
    return found.path


def press(page: Any, keys: Sequence[str]) -> None:
    for key in keys:
        page.keyboard.press(key)


def saved(page: Any, folder: Path, key: str = "s") -> Path:
    """What the page saves."""
    with page.expect_download() as download:
        page.keyboard.press(key)
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_filled_in_by_keyboard_kept_saved_and_read(
    chromium: Any, annotated: Annotated, work: Work, tmp_path: Path
) -> None:
    """The answer first; only then does the judge show its steps. A reload loses nothing; the file is what we read."""
    path = written(work, tmp_path)
    first, *_ = in_order(work.items, ADA.name)
    with opened(chromium, path) as page:
        assert page.locator("h1").inner_text() == "Judge mine on small 1.0.0"
        assert page.locator(".task").count() == 1 and "2 steps of the judge" in page.locator(".tasks").inner_text()
        assert "gpt-9" not in page.locator("#item").inner_text()
        press(page, "2")
        assert page.locator(".task").count() == 3
        assert page.locator(".task.current").get_attribute("data-task") == "1"
        assert "1 of 2 statements supported" in page.locator("#item").inner_text()
        press(page, ["1", "n"])
        page.keyboard.type("the 2nd one 1 2 j")
        press(page, ["Escape", ".", "2"])
        page.locator(".task").nth(2).get_by_role("checkbox").nth(1).check()
        assert page.locator("#done").inner_text() == "1 of 3 answers done, 3 of 9 questions"
        page.reload()
        page.wait_for_selector("html[data-ready]", state="attached")
        assert page.locator("#done").inner_text() == "1 of 3 answers done, 3 of 9 questions"
        assert page.locator(".task [aria-pressed=true]").all_inner_texts() == ["2 Wrong", "1 Right", "2 Wrong"]
        press(page, ["u", "3", "1", "1", "j", "1"])
        assert page.locator("#place").inner_text() == "3 of 3"
        found = lines_of(saved(page, tmp_path))
    assert len(found) == 7
    wanted = saved_lines(replace(work, items=tuple(in_order(work.items, ADA.name))), "Ada", lambda item, task: "right")
    assert found[0] == {
        **wanted[0], "value": 0, "trace": {**wanted[0]["trace"], "choice": "wrong", "is_blind": True}
    }  # fmt: skip
    assert found[2]["reason"] == "the 2nd one 1 2 j" and "reason" not in found[1]
    assert found[2]["trace"]["wrong_rows"] == [2] and found[2]["value"] == "wrong"
    assert (found[3]["value"], found[3]["trace"]["choice"]) == (None, "unclear")
    export = read_export("ada", judgment_lines(tmp_path / "sample-1-ada.jsonl"), work)
    assert [(said.item, said.choice) for said in export.said][:2] == [(first.id, "wrong"), (first.id, "right")]


def test_the_file_goes_on_elsewhere(chromium: Any, work: Work, tmp_path: Path) -> None:
    """In a browser that knows nothing; a second choice after the judge was seen says so; bad lines are counted."""
    path = written(work, tmp_path)
    with opened(chromium, path) as page:
        press(page, ["1", "2", "1", ",", ",", ",", "2"])
        file = saved(page, tmp_path)
        (line, *_) = lines_of(file)
        assert (line["value"], line["trace"]["first"], line["trace"]["is_blind"]) == (0, "right", True)
    whole = file.read_text()
    file.write_text(whole + "{ cut\n" + json.dumps({**line, "id": "g99"}) + "\n")
    with opened(chromium, path) as page:
        page.locator("#file").set_input_files(file)
        page.locator("#said", has_text="Read").wait_for()
        assert page.locator("#said").inner_text() == "Read 3 verdicts; 2 lines could not be read."
        assert page.locator("#done").inner_text() == "1 of 3 answers done, 3 of 9 questions"
        again = saved(page, tmp_path / "again")
    assert again.read_text() == whole
    other = write_lines(tmp_path / "ben.jsonl", saved_lines(work, "Ben", lambda item, task: "right"))
    with opened(chromium, path) as page:
        page.locator("#file").set_input_files(other)
        page.locator("#said", has_text="read").wait_for()
        assert page.locator("#said").inner_text() == (
            "Nothing was read: this file is of the page sample-1-ben, and this page is sample-1-ada."
        )
        assert page.locator("#done").inner_text().startswith("0 of 3")


def test_two_pages_in_one_browser_and_a_name_that_is_asked(chromium: Any, work: Work, tmp_path: Path) -> None:
    paths = [written(work, tmp_path, Page(f"sample-1-page-{number}")) for number in (1, 2)]
    context = chromium.new_context()
    page = context.new_page()
    for path, name in zip(paths, ("Ada", "Ben Ö"), strict=True):
        page.goto(path.as_uri())
        assert page.locator("#main").is_hidden() and page.locator("#name").is_visible()
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        page.keyboard.press("1" if name == "Ada" else "2")
    page.goto(paths[0].as_uri())
    page.wait_for_selector("html[data-ready]", state="attached")
    assert page.locator(".task [aria-pressed=true]").all_inner_texts() == ["1 Right"]
    page.goto(paths[1].as_uri())
    file = saved(page, tmp_path)
    assert file.name == "sample-1-page-2-ben-o.jsonl"
    assert [line["judge"] for line in lines_of(file)] == [{"kind": "human", "name": "Ben Ö"}]
    context.close()


def test_a_browser_that_keeps_nothing_says_so(chromium: Any, work: Work, tmp_path: Path) -> None:
    path = written(work, tmp_path)
    context = chromium.new_context()
    context.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })")
    page = context.new_page()
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready]", state="attached")
    assert "This browser keeps nothing for this page" in page.locator("#notice").inner_text()
    page.keyboard.press("1")
    assert len(lines_of(saved(page, tmp_path))) == 1
    context.close()


def test_what_is_hidden(chromium: Any, work: Work, tmp_path: Path) -> None:
    """The true answer and the evidence marks, where that is wished; the judge, unless that is not."""
    with opened(chromium, written(work, tmp_path)) as page:
        assert page.locator("mark").count() == 2 and page.locator(".shown.gold .said").inner_text() == "Oslo"
        page.get_by_label("Hide the true answer until I have judged").check()
        assert page.locator("mark").count() == 0 and page.locator(".shown.gold .said").count() == 0
        assert "evidence" not in page.locator("#item").inner_text()
        page.locator("body").press("g")
        assert page.locator("mark").count() == 2
        page.locator("body").press("j")
        assert page.locator("mark").count() == 0
        page.locator("body").press("1")
        assert page.locator("mark").count() == 2, "judged"
        page.locator("body").press("Backspace")
        page.get_by_label("Hide the judge until I have judged").uncheck()
        assert page.locator(".task").count() == 3
        page.locator("body").press("2")
        lines = lines_of(saved(page, tmp_path))
    assert [line["trace"]["is_blind"] for line in lines if "candidate" not in line] == [True], "said blind at first"


def test_what_others_said_is_shown_where_it_is_resolved(chromium: Any, work: Work, tmp_path: Path) -> None:
    item = work.items[0]
    task = replace(item.tasks[1], said=("Ada: Right (sure?)", "Ben: Wrong"))
    disputed = Item(item.id, (task,), item.texts)
    path = tmp_path / "resolve.html"
    write_page(path, work, [disputed], Page("sample-1-resolve", "Dee", is_final=True))
    with opened(chromium, path) as page:
        assert page.locator(".others li").all_inner_texts() == ["Ada: Right (sure?)", "Ben: Wrong"]
        page.keyboard.press("2")
        (line,) = lines_of(saved(page, tmp_path))
    assert line["trace"]["final"] is True and line["candidate"].startswith("step:judge_statements:")


def hostile_work() -> Work:
    """Every text, name and id is hostile; one answer has 50,000 words."""
    evil = f"{EVIL}</script><!--{ODD}\ud800"
    step = make_hostile_step(evil)
    task = Task("correct", "Is the answer correct?", STEP_CHOICES, {"id": evil, "metric": "correct"})
    roles = ("question", "gold", "evidence", "answer", "context")
    texts = tuple(Shown(evil, role, ((evil, False), (evil, True)), evil) for role in roles)  # type: ignore[arg-type]
    long = Shown("Answer", "answer", ((f"{EVIL} " + "word " * 50_000, False),))
    items = (
        Item(f"0:{evil}", (replace(task, said=(evil,)), step), texts),
        Item("0:long", (replace(task, line={"id": "long", "metric": "correct"}),), (long,)),
    )
    return Work("run", evil, "sample-1", "0123456789abcdef", items, notes=(evil,))


def make_hostile_step(evil: str) -> Task:
    from benchwright.benchmarks.annotations.items import ShownStep

    shown = ShownStep(evil, (evil,), evil, (evil,), (evil, evil), ((evil, evil),), (evil,))
    line = {"id": evil, "metric": "faithfulness", "candidate": f"step:{evil}", "trace": {"step": {"name": evil}}}
    return Task(f"faithfulness step:{evil}", evil, STEP_CHOICES, line, shown)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_hostile_texts_are_texts_and_axe_finds_nothing(chromium: Any, axe: str, tmp_path: Path, scheme: str) -> None:
    work = hostile_work()
    path = tmp_path / "page.html"
    write_page(path, work, work.items, Page("sample-1-x", EVIL))
    width = 1280 if scheme == "light" else 390
    with opened(chromium, path, width=width, scheme=scheme) as page:
        press(page, ["1", "2"])
        assert page.locator("#item img, #item script, header img").count() == 0
        assert "<script>alert(1)</script>" in page.locator(".shown.answer").inner_text()
        assert serious(page, axe) == [] and page.evaluate("document.documentElement.scrollWidth") == width
        page.keyboard.press("n")
        page.keyboard.type("n")
        page.keyboard.press("Escape")
        page.keyboard.press("?")
        assert page.locator("#keys").is_visible() and serious(page, axe) == []
        page.keyboard.press("Escape")
        page.keyboard.press("j")
        assert len(page.locator(".shown.answer .said").inner_text()) > 250_000
        assert page.evaluate("document.documentElement.scrollWidth") == width
        page.keyboard.press("1")
        lines = lines_of(saved(page, tmp_path))
    assert lines[0]["id"] == f"{EVIL}</script><!--{ODD}\ud800" and len(lines) == 3


def test_a_thousand_answers_of_ten_contexts(chromium: Any, tmp_path: Path) -> None:
    """10 MB: the page opens at the first, and the last is drawn within a moment, one item at a time."""
    task = Task("correct", "Is the answer correct?", STEP_CHOICES, {})
    contexts = tuple(Shown(f"{n}. c", "context", (("text of a context " * 60, False),)) for n in range(10))
    items = [
        Item(
            f"0:q{n}",
            (replace(task, line={"id": f"q{n}", "metric": "correct"}),),
            (Shown("Answer", "answer", ((f"a{n}", False),)), *contexts),
        )
        for n in range(1_000)
    ]
    work = Work("run", "many", "sample-1", "0123456789abcdef", tuple(items))
    size = write_page(tmp_path / "many.html", work, items, ADA)
    assert 10_000_000 < size < 14_000_000
    with opened(chromium, tmp_path / "many.html") as page:
        page.keyboard.press("k")
        page.keyboard.press("1")
        assert page.locator("#done").inner_text() == "1 of 1,000 answers done"
        page.evaluate("document.querySelector('#open').click()")
        assert page.locator("#place").inner_text() == "2 of 1,000"
        assert page.locator(".shown.context").count() == 10 and page.locator(".shown.answer .said").inner_text() == "a1"
        assert len(lines_of(saved(page, tmp_path))) == 1


def test_pairs_are_chosen_from_side_by_side(chromium: Any, tmp_path: Path) -> None:
    """What is saved names the candidate, wherever it stood; a page for settling names the sides as it shows them."""
    release = pairs.make_release(tmp_path, pairs.pairs(1))
    (path,) = (
        each.path for each in write_pages(lambda page: pair_work(release, page), tmp_path, [Page("pairs-a", "Ada")])
    )
    with opened(chromium, path, width=390) as page:
        places = {}
        for _ in range(3):
            texts = page.locator(".candidates .said").all_inner_texts()
            asked = page.locator(".ask").inner_text()
            places[asked] = (
                "first" if "built in" in texts[0] and "monks" not in texts[0] and "Rivers" not in texts[0] else "second"
            )
            press(page, ["1", "j"])
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        place = "button => [button.getBoundingClientRect().bottom <= innerHeight, button.offsetTop]"
        where = [each.evaluate(place) for each in page.locator(".choices button").all()]
        assert [is_seen for is_seen, _ in where] == [True] * 3 and len({top for _, top in where}) == 1
        lines = lines_of(saved(page, tmp_path))
    said = {
        next(d.ask for item in pair_work(release).items for d in item.tasks if d.id == line["dimension"]): line[
            "choice"
        ]
        for line in lines
    }
    assert said == places and {line["resolved"] for line in lines} == {False}


def test_pairs_filled_in_by_keyboard_and_reloaded_half_way(chromium: Any, axe: str, tmp_path: Path) -> None:
    """What was chosen before the reload is kept, and the labels of the file are those that were chosen."""
    release = pairs.make_release(tmp_path, pairs.pairs(2))
    name = "pairs-page-1"
    work = pair_work(release, name)
    (path,) = (each.path for each in write_pages(lambda page: pair_work(release, page), tmp_path, [Page(name)]))
    with opened(chromium, path) as page:
        guide = page.locator("#guide").inner_text()
        assert [title for title, _ in work.guide if title in guide] == [
            "What to do", "Faithfulness", "Answer relevance", "Context relevance"
        ]  # fmt: skip
        page.keyboard.type("Ada")
        press(page, ["Enter", "1"])
        assert page.locator("#guide").get_attribute("open") is not None, "it stays until the next is asked for"
        press(page, ["j", "2", "j", "3", "n"])
        page.keyboard.type("alike, 1 or 2")
        press(page, ["Escape"])
        assert page.locator("#guide").get_attribute("open") is None
        asked = in_order(work.items, name)[2].tasks[0]
        assert page.locator(".task").inner_text().startswith(f"{asked.topic}\n\n{asked.ask}\n\n{asked.meaning}")
        assert serious(page, axe) == []
        assert page.locator("#done").inner_text() == "3 of 6 choices done"
        page.reload()
        page.wait_for_selector("html[data-ready]", state="attached")
        assert page.locator("#done").inner_text() == "3 of 6 choices done"
        assert page.locator("#guide").get_attribute("open") is None, "who has begun has read it"
        press(page, ["u", "1", "j", "j", "2"])
        assert page.locator("#said").inner_text().endswith(" Still open: 1 choice; u goes there.")
        press(page, ["u", "1"])
        assert page.locator("#said").inner_text().endswith(" All are done: save the file with s.")
        assert page.locator("#done").inner_text() == "6 of 6 choices done"
        file = saved(page, tmp_path)
    assert file.name == "pairs-page-1-ada.jsonl"
    export = read_export(file.name, label_lines(file), pair_work(release, has_texts=False))
    said = {each.item: each for each in export.said}
    places = (0, 1, 2, 0, 0, 1)
    assert [said[item.id].choice for item in in_order(work.items, name)] == [
        item.tasks[0].choices[place].name for item, place in zip(in_order(work.items, name), places, strict=True)
    ]
    assert [each.note for each in export.said if each.choice == "tie"] == ["alike, 1 or 2"]
    assert {each.annotator for each in export.said} == {"Ada"}


def test_two_tabs_of_one_page_know_of_each_other(chromium: Any, work: Work, tmp_path: Path) -> None:
    path = written(work, tmp_path)
    context = chromium.new_context()
    one, other = context.new_page(), context.new_page()
    for page in (one, other):
        page.goto(path.as_uri())
    one.keyboard.press("1")
    other.locator("#done", has_text="1 of 9 questions").wait_for()
    other.keyboard.press("j")
    other.keyboard.press("2")
    one.locator("#done", has_text="2 of 9 questions").wait_for()
    assert one.locator("#place").inner_text() == "1 of 3", "who looks at what is each tab's own"
    context.close()


def test_what_a_browser_kept_may_be_anything(chromium: Any, work: Work, tmp_path: Path) -> None:
    """Of an older page, of a person's hand, or broken: the page opens."""
    path = written(work, tmp_path)
    kept = [
        "{",
        "null",
        "[]",
        '{"at": "x", "verdicts": null}',
        '{"at": 99, "verdicts": {"0:gone": {"correct": {"choice": "right"}}}}',
    ]
    context = chromium.new_context()
    page = context.new_page()
    page.goto(path.as_uri())
    for text in kept:
        page.evaluate(
            "text => localStorage.setItem(`benchwright annotate ${JSON.parse(document.querySelector('#head').textContent).work.hash} sample-1-ada`, text)",
            text,
        )
        page.reload()
        page.wait_for_selector("html[data-ready]", state="attached")
        assert page.locator("#notice").is_visible() == (text == "{")
        page.keyboard.press("1")
        assert page.locator("#done").inner_text() == "0 of 3 answers done, 1 of 9 questions", text
    context.close()
