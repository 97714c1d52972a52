"""What kinds share.

pairs            a thing that is named, and the rows that belong to it
lookups          the lookups of a schema, to be turned into other questions
plausible        other values that nobody takes for the true one in another spelling
"""
