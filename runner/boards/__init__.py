"""The boards of `--on`, seen from the host: their addresses, what they are given, and the check before a run."""
