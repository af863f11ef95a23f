"""`runner expect`: update, check and explain the expectation files."""
