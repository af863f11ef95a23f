"""How `runner bench` measures: each device in a process of its own, and the tables of the answers."""
