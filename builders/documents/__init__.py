"""Files of specifications and handbooks to trees of clauses, for builders that ask about documents."""
