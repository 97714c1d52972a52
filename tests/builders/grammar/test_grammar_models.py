"""GRAMMAR's text templates by a language model: what is kept, what is not and why, over real HTTP."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from clubs import (
    BIRTH,
    BUILT_IN,
    TOWN,
    asked,
    build,
    good,
    placeholders,
    questions,
    rejected,
    templates,
    write_well,
)
from support import Run

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.money.costs import Estimated
from benchwright.benchmarks.models.prompts import load_prompt
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.builders.sql.wording.by_rule import FORMS
from benchwright.scripts.servers.openai.server import OpenAIServer


def test_what_is_kept_and_what_is_not(tmp_path: Path, club: Path, asking: Any) -> None:
    rounds: Counter[str] = Counter()

    def reply(body: Mapping[str, Any]) -> Any:
        sql, form = asked(body)
        rounds[sql] += 1
        if sql != TOWN:
            return {"wordings": good(sql, form, 4)}
        if rounds[sql] == 1:
            return {
                "wordings": ["town of [club.name]", "town of the club", "town for [club.name]", "where [club.name] is"]
            }
        if rounds[sql] == 2:
            return {
                "wordings": [
                    "[club.name] town",
                    "the club where people like [club.name] would come together to play ball",
                    "",
                ]
            }
        return {"wordings": ["home town? [club.name]", "[club.name], which town?", "[club.name] is in what town"]}

    client, server = asking(reply)
    release = build(tmp_path, club, client, wordings=4)
    texts = templates(release)["text_templates_short"]
    assert texts[TOWN] == ["town of [club.name]", "where [club.name] is", "[club.name] town", "home town? [club.name]"]
    assert texts[BIRTH] == good(BIRTH, "short", 4)
    mark = {"kind": "text", "about": TOWN, "form": "short"}
    assert rejected(release) == [
        {**mark, "round": 1, "text": "town of the club", "reason": "lacks a placeholder", "detail": "[club.name]"},
        {**mark, "round": 1, "text": "town for [club.name]", "reason": "is like another", "detail": "town of [club.name]"},
        {**mark, "round": 2, "text": "the club where people like [club.name] would come together to play ball",
         "reason": "is too long", "detail": "12 words, at most 9"},
        {**mark, "round": 2, "text": "", "reason": "is empty", "detail": ""},
        {**mark, "round": 3, "text": "[club.name], which town?", "reason": "is more than was asked for", "detail": ""},
        {**mark, "round": 3, "text": "[club.name] is in what town", "reason": "is more than was asked for", "detail": ""},
    ]  # fmt: skip
    checks = release.manifest.checks
    assert checks["proposed_texts_rejected"] == {
        "is more than was asked for": 2, "is empty": 1, "is like another": 1, "is too long": 1, "lacks a placeholder": 1}  # fmt: skip
    assert (checks["text_templates_by_model"], checks["text_templates_by_rule"]) == (4 * BUILT_IN, 0)
    assert (checks["sql_templates_by_model"], checks["templates_and_forms_with_fewer_texts_than_wanted"]) == (0, 0)
    assert server.calls == BUILT_IN + 2
    found = verify_release(release, f"sqlite:///{club}")
    assert (found.problems, found.proved["files"]) == ([], len(release.manifest.files))
    assert "templates/made.rejected.jsonl" in release.manifest.files


def test_what_the_model_is_told_when_it_is_asked_again(tmp_path: Path, club: Path, asking: Any) -> None:
    def reply(body: Mapping[str, Any]) -> Any:
        sql, _ = asked(body)
        return {"wordings": [f"{next(begins)} {placeholders(sql)}", "nothing"]}

    begins = iter(["town of", "which town has", "where is"])
    client, server = asking(reply)
    build(tmp_path, club, client, wordings=3, sql_templates=1)
    first, second, third = (request.body["messages"][-1]["content"] for request in server.requests)
    assert first.endswith("at most 9 words. They\nstill say all that is asked.\n\nWrite 3 wordings.")
    assert "could not be used" not in first
    assert second.endswith(
        "These are there already. Do not repeat them, and write others that are built differently:\n- town of [club.name]\n\n"
        "These could not be used. Do better:\n- nothing\n  Reason: lacks a placeholder ([club.name]): copy it with its "
        "brackets\n\nWrite 2 wordings."
    )
    assert third.count("Reason: lacks a placeholder ([club.name])") == 1
    assert third.endswith("Write 1 wording.")


def test_fewer_than_wanted(tmp_path: Path, club: Path, asking: Any, caplog: pytest.LogCaptureFixture) -> None:
    def reply(body: Mapping[str, Any]) -> Any:
        sql, form = asked(body)
        return {"wordings": [] if sql == BIRTH else good(sql, form, 2 if sql == TOWN else 5)}

    client, server = asking(reply)
    release = build(tmp_path / "a", club, client, wordings=5)
    checks = release.manifest.checks
    assert server.calls == BUILT_IN + 2 * 2
    assert checks["sql_templates"] == BUILT_IN - 1
    assert checks["sql_templates_left_out"] == {
        "the model gave no usable wording": 1, "no filling has one answer": 0, "no group was drawn": 0}  # fmt: skip
    assert BIRTH not in templates(release)["text_templates_short"]
    assert checks["templates_and_forms_with_fewer_texts_than_wanted"] == 1
    assert checks["texts_unused_for_balance"] == 3 * (BUILT_IN - 2)
    assert checks["text_templates_by_model"] == 2 * (BUILT_IN - 1)
    assert set(Counter(row["group"] for row in questions(release)).values()) == {2}
    assert "12 wordings are not used: balanced=auto (true, unless a file words the templates) cuts" in caplog.text
    uneven = build(tmp_path / "b", club, client, wordings=5, balanced="false")
    assert uneven.manifest.checks["text_templates_by_model"] == 2 + 5 * (BUILT_IN - 2)
    assert uneven.manifest.checks["texts_unused_for_balance"] == 0


def test_replies_that_are_none(tmp_path: Path, club: Path, asking: Any) -> None:
    def reply(body: Mapping[str, Any]) -> Any:
        sql, form = asked({"messages": [body["messages"][3]]})
        if sql == TOWN:
            return {"refusal": "I would rather not."}
        return "no JSON at all" if sql == BIRTH else {"wordings": good(sql, form, 2)}

    client, server = asking(reply)
    release = build(tmp_path, club, client, wordings=2)
    found = [(item["about"], item["round"], item["reason"], item["text"]) for item in rejected(release)]
    assert found == [
        *((TOWN, number, "no usable reply: refusal", "I would rather not.") for number in (1, 2, 3)),
        *((BIRTH, number, "no usable reply: invalid reply", "no JSON at all") for number in (1, 2, 3)),
    ]
    assert release.manifest.checks["sql_templates_left_out"]["the model gave no usable wording"] == 2
    assert server.calls == BUILT_IN - 2 + 3 * 1 + 3 * 3
    assert "Reason: no usable reply" not in json.dumps([request.body for request in server.requests])


def test_nothing_usable_is_an_error_that_says_why(tmp_path: Path, club: Path, asking: Any) -> None:
    client, server = asking(lambda body: {"wordings": ["who?", "what is it?"]})
    with pytest.raises(BenchwrightError) as caught:
        build(tmp_path, club, client)
    assert str(caught.value) == (
        "the model gave no usable wording for any of 6 SQL templates (lacks a placeholder: 36): name another writer or "
        "checker, or change the prompts with --prompts; --verbose shows what was refused"
    )
    assert server.calls == 3 * BUILT_IN
    assert not (tmp_path / "releases" / "made" / "1.0.0").exists()


def test_the_command_says_in_the_end_what_was_refused_and_what_was_paid(club: Path, asking: Any, run: Run) -> None:
    def reply(body: Mapping[str, Any]) -> Any:
        return {"wordings": [*(good(*asked(body), 2) if is_good else []), "who?"]}

    _, server = asking(reply)
    settings = ["database=sqlite:///" + str(club), "wordings=2", "sql_templates=1", "forms=short"]
    given = [part for setting in settings for part in ("--set", setting)]
    models = ["--model", "writer=scribe", "--base-url", server.url, "--cache", str(club.parent / "replies.sqlite")]
    is_good = True
    built = run("build-benchmark", "grammar", *given, *models, env={"OPENAI_API_KEY": "any"})
    assert built.returncode == 0, built.stderr
    assert "refused wordings: lacks a placeholder 1\n" in built.stderr
    is_good = False
    failed = run(
        "build-benchmark", "grammar", "--name", "none", *given, *models, "--no-cache", env={"OPENAI_API_KEY": "any"}
    )
    account, error = failed.stderr.strip().splitlines()[-2:]
    assert account.startswith("text templates: 3 calls of scribe")
    assert error.startswith(
        "error: the model gave no usable wording for any of 1 SQL templates (lacks a placeholder: 3)"
    )


def test_every_form_is_asked_for(tmp_path: Path, club: Path, asking: Any) -> None:
    client, server = asking(write_well)
    release = build(tmp_path, club, client, forms=",".join(FORMS), wordings=3)
    assert release.manifest.checks["text_templates"] == dict.fromkeys(FORMS, 3 * BUILT_IN)
    assert Counter(asked(request.body)[1] for request in server.requests) == dict.fromkeys(FORMS, BUILT_IN)
    assert {item["reason"] for item in rejected(release)} == {"is more than was asked for"}


def test_auto_model_and_rule(tmp_path: Path, club: Path, asking: Any) -> None:
    client, server = asking(write_well)
    plain = build(tmp_path / "plain", club, None)
    ruled = build(tmp_path / "ruled", club, client, texts="rule")
    assert server.calls == 0
    assert ruled.manifest.content_hash == plain.manifest.content_hash
    assert (ruled.manifest.models, ruled.manifest.checks["text_templates_by_model"]) == ([], 0)
    assert build(tmp_path / "model", club, client, texts="model").manifest.checks["text_templates_by_model"] == 60
    with pytest.raises(UsageError, match=r"^texts=model needs a model: add --model writer=NAME$"):
        build(tmp_path / "none", club, None, texts="model")
    with pytest.raises(UsageError, match=r"^sql=model needs a model: add --model writer=NAME$"):
        build(tmp_path / "none", club, None, sql="model")
    with pytest.raises(UsageError, match=r"^sql=model and templates=… exclude each other"):
        build(tmp_path / "none", club, client, sql="model", templates=plain.folder / "templates")


def test_the_manifest_and_the_card_say_who_wrote(tmp_path: Path, club: Path, asking: Any) -> None:
    client, server = asking(write_well)
    release = build(tmp_path, club, client, sql="model")
    shas = {name: load_prompt(name).sha256 for name in ("write_sql_templates", "write_text_templates")}
    assert release.manifest.models == [
        {"role": "writer", "name": "stand-in", "base_url": server.url, "prompt": name, "prompt_sha256": shas[name]}
        for name in ("write_sql_templates", "write_text_templates")
    ]
    card = (release.folder / "README.md").read_text(encoding="utf-8")
    assert "**Wordings by a language model.** stand-in wrote 40 of the text templates." in card
    assert "**SQL templates by a language model.** stand-in proposed the 4 SQL templates from the schema alone" in card
    assert f"- model: writer stand-in, prompt `write_text_templates`, SHA-256 `{shas['write_text_templates']}`" in card
    assert "Built-in wordings." not in card


def test_templates_are_edited_and_used_again(tmp_path: Path, club: Path, asking: Any) -> None:
    def reply(body: Mapping[str, Any]) -> Any:
        sql, form = asked(body)
        return {"wordings": [*good(sql, form, 3), "no placeholder"]}

    client, server = asking(reply)
    first = build(tmp_path / "a", club, client, wordings=3)
    assert rejected(first)
    calls = server.calls
    again = build(tmp_path / "b", club, client, wordings=3, templates=first.folder / "templates")
    assert again.manifest.content_hash == first.manifest.content_hash
    assert (server.calls, rejected(again), again.manifest.models) == (calls, [], [])
    content = templates(first)
    content["text_templates_short"][TOWN][0] = "what town has [club.name]"
    edited = tmp_path / "edited.json"
    edited.write_text(json.dumps(content))
    changed = build(tmp_path / "c", club, client, wordings=3, templates=edited, forms="short,casual")
    assert templates(changed)["text_templates_short"] == content["text_templates_short"]
    assert templates(changed)["text_templates_casual"][TOWN] == good(TOWN, "casual", 3)
    assert changed.manifest.checks["text_templates_by_model"] == 3 * BUILT_IN
    assert [asked(request.body)[1] for request in server.requests[calls:]] == ["casual"] * BUILT_IN


def test_a_file_that_rules_cannot_word(tmp_path: Path, club: Path, asking: Any) -> None:
    sql = "SELECT COUNT(*) FROM player JOIN club ON player.club_id = club.club_id WHERE club.name = '[club.name]'"
    file = tmp_path / "t.json"
    file.write_text(json.dumps({"sql_templates": {"x": [sql]}}))
    with pytest.raises(BenchwrightError, match="or name a model with --model writer=NAME"):
        build(tmp_path, club, None, templates=file)
    client, _ = asking(write_well)
    release = build(tmp_path, club, client, templates=file, wordings=2)
    assert templates(release)["text_templates_short"] == {sql: ["alpha [club.name]", "beta [club.name]"]}
    assert {row["entity"]: row["answers"] for row in questions(release)} == {
        "VALUEQ Rovers": ["1"],
        "VALUEQ United": ["1"],
    }


def test_a_checker_reads_each_wording_and_what_it_takes_for_something_else_is_refused(
    tmp_path: Path, club: Path
) -> None:
    shown: list[str] = []

    def reply(body: Mapping[str, Any]) -> Any:
        text = body["messages"][-1]["content"]
        if not text.startswith("What the names mean"):
            sql, form = asked(body)
            return {"wordings": good(sql, form, 2)}
        shown.append(text)
        choices = dict(re.findall(r"^(\d)\. (.*)$", text, re.MULTILINE))
        right = next(number for number, sql in choices.items() if sql.startswith("SELECT club.town "))
        wrong = next(number for number, sql in choices.items() if "founded" in sql)
        return {"choice": right if f"Question: {good(TOWN, 'short', 2)[0]}\n" in text else wrong}

    with OpenAIServer(reply) as server:
        models = {role: Endpoint(f"stand-in-{role}", server.url) for role in ("writer", "checker")}
        client = Client(ModelSettings(models, cache=tmp_path / "cache"))
        release = build(tmp_path, club, client, wordings=2, sql_templates=1)
        client.close()
    first, second = good(TOWN, "short", 2)
    assert templates(release)["text_templates_short"] == {TOWN: [first]}
    assert {(item["text"], item["reason"], item["detail"]) for item in rejected(release) if item["round"] == 1} == {
        (second, "is read as something else", "SELECT club.founded FROM club WHERE club.name = '[club.name]'")}  # fmt: skip
    assert all("Form:" not in text and first not in text.replace(f"Question: {first}", "") for text in shown)
    checks = release.manifest.checks
    assert checks["texts_read_by_checker"] == len(shown)
    assert [model["role"] for model in release.manifest.models] == ["writer", "checker"]
    assert "had to pick the SQL template that is asked for" in (release.folder / "README.md").read_text(
        encoding="utf-8"
    )


def test_an_estimate_counts_what_a_checker_would_read(tmp_path: Path, club: Path) -> None:
    """Each wording once, as many as are wanted; of those that are asked for to know more, what they are."""

    def reply(body: Mapping[str, Any]) -> Any:
        text = body["messages"][-1]["content"]
        if not text.startswith("What the names mean"):
            return {"wordings": good(*asked(body), 2)}
        choices = dict(re.findall(r"^(\d)\. (.*)$", text, re.MULTILINE))
        return {"choice": next(number for number, sql in choices.items() if sql.startswith("SELECT club.town "))}

    calls: list[dict[str, int]] = []
    with OpenAIServer(reply) as server:
        models = {role: Endpoint(f"stand-in-{role}", server.url) for role in ("writer", "checker")}
        for wanted in (0, 1, None):
            settings = ModelSettings(
                models, cache=tmp_path / "cache", estimate=wanted is not None, estimate_with=wanted or 0
            )
            with Client(settings) as client:
                try:
                    build(tmp_path, club, client, wordings=2, sql_templates=1)
                except Estimated:
                    rest = {role: costs.calls for (_, role), costs in client.expected_ledger.by_step.items()}
                else:
                    rest = {}
                paid = {role: costs.calls for (_, role), costs in client.ledger.by_step.items()}
                calls.append({role: rest.get(role, 0) + paid.get(role, 0) for role in ("writer", "checker")})
    forms = calls[0]["writer"]
    assert calls[0] == {"writer": forms, "checker": 2 * forms}
    assert calls[1] == calls[0], "one was asked and is not counted twice"
    assert calls[2] == {"writer": forms - 1, "checker": 2 * forms - 1}, "what was asked is kept"
