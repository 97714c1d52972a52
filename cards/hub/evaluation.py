"""The Hub's own evaluation results: `eval.yaml` of a benchmark, and `.eval_results/*.yaml` of a model.

The Hub takes one value a task, shows it at the model and, for benchmarks that it lists, ranks models by it. Schemas:
https://huggingface.co/docs/hub/eval-results
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.catalogue import load_spec
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.naming import check_name
from benchwright.benchmarks.releases.manifest import Manifest
from benchwright.benchmarks.releases.release import HELDOUT, TEST
from benchwright.benchmarks.schemas import DEFAULT_CONFIG
from benchwright.cards.blocks.markdown_text import one_line

FILE, FOLDER = "eval.yaml", ".eval_results"
_NOTES = 300
"""Characters."""
_NEEDS_MORE = "inspect-ai"
"""A framework that the Hub runs itself: it wants solvers and scorers, which our benchmarks have not."""


@dataclass(frozen=True)
class Result:
    """A value of a model in a benchmark."""

    dataset: str
    """The benchmark's repository."""
    revision: str | None
    """The commit of its version."""
    metric: str
    value: float
    source: str
    """The address where it is from."""
    source_name: str
    user: str
    notes: str = ""


def task_of(metric: str) -> str:
    """What the Hub calls the task of a metric: `ndcg@5` is ndcg-at-5."""
    return metric.replace("@", "-at-")


def evaluation_text(manifest: Manifest, framework: str) -> str:
    """`eval.yaml` of a release: one task, its primary metric.

    Args:
        manifest: of the release.
        framework: one of the Hub's closed list.

    Raises:
        UsageError: the framework wants more than there is.
        BenchwrightError: its builder, which says what leads, is not installed.
    """
    import yaml

    if framework == _NEEDS_MORE:
        raise UsageError(f"--evaluation {framework}: the Hub wants solvers and scorers for it; name another framework")
    check_name(framework, "framework")
    spec = load_spec(manifest.builder)
    split = TEST if TEST in manifest.splits.get(DEFAULT_CONFIG, {}) else HELDOUT
    content = {
        "name": one_line(spec.title if manifest.name == spec.name else f"{manifest.name}: {spec.title}"),
        "description": one_line(spec.description),
        "evaluation_framework": framework,
        "tasks": [{"id": task_of(spec.primary_metric.replace("@k", "@5")), "config": DEFAULT_CONFIG, "split": split}],
    }
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=1000)


def add_evaluation(api: Any, repo_id: str, text: str) -> bool:
    """Puts `eval.yaml` into a repository of data, where it is not there already. Says whether it had to."""
    from huggingface_hub import CommitOperationAdd

    if _holds(api, repo_id, "dataset", "main", FILE, text):
        return False
    add = CommitOperationAdd(FILE, text.encode())
    api.create_commit(repo_id, [add], commit_message=f"{FILE}: the Hub may rank models", repo_type="dataset")
    return True


def result_text(result: Result) -> str:
    """A value as a file in `.eval_results`."""
    import yaml
    from huggingface_hub import EvalResultEntry, eval_result_entries_to_yaml

    entry = EvalResultEntry(
        dataset_id=result.dataset,
        task_id=task_of(result.metric),
        value=round(result.value, 6),
        dataset_revision=result.revision,
        source_url=result.source,
        source_name=result.source_name,
        source_user=result.user,
        notes=one_line(result.notes)[:_NOTES] or None,
    )
    return yaml.safe_dump(eval_result_entries_to_yaml([entry]), sort_keys=False, allow_unicode=True, width=1000)


def propose_result(api: Any, model: str, name: str, result: Result) -> str:
    """Opens a pull request with a value at a model's repository, or finds the one that is open; gives its address.

    Raises:
        BenchwrightError: the model has exactly this already.
    """
    from huggingface_hub import CommitOperationAdd

    path, text, title = f"{FOLDER}/{name}.yaml", result_text(result), f"Evaluation result: {name}"
    if _holds(api, model, "model", "main", path, text):
        raise BenchwrightError(f"{model} has this result already: leave out --model-repo")
    given: Mapping[str, Any] = {"repo_type": "model", "commit_message": title}
    add = [CommitOperationAdd(path, text.encode())]
    found = api.get_repo_discussions(
        model, author=result.user, discussion_type="pull_request", discussion_status="open"
    )
    for each in sorted((one for one in found if one.title == title), key=lambda one: -one.num):
        if not _holds(api, model, "model", each.git_reference, path, text):
            api.create_commit(model, add, revision=each.git_reference, **given)
        return str(each.url)
    return str(api.create_commit(model, add, create_pr=True, **given).pr_url)


def _holds(api: Any, repo_id: str, kind: str, revision: str, path: str, text: str) -> bool:
    """Whether a revision has a file of exactly this text."""
    data = text.encode()
    blob = hashlib.sha1(f"blob {len(data)}\0".encode() + data, usedforsecurity=False).hexdigest()
    there = api.get_paths_info(repo_id, [path], revision=revision, repo_type=kind)
    return any(getattr(each, "blob_id", None) == blob for each in there)
