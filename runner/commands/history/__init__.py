"""`runner history`: fill the history from results, and print what it knows about each test."""
