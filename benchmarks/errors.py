"""The errors that people see.

BenchwrightError          what was wrong, where, and what to do: printed in one line, exit code 1
├── UsageError            the command was used wrongly: exit code 2
└── StopError             nothing that follows would go better: the work ends here, and what is done is kept
"""


class BenchwrightError(Exception):
    """Something that a person can mend. Its text is one line: what was wrong, where, and what to do."""


class UsageError(BenchwrightError):
    """The command was given something that cannot be meant, such as an unknown parameter."""


class StopError(BenchwrightError):
    """A limit was reached, or what is needed cannot be had: the whole run stops, and can be taken up again."""
