"""Which model plays which role, where it is reached, and how far a run may go."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.models.embedding.folder import checked_folder, folder_hash, is_folder
from benchwright.benchmarks.models.endpoint.addresses import checked_address, shown_address
from benchwright.benchmarks.secrecy import without_secrets

ROLES = ("writer", "system", "judge", "embedder", "reranker", "decision", "checker", "reader")
"""Who writes texts of a benchmark, who answers, who judges, who makes vectors, who puts passages in a better order, who
decides what a system does next, who is shown what a writer wrote and says what it asks or states, and who is given the
gold documents of a benchmark's questions."""
_OF_THEIR_OWN = ("embedder", "reranker", "decision", "checker", "reader")
"""Roles that a model named for all does not get: other sorts of models play them, or a cheaper one. A checker is asked
about each text alone, which costs several times what writing does; a reader is given whole documents."""
_ELSE = {"decision": "system"}
"""Role → the role whose model plays it where it has none of its own."""
OPENAI = "https://api.openai.com/v1"
IN_BATCHES = ("writer", "judge", "checker", "reader")
"""Roles whose requests may wait for a day, in batches."""
KEY, BASE_URL = "OPENAI_API_KEY", "OPENAI_BASE_URL"


@dataclass(frozen=True)
class Endpoint:
    """A model at an address."""

    model: str
    base_url: str = OPENAI
    """Its query, such as Azure's `?api-version=…`, goes after the path of a request."""
    key: str | None = field(default=None, repr=False, compare=False)
    """Goes into the header of a request, and nowhere else."""
    rates: tuple[float, float] | None = None
    """US dollars for a million tokens in, and out, as the user says; else public price lists count."""
    folder: Path | None = field(default=None, repr=False)
    """Of an embedding model on this machine, which nobody is asked for."""

    @property
    def address(self) -> str:
        """Where it is, without what looks like a secret in a query."""
        return shown_address(self.base_url)

    @property
    def described(self) -> dict[str, str]:
        """What run.json and manifests say of it."""
        if self.folder is not None:
            return {"name": self.model, "sha256": folder_hash(self.folder)}
        return (
            {"name": self.model}
            if self.base_url == OPENAI
            else {"name": self.model, "base_url": without_secrets(self.address)}
        )


@dataclass(frozen=True)
class ModelSettings:
    """Everything that a command says about models."""

    endpoints: Mapping[str, Endpoint] = field(default_factory=dict)
    """Role → model. A role that is not here has the built-in twin, a program of rules."""
    implied: frozenset[str] = frozenset()
    """Roles that nobody named: they got the model that was named for all. What costs extra waits until they are."""
    cache: Path | None = None
    """The file of the response cache; None: the user's own."""
    fresh: bool = False
    """Ask everything anew, whatever is cached; new replies are cached all the same."""
    replay: bool = False
    """Ask nothing: what is not cached is an error."""
    estimate: bool = False
    """Ask nothing: count what would be asked."""
    estimate_with: int = 0
    """But for so many items of each step, at most: how long their replies are tells how long others will be."""
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    at_once: int = 32
    """Requests in flight, at most."""
    timeout: float = 120.0
    """Seconds that a request may take."""
    max_cost: float | None = None
    """US dollars."""
    max_calls: int | None = None
    batch: bool = False
    """Requests of writers, judges and checkers go into batches, which are answered within a day at half the price."""
    prompts: Path | None = None
    """A folder of prompts that are used instead of our own of the same name."""
    command: str = ""
    """Names what the models are asked for, the same in each start: what it has no usable reply to is noted under it."""

    def endpoint(self, role: str) -> Endpoint | None:
        """The model of a role, if it has one; that of `decision` is the system's where none is named."""
        found = self.endpoints.get(role)
        return found if found is not None or role not in _ELSE else self.endpoints.get(_ELSE[role])


def read_settings(
    models: Sequence[str],
    base_urls: Sequence[str] = (),
    prices: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    **rest: object,
) -> ModelSettings:
    """Settings from the texts of a command line.

    Args:
        models: `NAME` for `writer`, `system` and `judge`, or `ROLE=NAME`; the latter counts first. Of the embedder the
            name of a folder, too.
        base_urls: likewise.
        prices: `MODEL=IN/OUT`, US dollars for a million tokens in and out.
        environment: where keys are looked for: `OPENAI_API_KEY_ROLE`, else `OPENAI_API_KEY`; and `OPENAI_BASE_URL`.
        rest: the other fields of `ModelSettings`.

    Raises:
        UsageError: a role does not exist, an address is none, or a key is missing.
    """
    environment = os.environ if environment is None else environment
    named, places = _by_role(models, "--model"), _by_role(base_urls, "--base-url")
    default = places.get("", environment.get(BASE_URL) or OPENAI)
    rates = dict(_rates(text) for text in prices)
    endpoints = {}
    for role in ROLES:
        model = named.get(role) or (named.get("") if role not in _OF_THEIR_OWN else None)
        if not model:
            continue
        if role == "embedder" and role not in places and is_folder(model):
            folder = checked_folder(model)
            endpoints[role] = Endpoint(folder.resolve().name, "", folder=folder)
            continue
        url = checked_address(places.get(role, default), KEY)
        key = environment.get(f"{KEY}_{role.upper()}") or environment.get(KEY) or None
        endpoints[role] = Endpoint(model, url, _checked_key(key), rates.get(model))
    implied = frozenset(role for role in endpoints if role not in named)
    unused = [role for role in places if role and role not in endpoints]
    if unused:
        raise UsageError(f"--base-url {unused[0]}=… has no model: add --model {unused[0]}=NAME")
    if rest.get("batch") and not any(role in endpoints for role in IN_BATCHES):
        raise UsageError(
            f"--batch is for the roles {', '.join(IN_BATCHES)}, and nobody plays one: a system is asked at once, since "
            "its latency is measured"
        )
    settings = ModelSettings(endpoints, implied=implied, **rest)  # type: ignore[arg-type]
    if settings.max_cost is not None and not 0 <= settings.max_cost < float("inf"):
        raise UsageError(f"--max-cost {settings.max_cost}: give US dollars, such as 2.50")
    for role, endpoint in endpoints.items():
        is_asked = not (settings.replay or settings.estimate) or settings.estimate_with > 0
        if endpoint.base_url == OPENAI and not endpoint.key and is_asked:
            raise UsageError(
                f"there is no key for the model {endpoint.model} ({role}): put it in {KEY}, or name another endpoint "
                "with --base-url"
            )
    return settings


def _by_role(texts: Sequence[str], option: str) -> dict[str, str]:
    """Role, or nothing for all → text."""
    found: dict[str, str] = {}
    for text in texts:
        role, equals, value = text.partition("=")
        if not equals or "/" in role or ":" in role:
            role, value = "", text
        elif role not in ROLES:
            raise UsageError(f"{option} {text}: there is no role {role!r}, choose from {', '.join(ROLES)}")
        if not value.strip():
            raise UsageError(f"{option} {text}: the name is missing")
        if option == "--model" and not value.isprintable():
            raise UsageError(f"{option} {text!r}: a name has no such characters")
        found[role] = value.strip()
    return found


def _rates(text: str) -> tuple[str, tuple[float, float]]:
    """Model, and its prices in and out."""
    model, equals, numbers = text.rpartition("=")
    try:
        low, high = (float(number) for number in numbers.split("/"))
        if not equals or not model or not (0 <= low < float("inf") and 0 <= high < float("inf")):
            raise ValueError
    except ValueError:
        raise UsageError(
            f"--price {text}: give US dollars for a million tokens in and out, such as my-model=0.15/0.60"
        ) from None
    return model, (low, high)


def _checked_key(key: str | None) -> str | None:
    if key is not None and (not key.isascii() or not key.isprintable() or key != key.strip()):
        raise UsageError(f"the key in {KEY} has characters that no key has: copy it again, without line breaks")
    return key
