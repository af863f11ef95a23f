"""The bodies of the random numbers: a method against the model, its state, the generator's published answers."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runner import check
from runner.device import Device
from runner.releases import training

from ..bounded import Array, Bounded
from ..elementwise.threefry import threefry
from ..results import compare, launches, read, tensor
from .draws import DRAWS
from .stream import Stream, random_bits

SEED = 1234
WARM = 3  # words drawn first: copying the seed to the device does not count as a draw, and the counter is not 0 then

# Random123's known answers for threefry2x32, 20 rounds: counter, key, result, each as two words.
ANSWERS = (
    ((0x00000000, 0x00000000), (0x00000000, 0x00000000), (0x6B200159, 0x99BA4EFE)),
    ((0xFFFFFFFF, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF), (0x1CB996FC, 0xBB002BE7)),
    ((0x243F6A88, 0x85A308D3), (0x13198A2E, 0x03707344), (0xC4923A9C, 0x483DF7A0)),
)


def seeded(tinygrad: Any, seed: int = SEED) -> Stream:
    """Seed tinygrad, draw `WARM` words, and give the model in the same state."""
    tinygrad.Tensor.manual_seed(seed)
    tinygrad.Tensor.rand(WARM).realize()
    stream = Stream(seed)
    stream.bits(WARM)
    return stream


def equal(what: str, got: Array, want: Array | Bounded) -> None:
    """Require equal bits if the model is exact, else the bounds."""
    exact = isinstance(want, np.ndarray)
    bound = Bounded.exact(want) if isinstance(want, np.ndarray) else want
    compare(what, got, bound, bits=exact)


def check_draw(device: Device, *, method: str, shape: Sequence[int], args: Any, variant: str) -> None:
    """One method: its result against the model's, or (cpu) bit by bit against tinygrad's own CPU back end."""
    tinygrad = device.tinygrad()
    drawn, extents = DRAWS[method], tuple(shape)
    with tinygrad.Context(NOOPT=int(variant == "noopt")):
        stream = seeded(tinygrad)
        (got,) = read(tinygrad, drawn.apply(tinygrad.Tensor, extents, **args))
    equal(method, got, drawn.model(stream, extents, **args))
    if variant == "cpu":
        with tinygrad.Context(DEV="CPU"):
            seeded(tinygrad)
            other = drawn.apply(tinygrad.Tensor, extents, **args)
            check.equal("device of the other", other.device, "CPU", stage="api")
            check.equal(f"{method} against the CPU's", got, other.numpy())


def check_bits(device: Device, *, key: Sequence[int], counter: Sequence[int], count: int, variant: str) -> None:
    """`random_bits` of a given key and counter."""
    tinygrad = device.tinygrad()
    key_words, counter_words = (np.array(words, dtype=np.uint32) for words in (key, counter))
    on = tensor(tinygrad, key_words), tensor(tinygrad, counter_words)
    with tinygrad.Context(NOOPT=int(variant == "noopt")):
        (got,) = read(tinygrad, tinygrad.Tensor.random_bits(*on, count))
    equal("random_bits", got, random_bits(key_words, counter_words, count))


def check_known_answers(device: Device) -> None:
    """The generator by itself, on the device and in the model, against the authors' published answers."""
    tinygrad = device.tinygrad()

    def joined(column: int) -> Any:
        return np.array([row[column][0] | row[column][1] << 32 for row in ANSWERS], dtype=np.uint64)

    counter, key, result = joined(0), joined(1), joined(2)
    check.equal("the model", np.concatenate([threefry(counter[i : i + 1], key[i : i + 1]) for i in range(3)]), result)
    (got,) = read(tinygrad, tensor(tinygrad, counter).threefry(tensor(tinygrad, key)))
    check.equal("threefry", got, result)


def _repeats(tinygrad: Any) -> None:
    found = []
    for _ in range(2):
        stream = seeded(tinygrad)
        found.append(read(tinygrad, tinygrad.Tensor.rand(131))[0])
        equal("rand", found[-1], stream.rand((131,)))
    check.equal("the same seed again", found[1], found[0])


def _seeds_differ(tinygrad: Any) -> None:
    for seed in range(6):
        stream = seeded(tinygrad, seed)
        equal(f"seed {seed}", read(tinygrad, tinygrad.Tensor.rand(131))[0], stream.rand((131,)))


def _sequence(tinygrad: Any) -> None:
    """Draws of several methods: each continues where the previous one ended."""
    stream = seeded(tinygrad)
    for i in range(4):
        equal(f"rand {i}", read(tinygrad, tinygrad.Tensor.rand(17))[0], stream.rand((17,)))
        want = DRAWS["randint"].model(stream, (5, 3), low=-9, high=100)
        equal(f"randint {i}", read(tinygrad, tinygrad.Tensor.randint(5, 3, low=-9, high=100))[0], want)
        equal(f"randn {i}", read(tinygrad, tinygrad.Tensor.randn(9))[0], DRAWS["randn"].model(stream, (9,)))


def _sizes(tinygrad: Any) -> None:
    """Odd and even sizes, in types narrower and wider than a word: the counter takes whole words."""
    stream = seeded(tinygrad)
    for size in (1, 2, 3, 8, 31, 64):
        equal(f"rand of {size}", read(tinygrad, tinygrad.Tensor.rand(size))[0], stream.rand((size,)))
        if size > 2:
            got = read(tinygrad, tinygrad.Tensor.uniform(size, low=-1, high=1))[0]
            equal(f"uniform of {size}", got, DRAWS["uniform"].model(stream, (size,), -1.0, 1.0))


def _carry(tinygrad: Any) -> None:
    """Draws across the end of the counter's low word."""
    stream = seeded(tinygrad)
    stream.drawn = 0xFFFFFFF0
    counter = np.array([stream.drawn, 0], dtype=np.uint32)
    tinygrad.Tensor._device_rng_counters["CL"].assign(tensor(tinygrad, counter)).realize()
    for i in range(3):
        equal(f"draw {i}", read(tinygrad, tinygrad.Tensor.rand(17))[0], stream.rand((17,)))


def _seed_edges(tinygrad: Any) -> None:
    for seed in (0, 1, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, (1 << 33) + 5):
        stream = seeded(tinygrad, seed)
        equal(f"seed {seed}", read(tinygrad, tinygrad.Tensor.rand(31))[0], stream.rand((31,)))


def _replayed(tinygrad: Any) -> None:
    """A captured program draws new numbers in every replay."""
    stream = seeded(tinygrad)
    step = tinygrad.TinyJit(lambda x: (x + tinygrad.Tensor.rand(131)).contiguous().realize())
    zero = tensor(tinygrad, np.zeros(131, dtype=np.float32))
    for i in range(5):
        with launches(tinygrad):
            result = step(zero)
        equal(f"call {i}", result.numpy(), stream.rand((131,)))


def _unrealized(tinygrad: Any) -> None:
    """Two draws that are computed together, and in the wrong order."""
    stream = seeded(tinygrad)
    first, second = tinygrad.Tensor.rand(37), tinygrad.Tensor.rand(41)
    late, early = read(tinygrad, second, first)
    equal("the first", early, stream.rand((37,)))
    equal("the second", late, stream.rand((41,)))


def _dropout(trains: bool, p: float) -> Callable[[Any], None]:
    """Dropout that keeps everything, or nothing, does not draw."""

    def body(tinygrad: Any) -> None:
        stream = seeded(tinygrad)
        x = np.arange(1, 132, dtype=np.float32)
        on = tensor(tinygrad, x)
        with training(tinygrad, trains):
            (got,) = read(tinygrad, on.dropout(p) + on)
        equal("x + dropout(x)", got, x if p == 1 else x * np.float32(2))
        equal("the next draw", read(tinygrad, tinygrad.Tensor.rand(17))[0], stream.rand((17,)))

    return body


STATE: dict[str, Callable[[Any], None]] = {
    "repeats": _repeats,
    "seeds_differ": _seeds_differ,
    "sequence": _sequence,
    "sizes": _sizes,
    "carry": _carry,
    "seed_edges": _seed_edges,
    "replayed": _replayed,
    "unrealized": _unrealized,
    "not_training": _dropout(False, 0.5),
    "none": _dropout(True, 0.0),
    "all": _dropout(True, 1.0),
}


def check_state(device: Device, *, what: str) -> None:
    """Run the body that the case names."""
    STATE[what](device.tinygrad())
