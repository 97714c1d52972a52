"""Forms of files in releases: by rule and by a model, as pairs, proved and built again."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from clubs import BUILT_IN, TOWN, asked, build, good, questions, rejected, templates

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.money.costs import Estimated
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.releases.proofs.base import Verification
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.builders.rebuild import Given, rebuild
from benchwright.builders.sql.proofs.contrast import ContrastCheck
from benchwright.builders.sql.wording.skeleton import PLACEHOLDER
from benchwright.cards.dataset.card import render_card
from benchwright.scripts.servers.openai.server import OpenAIServer

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


def test_what_a_rule_does_not_change_is_left_out_and_said(tmp_path: Path, club: Path) -> None:
    """A form that leaves a wording as it was is no contrast: the template is not asked, in either form."""
    file = tmp_path / "register.toml"
    head = 'name = "register"\ninstruction = "As a fan. Copy {placeholders}."\nfrom = "short"\n[[rule]]\n'
    file.write_text(f"{head}replace = {{ player = 'sportsman' }}\n")
    release = build(tmp_path, club, None, forms=f"short,{file}", wordings=3)
    checks = release.manifest.checks
    assert checks["sql_templates_left_out"]["the rule of a form changes none of its wordings"] == 2
    assert checks["texts_without_counterpart"]["register: its rule left a text as it was"] > 2
    assert checks["text_templates"] == dict.fromkeys(("short", "register"), 3 * (BUILT_IN - 2))
    assert all("sportsman" in pair["register"] for pair in by_mark(release).values())
    proved = verify_release(release, f"sqlite:///{club}")
    assert proved.problems == []
    assert "the manifest says of 2 that the rule of a form changes none of its wordings" in str(proved.reasons)
    file.write_text(f"{head}replace = {{ vessel = 'ship' }}\n")
    with pytest.raises(
        BenchwrightError, match=r"of 6 SQL templates the rule of a form changes no wording: let its \[\["
    ):
        build(tmp_path / "none", club, None, forms=f"short,{file}", wordings=3)


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


def test_a_model_puts_each_wording_into_a_form_without_a_rule(tmp_path: Path, club: Path) -> None:
    """Pairs by a model: what is wrong with a counterpart is asked for again, and its proofs are those of any wording."""
    file = tmp_path / "own.toml"
    file.write_text(OWN.rstrip() + '\nfrom = "short"\n')
    bases = good(TOWN, "short", 3)
    told: list[str] = []

    def reply(body: Mapping[str, Any]) -> Any:
        text = body["messages"][-1]["content"]
        if text.startswith("What the names mean"):
            choices = dict(re.findall(r"^(\d)\. (.*)$", text, re.MULTILINE))
            is_misread = "Question: ahoy" in text
            return {"choice": "none" if is_misread else
                    next(number for number, sql in choices.items() if sql.startswith("SELECT club.town "))}  # fmt: skip
        sql, form = asked(body)
        if form == "short":
            return {"wordings": good(sql, "short", 3)}
        told.append(f"{text}\n")
        originals = dict(re.findall(r"^(\d)\. (.*)$", text, re.MULTILINE))
        arr = {number: {"number": int(number), "wording": f"arr, {said}"} for number, said in originals.items()}
        if len(told) > 1:
            return {"rewritten": list(arr.values())}
        first = [
            {"number": 1, "wording": bases[0].upper().replace("[CLUB.NAME]", "[club.name]")},
            {"number": 7, "wording": f"seven {bases[0]}"},
            arr["2"],
            {"number": 2, "wording": f"arr and arr, {bases[1]}"},
            {"number": 3, "wording": f"ahoy {bases[2]}"},
        ]
        return {"rewritten": [*first, {"number": 1, "wording": "arr, town of the club"}]}

    with OpenAIServer(reply) as server:
        models = {role: Endpoint(f"stand-in-{role}", server.url) for role in ("writer", "checker")}
        with Client(ModelSettings(models, cache=tmp_path / "cache")) as client:
            release = build(tmp_path, club, client, forms=f"{file},short,typos", wordings=3, sql_templates=1)
    assert len(told) == 2
    assert [f"{number}. {text}\n" in told[0] for number, text in enumerate(bases, 1)] == [True] * 3
    assert [f"{number}. {text}\n" in told[1] for number, text in enumerate(bases, 1)] == [True, False, True]
    assert "Reason: is read as something else (none of the questions that it was shown)" in told[1]
    assert {(item["reason"], item["detail"]) for item in rejected(release)} == {
        ("is an original, word for word", ""),
        ("is of no original", "there is no original 7"),
        ("is more than was asked for", "original 2 has one"),
        ("lacks a placeholder", "[club.name]"),
        ("is read as something else", "none of the questions that it was shown"),
    }
    texts = templates(release)
    own = texts["text_templates_own"][TOWN]
    assert own == [f"arr, {text}" for text in texts["text_templates_short"][TOWN]] == [f"arr, {text}" for text in bases]
    pairs = by_mark(release)
    assert len(pairs) == 3 * len({row["group"] for row in questions(release)})
    assert {tuple(sorted(pair)) for pair in pairs.values()} == {("own", "short", "typos")}
    assert all(pair["own"] == f"arr, {pair['short']}" for pair in pairs.values())
    assert [model["prompt"] for model in release.manifest.models] == [
        "write_text_templates", "rewrite_wordings", "check_wording"]  # fmt: skip
    assert release.manifest.texts["wordings"] == {"model": 9}
    assert problems(release, club) == []


def test_an_original_without_a_counterpart_is_left_out(tmp_path: Path, club: Path, asking: Any) -> None:
    """Of a form with a rule, too, a model writes the pairs; they are as many as it gave counterparts for."""

    def reply(body: Mapping[str, Any]) -> Any:
        sql, form = asked(body)
        if form == "directive":
            return {"wordings": good(sql, "directive", 3)}
        found = re.findall(r"^(\d)\. (.*)\.$", body["messages"][-1]["content"], re.MULTILINE)
        said = [
            {"number": int(number), "wording": f"Please, {text[0].lower()}{text[1:]}, thanks."}
            for number, text in found
        ]
        return {"rewritten": said[:2] if len(found) == 3 else []}

    client, server = asking(reply)
    release = build(tmp_path, club, client, forms="directive,polite", wordings=3)
    assert server.calls == BUILT_IN * (1 + 3)
    assert release.manifest.checks["text_templates"] == dict.fromkeys(("directive", "polite"), 2 * BUILT_IN)
    assert {tuple(sorted(pair)) for pair in by_mark(release).values()} == {("directive", "polite")}
    assert problems(release, club) == []


def test_an_estimate_counts_the_wordings_that_are_to_be_made_from_others(tmp_path: Path, club: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(OWN.rstrip() + '\nfrom = "short"\n')
    models = {role: Endpoint("stand-in", "http://127.0.0.1:9/v1") for role in ("writer", "checker")}
    with Client(ModelSettings(models, cache=tmp_path / "cache", estimate=True, estimate_with=0)) as client:
        with pytest.raises(Estimated):
            build(tmp_path, club, client, forms=f"short,{file}", wordings=2)
        calls = {role: costs.calls for (_, role), costs in client.expected_ledger.by_step.items()}
    assert calls["checker"] == 4 * BUILT_IN
    assert 2 * BUILT_IN <= calls["writer"] <= 3 * BUILT_IN


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
