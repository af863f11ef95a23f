"""`runner export`: what the runner knows, in the form of another tool."""
