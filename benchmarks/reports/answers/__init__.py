"""Every answer of a run: its outcome, its texts, and what can be seen of it from the outside.

outcomes     correct, wrong, abstained or unscored
signs        what is seen of each: its contexts, and what it says (words)
every        all of them, and what they can be filtered by; details: with their texts
shown_*      the texts of few, cut to a length, and as blocks
"""
