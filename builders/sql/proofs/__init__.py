"""What is proved of a release from its SQL, its templates and a database. A builder registers `sql_proof(RULES)`.

filled           the values in an executed query, read in one pass; wordings filled with them
known_schema     the schema that templates are read with: the builder's own, a database's, or what they name themselves
templates        the templates of a release: read, parsed where they are used, and what follows from each
held_out         a held-out question of a public half is a wording of its template
held_cells       the rows that each question reads, for releases with held-out ones
complete         where all groups were wanted, no filling of a template is missing
rows             every question, group by group: all that must follow is compared
"""
