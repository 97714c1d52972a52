"""Tamperings with manifest, card, files, splits and configs of a release."""

from tampering import Tampering

CASES = [
    Tampering(
        "an answer of one question",
        "aurp",
        lambda copy: copy.rows("questions", lambda rows: rows[0].update(answers=["Bergen"])),
        "group: question |sql: question |evidence: question ",
    ),
    Tampering(
        "qrel to another document",
        "aurp",
        lambda copy: copy.rows("qrels", lambda rows: rows[0].update({"corpus-id": "nope"})),
        "qrel: there is ",
        follow=False,
    ),
    Tampering(
        "a held-out question with its answer",
        "public",
        lambda copy: copy.rows("questions", lambda rows: rows[0].update(answers=["Bergen"]), "heldout"),
        "holdout: question ",
    ),
]
