"""Index expressions by name: what stands in the brackets of a tensor, or of numpy's array."""

from types import EllipsisType

Item = int | slice | EllipsisType | None | list[int]

_ALL = slice(None)

# For an operand of shape (9, 11, 13).
BASIC: dict[str, tuple[Item, ...]] = {
    "row": (4,),
    "last": (-1,),
    "element_row": (3, -2),
    "slice": (slice(2, 7),),
    "column": (_ALL, _ALL, 5),
    "negative": (slice(-6, -1), slice(None, -3)),
    "stride": (slice(1, None, 2), slice(None, None, 3), slice(2, 12, 4)),
    "backward": (slice(None, None, -1), _ALL, slice(10, 1, -3)),
    "ellipsis": (..., slice(3, 5)),
    "new_axes": (None, 2, ..., None, slice(1, None, 5)),
    "beyond": (slice(3, 100), slice(-100, 4)),
}

# With lists of integers: numpy's rule for the position of the new axes.
LISTS: dict[str, tuple[Item, ...]] = {
    "list": ([3, 0, -1, 3],),
    "list_second": (_ALL, [10, -11, 0, 5, 5]),
    "two_lists": ([0, 8, 3], [1, 1, -2]),
    "apart": ([0, 8, 3], _ALL, [12, 1, -2]),
    "list_and_slice": (slice(None, None, 2), [4, 2, 4, 0], slice(2, -2)),
}
