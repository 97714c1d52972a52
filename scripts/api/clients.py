"""Language models from Python: a client for those that are named."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.settings import read_settings


@contextmanager
def client_for(
    models: Sequence[str], base_url: str | Sequence[str] | None, max_cost: float | None
) -> Iterator[Client | None]:
    """A client for the models that are named, closed in the end; None where none is.

    Raises:
        UsageError: the models cannot be meant, or a key is missing.
    """
    if not models:
        yield None
        return
    places = [base_url] if isinstance(base_url, str) else base_url or ()
    client = Client(read_settings(models, places, max_cost=max_cost))
    try:
        yield client
    finally:
        client.close()
