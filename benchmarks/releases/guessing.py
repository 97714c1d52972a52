"""What a public half gives away without its documents: measured by a program that learns from the open answers.

It knows no benchmark. Of each template it learns from the open questions which of these tells the answer most often,
and how often, leaving out the one that it looks at:

- the answer that is given most often: the *best guess*, which nothing can keep from being right now and then;
- another answer about the same entity, as it is or by what goes with it elsewhere (a city and its country);
- an answer about what another answer names, over up to three steps, also against their direction;
- for answers that are all different names, one that is not used yet.

Then it answers every held-out question. Whoever holds out what can be found in this way has held out nothing: the share
that is right is said on the card, beside the share of best guesses.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchwright.benchmarks.releases.release import HELDOUT, Release

MOST_OPEN = 200_000
"""Open groups that are learnt from, the first ones; so a release of millions is measured in bounded memory."""
MOST_LEARNT = 60
"""Groups of a template on which a rule is tried."""
_STEPS = 3
_MOST_NEIGHBOURS = 12
_LEAST_TRIES = 3

Answer = tuple[str, ...]
Rule = tuple[str, ...]
Guess = tuple[Answer, float]


@dataclass(frozen=True)
class Fact:
    """What is known of a semantic group from its row."""

    group: str
    template: str
    entity: str
    answers: Answer = ()


def open_facts(public: Release) -> Iterator[Fact]:
    """The groups of a public half whose answers are open."""
    for split in public.manifest.splits.get("questions", {}):
        if split != HELDOUT:
            yield from facts(public, split)


def facts(release: Release, split: str) -> Iterator[Fact]:
    """The groups of a split, each once."""
    seen: set[str] = set()
    columns = ["id", "group", "template", "entity", "answers"]
    for batch in release.batches("questions", split, columns):
        for row in batch.to_pylist():
            group = row["group"] or row["id"]
            if group not in seen:
                seen.add(group)
                yield Fact(group, row["template"] or "", row["entity"] or "", tuple(row["answers"] or ()))


class Guesser:
    """Learns from open groups and guesses the answers of others."""

    def __init__(self, known: Iterator[Fact]) -> None:
        self._of: defaultdict[str, dict[str, Answer]] = defaultdict(dict)
        """Template → entity → answers."""
        self._about: defaultdict[str, dict[str, Answer]] = defaultdict(dict)
        """Entity → template → answers."""
        self._naming: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        """Answer → templates and entities that have it."""
        for _, fact in zip(range(MOST_OPEN), known, strict=False):
            self._of[fact.template][fact.entity] = fact.answers
            self._about[fact.entity][fact.template] = fact.answers
            if len(fact.answers) == 1 and len(self._naming[fact.answers[0]]) < _MOST_NEIGHBOURS:
                self._naming[fact.answers[0]].append((fact.template, fact.entity))
        self._often = {template: Counter(of.values()) for template, of in self._of.items()}
        self._beside: dict[tuple[str, str], dict[Answer, Counter[Answer]]] = {}
        self._rules: dict[str, Mapping[Rule, float]] = {}

    def best_guess(self, template: str) -> Answer:
        """The most frequent open answer of a template; the first in the alphabet of several; () where none is open."""
        often = self._often.get(template)
        return min(often, key=lambda answer: (-often[answer], answer)) if often else ()

    def guess(self, fact: Fact) -> Answer:
        """The answer of the rule that was right most often for other entities."""
        rules = self._learn(fact.template)
        best: Guess = (self.best_guess(fact.template), rules.get((), 0.0))
        for rule, answer in self._told(fact.template, fact.entity):
            if rules.get(rule, 0.0) > best[1]:
                best = (answer, rules[rule])
        left = self._unused(fact.template)
        if left and 1 / len(left) > best[1]:
            best = ((left[0],), 1 / len(left))
        return best[0]

    def _learn(self, template: str) -> Mapping[Rule, float]:
        """Rule → the share of a template's open groups for which it is right, of those of which it says anything."""
        if template in self._rules:
            return self._rules[template]
        hits: Counter[Rule] = Counter()
        tries: Counter[Rule] = Counter()
        often = self._often.get(template, Counter())
        for entity in list(self._of.get(template, ()))[:MOST_LEARNT]:
            truth = self._of[template][entity]
            tries[()] += 1
            hits[()] += max(often, key=lambda answer: (often[answer] - (answer == truth), answer)) == truth
            for rule, answer in self._told(template, entity):
                tries[rule] += 1
                hits[rule] += answer == truth
        found = {rule: hits[rule] / (tries[rule] + 1) for rule in tries if tries[rule] >= _LEAST_TRIES or not rule}
        self._rules[template] = found
        return found

    def _told(self, template: str, entity: str) -> Iterator[tuple[Rule, Answer]]:
        """What each rule says of an entity, whose own answer is not looked at."""
        for other, answers in self._about.get(entity, {}).items():
            if other == template:
                continue
            yield ("same", other), answers
            beside = self._beside_of(template, other).get(answers)
            if beside:
                own = self._of[template].get(entity)
                left = {answer: count - (answer == own) for answer, count in beside.items()}
                best = min(left, key=lambda answer: (-left[answer], answer))
                if left[best] > 0:
                    yield ("beside", other), best
        yield from self._walk((), template, entity, {entity}, _STEPS)

    def _walk(self, way: Rule, template: str, entity: str, seen: set[str], steps: int) -> Iterator[tuple[Rule, Answer]]:
        """What is said of the entities that an entity's answers name, or whose answers name it, and so on."""
        for number, (other, answers) in enumerate(self._about.get(entity, {}).items()):
            if number > 3 * _MOST_NEIGHBOURS or (not way and other == template):
                continue
            if way:
                yield (*way, other), answers
            if steps > 1 and len(answers) == 1 and answers[0] in self._about and answers[0] not in seen:
                yield from self._walk((*way, other), template, answers[0], {*seen, answers[0]}, steps - 1)
        for other, named in self._naming.get(entity, ()) if steps == _STEPS else ():
            yield ("of", other), (named,)
            for third, answers in self._about.get(named, {}).items():
                if (named, third) != (entity, template):
                    yield ("of", other, third), answers

    def _beside_of(self, template: str, other: str) -> dict[Answer, Counter[Answer]]:
        """Answer to another template → the answers to this one of the entities that have it."""
        key = template, other
        if key not in self._beside:
            found: defaultdict[Answer, Counter[Answer]] = defaultdict(Counter)
            for entity, answers in self._of[template].items():
                if (told := self._about[entity].get(other)) is not None:
                    found[told][answers] += 1
            self._beside[key] = dict(found)
        return self._beside[key]

    def _unused(self, template: str) -> list[str]:
        """Names that may be left where a template's answers are all different: those of the same sort, not used yet."""
        answers = [answer[0] for answer in self._of.get(template, {}).values() if len(answer) == 1]
        if len(answers) < _LEAST_TRIES or len(set(answers)) < len(answers):
            return []
        sorts = [set(of) for of in self._of.values() if sum(answer in of for answer in answers) > len(answers) / 2]
        return sorted(set().union(*sorts) - set(answers)) if sorts else []
