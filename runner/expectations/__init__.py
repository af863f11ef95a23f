"""The tests that are known to fail, to flake or not to run: the files, and which of them apply."""
