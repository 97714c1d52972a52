"""The protocol of a round, without a Hub: what is committed to, which commitment counts, what files may say."""

import hashlib
import json
import stat
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.leaderboards.rounds.code import code_hash
from benchwright.benchmarks.leaderboards.rounds.counting import Pushed, count, too_late
from benchwright.benchmarks.leaderboards.rounds.files import (
    Edition,
    Round,
    TeamCommitment,
    read_commitment,
    read_opening,
    read_round,
    to_bytes,
)
from benchwright.benchmarks.leaderboards.rounds.kept_secret import draw, keep_secret_file, read_secret_file
from benchwright.benchmarks.leaderboards.rounds.places import take_apart
from benchwright.benchmarks.leaderboards.rounds.sealing import Opening, Sealed, edition_commitment, new_salt
from benchwright.benchmarks.leaderboards.rounds.times import after, parse_time, say_time, state_at

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
HASHES = {"system.yaml": "a" * 64, "run.json": "b" * 64, "heldout.parquet": "c" * 64}
OPENING = Opening("aurp-round-1", "ann", "d" * 64, HASHES, "e" * 64)
TERMS = Round(
    name="aurp-round-1",
    edition=Edition("alice/aurp-round-1", "aurp-round-1", "1.0.0", "f" * 64, 20, 10),
    commitment="0" * 64,
    code_sha256="1" * 64,
    benchwright="0.1.0",
    announcement_sha256="2" * 64,
    opened="2026-12-01T12:00:00Z",
    closes="2026-12-15T12:00:00Z",
    revealed_until="2026-12-22T12:00:00Z",
)


def test_a_teams_commitment_is_what_anybody_computes() -> None:
    parts = ["benchwright round team 1", "e" * 64, "aurp-round-1", "ann", "d" * 64, dict(sorted(HASHES.items()))]
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    assert OPENING.commitment == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    "other",
    [
        replace(OPENING, team="bob"),
        replace(OPENING, round="aurp-round-2"),
        replace(OPENING, round_sha256="0" * 64),
        replace(OPENING, salt="0" * 64),
        replace(OPENING, files={**HASHES, "heldout.parquet": "0" * 64}),
    ],
    ids=["a rival", "another round", "other terms", "another salt", "changed predictions"],
)
def test_a_commitment_opens_to_nothing_else(other: Opening) -> None:
    assert other.commitment != OPENING.commitment


def test_the_organisers_commitment_binds_all_of_it() -> None:
    sealed = Sealed("a" * 64, "0.1.0", "b" * 64, "c" * 64, "d" * 64)
    own = edition_commitment("aurp-round-1", sealed, bytes(32))
    parts = ["benchwright round edition 1", "0" * 64, "aurp-round-1", "a" * 64, "0.1.0", "b" * 64, "c" * 64, "d" * 64]
    assert own == hashlib.sha256(json.dumps(parts, separators=(",", ":")).encode()).hexdigest()
    changed = [replace(sealed, **{name: "9" * 64}) for name in vars(sealed)]
    others = {edition_commitment("aurp-round-1", each, bytes(32)) for each in changed}
    others |= {edition_commitment("aurp-round-1", sealed, b"1" * 32), edition_commitment("x", sealed, bytes(32))}
    assert own not in others
    assert len(others) == len(vars(sealed)) + 2


def pushed(team: str, number: int, minutes: float, commitment: str | None) -> Pushed:
    return Pushed(team, number, f"{number:040}", NOON + timedelta(minutes=minutes), commitment)


def test_the_last_commitment_before_closing_counts_one_for_each_team() -> None:
    every = [
        pushed("ann", 1, -50, "a"),
        pushed("ann", 3, -20, "b"),
        pushed("ann", 1, 0, "late"),
        pushed("bob", 2, -10, None),
        pushed("cleo", 4, 0, "c"),
        pushed("dan", 5, -0.001, "d"),
    ]
    found = count(every, NOON)
    assert {team: each.commitment for team, each in found.items()} == {"ann": "b", "dan": "d"}
    assert (found["ann"].number, found["ann"].others, found["ann"].late) == (3, 2, 1)
    assert too_late(every, found) == ["cleo"]
    assert count(reversed(every), NOON)["ann"].commitment == "b"


def test_states_begin_at_their_first_moment() -> None:
    closes, until = NOON, NOON + timedelta(days=7)
    second = timedelta(microseconds=1)
    assert state_at(closes - second, closes, until) == "open"
    assert state_at(closes, closes, until) == "revealing"
    assert state_at(until - second, closes, until) == "revealing"
    assert state_at(until, closes, until) == "closed"


def test_times_are_durations_or_moments() -> None:
    assert after("14d", NOON, "--closes") == NOON + timedelta(days=14)
    assert after("2026-12-01T14:00:00+01:00", NOON, "--closes") == NOON + timedelta(hours=1)
    assert say_time(NOON + timedelta(milliseconds=1)) == "2026-12-01T12:00:01Z"
    for text, words in (
        ("soon", "is no time"),
        ("2026-12-02", "is no time"),
        ("0d", "must come after"),
        ("999999999d", "must come after|is no time"),
        ("2026-11-01T00:00:00Z", "must come after"),
    ):
        with pytest.raises(UsageError, match=words):
            after(text, NOON, "--closes")
    with pytest.raises(BenchwrightError, match="is no time"):
        parse_time("2026-12-01T12:00:00", "closes")


def test_terms_are_read_back() -> None:
    assert read_round(to_bytes(TERMS)) == TERMS
    assert read_opening(to_bytes(OPENING)) == OPENING
    assert "e" * 64 not in repr(OPENING)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"closes": "2026-11-01T00:00:00Z"}, "opened before it closes"),
        ({"opened": "yesterday"}, "'yesterday' is no time"),
        ({"name": "../up"}, "cannot be a round's name"),
        ({"commitment": "none"}, "commitment is no SHA-256"),
        ({"format": 2}, "a newer benchwright made it"),
        ({"extra": 1}, "unknown key 'extra'"),
        ({"edition": {**vars(TERMS.edition), "repository": "https://evil"}}, "is no NAMESPACE/NAME"),
    ],
)
def test_forged_terms_are_refused(changed: dict[str, object], words: str) -> None:
    values = {**json.loads(to_bytes(TERMS)), **changed}
    with pytest.raises(BenchwrightError, match=words):
        read_round(json.dumps(values).encode())


@pytest.mark.parametrize("data", [b"", b"[]", b"\xff", b"[" * 100_000, b"0" * 300_000, b'{"round":"r","team":"t"}'])
def test_what_is_no_commitment_is_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(BenchwrightError) as caught:
        read_commitment(data)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_an_opening_names_the_files_of_a_submission_alone() -> None:
    files = {**HASHES, "../../page": "0" * 64}
    with pytest.raises(BenchwrightError, match="files must be"):
        read_opening(to_bytes(replace(OPENING, files=files)))
    assert read_commitment(to_bytes(TeamCommitment("r", "ann", "a" * 64))).commitment == "a" * 64


def test_paths_of_a_round() -> None:
    found = take_apart("rounds/aurp-round-1/commitments/Ann.json")
    assert found is not None
    assert (found.round, found.team, found.sort) == ("aurp-round-1", "Ann", "commitment")
    found = take_apart("rounds/aurp-round-1/submissions/ann/heldout.parquet")
    assert found is not None
    assert (found.team, found.sort) == ("ann", "submission")
    for path in (
        "rounds/aurp-round-1/commitments/../round.json",
        "rounds/aurp-round-1/commitments/a/b.json",
        "rounds/aurp-round-1/submissions/ann/run.sh",
        "rounds//round.json",
        "/rounds/r/round.json",
        "rounds/r/commitments/.json",
        "rounds/r/commitments/..json",
        "submissions/a/1.0.0/b/run.json",
    ):
        assert take_apart(path) is None, path


def test_a_secret_is_kept_where_only_its_owner_reads_and_never_replaced(tmp_path: Path) -> None:
    secret, path = draw("alice/board", "aurp-round-1", "a" * 64), tmp_path / "new" / "aurp-round-1.secret.json"
    assert len(bytes.fromhex(secret.secret)) == len(bytes.fromhex(secret.nonce)) == 32
    assert secret.secret not in repr(secret)
    keep_secret_file(path, secret)
    keep_secret_file(path, secret)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_secret_file(path) == secret
    assert read_secret_file(tmp_path / "none") is None
    with pytest.raises(BenchwrightError, match="never overwritten"):
        keep_secret_file(path, draw("alice/board", "aurp-round-1", "a" * 64))
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    path.write_text(path.read_text().replace(secret.nonce, "short"))
    with pytest.raises(BenchwrightError, match="no secret and nonce of 256 bits"):
        read_secret_file(path)


def test_salts_and_the_code_are_what_they_must_be() -> None:
    assert len({new_salt() for _ in range(50)}) == 50
    assert len(code_hash()) == 64
