"""Rounds: a leaderboard with a secret edition of a benchmark, which nobody can know before it opens.

places     what lies in `rounds/ROUND/`            files        what those files hold
sealing    what a team and the organisers commit   counting     which commitment of a team counts
times      how long each state lasts               kept_secret  the secret, kept twice
scoring    what a team handed in, scored           code         the hash of the program that builds
proof      that what was revealed was committed    memorisation what a system knows of the public edition

    announced   the organisers' runs are committed to, before the secret is drawn
    open        documents and questions are public; teams hand in a salted hash of their predictions
    revealing   no hash is taken any more; teams send the predictions that they committed to
    closed      nothing is taken any more; the organisers may score
    scored      secret, answers and scores are public
"""
