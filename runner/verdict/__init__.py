"""What a result means: pure."""
