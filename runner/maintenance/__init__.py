"""How expectation files follow the runs: their evidence, what an entry should be, edits as patches, and lint."""
