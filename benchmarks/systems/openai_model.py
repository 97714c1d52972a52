"""`openai:MODEL`: a model at an OpenAI-compatible endpoint, asked without any passage."""

from benchwright.benchmarks.predictions import GOLD, WITHOUT_GOLD
from benchwright.benchmarks.systems.base import Opening, System, SystemKind
from benchwright.benchmarks.systems.language_model import (
    CLOSED_BOOK,
    ROLE,
    ask_model,
    client_of,
    model_settings,
    model_slug,
    named_model,
)
from benchwright.benchmarks.systems.sampling import model_sampler

PREFIX = "openai:"
_CLOSED = "it is asked without any passage"


def open_model(reference: str, opening: Opening) -> System:
    """The model of a client's role `system`, closed book.

    Raises:
        UsageError: there is no client that has one.
    """
    client = client_of(reference, opening)
    name = client.settings.endpoints[ROLE].model
    return System(
        name=model_slug(f"openai-{name}"),
        kind="OpenAI-compatible endpoint",
        reference=reference,
        description=f"the model {name}, asked without any passage",
        prepare=lambda documents: lambda attempt: ask_model(client, attempt, None),
        sample=model_sampler(client),
        settings=model_settings(client, CLOSED_BOOK),
        unsupported={GOLD: _CLOSED, WITHOUT_GOLD: _CLOSED},
        is_async=True,
        workers=client.settings.at_once,
        keeps_time=True,
    )


KIND = SystemKind(
    name="openai",
    matches=lambda reference: reference.startswith(PREFIX),
    open=open_model,
    order=20,
    form=f"{PREFIX}MODEL",
    models=lambda reference: (f"{ROLE}={named_model(reference, PREFIX)}",),
)
