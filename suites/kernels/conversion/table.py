"""The conversion functions of the suite. Plain Python, because the catalogue reads it too."""

from __future__ import annotations

# target, suffix, source, vector width
CONVERSIONS: tuple[tuple[str, str, str, int], ...] = (
    ("int", "", "float", 1),
    ("int", "_rte", "float", 1),
    ("int", "_rtp", "float", 1),
    ("int", "_rtn", "float", 1),
    ("char", "_sat", "float", 1),
    ("uchar", "_sat_rte", "float", 1),
    ("int", "_sat", "float", 1),
    ("uint", "_sat_rtp", "float", 1),
    ("long", "_sat_rtn", "float", 1),
    ("ulong", "_sat", "float", 1),
    ("short", "_sat_rte", "float", 3),
    ("uchar", "_sat", "float", 16),
    ("float", "", "int", 1),
    ("float", "_rtz", "int", 1),
    ("float", "_rtp", "long", 1),
    ("float", "_rtn", "ulong", 1),
    ("float", "", "ulong", 1),
    ("float", "", "uchar", 4),
    ("uchar", "", "int", 1),
    ("uchar", "_sat", "int", 1),
    ("ulong", "_sat", "char", 1),
    ("short", "_sat", "uint", 1),
    ("int", "_sat", "long", 1),
    ("char", "_sat", "short", 16),
    ("half", "_rtz", "float", 1),
    ("half", "_rtp", "int", 1),
    ("float", "", "half", 1),
    ("float", "_rtp", "double", 1),
    ("double", "", "ulong", 1),
    ("int", "_sat_rte", "double", 1),
    # A rounding mode changes nothing between integers, and is legal (6.4.3.1).
    ("char", "_sat_rte", "int", 1),
    ("short", "_rtz", "int", 1),
    ("uchar", "_sat_rtp", "short", 4),
    ("uint", "_sat_rtn", "int", 1),
)

# target, source, size in bytes, bytes that are defined (of three components the fourth is not)
REINTERPRETATIONS: tuple[tuple[str, str, int, int], ...] = (
    ("float", "int", 4, 4),
    ("uchar4", "uint", 4, 4),
    ("short8", "long2", 16, 16),
    ("int3", "float4", 16, 12),
)
