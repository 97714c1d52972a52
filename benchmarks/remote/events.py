"""Server-sent events (the HTML standard, section 9.2), read from the whole text of a stream."""

from collections.abc import Iterator

_DONE = "[DONE]"
"""What streams of OpenAI's kind end with: no event."""


def server_sent(text: str) -> Iterator[tuple[str, str]]:
    """Name and data of each event; the name is empty where there is none. Comments are left out."""
    name, data = "", list[str]()
    for line in [*text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), ""]:
        if not line:
            if data and (whole := "\n".join(data)) != _DONE:
                yield name, whole
            name, data = "", []
            continue
        key, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if key == "data":
            data.append(value)
        elif key == "event":
            name = value


def looks_like_events(text: str) -> bool:
    """Whether a text begins as such a stream does."""
    return text.lstrip("\ufeff\r\n").startswith(("data:", "event:", "id:", "retry:", ":"))
