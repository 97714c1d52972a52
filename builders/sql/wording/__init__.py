"""Texts for SQL templates.

template_meaning  what a SQL template asks, read from its joins and conditions
meaning           that, as data: the entity, what is given, what is asked
nouns             an entity as a noun phrase
phrases           a meaning as noun phrases, for the frames of `frames.toml` and `truth_frames.toml`
many              what is asked of many rows as noun phrases, for `kind_frames.toml`
columns           what people call a column: its identifier's words, completed
truths            what a column of yes and no says: as a question, as a statement and as a mark
english           from identifiers to words: number, articles, kinds of values
skeleton          how alike two wordings are
by_rule           the built-in writer
forms/            hypotheses: forms of files, with an instruction and a rule
by_model          wordings by a model, asked for again where they fail their checks
checks            what every wording must hold and may not hold
text_checks      figures, names, markup, another language, two questions: what is seen without knowing what is asked
lexicon          by which words people ask for a column, a table or a role
twin             whether a wording asks for what its template selects: the checker by rule
slips             words of the schema in another spelling
round_trip        whether a model reads a wording as its template: the checker by model
worder            which of them words a template
"""
