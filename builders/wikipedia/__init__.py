"""Post-cutoff Wikipedia: questions about articles that a model cannot have read.

harvest (or dump) → pages → text → subsets (classifier) → questions → filters → release; `build.py` puts them together.
"""

from benchwright.builders.wikipedia.build import VERSION, build

__all__ = ["VERSION", "build"]
