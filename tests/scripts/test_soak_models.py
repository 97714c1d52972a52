"""The soak of the model client, in small: every fault at once, a kill and a Ctrl-C, and the accounts add up."""

from pathlib import Path

import pytest

from benchwright.scripts.measure.made_soak_endpoint import OF_CHAT, Count, Faults
from benchwright.scripts.measure.soak_models import Soak, Start, soak
from benchwright.scripts.servers.openai.server import Received

ACCOUNT = {
    "calls": 3, "input_tokens": 20, "output_tokens": 5, "cost": 3e-5, "usable": 1, "refused": 0, "invalid": 0,
    "cut": 0, "failed": 1, "lost": 1, "timed_out": 0,
}  # fmt: skip
SERVED = Count(3, {"ok": 1, "500": 1, "cut": 1}, 20, 5)


def started(end: str = "finished", kept: int = 1, **changed: float) -> Start:
    return Start(end, SERVED, kept, [{"outcomes": {}, "ledger": [{**ACCOUNT, **changed}], "said": ""}])


@pytest.mark.full
def test_nothing_is_lost_and_the_accounts_add_up(tmp_path: Path) -> None:
    """Longer than other tests: six processes ask, and requests that failed are sent again after a pause each."""
    result = soak(tmp_path, 3, lambda done: done < 4, items=60)
    assert result.problems() == []
    assert {start.end for start in result.starts} >= {"killed", "finished"}
    assert result.items == sum(result.with_faults.values()) == 240
    assert result.without["answer"] + result.without["cut"] == 240


def test_an_account_that_differs_is_told() -> None:
    assert list(started().differences()) == []
    assert list(started(failed=2).differences()) == ["finished: failed: 2 in the account, 1 at the endpoint"]
    assert list(started(input_tokens=21).differences()) == [
        "finished: tokens in: 21 in the account, 20 at the endpoint"
    ]
    assert list(started(kept=0).differences()) == ["finished: replies kept: 0 in the account, 1 at the endpoint"]
    assert list(started("Ctrl-C", usable=0).differences()) == []
    assert list(Start("killed", SERVED, 0, []).differences()) == []
    assert list(Start("killed", SERVED, 2, []).differences()) == ["killed: 1 replies were sent, and 2 kept"]


def test_a_lost_item_is_told() -> None:
    result = Soak(items=3)
    result.with_faults.update(["answer", "refusal", "no reply"])
    result.without.update(["answer", "answer"])
    assert result.problems() == [
        "without: 1 of 3 items are lost",
        "1 items have no answer though no fault is left: {'answer': 2}",
    ]


def test_each_fault_is_met() -> None:
    faults = Faults(1)
    body = {"messages": [{"content": "[item 1]"}]}
    for _ in range(2_000):
        faults(Received("/v1/chat/completions", {}, body, 0.0))
    assert set(OF_CHAT) < set(faults.met)
    assert 0.36 < sum(faults.met.values()) / 2_000 < 0.44
