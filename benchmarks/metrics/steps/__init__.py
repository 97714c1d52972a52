"""What judged metrics share: a step is made once for a prediction, whichever metrics want it."""
