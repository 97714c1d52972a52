"""Benchmarks for retrieval-augmented generation."""
