"""Requests that an endpoint answers within a day, at half the price.

asking  what is asked for is collected until nobody has anything more to ask
work    sending batches that are noted, and waiting for them
calls   files and batches at an endpoint
lines   their requests and replies, one a line
notes   what is noted of them, so that a stop loses none
"""
