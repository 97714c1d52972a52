"""Which pages are about what happened since a date, by the dates of their introductions.

A page may be new and its matter old. Of 60 real introductions that name a year from 2022 on, all of pages begun since
then, 35 are about something that came to be since then (read one by one); this rule takes 33 of these and one other. Of
60 further pages that it takes, 55 are.
"""

from datetime import date

from benchwright.builders.wiki.pages import Article
from benchwright.builders.wiki.questions.dates import find_dates, says_birth
from benchwright.builders.wiki.questions.subjects import read_subject, split_sentences

PERSON = "about a person"
UNDATED = "its introduction names no date"
OLDER = "about what was before the date"
TO_COME = "about what is to come"


def why_not_since(article: Article, introduction: str, since: date) -> str | None:
    """Why an article is not about what happened since a day; None where it is.

    What it is about came to be at the earliest date of its title, else of the first sentence of its introduction that
    names one, births and deaths apart. That must lie from the day on, and not after the page's last edit. A person is
    no event: who won something since was born before.
    """
    if read_subject(article).is_person:
        return PERSON
    for text in (article.page.title, *(introduction[start:end] for start, end in split_sentences(introduction))):
        dates = [one.first for one in find_dates(text) if not says_birth(text, one)]
        if dates:
            first = min(dates)
            return OLDER if first < since else TO_COME if first.isoformat() > article.page.edited[:10] else None
    return UNDATED
