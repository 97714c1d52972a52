"""The parts of a pair by a model, each checked by rule.

by_model         what is asked, one after the other (`asking`)
candidate_checks what is refused
fallbacks        what rules make of a model's answer where the model gives no worse one
"""
