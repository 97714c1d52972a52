"""How much of the articles' templates is not in their texts, in counts for a manifest."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from benchwright.builders.wiki.pages import Article
from benchwright.builders.wiki.text.records import OTHERS, UNREAD

_NAMED = 20
"""Templates that are named, the worst first."""


def count_templates(articles: Iterable[Article]) -> dict[str, Any]:
    """Characters that are told and that are left out, and the twenty templates that lose the most, then the rest.

    Sources, hatnotes and the like, which are not for reading, are one sum and no template's.
    """
    told, lost = 0, Counter[str]()
    for article in articles:
        told += len(article.text)
        lost.update(dict(article.left_out))
    unread, others = lost.pop(UNREAD, 0), lost.pop(OTHERS, 0)
    worst = sorted(lost.items(), key=lambda item: (-item[1], item[0]))
    rest = others + sum(count for _, count in worst[_NAMED:])
    return {
        "characters_of_texts": {
            "of the articles": told,
            "left out of templates": sum(lost.values()) + others,
            f"left out of {UNREAD}": unread,
        },
        "templates_left_out": [
            *([name, count] for name, count in worst[:_NAMED]),
            *([[OTHERS, rest]] if rest else []),
        ],
    }
