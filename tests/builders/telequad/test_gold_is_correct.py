"""What a release says is right is right by its primary metric, in the words of the document and in the other forms."""

from built import Built

from benchwright.benchmarks.metrics.correct import correct, template_values
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.releases.rows import load_questions


def test_every_gold_answer_is_correct(built: Built) -> None:
    release = built.release("telequad")
    asked = [question for split in ("train", "test") for question in load_questions(release, split)]
    values = template_values(asked)
    one_a_group = {question.group: question for question in asked if question.answers}.values()
    wrong = [
        (question.question, said)
        for question in one_a_group
        for said in (question.answers[0], *question.aliases[0], f"It is {question.answers[0]}.")
        if correct(question, Prediction(question.id, said), values[question.template or ""]).value != 1.0
    ]
    assert len(one_a_group) > 400
    assert not wrong
