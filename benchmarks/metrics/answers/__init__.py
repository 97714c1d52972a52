"""Judging a free-text answer against short factual gold answers, by rules. Numbers, dates, variants: `benchmarks.text`.

What is read:
    values            a value's kind, its wordings, and the index of a template      words.toml
    gold              a gold answer; gold_words: the words of a wording that carry its meaning
    answer_text       an answer's text, read once whatever was asked
    judged_answer     an answer beside its question and what it is judged against; answer_words: the words of both

What an answer names:
    mentions          gold values and others, as they are worded
    near_matches      wordings close to the gold answer
    names             people, fuller, shorter, in another transcription
    other_words       phrases in another order, names in part, lists                 where nothing can be confused
    figures           the date or number inside a longer gold wording

What becomes of it:
    cues              what the words around a value do to it                         cues.toml
    assertion         whether a value that is named is asserted
    passing           whether it is named only in passing, after another answer
    declining         whether an answer to a question without one says so
    abstaining        how other languages say that an answer is not known            abstaining.toml
    boolean           yes and no, said or entailed                                   boolean.toml
    entailment        what a sentence comes to: boolean_question, boolean_clause
    judge             the outcome
    stated_value      a value that is given instead of yes or no
    stated            which elements of a gold answer are stated, in an answer of any length
    listed            which elements of a list are named, and what besides; list_parts: bullets, tables, JSON, prose
"""
