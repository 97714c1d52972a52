"""Questions that follow from what specifications state regularly, by rule: a pattern a file.

asked      what a pattern gives
"""
