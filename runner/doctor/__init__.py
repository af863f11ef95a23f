"""What `runner doctor` looks at: the machine by its files, and what loads a driver in child processes."""
