"""A person's understanding of a database, in a file that is drafted, reviewed, edited and given back.

content    what the file may say, checked for its shape
apply      a schema with what the file says in place of what was found
trials     what is new in it, tried on the data
part       what of it is about the part of a database that a release ships
write      the file for a schema
"""
