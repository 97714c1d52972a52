"""Aurp: a fictional company of structural engineers, its database and its documents."""

from benchwright.builders.aurp.build import VERSION, build

__all__ = ["VERSION", "build"]
