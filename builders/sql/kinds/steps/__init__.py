"""What kinds share.

pairs            a thing that is named, and the rows that belong to it
lookups          the lookups of a schema, to be turned into other questions
made_names       names that nothing in a database has
plausible        other values that nobody takes for the true one in another spelling
measures         columns by which such rows can be compared
said             what a template asks, in the words of its columns
by_chance        rows in an order that hashes decide
templates        SQL templates with what they ask
"""
