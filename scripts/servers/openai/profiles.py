"""How endpoints that speak the protocol differ from OpenAI's: addresses, keys, what is taken, how errors look.

Taken from their documentation and from what users report of them; see `PROFILES`. What a profile does not say is as
OpenAI has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from benchwright.scripts.servers.openai.answers import Problem, said_in, tokens
from benchwright.scripts.servers.openai.faults import THOUGHTS

Thoughts = Literal["none", "hidden", "tags", "reasoning", "reasoning_content"]
HIDDEN = 64
"""Tokens of thoughts that are paid for and not shown."""
_HARMLESS: Mapping[str, Any] = {"temperature": 1, "n": 1}
"""Values with which a parameter is taken where others are refused."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A request that is turned down, in the endpoint's words; `{model}` and `{value}` are filled in."""

    status: int
    message: str
    type: str | None = None
    param: str | None = None
    code: str | int | None = None
    more: Mapping[str, Any] = field(default_factory=dict)
    """What else stands in the error."""

    def problem(self, model: str = "", value: Any = None, headers: Mapping[str, str] | None = None) -> Problem:
        """It, of a request."""
        message = self.message.replace("{model}", model).replace("{value}", str(value))
        problem = Problem(self.status, message, param=self.param, headers=headers)
        problem.error |= {"type": self.type, "code": self.code, **self.more}
        problem.is_own = True
        return problem


@dataclass(frozen=True, slots=True)
class Profile:
    """An endpoint."""

    wrong_model: Refusal | None = None
    """None: the name of a model does not matter."""
    wrong_key: Refusal | None = None
    """None: keys are not looked at."""
    path: str = "/v1"
    """Of the base URL; `{model}` stands in it where the address names the model."""
    query: str = ""
    """What every address ends with."""
    key: str = "authorization"
    """The header that holds the key."""
    refused: Mapping[str, Refusal] = field(default_factory=dict)
    """Parameter → refusal; `json_schema` and `json_object` are those of `response_format`."""
    ignored: frozenset[str] = frozenset()
    """Parameters that are taken and have no effect; `json_schema` likewise."""
    thoughts: Thoughts = "none"
    """Where a model's thoughts are: tags are in the content."""
    limit: Refusal | None = None
    """What it says when it is asked too much."""
    filter: Refusal | None = None
    """What it says of a prompt that its filter stops."""
    error_keys: tuple[str, ...] = ("message", "type", "param", "code")
    """Of an error."""
    codes: Literal["names", "numbers", "texts", "none"] = "names"
    """An error's code: a name, or the status as a number or a text."""
    types: Mapping[int, str] = field(default_factory=dict)
    """Status → type of an error."""
    usage: Mapping[str, Any] = field(default_factory=dict)
    """What `usage` holds beside the counts."""
    has_embeddings: bool = True

    def taken(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """A request as it is acted on. Raises Problem where it is turned down."""
        form = _format(body)
        for name, refusal in self.refused.items():
            value = form if name == form else body.get(name)
            if value is not None and value != _HARMLESS.get(name):
                raise refusal.problem(str(body["model"]), value)
        left_out = self.ignored | ({"response_format"} if form in self.ignored else set())
        return {name: value for name, value in body.items() if name not in left_out}

    def dress(self, completion: dict[str, Any], is_free: bool) -> None:
        """Puts in what this endpoint adds to a completion; `is_free`: no schema binds what the model writes."""
        completion.setdefault("usage", {}).update(self.usage)
        usage = completion["usage"]
        thought = 0
        for choice in completion["choices"]:
            message = choice["message"]
            if self.thoughts in ("reasoning", "reasoning_content"):
                message[self.thoughts] = THOUGHTS
            elif self.thoughts == "tags" and is_free and said_in(message):
                message["content"] = f"<think>\n{THOUGHTS}\n</think>\n\n{message['content']}"
            elif self.thoughts != "hidden":
                continue
            thought += HIDDEN if self.thoughts == "hidden" else tokens(THOUGHTS)
        if thought:
            usage["completion_tokens"] += thought
            usage["total_tokens"] += thought
            if self.thoughts == "hidden":
                usage["completion_tokens_details"] = {"reasoning_tokens": thought}

    def error(self, problem: Problem) -> Any:
        """The body of a refusal, as this endpoint writes it."""
        said = dict(problem.error)
        if not problem.is_own:
            said["type"] = self.types.get(problem.status, said["type"])
            said["code"] = {"numbers": problem.status, "texts": str(problem.status), "none": None}.get(
                self.codes, said["code"]
            )
        if said["message"] == UNAUTHORIZED:
            return {"error": UNAUTHORIZED}
        known = {"message", "type", "param", "code"}
        return {"error": {name: value for name, value in said.items() if name in self.error_keys or name not in known}}


def _format(body: Mapping[str, Any]) -> str | None:
    form = body.get("response_format")
    return form.get("type") if isinstance(form, Mapping) else None


UNAUTHORIZED = "Unauthorized"
"""All that vLLM says of a wrong key."""
_REASONING: Mapping[str, Refusal] = {
    "max_tokens": Refusal(
        400,
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        "invalid_request_error",
        "max_tokens",
        "unsupported_parameter",
    ),
    "temperature": Refusal(
        400,
        "Unsupported value: 'temperature' does not support {value} with this model. "
        "Only the default (1) value is supported.",
        "invalid_request_error",
        "temperature",
        "unsupported_value",
    ),
}
"""What OpenAI's reasoning models do not take."""

FULL = Profile()
"""An endpoint that takes whatever OpenAI takes of any model."""
PROFILES: Mapping[str, Profile] = {
    "openai": Profile(
        wrong_model=Refusal(
            404,
            "The model `{model}` does not exist or you do not have access to it.",
            "invalid_request_error",
            None,
            "model_not_found",
        ),
        wrong_key=Refusal(401, "Incorrect API key provided: sk-***.", "invalid_request_error", None, "invalid_api_key"),
        refused=_REASONING,
        thoughts="hidden",
    ),
    "azure": Profile(
        path="/openai/deployments/{model}",
        query="api-version=2024-06-01",
        key="api-key",
        wrong_model=Refusal(404, "The API deployment for this resource does not exist.", code="DeploymentNotFound"),
        wrong_key=Refusal(401, "Access denied due to invalid subscription key or wrong API endpoint.", code="401"),
        refused={
            "json_schema": Refusal(
                400,
                "response_format value as json_schema is enabled only for api versions 2024-08-01-preview and later",
                code="BadRequest",
            )
        },
        limit=Refusal(
            429,
            "Requests to the ChatCompletions_Create Operation have exceeded the call rate limit of your current tier. "
            "Please retry after 1 second.",
            code="429",
        ),
        filter=Refusal(
            400,
            "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. "
            "Please modify your prompt and retry.",
            param="prompt",
            code="content_filter",
            more={
                "status": 400,
                "innererror": {
                    "code": "ResponsibleAIPolicyViolation",
                    "content_filter_result": {"jailbreak": {"filtered": True, "detected": True}},
                },
            },
        ),
    ),
    "openrouter": Profile(
        path="/api/v1",
        wrong_model=Refusal(400, "{model} is not a valid model ID", code=400),
        wrong_key=Refusal(401, "No auth credentials found", code=401),
        refused={
            "tools": Refusal(
                404,
                "No endpoints found that support tool use. To learn more about provider routing, see the docs.",
                code=404,
            )
        },
        ignored=frozenset(("json_schema",)),
        thoughts="reasoning",
        limit=Refusal(429, "Provider returned error", code=429, more={"metadata": {"raw": "rate-limited upstream"}}),
        filter=Refusal(
            403,
            "The model requires moderation and your input was flagged",
            code=403,
            more={"metadata": {"reasons": ["violence"], "flagged_input": "…", "provider_name": "OpenAI"}},
        ),
        error_keys=("message", "code"),
        codes="numbers",
        usage={"cost": 0.00014},
    ),
    "vllm": Profile(
        wrong_model=Refusal(404, "The model `{model}` does not exist.", "NotFoundError", "model", 404),
        wrong_key=Refusal(401, UNAUTHORIZED),
        refused={
            "tools": Refusal(
                400,
                "tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set",
                "BadRequestError",
                None,
                400,
            )
        },
        thoughts="reasoning_content",
        codes="numbers",
        types={400: "BadRequestError", 404: "NotFoundError", 429: "RateLimitError", 500: "InternalServerError"},
    ),
    "ollama": Profile(
        wrong_model=Refusal(404, "model '{model}' not found", "not_found_error"),
        refused={"tools": Refusal(400, "registry.ollama.ai/library/{model} does not support tools", "api_error")},
        ignored=frozenset(("n", "tool_choice")),
        thoughts="tags",
        codes="none",
        types={400: "invalid_request_error", 500: "api_error", 503: "api_error"},
    ),
    "llamacpp": Profile(
        wrong_key=Refusal(401, "Invalid API Key", "authentication_error", code=401),
        refused={
            "n": Refusal(400, "Only one completion choice is allowed", "invalid_request_error", code=400),
            "json_schema": Refusal(
                400,
                'Either "json_schema" or "grammar" can be specified, but not both',
                "invalid_request_error",
                code=400,
            ),
            "tools": Refusal(500, "tools param requires --jinja flag", "server_error", code=500),
        },
        thoughts="reasoning_content",
        limit=Refusal(503, "Loading model", "unavailable_error", code=503),
        error_keys=("message", "type", "code"),
        codes="numbers",
    ),
    "litellm": Profile(
        wrong_model=Refusal(
            400,
            "/chat/completions: Invalid model name passed in model={model}. "
            "Call `/v1/models` to view available models for your key.",
            "invalid_request_error",
            None,
            "400",
        ),
        wrong_key=Refusal(400, "No connected db.", "no_db_connection", None, "400"),
        refused={
            name: Refusal(
                400,
                f"litellm.UnsupportedParamsError: ollama does not support parameters: ['{name}'], for model={{model}}. "
                "To drop these, set `litellm.drop_params=True`.",
                "None",
                "None",
                "400",
            )
            for name in ("temperature", "response_format", "tools")
        },
        thoughts="reasoning_content",
        limit=Refusal(429, "litellm.RateLimitError: OpenAIException - slow down", "None", "None", "429"),
        filter=Refusal(
            400,
            "litellm.BadRequestError: litellm.ContentPolicyViolationError: AzureException - The response was filtered "
            "due to the prompt triggering Azure OpenAI's content management policy.",
            None,
            None,
            "400",
        ),
        codes="texts",
    ),
    "anthropic": Profile(
        wrong_model=Refusal(404, "model: {model}", "not_found_error"),
        wrong_key=Refusal(401, "invalid x-api-key", "authentication_error"),
        refused={
            "n": Refusal(400, "n: must be 1", "invalid_request_error"),
            "temperature": Refusal(400, "`temperature` is deprecated for this model.", "invalid_request_error"),
        },
        ignored=frozenset(("response_format",)),
        limit=Refusal(529, "Overloaded", "overloaded_error"),
        codes="none",
        types={400: "invalid_request_error", 404: "not_found_error", 500: "api_error"},
        has_embeddings=False,
    ),
}
"""Name → endpoint. `openai` is one of its reasoning models; `azure` has a version from before structured outputs;
`llamacpp` is one from before templates; `litellm` stands before a model that takes little."""
