"""What builders share that make benchmarks from a MediaWiki.

pages            a page at one revision, an article, a harvest
page_rules       which pages are articles: one rule for API and dumps
names            which pages share a name: one rule for API, dumps and proofs
hatnotes         the notes at the top of an article that name others (`hatnotes.toml`)
seeded_order     samples that depend on nothing but a seed
own/             an encyclopedia of invented things, the one that `scripts/mediawiki` serves
backlinks        which pages link to others
site/            pages from a wiki's API
dumps/           pages from its dumps
questions/       what an article says of its subject, asked by rule
text/            readable text from wikitext
"""
