"""The built-in extractive reader, for trying things out: rules of general English, no language model.

vocabulary  words that say the same, and the kinds of values that words ask for     vocabulary.toml
question    what a question names, and what it asks of it
passages    sentences, and the dates, numbers, names and phrases in them
weighing    how much the words around a value say of what is asked
combining   what several sentences say together: the largest value, the sum, how many, all that belongs to a thing
confirming  whether something is so
stated      a line of a record that says all that is asked
two_questions
            two questions in one
extract     the value of the sentence that fits best
"""
