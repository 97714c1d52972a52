"""Why a submission is refused, in words that strangers' texts cannot use for anything."""

from collections.abc import Iterable

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.budget import advice

_LONGEST, _LONGEST_REASON = 80, 500


class RefusedError(BenchwrightError):
    """A submission that is not taken: one reason a line, each plain text that whoever shows it has to escape."""

    def __init__(self, *reasons: str) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = reasons


def plain(text: str, most: int = _LONGEST) -> str:
    """A stranger's text on one line and cut: nothing that steers a terminal, turns writing round or cannot be seen."""
    short = text[: most + 1]
    kept = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in short)
    return kept if len(kept) <= most else kept[: most - 1] + "…"


def quoted(text: str) -> str:
    """The same between quotation marks."""
    return f'"{plain(text)}"'


def reason_of(error: BaseException, folders: Iterable[object] = ()) -> str:
    """What an error says, without the folders of this machine."""
    said = str(error).partition(f"; {advice()}")[0]  # which is for who trusts the file
    for folder in folders:
        said = said.replace(f"{folder}/", "").replace(str(folder), "the submission")
    return plain(said, _LONGEST_REASON)
