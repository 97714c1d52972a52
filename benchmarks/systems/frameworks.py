"""What objects of LangChain, LlamaIndex, Haystack and the `openai` package say, as the fields of a prediction.

They are read by their attributes, so that none of the packages is needed:

    an answer    str; a message (`messages.py`); a stream (`streams.py`); LlamaIndex's Response (`response`,
                 `source_nodes`); Haystack's answers (`data`, `documents`); an object or a dataclass with `answer`
    a dict       of a chain (`answer`, `result` or `output`, with `context` or `source_documents`), of a graph
                 (`messages`), of a pipeline (component → `answers`, `replies`, `documents`)
    a context    Document (`page_content` or `content`), node or NodeWithScore, (document, score)

A context's id is the first of those it bears that names a document of the corpus: its own, or one in its metadata.
"""

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any
from uuid import UUID

from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.systems.messages import field_of, message_text, tokens_of
from benchwright.benchmarks.systems.streams import is_stream, joined

_FIELDS = tuple(field.name for field in dataclasses.fields(Prediction))
_ANSWERS = ("result", "output", "output_text", "response", "text", "content")
"""Keys of a mapping without `answer` that hold one."""
_CONTEXTS = ("context", "source_documents", "source_nodes", "documents", "retrieved_documents")
"""Keys of a mapping without `contexts` that hold them."""
_OWN_IDS = ("id", "_id", "id_", "node_id", "doc_id", "document_id")
_IDS = ("id", "_id", "doc_id", "document_id", "source_id", "ref_doc_id", "corpus_id")
"""Keys of a context's metadata that name its document."""
_SOURCES = ("source", "url", "uri", "file_path", "file_name", "filename")
"""Keys of a context's metadata that say where it is from: perhaps a file named as the document."""


def plain_reply(reply: Any, corpus: Collection[str] = ()) -> Any:
    """A text or the fields of a prediction, where it is plain what a reply is; else the reply.

    Args:
        reply: what a system returned.
        corpus: the ids of the documents.

    Raises:
        BenchwrightError: it is a stream of what is no text.
    """
    if is_stream(reply):
        reply = joined(reply)
    if isinstance(reply, str | Prediction) or reply is None:
        return reply
    known = fields_of_reply(reply)
    if known is None:
        return reply
    contexts = known.get("contexts")
    if isinstance(contexts, Iterable) and not isinstance(contexts, str | Mapping):
        known["contexts"] = plain_contexts(contexts, corpus)
    return known


def fields_of_reply(reply: Any) -> dict[str, Any] | None:
    """The fields of a prediction that a reply holds, its contexts as they are; None where it is none, or a stream."""
    if isinstance(reply, str):
        return {"answer": reply}
    if reply is None or is_stream(reply) or isinstance(reply, Prediction):
        return None
    fields = reply if isinstance(reply, Mapping) else _of_object(reply)
    if fields is not None:
        return {name: value for name, value in _of_mapping(fields).items() if name in _FIELDS}
    if isinstance(reply, Sequence) or hasattr(reply, "status_code"):
        return None  # no message: a list, the reply of a server
    text = message_text(reply)
    return None if text is None else _with_usage({"answer": text}, reply)


def with_stream(reply: Any, chunks: Iterable[Any]) -> Any:
    """A reply whose answer was streamed, with the chunks that were read."""
    answer = joined(chunks)
    if isinstance(reply, Mapping):
        return {**reply, "answer": answer}
    nodes = getattr(reply, "source_nodes", None)
    return answer if nodes is None else {"answer": answer, "contexts": nodes}


def plain_contexts(found: Iterable[Any], corpus: Collection[str] = ()) -> list[Any]:
    """Contexts as texts or as the fields of a context, where it is plain what they are."""
    return [_context(each, corpus) for each in found]


def _of_object(reply: Any) -> Mapping[str, Any] | None:
    """The fields of an answer that is an object; None where it is another."""
    if hasattr(reply, "source_nodes"):
        return {"answer": _streamed(reply), "contexts": reply.source_nodes}
    if hasattr(reply, "response") and hasattr(reply, "tool_calls"):  # of an agent of LlamaIndex
        found = [node for each in reply.tool_calls for node in _nodes(each)]
        return {"answer": message_text(reply.response), **({"contexts": found} if found else {})}
    if hasattr(reply, "data") and (hasattr(reply, "documents") or hasattr(reply, "document")):
        read = reply.documents if hasattr(reply, "documents") else [reply.document]
        return _without_nothing({"answer": reply.data, "contexts": [each for each in read or () if each is not None]})
    if hasattr(reply, "answer") and not callable(reply.answer):
        return _without_nothing({name: getattr(reply, name, None) for name in (*_FIELDS, *_CONTEXTS)})
    return None


def _nodes(called: Any) -> Sequence[Any]:
    """What a tool of LlamaIndex answered from."""
    return field_of(field_of(field_of(called, "tool_output"), "raw_output"), "source_nodes") or ()


def _streamed(reply: Any) -> Any:
    """The answer of LlamaIndex's responses: a text, that of a stream, or an object."""
    answer, stream = field_of(reply, "response"), field_of(reply, "response_gen")
    if not answer and is_stream(stream):
        return joined(stream)
    return answer if answer is None or isinstance(answer, str) else str(reply)


def _of_mapping(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    """The fields of a prediction, of a mapping that holds them under other names."""
    if not {"answer", "abstained", "error"} & reply.keys():
        reply = _of_chain(reply) or _of_pipeline(reply) or _of_pipeline({"": reply}) or reply
    fields = dict(reply)
    answer = fields.get("answer")
    if is_stream(answer):
        answer = fields["answer"] = joined(answer)
    if answer is not None and not isinstance(answer, str):
        inner = _of_object(answer)
        text = inner.get("answer") if inner is not None else message_text(answer)
        if isinstance(text, str) and not isinstance(answer, list | tuple):
            fields = {**(inner or {}), **_with_usage(fields, answer), "answer": text}
    if "contexts" not in fields:
        shown = next((fields[name] for name in _CONTEXTS if isinstance(fields.get(name), list | tuple)), None)
        if shown is not None:
            fields["contexts"] = shown
            if not shown:
                fields.setdefault("usage", {"retrievals": 1})  # it looked, and found nothing
    return fields


def _of_chain(reply: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The result of a chain, a message or the state of a graph, with `answer`."""
    messages = reply.get("messages")
    if isinstance(messages, Sequence) and messages and not isinstance(messages, str):
        text = message_text(messages[-1])
        found = [each for message in messages for each in _artifacts(message)]
        fields = _with_usage({**({"contexts": found} if found else {}), **reply}, messages[-1])
        return None if text is None else {**fields, "answer": text}
    if "choices" in reply:
        text = message_text(reply)
        return None if text is None else _with_usage({**reply, "answer": text}, reply)
    name = next((name for name in _ANSWERS if reply.get(name) is not None), None)
    return None if name is None or isinstance(reply[name], Mapping) else {**reply, "answer": reply[name]}


def _artifacts(message: Any) -> Sequence[Any]:
    """The documents that a tool found, which LangChain keeps beside its message."""
    found = field_of(message, "artifact")
    return found if isinstance(found, list | tuple) and all(_text(each) is not None for each in found) else ()


def _of_pipeline(reply: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The result of a Haystack pipeline: what its components gave, by their names."""
    parts = [part for part in reply.values() if isinstance(part, Mapping)]
    if not parts or len(parts) < len(reply):
        return None
    answers = [part[name] for name in ("answers", "replies") for part in parts if _is_filled(part.get(name))]
    if not answers:
        return None
    found: dict[str, Any] = {"answer": answers[0][0]}
    read = [part["documents"] for part in parts if isinstance(part.get("documents"), list)]
    if read:
        found["documents"] = read[-1]  # the last component's: those of a ranker, not of what it ranks
    return found


def _is_filled(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value)


def _with_usage(fields: Mapping[str, Any], message: Any) -> dict[str, Any]:
    tokens = tokens_of(message)
    return {**fields, "usage": tokens} if tokens and not isinstance(fields.get("usage"), Mapping) else dict(fields)


def _without_nothing(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _context(found: Any, corpus: Collection[str]) -> Any:
    score = None
    if isinstance(found, tuple) and len(found) == 2 and isinstance(found[1], float | int):
        found, score = found
    if isinstance(found, str | Context):
        return found if score is None or not isinstance(found, str) else {"text": found, "score": score}
    node = field_of(found, "node")
    text = _text(found)
    metadata = next((each for name in ("metadata", "meta") if isinstance(each := field_of(found, name), Mapping)), {})
    names = [*_ids(found, _OWN_IDS), *_ids(node, _OWN_IDS), *_ids(metadata, _IDS), *_ids(node, ("ref_doc_id",))]
    if text is None and not names:
        return found
    own = dict(found) if isinstance(found, Mapping) else {}
    said = score if score is not None else field_of(found, "score")
    fields = {"start": own.get("start"), "end": own.get("end"), "score": said, "text": text}
    named, sources = [*names, *_files(metadata)], list(_ids(metadata, _SOURCES))
    known = next((name for name in named if name in corpus), None)
    if known is not None:
        return _without_nothing({**fields, "id": known})
    uri = own.get("uri", next(iter(sources), None))
    if not names:  # what it is from is all that names it
        return _without_nothing({**fields, "id": own.get("id", uri), "uri": own.get("uri")})
    return _without_nothing({**fields, "id": names[0], "uri": uri})


def _text(found: Any) -> Any:
    """The text of a context; None where it has none."""
    if isinstance(found, str):
        return found
    node = field_of(found, "node")
    if node is not None:
        return _text(node)
    for name in ("page_content", "text", "content"):
        value = field_of(found, name)
        if isinstance(value, str) or (isinstance(found, Mapping) and value is not None):
            return value
    get_content = getattr(found, "get_content", None)
    return get_content() if callable(get_content) else None


def _ids(found: Any, names: Iterable[str]) -> Iterator[str]:
    """Ids as texts: those that are texts, whole numbers or UUIDs."""
    for name in names:
        value = field_of(found, name)
        is_id = isinstance(value, str | int | UUID) and not isinstance(value, bool)
        if is_id and value != "":
            yield str(value)


def _files(metadata: Mapping[str, Any]) -> Iterator[str]:
    """What a context is from: as it is said, the last part of its path, that without its ending."""
    for source in _ids(metadata, _SOURCES):
        path = PurePosixPath(source.replace("\\", "/"))
        yield from (source, path.name, path.stem)
