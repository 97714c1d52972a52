"""Triplets that retrievers are trained on: a question, the text that answers it, and texts near it that do not."""
