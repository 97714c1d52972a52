"""What a judged metric may use: models and a seeded coin. Steps are shared by name and inputs, and all are recorded."""

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar, overload

from pydantic_core import to_jsonable_python

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.responses import ESTIMATED, ReplyError, Vectors

JUDGE: Final = "judge"
EMBEDDER: Final = "embedder"
"""Roles of the models that judge and embed."""
TEMPERATURE = 0.0

T = TypeVar("T")


@dataclass(frozen=True)
class StepRecord:
    """One step of a judgment, as its trace shows it."""

    step: str
    inputs: str
    """The first 16 hexadecimal digits of the SHA-256 of its inputs."""
    prompt: str | None = None
    """The SHA-256 of the prompt's file, where a model was asked."""
    output: Any = None
    """As JSON."""
    raw: str | None = None
    """The model's reply, word for word, without its thoughts."""
    thinking: str | None = None
    """What the model thought before it, where it says so."""
    error: str | None = None


@dataclass
class Steps:
    """The steps that were made for one prediction: metrics that need the same one share it, failed ones too."""

    made: dict[tuple[str, str], tuple[StepRecord, Any]] = field(default_factory=dict)
    """Name and inputs → record, and the output or the error that it ended with."""
    estimated: ReplyError | None = None
    """Of a step whose reply is only imagined: nothing that stands on it is a score."""


@dataclass
class Tools:
    """The tools of one metric for one prediction."""

    client: Client
    steps: Steps
    metric: str
    uses: tuple[str, ...]
    """Prompts that the metric says it asks with."""
    item: tuple[str, ...]
    """Names the prediction: what its coin depends on."""
    seed: int = 0
    repeat: int = 0
    """Another number asks the judge anew where it was asked the same."""
    trace: list[StepRecord] = field(default_factory=list)
    """The steps that the judgment stands on, in order."""

    @overload
    async def ask(self, prompt: str, values: Mapping[str, Any], *, reply: None = None) -> str: ...
    @overload
    async def ask(self, prompt: str, values: Mapping[str, Any], *, reply: type[T], imagined: T | None = None) -> T: ...
    async def ask(
        self, prompt: str, values: Mapping[str, Any], *, reply: type[Any] | None = None, imagined: Any = None
    ) -> Any:
        """Asks the judge; a step that is named as its prompt.

        Args:
            prompt: the prompt's name, one of those that the metric says it `uses`.
            values: what it is filled with.
            reply: a frozen dataclass that the reply must fit; none: any text.
            imagined: stands for the reply where calls are only estimated, so that what is asked next is estimated too.

        Raises:
            ReplyError: there is no reply that could be used.
            StopError: a limit of the run is reached, or no request would go better.
        """
        if prompt not in self.uses:
            raise BenchwrightError(f"the metric {self.metric} asks with the prompt {prompt!r}: name it in its `uses`")
        sha256 = self.client.prompt(prompt).sha256

        async def make() -> tuple[StepRecord, Any]:
            messages = self.client.prompt(prompt).fill(**values)
            if reply is None:
                answer = await self.client.chat(
                    JUDGE, messages, step="judging", repeat=self.repeat, temperature=TEMPERATURE
                )
            else:
                answer = await self.client.chat(
                    JUDGE, messages, step="judging", reply=reply, repeat=self.repeat, temperature=TEMPERATURE
                )
            output = to_jsonable_python(answer.value, serialize_unknown=True)
            return StepRecord(prompt, key[1], sha256, output, answer.text, answer.thinking or None), answer.value

        key = (prompt, inputs_hash(values))
        try:
            return await self._take(key, make, sha256)
        except ReplyError as error:
            if error.reason != ESTIMATED or imagined is None:
                raise
            self.steps.estimated = error
            return imagined

    async def embed(self, texts: list[str]) -> Vectors:
        """The vectors of some texts by the role `embedder`, one a row, of length 1.

        Raises:
            ReplyError: there is no reply that could be used.
            StopError: a limit of the run is reached, or no request would go better.
        """

        async def make() -> tuple[StepRecord, Vectors]:
            vectors = await self.client.embed(EMBEDDER, texts, step="embedding")
            return StepRecord("embed", key[1], output={"shape": list(vectors.shape)}), vectors

        key = ("embed", inputs_hash({"texts": texts}))
        return await self._take(key, make)

    async def step(self, name: str, inputs: Mapping[str, Any], make: Callable[[], Awaitable[T]]) -> T:
        """What is made from some inputs, once for all metrics that want it of this prediction.

        Args:
            name: the step's: what is made.
            inputs: all that it depends on, as JSON.
            make: makes it, with the steps that it takes.
        """

        async def made() -> tuple[StepRecord, T]:
            output = await make()
            return StepRecord(name, key[1], output=to_jsonable_python(output, serialize_unknown=True)), output

        key = (name, inputs_hash(inputs))
        return await self._take(key, made)

    def coin(self, *key: str) -> bool:
        """Heads or tails, the same for the same seed, prediction and key: such as which candidate is shown first."""
        from benchwright.benchmarks.hashing import rank  # which imports pyarrow

        return rank(self.seed, "coin", *self.item, *key)[0] % 2 == 0

    async def _take(
        self, key: tuple[str, str], make: Callable[[], Awaitable[tuple[StepRecord, T]]], prompt: str | None = None
    ) -> T:
        if key not in self.steps.made:
            try:
                self.steps.made[key] = await make()
            except ReplyError as error:
                record = StepRecord(*key, prompt=prompt, raw=error.raw, error=str(error))
                self.steps.made[key] = record, error
        record, output = self.steps.made[key]
        self.trace.append(record)
        if isinstance(output, ReplyError):
            raise output
        return output


def inputs_hash(inputs: Mapping[str, Any]) -> str:
    """Names the inputs of a step."""
    text = json.dumps(to_jsonable_python(inputs, serialize_unknown=True), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
