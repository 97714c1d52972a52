"""What kinds share.

pairs            a thing that is named, and the rows that belong to it
"""
