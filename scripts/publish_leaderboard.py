"""`publish-leaderboard`: makes a leaderboard, verifies what was submitted, ranks it."""

import os
from typing import TYPE_CHECKING, Any, Literal

import click

from benchwright.scripts.options.common import (
    Command,
    is_on_command_line,
    progress,
    releases_option,
    set_option,
    shared,
    start_logging,
    visible,
)
from benchwright.scripts.options.publishing import endpoint_option, hide_transfers

if TYPE_CHECKING:
    from benchwright.cards.leaderboard.commit import Published
    from benchwright.cards.leaderboard.hub import BoardRepository
    from benchwright.cards.leaderboard.look import Looked
    from benchwright.cards.leaderboard.publish import Keeping


@click.command(
    "publish-leaderboard", cls=Command, order=80, short_help="Keep a leaderboard: make it, verify submissions, rank."
)
@click.argument("repository", metavar="REPO")
@click.option("--create", is_flag=True, help="Make it, with a static Space for its page; or add to one that is there.")
@click.option(
    "--benchmark",
    "benchmarks",
    multiple=True,
    metavar="REPO[@VERSION]",
    help="With --create: a release on the Hub that is ranked; repeatable.",
)
@click.option("--title", help="With --create: its title.")
@click.option(
    "--organiser",
    "organisers",
    multiple=True,
    metavar="USER",
    help="With --create: whose systems are marked as the organisers'; repeatable.  [default: you]",
)
@click.option("--public", is_flag=True, help="With --create: make new repositories public; otherwise they are private.")
@click.option(
    "--accept",
    multiple=True,
    metavar="N|all",
    help="Look at this pull request alone, and take it in though readers are to be warned of it; repeatable.",
)
@click.option("--check", is_flag=True, help="Only look at the pull requests, and change nothing.")
@click.option(
    "--rescore",
    is_flag=True,
    help="Score all submissions again from their predictions, as a newer version of a metric takes it.",
)
@click.option(
    "--private",
    multiple=True,
    metavar="RELEASE",
    help="The private half of a release with held-out answers; repeatable.  [default: NAME-private under --releases, "
    "else beside the release on the Hub]",
)
@click.option(
    "--workflow", is_flag=True, help="Print a workflow file that does all this on a schedule, and do nothing."
)
@click.option(
    "--open-round",
    metavar="BENCHMARK",
    help="Open a round: a secret edition of BENCHMARK, of which documents and questions are published.",
)
@click.option(
    "--round", "round_name", metavar="NAME", help="With --open-round: its name.  [default: BENCHMARK-round-N]"
)
@click.option(
    "--closes", default="14d", metavar="WHEN", show_default=True, help="With --open-round: until when teams commit."
)
@click.option(
    "--reveal",
    default="7d",
    metavar="WHEN",
    show_default=True,
    help="With --open-round: until when they send their predictions after that.",
)
@set_option
@click.option("--close-round", metavar="ROUND", help="Score a round whose time is over, and reveal its answers.")
@releases_option(", where a private half lies, and where the edition of a round is built.")
@endpoint_option
@shared
def main(repository: str, endpoint: str | None, verbose: bool, quiet: bool, **settings: Any) -> None:
    """Keep the leaderboard REPO, a repository of data on the Hugging Face Hub.

    With --create it is made: the repository, and a static Space that shows its page. Without, every open pull request
    is looked at: its figures are computed again from its predictions, what is right comes in, the rest is told why
    not, and results, card and page are made anew. A start that was cut off goes on with the same command.

    A round's secret is kept in RELEASES/ROUND.secret.json and in the private repository REPO-secrets. WHEN is a time,
    or how long: 14d, 36h, 90m, 30s.
    """
    start_logging(verbose, quiet)
    if settings["workflow"]:
        from benchwright.cards.leaderboard.card import render_workflow

        click.echo(render_workflow(repository), nl=False)
        return
    if endpoint:
        os.environ["HF_ENDPOINT"] = endpoint.rstrip("/")
    from benchwright.benchmarks.reports.format import number_of
    from benchwright.cards.leaderboard.create import NewBoard, create_board
    from benchwright.cards.leaderboard.hub import BoardRepository
    from benchwright.cards.leaderboard.publish import Keeping, keep_board

    board = BoardRepository(repository)
    new = {name: settings[name] for name in ("benchmarks", "title", "organisers", "public")}
    how = Keeping(
        _numbers(settings["accept"]),
        settings["check"],
        settings["rescore"],
        settings["private"],
        settings["releases"],
    )
    looks = how.accept is not None or how.check
    if not settings["create"]:
        _check_new(new)
    elif looks or how.rescore or settings["open_round"] or settings["close_round"]:
        raise click.UsageError("--create makes a leaderboard: start it again without, to look at pull requests")
    if looks and how.rescore:
        raise click.UsageError("--rescore looks at no pull request: start it without --accept and --check")
    _check_round(settings, looks or how.rescore)
    hide_transfers(quiet)
    if settings["open_round"] or settings["close_round"]:
        _round(board, how, settings, quiet)
        return
    if settings["create"]:
        _show(repository, create_board(board, NewBoard(**new)), quiet)
        return
    with progress(quiet) as update:
        kept = keep_board(board, how, update)
    for each in kept.looked:
        click.echo(visible(said_of(each)))
    if how.rescore:
        count = sum(each.problem is None for each in kept.rescored)
        click.echo(f"{count:,} of {number_of(len(kept.rescored), 'submission')} scored again")
    if kept.published is not None:
        _show(repository, kept.published, quiet)


def _round(board: "BoardRepository", how: "Keeping", settings: dict[str, Any], quiet: bool) -> None:
    """Opens or closes a round."""
    from benchwright.cards.leaderboard.round_close import close_round
    from benchwright.cards.leaderboard.round_open import NewRound, open_round
    from benchwright.scripts.options.editions import build_edition

    if settings["open_round"]:
        names = ("closes", "reveal", "settings")
        new = NewRound(settings["open_round"], settings["round_name"], **{name: settings[name] for name in names})
        with progress(quiet) as update:
            opened = open_round(board, new, how, build_edition, update)
        click.echo(visible(opened.edition_url))
        if not quiet:
            terms = opened.terms
            click.echo(
                f"{terms.name} is open: {terms.edition.questions:,} questions; teams commit until {terms.closes} and "
                f"send their predictions until {terms.revealed_until}",
                err=True,
            )
        return
    with progress(quiet) as update:
        closed = close_round(board, settings["close_round"], how, build_edition, update)
    for each in closed.outcome.teams:
        reason = f": {each.reason}" if each.reason else ""
        click.echo(visible(f"{each.team} ({each.system or 'no system'}) {each.state}{reason}"))
    for team in closed.outcome.late:
        click.echo(visible(f"{team} committed too late"))
    click.echo(visible(closed.answers_url))
    if not quiet:
        name = closed.outcome.round
        said = "scored already" if closed.published is None else "scored and revealed"
        click.echo(
            f"{name}: {said}; verify-benchmark {closed.outcome.repository} --round {board.repo_id}:{name}", err=True
        )


def said_of(looked: "Looked") -> str:
    """What came of a pull request, in a line."""
    who = f"#{looked.pull.number} {looked.place or 'submission'} ({looked.pull.submitter or 'a user who is no more'})"
    reasons = (
        f": {'; '.join(looked.reasons)}"
        if looked.reasons and looked.outcome in ("refused", "waits", "unreadable")
        else ""
    )
    return f"{who} {_OUTCOMES[looked.outcome]}{reasons}"


_OUTCOMES = {
    "accepted": "accepted",
    "in already": "accepted before",
    "refused": "not accepted",
    "waits": "waits for --accept",
    "changed": "changed meanwhile: start again",
    "looked at before": "looked at before",
    "of a round": "belongs to a round: it is looked at when that is closed",
    "unreadable": "not looked at",
}


def _show(repository: str, done: "Published", quiet: bool) -> None:
    """Where it is, and what was changed."""
    click.echo(visible(done.url))
    if done.page:
        click.echo(visible(done.page))
    if not quiet:
        said = f"commit {done.commit[:12]}" if done.changed else f"there already, commit {done.commit[:12]}"
        click.echo(f"{repository}: {said}", err=True)


def _numbers(accept: tuple[str, ...]) -> "frozenset[int] | Literal['all'] | None":
    """The pull requests that are named."""
    if not accept or "all" in accept:
        return "all" if accept else None
    for each in accept:
        if not each.lstrip("#").isdecimal():
            raise click.BadParameter(f"{each!r} is no pull request: give its number, or all", param_hint="--accept")
    return frozenset(int(each.lstrip("#")) for each in accept)


def _check_round(settings: dict[str, Any], does_more: bool) -> None:
    """Raises UsageError where the command line wants of a round what cannot be."""
    for name in ("round_name", "closes", "reveal", "settings"):
        if is_on_command_line(name) and not settings["open_round"]:
            option = {"round_name": "round", "settings": "set"}.get(name, name)
            raise click.UsageError(f"--{option} is about a new round: add --open-round BENCHMARK")
    if settings["open_round"] and settings["close_round"]:
        raise click.UsageError("a round is opened or closed: give one of --open-round and --close-round")
    if does_more and (settings["open_round"] or settings["close_round"]):
        raise click.UsageError("a round is opened or closed by itself: leave out --accept, --check and --rescore")


def _check_new(new: dict[str, Any]) -> None:
    """Raises UsageError where the command line says what a new leaderboard is to be, and not that it is to be made."""
    from benchwright.benchmarks.errors import UsageError

    for name in new:
        if is_on_command_line(name):
            option = {"benchmarks": "benchmark", "organisers": "organiser"}.get(name, name)
            raise UsageError(f"--{option} says what a new leaderboard is to be: add --create")


if __name__ == "__main__":
    main()
