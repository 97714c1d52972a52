"""The dataset card of a release, from its manifest, its spec and its rows: the README of the repository on the Hub.

The page is `templates/card/card.md.jinja`, a file for each section beside it. What only one builder knows is in
`templates/card/builders/NAME.md.jinja`, or in `NAME.md.jinja` beside the module of another package's builder; a builder
that has neither gets the common page.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import zip_longest
from pathlib import Path
from typing import Any

from benchwright.benchmarks.catalogue import Spec, file_beside, load_spec
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.naming import version_key
from benchwright.benchmarks.releases.baseline_figures import BaselineFigures, read_baselines
from benchwright.benchmarks.releases.canary import canary_line, marked
from benchwright.benchmarks.releases.holdout import private_name
from benchwright.benchmarks.releases.manifest import CARD, Manifest, in_order_of_texts, is_private
from benchwright.benchmarks.releases.offsets import is_of_offsets
from benchwright.benchmarks.releases.readable_figures import FAULTS, read_readable
from benchwright.benchmarks.releases.release import HELDOUT, TEST, Release
from benchwright.benchmarks.schemas import CORPUS, DEFAULT_CONFIG
from benchwright.cards.blocks.markdown_text import code, escape, fenced, table_cell
from benchwright.cards.dataset.about import about, citation
from benchwright.cards.dataset.checks import proved, shown
from benchwright.cards.dataset.counts import count_questions
from benchwright.cards.dataset.front_matter import configs, front_matter, in_order
from benchwright.cards.dataset.install import install_command
from benchwright.cards.dataset.kinds import count_kinds
from benchwright.cards.dataset.pairs import pairs_of
from benchwright.cards.dataset.personal_data import SHOWN, columns_of_people

__all__ = ["render_card", "table_cell"]

_LOADED = re.compile(r'^questions = load_dataset\("([\w.-]+/[\w.-]+)", "questions"', re.MULTILINE)
_EXAMPLES = 8
_TEXTS = {"wordings": "wordings (text templates)"}
"""Sort of text → its title, where that is another."""
_OF_TEMPLATES = ("wordings", "SQL templates")
_KINDS = {
    "answerable": "answerable",
    "gap": "known gaps",
    "unanswerable": "unanswerable",
    "": "not stated",
}
"""Answerability → title of its column."""


def render_card(
    manifest: Manifest,
    spec: Spec,
    folder: Path,
    repository: str | None = None,
    baselines: BaselineFigures | None = None,
) -> str:
    """The card as Markdown with YAML front matter: a function of these five and of this program, of nothing else.

    Args:
        manifest: the release's manifest; its list of files is not used.
        spec: the benchmark's spec.
        folder: the release's folder: its rows are counted, and some are shown.
        repository: NAMESPACE/NAME of the repository that the card stands in; None: a copy on a disk. `repository_of`
            reads it back from a card, so that `render_for(release, repository_of(card)) == card` proves one.
        baselines: what the baselines score; None: the card says that they were not asked.

    Raises:
        BenchwrightError: the manifest lacks what the builder's section of the card tells, or rows cannot be read.
    """
    from jinja2 import UndefinedError

    try:
        return _render(manifest, spec, folder, repository, baselines)
    except BenchwrightError:
        raise
    except UndefinedError as error:
        raise BenchwrightError(f"the card of {manifest.name} cannot be made, for {error.message:.200}") from error
    except Exception as error:  # a template, which may be another package's, meets a manifest that may be anybody's
        what = f"{type(error).__name__}: {error}"
        raise BenchwrightError(f"the card of {manifest.name} cannot be made: {what:.200}") from error


def render_for(release: Release, repository: str | None, baselines: BaselineFigures | None = None) -> str:
    """The card of a release as this program makes it, with the baselines' figures that are given, else with its own.

    Raises:
        BenchwrightError: it cannot be made; UsageError where its builder is not installed.
    """
    figures = baselines or read_baselines(release.folder)
    return render_card(release.manifest, load_spec(release.manifest.builder), release.folder, repository, figures)


def is_rendered_here(release: Release) -> bool:
    """Whether its card on disk is as this program makes it: not by another version, and by nobody's hand."""
    card = (release.folder / CARD).read_text(encoding="utf-8", errors="replace")
    return card == render_for(release, repository_of(card))


def as_built(release: Release) -> str | None:
    """Its card as it was before it was published: without a repository and without figures of baselines; None where the
    one that it has is not as this program makes it."""
    try:
        if not is_rendered_here(release):
            return None
        return render_card(release.manifest, load_spec(release.manifest.builder), release.folder)
    except (BenchwrightError, OSError):
        return None


def repository_of(card: str) -> str | None:
    """The repository that a card stands in, as its line to load questions says; None: a copy on a disk, or no card of
    ours."""
    found = _LOADED.findall(card)
    return found[-1] if found else None


def local_place(manifest: Manifest) -> str:
    """Where a release lies on a disk, from where it was built."""
    return f"releases/{manifest.name}/{manifest.version}"


def _render(
    manifest: Manifest, spec: Spec, folder: Path, repository: str | None, baselines: BaselineFigures | None
) -> str:
    release = Release(folder, manifest)
    counts = count_questions(release)
    private = is_private(manifest)
    own = _own_section(manifest.builder)
    titles = {**_KINDS, **({"": "kept back"} if manifest.holdout else {})}
    splits = {config: in_order(manifest.splits[config]) for config in configs(manifest)}
    first = next(iter(splits.get(DEFAULT_CONFIG, {})), TEST)
    page = _environment(own).get_template("own" if own else "card.md.jinja")
    return page.render(
        front_matter=front_matter(release, spec),
        manifest=manifest,
        spec=spec,
        repository=repository,
        place=repository or local_place(manifest),
        next_minor=_next_minor(manifest),
        reference=f"{repository or manifest.name}@{manifest.version}",
        install=install_command(),
        canary=canary_line(manifest.canary),
        marked=marked(release),
        checks=_Checks(manifest.checks),
        private=private,
        counts=counts,
        of_kinds=count_kinds(release, spec),
        pairs=pairs_of(release),
        language=spec.language_of(manifest.parameters, manifest.sources),
        about=about(manifest, spec),
        baselines=baselines,
        citation=citation(manifest, spec, repository),
        columns_of_people=lambda: columns_of_people(release),
        SHOWN=SHOWN,
        kinds=[(kind, title) for kind, title in titles.items() if counts.of(kind)],
        has_templates=any(split.templates for split in counts.splits),
        holds={config: release.config(config).description for config in splits},
        has_dates="fact_date" in release.schema(DEFAULT_CONFIG).names,
        databases=release.databases(),
        templates=sorted((folder / "templates").glob("*.json")),
        examples=[] if private else examples(release),
        texts=texts_made(manifest),
        texts_missing=_texts_missing(release),
        writer=" and ".join(_writers(manifest)),
        readable=read_readable(folder),
        sorts=FAULTS,
        proved=proved(manifest.checks, spec, with_counts=own is None),
        history=history(manifest, spec),
        splits=splits,
        main_split=first,
        parameters={name: manifest.parameters[name] for name in _shown_parameters(manifest, spec)},
    )


def _texts_missing(release: Release) -> int:
    """Of a release of offsets: how many documents have no text."""
    if not is_of_offsets(release):
        return 0
    return sum(
        batch.column("text").null_count
        for split in release.manifest.splits.get(CORPUS.name, {})
        for batch in release.batches(CORPUS.name, split, ["text"])
    )


class _Checks(dict[str, Any]):
    """The manifest's checks; what a template counts and they lack is named."""


@cache
def _environment(own: str | None) -> Any:
    """What renders the templates, compiled once: those of the card, and a builder's own, if it has one."""
    from jinja2 import ChoiceLoader, DictLoader, Environment, FunctionLoader, StrictUndefined

    folder = files("benchwright.cards") / "templates" / "card"

    class Missing(StrictUndefined):
        """What a template names and is not there; says so in words for whoever has the release."""

        @property
        def _undefined_message(self) -> str:
            if self._undefined_hint:
                return self._undefined_hint
            lacking = (
                "the manifest's checks lack what it counts"
                if isinstance(self._undefined_obj, _Checks)
                else "it tells what is not there"
            )
            return f"{lacking}: {self._undefined_name}"

    def load(name: str) -> str | None:
        found = [place for place in (folder / name, folder / "builders" / name) if place.is_file()]
        return found[0].read_text(encoding="utf-8") if found else None

    environment = Environment(
        loader=ChoiceLoader([DictLoader({"own": own} if own else {}), FunctionLoader(load)]),
        undefined=Missing,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters |= {
        "cell": table_cell,
        "code": code,
        "escape": escape,
        "fenced": fenced,
        "shown": shown,
        "parameter": _parameter,
        "percent": _percent,
    }
    return environment


def _own_section(builder: str) -> str | None:
    """The template of a builder's own, if it has one."""
    own: Any = files("benchwright.cards") / "templates" / "card" / "builders" / f"{builder}.md.jinja"
    if not own.is_file():
        own = file_beside(builder, ".md.jinja")
    return own.read_text(encoding="utf-8") if own is not None else None


def _shown_parameters(manifest: Manifest, spec: Spec) -> list[str]:
    """The parameters of what was built, in the spec's order; what is told of people and terms has its own places."""
    of_card = {name for name, parameter in spec.parameters.items() if parameter.of_card}
    return sorted(manifest.parameters.keys() - of_card, key=_place_in(spec))


def _place_in(spec: Spec) -> Callable[[str], tuple[int, str]]:
    places = {name: place for place, name in enumerate(spec.parameters)}
    return lambda name: (places.get(name, len(places)), name)


def _parameter(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _next_minor(manifest: Manifest) -> str:
    """The version after this one in which something was added."""
    major, minor, _ = version_key(manifest.version)
    return f"{major}.{minor + 1}.0"


def _percent(share: float) -> str:
    """A share of 1 as a figure of a hundred, with one digit."""
    return f"{100 * share:.1f}"


def examples(release: Release) -> list[dict[str, Any]]:
    """Questions to show, as rows of `questions`: of templates that lie far apart, in forms and wordings that differ.

    Where there are fewer templates than are wanted, several groups of each are shown.
    """
    columns = ["question", "answers", "form", "template", "group", "answerability"]
    found: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for split in in_order(release.manifest.splits.get(DEFAULT_CONFIG, {})):
        if split == HELDOUT:
            continue
        for row in next(release.batches(DEFAULT_CONFIG, split, columns)).to_pylist():
            groups = found.setdefault(row["template"], {})
            group = row["group"] or row["question"]
            if group in groups or len(groups) < _EXAMPLES:
                groups.setdefault(group, []).append(row)
    templates = [list(groups.values()) for groups in found.values()][:: max(1, len(found) // _EXAMPLES)]
    turns = zip_longest(*templates)
    chosen = [wordings for turn in turns for wordings in turn if wordings][:_EXAMPLES]
    return [wordings[7 * i % len(wordings)] for i, wordings in enumerate(chosen)]


@dataclass(frozen=True)
class Texts:
    """Texts of one sort and who wrote them, as Markdown."""

    what: str
    count: int
    by: str


def texts_made(manifest: Manifest) -> list[Texts]:
    """Who wrote which texts, as far as the builder says."""
    model = " and ".join(map(code, _writers(manifest))) or "a language model"
    by = {
        "rule": "rules",
        "model": model,
        "given": "people or a program",
        "fallback": "rules, because the model gave no text that could be used",
    }
    return [
        Texts(_TEXTS.get(sort, sort), manifest.texts[sort][who], words + _given_as(sort, who))
        for sort in in_order_of_texts(manifest.texts)
        for who, words in by.items()
        if manifest.texts[sort].get(who)
    ]


def _given_as(sort: str, who: str) -> str:
    """Where what was given stood."""
    if who != "given":
        return ""
    return ", in the file given as `templates`" if sort in _OF_TEMPLATES else "; they were given"


def _writers(manifest: Manifest) -> list[str]:
    return list(dict.fromkeys(str(model["name"]) for model in manifest.models if model["role"] == "writer"))


def history(manifest: Manifest, spec: Spec) -> dict[str, str]:
    """Version → what changed, newest first up to this one; nothing for a release of a name of its own."""
    if manifest.name not in (spec.name, private_name(spec.name)):
        return {}
    here = version_key(manifest.version)
    known = sorted((version for version in spec.history if version_key(version) <= here), key=version_key, reverse=True)
    return {version: spec.history[version] for version in known}
