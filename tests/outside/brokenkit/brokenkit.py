"""Nothing that can be used."""

NUMBER = 7
