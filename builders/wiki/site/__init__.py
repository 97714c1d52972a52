"""Pages from a wiki's API, within its limits, with every reply kept.

connection       a wiki that can be asked: address, contact, errors in one line
rate_limit       requests in a minute and at once; waiting when the wiki says so
cached_wiki      replies kept as they arrive, so that nothing is fetched twice
listing          which pages were created between two times
creation         whether that is so
fetch_pages      wikitext, fifty pages at a time
sample_random    random articles of any age
namesakes        other pages that share a page's name
pinned           the very revisions of a release
harvest          all of these: what a builder calls
"""
