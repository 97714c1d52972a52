"""Vectors of texts, from an endpoint or a folder, and how well texts fit a question."""
