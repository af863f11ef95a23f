"""By which number types are dealt widths and tiers. A type keeps its own, so that a new one moves no case of another."""

TURNS = {
    "char": 0,
    "uchar": 1,
    "short": 2,
    "ushort": 3,
    "int": 4,
    "uint": 5,
    "long": 6,
    "ulong": 7,
    "half": 8,
    "float": 9,
    "double": 10,
}
