"""Questions by rules: who, when, where, which and how many, from what an article's sentences say of its subject.

A question names its subject, so that it stands alone, and has a short answer that its evidence, one sentence or one
line of an infobox, states word for word. Doubtful ones are left out, and every one of them is counted with its reason.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date

from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.text.dates import MONTHS
from benchwright.builders.wiki.page_rules import is_list
from benchwright.builders.wiki.pages import Article
from benchwright.builders.wiki.questions.article_questions import ArticleQuestion, ArticleQuestions, RejectedQuestion
from benchwright.builders.wiki.questions.candidates import Candidate, candidates
from benchwright.builders.wiki.questions.dates import find_dates
from benchwright.builders.wiki.questions.fact_dates import date_fact, is_after
from benchwright.builders.wiki.questions.languages import is_common
from benchwright.builders.wiki.questions.subjects import ArticleSubject, read_sentences, read_subject
from benchwright.builders.wiki.questions.uniqueness import SEVERAL, UNNAMED, Telling, is_shortened
from benchwright.builders.wiki.questions.vocabulary import listed
from benchwright.builders.wiki.questions.wordings import named

BY_RULE = "rule"
IN_QUESTION = "the answer is in the question"
SAME_EVIDENCE = "another question has the same evidence"
_WORD = re.compile(r"\w+")
_LONGEST = 160
_RAW_TITLE = re.compile(r" – | at the (?:1[89]|20)\d\d |^(?:1[89]|20)\d\d .*\bPresident of .* election$")
_LOOKED_AT = 20_000
"""Characters of an article that are searched for the same once more."""
_MEASURED = re.compile(r"What is the ([a-z ]+?) of ")
_NO_NAMES = frozenset((*MONTHS, "He", "She", "It", "This", "These", "They", "His", "Her"))


def ask_by_rule(article: Article, language: str = "en", named_as: ArticleSubject | None = None) -> ArticleQuestions:
    """Every question that the rules can ask of an article, in the order of its text, and those that they reject.

    Languages but English have patterns (`questions_by_pattern.py`).

    Args:
        article: what is asked about.
        language: of its text.
        named_as: its subject as English questions name it, where that is not as the article alone tells.
    """
    if language != "en":
        from benchwright.builders.wiki.questions.questions_by_pattern import ask_by_pattern

        return ask_by_pattern(article, language)
    subject = named_as or read_subject(article)
    asked: list[ArticleQuestion] = []
    rejected: list[RejectedQuestion] = []
    seen: dict[str, str] = {}
    problem = _unfit(article, subject)
    sentences = tuple(read_sentences(article, subject))
    telling = Telling()
    for sentence in sentences:
        telling.add(sentence.start, sentence.text, sentence.rest is not None)
    for sentence in sentences:
        for candidate in named(candidates(sentence, subject, telling), subject, article.page.title):
            reason = problem or candidate.problem or _doubt(candidate, article, subject)
            same = _key(candidate.question)
            before = "" if reason else seen.get(same, "")
            if before and _says_less(candidate.answer, before):
                reason = "it is asked already"
            elif before:
                is_finer = _says_less(before, candidate.answer)
                reason = "" if is_finer else "another sentence gives another answer"
                told = "it is asked already" if is_finer else reason
                rejected += [
                    RejectedQuestion(one.page, one.question, one.answer, told)
                    for one in asked
                    if _key(one.question) == same
                ]
                asked = [one for one in asked if _key(one.question) != same]
            if reason:
                rejected.append(RejectedQuestion(article.page.id, candidate.question, candidate.answer, reason))
                continue
            seen[same] = candidate.answer
            asked.append(_asked(article, candidate))
    return ArticleQuestions(tuple(asked), tuple(rejected))


def choose(
    asked: Iterable[ArticleQuestion], count: int, seed: int, *, after: date | None = None
) -> tuple[ArticleQuestion, ...]:
    """So many questions of one article, no two with the same evidence, in a seeded order that varies their kinds.

    Those whose facts lie after a cutoff come first, where one is given.
    """
    ranked = sorted(asked, key=lambda one: _rank(seed, one))
    taken: list[ArticleQuestion] = []
    kinds: Counter[str] = Counter()
    while len(taken) < count:
        free = [one for one in ranked if all(one.start >= each.end or one.end <= each.start for each in taken)]
        if not free:
            break
        best = min(
            free,
            key=lambda one: (
                after is not None and not is_after(one.fact_date, after, one.dated_by),
                _is_common(one),
                kinds[one.answer_kind],
                _is_date(one),
            ),
        )
        kinds[best.answer_kind] += 1
        taken.append(best)
    return tuple(taken)


def choose_of_each(
    asked: Iterable[ArticleQuestion], count: int, seed: int, *, after: Mapping[int, date] | None = None
) -> list[ArticleQuestion]:
    """So many questions of each article, of those that the filters left: see `choose`.

    Args:
        after: page → the cutoff after which its facts come first; of other pages none does.
    """
    by_page: dict[int, list[ArticleQuestion]] = {}
    for one in asked:
        by_page.setdefault(one.page, []).append(one)
    first = after or {}
    return [one for page, of_page in by_page.items() for one in choose(of_page, count, seed, after=first.get(page))]


def _is_date(asked: ArticleQuestion) -> bool:
    return asked.answer_kind == "date"


def _is_common(asked: ArticleQuestion) -> bool:
    """Whether it asks what could be asked of anybody."""
    return is_common(asked.question)


def _key(question: str) -> str:
    """A question, the same for a year and for a day."""
    return question.replace("In which year was", "When was")


def _says_less(answer: str, other: str) -> bool:
    """Whether an answer is the other one, or a date that holds it."""
    if answer == other:
        return True
    one, two = find_dates(answer), find_dates(other)
    return len(one) == len(two) == 1 and one[0].first <= two[0].first and two[0].last <= one[0].last


def _rank(seed: int, asked: ArticleQuestion) -> bytes:
    return rank(seed, asked.page, asked.question, joined_by="\0", algorithm="sha256")


def _unfit(article: Article, subject: ArticleSubject) -> str:
    """Why nothing should be asked of an article at all."""
    if is_list(article.page.title):
        return "it is a list"
    if not subject.is_defined:
        return "the first sentence does not say what the subject is"
    if not re.search(r"[^\W\d_]{2}", subject.title):
        return "the subject's name is no word"
    if _RAW_TITLE.search(subject.title):
        return "the subject's name is no name that is said"
    return "the subject's name is too long" if len(subject.title) > 80 else ""


def _doubt(candidate: Candidate, article: Article, subject: ArticleSubject) -> str:
    """Why a question should not be asked."""
    question, answer = candidate.question, candidate.answer
    evidence = article.text[candidate.start : candidate.end]
    if answer not in evidence:
        return "the evidence does not state the answer"
    if len(question) > _LONGEST:
        return "the question is too long"
    if holds_answer(question, answer):
        return IN_QUESTION
    worded = re.sub(r"\W+", " ", question.lower())
    if re.sub(r"\W+", " ", subject.title.lower()).strip() not in worded:
        return "the question does not name its subject"
    if candidate.kind != "date" and candidate.kind != "number" and _is_odd(answer):
        return "the answer is no name"
    if any(sign in question for sign in "[]{}|\n\t") or question.count('"') % 2 or "  " in question:
        return "the question has stray signs"
    measured = _MEASURED.match(question)
    if measured and len(re.findall(rf"\b{measured[1].split()[-1]}\b", article.text[:_LOOKED_AT], re.IGNORECASE)) > 1:
        return SEVERAL
    said = question.replace(next((name for name in subject.names if name in question), subject.title), "")
    before = article.text[max(0, candidate.start - _LOOKED_AT) : candidate.start]
    return UNNAMED if is_shortened(said.partition(" ")[2], before) else ""


def holds_answer(question: str, answer: str) -> bool:
    """Whether a question gives its answer away: all words of the answer, but for little ones, are in it."""
    asked = set(_WORD.findall(question.lower()))
    said = [word for word in _WORD.findall(answer.lower()) if word not in listed("little")]
    return bool(said) and asked.issuperset(said)


def _is_odd(answer: str) -> bool:
    return len(answer) < 3 or answer.endswith(("'s", "’s")) or answer.partition(" ")[0] in _NO_NAMES


def _asked(article: Article, candidate: Candidate) -> ArticleQuestion:
    dated = date_fact(article, candidate.start, candidate.end, candidate.answer, candidate.kind)
    aliases: tuple[str, ...] = ()
    if candidate.kind == "place" and "," in candidate.answer:
        aliases = (candidate.answer.partition(",")[0],)
    return ArticleQuestion(
        article.page.id, candidate.question, candidate.answer, aliases, candidate.kind, candidate.start, candidate.end,
        BY_RULE, dated.as_text() if dated else None, dated.read_from if dated else "",
    )  # fmt: skip


def counted(rejected: Iterable[RejectedQuestion]) -> dict[str, int]:
    """Reason → questions, the most frequent first."""
    counts = Counter(one.reason for one in rejected)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
