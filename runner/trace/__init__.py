"""What a case did on the device: recorded, run again, compared with the CPU."""
