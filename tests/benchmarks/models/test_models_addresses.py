"""Addresses where no endpoint can be asked, over real sockets: named at the first request, with what to do."""

import contextlib
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from model_clients import ask, new_client, tally

from benchwright.benchmarks.errors import StopError
from benchwright.benchmarks.models.endpoint import transport

Serve = Callable[[socket.socket], None]
COMPLETION = (
    b'{"choices": [{"index": 0, "message": {"role": "assistant", "content": "31"}, "finish_reason": "stop"}], '
    b'"usage": {"prompt_tokens": 1, "completion_tokens": 1}}'
)


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "_FIRST_PAUSE", 0.005)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 that it has signed itself, and its key."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificate")
    folder = tmp_path_factory.mktemp("certificate")
    made, key = folder / "certificate.pem", folder / "key.pem"
    request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", str(key), "-out", str(made)]
    subprocess.run([*request, *names], check=True, capture_output=True)
    return made, key


@contextlib.contextmanager
def serving(serve: Serve) -> Iterator[tuple[str, list[int]]]:
    """A server that does what it is told with each connection; gives its host and port, and grows with connections."""
    connections: list[int] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def run() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                connections.append(1)
                threading.Thread(target=one, args=(connection,), daemon=True).start()

        def one(connection: socket.socket) -> None:
            with connection, contextlib.suppress(OSError):  # which is what the client's end of it may give
                serve(connection)

        threading.Thread(target=run, daemon=True).start()
        yield f"127.0.0.1:{listening.getsockname()[1]}", connections
        listening.shutdown(socket.SHUT_RDWR)


def error_at(url: str, folder: Path) -> str:
    with new_client(url, folder / "replies.sqlite", timeout=5.0) as client, pytest.raises(StopError) as stopped:
        ask(client)
    assert tally(client).calls == 1
    return str(stopped.value)


def over_tls(certificate: tuple[Path, Path]) -> Serve:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)

    def serve(connection: socket.socket) -> None:
        with context.wrap_socket(connection, server_side=True) as secure:
            said = secure.recv(65536)
            if said:
                secure.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(COMPLETION) + COMPLETION)

    return serve


def test_a_certificate_that_is_not_trusted(
    certificate: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(over_tls(certificate)) as (place, _):
        assert error_at(f"https://{place}/v1", tmp_path) == (
            f"the certificate of https://{place}/v1 is not trusted (self-signed certificate); check the address, or name "
            "the file of its authority in SSL_CERT_FILE"
        )
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
        with new_client(f"https://{place}/v1", tmp_path / "replies.sqlite") as client:
            assert ask(client).text == "31"


def test_http_where_tls_is_spoken(certificate: tuple[Path, Path], tmp_path: Path) -> None:
    with serving(over_tls(certificate)) as (place, _):
        assert error_at(f"http://{place}/v1", tmp_path) == (
            f"http://{place}/v1 cannot be reached: what listens there speaks TLS; give the address with https://"
        )


def test_tls_where_http_is_spoken(tmp_path: Path) -> None:
    def serve(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")

    with serving(serve) as (place, _):
        said = error_at(f"https://{place}/v1", tmp_path)
    assert said.startswith(f"https://{place}/v1 cannot be reached: what listens there does not speak TLS (")
    assert said.endswith("); give the address with http://")


def test_what_speaks_no_http(tmp_path: Path) -> None:
    def serve(connection: socket.socket) -> None:
        connection.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")
        connection.recv(65536)

    with serving(serve) as (place, _):
        assert error_at(f"http://{place}/v1", tmp_path) == (
            f"http://{place}/v1 cannot be reached: what listens there does not speak HTTP; check --base-url"
        )


@pytest.mark.parametrize(
    ("scheme", "status", "said"),
    [
        ("https", b"403 Forbidden", "cannot be reached: the proxy answered 403 Forbidden; check HTTPS_PROXY"),
        ("http", b"407 Authentication Required", "asks who you are; put name and password in HTTP_PROXY"),
    ],
)
def test_a_proxy_that_answers(
    scheme: str, status: bytes, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def serve(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    with serving(serve) as (place, connections):
        monkeypatch.setenv(f"{scheme.upper()}_PROXY", f"http://user:password-of-mine@{place}")
        told = error_at(f"{scheme}://endpoint.invalid/v1", tmp_path)
        assert f"{scheme}://endpoint.invalid/v1 {said}, or name the host in NO_PROXY" in told
        assert "password-of-mine" not in told
        assert len(connections) == 1


def test_slow_but_alive_is_waited_for(tmp_path: Path) -> None:
    """Ten bytes before the reply, all within the time limit; `test_models_hostile` has those that are not."""
    waited = threading.Event()

    def serve(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (10 + len(COMPLETION)))
        for _ in range(10):
            waited.wait(0.02)
            connection.sendall(b" ")
        connection.sendall(COMPLETION)

    with (
        serving(serve) as (place, connections),
        new_client(f"http://{place}/v1", tmp_path / "replies.sqlite", timeout=60.0) as client,
    ):
        assert ask(client).text == "31"
        assert (len(connections), tally(client).calls, tally(client).timed_out) == (1, 1, 0)
