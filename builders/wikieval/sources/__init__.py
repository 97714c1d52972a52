"""Where the passages of pairs come from.

passages         pages of a wiki, or a user's own documents
pages            introductions of new pages about events (`events`), and sentences of pages that link to them
                 (`introductions`, `page_neighbours`) or are of their kind (`other_pages`)
from_documents   sections of documents, and sentences of their neighbours (`document_passages`)
"""
