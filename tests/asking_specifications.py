"""What tests of patterns share: a Markdown or plain text becomes a specification, and its questions are read."""

from pathlib import Path

from benchwright.builders.documents.folder import read_document
from benchwright.builders.documents.sections import sections
from benchwright.builders.documents.tree import Document
from benchwright.builders.telequad.questions.asked import Asked, Pattern, Specification


def specification(folder: Path, text: str, ending: str = ".md", called: str = "ZZZ 1.234") -> Specification:
    """The specification that a file with this text is."""
    path = folder / f"made{ending}"
    path.write_text(text, encoding="utf-8")
    read = read_document(path, path.name)
    assert isinstance(read, Document), read
    return Specification(path.name, called, tuple(sections(read)))


def answers(pattern: Pattern, given: Specification) -> dict[str, str]:
    """Entity → answer, once the spans of each question are found to be exact."""
    found = {}
    for asked in pattern(given):
        check(asked, given)
        first = asked.answers[0]
        assert asked.entity not in found
        found[asked.entity] = given.sections[asked.context].text[first.start : first.end]
    return found


def check(asked: Asked, given: Specification) -> None:
    """What holds for each question with an answer, whatever its pattern."""
    text = given.sections[asked.context].text
    words = {text[span.start : span.end].casefold() for span in asked.answers}
    assert len(words) == 1 and all(each == each.strip() and each for each in words)
    assert all(0 <= each.span.start < each.span.end <= len(given.sections[each.section].text) for each in asked.stated)
    for span in asked.answers:
        around = [each.span for each in asked.stated if each.section == asked.context]
        assert any(each.start <= span.start and span.end <= each.end for each in around)
    wordings = [wording for form in asked.wordings.values() for wording in form]
    assert len(wordings) == len(set(wordings))
    for wording in wordings:
        assert given.called in wording
        assert "{" not in wording and "  " not in wording and " the the " not in wording
    assert all(wording.endswith("?") for wording in asked.wordings["interrogative"])
