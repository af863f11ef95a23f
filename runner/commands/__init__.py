"""One module a subcommand; imported when it is called."""
