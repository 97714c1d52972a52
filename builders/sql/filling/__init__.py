"""Values for templates, with executed answers.

fill             every combination of values that has an answer, by one SELECT a template
sample           a seeded sample of them
told             templates whose questions tell the answer
usual            templates that one answer nearly always fits
pools            the values of a column that a sample draws from, read once for all templates
shares           how a sample is shared out over tables, hops and templates
questions        from fillings to rows of the config `questions`
"""
