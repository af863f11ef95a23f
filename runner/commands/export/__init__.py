"""`runner export`: the runner's data, in the form of another tool."""
