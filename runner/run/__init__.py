"""A run: workers, their children's supervisors, boards."""
