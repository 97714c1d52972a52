"""Requests that got no response: whether there was no connection, it broke, or nothing came in time."""

from benchwright.benchmarks.models.http_errors import RequestFailure
from benchwright.benchmarks.models.responses import shown


def failure_of_connection(error: Exception) -> RequestFailure:
    """What an error of the SDK or of its transport means."""
    import httpx2
    import openai

    if isinstance(error, openai.APITimeoutError | httpx2.TimeoutException):
        if isinstance(error.__cause__ or error, httpx2.ConnectTimeout):  # what aiohttp's refused connections become
            return RequestFailure(f"no connection: {_cause(error)}", again=True, state="lost")
        return RequestFailure("no answer within the time limit", again=True, state="timed_out")
    return RequestFailure(f"the connection failed: {_cause(error)}", again=True, state="lost")


def _cause(error: BaseException) -> str:
    """The innermost reason that has words."""
    said = ""
    inner: BaseException | None = error
    while inner is not None:
        said = str(inner) or said
        inner = inner.__cause__ or inner.__context__
    return shown(said) or type(error).__name__
