"""The boards of `--on`, seen from the host: their addresses, and the check that each must pass before a run."""
