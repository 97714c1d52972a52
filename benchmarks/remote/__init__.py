"""What is asked over a network is asked within limits, and what is answered is kept: for models and for wikis alike.

rate_limit       when the next request may leave
response_store   what was answered, in a SQLite file: kept before it is used
"""
