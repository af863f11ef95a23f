"""The surroundings of a process: resources that it lacks, and things that are unusual.

OpenCL has error codes for the former, and does not mention the latter. No call may crash the process or hang.
"""

import signal
import tempfile

from runner import check
from runner.check import Mismatch, NothingTested, Unsupported
from runner.device import Device
from runner.program import run_program

from .processes import PROGRAM_ERRORS, UNSUPPORTED_EXIT, program
from .table import LACKS

#: The words of its kernel: two sums of 1 and a little, rounded to even, 0.1f, 0.7f, 1 / 0; then i * 1664525 + 1013904223.
_WORDS = [
    0x3F800001,
    0x3F800000,
    0x3DCCCCCD,
    0x3F333333,
    0x7F800000,
    *((i * 1664525 + 1013904223) & 0xFFFFFFFF for i in range(5, 64)),
]


def check_scarce(device: Device, *, name: str, moment: str) -> None:
    """The first call that fails has an error for what is lacking, or all calls are right. `name`: of SCARCE."""
    call, code = _run_program(name, moment)
    if code:
        check.true(f"{call}: {code} is an error of what is lacking", code in LACKS[call], stage="api")


def check_unusual(device: Device, *, name: str, moment: str) -> None:
    """All calls are right. `name`: of UNUSUAL."""
    call, code = _run_program(name, moment)
    check.equal(call, code, 0, stage="api")


def _run_program(name: str, moment: str) -> tuple[str, int]:
    """Run the program; returns its last call and the error. If that is 0, the kernel's words have been compared."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        ended = run_program(program("surrounded", name, moment, folder), may_die=True)
    reason = ended.reasons[-1]
    if ended.code == UNSUPPORTED_EXIT:
        raise Unsupported(reason)
    lines = [line.split() for line in ended.output.splitlines() if line.split(" ")[0] in (*LACKS, "surrounded", "words")]
    call = lines[-1][0] if lines else "nothing"
    if ["surrounded", "0"] not in lines:
        raise NothingTested(f"the program ends before the surroundings begin: after {call}: {reason}")
    if ended.code < 0:
        raise Mismatch(f"api: after {call}: dies of {signal.Signals(-ended.code).name}")
    if ended.code > 0 and reason.partition(":")[0] in (*PROGRAM_ERRORS, "MemoryError"):
        raise NothingTested(f"the program is wrong: {reason}")
    if ended.code:
        raise Mismatch(f"api: after {call}: exit {ended.code}: {reason}")
    if call == "words":
        check.equal("the kernel's words", [int(word, 16) for word in lines[-1][1:]], _WORDS)
        return call, 0
    code = int(lines[-1][1])
    check.true(f"after {call}, which returns 0, the process continues", code != 0, stage="api")
    return call, code
