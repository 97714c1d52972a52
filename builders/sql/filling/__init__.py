"""Values for templates, with executed answers.

fillings         those of a template, column by column, and what became of those that are none
usable           which values and answers can be asked for in text
chosen           combinations of values as a part of a query
fill             every combination of values that has an answer, by one SELECT a template
everything       all of them, for all templates
sample           a seeded sample of them, or all where there are no more
coverage         what a sample covers: of each table, groups and rows
told             templates whose questions tell the answer
usual            templates that one answer nearly always fits
pools            the names of rows that a sample draws from, read once for all templates
shares           how a sample is shared out over tables, columns, hops and templates
questions        from fillings to rows of the config `questions`
"""
