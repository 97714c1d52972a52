"""Trial corpora: good and wrong texts by which the checks of what models write are measured.

schemas/*.sql      databases without rows that the wordings ask about
wordings_*.jsonl   wordings of SQL templates; their parts differ in what the checks had seen of them
statements_*.jsonl short texts that state facts of Aurp, with places for names and values; parts likewise
wordings           reads the first
statements         reads the second, and fills their places
*_checks           the checks on them
verdicts           what a check said, and the tables of how often it errs
"""
