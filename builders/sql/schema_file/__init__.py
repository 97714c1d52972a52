"""A person's understanding of a database, in a file that is drafted, reviewed, edited and given back.

content    what the file may say, checked for its shape
apply      a schema with what the file says in place of what was found, tried on the data
write      the file for a schema
"""
