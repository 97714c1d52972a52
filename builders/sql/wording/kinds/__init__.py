"""The checker by rule for kinds of questions beside lookups: whether a wording reckons, ranks, lists or asks for yes or
no as its SQL template does, and of the same rows.

sense        what a template of a kind asks: the lookup that is left without its operation, its measure, its thresholds
operations   which operations a wording names, and the wording without their words
extremes     the highest or the lowest, the first or the second, a value or a row
thresholds   figures that a wording must keep, with the side that it asks for
alternatives SQL templates that somebody may take a wording for
claims       what is asked with yes or no
twin         why a wording does not ask for what its template selects
"""
