"""Our own encyclopedia of invented things: what a wiki is built from with no path and no network, and what
`scripts/mediawiki` serves.

encyclopedia   its pages, of any number, from the sentences in the folder `encyclopedia`
export         pages as MediaWiki's export format and its dumps write them
"""
