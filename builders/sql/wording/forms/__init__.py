"""Forms: linguistic criteria that wordings are written to, those that are built in and those of files.

form        what a form is, and what its file may say
read        the forms of a list of names, files and folders
operations  the steps of a rule: misspelling, frames, words replaced or left out, the passive
derive      texts of a form made by its rule from texts of another
pairing     which texts of several forms belong together
"""
