"""The checker by rule: compares the words of a wording with the words of the schema, and refuses what names another
column, another relation or direction, or says what is neither asked nor given.

Where it cannot tell, it refuses: a word that neither the schema nor the lexicon knows may be a condition.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.grounding.sql import PLACEHOLDER, SqlTemplate
from benchwright.builders.sql.joins import equations, followed_key, role_of, turned
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.vocabulary import Vocabulary
from benchwright.builders.sql.wording import english
from benchwright.builders.sql.wording.lexicon import PLACE, all_of, asks_for, done_by, same, stem, tokens, words_called
from benchwright.builders.sql.wording.text_checks import Problem

_LOOSE = frozenset({"long", "formal", "casual"})
"""Forms that may talk of other things around what they ask."""
_MARKS = frozenset(".?!;:,()–—")
_FAR = 6
"""The most tokens of a long wording from one of what is asked and given to the next, where they belong together."""
_CLAUSES = words_called("clauses")
"""Words that begin a clause of its own."""
_ENDS = frozenset(".?!;")
_NEAR = 3
"""Tokens before what is asked that may still belong to it."""
_ARTICLES = frozenset({"the", "a", "an", "this", "that"})
_BE = frozenset({"is", "was", "are", "were", "be"})
_DO = frozenset({"did", "do", "doe", "has", "have", "had", "will"})
_PREPOSITIONS = frozenset({"in", "of", "to", "from", "by", "with", "on", "at", "for"})
_SPOKEN_OF = frozenset({"person", "peopl", "someon", "somebodi", "man", "woman", "whoever", "one", "those"})
_GENERIC = words_called("generic")


@dataclass(frozen=True)
class Relation:
    """A foreign key that a template follows."""

    role: str
    """What the row that the key leads to is to the other one."""
    cues: frozenset[str]
    """Tokens of which one must be there."""
    licensed: frozenset[str]
    from_given: bool
    """Whether it leads from what is given towards what is asked."""


@dataclass(frozen=True)
class Sense:
    """What a template asks, as tokens."""

    asked: frozenset[str]
    """That name what is asked for."""
    own: frozenset[str]
    """The column's own words."""
    kinds: frozenset[str]
    """That ask for a value of its kind."""
    siblings: tuple[tuple[str, frozenset[str], frozenset[str]], ...]
    """Other columns of its table: words, tokens, and tokens of their kind."""
    relations: tuple[Relation, ...]
    given: tuple[frozenset[str], ...]
    """For each thing that is given and is no name: tokens of which one must be there."""
    given_nouns: frozenset[str]
    """That may stand right before a placeholder."""
    licensed: frozenset[str]
    nouns: frozenset[str]
    """Words by which the schema calls things, as they are written."""
    others: tuple[tuple[str, frozenset[str]], ...]
    """Words and tokens of what the template does not name."""
    is_truth: bool
    counts: bool
    """Whether `how many` can ask for it."""
    asks_entity: bool


def sense_of(template: SqlTemplate, schema: DatabaseSchema, vocabulary: Vocabulary) -> Sense | None:
    """What a template asks; None where it is more than Select, Project and Join along foreign keys."""
    asked = [column for name in template.names for column in name]
    if not template.plain or not asked:
        return None
    first = asked[0]
    table = schema.tables[first.table]
    words = [vocabulary.column(item.table, item.column) for item in asked]
    columns = tuple(item.column for item in asked)
    asks_entity = not table.associative and (columns in (*table.names, table.called_by) or columns == table.naming)
    noun = vocabulary.noun(first.table)
    relations = tuple(_relations(template, schema, vocabulary))
    own = _kind(words[0], table.columns[first.column].kind) if not asks_entity else english.value_kind(noun)
    leads = [item for item in relations if first.alias in item[1:3]]
    asked_tokens = all_of(words)
    if asks_entity:
        roles = [item[0] for item in leads if item[2] == first.alias]
        asked_tokens = frozenset().union(
            *(item[3].licensed for item in leads if item[2] == first.alias),
            same(noun) if not roles or any(noun in role for role in roles) else frozenset(),
        ) or same(noun)
        if any(done_by(role) for role in roles):
            own = "person" if own == "text" else own
    elif done_by(words[0]) and own == "text":
        own = "person"
    kinds = frozenset().union(*(asks_for(own, phrase) for phrase in words), all_of(words) if asks_entity else ())
    kinds |= {stem(noun)} if asks_entity else frozenset()
    on_the_way = frozenset(template.tables.values())
    nouns_there = all_of(vocabulary.noun(name) for name in on_the_way)
    given_words = [vocabulary.column(item.compared.table, item.compared.column) for item in template.placeholders]
    given_tables = [vocabulary.noun(item.compared.table) for item in template.placeholders]
    given_roles = [item[0] for item in relations for one in template.placeholders if item[2] == one.compared.alias]
    licensed = asked_tokens | kinds | nouns_there | all_of(given_words)
    licensed = licensed.union(*(item[3].licensed for item in relations), all_of(given_roles))
    return Sense(
        asked=asked_tokens,
        own=frozenset(token for phrase in words for token in tokens(phrase)),
        kinds=kinds,
        siblings=tuple(
            (said, same(said), asks_for(_kind(said, column.kind), said))
            for column in table.columns.values()
            if column.name not in columns and column.worth_asking
            for said in [vocabulary.column(first.table, column.name)]
        ),
        relations=tuple(item[3] for item in relations),
        given=tuple(
            same(vocabulary.column(item.compared.table, item.compared.column))
            for item in template.placeholders
            if not schema.tables[item.compared.table].names_row(item.compared.column)
        ),
        given_nouns=all_of([*given_words, *given_tables, *given_roles]),
        licensed=licensed,
        nouns=frozenset(_nouns(schema, vocabulary)),
        others=tuple(
            (said, found)
            for said in _others(template, schema, vocabulary)
            if (found := same(said) - licensed - words_called("plain"))
        ),
        is_truth=own == "boolean",
        counts=not {stem(part) for phrase in words for part in phrase.split()[-1:]} & words_called("ordinals"),
        asks_entity=asks_entity,
    )


def _kind(words: str, column_kind: str) -> str:
    kind = english.value_kind(words, column_kind)
    return "date" if kind in ("text", "number") and words.rpartition(" ")[2] in ("date", "time", "year") else kind


def _relations(
    template: SqlTemplate, schema: DatabaseSchema, vocabulary: Vocabulary
) -> Iterator[tuple[str, str, str, Relation]]:
    """Of each foreign key: its role, the alias that holds it, the one that it leads to, and what says it."""
    given = {item.compared.alias for item in template.placeholders}
    for pairs in equations(template.joins):
        near, far = pairs[0]
        key = followed_key(schema.tables[near.table], pairs)
        if key is None:
            near, far = far, near
            key = followed_key(schema.tables[near.table], turned(pairs))
        if key is None:
            continue
        role, noun = role_of(key, near.table, vocabulary), vocabulary.noun(far.table)
        rivals = [
            other
            for one, there in ((near.table, far.table), (far.table, near.table))
            for other in (
                role_of(item, one, vocabulary) for item in schema.tables[one].foreign_keys if item.table == there
            )
            if other != role
        ]
        cues = same(role) | done_by(role)
        licensed = cues | same(noun)
        if rivals:
            own = {stem(part) for part in role.split()}
            cues -= (all_of(rivals) - own) | ({stem(part) for part in noun.split()} if role != noun else set())
        elif near.table != far.table:
            cues |= same(noun)
        between = schema.tables[near.table].associative or schema.tables[far.table].associative
        telling = cues - (words_called("plain") - {"report"})
        yield (
            role,
            near.alias,
            far.alias,
            Relation(role, frozenset() if between else telling or cues, licensed, near.alias in given),
        )


def _nouns(schema: DatabaseSchema, vocabulary: Vocabulary) -> Iterator[str]:
    for table in schema.tables.values():
        yield english.head_word(vocabulary.noun(table.name))
        for column in table.columns.values():
            yield english.head_word(vocabulary.column(table.name, column.name))
        for key in table.foreign_keys:
            yield english.head_word(role_of(key, table.name, vocabulary))


def _others(template: SqlTemplate, schema: DatabaseSchema, vocabulary: Vocabulary) -> Iterator[str]:
    """What columns and tables are called that the template does not name, those of its own tables first."""
    named = {(item.table, item.column) for item in template.columns}
    there = [name for name in schema.tables if name in template.tables.values()]
    for name in [*there, *(name for name in schema.tables if name not in there)]:
        table = schema.tables[name]
        if name not in there:
            yield vocabulary.noun(name)
        yield from (role_of(key, name, vocabulary) for key in table.foreign_keys if (name, key.columns[0]) not in named)
        yield from (
            vocabulary.column(name, column.name)
            for column in table.columns.values()
            if column.worth_asking and (name, column.name) not in named and not table.names_row(column.name)
        )


def twin_problem(sense: Sense, wording: str, form: str) -> Problem | None:
    """Why a wording does not ask for what a template selects; None where nothing speaks against it.

    Args:
        sense: what the template asks.
        wording: with its placeholders.
        form: one of the six forms.
    """
    text = PLACEHOLDER.sub(f" {PLACE} ", wording)
    for pattern in _harmless():
        text = pattern.sub(" ", text)
    problem = next(_problems(sense, tokens(text), text, form), None)
    return problem and replace(problem, detail=_as_written(problem.detail, text))


def _as_written(detail: str, text: str) -> str:
    """A detail with the words of a text in place of their stems."""
    words = {stem(word): word for word in re.findall(r"[\w-]+", text)}
    return " ".join(words.get(part, part) for part in detail.split(" "))


@cache
def _harmless() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(text, re.IGNORECASE) for text in read_toml(__package__, "lexicon.toml")["harmless"]["said"])


def _problems(sense: Sense, there: Sequence[str], text: str, form: str) -> Iterator[Problem]:
    evidence = _evidence(sense, there)
    if not evidence:
        yield Problem("does not ask for what the SQL template selects", _nearest(sense, there))
        return
    for relation in sense.relations:
        if relation.cues and not relation.cues & set(there):
            yield Problem("leaves out a relation", relation.role)
    for tokens_given in sense.given:
        if not tokens_given & set(there):
            yield Problem("does not say what the placeholder stands for")
    yield from _asked_for_another(sense, there, form, evidence)
    yield from _directions(sense, there, text, form)
    wanted = [{PLACE}, evidence, *(item.cues for item in sense.relations if item.cues)]
    inside = _near(there, wanted) if form == "long" else _around(there, _places(there, wanted))
    plain, turning = words_called("plain"), words_called("turning")
    for place, token in enumerate(there):
        if token in _MARKS or token in (PLACE, "s") or token in sense.licensed or token in plain:
            continue
        is_inside = place in inside
        if token in turning:
            if is_inside or form != "long":
                yield Problem("says what turns the question", token)
        elif is_inside or form != "long":
            other = next((said for said, tokens_of in sense.others if token in tokens_of), None)
            if other is not None and (is_inside or form not in _LOOSE or stem(other.split()[-1]) == token):
                yield Problem("names something else", other)
            elif other is None and (is_inside or form not in _LOOSE):
                yield Problem("says more than the SQL template", token.replace("_", " "))


def _evidence(sense: Sense, there: Sequence[str]) -> frozenset[str]:
    """The tokens of a wording that say what is asked for and not another column of its table."""
    found: set[str] = set()
    present = set(there)
    if sense.own <= present and not sense.asks_entity:
        return sense.own
    for token in sense.asked & present:
        rivals = [kinds for _, said, kinds in sense.siblings if token in said and not sense.asks_entity]
        if token in _GENERIC and not (len(sense.asked) <= len(_GENERIC & sense.asked)):
            continue
        if all((sense.kinds - kinds) & present for kinds in rivals):
            found.add(token)
    return frozenset(found)


def _nearest(sense: Sense, there: Sequence[str]) -> str:
    present = set(there) - words_called("plain")
    others = [(len(found & present), said) for said, found in sense.others if found & present]
    return f"but rather for {max(others)[1]}" if others else ""


def _asked_for_another(sense: Sense, there: Sequence[str], form: str, evidence: frozenset[str]) -> Iterator[Problem]:
    """A question word, or the noun after it, that does not fit what is asked."""
    plain, licensed = words_called("plain") | words_called("turning"), sense.asked | sense.kinds
    near = _near(there, [{PLACE}, evidence]) if form == "long" else range(len(there))
    for place, token in enumerate(there):
        if place not in near:
            continue
        before = there[place - 1] if place else ","
        after = there[place + 1] if place + 1 < len(there) else "."
        is_relative = before in _SPOKEN_OF or (before not in plain and before not in _MARKS)
        if token in ("when", "where", "who", "whom") and not is_relative:
            is_lead = form in ("directive", *_LOOSE) and token == "who" and bool(sense.relations)
            if token.replace("whom", "who") not in licensed and not is_lead:
                yield Problem("asks with another question word", token)
            return
        if token.startswith("how_") and token not in licensed:
            yield Problem("asks with another question word", token.replace("_", " "))
        if token == "how_mani" and (not sense.counts or after not in licensed | plain):
            yield Problem("asks how many", after)
        is_of = token == "which" and before in _PREPOSITIONS and place > 1 and there[place - 2] not in _MARKS
        if token in ("which", "what") and not is_of and after not in plain and after not in _MARKS and after != PLACE:
            nouns = there[place + 1 : place + 3]
            known = (
                licensed
                if form not in ("directive", *_LOOSE)
                else licensed.union(*(one.licensed for one in sense.relations))
            )
            if nouns[0] not in known or not known & set(nouns):
                yield Problem("asks for another thing", after)


def _directions(sense: Sense, there: Sequence[str], text: str, form: str) -> Iterator[Problem]:
    """A relation that is said the other way round."""
    for match in re.finditer(rf"([\w-]+)\s+['\"‘“]?\s*{PLACE}", text):
        word = match[1].lower()
        singular = english.singular(word)
        if {word, singular} & sense.nouns and stem(singular) not in sense.given_nouns:
            is_typed = form == "short" and stem(word) in sense.asked
            if not is_typed:
                yield Problem("takes the placeholder for something else", word)
    for relation in sense.relations:
        if not relation.from_given:
            continue
        verbs = done_by(relation.role)
        nouns = {stem(relation.role.split()[-1])} if not relation.role.endswith(" of") else set()
        own = {stem(relation.role.split()[0])} if relation.role.endswith(" of") else set()
        for place, token in enumerate(there):
            if token != PLACE:
                continue
            before = [one for one in there[max(0, place - 4) : place] if one not in _ARTICLES]
            after = [
                one for one in there[place + 1 : place + 6] if one not in _ARTICLES and one not in {"its", "their"}
            ]
            lead = [one for one in before if one not in sense.given_nouns]
            verb = lead[-1] if lead else ""
            following = after[:3]
            if following[:1] != ["s"] and verb in _BE and nouns & set(following[: len(relation.role.split())]):
                yield Problem("turns a relation round", relation.role)
            if verb in _DO and following and following[0] in verbs and "by" not in after[:3]:
                yield Problem("turns a relation round", relation.role)
            if verb == "by" and len(lead) > 1 and (lead[-2] in verbs or lead[-2] in same(relation.role)):
                yield Problem("turns a relation round", relation.role)
            if verb == "report_to" or (verb in _DO and following[:1] == ["as"] and nouns & set(following)):
                yield Problem("turns a relation round", relation.role)
            if own and own & set(before) and verb in ("of", "to"):
                yield Problem("turns a relation round", relation.role)


def _around(there: Sequence[str], places: Sequence[int]) -> range:
    """The stretch of some places with what stands around it in its sentence, as far as it may belong there."""
    start = first = min(places)
    last = max(places)
    while start and there[start - 1] not in _MARKS and first - start < 2 * _NEAR:
        start -= 1
    while last + 1 < len(there) and there[last + 1] not in _ENDS:
        last += 1
    return range(start, last + 1)


def _near(there: Sequence[str], wanted: Sequence[frozenset[str] | set[str]]) -> frozenset[int]:
    """The places of a long wording from what is asked to what is given in one clause, and right before.

    What follows them is not looked at: idle talk cannot be told from a condition there.
    """
    places = sorted(_places(there, wanted))
    found: set[int] = set()
    for first, last in itertools.pairwise(places):
        stretch = there[first:last]
        if len(stretch) <= _FAR and not any(token in _MARKS or token in _CLAUSES for token in stretch):
            found.update(range(first, last + 1))
    for place in places:
        found.update(range(max(0, place - 1), place + 1))
    return frozenset(found)


def _places(there: Sequence[str], wanted: Sequence[frozenset[str] | set[str]]) -> list[int]:
    """The places of all placeholders, and of each set the one that is nearest to them."""
    fixed = [place for place, token in enumerate(there) if token == PLACE] or [0]
    found = list(fixed)
    for some in wanted[1:]:
        places = [place for place, token in enumerate(there) if token in some]
        if places:
            found.append(min(places, key=lambda place: min(abs(place - one) for one in fixed)))
    return found
