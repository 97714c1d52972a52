"""A leaderboard on the Hub: its repository, its card, its page.

What becomes of a submission is decided in `benchmarks/leaderboards`; here it is fetched, published and shown.

Submitting: `submit` opens the pull request, or adds to the one that is open.

Keeping: `create` makes repository and Space. `publish` is a start of the maintainers' command: `pulls` (what is open)
→ `look` (one pull request, fetched and verified) → `workspace` (what the repository is to hold) → `ranked` (all ranked
anew) → `generated`, `card`, `page` and `page_data` → `commit` (one commit, and the Space) → `comments`. `rescore`
scores again what is there. `hub` reads and keeps files of the repository, `releases` fetches what is ranked.

Rounds: `round_open` with `round_secret` → `round_submit` by the teams → `round_close` with `round_count` (what counts,
by the Hub's clock), `round_score`, `round_memory` and `round_ranked` → `round_verify`, for everybody. `round_hub` reads
their files.
"""
