"""A sanitizer's report about a driver, as a text that is the same for another build of that driver.

A report is the driver's if the innermost frame of its first stack, except those of the sanitizer's own runtime, lies in
the driver's library. Python, LLVM and the code that a driver generates are not built with a sanitizer; a report about
them is ignored. Of data races only those on a global variable count: an object of the heap goes from thread to thread by way
of Rust's locks and channels, which ThreadSanitizer does not see. The options in runner/drivers/variants.py have the frames
written as they are read here.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from runner.lines import one_line

_HEAD = re.compile(r"(?:==\d+==ERROR: AddressSanitizer|WARNING: ThreadSanitizer|\S+: runtime error): (?P<what>.+)")
_FRAME = re.compile(r" +#(?P<number>\d+) (?P<module>\S+) (?P<function>.+) \S+")  # at its end the place in the source
_ACCESS = re.compile(r" *(?:Previous )?(?P<access>(?:atomic )?(?:read|write)(?: of size \d+)?)", re.IGNORECASE)
_GLOBAL = re.compile(r" +Location is global '(?P<name>.+)' of size")
_RUNTIME = re.compile(r"lib(?:a|t|ub)san\.so")
# Addresses and processes differ from run to run; a compiler's form of a function, from build to build.
_PASSING = re.compile(r" on (?:unknown )?(?:address )?0x.*| \(pid=\d+\)| ?0x[0-9a-f]+")
_OF_BUILD = re.compile(r"(?:\.(?:constprop|part|isra|cold|lto_priv)\b|::h[0-9a-f]{16}$|\((?!anonymous namespace\))).*")
_MAX_FRAMES = 3  # from the innermost one outwards, as of a crash

_Frame = tuple[str, str]  # module, function
_Stack = tuple[str, Sequence[_Frame]]  # the access, and the frames


def read_report(output: str, library: str) -> str:
    """The message of the first report that is about the driver whose library this is; "" if there is none."""
    folder = PurePath(library).parent
    for what, stacks in _reports(output):
        if what == "data race":
            continue
        accesses = [stack for stack in stacks if stack[0]] or stacks[:1]
        owned = [(access, _of_folder(frames, folder)) for access, frames in accesses]
        if owned and owned[0][1]:
            # Which of two threads was first is chance.
            places = sorted(f"{access} in {' < '.join(names) or 'another library'}".strip() for access, names in owned)
            return one_line(f"sanitizer: {what}: {', '.join(dict.fromkeys(places))}")
    return ""


def _reports(output: str) -> Iterator[tuple[str, list[_Stack]]]:
    """The reports of an output: the text of each, and its stacks."""
    what, last = "", ""
    stacks: list[tuple[str, list[_Frame]]] = []
    for line in output.splitlines():
        if head := _HEAD.match(line):
            if what:
                yield what, [*stacks]
            what, stacks = _PASSING.sub("", head["what"]), []
        elif place := _GLOBAL.match(line):
            what = f"{what} on {place['name']}"
        elif frame := _FRAME.fullmatch(line):
            if frame["number"] == "0":
                access = _ACCESS.match(last)
                stacks.append((access["access"].lower() if access else "", []))
            if stacks:
                stacks[-1][1].append((frame["module"], frame["function"]))
        last = line
    if what:
        yield what, [*stacks]


def _of_folder(frames: Sequence[_Frame], folder: PurePath) -> list[str]:
    """The innermost functions of a stack, as far as they lie in a folder's libraries."""
    own = itertools.dropwhile(lambda frame: _RUNTIME.match(PurePath(frame[0]).name), frames)
    ours = itertools.takewhile(lambda frame: PurePath(frame[0]).parent == folder, own)
    return [_OF_BUILD.sub("", function) for _, function in itertools.islice(ours, _MAX_FRAMES)]
