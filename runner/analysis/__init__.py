"""Many runs, or two, seen together."""
