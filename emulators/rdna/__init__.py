"""AMD GPUs: gfx9 to gfx12 (docs/emulation.md)."""
