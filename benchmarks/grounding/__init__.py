"""What grounds a question: executed SQL, and facts found in text.

sql              SQL templates, parsed, checked and refused by name
database         a database behind SQLAlchemy that can only be read
changes          whether a database changes while a release is made of it
inspecting       what a database says of its tables
sqlite_file      SQLite files: guarded, and hashed by their rows
execution        a query executed once more, compared with its gold answer
values           values of a database as texts and literals
shipping         the part of a database that a release holds
shipping_servers the same of a server's database, as SQLite keeps it
chunking         documents in passages
evidence         whether a passage states an answer
matching         contexts of a system matched to documents
"""
