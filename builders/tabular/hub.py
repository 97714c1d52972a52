"""Datasets on the Hub, through `datasets`, at the commit that a name stood for: read as a stream."""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.naming import check_language
from benchwright.benchmarks.releases.writer import AS_QUESTIONS
from benchwright.builders.tabular.beir import choose_split, is_qrels
from benchwright.builders.tabular.tables import Row, Source, Table

PREFIX = "hf:"
_DEFAULT = "default"
_SHOWN = 20
T = TypeVar("T")


def open_hub(place: str, config: str, split: str) -> Source:
    """The rows of a split of NAMESPACE/NAME[@REVISION]; of one that is in BEIR's form, its corpus and qrels too.

    Raises:
        BenchwrightError: there is no such dataset, config or split, or it cannot be read.
    """
    name, _, revision = place.removeprefix(PREFIX).partition("@")
    if name.count("/") != 1 or not all(name.split("/")):
        raise BenchwrightError(
            f"{place} names no dataset: give {PREFIX}NAMESPACE/NAME or {PREFIX}NAMESPACE/NAME@REVISION"
        )
    dataset = _Dataset(name, revision)
    configs = dataset.configs()
    is_beir = {"corpus", "queries"} <= set(configs) and config in ("", "queries")
    if is_beir and (qrels := dataset.qrels(configs, split) or _qrels_beside(name, split)):
        (queries, _), (corpus, _) = dataset.table("queries", ""), dataset.table("corpus", "")
        return Source("BEIR, on the Hub", queries, corpus, qrels[0], {"source": dataset.pinned, "split": qrels[1]})
    chosen = _choose_config(config, configs, name)
    table, chosen_split = dataset.table(chosen, split)
    facts = {"source": dataset.pinned, "config": chosen, "split": chosen_split}
    return Source("a dataset on the Hub", table, facts=facts)


def _qrels_beside(name: str, split: str) -> tuple[Table, str] | None:
    """The qrels of NAME-qrels, where BEIR's own datasets have theirs; None where there is no such dataset."""
    try:
        beside = _Dataset(f"{name}-qrels", "")
    except BenchwrightError:
        return None
    return beside.qrels(beside.configs(), split)


def _choose_config(given: str, there: Sequence[str], name: str) -> str:
    if given in there:
        return given
    if given:
        raise BenchwrightError(f"{name} has no config {given!r}: there are {_listed(there)}")
    if _DEFAULT in there or len(there) == 1:
        return _DEFAULT if _DEFAULT in there else there[0]
    raise BenchwrightError(f"{name} has several configs: add --set config=…, one of {_listed(there)}")


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


class _Dataset:
    """A dataset at a commit."""

    def __init__(self, name: str, revision: str) -> None:
        from huggingface_hub import HfApi

        self.name = name
        api = HfApi(endpoint=os.environ.get("HF_ENDPOINT"), library_name="benchwright")
        info = _asked(name, lambda: api.dataset_info(name, revision=revision or None))
        self.commit = str(info.sha)
        card = info.card_data.to_dict() if info.card_data else {}
        self.licence, self.language = _said(card.get("license")), _language(_said(card.get("language")))

    @property
    def pinned(self) -> str:
        """Its name at the commit, as the parameter `source` takes it."""
        return f"{PREFIX}{self.name}@{self.commit}"

    def configs(self) -> list[str]:
        from datasets import get_dataset_config_names

        return _asked(self.name, lambda: get_dataset_config_names(self.name, revision=self.commit))

    def qrels(self, configs: Sequence[str], split: str) -> tuple[Table, str] | None:
        """The config that says which document answers which query; None where none does."""
        for config in ("qrels", _DEFAULT):
            if config in configs:
                table, chosen = self.table(config, split)
                if is_qrels(table.columns):
                    return table, chosen
        return None

    def table(self, config: str, split: str) -> tuple[Table, str]:
        """The rows of a split, and which it is."""
        from datasets import get_dataset_split_names, load_dataset

        there = _asked(self.name, lambda: get_dataset_split_names(self.name, config, revision=self.commit))
        chosen = choose_split(split, tuple(map(str, there)), f"{self.name}, config {config},")

        def opened() -> Any:
            rows = load_dataset(self.name, config, split=chosen, revision=self.commit, streaming=True)
            return rows.decode(False) if rows.features else rows  # pictures and sounds stay as they are

        first = _asked(self.name, opened)
        names = first.column_names or list(_asked(self.name, lambda: next(iter(first), {})))

        def read(wanted: Sequence[str]) -> Iterator[Row]:
            rows = _asked(
                self.name, lambda: iter(opened().select_columns([*wanted]) if first.column_names else opened())
            )
            number = 0
            while True:
                cells = _asked(self.name, lambda: next(rows, None))
                if cells is None:
                    return
                number += 1
                yield Row(f"{self.name} {chosen}, row {number}", cells)

        source = {
            "uri": f"{PREFIX}{self.name}",
            "revision": self.commit,
            "sha256": None,
            "licence": self.licence,
            "language": self.language,
            "rows_shipped": AS_QUESTIONS,
        }
        return Table(f"{self.name} {config} {chosen}", tuple(names), read, (source,)), chosen


def _asked(name: str, ask: Callable[[], T]) -> T:
    """What the Hub or its client answers; whatever either raises, in a line."""
    try:
        return ask()
    except BenchwrightError:
        raise
    except Exception as error:
        raise BenchwrightError(f"the dataset {name} {_why(error)}") from None


def _why(error: Exception) -> str:
    from huggingface_hub.errors import RepositoryNotFoundError, RevisionNotFoundError

    if isinstance(error, RevisionNotFoundError):
        return "has no such revision: name a branch, a tag or a commit of it"
    if isinstance(error, RepositoryNotFoundError):
        return "is not on the Hub, or you may not read it: check the name, and HF_TOKEN where it is private"
    what = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
    return f"cannot be read: {what[:300]}"


def _said(value: Any) -> str | None:
    """What a card says, where it says one thing."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value if isinstance(value, str) and value else None


def _language(said: str | None) -> str | None:
    """A language that is one."""
    try:
        return check_language(said) if said else None
    except BenchwrightError:
        return None
