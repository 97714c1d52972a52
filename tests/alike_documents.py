"""Three short documents whose clauses and rows are much alike, for tests of triplets."""

from pathlib import Path

_WHO = ("buoy", "ferry", "light", "crane", "lock", "tug")
COMMON = (
    "## 4.7 Timers of calls\n\nA timer that is started when a buoy, a ferry or a light is heard has no other value."
)
"""A clause of all three."""
_TEXT = """## 4.{number} The {who}

The {who} shall send a {name} CALL message to the harbour office of {place}. The office answers it with a {name} REPLY
message and writes the time of the call down.
"""


def write_alike(folder: Path) -> None:
    """Writes them."""
    for number, place in enumerate(("Selby", "Orrin", "Holm"), 1):
        words = [f"{who.capitalize()} {place} {tail}" for who in _WHO[:4] for tail in ("Number", "Signal")]
        short = "\n\n".join(f"{''.join(each[0] for each in text.split())}{place[1].upper()}: {text}" for text in words)
        rows = "\n".join(
            f"| T{number}{line} | {line * 7 + number} s | the {who} of {place} is heard |"
            for line, who in enumerate(_WHO)
        )
        clauses = "\n".join(
            _TEXT.format(number=line, who=who, name=f"{who.upper()}", place=place) for line, who in enumerate(_WHO, 1)
        )
        text = (
            f"# LAS {number}0.100 Calls of {place}\n\n## 1 Scope\n\nThis document tells who calls whom in {place}.\n\n"
            f"## 2 Abbreviations\n\n{short}\n\n## 3 Timers\n\nTable 3-1: Timers of {place}\n\n"
            f"| Timer | Value | Started when |\n|---|---|---|\n{rows}\n\n## 4 Calls\n\n{clauses}\n{COMMON}\n"
        )
        (folder / f"{place.lower()}.md").write_text(text, encoding="utf-8")
