"""`FILE.toml`: services as they are, described: requests made from templates, replies read by JMESPath."""

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from services import Asked, Say, Service

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score_system import Scored, score_system
from benchwright.benchmarks.runs.store import stored_predictions
from benchwright.benchmarks.systems.base import Opening
from benchwright.benchmarks.systems.opening import open_system

HEAD = """
url = "URL/v1/ask"
request = {query = "{question}", top_k = 5}
"""
REPLY = """
[reply]
answer = "data.text"
contexts = "data.sources[].{id: doc, text: snippet, score: score}"
"""
SECRET = "s3cret-0123456789abcdef"


class Asking:
    """Scores a service that a file describes, and keeps what it was asked."""

    def __init__(self, folder: Path, server: Service, release: Release) -> None:
        self.folder, self.server, self.release = folder, server, release

    def write(self, text: str) -> str:
        path = self.folder / "my service.toml"
        path.write_text(text.replace("URL", self.server.url))
        return str(path)

    def score(self, text: str, respond: Any, **options: Any) -> Scored:
        self.server.asked.clear()
        self.server.respond = respond if callable(respond) else lambda asked: respond
        settings = Options(**{"limit": 2, "wordings": 1, "timeout": 5.0, "retries": 0, "again": True, **options})
        return score_system(self.release, self.write(text), output=self.folder / "runs", options=settings)

    def said(self, text: str, respond: Any, **options: Any) -> Prediction:
        folder = self.score(text, respond, **options).folder
        return min(stored_predictions(folder / "predictions.jsonl"), key=lambda each: self.asked_first(each.id))

    def asked_first(self, name: str) -> int:
        return [each.id for each in self.release_questions].index(name)

    @property
    def release_questions(self) -> list[Any]:
        from benchwright.benchmarks.releases.rows import load_questions

        return list(load_questions(self.release, "test"))


@pytest.fixture
def asking(tmp_path: Path, server: Service, release: Release) -> Asking:
    return Asking(tmp_path, server, release)


def data(**fields: Any) -> Mapping[str, Any]:
    return {"data": {"text": "31 metres", "sources": [], **fields}}


def test_answer_contexts_and_usage_are_where_the_file_says(asking: Asking) -> None:
    more = 'input_tokens = "meta.tokens[0]"\noutput_tokens = "meta.tokens[1]"\ncost = "meta.usd"\nlatency = "meta.ms"\n'
    reply = {
        **data(sources=[{"doc": "gannet-rock", "snippet": "Gannet Rock has", "score": "0.5"}, {"snippet": "x"}]),
        "meta": {"tokens": [7, 3], "usd": 0.25, "ms": 4},
    }
    found = asking.said(HEAD + REPLY + more, reply)
    assert found.answer == "31 metres"
    assert found.contexts == (Context("gannet-rock", "Gannet Rock has", score=0.5), Context(None, "x"))
    assert (found.usage.input_tokens, found.usage.output_tokens, found.cost, found.latency) == (7, 3, 0.25, 4.0)
    asked = asking.server.asked[0]
    assert (asked.method, asked.path, asked.body["top_k"]) == ("POST", "/v1/ask", 5)
    assert asked.body["query"] in {each.question for each in asking.release_questions}


@pytest.mark.parametrize(
    ("expression", "reply", "answer"),
    [
        ("answer", {"answer": ["31", " metres"]}, "31 metres"),
        ("answer", {"answer": {"content": [{"type": "text", "text": "31 metres"}]}}, "31 metres"),
        ("answer", {"answer": 31}, "31"),
        ("join(' ', parts[?kind=='text'].value)", {"parts": [{"kind": "text", "value": "31"}, {"kind": "text", "value": "metres"}]}, "31 metres"),
        ("[?event=='token'].text", Say('event: start\ndata: {"n": 1}\n\nevent: token\ndata: {"text": "31 "}\n\nevent: token\ndata: {"text": "metres"}\n\n', headers={"Content-Type": "text/event-stream"}), "31 metres"),
        ("[].delta", Say('{"delta": "31 "}\n{"delta": "metres"}\n{"done": true}\n', headers={"Content-Type": "application/x-ndjson"}), "31 metres"),
        ("@", Say("31 metres"), "31 metres"),
    ],
)  # fmt: skip
def test_answers_of_every_shape(asking: Asking, expression: str, reply: Any, answer: str) -> None:
    assert asking.said(HEAD + f'[reply]\nanswer = "{expression}"\n', reply).answer == answer


CHUNKS = [
    {"sources": [{"source": {"name": "n"}, "document": ["Gannet Rock has"], "metadata": [{}]}]},
    {"choices": [{"index": 0, "delta": {"content": "31 "}}]},
    {"choices": [{"index": 0, "delta": {"content": "metres"}}], "usage": {"prompt_tokens": 7, "completion_tokens": 2}},
]


@pytest.mark.parametrize(
    "reply",
    [
        {"answer": "31 metres", "contexts": ["Gannet Rock has"], "usage": {"input_tokens": 7}},
        {"choices": [{"message": {"content": "31 metres"}}], "documents": ["Gannet Rock has"], "usage": {"prompt_tokens": 7, "completion_tokens": 2}},
        Say("".join(f"data: {json.dumps(each)}\n\n" for each in CHUNKS), headers={"Content-Type": "text/event-stream"}),
    ],
)  # fmt: skip
def test_without_reply_what_is_plain_is_read(asking: Asking, reply: Any) -> None:
    text = HEAD.replace("top_k = 5", "stream = true, files = [{id = 7}]")
    found = asking.said(text, reply)
    assert (found.answer, found.contexts, found.usage.input_tokens) == (
        "31 metres",
        (Context(text="Gannet Rock has"),),
        7,
    )
    assert asking.server.asked[0].body["files"] == [{"id": 7}]


def test_abstaining_failing_and_finding_nothing(asking: Asking) -> None:
    null = HEAD + REPLY + 'abstained = "data.text == `null`"\n'
    assert asking.said(null, data(text=None)).abstained and not asking.said(null, data()).abstained
    text = HEAD + REPLY + 'abstained = "data.unknown"\nerror = "problem"\n'
    found = asking.said(text, data(text=None, unknown=True))
    assert (found.answer, found.abstained, found.usage.retrievals, found.error) == (None, True, 1, None)
    count = iter(range(9))
    folder = asking.score(text, lambda asked: {"problem": "no index"} if next(count) == 0 else data()).folder
    assert sorted(str(each.error) for each in stored_predictions(folder / "predictions.jsonl")) == [
        "None",
        "the service said: no index",
    ]


def test_an_answer_that_is_never_there_ends_it_with_the_first_reply(asking: Asking) -> None:
    with pytest.raises(BenchwrightError) as error:
        asking.score(
            HEAD + '[reply]\nanswer = "data.txet"\n', data(sources=["x" * 1000]), limit=10, wordings=None, workers=1
        )
    first = '{"data": {"text": "31 metres", "sources": ["' + "x" * 253 + "..."
    assert str(error.value) == (
        f"my service.toml: reply.answer = 'data.txet' finds nothing; the first reply was {first}; "
        "correct the expression, and start it again"
    )
    assert len(asking.server.asked) == 3


def test_contexts_that_are_never_there_are_warned_of(asking: Asking, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "benchwright"):
        asking.score(HEAD + REPLY.replace("sources", "source"), data(), limit=4)
    assert [record.getMessage() for record in caplog.records] == [
        "my service.toml: reply.contexts = 'data.source[].{id: doc, text: snippet, score: score}' finds nothing; "
        'the first reply was {"data": {"text": "31 metres", "sources": []}}: so far it hands in no contexts'
    ]


def test_parameters_forms_and_placeholders(asking: Asking) -> None:
    asking.said('url = "URL/find"\nparameters = {q = "{question}", n = 3, exact = true}\n' + REPLY, data())
    asked = asking.server.asked[0]
    assert asked.method == "GET" and asked.path.startswith("/find?q=") and asked.path.endswith("&n=3&exact=true")
    asking.said('url = "URL/ask/{question}?k={k}"\nheaders = {X-Asked = "{uuid}", X-Name = "\u00e9"}\n' + REPLY, data())
    path, headers = asking.server.asked[0].path, asking.server.asked[0].headers
    assert path.startswith("/ask/") and "%20" in path and path.endswith("?k=5") and len(headers["X-Asked"]) == 36
    asking.said('url = "URL"\nform = {q = "Q: {question}", session = "{uuid}"}\n' + REPLY, data())
    told = asking.write('url = "URL"\nrequest = {q = "{question}", n = "{k}"}\n' + REPLY)
    settings = open_system(told, Opening(7)).settings
    assert settings["k"] == 7 and "k" not in open_system(asking.write(HEAD + REPLY), Opening(7)).settings
    bodies = [each.body for each in asking.server.asked]
    asking.said('url = "URL"\nrequest = {q = "{question}", n = "{k}", many = "k={k}"}\n' + REPLY, data(), k=7)
    assert asking.server.asked[0].body["n"] == 7 and asking.server.asked[0].body["many"] == "k=7"
    assert bodies[0].startswith("q=Q%3A+") and len({body.partition("session=")[2] for body in bodies}) == 2
    asking.said(
        'url = "URL"\nmethod = "put"\nrequest = {messages = [{role = "user", content = "{question}"}]}\n' + REPLY,
        data(),
    )
    assert asking.server.asked[0].method == "PUT"
    assert asking.server.asked[0].body["messages"][0]["role"] == "user"


def test_secrets_come_from_the_environment_and_are_never_shown(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'headers = {Authorization = "Bearer ${LIGHTS_KEY}", X-Team = "blue"}\n' + HEAD + REPLY
    with pytest.raises(UsageError, match=r"my service.toml: headers.Authorization wants \$\{LIGHTS_KEY\}: set the env"):
        asking.score(text, data())
    monkeypatch.setenv("LIGHTS_KEY", SECRET)
    folder = asking.score(text, lambda asked: data(text=f"31 {asked.headers['Authorization']}")).folder
    assert asking.server.asked[0].headers["Authorization"] == f"Bearer {SECRET}"
    stored = "".join(path.read_text() for path in folder.iterdir() if path.suffix in (".json", ".jsonl", ".html"))
    assert SECRET not in stored and '"X-Team": "blue"' in stored
    monkeypatch.setenv("LIGHTS_TEAM", "the blue company")
    monkeypatch.setenv("LIGHTS_TOKEN", "t-0123456789abcdef")
    body = 'url = "URL"\nrequest = {q = "{question}", team = "${LIGHTS_TEAM}", token = "${LIGHTS_TOKEN}"}\n' + REPLY
    found = asking.said(body, lambda asked: data(text=f"{asked.body['team']} {asked.body['token']}"))
    assert found.answer == "the blue company [hidden]"
    with pytest.raises(BenchwrightError) as error:
        asking.score(text, lambda asked: Say(f"no such key: {asked.headers['Authorization']}", 401))
    assert "answered 401: no such key: [hidden]; check its key" in str(error.value)


def test_secrets_that_stand_in_the_file_are_not_shown_either(asking: Asking) -> None:
    text = 'url = "URL/ask?team=blue&api-key=k-11aa22bb33"\nheaders = {X-Api-Key = "k-44cc55dd66"}\nparameters = {token = "k-77ee88ff99"}\nrequest = {q = "{question}"}\n'
    folder = asking.score(text + REPLY, data()).folder
    assert asking.server.asked[0].path == "/ask?team=blue&api-key=k-11aa22bb33&token=k-77ee88ff99"
    stored = (folder / "run.json").read_text()
    assert "team=blue&api-key=[hidden]" in stored and not any(
        key in stored for key in ("k-11aa22bb33", "k-44cc55dd66", "k-77ee88ff99")
    )


def test_conditions_are_possible_where_the_file_says_so(asking: Asking) -> None:
    reads = 'url = "URL"\nrequest = {q = "{question}", passages = "{contexts}"}\n' + REPLY
    system = open_system(asking.write(HEAD + REPLY), Opening())
    assert set(system.unsupported.values()) == {"my service.toml sends no {contexts}"}
    assert list(system.unsupported) == ["closed", "gold", "without-gold"]
    assert open_system(asking.write(reads), Opening()).unsupported == {
        "without-gold": "my service.toml has no [retrieve]"
    }

    def respond(asked: Asked) -> Any:
        if asked.path.startswith("/search"):
            return {"hits": [{"doc": "gannet-rock", "txt": "Gannet"}, {"doc": "sable-point", "txt": "Sable"}]}
        return {"data": {"text": str(asked.body.get("passages"))}}  # it shows no contexts: they are what it retrieves

    both = (
        reads
        + '[retrieve]\nurl = "URL/search"\nparameters = {k = "{k}"}\nrequest = {q = "{question}"}\ncontexts = "hits[].{id: doc, text: txt}"\n'
    )
    conditions = ("own", "closed", "gold", "without-gold")
    scored = asking.score(both, respond, limit=1, conditions=conditions)
    found = {each.condition: each for each in stored_predictions(scored.folder / "predictions.jsonl")}
    assert found["own"].answer == "None" and [each.id for each in found["own"].contexts] == [
        "gannet-rock",
        "sable-point",
    ]
    assert found["closed"].answer == "[]" and "metres" in str(found["gold"].answer)
    left = [each.id for each in found["without-gold"].contexts]
    assert len(left) in (1, 2) and set(left) <= {"gannet-rock", "sable-point"}
    asking.server.asked.clear()
    scored = asking.score(both, respond, limit=2, probe=True)
    assert {each.path for each in asking.server.asked} == {"/", "/search?k=5", "/search?k=50"} and not scored.warnings
    each = 'url = "URL"\nrequest = {q = "{question}", docs = [{body = "{context}"}]}\n' + REPLY
    asking.score(each, data(), limit=1, conditions=("closed", "gold"))
    none, some = sorted((each.body["docs"] for each in asking.server.asked), key=len)
    assert none == [] and [each.keys() for each in some] == [{"body"}]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("url = ", "is no TOML: Invalid value (at end of document)"),
        ('urll = "http://x"\n', "unknown key 'urll', did you mean url?; 1 more"),
        ('method = "GET"\n', "url is missing"),
        ('url = "http://x"\nrequest = {q = "{question}"}\n[reply]\ncontexts = "a"', "reply: answer is missing"),
        ('url = "http://x"\nrequest = {q = "{question}"}\n[reply]\nanswer = "a["', "reply.answer = 'a[' is no JMESPath expression"),
        ('url = "x.y"\nrequest = {q = "{question}"}\n[reply]\nanswer = "a"', "url is not the address of a service"),
        ('url = "http://a:b@c"\nrequest = {q = "{question}"}\n[reply]\nanswer = "a"', "url holds a name or a password: write a header"),
        ('url = "http://x"\nrequest = {q = "question"}\n[reply]\nanswer = "a"', 'the question is not sent: write "{question}" where it belongs'),
        ('url = "http://x"\nrequest = {q = "{question}"}\nform = {a = "b"}\n[reply]\nanswer = "a"', "request and form are both the body: leave one out"),
        ('url = "http://x"\nheaders = {A = "b\\nc"}\nrequest = {q = "{question}"}\n[reply]\nanswer = "a"', "headers: 'A' cannot be sent"),
        ('url = "http://x"\nworkers = 0\nrequest = {q = "{question}"}\n[reply]\nanswer = "a"', "workers = 0: give 1 or more"),
        ('url = "http://x"\nmethod = "G T"\nrequest = {q = "{question}"}\n[reply]\nanswer = "a"', "method = 'G T' is none: give POST or GET"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_meant_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "it.toml"
    path.write_text(text)
    with pytest.raises(UsageError) as error:
        open_system(str(path), Opening())
    assert message in str(error.value) and "it.toml" in str(error.value) and "\n" not in str(error.value)


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(BenchwrightError, match=r"there is no file no\.toml, which would describe a service"):
        open_system("no.toml", Opening())
