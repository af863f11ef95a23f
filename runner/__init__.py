"""Conformance and regression runner for Rusticl, Mesa's OpenCL."""
