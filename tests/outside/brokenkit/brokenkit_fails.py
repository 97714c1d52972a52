"""A module that fails when it is imported."""

import sys

sys.exit("a plug-in that ends the program")
