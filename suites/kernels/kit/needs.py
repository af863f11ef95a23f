"""The features that a case needs, from its parameters. Plain Python, because the catalogue reads it too."""

from functools import cache

FEATURES = {"half": "fp16", "double": "fp64", "long": "int64", "ulong": "int64"}


@cache
def needs(*type_names: str) -> tuple[str, ...]:
    """The features that a kernel with these types needs."""
    return tuple(dict.fromkeys(FEATURES[name] for name in type_names if name in FEATURES))
