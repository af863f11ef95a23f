"""What a maintainer runs once in a checkout."""
