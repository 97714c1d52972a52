"""The errors that people see.

BenchwrightError          what was wrong, where, and what to do: printed in one line, exit code 1
└── UsageError            the command was used wrongly: exit code 2
"""


class BenchwrightError(Exception):
    """Something that a person can mend. Its text is one line: what was wrong, where, and what to do."""


class UsageError(BenchwrightError):
    """The command was given something that cannot be meant, such as an unknown parameter."""
