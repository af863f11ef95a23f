"""Intel's execution units, Gen12: Tiger Lake and what has its messages (docs/emulation.md)."""
