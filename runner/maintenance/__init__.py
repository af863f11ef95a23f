"""How expectation files follow the runs: what these show, what an entry should be, edits as patches, and what lint finds."""
