"""deqp-runner's expectation files: what one needs once, when a driver's files move here or back."""
