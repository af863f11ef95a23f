"""What `runner doctor` examines: the machine's files directly, and whatever loads a driver in child processes."""
