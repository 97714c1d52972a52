"""Leaderboards: submissions read and verified, systems ranked, rounds with a secret edition. No network, no page.

A submission's way through these modules, and through `cards/leaderboard`, which talks to the Hub:

Made by whoever submits: `check_run` (may this run be submitted?) → `system_file` (what the system says of itself) →
`package` and `predictions_table` (the files that are sent).

Looked at by maintainers, as a stranger's: `receive` (which files may there be, and where) → `apart` (a process of its
own) → `verify`, which goes through `limits`, `plain_yaml`, `claims`, `unpack`, `score_again` and `flags`, and gives a
`verdict` or a `refusal`.

Kept in the repository: `layout` (where everything lies), `board` (leaderboard.yaml), `stored` (what is there),
`part_scores` (the scores of single questions, of open ones alone).

Ranked: `entries` (what is ranked together) → `separation` and `ranking` → `standings`, with `frontier`, `details` of
each system, `results` (the table that is loaded) and `history` (who moved, and why).

`rounds` holds what is committed to, revealed and proved of a secret edition.
"""
