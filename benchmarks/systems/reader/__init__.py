"""The built-in extractive reader, for trying things out: rules of general English, no language model.

vocabulary  words that say the same, and the kinds of values that words ask for     vocabulary.toml
question    what a question names, and what it asks of it
passages    sentences, and the dates, numbers, names and phrases in them
extract     the value of the sentence that fits best
"""
