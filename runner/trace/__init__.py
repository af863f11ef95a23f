"""What a case did at the seam: recorded, run again, held against the CPU."""
