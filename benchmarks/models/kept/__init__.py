"""From a request to its reply: kept replies first, else the endpoint, and kept before it is used.

cached_requests  the one door between what asks and what sends
cache            kept replies on disk
keys             what a reply is kept under
tries            replies that were paid for, in their order, usable or not
left_over        what the last start of a command has no usable reply to
claims           requests that another process has sent already
space            room on the disk for replies on their way
"""
