"""Seeded parameters for a model made of tinygrad's layers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def seed(model: Any, number: int) -> dict[str, NDArray[np.float64]]:
    """Give every parameter of `model` random values, and return them by its name in the state dict.

    Weights preserve the magnitude of their input; norms are about 1, biases and running means about 0, running
    variances between 0.5 and 1.5.
    """
    from tinygrad import Tensor
    from tinygrad.nn.state import get_state_dict, load_state_dict

    rng = np.random.default_rng(number)
    arrays: dict[str, NDArray[Any]] = {}
    for name, tensor in get_state_dict(model).items():
        shape = tuple(tensor.shape)
        if name.endswith("num_batches_tracked"):
            arrays[name] = np.zeros(shape, np.int64)
        elif name.endswith("running_var"):
            arrays[name] = rng.uniform(0.5, 1.5, shape)
        elif len(shape) > 1:
            arrays[name] = rng.normal(0, np.prod(shape[1:]) ** -0.5, shape)
        else:
            arrays[name] = 0.2 * rng.standard_normal(shape) + name.endswith("weight")
    arrays = {name: a.astype(np.float32) if a.dtype.kind == "f" else a for name, a in arrays.items()}
    load_state_dict(model, {name: Tensor(a) for name, a in arrays.items()}, verbose=False)
    return {name: a.astype(np.float64) for name, a in arrays.items() if a.dtype.kind == "f"}
