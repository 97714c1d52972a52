"""What maintainers say in a pull request: the verdict, of exactly one revision, once."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from benchwright.benchmarks.leaderboards.verdict import Figure, Part, Verdict
from benchwright.benchmarks.reports.format import number_of
from benchwright.cards.blocks.markdown_text import code, escape, unlinked

_MARK = re.compile(r"^Looked at: revision `([0-9a-f]{40})`, with benchwright (\S{1,40})\.$", re.MULTILINE)
ACCEPTED = "**Accepted**"
"""What a comment on what came in begins with."""
_MOST = 40
"""Rows of the table."""
_PARTS = {"test": "open questions", "heldout": "held-out questions"}


def was_looked_at(
    comments: Iterable[tuple[str, str]], maintainers: Collection[str], revision: str, made_by: str, beginning: str = ""
) -> bool:
    """Whether a maintainer's comment says already what came of a revision.

    Args:
        comments: user and text of each.
        maintainers: whose comments count.
        revision: the commit.
        made_by: the version of benchwright that is to look at it.
        beginning: what the comment begins with.
    """
    own = [text for user, text in comments if user in maintainers and text.startswith(beginning)]
    return any((revision, made_by) in _MARK.findall(text) for text in own)


def accepted(verdict: Verdict, commit: str) -> str:
    """The comment on what was accepted.

    Args:
        verdict: what was found.
        commit: of main, since which it is part of the leaderboard.
    """
    lines = [
        f"{ACCEPTED}: {_name(verdict)} is part of the leaderboard since the commit `{commit}`.",
        "",
        "Every figure that rules compute was computed again from the predictions. This pull request is closed and not "
        "merged: the commit holds exactly the files of the revision that was looked at.",
        "",
        *_figures(verdict.parts),
        *_flags(verdict, "Readers are told:"),
    ]
    return _signed(lines, verdict.revision, verdict.scored_by)


def in_already(revision: str, made_by: str) -> str:
    """The comment on what an earlier start accepted."""
    lines = [
        f"{ACCEPTED}: this is part of the leaderboard. It is closed, not merged: exactly its files are there.",
        "",
    ]
    return _signed(lines, revision, made_by)


def waiting(verdict: Verdict) -> str:
    """The comment on what a person is to decide."""
    lines = [
        f"**Waits for a maintainer**: the figures of {_name(verdict)} were found again. Somebody has to look at it:",
        "",
        *_flags(verdict, ""),
        f"A maintainer takes it with `publish-leaderboard … --accept {verdict.number}`.",
        "",
    ]
    return _signed(lines, verdict.revision, verdict.scored_by)


def refused(reasons: Sequence[str], revision: str, made_by: str) -> str:
    """The comment on what is refused."""
    lines = [
        "**Not accepted:**",
        "",
        *(f"- {unlinked(each)}" for each in reasons),
        "",
        "Mend it and send it again: `submit-system` puts it into this pull request, which stays open.",
        "",
    ]
    return _signed(lines, revision, made_by)


def changed(revision: str, made_by: str) -> str:
    """The comment on what changed while it was looked at. The next start looks at it again."""
    return (
        f"**Changed meanwhile**: the revision `{revision}` was looked at, and is not the newest now. The next start "
        f"of `publish-leaderboard` looks at that one (benchwright {made_by})."
    )


def _signed(lines: Sequence[str], revision: str, made_by: str) -> str:
    return "\n".join([*lines, f"Looked at: revision `{revision}`, with benchwright {made_by}."])


def _name(verdict: Verdict) -> str:
    return f"{code(verdict.system)} on {code(f'{verdict.benchmark} {verdict.version}')}"


def _flags(verdict: Verdict, title: str) -> list[str]:
    if not verdict.flags:
        return []
    return [*([title, ""] if title else []), *(f"- {unlinked(each)}" for each in verdict.flags), ""]


def _figures(parts: Sequence[Part]) -> Iterator[str]:
    for part in parts:
        facts = [number_of(part.questions, "question")]
        facts += [f"{count:,} {what}" for what in ("abstained", "failed", "missing") if (count := getattr(part, what))]
        yield f"{_PARTS.get(part.split, escape(part.split)).capitalize()} ({', '.join(facts)})"
        yield ""
        if not part.figures:
            yield "Not scored yet: maintainers do that with the private half of the benchmark."
        else:
            yield "| metric | found | claimed | |"
            yield "| --- | ---: | ---: | --- |"
            yield from (_row(name, figure) for name, figure in list(part.figures.items())[:_MOST])
            if len(part.figures) > _MOST:
                yield f"\nand {len(part.figures) - _MOST:,} more."
        yield ""


def _row(name: str, figure: Figure) -> str:
    values = " | ".join("" if value is None else f"{value:.4f}" for value in (figure.value, figure.claimed))
    return f"| {unlinked(name if len(name) <= 200 else name[:199] + '…')} | {values} | {figure.mark} |"
