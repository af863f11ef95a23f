"""Where a child died, as a text that is the same for another build of the driver: from the frames of ci/crash_place.c.

A frame is a file, an offset and, if the file exports it, the function. Debian's libLLVM exports its functions, its Mesa
only the entry points, and so do other builds of it: a place names the exported function, else the file.
"""

import itertools
import re
from pathlib import PurePath

from runner.lines import one_line

_MARK = ": died in "  # between the rest of a message and its place
_HEAD = re.compile(r"^crash place: (?P<thread>[^#].*), address (?P<address>0x[0-9a-f]+|0)$", re.MULTILINE)
_FRAME = re.compile(r"^crash place: #\d+ (?P<file>.+)\+(?P<offset>0x[0-9a-f]+|0) (?P<symbol>\S*)$", re.MULTILINE)
_VERSION = re.compile(r"(-[0-9a-f]{8}|-\d.*)?\.so\b.*|(?<!\d)(?<!\d\.)\d+(\.\d+)*$")  # libLLVM-19.so.1, python3.13
_PYTHON = ("python", "libpython", "_ctypes", "libffi")  # they called the driver, or are the driver in the mock suite
_LIBC = ("libc", "ld-", "libasan", "libtsan")
_MAX_STEPS = 3  # from the innermost one outwards; more of them differ without another cause
_NEAR_NULL = 1 << 16  # members of a structure at NULL lie below
_BITS = 64
_MAX_NAME_CHARS = 2000  # characters of a function's name, or of a thread's, that are looked at

Frame = tuple[str, int, str]  # file, offset, exported function


# The stacks that a dying process prints: ci/crash_place.c, Python's faulthandler, a panic of Rust.
_STACK = re.compile(
    r"crash place: |Fatal Python error: |(Current t|T)hread 0x[0-9a-f]+ .*first\):$|  File \".*\", line \d+ in |"
    r"Extension modules: |stack backtrace:$| +\d+: +0x[0-9a-f]+ - | {20,}at "
)


def without_stacks(output: str) -> str:
    """What a process printed, without its stacks."""
    return "\n".join(line for line in output.split("\n") if not _STACK.match(line))


def add_place(message: str, output: str, *, traced: bool) -> str:
    """A crash's message with the place that its output names. `traced`: the child had a handler that prints it.

    If it printed none, the handler did not run: the stack was full, or the thread blocks the signal.
    """
    place = read_place(output) or ("an unknown place" if traced else "")
    return f"{message}{_MARK}{place}" if place else message


def without_place(text: str) -> str:
    """A message or signature without its place."""
    return text.split(_MARK, 1)[0]


def has_place(text: str) -> bool:
    """True if a message or a signature says where."""
    return _MARK in text


def read_place(output: str) -> str:
    """`libvulkan_lvp (a thread), NULL+0x50`: the innermost steps, the thread, and the offset from NULL of the access."""
    heads = list(_HEAD.finditer(output))
    if not heads:
        return ""
    head = heads[-1]
    frames: list[Frame] = [(f["file"], int(f["offset"], 16), f["symbol"]) for f in _FRAME.finditer(output, head.end())]
    # abort(), exit() and what they call are not where the fault is.
    frames = frames[max((n for n, (_, _, symbol) in enumerate(frames, 1) if symbol in ("abort", "exit")), default=0) :]
    steps = [step for step, _ in itertools.groupby(map(_step, itertools.takewhile(_is_drivers, frames)))]
    while len(steps) > 1 and steps[-1].startswith(_LIBC):  # where threads begin
        steps.pop()
    shown = steps[:_MAX_STEPS]
    entry = next((s for s in reversed(steps[_MAX_STEPS:]) if re.match(r"cl[A-Z]", s)), "")
    shown += ["...", entry] if entry else []
    # Mesa's queues are named process:queue, and one of several has a number.
    thread = re.sub(r"(?<=^thread )[^:]*:|(?<!\d)[-:]?\d{1,20}$", "", head["thread"][:_MAX_NAME_CHARS])
    place = f"{' < '.join(shown) or 'python'} ({thread})"
    address = int(head["address"], 16)
    if address >= 1 << (_BITS - 1):
        address -= 1 << _BITS
    # An offset from NULL tells two faults of one file apart. -1 stands for none.
    if shown and shown[0] == _file(frames[0][0]) and -_NEAR_NULL < address < _NEAR_NULL and address != -1:
        place += f", NULL{address:+#x}"
    return one_line(place)


def read_frames(output: str) -> tuple[str, tuple[str, ...]]:
    """The thread that died, and its frames from the innermost one on, as `FILE+OFFSET FUNCTION`."""
    heads = list(_HEAD.finditer(output))
    if not heads:
        return "", ()
    found = _FRAME.finditer(output, heads[-1].end())
    frames = (f"{PurePath(f['file']).name}+{f['offset']} {f['symbol']}".rstrip() for f in found)
    return heads[-1]["thread"], tuple(frames)


def _is_drivers(frame: Frame) -> bool:
    return not (_file(frame[0]).startswith(_PYTHON) or ".cpython-" in frame[0])


def _step(frame: Frame) -> str:
    file, offset, symbol = frame
    if file == "?":
        return "generated code" if offset else "a call of NULL"
    return _function(symbol) or _file(file)


def _file(path: str) -> str:
    """`libgallium` of /usr/lib/libgallium-25.0.7-2.so: without what changes from build to build."""
    return _VERSION.sub("", PurePath(path).name[:_MAX_NAME_CHARS]) or path


def _function(symbol: str) -> str:
    """A function's name; for C++ the names that it is nested in, without its types. "" if that is nothing."""
    if not symbol.startswith("_Z"):
        return symbol
    names: list[str] = []
    rest = re.sub(r"^_Z(N[rVKRO]*)?", "", symbol[:_MAX_NAME_CHARS])
    while match := re.match(r"(\d{1,9})|[CD]\d", rest):
        if match[1]:
            end = match.end() + int(match[1])
            names.append(rest[match.end() : end])
        elif names:
            end = match.end()
            names.append(names[-1] if match[0][0] == "C" else f"~{names[-1]}")
        else:
            break
        rest = rest[end:]
        if not symbol.startswith("_ZN"):
            break
    if names and re.fullmatch(r"h[0-9a-f]{16}", names[-1]):  # Rust's hash of the build
        names.pop()
    return "::".join(names)
