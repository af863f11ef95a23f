"""The registry of drivers, and where each finds its library and its shim."""

PLACE_VARIABLE = "RUNNER_CRASH_PLACE"  # where the library of ci/crash_place.c is; here, because a child reads it
