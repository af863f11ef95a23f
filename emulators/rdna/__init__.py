"""AMD GPUs: gfx11 (RDNA 3)."""
