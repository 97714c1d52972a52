"""Judging a free-text answer against short factual gold answers, by rules. Numbers and dates: `benchmarks.text`.

values         a value's kind, its wordings, and the index of a template        words.toml
answer_text    an answer's text, read once whatever was asked
judged_answer  an answer beside its question and what it is judged against
cues           what the words around a value do to it                           cues.toml
abstaining     how other languages say that an answer is not known              abstaining.toml
boolean        yes and no, said or entailed                                     boolean.toml
entailment     what a sentence comes to: boolean_question, boolean_clause
mentions       the values that an answer names
near_matches   wordings close to the gold answer, not among those indexed
assertion      whether an answer asserts a value that it names
judge          the outcome
"""
