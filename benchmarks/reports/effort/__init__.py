"""What answers took, beside what they are worth."""
