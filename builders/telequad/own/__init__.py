"""Three fictional specifications of an invented standards body, written by rule: the source of a build with no path.

data        what a specification is about: its TOML file as dataclasses
outline     clauses before they are numbered, and their numbers and cross-references
front       scope, references, definitions, abbreviations, architecture, timers, history
procedures  what each procedure asks of its two ends
messages    contents of messages and codings of information elements
limits      requirements with their limits and methods of test
asn1        the annex in ASN.1
layout      clauses as a .docx in the layout of telecom specifications
write       all of it, a file a specification
"""
