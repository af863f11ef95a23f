"""What runs leave behind: journals, artifacts, the history."""
