"""This project's jobs in Mesa's tree: what a merge request to Mesa holds (docs/mesa.md)."""
