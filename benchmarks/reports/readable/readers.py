"""Who reads: the built-in reader, a program of rules, or a model of the role `reader`."""

from collections.abc import Awaitable, Iterator, Sequence
from importlib.metadata import version

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.responses import Reply, ReplyError
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.progress import Progress
from benchwright.benchmarks.releases.readable_figures import LONGEST_SAID, Reader
from benchwright.benchmarks.reports.readable.asked import Item
from benchwright.benchmarks.systems.language_model import FROM_CONTEXTS, TEMPERATURE, why_no_reply
from benchwright.benchmarks.systems.reader.extract import read_passages

ROLE, STEP = "reader", "gold documents read"
BUILT_IN = "built-in reader"


def reader_of(client: Client | None) -> Reader:
    """Who reads with a client."""
    if client is None or not client.has(ROLE):
        return Reader("rule", BUILT_IN, version("benchwright"))
    said = client.described(ROLE, [FROM_CONTEXTS])[0]
    return Reader(
        "model", str(said["name"]), version("benchwright"), str(said["prompt_sha256"]), str(said.get("base_url") or "")
    )


def read_items(items: Sequence[Item], client: Client | None, progress: Progress) -> list[Prediction]:
    """What the reader says to each item, in their order.

    Raises:
        StopError: a limit of the run is reached; the replies that came are kept.
        Estimated: nothing is to be asked of a model.
    """
    said = _by_rule(items) if client is None or not client.has(ROLE) else _by_model(items, client)
    found: list[Prediction] = []
    for prediction in said:
        found.append(prediction)
        if not len(found) % 50 or len(found) == len(items):
            progress("gold documents read", len(found), len(items))
    return found


def _by_rule(items: Sequence[Item]) -> Iterator[Prediction]:
    for item in items:
        yield Prediction(item.question.id, read_passages(item.question.question, item.passages))


def _by_model(items: Sequence[Item], client: Client) -> Iterator[Prediction]:
    def ask(item: Item) -> Awaitable[Reply[str]]:
        messages = client.prompt(FROM_CONTEXTS).fill(question=item.question.question, passages=item.passages)
        return client.chat(ROLE, messages, step=STEP, temperature=TEMPERATURE)

    for item, reply in client.each(items, ask):
        if isinstance(reply, ReplyError):
            yield Prediction(item.question.id, None, error=why_no_reply(reply))
        else:
            yield Prediction(item.question.id, reply.text.strip()[:LONGEST_SAID])
