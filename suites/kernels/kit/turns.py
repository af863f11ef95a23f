"""The numbers by which types get their widths and tiers. Each type keeps its own, so that a new type moves no other case."""

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
