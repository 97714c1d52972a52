"""Values for templates, with executed answers.

fill             every combination of values that has an answer, by one SELECT a template
sample           a seeded sample of them; of all templates together, shared out evenly
questions        from fillings to rows of the config `questions`
"""
