"""Names of folders, made of other names."""

import re


def slug(text: str, otherwise: str, keeps: str = "") -> str:
    """A text as a part of a folder's name: lower-case ASCII letters and figures, a hyphen for each run of others.

    Args:
        text: such as the name of a model, a module or a file.
        otherwise: what it is where nothing of the text is left.
        keeps: further characters that stay as they are, but at the ends; "._-" leaves `gpt-4.1_mini`.
    """
    plain = re.sub(rf"[^a-z0-9{re.escape(keeps)}]+", "-", text.lower())
    return plain.strip("-" + keeps) or otherwise
