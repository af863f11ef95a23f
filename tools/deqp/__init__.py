"""deqp-runner's expectation files: a driver's files converted to this project's or back, and a check of Mesa's."""
