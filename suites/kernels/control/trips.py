"""Loops whose number of trips the compiler does not know, and optimisations of them (OpenCL C 3.0, 6.11).

A first trip that is peeled, one bound of two, arrays whose length bounds the trips, values that are narrowed after a
branch. Each has a model in Python, item by item. The branches write to a log, so that no branch becomes a select.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..kit.integers import wrap
from ..kit.scalar import np_type, pragmas

_ITEMS, _LOG = 64, 24
_WORD = 0xFFFFFFFF


def _run(device: Device, what: str, source: str, model: Callable[[int, int, list[int]], int]) -> None:
    """Run f(x, n, log, r): for each item a word, a number of trips below 16, a log of words, and the result."""
    words = device.rng.integers(0, 2**32, _ITEMS, dtype=np.uint32)
    trips = np.arange(_ITEMS, dtype=np.uint32) % 16
    logs = device.buffer(np.zeros(_ITEMS * _LOG, np.uint32))
    out = device.buffer(np.zeros(_ITEMS, np.uint32))
    for local in (None, [1]):  # a group of one item is compiled separately
        device.launch(device.build(source).f, [_ITEMS], local, device.buffer(words), device.buffer(trips), logs, out)
        log = np.zeros((_ITEMS, _LOG), np.uint32)
        want = np.zeros(_ITEMS, np.uint32)
        for i, (x, n) in enumerate(zip(words.tolist(), trips.tolist(), strict=True)):
            lines: list[int] = []
            want[i] = model(x, n, lines) & _WORD
            log[i, : len(lines)] = [line & _WORD for line in lines]
        check.equal(f"{what}: the log", device.read(logs, np.uint32, (_ITEMS, _LOG)), log)
        check.equal(what, device.read(out, np.uint32, _ITEMS), want)


def _source(body: str, head: str = "") -> str:
    return f"""{head}
__kernel void f(__global const uint *xs, __global const uint *ns, __global uint *logs, __global uint *r) {{
    size_t item = get_global_id(0);
    uint x = xs[item], n = ns[item], k = item * {_LOG}, t = x;
    {body}
    r[item] = t;
}}
"""


def check_first_trip(device: Device, *, start: bool, tested: bool, way: str, ending: str) -> None:
    """A flag that has one value in the first trip and the other in all later ones.

    `start`: the flag's first value; `tested`: the value that takes the first branch; `way`: "stored" if each branch writes
    to the log, "chosen" for a conditional operator; `ending`: of a trip, "plain", "continue" or "nested".
    """
    test = "first" if tested else "!first"
    if way == "stored":
        inner = "for (uint j = 0; j < (x & 3); j++) t += i ^ j;" if ending == "nested" else ""
        choice = f"""if ({test}) {{ logs[k++] = t; i += 2; t = t * 3 + 1; {inner} }}
            else {{ logs[k++] = ~t; i++; t = t * 5 + i; }}"""
    else:
        choice = f"i = {test} ? (x & 1) + i + 1 : i + 2; t = t * 5 + i;"
    skip = "if ((t & 3) == 2 && i < 9) continue;" if ending == "continue" else ""
    true, false = ("true", "false") if start else ("false", "true")
    body = f"""bool first = {true}; uint i = x >> 30;
    while (true) {{
            {choice}
            first = {false};
            {skip}
            if (i >= n) break;
            t ^= i << 4;
    }}"""

    def model(x: int, n: int, log: list[int]) -> int:
        t, i, first = x, x >> 30, start
        while True:
            taken = first == tested
            if way == "stored":
                log.append(t if taken else ~t)
            if way == "stored":
                i += 2 if taken else 1
            else:
                i += (x & 1) + 1 if taken else 2
            t = (t * 3 + 1 if taken and way == "stored" else t * 5 + i) & _WORD
            if taken and ending == "nested" and way == "stored":
                t = (t + sum(i ^ j for j in range(x & 3))) & _WORD
            first = not start
            if ending == "continue" and t & 3 == 2 and i < 9:
                continue
            if i >= n:
                return t
            t ^= (i << 4) & _WORD

    _run(device, f"a loop with a flag that is {true} at first: {test}, {way}, {ending}", _source(body), model)


_BOUNDS: dict[str, tuple[str, Callable[[Any, Any, Any], bool]]] = {
    "min": ("i < min(e, ({T})6)", lambda i, e, s: i < min(e, 6)),
    "min_of_first": ("min(({T})6, e) > i", lambda i, e, s: i < min(e, 6)),
    "max": ("i < max(e, ({T})6)", lambda i, e, s: i < max(e, 6)),
    "and": ("i < e && i < ({T})7", lambda i, e, s: i < e and i < 7),
    "or": ("i < e || i < ({T})5", lambda i, e, s: i < e or i < 5),
    "unequal": ("i != e", lambda i, e, s: i != e),
    "not_greater": ("!(i > e)", lambda i, e, s: not i > e),
    "unequal_and_less": ("!(i == e) && i < ({T})12", lambda i, e, s: i != e and i < 12),
    "twice": ("i + i < e", lambda i, e, s: i + i < e),
    "sum_at_end": ("i < e + ({T})2", lambda i, e, s: i < e + 2),
    "other_variable": ("i < s", lambda i, e, s: i < s),
}
_MAX_TRIPS = 20


def check_bounded(device: Device, *, type: str) -> None:
    """Loops whose test has two bounds, or another form, with one bound known. `type`: of the counter."""
    floating = type in ("float", "half", "double")

    def loop(test: str) -> str:
        text = test.replace("{T}", type)
        return f"""{{
            {type} i = 0, s = 3, e = ({type})n; uint m = 0;
            for (; {text} && m < {_MAX_TRIPS}; m++) {{ t = t * 3 + (uint)(int)i; i += 1; s += (i > 2) ? -1 : 1; }}
            uint u = t;
            i = 0;
            while (true) {{
                if (!({text})) break;
                if (u & 256) {{ u = u * 7; break; }}
                u = u * 3 + 1; i += 1; s += (i > 2) ? -1 : 1;
                if (i > {_MAX_TRIPS}) break;
            }}
            t ^= u;
        }}"""

    def model(x: int, n: int, log: list[int]) -> int:
        t = x
        one = 1.0 if floating else 1
        for _, test in _BOUNDS.values():
            i: Any = 0 * one
            s: Any = 3 * one
            e, m = n * one, 0
            while test(i, e, s) and m < _MAX_TRIPS:
                t = (t * 3 + int(i)) & _WORD
                i, m = i + 1, m + 1
                s += -1 if i > 2 else 1
            i, u = 0 * one, t
            while test(i, e, s):
                if u & 256:
                    u = u * 7 & _WORD
                    break
                u = (u * 3 + 1) & _WORD
                i += 1
                s += -1 if i > 2 else 1
                if i > _MAX_TRIPS:
                    break
            t ^= u
        return t

    body = "\n    ".join(loop(test) for test, _ in _BOUNDS.values())
    _run(device, f"loops with two bounds of {type}", _source(body, pragmas(type)), model)


def check_along_array(device: Device, *, length: int, form: str) -> None:
    """Loops over a private array whose length is the only known bound of the trips."""
    fill = ", ".join(f"x ^ {j * 77}" for j in range(length))
    last = length - 1
    bodies = {
        "read": f"uint a[{length}] = {{{fill}}}; for (uint i = 0; i < n; i++) t = t * 3 + a[i];",
        "backwards": f"uint a[{length}] = {{{fill}}}; for (int i = (int)n - 1; i >= 0; i--) t = t * 3 + a[i];",
        "from_end": f"uint a[{length}] = {{{fill}}}; for (uint i = 0; i < n; i++) t = t * 3 + a[{last} - i];",
        "written": f"uint a[{length}] = {{{fill}}}; for (uint i = 0; i < n; i++) a[i] += t + i;"
        f" for (uint i = 0; i < {length}; i++) t = t * 3 + a[i];",
        "member": f"struct {{ uint a[{length}]; uint b; }} s = {{{{{fill}}}, x}}; uint i = 0;"
        " while (true) { if (i == n) break; t = t * 3 + s.a[i]; i++; } t += s.b;",
        "found": f"uint a[{length}] = {{{fill}}}; for (uint i = 0; i < n; i++) {{ if (a[i] & 1) {{ t += i; break; }}"
        " t = t * 3 + a[i]; }",
        "square": f"uint a[{length}][2]; for (uint i = 0; i < {length}; i++) {{ a[i][0] = x ^ i * 77; a[i][1] = ~a[i][0]; }}"
        " for (uint i = 0; i < n; i++) for (uint j = 0; j < 2; j++) t = t * 3 + a[i][j];",
    }

    def model(x: int, n: int, log: list[int]) -> int:
        n, t = n % (length + 1), x
        a = [x ^ j * 77 for j in range(length)]
        if form == "written":
            a, n = [v + t + i if i < n else v for i, v in enumerate(a)], length
        order = {"backwards": a[:n][::-1], "from_end": a[::-1][:n]}.get(form, a[:n])
        for i, v in enumerate(order):
            if form == "found" and v & 1:
                t += i
                break
            t = (t * 3 + v) & _WORD
            if form == "square":
                t = (t * 3 + (~v & _WORD)) & _WORD
        return t + x if form == "member" else t

    body = f"n %= {length + 1}; {bodies[form]}"
    _run(device, f"a private array of {length}, {form}", _source(body), model)


def check_narrowed(device: Device, *, narrow: str, wide: str) -> None:
    """A value of a wide type that each branch takes from a narrow one, and that is narrowed again.

    Wide values are also used as they are, so that a branch that loses bits of them shows.
    """
    floating = narrow == "half"
    taken = f"({narrow})(x & 127)" if floating else f"({narrow})x"
    other = f"({narrow})(x >> 8 & 127)" if floating else f"({narrow})(x >> 8)"
    whole = "(int)" if floating else ""
    body = f"""{wide} v, w = {taken};
    if (x & 1) {{ logs[k++] = n; v = {taken}; for (uint j = 0; j < (n & 3); j++) logs[k++] = t += j; }}
    else {{ logs[k++] = ~n; v = {other}; }}
    {narrow} back = ({narrow})v;
    t = t * 31 + (uint){whole}({wide})back;
    {wide} y = w;
    for (uint i = 0; i < (n & 7); i++) {{ logs[k++] = i; y = ({wide})({narrow})(y + ({wide})1); }}
    t = t * 31 + (uint){whole}({narrow})y;
    {wide} z;
    if (n & 1) {{ logs[k++] = t; z = v + ({wide})1000; }} else {{ logs[k++] = ~t; z = w; }}
    t = t * 31 + (uint){whole}z;
    t = t * 31 + (uint){whole}({narrow})z;"""

    def to(value: Any, type_name: str) -> Any:
        return float(np_type(type_name).type(value)) if floating else wrap(int(value), type_name)

    def model(x: int, n: int, log: list[int]) -> int:
        w, t = to(x & 127 if floating else x, narrow), x
        first = x & 1
        log.append(n if first else ~n)
        v = w if first else to(x >> 8 & 127 if floating else x >> 8, narrow)
        for j in range(n & 3 if first else 0):
            t = (t + j) & _WORD
            log.append(t)
        v, w = to(v, wide), to(w, wide)
        t = (t * 31 + int(to(v, narrow))) & _WORD
        y = w
        for i in range(n & 7):
            log.append(i)
            y = to(to(y + 1, narrow), wide)
        t = (t * 31 + int(to(y, narrow))) & _WORD
        log.append(t if n & 1 else ~t)
        z = to(v + 1000, wide) if n & 1 else w
        t = (t * 31 + int(z)) & _WORD
        return (t * 31 + int(to(z, narrow))) & _WORD

    _run(device, f"{narrow} to {wide} and back behind a choice", _source(body, pragmas(narrow, wide)), model)
