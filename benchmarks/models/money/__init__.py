"""Tokens and dollars: counted, limited and estimated.

costs           tokens and dollars for each step and role
budget          the limits of a run
tokens          how many tokens texts are, about
usage_notes     what requests took before, and so what further ones will
spread          what calls seen before say of the next ones
expected_calls  what would be asked, and what that would take
samples         which items an estimate asks about really
"""
