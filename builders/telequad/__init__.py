"""Questions with exact answers over technical specifications.

own        three fictional specifications, the default source
"""
