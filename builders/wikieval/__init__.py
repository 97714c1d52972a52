"""WikiEval: for each question a better and a worse answer or context, for people to choose from (Es et al. 2024)."""
