"""What can be proved of a release from its files, one file each; `verify.py` runs them, with those of its builder."""
