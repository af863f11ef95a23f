"""This project's jobs in Mesa's tree: the content of a merge request to Mesa (docs/mesa.md)."""
