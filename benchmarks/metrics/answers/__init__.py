"""Judging a free-text answer against short factual gold answers, by rules.

text       what of a text is compared: folded characters, words
numbers    numbers in figures and words, with scales and units        units.toml
dates      dates in figures and words
places     countries, nationalities, states                           countries.toml
values     a value's kind, its wordings, and the index of a template  words.toml
cues       what the words around a value do to it                     cues.toml
boolean    yes and no
near       wordings that are close to the gold answer, not among those indexed
said       an answer's text, read once whatever was asked
reading    an answer beside its question
mentions   the values that an answer names
standing   whether an answer asserts a value that it names
judge      the outcome
once       attributes that are found when they are first looked at
"""
