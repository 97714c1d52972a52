"""SQL templates and where they come from.

enumeration      by rule: every path along foreign keys, up to a number of hops
worth            which paths people ask along, and for what at their ends
by_model         by a model, from the schema alone
files            JSON files in the format that GRAMMAR publishes
proposals        what a model proposed and why some of it is not used
missing          built-in ones that a file or a release does not hold
balance          as many wordings for each of them
prepare          all of these, worded and checked: what a builder calls
"""
