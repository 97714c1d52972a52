"""A manifest is a strict schema: whatever is not as it must be is one line that names the field, and nothing is read."""

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lighthouses
import pytest
from built import Built, company_release, copy_release
from support import Run

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.manifest import MAX_BYTES, read_manifest
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release

HASH = "0" * 64
FILE = {"sha256": HASH, "bytes": 1}
PUBLIC = {"share": 0.5, "questions": 4, "groups": 2, "commitment": "SHA-256", "private": "lights-private"}
PRIVATE = {"share": 0.5, "public": "lights", "public_content_hash": HASH, "secret": HASH}
PARENT = {"name": "lights", "version": "0.9.0", "content_hash": HASH}

OTHER_TYPES: dict[str, list[Any]] = {
    "name": [None, 7, 1.5, True, [], {}],
    "version": [None, 7, 1.5, True, [], {}],
    "builder": [None, 7, 1.5, True, [], {}],
    "builder_version": [None, 7, 1.5, True, [], {}],
    "parameters": [None, 7, 1.5, True, [], "x"],
    "seed": [1.5, True, [], {}, "7"],
    "sources": [None, 7, 1.5, True, {}, "x", ["x"], [None], [[]], [7]],
    "canary": [None, 7, 1.5, True, [], {}],
    "rows": [None, 7, 1.5, True, [], "x", {"questions": None}, {"questions": "8"}, {"questions": 8.0}],
    "splits": [None, 7, 1.5, True, [], "x", {"questions": 8}, {"questions": []}, {"questions": {"test": "8"}}],
    "checks": [None, 7, 1.5, True, [], "x"],
    "content_hash": [None, 7, 1.5, True, [], {}],
    "files": [None, 7, 1.5, True, [], "x", {"a": None}, {"a": "x"}, {"a": []}],
    "models": [None, 7, 1.5, True, {}, "x", ["x"], [None], [[]], [7]],
    "holdout": [7, 1.5, True, [], "x"],
    "parent": [7, 1.5, True, [], "x", {"name": 7}],
    "texts": [None, 7, 1.5, True, [], "x", {"wordings": 7}, {"wordings": {"rule": "7"}}],
    "format": [None, 1.5, True, [], {}, "1", 0, -1, 2, 10**400],
}
"""Field → values of other types."""

OTHER_VALUES: list[tuple[str, Any, str]] = [
    ("name", "../x", "name: '../x' cannot be a release's name: use lower-case letters"),
    ("name", "/x", "name: '/x' cannot be a release's name"),
    ("name", "..", "name: '..' cannot be a release's name"),
    ("name", "a/b", "name: 'a/b' cannot be"),
    ("name", "a\\b", "name: 'a\\\\b' cannot be"),
    ("name", "C:x", "name: 'C:x' cannot be"),
    ("name", "", "name: '' cannot be"),
    ("name", "x" * 91, "cannot be a release's name"),
    ("name", "x" * 1_000_000, "name: has 1,000,000 characters, and 1,000 at most are allowed"),
    ("name", "<script>", "name: '<script>' cannot be"),
    ("name", "a\x1b[31mb", "name: 'a\\x1b[31mb' has characters that cannot be printed"),
    ("name", "a\nb", "name: 'a\\nb' has characters that cannot be printed"),
    ("version", "../1.0.0", "version: '../1.0.0' is not a version: use three numbers, such as 1.0.0"),
    ("version", "/tmp", "version: '/tmp' is not a version"),
    ("version", "1.0", "version: '1.0' is not a version"),
    ("version", "1.0.٣", "is not a version"),
    ("version", "1" * 900 + ".0.0", "is not a version"),
    ("version", "latest", "version: 'latest' is not a version"),
    ("builder", "../x", "builder: '../x' is not the name of a builder"),
    ("builder", "a b", "builder: 'a b' is not the name of a builder"),
    ("builder", "", "builder: '' is not the name of a builder"),
    ("builder_version", "1\x07", "builder_version: '1\\x07' has characters that cannot be printed"),
    ("canary", "c\u202ed", "canary: 'c\\u202ed' has characters that cannot be printed"),
    ("seed", 2**300, "seed: 2037"),
    ("content_hash", "abc", "content_hash: 'abc' is not a SHA-256 hash of 64 hexadecimal digits"),
    ("content_hash", "G" * 64, "is not a SHA-256 hash"),
    ("content_hash", HASH + "\n", "is not a SHA-256 hash"),
    ("rows", {"questions": -1}, "rows.questions: -1 is out of range"),
    ("rows", {"questions": 10**30}, "rows.questions: 1000000000000000000000000000000 is out of range"),
    ("rows", {"../x": 1}, "rows: '../x' is not a name of lower-case letters, digits and '_'"),
    ("splits", {"../x": {"test": 1}}, "splits: '../x' is not a name"),
    ("splits", {"/etc": {"test": 1}}, "splits: '/etc' is not a name"),
    ("splits", {"questions": {"../../x": 1}}, "splits.questions: '../../x' is not a name"),
    ("splits", {"questions": {"*": 1}}, "splits.questions: '*' is not a name"),
    ("splits", {"questions": {"test\x1b": 1}}, "splits.questions: 'test\\x1b' is not a name"),
    ("splits", {"questions": {"test": -1}}, "splits.questions.test: -1 is out of range"),
    ("files", {"../x": FILE}, "files: '../x' is not the path of a file in the release's folder"),
    ("files", {"/etc/passwd": FILE}, "files: '/etc/passwd' is not the path"),
    ("files", {"a/../../x": FILE}, "files: 'a/../../x' is not the path"),
    ("files", {"a//b": FILE}, "files: 'a//b' is not the path"),
    ("files", {"a/": FILE}, "files: 'a/' is not the path"),
    ("files", {"./a": FILE}, "files: './a' is not the path"),
    ("files", {"": FILE}, "files: '' is not the path"),
    ("files", {"a\\..\\b": FILE}, "files: 'a\\\\..\\\\b' is not the path"),
    ("files", {"C:/x": FILE}, "files: 'C:/x' is not the path"),
    ("files", {"c:x": FILE}, "files: 'c:x' is not the path"),
    ("files", {".git/config": FILE}, "files: '.git/config' is not the path"),
    ("files", {"a\x00b": FILE}, "files: 'a\\x00b' has characters that cannot be printed"),
    ("files", {"a\x1b]0;x\x07": FILE}, "has characters that cannot be printed"),
    ("files", {"a" * 2_000: FILE}, "files: has 2,000 characters"),
    ("files", {"manifest.json": FILE}, "files: 'manifest.json' is not the path"),
    ("files", {"a": {"sha256": HASH}}, "files.a: lacks bytes"),
    ("files", {"a": {"bytes": 1}}, "files.a: lacks sha256"),
    ("files", {"a": {**FILE, "url": "x"}}, "files.a: has an unknown key 'url'"),
    ("files", {"a": {**FILE, "bytes": -1}}, "files.a.bytes: -1 is out of range"),
    ("files", {"a": {**FILE, "bytes": 2**60}}, "files.a.bytes: 1152921504606846976 is out of range"),
    ("files", {"a": {**FILE, "bytes": "1"}}, "files.a.bytes: must be a whole number, and is '1'"),
    ("files", {"a": {**FILE, "bytes": True}}, "files.a.bytes: must be a whole number, and is True"),
    ("files", {"a": {**FILE, "sha256": 7}}, "files.a.sha256: 7 is not a SHA-256 hash"),
    ("sources", [{}], "sources.0.uri: must be a text, and is None"),
    ("sources", [{"uri": 7}], "sources.0.uri: must be a text, and is 7"),
    ("sources", [{"uri": "x", "licence": []}], "sources.0.licence: must be a text, a number or null, and is []"),
    ("sources", [{"uri": "x", "licence": 7}], "sources.0.licence: must be a text or null, and is 7"),
    ("sources", [{"uri": "x"}, {"uri": "x", "rows_shipped": 7}], "sources.1.rows_shipped: must be a text or null"),
    ("models", [{"role": "writer"}], "models.0.name: must be a text, and is None"),
    ("models", [{"role": "writer", "name": {}}], "models.0.name: must be a text, and is {}"),
    ("models", [{"role": "writer", "name": "m", "prompt": {}}], "models.0.prompt: must be a text, a number or null"),
    ("texts", {"wordings": {"nobody": 1}}, "texts.wordings: 'nobody' is none of rule, model, given, fallback"),
    ("texts", {"wordings": {"rule": -1}}, "texts.wordings.rule: -1 is out of range"),
    ("texts", {"w\x1b": {"rule": 1}}, "texts: 'w\\x1b' has characters that cannot be printed"),
    ("holdout", {}, "holdout: lacks share"),
    ("holdout", {**PUBLIC, "private": "../x"}, "holdout.private: '../x' cannot be a release's name"),
    ("holdout", {**PUBLIC, "private": 7}, "holdout.private: must be a text, and is 7"),
    ("holdout", {**PUBLIC, "share": 2.0}, "holdout.share: 2.0 is not a share above 0 and up to 1"),
    ("holdout", {**PUBLIC, "share": "x"}, "holdout.share: 'x' is not a share"),
    ("holdout", {**PUBLIC, "questions": -4}, "holdout.questions: -4 is out of range"),
    ("holdout", {**PUBLIC, "groups": None}, "holdout.groups: must be a whole number, and is None"),
    ("holdout", {**PUBLIC, "other": 1}, "holdout: has an unknown key 'other'"),
    ("holdout", {**PRIVATE, "public": "/x"}, "holdout.public: '/x' cannot be a release's name"),
    ("holdout", {**PRIVATE, "secret": 7}, "holdout.secret: 7 is not a secret of 64 hexadecimal digits"),
    ("holdout", {**PRIVATE, "secret": "5"}, "holdout.secret: '5' is not a secret"),
    ("holdout", {**PRIVATE, "public_content_hash": None}, "holdout.public_content_hash: None is not a SHA-256 hash"),
    ("parent", {}, "parent: lacks name"),
    ("parent", {**PARENT, "name": "../x"}, "parent.name: '../x' cannot be a release's name"),
    ("parent", {**PARENT, "version": "x"}, "parent.version: 'x' is not a version"),
    ("parent", {**PARENT, "content_hash": "x"}, "parent.content_hash: 'x' is not a SHA-256 hash"),
    ("parent", {**PARENT, "uri": "x"}, "parent: has an unknown key 'uri'"),
    ("more", 1, "unknown key 'more'"),
]
"""Field, a value of the right type that it must not have, and the line's middle."""

WHOLE_FILES: list[tuple[str, bytes, str]] = [
    ("empty", b"", "cannot be read: Expecting value"),
    ("not UTF-8", b'{"format": 1, "name": "\xff"}', "cannot be read: 'utf-8' codec can't decode"),
    ("a list", b"[]", "has no format number"),
    ("deep lists", b'{"format": 1, "checks": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "cannot be read: "),
    ("31 deep", b'{"format": 1, "checks": ' + b"[" * 31 + b"]" * 31 + b"}", "it is nested more than 30 deep"),
    ("large", b'{"format": 1, "name": "' + b"x" * MAX_BYTES + b'"}', "it has more than 4,000,000 bytes"),
    ("twice", b'{"format": 1, "name": "a", "name": "b"}', "it has 'name' twice"),
    ("not a number", b'{"format": 1, "parameters": {"x": NaN}}', "NaN is not JSON"),
    ("a long number", b'{"format": ' + b"9" * 5_000 + b"}", "cannot be read: "),
    ("cut", b'{"format": 1, "name":', "cannot be read: Expecting value"),
]


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return lighthouses.make_release(tmp_path_factory.mktemp("whole"))


def spoilt(whole: Release, folder: Path, field: str, value: Any) -> Path:
    """A folder with nothing but the release's manifest with another value."""
    data = {**json.loads(whole.manifest.to_json()), "files": dict(whole.manifest.files), field: value}
    (folder / "manifest.json").write_text(json.dumps(data))
    return folder


def refused(folder: Path) -> str:
    with pytest.raises(BenchwrightError) as caught:
        read_manifest(folder)
    said = str(caught.value)
    assert "\n" not in said
    assert len(said) < 900
    assert said.isprintable()
    return said


@pytest.mark.parametrize(
    ("field", "value"), [(field, each) for field, values in OTHER_TYPES.items() for each in values]
)
def test_other_types(whole: Release, tmp_path: Path, field: str, value: Any) -> None:
    said = refused(spoilt(whole, tmp_path, field, value))
    assert said.startswith(f"{tmp_path}/manifest.json ")
    assert field in said.removeprefix(str(tmp_path))


@pytest.mark.parametrize(("field", "value", "line"), OTHER_VALUES)
def test_other_values(whole: Release, tmp_path: Path, field: str, value: Any, line: str) -> None:
    said = refused(spoilt(whole, tmp_path, field, value))
    assert said.startswith(f"{tmp_path}/manifest.json is not as it must be: ")
    assert line in said
    assert said.endswith("; build or download the release again")


@pytest.mark.parametrize(("name", "content", "line"), WHOLE_FILES)
def test_whole_files(tmp_path: Path, name: str, content: bytes, line: str) -> None:
    (tmp_path / "manifest.json").write_bytes(content)
    assert line in refused(tmp_path), name


@pytest.mark.parametrize("field", ["texts", "parent", "models", "holdout", "files"])
def test_older_manifests_lack_fields(whole: Release, tmp_path: Path, field: str) -> None:
    data = json.loads(whole.manifest.to_json())
    del data[field]
    (tmp_path / "manifest.json").write_text(json.dumps(data))
    assert read_manifest(tmp_path).name == "lights"


@pytest.mark.parametrize(
    ("field", "value"), [("holdout", PUBLIC), ("holdout", PRIVATE), ("parent", PARENT), ("seed", None)]
)
def test_right_values(whole: Release, tmp_path: Path, field: str, value: Any) -> None:
    assert getattr(read_manifest(spoilt(whole, tmp_path, field, value)), field) == value


def test_a_config_that_its_builder_does_not_make(whole: Release, tmp_path: Path) -> None:
    splits = {"questions": {"test": 1}, "maps": {"test": 1}}
    data = {**json.loads(whole.manifest.to_json()), "splits": splits}
    (tmp_path / "manifest.json").write_text(json.dumps(data))
    assert read_manifest(tmp_path).splits == splits  # of a builder that is not installed
    (tmp_path / "manifest.json").write_text(json.dumps({**data, "builder": "aurp"}))
    assert "splits: 'maps' is no config that aurp makes: install a newer version" in refused(tmp_path)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.path.relpath(path))


def _link(path: Path) -> None:
    path.symlink_to("manifest.json")


def _link_out(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _link_to_itself(path: Path) -> None:
    path.symlink_to(path)


def _folder_link(path: Path) -> None:
    path.symlink_to("/", target_is_directory=True)


ENTRIES: list[tuple[Callable[[Path], None], str]] = [
    (_link, "a link"),
    (_link_out, "a link"),
    (_link_to_itself, "a link"),
    (_folder_link, "a link"),
    (lambda path: os.mkfifo(path), "a pipe"),
    (_socket, "a socket"),
]


@pytest.mark.parametrize(("make", "kind"), ENTRIES)
@pytest.mark.parametrize(
    "place",
    ["README.md", "notes.txt", "questions/test-00001-of-00002.parquet", "database/x.sqlite", "templates/.x.json"],
)
def test_no_file(make: Callable[[Path], None], kind: str, place: str, tmp_path: Path, monkeypatch: Any) -> None:
    folder = lighthouses.make_release(tmp_path).folder
    path = folder / place
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    monkeypatch.chdir(tmp_path)
    make(path)
    with pytest.raises(BenchwrightError) as caught:
        Release.load(folder)
    assert str(caught.value) == (
        f"{path} is {kind}: a release holds files and folders alone; get it again from its source"
    )


@pytest.mark.parametrize(("make", "kind"), ENTRIES)
def test_a_manifest_that_is_no_file(make: Callable[[Path], None], kind: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "manifest.json")
    assert refused(tmp_path).startswith(f"{tmp_path}/manifest.json is {kind}: a release holds files and folders alone")


COMMANDS: list[tuple[str, ...]] = [
    ("verify-benchmark", "evil"),
    ("score-system", "evil", "keyword", "--limit", "2"),
    ("publish-benchmark", "evil", "--dry-run"),
    ("publish-benchmark", "evil", "--diff", "good/lights/1.0.0"),
]
ONE_OF_EACH = [
    ("name", "../../elsewhere"),
    ("name", "/elsewhere"),
    ("name", "a\x1b[2J"),
    ("name", 7),
    ("version", "../../../elsewhere"),
    ("splits", {"../x": {"test": 1}}),
    ("files", {"../good/lights/1.0.0/README.md": FILE}),
    ("holdout", {**PUBLIC, "private": "../x"}),
]


@pytest.mark.parametrize(("field", "value"), ONE_OF_EACH)
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_refuse_and_write_nothing(
    run: Run, tmp_path: Path, command: tuple[str, ...], field: str, value: Any
) -> None:
    folder = tmp_path / "around" / "here"  # what is written beside it is seen too
    lighthouses.make_release(folder / "good")
    evil = lighthouses.make_release(folder / "made").folder.rename(folder / "evil")
    data = {**json.loads((evil / "manifest.json").read_text()), field: value}
    (evil / "manifest.json").write_text(json.dumps(data))
    before = sorted(tmp_path.rglob("*"))
    said = run(*command, folder=folder)
    assert (said.returncode, said.stdout) == (1, "")
    assert said.stderr.startswith(f"error: evil/manifest.json is not as it must be: {field}")
    assert said.stderr.count("\n") == 1
    assert said.stderr.removesuffix("\n").isprintable()
    assert sorted(tmp_path.rglob("*")) == before


def test_a_problem_with_control_characters_is_shown(run: Run, tmp_path: Path) -> None:
    folder = lighthouses.make_release(tmp_path).folder
    (folder / "a\x1b]0;mine\x07.txt").write_text("x")
    said = run("verify-benchmark", folder)
    assert "wrong: file: a\ufffd]0;mine\ufffd.txt is not in manifest.json" in said.stdout
    assert "\x1b" not in said.stdout


TEMPLATES = [
    ("[]", "cannot be read: it is no JSON object"),
    ("7", "cannot be read: it is no JSON object"),
    ("null", "cannot be read: it is no JSON object"),
    ("{", "cannot be read: "),
    ("[" * 100_000, "cannot be read: "),
    ('{"sql_templates": []}', "grammar.json is not as it must be: sql_templates must have lists of texts"),
    ('{"sql_templates": {"a": {}}}', "grammar.json is not as it must be: sql_templates must have lists of texts"),
    ('{"sql_templates": {"a": [7]}}', "grammar.json is not as it must be: sql_templates must have lists of texts"),
    ('{"text_templates_short": 7}', "grammar.json is not as it must be: text_templates_short must have lists of texts"),
    ('{"text_templates_short": {"a": "b"}}', "grammar.json is not as it must be: text_templates_short must have"),
]


@pytest.mark.parametrize(("content", "line"), TEMPLATES)
def test_templates_of_other_types(content: str, line: str, built: Built, tmp_path: Path) -> None:
    release = copy_release(company_release(built), tmp_path)
    (release.folder / "templates" / "grammar.json").write_text(content)
    problems = verify_release(release).problems
    assert len(problems) == 2
    assert problems[0].startswith("file: templates/grammar.json has changed")
    assert problems[1].startswith("unreadable: ")
    assert line in problems[1]
