"""The wider context, by rule or by a model.

wider_contexts   the sentences of a passage with others among them
wider_sentences  which others fit
leaning          whether a sentence says by itself what it is about
"""
