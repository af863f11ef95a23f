"""`runner expect`: the work on expectation files, one module a subcommand, and what they share."""
