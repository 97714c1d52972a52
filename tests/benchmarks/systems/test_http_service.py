"""Services behind HTTP, asked over real connections: what is sent, what is read of what comes back, what is sent again."""

import contextlib
import shutil
import socket
import ssl
import subprocess
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from services import Asked, Responder, Say, Service, serving

from benchwright.benchmarks.errors import StopError
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_documents, load_questions
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score_system import score_system
from benchwright.benchmarks.runs.workers import Worker, ask_all
from benchwright.benchmarks.systems.base import Opening, System
from benchwright.benchmarks.systems.conditions import attempt_of
from benchwright.benchmarks.systems.opening import open_system
from benchwright.benchmarks.systems.services import connection

TEXT = "Gannet Rock has a height of 31 metres."
REPLY = """
[reply]
answer = "data.text"
contexts = "data.sources[].{id: doc, text: snippet, score: score}"
"""


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_FIRST_PAUSE", 0.001)


def ask(
    system: System,
    release: Release,
    condition: str = "own",
    count: int = 1,
    workers: int | None = None,
) -> list[Prediction]:
    """What a system says to the first questions of the release."""
    documents = load_documents(release)
    attempts = [attempt_of(each, condition, 0, documents) for each in list(load_questions(release, "test"))[:count]]
    worker = Worker()
    answer = worker.call(lambda: system.prepare(documents))
    found = ask_all(answer, attempts, worker=worker, is_async=True, workers=workers, timeout=None)
    return sorted(found, key=lambda each: [attempt.question.id for attempt in attempts].index(each.id))


def asked_of(server: Service, respond: Any, release: Release, **options: Any) -> Prediction:
    """What a service at an address says to one question: a value, or what a function says."""
    server.asked.clear()
    server.respond = respond if callable(respond) else lambda asked: respond
    system = open_system(f"{server.url}/ask", Opening(**{"timeout": 5.0, **options}))
    return ask(system, release)[0]


def described(tmp_path: Path, server: Service, text: str, **opening: Any) -> System:
    path = tmp_path / "my service.toml"
    path.write_text(text.replace("URL", server.url) + ("" if "[reply]" in text else REPLY))
    return open_system(str(path), Opening(**{"timeout": 5.0, **opening}))


def test_a_question_is_posted_and_the_reply_is_a_prediction(server: Service, release: Release) -> None:
    reply = {
        "answer": "31 metres",
        "contexts": [{"id": "gannet-rock", "text": TEXT, "score": 1.5}],
        "usage": {"input_tokens": 7, "output_tokens": 3},
    }
    found = asked_of(server, reply, release)
    assert (found.answer, found.contexts) == ("31 metres", (Context("gannet-rock", TEXT, score=1.5),))
    assert (found.usage.input_tokens, found.usage.output_tokens) == (7, 3)
    assert found.latency is not None and 0 < found.latency < 5
    (request,) = server.asked
    assert (request.method, request.path) == ("POST", "/ask")
    assert request.body == {"question": "height of Gannet Rock", "contexts": None}


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("31 metres", "31 metres"),
        (["31"], "returned an object of type list: it must be a text, a dict with 'answer', or a Prediction"),
        ({"result": "31 metres", "source_documents": []}, "31 metres"),
        ({"choices": [{"message": {"content": "31 metres"}}]}, "31 metres"),
        ({"answer": None, "abstained": True}, None),
        (Say('"31 metres"', headers={"Content-Type": "application/json"}), "31 metres"),
        (Say({"answer": "31 metres"}, is_packed=True), "31 metres"),
        (Say('{"answer": "31 mètres"}'.encode("latin-1"), headers={"Content-Type": "application/json; charset=ISO-8859-1"}), "31 mètres"),
        (Say('{"answer": "31 mètres"}'.encode("utf-16"), headers={"Content-Type": "application/json"}), "31 mètres"),
        (Say(b'\xef\xbb\xbf{"answer": "31 \xff"}', headers={"Content-Type": "text/plain; charset=klingon"}), "31 \ufffd"),
        (Say('{"answer": "31"}\n{"answer": " metres"}\n', headers={"Content-Type": "application/x-ndjson"}), "31 metres"),
        (Say("data: 31\n\ndata:  metres\n\ndata: [DONE]\n\n", headers={"Content-Type": "text/event-stream"}), "31 metres"),
        (Say('data: {"choices": [{"delta": {"content": "31"}}]}\r\n\r\ndata: {"choices": [{"delta": {"content": " metres"}}]}\r\n\r\n', headers={"Content-Type": "text/event-stream"}), "31 metres"),
        (Say('event: start\ndata: run 7\n\nevent: data\ndata: "31"\n\nevent: data\ndata: " metres"\n\nevent: end\n\n', headers={"Content-Type": "text/event-stream"}), "31 metres"),
        (Say('event: data\ndata: {"context": [{"page_content": "x"}]}\n\nevent: data\ndata: {"answer": "31 "}\n\nevent: data\ndata: {"answer": "metres"}\n\n', headers={"Content-Type": "text/event-stream"}), "31 metres"),
        (Say(status=204), "returned an empty body"),
        (Say('{"answer": "31\nmetres"}', headers={"Content-Type": "application/json"}), "31\nmetres"),
        (Say(b"abcde", headers={"Content-Encoding": "gzip"}), "returned a body that cannot be unpacked: Can not decode content-encoding: gzip"),
        (Say(status=307, headers={"Location": "http://[::1"}), "redirects to what is no address: http://[::1"),
        (Say("null", headers={"Content-Type": "application/json"}), "returned nothing"),
        (Say("<!DOCTYPE html><title>Log in</title>", headers={"Content-Type": "text/html"}), "returned a page (HTML), no answer: <!DOCTYPE html><title>Log in</title>"),
        (Say('{"answer": "31 met', headers={"Content-Type": "application/json"}), 'returned what is no JSON (Unterminated string starting at at character 12): {"answer": "31 met'),
        (Say("[" * 100_000, headers={"Content-Type": "application/json"}), "returned what is no JSON (nested too deeply): " + "[" * 297 + "..."),
        ({"error": {"message": "the index is gone"}}, "the index is gone"),
        ({"said": "31"}, "returned no 'answer': {\"said\": \"31\"}; a FILE.toml can say where it stands"),
        (Say("<html><style>p{}</style><p>Not here.</p></html>", 404), "the service answered 404: Not here"),
        (Say({"detail": "no key"}, 401), 'the service answered 401: {"detail": "no key"}'),
        (Say(status=302, headers={"Location": "http://example.invalid/login"}), "redirects to http://example.invalid: give the address where it ends"),
    ],
)  # fmt: skip
def test_what_comes_back_is_read_or_named(server: Service, release: Release, said: Any, answer: str | None) -> None:
    found = asked_of(server, said, release)
    assert (
        found.answer if found.answer or found.abstained else (found.error or "").replace(server.url + " ", "")
    ) == answer
    assert len(server.asked) == 1


def test_a_body_of_10_mb_is_cut_and_one_without_end_is_refused(
    server: Service, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = asked_of(server, {"answer": "x" * 10_000_000}, release)
    assert found.error == "the answer was cut: 10,000,000 characters, 100,000 are kept"
    assert found.answer == "x" * 100_000
    monkeypatch.setattr(connection, "LONGEST_BODY", 2 * 2**20)
    found = asked_of(server, Say(b"0" * 30_000_000, is_packed=True), release)
    assert found.error == "returned more than 2 MB"


def failing(*first: Say, then: Any = "31 metres") -> Responder:
    """Says these to the first requests, and then another thing."""
    return lambda asked: first[asked.number - 1] if asked.number <= len(first) else then


def test_what_may_go_better_is_sent_again_and_counted(server: Service, release: Release) -> None:
    server.asked.clear()
    server.respond = failing(
        Say("down", 503), Say(status=429, headers={"Retry-After": "0"}), Say(reset=True), Say("x" * 99, cut=True)
    )
    system = open_system(server.url, Opening(timeout=5.0, retries=4))
    (found,) = ask(system, release)
    assert (found.answer, found.error, len(server.asked)) == ("31 metres", None, 5)
    assert list(system.close()) == [
        "requests that were sent again: 2 (the connection broke), 1 (answered 503), 1 (answered 429)"
    ]


def test_what_does_not_is_given_up(server: Service, release: Release) -> None:
    found = asked_of(server, Say("down", 503), release, retries=2)
    assert (found.error, len(server.asked)) == ("the service answered 503: down (3 times)", 3)
    found = asked_of(server, Say("odd", 400), release)
    assert (found.error, len(server.asked)) == ("the service answered 400: odd", 1)
    found = asked_of(server, Say("full", 429, {"Retry-After": "86400"}), release)
    assert (found.error, len(server.asked)) == ("the service answered 429: full; it asks to wait 86,400 s", 1)
    found = asked_of(server, Say("late", seconds=2), release, timeout=1.0)
    assert (found.error, len(server.asked)) == ("no answer within 1 s", 1)


def test_proxies_of_the_environment_count_and_passwords_of_netrc_do_not(
    server: Service, release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login joe password sesame\n")
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("http_proxy", server.url)
    monkeypatch.delenv("no_proxy", raising=False)
    found = asked_of(server, lambda asked: str(asked.headers.get("Authorization")), release)
    assert (found.answer, server.asked[0].path) == ("None", "/ask")
    server.respond = lambda asked: asked.path
    (found,) = ask(open_system("http://rag.example/ask", Opening(timeout=5.0)), release)
    assert found.answer == "http://rag.example/ask"
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    (found,) = ask(open_system("http://rag.example/ask", Opening(timeout=5.0, retries=0)), release)
    assert (
        found.error == "cannot connect to http://rag.example through the proxy http://127.0.0.1:9: Connection refused"
    )


def test_a_service_that_is_gone_stops_the_run_and_one_that_fails_at_questions_does_not(
    server: Service, release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LOST", 4)
    options = Options(timeout=5.0, retries=0, workers=1)
    server.asked.clear()
    server.respond = lambda asked: "31 metres" if asked.number <= 3 else Say("restarting", 503)
    with pytest.raises(StopError) as error:
        score_system(release, server.url, output=tmp_path, options=options)
    assert str(error.value) == (
        "4 requests in a row failed: the service answered 503: restarting; what came before is kept, start again later"
    )
    server.asked.clear()
    server.respond = lambda asked: "31 metres" if asked.number == 1 else Say("a bug", 500)
    scored = score_system(release, server.url, output=tmp_path, options=options)
    assert (scored.reused, scored.asked, scored.counts.errors) == (3, 7, 6)


def test_a_first_whole_answer_counts_however_others_differ(server: Service, release: Release) -> None:
    first = Say({"answer": "24 metres"}, cut=True)
    found = asked_of(server, failing(first, then={"answer": "31 metres"}), release)
    assert (found.answer, len(server.asked)) == ("31 metres", 2)


def test_what_is_left_over_of_a_reply_spoils_no_other_answer(release: Release) -> None:
    body = b'{"answer": "31 metres"}'
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)

    def serve(connected: socket.socket) -> None:
        with connected:
            connected.recv(65536)
            connected.sendall(head + body)
            connected.recv(65536)
            connected.sendall(body)

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=serve, args=(listening.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=accept, daemon=True).start()
        system = open_system(f"http://127.0.0.1:{listening.getsockname()[1]}", Opening(timeout=5.0))
        found = ask(system, release, count=6, workers=1)
    assert {(each.answer, each.error) for each in found} == {("31 metres", None)}
    assert list(system.close()) == ["requests that were sent again: 5 (answered what is no HTTP)"]


def test_redirects_on_the_same_host_keep_question_and_method(server: Service, release: Release) -> None:
    def respond(asked: Asked) -> Any:
        return (
            Say(status=307, headers={"Location": "/ask/"})
            if asked.path == "/ask"
            else {"answer": asked.body["question"]}
        )

    assert asked_of(server, respond, release).answer == "height of Gannet Rock"
    assert [(each.method, each.path) for each in server.asked] == [("POST", "/ask"), ("POST", "/ask/")]
    found = asked_of(server, Say(status=308, headers={"Location": "/ask"}), release)
    assert found.error == f"{server.url} redirects more than 5 times"


def test_a_service_that_bears_two_at_once_answers_all(server: Service, release: Release) -> None:
    inside, lock, together = Counter[str](), threading.Lock(), threading.Barrier(8)

    def respond(asked: Asked) -> Any:
        with lock:
            inside["now"] += 1
            inside["came"] += 1
            is_of_the_eight = 2 <= inside["came"] <= 9
            is_full = inside["now"] > 2
            inside["refused"] += is_full
        if is_of_the_eight:
            together.wait(60)  # as many as there are workers have come
        with lock:
            inside["now"] -= 1
        return Say("full", 429) if is_full else asked.body["question"]

    server.respond = respond
    found = ask(open_system(server.url, Opening(timeout=60.0, workers=8)), release, count=10, workers=8)
    assert [each.error for each in found] == [None] * 10
    assert 6 <= inside["refused"] <= 20


def test_contexts_are_given_only_to_who_says_that_it_reads_them(server: Service, release: Release) -> None:
    system = open_system(server.url, Opening(timeout=5.0))
    server.respond = lambda asked: {"answer": str(asked.body["contexts"]), "takes_contexts": True}
    (closed,), (gold,) = ask(system, release, "closed"), ask(system, release, "gold")
    assert closed.answer == "[]" and "31 metres" in (gold.answer or "")
    server.respond = lambda asked: {"answer": "31 metres"}
    server.asked.clear()
    found = ask(open_system(server.url, Opening(timeout=5.0)), release, "gold", count=4, workers=1)
    assert {each.error for each in found} == {
        'unsupported: its reply does not say that it read the contexts it was given, by "takes_contexts": true'
    }
    assert len(server.asked) == 1
    assert list(system.unsupported) == ["without-gold"]


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_a_certificate_of_ones_own(
    server: Service, release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "certificate.pem")
    made = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
    ]
    named = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate]
    subprocess.run([*made, *named], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with serving(lambda asked: "31 metres", context) as service:
        url = service.url.replace("http", "https")
        (found,) = ask(open_system(url, Opening(timeout=5.0)), release)
        assert found.error == (
            f"cannot connect to {url}: self-signed certificate; SSL_CERT_FILE may name your own authority's certificate"
        )
        monkeypatch.setenv("SSL_CERT_FILE", certificate)
        assert ask(open_system(url, Opening(timeout=5.0)), release)[0].answer == "31 metres"
    (found,) = ask(open_system(server.url.replace("http", "https"), Opening(timeout=5.0)), release)
    assert (found.error or "").endswith("it answers without TLS: write http://")


NODE = """
const http = require("http");
http.createServer((request, response) => {
  let text = "";
  request.on("data", part => text += part);
  request.on("end", () => {
    const asked = JSON.parse(text);
    response.setHeader("Content-Type", "application/json");
    response.write(JSON.stringify({answer: asked.question.toUpperCase(), contexts: [{text: "\u00e9"}]}));
    response.end();
  });
}).listen(0, "127.0.0.1", function () { console.log(this.address().port); });
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_a_service_in_another_language(release: Release) -> None:
    with subprocess.Popen(["node", "-e", NODE], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            port = int(process.stdout.readline())
            found = ask(open_system(f"http://127.0.0.1:{port}/", Opening(timeout=5.0)), release, count=10)
        finally:
            process.terminate()
    assert found[0].answer == "HEIGHT OF GANNET ROCK" and {each.contexts for each in found} == {(Context(text="é"),)}
