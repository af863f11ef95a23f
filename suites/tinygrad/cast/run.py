"""What each operation is: casts and bitcasts, alone and fused with what selects."""

from __future__ import annotations

import numpy as np

from ..ops import Op, exactly

OPS: dict[str, Op] = {
    "cast": Op(lambda x, dtype: x.cast(dtype), exactly(lambda x, dtype: x.astype(dtype)), bits=True),
    "bitcast": Op(lambda x, dtype: x.bitcast(dtype), exactly(lambda x, dtype: x.view(dtype)), bits=True),
    "cast_clip": Op(
        lambda x: x.cast("float32").clip(0.5, 77.25),
        exactly(lambda x: np.clip(x.astype(np.float32), 0.5, 77.25)),
    ),
    "cast_where": Op(
        lambda x: (x < 10).where(x.cast("float32"), 2.5),
        exactly(lambda x: np.where(x < 10, x, 2.5).astype(np.float32)),
    ),
}
