"""The data-quality check of GRAMMAR's appendix I.1: a reader is given the gold documents of answerable questions.

What it answers right shows that a question asks about its fact and that the documents state it; what it fails shows one
of the two, or the reader's own limits.

asked             which questions, with their documents
readers           the built-in reader, or a model
faults            why an answer is not right, by rule
measure           all of it, as a file of the release
prove_readable    the file beside what is read again
"""
