"""The operations of the area, and the extensions that they need. Plain Python, because the catalogue reads it too."""

BASE = ("add", "sub", "xchg", "inc", "dec", "cmpxchg")
EXTENDED = ("min", "max", "and", "or", "xor")


def extensions_of(operation: str, type_name: str, space: str, prefix: str) -> tuple[str, ...]:
    """The extension that has the function; none for `atomic_` with 32 bits, which is core OpenCL C."""
    if prefix == "atomic":
        return ()
    group = "extended" if operation in EXTENDED else "base"
    return (f"cl_khr_int64_{group}_atomics" if "long" in type_name else f"cl_khr_{space}_int32_{group}_atomics",)
