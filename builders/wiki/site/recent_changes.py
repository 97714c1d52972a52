"""Which pages were edited last, from the wiki's list of recent changes.

The list is MediaWiki's module `recentchanges` (https://www.mediawiki.org/wiki/API:RecentChanges): 500 edits in a reply,
those of the last weeks alone (Wikimedia's wikis keep 90 days). It does not tell when a page was begun.
"""

import logging
from collections.abc import Iterator, Mapping
from datetime import datetime

from benchwright.builders.wiki.site.cached_wiki import CachedWiki
from benchwright.builders.wiki.site.connection import RefusedError
from benchwright.builders.wiki.site.listing import ListedPage, stamp

log = logging.getLogger("benchwright")

_QUERY: Mapping[str, str | int] = {
    "list": "recentchanges", "rcnamespace": 0, "rctype": "edit|new", "rcdir": "older", "rclimit": "max",
    "rcprop": "ids|title",
}  # fmt: skip


def last_edited(wiki: CachedWiki, before: datetime) -> Iterator[ListedPage]:
    """Articles by their last edit before a moment, the newest first, each once and with no time of creation.

    They are asked for as they are used up, 500 edits at a time. Where the wiki does not show its list there are none.

    Raises:
        BenchwrightError: the wiki does not reply.
    """
    known: set[int] = set()
    try:
        for reply in wiki.ask_on({**_QUERY, "rcstart": stamp(before)}):
            for change in reply.get("query", {}).get("recentchanges", ()):
                number = change.get("pageid", 0)  # 0 of a page that was deleted since
                if number and number not in known:
                    known.add(number)
                    yield ListedPage(number, "", change.get("title", ""), 0)
    except RefusedError as error:
        log.warning("the pages edited last cannot be listed, and are drawn from all new ones: %s", error)
