"""The pages on which people judge: one file each that opens from disk, asks for nothing elsewhere, and trusts no text.

page   a page of some work, for one person
"""
