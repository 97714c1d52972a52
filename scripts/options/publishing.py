"""The options of every command that publishes, as one argument, and the publishing itself."""

import functools
import sys
from collections.abc import Callable
from typing import Any

import click

from benchwright.scripts.options.common import PushOption, is_on_command_line, progress, visible

_ENDPOINT: dict[str, Any] = {"metavar": "URL", "help": "The Hub.  [default: $HF_ENDPOINT, else huggingface.co]"}
_OPTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("--repo-id", {"metavar": "NAMESPACE/NAME", "help": "The repository.  [default: yours, of the release's name]"}),
    ("--public", {"is_flag": True, "help": "Make a new repository public; otherwise it is private."}),
    ("--create-pr", {"is_flag": True, "help": "Open a pull request, and change nothing."}),
    ("--endpoint", _ENDPOINT),
    ("--allow-source-data", {"is_flag": True, "help": "Rows of data that are not ours may be public."}),
    ("--no-baselines", {"is_flag": True, "help": "Do not score the built-in baselines for the card."}),
    (
        "--evaluation",
        {"metavar": "NAME", "help": "Add eval.yaml with this framework of the Hub's list, for its own leaderboards."},
    ),
    ("--dry-run", {"is_flag": True, "help": "Say what would be pushed, and push nothing."}),
)


endpoint_option = click.option("--endpoint", **_ENDPOINT)
"""`--endpoint URL`, of a command that has no other option about publishing."""


def push_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options above; the command gets them as `push_settings`."""

    @functools.wraps(function)
    def command(**values: Any) -> Any:
        given = {name: values.pop(name) for name in (text.lstrip("-").replace("-", "_") for text, _ in _OPTIONS)}
        return function(**values, push_settings=given)

    for name, attributes in reversed(_OPTIONS):
        command = click.option(name, cls=PushOption, **attributes)(command)
    return command


def check_unused() -> None:
    """Raises UsageError where the command line says how to publish, and not that it is to be done."""
    from benchwright.benchmarks.errors import UsageError

    for option, _ in _OPTIONS:
        if is_on_command_line(option.lstrip("-").replace("-", "_")):
            raise UsageError(f"{option} is about publishing: add --push")


def hide_transfers(quiet: bool) -> None:
    """Leaves out the bars of the Hub's client where nobody sees them, or wants to."""
    if quiet or not sys.stderr.isatty():
        from huggingface_hub.utils import disable_progress_bars

        disable_progress_bars()


def push_halves(release: Any, push_settings: dict[str, Any], quiet: bool) -> None:
    """Publishes a release, and before it its private half if it has one, in a private repository beside it."""
    from benchwright.benchmarks.releases.release import Release

    if release.manifest.holdout is not None:
        hidden = release.folder.parent.parent / release.manifest.holdout["private"] / release.manifest.version
        repo_id = push_settings["repo_id"]
        beside = {"public": False, "repo_id": f"{repo_id}-private" if repo_id else None}
        push(Release.load(hidden), {**push_settings, **beside}, quiet)
    push(release, push_settings, quiet)


def push(release: Any, push_settings: dict[str, Any], quiet: bool) -> None:
    """Publishes a release, or says what would be published."""
    from benchwright.cards.hub.evaluation import evaluation_text
    from benchwright.cards.hub.publish import Target, check_publishable, publish
    from benchwright.cards.hub.push import commit_message
    from benchwright.cards.hub.uploads import takes_baselines, uploads, uploads_to

    settings = dict(push_settings)
    is_dry, is_measured = settings.pop("dry_run"), not settings.pop("no_baselines")
    target = Target(**settings)
    if is_dry:
        check_publishable(release.manifest, target)
        place = target.repo_id or f"YOU/{release.manifest.name}"
        files = uploads_to(place, release, uploads(release))
        for file in files:
            click.echo(f"{file.bytes:>13,}  {file.path}")
        click.echo(f"{sum(file.bytes for file in files):>13,}  bytes in {len(files):,} files")
        kind = "public" if target.public else "private"
        if is_measured and takes_baselines(release):
            click.echo("and baselines.json, with what the built-in baselines score, for the card")
        if target.evaluation:
            click.echo("and eval.yaml beside the release, on main alone:")
            for line in evaluation_text(release.manifest, target.evaluation).splitlines():
                click.echo(visible(f"    {line}"))
        click.echo(f"to {place} ({kind} if new), tag v{release.manifest.version}, one commit:")
        click.echo(commit_message(release.manifest))
        return
    hide_transfers(quiet)
    done = publish(release, target, functools.partial(_measured, quiet) if is_measured else None)
    click.echo(visible(done.url))
    if not quiet:
        kind = "private" if done.is_private else "public"
        tag = f", tag {done.tag}" if done.tag else ""
        click.echo(f"{done.repo_id} ({kind}): {done.state}, commit {done.commit[:12]}{tag}", err=True)


def _measured(quiet: bool, release: Any) -> Any:
    """What the baselines score, with progress."""
    from benchwright.benchmarks.reports.baselines import measure_baselines

    if not quiet:
        click.echo("scoring the built-in baselines for the card (--no-baselines leaves them out)", err=True)
    with progress(quiet) as update:
        return measure_baselines(release, update)
