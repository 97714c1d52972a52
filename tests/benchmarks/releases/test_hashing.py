"""Ids and content hashes: pinned, and independent of how rows are cut into batches or encoded."""

from typing import Any

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.benchmarks.hashing import (
    ColumnHash,
    ContentHash,
    group_id,
    hash_texts,
    question_id,
    template_id,
)
from benchwright.benchmarks.schemas import EVIDENCE, QUESTIONS, question_batch
from benchwright.benchmarks.types import Evidence, Question

SCHEMA = QUESTIONS.resolve(())
KINDS = {
    "text": (pa.string(), st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=5)),
    "integer": (pa.int32(), st.none() | st.integers(-(2**31), 2**31 - 1)),
    "boolean": (pa.bool_(), st.none() | st.booleans()),
    "list": (pa.list_(pa.string()), st.none() | st.lists(st.none() | st.text("ab'é", max_size=3), max_size=3)),
    "lists": (pa.list_(pa.list_(pa.string())), st.lists(st.lists(st.text("ab", max_size=2), max_size=2), max_size=2)),
    "spans": (
        pa.list_(EVIDENCE),
        st.lists(
            st.fixed_dictionaries(
                {"document": st.text("ab", max_size=2), "start": st.integers(0, 9), "end": st.none() | st.integers(0, 9),
                 "fact": st.integers(0, 3)}
            ),
            max_size=3,
        ),
    ),
}  # fmt: skip


def digest(kind: pa.DataType, parts: list[pa.Array]) -> list[Any]:
    column = ColumnHash(kind)
    for part in parts:
        column.update(part)
    return column.digest()


@settings(deadline=None)
@given(st.data())
def test_batches_and_encodings_do_not_matter(data: st.DataObject) -> None:
    kind, values = KINDS[data.draw(st.sampled_from(sorted(KINDS)))]
    rows = data.draw(st.lists(values, max_size=8))
    cut = data.draw(st.integers(0, len(rows)))
    whole = pa.array(rows, kind)
    expected = digest(kind, [whole])
    assert digest(kind, [whole.slice(0, cut), whole.slice(cut)]) == expected
    assert digest(kind, [pa.array(rows[:cut], kind), pa.array(rows[cut:], kind)]) == expected
    if kind == pa.string():
        assert digest(kind, [whole.dictionary_encode()]) == expected


@settings(deadline=None)
@given(st.data())
def test_other_values_give_another_hash(data: st.DataObject) -> None:
    kind, values = KINDS[data.draw(st.sampled_from(sorted(KINDS)))]
    one, other = data.draw(st.lists(values, max_size=5)), data.draw(st.lists(values, max_size=5))
    assert (digest(kind, [pa.array(one, kind)]) == digest(kind, [pa.array(other, kind)])) == (one == other)


def test_texts_cannot_run_together() -> None:
    assert digest(pa.string(), [pa.array(["ab", "c"])]) != digest(pa.string(), [pa.array(["a", "bc"])])
    assert group_id("grammar", "t", ["ab", "c"]) != group_id("grammar", "t", ["a", "bc"])


def test_ids_are_pinned() -> None:
    template = template_id("SELECT industry FROM company WHERE name = '[company.name]';")
    group = group_id("grammar", template, ["Halden Marine"])
    assert (template, group) == ("7c73cfc41f52", "72d821e75eb39d19")
    assert question_id(group, "short", "industry of [company.name]") == "72d821e75eb39d19-02f38791"


def test_content_hash_is_pinned() -> None:
    rows = [
        Question("q1", "Who?", ("Ada",), (("A.",),), "one", "answerable", evidence=(Evidence("d", 0, 3),), hops=1),
        Question("q2", "Where?"),
    ]
    content = ContentHash()
    content.update("questions", "test", question_batch(rows, SCHEMA), SCHEMA)
    content.add("templates/x.json", "0" * 64)
    assert content.hexdigest() == "8ae59972b94c4d2f1b5e6dc9ba55ecf00715619715ea7d3958282d43ab5eb930"


@settings(deadline=None)
@given(st.lists(st.none() | st.text(max_size=40) | st.text(min_size=120, max_size=140), max_size=8), st.integers(0, 8))
def test_a_text_has_one_hash_whatever_stands_beside_it(texts: list[str | None], cut: int) -> None:
    array = pa.array(texts, pa.string())
    alone = [int(hash_texts(pa.array([text], pa.string()))[0]) for text in texts]
    assert hash_texts(array).tolist() == alone
    assert hash_texts(array.slice(cut)).tolist() == alone[cut:]
    assert hash_texts(array.dictionary_encode()).tolist() == alone
    assert len(set(alone)) == len(set(texts))


def test_the_hash_of_no_text_is_zero() -> None:
    assert hash_texts(pa.array([None, ""], pa.string())).tolist()[0] == 0
    assert hash_texts(pa.array([None, ""], pa.string())).tolist()[1] != 0
