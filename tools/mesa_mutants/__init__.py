"""Mesa changed on purpose: would the suites see a mistake in the driver's own source?"""
