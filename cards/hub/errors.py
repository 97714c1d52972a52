"""What goes wrong with the Hub, in one line that says what to do."""

import json
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.hub_answers import WRONG_TOKEN, HubError, is_of_network, say_status, wait_of


@contextmanager
def explained(repo_id: str, endpoint: str, option: str = "--repo-id") -> Iterator[None]:
    """Turns what the Hub's client raises into a BenchwrightError about a repository, which an option named."""
    from huggingface_hub.errors import HFValidationError, LocalTokenNotFoundError, OfflineModeIsEnabled

    try:
        yield
    except BenchwrightError as error:
        if not isinstance(error, HubError) or error.status == 200:
            raise
        raise BenchwrightError(_text(error, repo_id, endpoint, option) or str(error)) from error
    except LocalTokenNotFoundError:
        raise BenchwrightError(_NOT_LOGGED_IN) from None
    except OfflineModeIsEnabled:
        raise BenchwrightError("the Hub is switched off: unset HF_HUB_OFFLINE") from None
    except HFValidationError as error:
        raise BenchwrightError(f"{repo_id!r} cannot be a repository's name: {error}") from None
    except Exception as error:
        text = _text(error, repo_id, endpoint, option)
        if text is None:
            raise
        raise BenchwrightError(text) from error


_NOT_LOGGED_IN = "you are not logged in to the Hub: run `hf auth login`, or put a token in HF_TOKEN"
_AGAIN = "start it again with the same command; nothing half-made is visible"


def _text(error: BaseException, repo_id: str, endpoint: str, option: str) -> str | None:
    """What happened; None for what is no failure of the Hub or of the network."""
    status = _status(error)
    said = _said(error)
    if str(error).startswith("Invalid metadata in README.md"):
        return f"the Hub does not take the card of {repo_id}: {' '.join(str(error).split()[4:])}"
    if isinstance(error, json.JSONDecodeError) or status in (405, 501) or (status == 404 and "/" not in repo_id):
        return f"{endpoint} does not answer like a Hub: check --endpoint or HF_ENDPOINT"
    if status == 401 and "expired" in said:
        return "your token has expired: run `hf auth login`"
    if status == 401:
        return WRONG_TOKEN if "credentials" in said or "user token" in said else _NOT_LOGGED_IN
    if status == 402 or status == 413 or status == 507 or "quota" in said.lower() or "storage limit" in said.lower():
        return f"the Hub has no room left for {repo_id}: {said}"
    if status == 403:
        return f"you may not write to {repo_id} ({said}): use a token with the role `write`, or another {option}"
    if status == 404:
        return f"the Hub has no namespace or repository for {repo_id}, or you may not see it: check {option}"
    if status == 412:
        return f"{repo_id} was changed by somebody else in the meantime: look at it, then push again"
    if status == 429 or (status is not None and status >= 500):
        return f"the Hub has not taken {repo_id}: {say_status(status, _wait(error))}, then {_AGAIN}"
    if status is not None:
        return f"the Hub refused {repo_id} with {status} ({said}): {_AGAIN}"
    cause = next((each for each in _chain(error) if is_of_network(each) or isinstance(each, HubError)), None)
    if cause is None and _is_of_client(error):  # it trusts what it is answered
        return f"{endpoint} does not answer like a Hub ({_said(error) or type(error).__name__}): check --endpoint"
    if cause is not None:
        return f"{endpoint} cannot be reached ({_said(cause) or type(cause).__name__}): {_AGAIN}"
    return None


def _is_of_client(error: BaseException) -> bool:
    """Whether an error was raised in the Hub's client."""
    frames = traceback.walk_tb(error.__traceback__)
    return any(frame.f_globals.get("__name__", "").startswith("huggingface_hub.") for frame, _ in frames)


def status_of(error: BaseException) -> int | None:
    """The HTTP status of an error, or of one that it was raised for."""
    return _status(error)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error and those that it was raised for."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _status(error: BaseException) -> int | None:
    for each in _chain(error):
        if isinstance(each, HubError):
            return each.status
        response = getattr(each, "response", None)
        if response is not None:
            return int(response.status_code)
    return None


def _wait(error: BaseException) -> int | None:
    """The seconds that the Hub asks to wait."""
    for each in _chain(error):
        if isinstance(each, HubError):
            return each.retry_after
        response = getattr(each, "response", None)
        if response is not None:
            return wait_of(response.headers)
    return None


def _said(error: BaseException) -> str:
    """What the server said, else the first line of the error."""
    texts = (getattr(each, name, None) for each in _chain(error) for name in ("server_message", "said"))
    said = next((text for text in texts if text), None) or str(error)
    line = next((line.strip() for line in str(said).splitlines() if line.strip()), "")
    return line if len(line) <= 200 else f"{line[:197]}..."
