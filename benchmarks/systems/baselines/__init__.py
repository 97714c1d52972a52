"""The baselines, one file each: what it retrieves. Who answers from that is in `systems.baseline`."""
