"""Readable text from wikitext.

markup           links, templates and tables become text, in one pass
templates        what templates say
tables           tables as lines
page             paragraphs and sections: an article
"""
