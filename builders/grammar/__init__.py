"""GRAMMAR-Gen: questions and executed gold answers from a SQL database (Li, Liu and Gao, 2024)."""

from benchwright.builders.grammar.build import VERSION, build, check_holdout

__all__ = ["VERSION", "build", "check_holdout"]
