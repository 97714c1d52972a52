"""Ferries: one of everything that a package can add to Benchwright."""
