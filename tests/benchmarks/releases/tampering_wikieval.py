"""Tamperings with releases of pairs: a table for `tampering.check_caught`."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from tampering import Copy, Row, Tampering

from benchwright.benchmarks.hashing import group_id, question_id
from benchwright.benchmarks.releases.rows import read_metadata
from benchwright.benchmarks.schemas import json_text

PAIRS, LABELLED, RUNS, MODEL, DOCUMENTS = (
    "wikieval",
    "wikieval, labelled",
    "wikieval of runs",
    "wikieval by a model",
    "wikieval of documents",
)
Edit = Callable[[Copy], object]
Made = dict[str, dict[str, Any]]


def changed(edit: Callable[[Row, Made], object], where: Callable[[Row], bool] = lambda row: True) -> Edit:
    """Another first pair of those for which `where` holds: its columns, and how they are said to be made."""

    def edit_rows(rows: list[Row]) -> None:
        row = next(row for row in rows if where(row))
        made = json.loads(row["provenance"])
        edit(row, made)
        row["provenance"] = json.dumps(made, ensure_ascii=False, sort_keys=True)

    return lambda copy: copy.rows("pairs", edit_rows)


def pair(**new: Any) -> Edit:
    """Other values of the first pair."""
    return changed(lambda row, made: row.update(new))


def both(*edits: Edit) -> Edit:
    """Several edits, one after the other."""
    return lambda copy: [edit(copy) for edit in edits]


def has(column: str) -> Callable[[Row], bool]:
    return lambda row: bool(row[column])


def first_of_questions(edit: Callable[[Row], object]) -> Edit:
    return lambda copy: copy.rows("questions", lambda rows: edit(rows[0]))


def page(**new: Any) -> Edit:
    """Other metadata of the first document."""

    def edit(rows: list[Row]) -> None:
        rows[0]["metadata"] = json_text({**read_metadata(rows[0]["metadata"]), **new})

    return lambda copy: copy.rows("corpus", edit)


def manifest(**new: Any) -> Edit:
    return lambda copy: copy.manifest(lambda content: content.update(new))


def of_manifest(section: str, **new: Any) -> Edit:
    """Other entries of `parameters`, `checks` or `texts`."""
    return lambda copy: copy.manifest(lambda content: content[section].update(new))


def count(check: str, **new: int) -> Edit:
    """Other counts within a check."""
    return lambda copy: copy.manifest(lambda content: content["checks"][check].update(new))


def exchanged(row: Row, made: Made) -> None:
    """The answer and the ungrounded one have changed places, and are told to be what they were."""
    row.update(answer=row["ungrounded_answer"], ungrounded_answer=row["answer"])


def exchanged_with_facts(copy: Copy) -> None:
    """The same, with what is told of them, here and in the questions."""
    now: dict[str, str] = {}

    def edit(row: Row, made: Made) -> None:
        exchanged(row, made)
        swapped = made["ungrounded_answer"]["swapped"]
        now.update({each["from"]: each["to"] for each in swapped})
        for each in swapped:
            each.update({"from": each["to"], "to": each["from"]})
        for column in ("question", "answer"):
            for fact in made[column]["facts"]:
                fact["value"] = now[fact["value"]]

    changed(edit)(copy)
    first_of_questions(lambda row: row.update(answers=[now[each] for each in row["answers"]]))(copy)


def swapped_for_the_truth(row: Row, made: Made) -> None:
    """A fact is put in its own place."""
    each = made["ungrounded_answer"]["swapped"][0]
    row["ungrounded_answer"] = row["ungrounded_answer"].replace(each["to"], each["from"])
    each["to"] = each["from"]


def reworded(row: Row, made: Made) -> None:
    """All of the answers with other words around what they state."""
    for column in ("answer", "ungrounded_answer"):
        row[column] = f"As is widely known: {row[column]}"


def asked_otherwise(copy: Copy) -> None:
    """Another question with the ids that go with it, wherever it stands."""
    row = copy.read("questions")[0]
    text = row["question"].replace("?", ", pray?")
    group = group_id("wikieval", "passage", [row["documents"][0], text])
    new = {"id": question_id(group, "", text), "question": text}
    first_of_questions(lambda row: row.update(new, group=group))(copy)
    pair(**new)(copy)


def renamed(copy: Copy) -> None:
    """Another id, wherever it stands."""
    new = {"id": copy.read("pairs")[0]["id"][:-1] + "x"}
    first_of_questions(lambda row: row.update(new))(copy)
    pair(**new)(copy)


def longer_everywhere(copy: Copy) -> None:
    """A sentence more at the end of a document and of both contexts."""
    more = "It was painted green again a year later."
    text = copy.read("pairs")[0]["context_v1"][0]
    copy.each("corpus", lambda row: row.update(text=f"{text} {more}"), lambda row: row["text"] == text)

    def edit(row: Row, made: Made) -> None:
        row["context_v1"] = [f"{text} {more}"]
        if row["context_v2"]:
            row["context_v2"].append(more)
            made["context_v2"]["sentences"] += 1

    changed(edit)(copy)


def told_in_context(row: Row, made: Made) -> None:
    """A sentence that was added tells the answer."""
    place = made["context_v2"]["added"][0]
    row["context_v2"][place] = f"Many remember {made['answer']['facts'][0]['value']} to this day."


def shown_as_added(row: Row, made: Made) -> None:
    """A sentence of the page is told to be one that was added."""
    told = made["context_v2"]
    own = [place for place in range(len(row["context_v2"])) if place not in told["added"]]
    told["added"] = sorted([*told["added"][1:], own[-1]])


def without_context(row: Row, made: Made) -> None:
    row["context_v2"] = []
    del made["context_v2"]


def by_a_model(*columns: str) -> Edit:
    """Columns of the first pair are told to be by a model."""
    return changed(lambda row, made: [made.update({name: {"how": "model", "model": "m"}}) for name in columns])


def nothing_left_out(row: Row, made: Made) -> None:
    """The incomplete answer is whole, and told to leave nothing out."""
    row["poor_answer"] = row["answer"]
    made["poor_answer"].update(left_out=[], kept=[fact["question"] for fact in made["answer"]["facts"]])


def other_left_out(row: Row, made: Made) -> None:
    """What is kept is told to be left out, and the other way round; where nothing is kept, all is."""
    told = made["poor_answer"]
    told.update(left_out=told["kept"], kept=told["left_out"])


def another_kind(row: Row, made: Made) -> None:
    for column in ("question", "answer"):
        made[column]["facts"][0]["kind"] = "place" if made[column]["facts"][0]["kind"] != "place" else "date"


def twice(copy: Copy) -> None:
    copy.rows("pairs", lambda rows: rows.append(deepcopy(rows[0])))


def removed(copy: Copy) -> None:
    copy.rows("pairs", lambda rows: rows.pop())


def removed_everywhere(copy: Copy) -> None:
    """The last pair with its question and its document, and all that counts them."""
    row = copy.read("pairs")[-1]
    name = copy.read("questions")[-1]["documents"][0]
    made = json.loads(row["provenance"])
    copy.rows("pairs", lambda rows: rows.pop())
    copy.rows("questions", lambda rows: rows.pop())
    copy.rows("corpus", lambda rows: rows.remove(next(row for row in rows if row["_id"] == name)))

    def edit(content: dict[str, Any]) -> None:
        checks = content["checks"]
        for column in ("question", "answer", "ungrounded_answer", "poor_answer", "context_v2"):
            checks["candidates_made"][f"{column} by rule" if column in made else f"no {column}"] -= 1
        for dimension, column in (
            ("faithfulness", "ungrounded_answer"),
            ("answer_relevance", "poor_answer"),
            ("context_relevance", "context_v2"),
        ):
            checks["pairs_per_dimension"][dimension] -= column in made
        for each in made.get("context_v2", {}).get("from", ()):
            checks["context_sentences_from"][each["from"]] -= 1
        checks["context_sentences_from"] = {name: n for name, n in checks["context_sentences_from"].items() if n}
        checks["candidates_made"] = {name: number for name, number in checks["candidates_made"].items() if number}
        for sort in content["texts"].values():
            sort["rule"] -= 1
        content["checks"].pop("gold_documents_read", None)

    copy.manifest(edit)
    (copy.folder / "readable.json").unlink(missing_ok=True)


def reordered(copy: Copy) -> None:
    copy.rows("pairs", lambda rows: rows.reverse())


def reordered_everywhere(copy: Copy) -> None:
    for config in ("pairs", "questions", "corpus"):
        copy.rows(config, lambda rows: rows.reverse())


def without_pairs(copy: Copy) -> None:
    copy.rows("pairs", lambda rows: rows.clear())


def a_document_more(copy: Copy) -> None:
    copy.rows("corpus", lambda rows: rows.append({**rows[0], "_id": "page-999999"}))


def elsewhere(copy: Copy) -> None:
    """Another source, in the pair and in its document."""
    page(source="https://wiki.example/elsewhere")(copy)
    name = copy.read("corpus")[0]["_id"]
    asked = next(row["id"] for row in copy.read("questions") if row["documents"] == [name])
    changed(lambda row, made: row.update(source="https://wiki.example/elsewhere"), lambda row: row["id"] == asked)(copy)


def label(**new: Any) -> Edit:
    """Other values of the first label."""
    return lambda copy: copy.rows("labels", lambda rows: rows[0].update(new))


def labels(edit: Callable[[list[Row]], object]) -> Edit:
    return lambda copy: copy.rows("labels", edit)


def parent(**new: Any) -> Edit:
    """Another parent in the manifest."""
    return lambda copy: copy.manifest(lambda content: content["parent"].update(new))


def other_pairs_with_parent(copy: Copy) -> None:
    """A context of the merged version is another, and its parent is told to be what it is without labels."""
    longer_everywhere(copy)
    copy.manifest(lambda content: content.update(parent={**content["parent"], "content_hash": _without_labels(copy)}))


def _without_labels(copy: Copy) -> str:
    return copy.release.hash_content().hexdigest(without=["labels"])


def other_side(row: Row, made: Made) -> None:
    """The systems have changed places."""
    row.update(answer=row["poor_answer"], poor_answer=row["answer"], ungrounded_answer=row["answer"])
    row.update(context_v1=row["context_v2"], context_v2=row["context_v1"])
    row["source"] = "\n\n".join(dict.fromkeys([*row["context_v1"], *row["context_v2"]]))


def systems(row: Row, made: Made) -> None:
    for told in made.values():
        told["system"] = {"one": "other", "other": "one"}[told["system"]]


CASES: list[Tampering] = [
    Tampering("answers exchanged", PAIRS, changed(exchanged), "pairs: pair .*: its answer does not state"),
    Tampering("answers exchanged with facts", PAIRS, exchanged_with_facts, "pairs: pair .*: its source does not state"),
    Tampering("a fact for itself", PAIRS, changed(swapped_for_the_truth), "pairs: pair .* in other words, and was put"),
    Tampering("answers in other words", PAIRS, changed(reworded), "pairs: pair .*: its answer is "),
    Tampering(
        "the incomplete answer is whole",
        PAIRS,
        changed(lambda row, made: row.update(poor_answer=row["answer"])),
        "pairs: pair .*: its incomplete answer states ",
    ),
    Tampering(
        "whole, and told to be so",
        PAIRS,
        changed(nothing_left_out),
        "pairs: pair .*: what its incomplete answer leaves out and keeps is not what is asked",
    ),
    Tampering(
        "the incomplete answer in other words",
        PAIRS,
        changed(lambda row, made: row.update(poor_answer=f"Well. {row['poor_answer']}")),
        "pairs: pair .*: its incomplete answer is ",
    ),
    Tampering(
        "what is left out and kept exchanged",
        PAIRS,
        changed(other_left_out),
        "pairs: pair .*: (its|what its) incomplete answer ",
    ),
    Tampering(
        "a sentence more in context_v1",
        PAIRS,
        changed(lambda row, made: row["context_v1"].append("It rains there.")),
        "pairs: pair .*: context_v1 is not the text of its document",
    ),
    Tampering(
        "a sentence more in document and contexts", PAIRS, longer_everywhere, "rebuild: corpus: 1 of ", needs="rebuild"
    ),
    Tampering(
        "context_v2 tells the answer",
        PAIRS,
        changed(told_in_context, has("context_v2")),
        "pairs: pair .* was added to context_v2, and states ",
    ),
    Tampering(
        "a sentence of context_v2 changed",
        PAIRS,
        changed(
            lambda row, made: row["context_v2"].__setitem__(0, row["context_v2"][0] + " Truly."), has("context_v2")
        ),
        "pairs: pair .*: context_v2 without what was added is not context_v1",
    ),
    Tampering(
        "another sentence added",
        PAIRS,
        changed(
            lambda row, made: row["context_v2"].__setitem__(
                made["context_v2"]["added"][0], "Sheep graze on the hills around the town in summer."
            ),
            has("context_v2"),
        ),
        "rebuild: pairs .*rows differ in context_v2",
        needs="rebuild",
    ),
    Tampering(
        "added places that are not",
        PAIRS,
        changed(shown_as_added, has("context_v2")),
        "pairs: pair .*: context_v2 without what was added is not context_v1",
    ),
    Tampering(
        "another count of sentences",
        PAIRS,
        changed(lambda row, made: made["context_v2"].update(sentences=99), has("context_v2")),
        "pairs: pair .*: context_v2 has .* and is said to have 99",
    ),
    Tampering(
        "without its second context",
        PAIRS,
        changed(without_context, has("context_v2")),
        r"count: checks\.pairs_per_dimension is ",
    ),
    Tampering(
        "one candidate by a model",
        PAIRS,
        by_a_model("poor_answer"),
        "pairs: pair .*: its question is by rule, and poor_answer by a model",
    ),
    Tampering(
        "all candidates by a model",
        PAIRS,
        by_a_model("question", "answer", "ungrounded_answer", "poor_answer"),
        "pairs: pair .* is by the model 'm', which the manifest lacks",
    ),
    Tampering(
        "candidates by rule of a model that the manifest names",
        PAIRS,
        manifest(models=[{"role": "writer", "name": "m", "prompt": None}]),
        "pairs: pair .*: its question is by rule, and the manifest says that m wrote it",
    ),
    Tampering(
        "another kind of fact", PAIRS, changed(another_kind), "pairs: pair .*: the facts that its provenance names"
    ),
    Tampering("ids changed", PAIRS, renamed, "pairs: pair .*: by its pair the id of its question must be "),
    Tampering("another question with its ids", PAIRS, asked_otherwise, "pairs: pair .*: its question is "),
    Tampering(
        "another question in its pair",
        PAIRS,
        changed(lambda row, made: row.update(question="Who?")),
        "pairs: pair .*: its question is not the one that questions have",
    ),
    Tampering(
        "other answers in questions",
        PAIRS,
        first_of_questions(lambda row: row.update(aliases=[["never"] for _ in row["answers"]])),
        "pairs: pair .*: by its pair the aliases of its question must be ",
    ),
    Tampering("a pair twice", PAIRS, twice, "id: ", card=False),
    Tampering("a pair removed", PAIRS, removed, "pairs: question .* has no pair"),
    Tampering("a pair removed everywhere", PAIRS, removed_everywhere, "rebuild: ", needs="rebuild"),
    Tampering("all pairs removed", PAIRS, without_pairs, "pairs: there are none", card=False),
    Tampering("pairs in another order", PAIRS, reordered, "pairs: pairs stand in another order"),
    Tampering("all in another order", PAIRS, reordered_everywhere, "pairs: pages do not stand in the order"),
    Tampering("a document without a pair", PAIRS, a_document_more, "pairs: the document page-999999 has no pair"),
    Tampering(
        "another source",
        PAIRS,
        changed(lambda row, made: row.update(source="https://wiki.example/elsewhere")),
        "pairs: pair .*: its source is ",
    ),
    Tampering("another source everywhere", PAIRS, elsewhere, "rebuild: ", needs="rebuild"),
    Tampering("another page", PAIRS, page(id=999_999), "pairs: pair .*: its document .* has another id"),
    Tampering("an older page", PAIRS, page(created="2019-01-01T00:00:00Z"), "pairs: the page .* was created on 2019"),
    Tampering("another time of editing", PAIRS, page(edited="2021-01-01T00:00:00Z"), "pairs: the page .* was edited"),
    Tampering("another revision", PAIRS, page(revision=999_999), "rebuild: corpus: 1 of ", needs="rebuild"),
    Tampering("another date", PAIRS, of_manifest("parameters", since="2025-06-01"), "pairs: the page .* was created"),
    Tampering("fewer pages wanted", PAIRS, of_manifest("parameters", pages=3), "count: there are "),
    Tampering("asked by a model", PAIRS, of_manifest("parameters", asked_by="model"), "count: the parameter asked_by"),
    Tampering(
        "without a preference",
        PAIRS,
        of_manifest("checks", pairs_without_preference=6),
        r"count: checks\.pairs_without_preference is of pairs of two runs",
    ),
    Tampering(
        "without a preference, of two runs",
        PAIRS,
        both(
            of_manifest("checks", pairs_without_preference=6),
            of_manifest("parameters", runs="aurp/bm25,aurp/keyword"),
        ),
        "pairs: its sources do not name two runs",
    ),
    Tampering(
        "candidates counted otherwise",
        PAIRS,
        count("candidates_made", **{"question by rule": 99}),
        r"count: checks\.candidates_made is ",
    ),
    Tampering(
        "dimensions counted otherwise",
        PAIRS,
        count("pairs_per_dimension", faithfulness=99),
        r"count: checks\.pairs_per_dimension is ",
    ),
    Tampering("questions by a model", PAIRS, of_manifest("texts", questions={"model": 6}), r"count: texts\.questions"),
    Tampering(
        "pages found",
        PAIRS,
        of_manifest("checks", pages_found=1),
        r"rebuild: manifest\.json says checks\.pages_found",
        needs="rebuild",
    ),
    Tampering(
        "another licence of the pages",
        PAIRS,
        lambda copy: copy.manifest(lambda content: content["sources"][0].update(licence="cc0-1.0")),
        r"rebuild: manifest\.json says sources",
        needs="rebuild",
    ),
    Tampering("another seed", PAIRS, manifest(seed=77), "pairs: pair .*: its incomplete answer is "),
    Tampering("a choice that there is not", LABELLED, label(choice="poor_answer"), "label: of pair .* is no choice in"),
    Tampering(
        "a dimension that there is not", LABELLED, label(dimension="fluency"), "label: of pair .*is no dimension"
    ),
    Tampering(
        "an annotator twice",
        LABELLED,
        labels(lambda rows: rows.append({**rows[0], "choice": "second"})),
        "label: of pair .*: Ann chose more than once in faithfulness",
    ),
    Tampering(
        "a label of no pair",
        LABELLED,
        labels(lambda rows: rows.append({**rows[0], "pair_id": "nowhere"})),
        "reference: labels names nowhere as its pair_id",
    ),
    Tampering(
        "other pairs than those of its parent",
        LABELLED,
        changed(lambda row, made: row.update(poor_answer=row["answer"])),
        "parent: its rows are not those of ",
    ),
    Tampering(
        "other pairs, and another parent", LABELLED, other_pairs_with_parent, "rebuild: corpus: 1 of ", needs="rebuild"
    ),
    Tampering("another parent", LABELLED, parent(content_hash="0" * 64), "parent: its rows are not those of "),
    Tampering("a later parent", LABELLED, parent(version="3.0.0"), "parent: .* cannot be derived from "),
    Tampering(
        "another text of a model",
        MODEL,
        changed(lambda row, made: row.update(ungrounded_answer=row["answer"])),
        "pairs: pair .*: its ungrounded answer could not be used: it says nothing that the text does not say",
    ),
    Tampering(
        "an answer of a model that the text does not state",
        MODEL,
        changed(lambda row, made: row.update(answer=row["ungrounded_answer"])),
        "pairs: pair .*: (its answer could not be used|by its pair the answers)",
    ),
    Tampering(
        "an incomplete answer of a model that is whole",
        MODEL,
        changed(lambda row, made: row.update(poor_answer=row["answer"])),
        "pairs: pair .*: its incomplete answer could not be used: it leaves nothing of the answer out",
    ),
    Tampering(
        "a sentence of a model that tells the answer",
        MODEL,
        changed(
            lambda row, made: row["context_v2"].__setitem__(
                made["context_v2"]["added"][0], "Mira Sand paints lanterns in Halden."
            )
        ),
        "pairs: pair .* was added to context_v2, and could not be used: it tells a part of the answer",
    ),
    Tampering(
        "another model",
        MODEL,
        lambda copy: copy.manifest(lambda content: [each.update(name="other") for each in content["models"]]),
        "pairs: pair .* is by the model 'stand-in', which the manifest lacks",
    ),
    Tampering(
        "by rule, and not by a model",
        MODEL,
        changed(lambda row, made: [told.update(how="rule") for told in made.values()]),
        "pairs: pair .*: where each sentence that was added to context_v2 is from is not told",
    ),
    Tampering(
        "another file as a source",
        DOCUMENTS,
        lambda copy: copy.manifest(lambda content: content["sources"][0].update(uri="leave.md")),
        "pairs: a document is of 'handbook.md', which the manifest does not name as a source",
    ),
    Tampering(
        "another place of a section",
        DOCUMENTS,
        pair(source="leave.md"),
        "pairs: pair .*: its source is 'leave.md'",
    ),
    Tampering(
        "a section in other words",
        DOCUMENTS,
        changed(reworded),
        "pairs: pair .*: its answer is ",
    ),
    Tampering("who stands where", RUNS, changed(systems), "pairs: pair .*: its provenance"),
    Tampering(
        "a system that is in neither run",
        RUNS,
        changed(lambda row, made: made["answer"].update(system="best")),
        "pairs: pair .*: its provenance is not that of the two runs",
    ),
    Tampering(
        "a pair of runs by rule",
        RUNS,
        changed(lambda row, made: made["answer"].update(how="rule")),
        "pairs: pair .*: its provenance is not that of the two runs",
    ),
    Tampering(
        "an answer of a run for one dimension",
        RUNS,
        pair(poor_answer="In Lima."),
        "pairs: pair .*: its ungrounded answer is not its incomplete one",
    ),
    Tampering(
        "the same answers of both runs",
        RUNS,
        changed(lambda row, made: row.update(poor_answer=row["answer"], ungrounded_answer=row["answer"])),
        "pairs: pair .*: both of its answers are the same",
    ),
    Tampering(
        "a source that neither run read",
        RUNS,
        pair(source="Halden lies in the hills."),
        "pairs: pair .*: its source is not what stands in its contexts",
    ),
    Tampering(
        "a preference that there is not",
        RUNS,
        lambda copy: copy.manifest(lambda content: content["checks"].pop("pairs_without_preference")),
        r"count: checks\.pairs_without_preference is None, and counted it is ",
    ),
    Tampering(
        "fewer without a preference",
        RUNS,
        of_manifest("checks", pairs_without_preference=1),
        r"count: checks\.pairs_without_preference is 1, and counted it is ",
    ),
    Tampering("pairs of runs of no runs", RUNS, of_manifest("parameters", runs=""), "pairs: pair "),
    Tampering("a pair of two runs removed", RUNS, removed, "pairs: its pairs are not those of its questions"),
    Tampering(
        "another question of two runs",
        RUNS,
        pair(question="Who?"),
        "pairs: pair .*: its question is not the one that questions have",
    ),
    Tampering(
        "evidence of their own benchmark", RUNS, first_of_questions(lambda row: row.update(documents=["d1"])), ""
    ),
    Tampering("sides exchanged", RUNS, changed(other_side), "rebuild: pairs .*rows differ in ", needs="rebuild"),
    Tampering(
        "another gold answer",
        RUNS,
        first_of_questions(lambda row: row.update(answers=["Lima"])),
        "rebuild: questions .*rows differ in answers",
        needs="rebuild",
    ),
]
