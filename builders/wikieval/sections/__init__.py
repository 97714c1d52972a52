"""The parts of a pair by rule, of a section of a document, which has no one subject.

questions        a question of what one or two sentences tell, in figures (`figures`) or in words (`statements`,
                 `main_clauses`), and its answer
found            what is found in a sentence before it is known whether it can be asked for
candidates       the worse answers
"""
