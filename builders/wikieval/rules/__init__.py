"""The parts of a pair by rule, of a passage whose title names its subject.

by_rule          all of them; sections of documents have rules of their own: see `sections`
facts            what the passage states (`plain_facts`, `subject_names`)
questions        a question of one or two facts and its grounded answer (`statements`, `paper_rules`)
ungrounded, incomplete
                 the worse answers (`swaps`)
"""
