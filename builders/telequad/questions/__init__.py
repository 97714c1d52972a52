"""Questions that follow from what specifications state regularly, by rule: a pattern a file.

asked          what a pattern gives
patterns       every pattern by its name
called         what questions call a document
wordings       the frames of wordings.toml, filled in
definitions    terms and what they mean
abbreviations  abbreviations and what they stand for
tables         tables that can be asked for their cells (tables.toml)
drawn          tables that are drawn in characters
headers        what columns are called
row_names      what rows are called, and which name is of one row alone
cells          cells of tables by row and column
quantities     figures, units and what they are of (quantities.toml)
ranges         ranges, defaults, limits and other values that sentences state
sentences      sentences without the references in them, and the lists that they open
duties         who shall do what, and when; duty_words (duties.toml): which words of it can be asked about
requirements   questions about duties
references     questions that need the clause that refers to another, and the other
names          timers and messages, and who starts and sends them
unanswerable   questions that the document does not answer
"""
