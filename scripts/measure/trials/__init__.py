"""Trial corpora: good and wrong texts by which the checks of what models write are measured.

schemas/*.sql      databases without rows that the wordings ask about
wordings_*.jsonl   wordings of SQL templates: `before` was written with the checks, `after` by somebody who had not read
                   them
wordings           reads both
wording_checks     the checks on them
verdicts           what a check said, and the table of how often it errs
"""
