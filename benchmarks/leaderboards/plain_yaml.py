"""YAML of strangers as plain values: mappings, lists, texts, numbers, yes and no. Nothing else, and not too deep."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError

MOST_BYTES = 100_000
DEEPEST = 8


def read_plain(data: bytes, name: str, most: int = MOST_BYTES, *, only_texts: bool = False) -> Any:
    """What a YAML file holds.

    Args:
        data: the file.
        name: what it is called in an error.
        most: bytes that it may have.
        only_texts: leave numbers, yes and no as the texts that stand there.

    Raises:
        BenchwrightError: it is too long or too deep, is no YAML in UTF-8, or has a tag, an anchor, an alias, a key
            twice or several documents.
    """
    import yaml

    if len(data) > most:
        raise BenchwrightError(f"{name} has {len(data):,} bytes, and may have {most:,}")
    try:
        text = data.decode("utf-8")
        _check(text, name)
        return yaml.load(text, Loader=_loader(() if only_texts else _PLAIN))
    except UnicodeDecodeError:
        raise BenchwrightError(f"{name} is not in UTF-8") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f", line {mark.line + 1}" if mark is not None else ""
        what = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise BenchwrightError(f"{name}{place} is no plain YAML: {what:.200}") from None


def write_plain(content: Mapping[str, Any], width: int = 1_000) -> str:
    """Plain values as YAML, in their order; a text that is longer than `width` letters goes over several lines."""
    import yaml

    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=width)


def _check(text: str, name: str) -> None:
    """Raises where a file has what is more than plain values, before any of them is made."""
    import yaml

    depth = documents = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        place = f"{name}, line {event.start_mark.line + 1}"
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise BenchwrightError(f"{place}, has an anchor (& or *), and may not")
        if getattr(event, "tag", None) is not None:
            raise BenchwrightError(f"{place}, has a tag (!), and may not")
        documents += isinstance(event, yaml.DocumentStartEvent)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise BenchwrightError(f"{place}, is nested deeper than {DEEPEST}")
        if documents > 1:
            raise BenchwrightError(f"{place}, begins a second document")


def _loader(sorts: Sequence[str]) -> Any:
    """A loader in which what is of none of these sorts is a text, and no key stands twice."""
    import yaml

    class Plain(yaml.SafeLoader):
        """Made anew, for its rules are kept on the class."""

        yaml_implicit_resolvers = {  # noqa: RUF012
            first: [(tag, pattern) for tag, pattern in rules if tag.rpartition(":")[2] in sorts]
            for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
        }

        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
            keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
            for number, key in enumerate(keys):
                if key in keys[:number]:
                    raise yaml.constructor.ConstructorError(None, None, f"{key[:40]!r} stands twice", node.start_mark)
            return super().construct_mapping(node, deep)

    return Plain


_PLAIN = ("bool", "int", "float", "null")
