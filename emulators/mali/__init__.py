"""Mali: Bifrost's shaders and its job manager (docs/emulation.md)."""
