"""The images of the suite. Plain Python, because the catalogue reads it too."""

from __future__ import annotations

# Formats of the minimum list of a full profile, and R, which every driver has.
# Dimensions, channel order, channel type, filter, addressing, normalized positions, sampler in the kernel.
SAMPLERS: tuple[tuple[int, str, str, str, str, bool, bool], ...] = (
    (1, "rgba", "float", "nearest", "clamp", False, False),
    (1, "r", "float", "linear", "repeat", True, False),
    (2, "rgba", "float", "nearest", "clamp", False, False),
    (2, "rgba", "float", "nearest", "clamp_to_edge", True, True),
    (2, "rgba", "float", "nearest", "repeat", True, False),
    (2, "rgba", "float", "nearest", "mirrored", True, False),
    (2, "rgba", "float", "linear", "clamp", False, False),
    (2, "rgba", "float", "linear", "repeat", True, False),
    (2, "rgba", "unorm8", "nearest", "clamp", False, False),
    (2, "rgba", "unorm8", "linear", "clamp_to_edge", False, False),
    (2, "bgra", "unorm8", "nearest", "clamp_to_edge", False, False),
    (2, "r", "float", "nearest", "clamp", False, True),
    (2, "rgba", "half", "linear", "mirrored", True, False),
    (2, "rgba", "unorm16", "nearest", "clamp_to_edge", False, False),
    (2, "rgba", "sint32", "nearest", "clamp", False, False),
    (3, "rgba", "uint8", "nearest", "repeat", True, False),
    (3, "rgba", "float", "linear", "clamp_to_edge", False, False),
)

# Dimensions, channel order, channel type: for writes and transfers.
IMAGE_FORMATS: tuple[tuple[int, str, str], ...] = (
    (1, "r", "float"),
    (2, "rgba", "float"),
    (2, "bgra", "unorm8"),
    (3, "rgba", "uint8"),
    (3, "rgba", "sint32"),
)
