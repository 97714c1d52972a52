"""A release's pairs judged: each metric scores both candidates, or chooses between them."""
