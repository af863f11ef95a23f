"""What `runner doctor` examines: the machine's files directly, and everything that loads a driver in child processes."""
