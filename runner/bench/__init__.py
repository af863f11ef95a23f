"""What `runner bench` measures: each option (a device) in a process of its own, and the tables of the answers."""
