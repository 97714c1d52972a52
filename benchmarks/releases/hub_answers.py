"""What a Hub's answers that are no results mean."""

import re
from collections.abc import Mapping

from benchwright.benchmarks.errors import BenchwrightError

WRONG_TOKEN = "the Hub does not know your token: run `hf auth login`, or mend HF_TOKEN"
_CLIENTS = {"httpx", "httpx2", "httpcore", "httpcore2", "requests", "urllib3"}
_SECONDS = re.compile(r"\d{1,6}")


class HubError(BenchwrightError):
    """What the Hub answered instead of what it was asked for, or why it did not answer."""

    def __init__(
        self,
        message: str,
        status: int | None = None,
        code: str | None = None,
        retry_after: int | None = None,
        said: str = "",
        *,
        may_pass: bool = False,
        is_away: bool = False,
    ) -> None:
        super().__init__(message)
        self.status = status
        """None: there was no answer; 200: one that no Hub would give."""
        self.code = code
        """`RepoNotFound`, `RevisionNotFound`, `EntryNotFound`, `GatedRepo`, where it says so."""
        self.retry_after = retry_after
        """Seconds, where it says so."""
        self.said = said
        """What the Hub says of it, in its own words."""
        self.may_pass = may_pass
        """Whether the same may be answered in a moment."""
        self.is_away = is_away
        """Whether it could not be reached at all."""

    @classmethod
    def of_answer(cls, status: int, headers: Mapping[str, str]) -> "HubError":
        """What an answer with a status of 400 or more means."""
        code, said = headers.get("X-Error-Code"), headers.get("X-Error-Message", "")
        if status == 401 and code is None and "credentials" not in said and "user token" not in said:
            code = "RepoNotFound"  # so it answers who is not logged in
        retry = wait_of(headers)
        return cls(say_status(status, retry), status, code, retry, said, may_pass=status == 429 or status >= 500)


def is_of_network(error: BaseException) -> bool:
    """The clients' errors have no common base: 1.x of huggingface_hub uses httpx, 2.x httpx2."""
    return isinstance(error, ConnectionError) or type(error).__module__.partition(".")[0] in _CLIENTS


def wait_of(headers: Mapping[str, str]) -> int | None:
    """The seconds that an answer asks to wait."""
    text = headers.get("Retry-After") or ""
    return int(text) if _SECONDS.fullmatch(text) else None


def say_status(status: int, retry_after: int | None = None) -> str:
    """What the Hub did, and what to do, in a clause."""
    wait = f"wait {retry_after:,} seconds" if retry_after else "wait some minutes"
    if status == 429:
        return f"it takes no more requests for now (429); {wait}"
    if status == 503:
        return f"it is overloaded or being mended (503); {wait}"
    if status >= 500:
        return f"it failed by itself ({status}), through nothing of yours; {wait}"
    if status == 403:
        return "it does not allow this (403); use a token that may read it"
    return f"it refused ({status})"
