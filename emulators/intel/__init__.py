"""Intel's execution units, Gen9 to Gen12.5 (docs/emulation.md)."""
