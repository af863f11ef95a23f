"""Commands that a maintainer runs occasionally in a checkout."""
