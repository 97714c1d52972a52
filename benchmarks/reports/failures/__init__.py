"""Which module of a system failed.

causes, lost_*, missed_evidence, context_places, canned_replies  why single answers are not right (`causes.toml`)
decisions, decision_*, totals, leakage, chance                   whose failure it is, by conditions (`decisions.toml`)
diagnosis                                                        what that says of the system (`diagnosis.toml`)
probes, concentration, splits                                    where losses are most, and where they begin
"""
