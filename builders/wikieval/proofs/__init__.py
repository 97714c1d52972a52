"""What verify-benchmark proves of pairs.

prove_pairs      all of it
prove_again      asks the documents again
prove_candidates, prove_counts, prove_pages
                 candidates as provenance tells them, what the manifest counts, dates and order of pages
prove_runs       pairs of what two runs said
"""
