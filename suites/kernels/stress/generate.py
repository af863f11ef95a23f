"""Generated kernels and their results: each generator returns the source, and what numpy computes for it.

All kernels are `__kernel void f(__global T *out, __global const T *in)` and work element by element, in arithmetic that
wraps or is exact, so that only one result is right.
"""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Words = NDArray[Any]
HEAD = "__kernel void f(__global uint *out, __global const uint *in) {\n  uint x0 = in[get_global_id(0)];\n"


def statement(rng: random.Random, index: int, live: int) -> tuple[str, int, tuple[int, int, str, int]]:
    """A random assignment `x = (a op b) + c`: its text, its target, and (a, b, op, c)."""
    a, b, target = (rng.randrange(live) for _ in range(3))
    op, c = rng.choice("+-*^&|"), rng.randrange(1 << 16)
    return f"  x{target} = (x{a} {op} x{b}) + {c}u;\n", target, (a, b, op, c)


def apply(op: str, a: Words, b: Words) -> Words:
    """The operators of the generated statements, on words, which wrap."""
    both = {"+": a + b, "-": a - b, "*": a * b, "^": a ^ b, "&": a & b, "|": a | b}
    return both[op]


def straight(count: int, words: Words, seed: int = 1) -> tuple[str, Words]:
    """`count` statements on eight variables, without branches."""
    rng, live = random.Random(seed), 8
    text = [HEAD, *(f"  uint x{n} = x0 * {2 * n + 1}u;\n" for n in range(1, live))]
    values = [words * np.uint32(2 * n + 1) for n in range(live)]
    for index in range(count):
        line, target, (a, b, op, c) = statement(rng, index, live)
        text.append(line)
        values[target] = apply(op, values[a], values[b]) + np.uint32(c)
    return _end(text, values)


def branches(count: int, words: Words) -> tuple[str, Words]:
    """`count` statements, each under a condition of its own."""
    rng, live = random.Random(2), 4
    text = [HEAD, *(f"  uint x{n} = x0 * {2 * n + 1}u;\n" for n in range(1, live))]
    values = [words * np.uint32(2 * n + 1) for n in range(live)]
    for index in range(count):
        line, target, (a, b, op, c) = statement(rng, index, live)
        source, bit = rng.randrange(live), rng.randrange(32)
        text.append(f"  if (x{source} >> {bit} & 1u)\n  {line}")
        taken = (values[source] >> np.uint32(bit) & np.uint32(1)).astype(bool)
        values[target] = np.where(taken, apply(op, values[a], values[b]) + np.uint32(c), values[target])
    return _end(text, values)


def switch(count: int, words: Words) -> tuple[str, Words]:
    """A switch of `count` cases, some of which fall through."""
    text = [HEAD, f"  uint x1 = 0;\n  switch (x0 % {count + 2}u) {{\n"]
    steps = []
    for n in range(count):
        steps.append(((n * 2654435761 + 1) % (1 << 32), n % 3 != 1))
        text.append(f"  case {n}: x1 = x1 * 3u + {steps[-1][0]}u;{' break;' if steps[-1][1] else ''}\n")
    text.append("  default: x1 ^= 0xabcdu;\n  }\n")
    values = []
    for word in words:
        n, x1 = int(word) % (count + 2), 0
        while n < count:
            x1 = (x1 * 3 + steps[n][0]) % (1 << 32)
            if steps[n][1]:
                break
            n += 1
        values.append(x1 if n < count else x1 ^ 0xABCD)
    return _end(text, [words, np.array(values, np.uint32)])


def functions(count: int, words: Words) -> tuple[str, Words]:
    """`count` functions, each called by the next one."""
    text = ["uint g0(uint x) { return x + 1; }\n"]
    value = words + np.uint32(1)
    for n in range(1, count):
        text.append(f"uint g{n}(uint x) {{ uint y = g{n - 1}(x); return y * {2 * n + 1}u + (y >> {n % 31 + 1}); }}\n")
        value = value * np.uint32(2 * n + 1) + (value >> np.uint32(n % 31 + 1))
    return _end([*text, HEAD, f"  x0 = g{count - 1}(x0);\n"], [value])


def nested(depth: int, words: Words) -> tuple[str, Words]:
    """`depth` nested conditions."""
    text, value = [HEAD, "  uint x1 = 0;\n"], np.zeros_like(words)
    inside = np.ones(len(words), bool)
    for n in range(depth):
        text.append(f"  if (x0 % {n + 7}u != 3u) {{ x1 = x1 * 5u + {n}u;\n")
        inside = inside & (words % np.uint32(n + 7) != 3)
        value = np.where(inside, value * np.uint32(5) + np.uint32(n), value)
    return _end([*text, "}" * depth, "\n"], [words, value])


def expression(depth: int, words: Words) -> tuple[str, Words]:
    """One expression with `depth` nested parentheses."""
    text, value = "x0", words.copy()
    for n in range(depth):
        text = f"({text} * 3u ^ {n}u)"
        value = value * np.uint32(3) ^ np.uint32(n)
    return _end([HEAD, f"  uint x1 = {text};\n"], [words, value])


def _end(text: list[str], values: list[Words]) -> tuple[str, Words]:
    """Fold all variables into the result."""
    result = np.zeros_like(values[0])
    for value in values:
        result = result * np.uint32(31) + value
    fold = "0u"
    for n in range(len(values)):
        fold = f"({fold} * 31u + x{n})"
    return "".join([*text, f"  out[get_global_id(0)] = {fold};\n}}\n"]), result


def pressure(type_name: str, live: int, words: Words) -> tuple[str, Words]:
    """`live` values that all stay live over three rounds of mixing. They are exact in float, as all stay below 2**24."""
    text = [f"__kernel void f(__global {type_name} *out, __global const {type_name} *in) {{\n"]
    text.append(f"  {type_name} x = in[get_global_id(0)];\n")
    values = []
    for n in range(live):
        text.append(f"  {type_name} v{n} = x * ({type_name})({n % 13 + 1}) + ({type_name})({n});\n")
        values.append(words * words.dtype.type(n % 13 + 1) + words.dtype.type(n))
    for step in (live // 2 + 1, 7, live // 3 + 1):
        for n in range(live):
            other = (n * 5 + step) % live
            text.append(f"  v{n} = v{n} + v{other};\n" if n % 4 else f"  v{n} = v{n} - v{other};\n")
            values[n] = values[n] + values[other] if n % 4 else values[n] - values[other]
    total = words * words.dtype.type(0)
    text.append(f"  {type_name} sum = 0;\n")
    for n in reversed(range(live)):
        text.append(f"  sum += v{n};\n")
        total = total + values[n]
    return "".join([*text, "  out[get_global_id(0)] = sum;\n}\n"]), total


def array(length: int, words: Words) -> tuple[str, Words]:
    """A private array that is indexed by its own elements."""
    text = [HEAD, f"  uint x1 = 0, a[{length}];\n"]
    text.append(f"  for (uint i = 0; i < {length}u; i++) a[i] = x0 * (i + 1u) + i;\n")
    text.append(f"  for (uint i = 0; i < 256u; i++) {{ uint j = a[(x0 + i * 7u) % {length}u] % {length}u;")
    text.append(" x1 = x1 * 3u + a[j]; a[j] ^= x1; }\n")
    held = np.multiply.outer(np.arange(1, length + 1, dtype=np.uint32), words) + np.arange(length, dtype=np.uint32)[:, None]
    x1, column = np.zeros_like(words), np.arange(len(words))
    for i in range(256):
        j = held[(words + np.uint32(i * 7)) % np.uint32(length), column] % np.uint32(length)
        x1 = x1 * np.uint32(3) + held[j, column]
        held[j, column] ^= x1
    return _end(text, [words, x1])


def loops(counts: Sequence[int], words: Words) -> tuple[str, Words]:
    """Nested loops, each with its number of trips."""
    text, names = [HEAD, "  uint x1 = x0;\n"], [f"i{n}" for n in range(len(counts))]
    for name, count in zip(names, counts, strict=True):
        text.append(f"  for (uint {name} = 0; {name} < {count}u; {name}++)\n")
    text.append(f"    x1 = x1 * 5u + ({' ^ '.join(f'{name} * {2 * n + 1}u' for n, name in enumerate(names))});\n")
    value, total = words.copy(), int(np.prod(counts))
    indices = np.stack(np.unravel_index(np.arange(total), counts)).astype(np.uint32)
    added = np.bitwise_xor.reduce(indices * (2 * np.arange(len(counts), dtype=np.uint32) + 1)[:, None], axis=0)
    for each in added:
        value = value * np.uint32(5) + each
    return _end(text, [words, value])


GENERATORS = {
    "straight": straight,
    "branches": branches,
    "switch": switch,
    "functions": functions,
    "nested": nested,
    "expression": expression,
    "array": array,
}
