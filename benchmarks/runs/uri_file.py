"""What a run keeps of the URIs that its contexts are matched by: `map.jsonl`, beside its predictions."""

import json
from pathlib import Path

import jsonlines

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.uris import UriMap

MAP = "map.jsonl"


def keep_uris(folder: Path, uris: UriMap) -> None:
    """Writes a map into a run's folder in one step; one that is there is replaced."""
    part = folder / f".{MAP}"
    with part.open("w", encoding="utf-8") as file, jsonlines.Writer(file) as writer:
        writer.write_all(uris.lines())
    part.replace(folder / MAP)


def kept_uris(folder: Path) -> UriMap | None:
    """The map of a run; None where it has none.

    Raises:
        BenchwrightError: it is not as it was written.
    """
    path = folder / MAP
    if not path.is_file():
        return None
    documents: dict[str, str] = {}
    template: str | None = None
    try:
        with path.open(encoding="utf-8") as file:
            for line in map(json.loads, file):
                template = line.get("template", template)
                if "uri" in line:
                    documents[line["uri"]] = line["document"]
    except (OSError, ValueError, AttributeError, KeyError) as error:
        raise BenchwrightError(f"{path} cannot be read: {error}; give it anew with --map") from None
    return UriMap(documents, template)
