"""Pages from a wiki's dumps: nothing is asked of the wiki.

files            the files of a dump: found, put in order, unpacked
xml              MediaWiki's export format, read in bounded memory
creation_log     when pages were created
sample           which pages of a stream are kept
titles           the titles of all articles, packed
harvest          all of these: what a builder calls
"""
