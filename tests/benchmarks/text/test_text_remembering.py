"""What functions of texts gave is remembered within so many characters."""

from benchwright.benchmarks.text.remembering import remembers


def test_texts_are_forgotten_before_they_are_too_many_characters() -> None:
    asked = list[tuple[str, int]]()

    @remembers(characters=10)
    def times(text: str, number: int = 2) -> str | None:
        asked.append((text, number))
        return text * number or None

    assert [times("abcd"), times("abcd"), times("abcd", 3), times("")] == ["abcdabcd", "abcdabcd", "abcdabcdabcd", None]
    assert asked == [("abcd", 2), ("abcd", 3), ("", 2)]
    assert times("") is None and len(asked) == 3, "also that there was nothing"
    assert (times("efg"), times("abcd"), len(asked)) == ("efgefg", "abcdabcd", 5), "more than ten: all were forgotten"
    assert (times("x" * 11), times("x" * 11), times("abcd"), len(asked)) == ("x" * 22, "x" * 22, "abcdabcd", 7)
