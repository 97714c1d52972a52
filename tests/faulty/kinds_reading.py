"""What can be wrong with what reaches the reader, with the reader, and with what is given out."""

import re
from collections.abc import Callable, Sequence

from benchwright.benchmarks.types import Question
from faulty.corpora import drawn, picked
from faulty.pipeline import UNKNOWN, At, Bench, Fault, Reader, another_in

Says = Callable[[Bench, Question, Sequence[str], Reader], str]
When = Callable[[Question], bool]
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]")


def first_context_only_reaches_the_reader() -> Fault:
    """Of so many wordings the first passage alone is put into the prompt, whatever is there."""
    return Fault(texts=lambda texts, question, at: texts[:1] if at.hits(question.id) else texts)


def prompt_cut() -> Fault:
    """The prompt is cut: so much of its characters is lost at the end."""

    def cut(texts: list[str], question: Question, at: At) -> list[str]:
        room, kept = int(sum(map(len, texts)) * (1 - at.strength)), list[str]()
        for text in texts:
            if room <= 0:
                break
            kept.append(text[:room])
            room -= len(text)
        return kept

    return Fault(texts=cut)


def passages_cut_in_the_prompt() -> Fault:
    """Of every passage so much is lost at its end on the way to the prompt."""
    return Fault(texts=lambda texts, question, at: [text[: int(len(text) * (1 - at.strength))] for text in texts])


def contexts_not_passed() -> Fault:
    """Of so many wordings what was found is shown beside the answer and never reaches the reader."""
    return Fault(own_texts=lambda texts, question, at: [] if at.hits(question.id) else texts)


def contexts_of_another_question_passed() -> Fault:
    """So many wordings are read with what was found for another question, as where calls share a variable."""

    def swapped(texts: list[str], question: Question, at: At) -> list[str]:
        if not at.hits(question.id):
            return texts
        names = sorted(at.bench.documents)
        return [
            f"{document.title}\n{document.body[:800]}"
            for place in range(len(texts))
            if (document := at.bench.documents[picked(names, "swap", question.id, place)])
        ]

    return Fault(own_texts=swapped)


def _replacing(says: Says, *, only: When | None = None) -> Fault:
    """A reader that answers something else where it is hit and something was there to read."""

    def reader(healthy: Reader, at: At) -> Reader:
        def read(bench: Bench, question: Question, texts: Sequence[str]) -> str:
            if texts and at.hits(question.id) and (only is None or only(question)):
                return says(bench, question, texts, healthy)
            return healthy(bench, question, texts)

        return read

    return Fault(reader=reader)


def reader_answers_from_memory() -> Fault:
    """So many answers are what a model believes to remember, and not what it was given."""
    return _replacing(lambda bench, question, texts, _: f"It is {bench.other_value(question, 'memory')}.")


def reader_answers_without_reading_old_facts() -> Fault:
    """So many answers are what was so when the model was trained: with contexts and without the same."""

    def reader(healthy: Reader, at: At) -> Reader:
        def read(bench: Bench, question: Question, texts: Sequence[str]) -> str:
            if at.hits(question.group):
                return f"As far as I know, {bench.other_value(question, 'trained')}."
            return healthy(bench, question, texts)

        return read

    return Fault(reader=reader)


def reader_copies_the_first_sentence() -> Fault:
    """So many answers are the first sentence of the first passage."""

    def first(bench: Bench, question: Question, texts: Sequence[str], _: Reader) -> str:
        match = _SENTENCE.search(texts[0].partition("\n")[2] or texts[0])
        return match[0].strip() if match else texts[0]

    return _replacing(first)


def reader_copies_a_passage() -> Fault:
    """So many answers are three sentences of a passage, where another value stands beside what is asked."""

    def passage(bench: Bench, question: Question, texts: Sequence[str], _: Reader) -> str:
        text = texts[-1].partition("\n")[2] or texts[-1]
        return " ".join(match[0].strip() for match in list(_SENTENCE.finditer(text))[:3]) or text

    return _replacing(passage)


def reader_takes_another_value() -> Fault:
    """So many answers are another value of the same sort from the contexts, else any other from them."""
    return _replacing(lambda bench, question, texts, _: _other(bench, question, texts))


def _other(bench: Bench, question: Question, texts: Sequence[str]) -> str:
    found = another_in(bench, question, texts)
    if found is None:
        said = [match[0] for text in texts for match in re.finditer(r"\d[\d.,]*(?: [a-z]+)?|[A-Z]\w+ [A-Z]\w+", text)]
        stated = bench.stated(question)
        found = picked([each for each in said if each not in stated and stated not in each] or ["nothing"], question.id)
    return f"It is {found}."


def reader_takes_another_entity() -> Fault:
    """So many answers are what the contexts say of somebody or something else."""

    def other(bench: Bench, question: Question, texts: Sequence[str], _: Reader) -> str:
        return _other(bench, question, texts[1:] or texts)

    return _replacing(other)


def reader_too_shy() -> Fault:
    """So often it says that it does not know, though it could."""
    return _replacing(lambda *_: UNKNOWN)


def reader_refuses_on_policy() -> Fault:
    """About so many entities it will not speak, as by an instruction that is read too widely."""

    def reader(healthy: Reader, at: At) -> Reader:
        def read(bench: Bench, question: Question, texts: Sequence[str]) -> str:
            return (
                "I cannot answer that from the information provided."
                if at.hits(question.entity)
                else healthy(bench, question, texts)
            )

        return read

    return Fault(reader=reader)


def reader_too_bold() -> Fault:
    """Where it would say that it does not know, it names a value all the same, so often."""
    return _bold(
        lambda bench, question, texts: another_in(bench, question, texts) or bench.other_value(question, "bold")
    )


def reader_fills_gaps_from_memory() -> Fault:
    """Where it would say that it does not know, it names what it believes to remember, so often."""
    return _bold(lambda bench, question, texts: bench.other_value(question, "gap"))


def _bold(says: Callable[[Bench, Question, Sequence[str]], str]) -> Fault:
    def reader(healthy: Reader, at: At) -> Reader:
        def read(bench: Bench, question: Question, texts: Sequence[str]) -> str:
            said = healthy(bench, question, texts)
            return f"It is {says(bench, question, texts)}." if said == UNKNOWN and at.hits(question.id) else said

        return read

    return Fault(reader=reader)


def reader_fails_on_long_questions() -> Fault:
    """It loses the thread of so many long questions, and takes another value."""
    return _replacing(
        lambda bench, question, texts, _: _other(bench, question, texts), only=lambda each: each.form == "long"
    )


def reader_fails_on_short_questions() -> Fault:
    """It does not see what so many short questions are about, and says that it does not know."""
    return _replacing(lambda *_: UNKNOWN, only=lambda each: each.form == "short")


def output_cut() -> Fault:
    """Answers are cut after some characters: so much of the value is lost, from a third on of what there is."""

    def cut(answer: str, question: Question, at: At) -> str:
        if answer == UNKNOWN or drawn("cut", question.id) > at.strength + 0.1:
            return answer
        return answer[: max(3, len(answer) - max(4, int(len(question.answers[0]) * 0.6)))]

    return Fault(output=cut)


def numbers_and_names_garbled_in_output() -> Fault:
    """Figures and letters of so many answers are swapped or lost on the way out."""

    def garble(answer: str, question: Question, at: At) -> str:
        if answer == UNKNOWN or not at.hits(question.id):
            return answer
        stated = at.bench.stated(question)
        there = stated if stated in answer else question.answers[0]
        wrong = there[:-2] + there[-1:] + there[-2:-1] if there[-1:] != there[-2:-1] else there[:-1] + "0"
        words = there.split()
        wrong = (
            " ".join([words[0][1:] + words[0][:1] if len(words[0]) > 2 else words[0] + "7", *words[1:]])
            if words
            else wrong
        )
        return answer.replace(there, wrong)

    return Fault(output=garble)


def candidates_listed() -> Fault:
    """So many answers name the value and others, and leave the choice to whoever asked."""

    def listed(answer: str, question: Question, at: At) -> str:
        if answer == UNKNOWN or not at.hits(question.id):
            return answer
        return f"Candidates: {at.bench.other_value(question, 'one')}, {at.bench.stated(question)}, {at.bench.other_value(question, 'two')}."

    return Fault(output=listed)


def answers_hedged() -> Fault:
    """So many answers do not commit themselves."""

    def hedge(answer: str, question: Question, at: At) -> str:
        if answer == UNKNOWN or not at.hits(question.id):
            return answer
        return f"It could be {at.bench.stated(question)} or {at.bench.other_value(question, 'hedge')}, I am not sure."

    return Fault(output=hedge)


def calls_time_out() -> Fault:
    """So many calls of the model fail."""

    def fail(answer: str, question: Question, at: At) -> str:
        if at.hits(question.id):
            raise TimeoutError("the model did not answer in time")
        return answer

    return Fault(output=fail)
