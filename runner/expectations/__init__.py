"""What is known to fail, flake or not to run: the files, and which of them apply."""
