"""One start of the soak's work: asks for items of five kinds, and prints what became of each, and the account.

python -m benchwright.scripts.measure.soak_worker URL CACHE ITEMS AT_ONCE TIMEOUT
"""

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.prompts import Messages
from benchwright.benchmarks.models.responses import ReplyError
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings

KINDS = ("text", "structured", "samples", "vectors", "ranking")
"""What an item asks for: that of its number."""
RATES = (1.0, 2.0)
"""US dollars for a million tokens in, and out."""


@dataclass(frozen=True)
class Named:
    """A structured reply."""

    item: int


def kind_of(number: int) -> str:
    """What an item asks for."""
    return KINDS[number % len(KINDS)]


async def _ask(client: Client, number: int) -> str:
    """What came of an item: `answer`, `cut`, or `wrong` where the answer is another one's."""
    said = {"role": "user", "content": f"Which item is this, as JSON? [item {number}]"}
    messages = Messages("soak", "0" * 64, (said,), 30)
    match kind_of(number):
        case "text":
            reply = await client.chat("system", messages, step="text")
            if reply.text != f"item {number}":
                return "cut" if reply.is_cut else "wrong"
        case "structured" | "samples":
            samples = 2 if kind_of(number) == "samples" else 1
            found = await client.chat("system", messages, step=kind_of(number), reply=Named, samples=samples)
            if found.value.item != number:
                return "wrong"
        case "vectors":
            vectors = await client.embed("embedder", [f"item {number}", f"another {number}"], step="vectors")
            if vectors.shape != (2, 1536):
                return "wrong"
        case _:
            fitting = await client.rerank("reranker", f"item {number}", [f"item {number}", "none"], step="ranking")
            if len(fitting.scores) != 2:
                return "wrong"
    return "answer"


def main(url: str, cache: str, items: str, at_once: str, timeout: str) -> int:
    """Asks, and returns the exit code: 0 where each item was asked for."""
    endpoint = Endpoint("m", url, "sk-soak-0123456789abcdef", RATES)
    roles: dict[str, Endpoint] = dict.fromkeys(("system", "embedder", "reranker"), endpoint)
    client = Client(ModelSettings(roles, cache=Path(cache), at_once=int(at_once), timeout=float(timeout)))
    outcomes: dict[int, str] = {}
    said, code = "", 0
    try:
        for number, result in client.each(range(int(items)), lambda number: _ask(client, number)):
            outcomes[number] = result.reason if isinstance(result, ReplyError) else result
    except (BenchwrightError, KeyboardInterrupt) as error:
        said, code = str(error) or type(error).__name__, 1
    client.close()
    ledger = [asdict(costs) for costs in client.ledger.by_step.values()]
    sys.stdout.write(json.dumps({"outcomes": outcomes, "ledger": ledger, "said": said}))
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
