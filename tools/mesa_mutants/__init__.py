"""Mesa changed on purpose: would the suites detect a mistake in the driver's own source?"""
