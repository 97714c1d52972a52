"""Texts of others inside prompts, such as answers that are judged: each stands between two marks that it does not hold.

In a prompt's file: `{{ answer | fenced }}`.
"""

import hashlib


def fenced(text: str) -> str:
    """A text between a line that opens it and a line that ends it, whose mark is made of the text itself.

    Whoever writes the text cannot end it early, since what is written changes the mark; the same text has the same one.
    """
    mark = ""
    while not mark or mark in text:
        mark = hashlib.sha256(f"{mark}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"<text {mark}>\n{text}\n</text {mark}>"
