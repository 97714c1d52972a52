"""Forms of files in releases: by rule and by a model, as pairs, proved and built again."""

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from clubs import BUILT_IN, asked, build, good, questions, rejected, templates

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.proofs.base import Verification
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.builders.rebuild import Given, rebuild
from benchwright.builders.sql.proofs.contrast import ContrastCheck
from benchwright.builders.sql.wording.skeleton import PLACEHOLDER
from benchwright.cards.dataset.card import render_card

OWN = 'name = "own"\ninstruction = "Ask as a pirate, in {least} to {most} words. Copy {placeholders}."\n'
PIRATE = '\n[[rule]]\nprefix = ["Arr, ", "Ahoy: "]\n'


def problems(release: Release, database: Path) -> list[Any]:
    return verify_release(release, f"sqlite:///{database}").problems


def by_mark(release: Release) -> dict[tuple[str, str], dict[str, str]]:
    """Group and mark → form → question."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for row in questions(release):
        mark = json.loads(row["metadata"])["contrast"]
        assert row["form"] not in found.setdefault((row["group"], mark), {})
        found[row["group"], mark][row["form"]] = row["question"]
    return found


def test_forms_of_one_base_are_pairs(tmp_path: Path, club: Path) -> None:
    release = build(tmp_path, club, None, forms="short,typos,keyword", wordings=5)
    pairs = by_mark(release)
    assert len(pairs) == release.manifest.checks["sql_queries"] * 5
    assert {tuple(sorted(pair)) for pair in pairs.values()} == {("keyword", "short", "typos")}
    assert release.manifest.checks["text_templates"] == dict.fromkeys(("short", "typos", "keyword"), 5 * BUILT_IN)
    assert all(len(set(pair.values())) == 3 for pair in pairs.values())
    held = {row["entity"] for row in questions(release)}
    assert all(any(value in text for value in held) for pair in pairs.values() for text in pair.values())
    assert problems(release, club) == []
    for texts in (templates(release)[f"text_templates_{form}"] for form in ("short", "typos", "keyword")):
        assert all(len(set(own)) == 5 for own in texts.values())
        for sql, own in texts.items():
            assert all(sorted(PLACEHOLDER.findall(text)) == sorted(PLACEHOLDER.findall(sql)) for text in own)
    card = (release.folder / "README.md").read_text(encoding="utf-8")
    assert "| typos | As people type into a search box:" in card
    assert "| short (typos) |" in card
    assert "| Wordings of which a form's rule made no new one: keyword: its rule made a text that was there |" in card


def test_a_changed_mark_is_found() -> None:
    check = ContrastCheck()
    row = {"id": "g1-a", "form": "short", "metadata": '{"contrast":"a"}'}
    other = {"id": "g1-b", "form": "typos", "metadata": '{"contrast":"a"}'}
    assert check.problem("t", row) is None
    assert check.problem("t", other) is None
    assert list(check.unbalanced()) == []
    assert check.problem("t", {**row, "id": "g2-a", "metadata": None}) == (
        "it is not paired as its wording is in other groups"
    )
    assert check.problem("t", {"id": "g1-c", "form": "short", "metadata": '{"contrast":"c"}'}) is None
    assert list(check.unbalanced()) == ["the template t: its paired wordings are not one in each of the same forms"]


def test_a_users_form_is_built_again(tmp_path: Path, club: Path) -> None:
    file = tmp_path / "pirate.toml"
    file.write_text(OWN + PIRATE)
    release = build(tmp_path, club, None, forms=f"interrogative,{file},passive", wordings=4)
    assert release.manifest.parameters["forms"] == "interrogative,pirate.toml,passive"
    told = release.manifest.checks["hypotheses"]
    assert set(told) == {"own", "passive"}
    assert (told["own"]["from"], told["own"]["rule"]) == ("interrogative", "prefix")
    rows = questions(release)
    assert Counter(row["form"] for row in rows if row["metadata"]) == {
        "interrogative": len(rows) // 3, "own": len(rows) // 3}  # fmt: skip
    assert all(row["question"].startswith(("Arr, ", "Ahoy: ")) for row in rows if row["form"] == "own")
    assert problems(release, club) == []
    given = Given({"database": str(club)}, render_card)
    for more, reason in {
        "": "of forms its manifest tells the last part alone: add --set forms=interrogative,pirate.toml,passive",
        f"interrogative,{file},passive": "",
    }.items():
        found = Verification()
        rebuild(release, found, Given({**given.settings, **({"forms": more} if more else {})}, render_card))
        assert found.problems == []
        assert (list(found.unchecked.values()) == []) == (reason == "")
        assert reason in str(found.reasons)
    file.write_text(OWN + PIRATE.replace("Arr", "Yo ho"))
    found = Verification()
    rebuild(release, found, Given({**given.settings, "forms": f"interrogative,{file},passive"}, render_card))
    assert found.problems == []
    assert "the files of forms are not those that the manifest names" in str(found.reasons)


def test_without_a_rule_a_model_is_needed(tmp_path: Path, club: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(OWN)
    with pytest.raises(
        BenchwrightError, match=r"the form own has no rule \(.*own.toml\), and only a model can write it"
    ):
        build(tmp_path, club, None, forms=f"short,{file}")
    assert not (tmp_path / "releases" / "made" / "1.0.0").exists()


def test_a_model_writes_to_the_instruction(tmp_path: Path, club: Path, asking: Any) -> None:
    file = tmp_path / "own.toml"
    file.write_text(OWN)
    said: list[str] = []

    def reply(body: Mapping[str, Any]) -> Any:
        sql, form = asked(body)
        said.append(body["messages"][-1]["content"])
        base = "interrogative" if form == "own" else form
        texts = good(sql, "short" if form == "typos" else base, 3)
        return {"wordings": [*texts, "ahoy [club.nmae]"] if form == "own" else texts}

    client, server = asking(reply)
    release = build(tmp_path, club, client, forms=f"{file},typos,short", wordings=3)
    own = [text for text in said if "\nForm: own\n" in text]
    assert len(own) == BUILT_IN
    assert all("Ask as a pirate, in 1 to 60 words. Copy [" in text for text in own)
    assert not any("\nForm: typos\n" in text for text in said)
    assert server.calls == 2 * BUILT_IN
    assert release.manifest.texts["wordings"] == {"model": 9 * BUILT_IN}
    assert {row["reason"] for row in rejected(release)} == {"lacks a placeholder"}
    marked = [row for row in questions(release) if row["metadata"]]
    assert Counter(row["form"] for row in marked) == dict.fromkeys(("short", "typos"), len(marked) // 2)
    assert problems(release, club) == []


def test_slips_are_put_into_what_a_model_wrote(tmp_path: Path, club: Path, asking: Any) -> None:
    def reply(body: Mapping[str, Any]) -> Any:
        sql, form = asked(body)
        assert form == "typos"
        return {"wordings": good(sql, "short", 3)}

    client, _ = asking(reply)
    release = build(tmp_path, club, client, forms="typos", wordings=3)
    texts = templates(release)["text_templates_typos"]
    assert all(text not in good(sql, "short", 3) for sql, own in texts.items() for text in own)
    assert release.manifest.texts["wordings"] == {"model": 3 * BUILT_IN}
    assert not any(row["metadata"] for row in questions(release))
    assert problems(release, club) == []


def test_unbalanced_sampling_takes_wordings_of_some_groups(tmp_path: Path, club: Path) -> None:
    even = build(tmp_path / "even", club, None, forms="short,long,typos", wordings=6, sampling="stratified")
    assert even.manifest.checks["text_templates"] == dict.fromkeys(("short", "long", "typos"), 6 * BUILT_IN)
    assert "reduced_groups" not in even.manifest.checks
    release = build(
        tmp_path, club, None, forms="short,long,typos", wordings=6, sampling="unbalanced", reduced="Player,club"
    )
    checks = release.manifest.checks
    lost = checks["reduced_groups"]
    assert set(lost) == {"club", "player", "club, player"}
    for told in lost.values():
        assert told["had"] == dict.fromkeys(("short", "long", "typos"), 6 * told["sql_templates"])
        assert sorted(told["lost"].values())[0] == 0
        assert all(
            3 * told["sql_templates"] <= count <= 5 * told["sql_templates"]
            for count in sorted(told["lost"].values())[1:]
        )
    for form in ("short", "long", "typos"):
        assert checks["text_templates"][form] == 6 * BUILT_IN - sum(told["lost"][form] for told in lost.values())
    assert problems(release, club) == []
    kept = {row["id"] for row in questions(release)}
    assert kept < {row["id"] for row in questions(even)}
    pairs = by_mark_of_some(release)
    assert {tuple(sorted(pair)) for pair in pairs.values()} <= {("short", "typos")}
    assert "**Unbalanced sampling.**" in (release.folder / "README.md").read_text(encoding="utf-8")
    other = build(tmp_path / "player", club, None, forms="short", wordings=6, sampling="unbalanced", reduced="club")
    assert set(other.manifest.checks["reduced_groups"]) == {"club", "club, player"}
    drawn = build(tmp_path / "drawn", club, None, forms="short", wordings=6, sampling="unbalanced")
    assert len(drawn.manifest.checks["reduced_groups"]) == 2


def by_mark_of_some(release: Release) -> dict[tuple[str, str], list[str]]:
    """Group and mark → forms, of the questions that have a counterpart."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in questions(release):
        if row["metadata"]:
            found.setdefault((row["group"], json.loads(row["metadata"])["contrast"]), []).append(row["form"])
    return found


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"reduced": "club"}, "reduced=club goes with --set sampling=unbalanced"),
        ({"sampling": "stratified", "balanced": "false"}, "sampling=stratified and balanced=false exclude each other"),
        (
            {"sampling": "unbalanced", "reduced": "coach"},
            "reduced: there is no table 'coach': choose from club, player",
        ),
        (
            {"sampling": "unbalanced", "wordings": "1"},
            "sampling=unbalanced has nothing to reduce: no SQL template has more",
        ),
        ({"sampling": "random"}, "sampling=random is not possible: choose from auto, stratified, unbalanced"),
    ],
)
def test_a_sampling_that_cannot_be_meant(tmp_path: Path, club: Path, settings: dict[str, str], message: str) -> None:
    with pytest.raises(BenchwrightError) as error:
        build(tmp_path, club, None, **settings)
    assert message in str(error.value)


def test_pairs_that_are_held_out(tmp_path: Path, club: Path) -> None:
    given = {"database": str(club), "forms": "short,typos", "wordings": "2", "documents": "none"}
    release = build_release("grammar", given, render_card, output=tmp_path, name="made", holdout=0.5)[0]
    private = Release.load(tmp_path / "made-private" / "1.0.0")
    for half in (release, private):
        assert problems(half, club) == []
    kept = [json.loads(row["metadata"]) for row in questions(private)]
    assert all(set(told) == {"contrast", "salt"} for told in kept)
