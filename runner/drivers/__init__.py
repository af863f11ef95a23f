"""The registry of drivers, and where each finds its library and its shim."""
