"""Forms of files: what they may say, what is wrong with them, and what the steps of their rules do."""

import os
import re
import tomllib
from importlib import resources
from pathlib import Path

import pytest

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.sql import PLACEHOLDER
from benchwright.builders.sql.wording.by_rule import FORMS
from benchwright.builders.sql.wording.forms.derive import REPEATED, SAME, UNFIT, derive
from benchwright.builders.sql.wording.forms.form import ANY, LARGEST, Form, read_form
from benchwright.builders.sql.wording.forms.read import hypotheses, parse_forms

HEAD = 'name = "own"\ninstruction = "Briefly. Copy {placeholders}."\nfrom = "short"\n'
TEXTS = (
    "The industry of company [company.Name]?",
    "[company.Name]: what's the headquarters",
    "I need [company.Name]'s founding year.",
)


def own(rule: str, head: str = HEAD) -> Form:
    return read_form((head + rule).encode(), "own.toml")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "own.toml is empty: a form has a name and an instruction"),
        (" \n", "own.toml is empty: a form has a name and an instruction"),
        ("name: own", "own.toml is not TOML: Expected '=' after a key"),
        ('instruction = "Copy {placeholders}."', 'own.toml lacks name: add a line such as name = "typos"'),
        ('name = "Own"', "name must be 1 to 40 of the letters a to z and '_', and is 'Own'"),
        ("name = 3", "name must be 1 to 40 of the letters a to z and '_', and is 3"),
        ('name = "own"', "own.toml lacks an instruction: say how the model is to write"),
        ('name = "own"\ninstruction = " "', "own.toml lacks an instruction"),
        ('name = "own"\ninstruction = "Briefly."', "instruction lacks {placeholders}"),
        ('name = "own"\ninstruction = "{placeholders} {sql}"', "instruction has {sql}, which is none of {placeholders},"),
        ('name = "own"\ninstruction = "{placeholders} {most:9999999999}"', "instruction has {most:9999999999}"),
        ('name = "own"\ninstruction = "{placeholders} {"', "instruction: "),
        (HEAD + 'likes = "short"', "a form has no 'likes': it has name, instruction, from, rule"),
        (HEAD.replace("short", "typos"), "from must be a built-in form (short, "),
        (HEAD + "rule = 3", "a rule is up to 20 entries [[rule]], each with one step"),
        (HEAD + "[[rule]]\ntypos = 1\nlower = true", "[[rule]] 1 must have one step, and has 2"),
        (HEAD + "[[rule]]\nshout = true", "[[rule]] 1: there is no step 'shout': choose from typos, prefix"),
        (HEAD + "[[rule]]\ntypos = 0", "typos must be a whole number from 1 to 20"),
        (HEAD + "[[rule]]\nlower = false", "lower must be true, or be left out"),
        (HEAD + "[[rule]]\nprefix = []", "prefix must be a text or a list of 1 to 200 texts"),
        (HEAD + '[[rule]]\nprefix = "[x.y] "', "prefix must hold texts on one line without square brackets"),
        (HEAD + '[[rule]]\nreplace = { a = 3 }', "replace must hold texts of 1 to 300 characters, and has 3"),
        (HEAD + "[[rule]]\nreplace = {}", "replace must be a table of 1 to 200 words"),
        (HEAD + "[[rule]]\nrewrite = 'State {x}.'", "rewrite must be a table of 1 to 200 sentences"),
        (HEAD + "[[rule]]\nrewrite = { 'State it.' = 'It is.' }", "rewrite: 'State it.' must have 1 to 4 {slots}, each"),
        (HEAD + "[[rule]]\nrewrite = { 'A {x} {x}.' = '{x}' }", "rewrite: 'A {x} {x}.' must have 1 to 4 {slots}, each"),
        (HEAD + "[[rule]]\nrewrite = { 'State {x}.' = 'It is.' }", "rewrite: 'It is.' must have the slots of 'State {x}.'"),
        (HEAD + "[[rule]]\nrewrite = { 'State {x}.' = '{x} {x}' }", "rewrite: '{x} {x}' must have the slots of 'State {x}"),
        (HEAD + "[[rule]]\nrewrite = { 'State {X!r}.' = '{x}' }", "a slot of 'State {X!r}.' must be a word of a to z in"),
        (HEAD + "[[rule]]\nrewrite = { 'State {x}.' = '{x}}' }", "a slot of '{x}}' must be a word of a to z in braces"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_said(content: str, message: str) -> None:
    with pytest.raises(BenchwrightError) as error:
        read_form(content.encode(), "own.toml")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_what_is_wrong_with_a_list_is_said(tmp_path: Path) -> None:
    good = tmp_path / "own.toml"
    good.write_text(HEAD)
    (tmp_path / "again.toml").write_text(HEAD)
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "typos.toml").write_text(HEAD.replace("own", "typos"))
    (tmp_path / "none").mkdir()
    (tmp_path / "large").mkdir()
    (tmp_path / "large" / "form.toml").write_bytes(b"#" * 2**20)
    (tmp_path / "large" / "latin.txt").write_bytes(b"name = '\xe9'")
    (tmp_path / "bytes").write_bytes(b"\x00\x01name")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    for text, message in {
        "": "forms is empty: choose from short, long,",
        "loud": "there is no form 'loud': choose from short, long, interrogative, directive, formal, casual, keyword",
        "loud.toml": "there is no file of a form loud.toml",
        str(tmp_path): "the name 'own' is taken by",
        f"{good},{tmp_path}/again.toml": "the name 'own' is taken by",
        f"{tmp_path}/taken": "the name 'typos' is taken by a form of Benchwright: choose another",
        f"{tmp_path}/none": "holds no *.toml file of a form",
        f"{tmp_path}/large": f"has 1,048,576 bytes, and a form's file has at most {LARGEST:,}",
        f"{tmp_path}/large/latin.txt": "is not UTF-8 text",
        f"{tmp_path}/bytes": "is not TOML: Invalid statement (at line 1, column 1)",
        f"{tmp_path}/pipe": "pipe is no file that could hold a form",
        "/dev/zero": "/dev/zero is no file that could hold a form",
        f"{tmp_path}/loop": "loop cannot be read: ",
    }.items():
        with pytest.raises(BenchwrightError) as error:
            parse_forms(text)
        assert message in str(error.value)
    good.write_bytes(b"\xef\xbb\xbf" + HEAD.replace("\n", "\r\n").encode())
    assert [form.name for form in parse_forms(f"short, {good} ,typos,short")] == ["short", "own", "typos"]


def test_what_is_shipped_is_as_files_must_be() -> None:
    assert list(hypotheses()) == ["keyword", "passive", "polite", "typos"]
    for form in parse_forms(",".join((*FORMS, *hypotheses()))):
        assert form.is_built_in == (form.name in FORMS)
        assert form.is_built_in or (form.steps and "[a.b]" in form.instructed("[a.b]", 3, 1, 9))
        assert form.checked_as == (ANY if form.name in ("polite", "passive") else form.base)


@pytest.mark.parametrize(
    ("rule", "made"),
    [
        ("lower = true", ["the industry of company [company.Name]?", None, "i need [company.Name]'s founding year."]),
        ("no_marks = true", ["The industry of company [company.Name]", "[company.Name] what's the headquarters",
                             "I need [company.Name] founding year"]),
        ('without = ["the", "I"]', ["industry of company [company.Name]?", "[company.Name]: what's headquarters",
                                    "need [company.Name]'s founding year."]),
        ('prefix = ["Please: ", "Now, "]', ["Please: the industry of company [company.Name]?",
                                            "Now, [company.Name]: what's the headquarters",
                                            "Please: I need [company.Name]'s founding year."]),
        ('suffix = ", please."', ["The industry of company [company.Name], please.",
                                  "[company.Name]: what's the headquarters, please.",
                                  "I need [company.Name]'s founding year, please."]),
        ('replace = { company = "firm", "founding year" = "vintage", name = "title", the = "ye" }',
         ["Ye industry of firm [company.Name]?", "[company.Name]: what's ye headquarters", "I need [company.Name]'s vintage."]),
        ('rewrite = { "I need {x}." = ["Need: {x}!", "{x}, at once."], "{y}: what\'s {x}" = "{x}, {y}?", "{y}?" = "{y} is?" }',
         ["The industry of company [company.Name] is?", "The headquarters, [company.Name]?", "Need: [company.Name]'s founding year!"]),
    ],
)  # fmt: skip
def test_what_a_step_does(rule: str, made: list[str | None]) -> None:
    found = derive(own(f"[[rule]]\n{rule}"), TEXTS, ())
    assert [found.texts_by_place.get(place) for place in range(3)] == made
    assert sum(found.left_out.values()) == made.count(None)


def test_what_tables_and_columns_are_called_stays_whole() -> None:
    form = own('[[rule]]\nwithout = ["on", "in", "to"]')
    found = derive(form, ["units on order in [a.b]", "the ship-to town on [a.b]"], {"units on order", "ship-to town"})
    assert found.texts == ("units on order [a.b]", "the ship-to town [a.b]")


def test_requests_have_a_passive_and_a_polite_way() -> None:
    """Each request of the built-in writer, of whatever kind, has one of its own, with what it holds once."""
    folder = resources.files("benchwright.builders.sql.wording")
    requests = [
        re.sub(r"\{(\w+)\}", r"[the.\1]", frame)
        for name in ("frames", "truth_frames", "kind_frames", "list_frames")
        for frames in tomllib.loads((folder / f"{name}.toml").read_text("utf-8"))["directive"].values()
        for frame in frames
    ]
    requests = [text.replace("[the.it]", "it").replace("[the.wh]", "what") for text in requests]
    assert len(requests) > 40
    for name, marks in {
        "passive": r"\b(?:be|been) (?:\w+ed|told|given|named|sent|read|found|said|written|known|put|made|gone|taken)\b",
        "polite": r"\b(?:please|so kind as to|grateful|Might I ask)\b",
    }.items():
        found = derive(hypotheses()[name], requests, ())
        assert not set(found.left_out) - {REPEATED}, [
            text for place, text in enumerate(requests) if place not in found.texts_by_place
        ]
        for place, text in found.texts_by_place.items():
            assert sorted(PLACEHOLDER.findall(text)) == sorted(PLACEHOLDER.findall(requests[place]))
            assert re.search(marks, text), text


def test_slips_leave_placeholders_and_known_words() -> None:
    form = own("[[rule]]\ntypos = 3")
    words = frozenset({"company", "industry", "headquarters", "idnustry"})
    texts = [f"{word} industry of the company [company.industry] in {word}" for word in ("what", "state", "please")]
    found = derive(form, texts, words)
    assert found.texts == derive(form, texts, words).texts
    assert len(found.texts) == 3
    for text, slip in zip(texts, found.texts, strict=True):
        assert PLACEHOLDER.findall(slip) == [("company", "industry")]
        pairs = [(a, b) for a, b in zip(text.split(), slip.split(), strict=True) if a != b]
        assert len(pairs) == 3
        assert all(a[0] == b[0] and abs(len(a) - len(b)) <= 1 and b not in words for a, b in pairs)
    assert derive(form, ["is [a.b] it"], ()).left_out == {UNFIT: 1}


def test_what_a_rule_makes_no_new_text_of_is_counted() -> None:
    keyword = hypotheses()["keyword"]
    found = derive(keyword, ["town of the [a.b]", "town [a.b]", "Town for [a.b]", "the club of [a.b]"], ())
    assert found.texts == ("town [a.b]", "club [a.b]")
    assert found.left_out == {SAME: 1, REPEATED: 1}
    passive = derive(hypotheses()["passive"], ["Name the town of [a.b].", "Which town has [a.b]?"], ())
    assert (passive.texts, passive.left_out) == (("The town of [a.b] should be named.",), {UNFIT: 1})
    assert derive(keyword, ["of [a.b]?"], ()).left_out == {UNFIT: 1}
