"""The bodies of the mock suite. Each does the real thing: a signal, a hang, an exit.

One file: most bodies are a line or two.
"""

from __future__ import annotations

import contextlib
import ctypes
import inspect
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from runner import check
from runner.model import Case, Status

_left_behind = False
_left: _Left | None = None  # what the previous case left to be done in the next one
_request: dict[str, Any] = {}  # what the child was asked


def run(device: Any, case: Case) -> None:
    global _request
    frame = sys._getframe()
    while frame.f_back and frame.f_code.co_name != "main":
        frame = frame.f_back
    _request = {name: frame.f_locals["request"][name] for name in ("number", "token")}
    globals()[f"_{case.kind}"](case)


def _reply(request: dict[str, Any], **fields: Any) -> None:
    """Write to the child's reply pipe, beside the child itself."""
    message = {"event": "done", **request, "status": Status.PASS, "message": "", "duration_s": 0.0, "cpu_s": 0.0, **fields}
    os.write(int(sys.argv[2]), json.dumps(message).encode() + b"\n")


def _scratch() -> Path:
    """A folder that outlives a child: what MOCK_STATE names."""
    folder = Path(os.environ["MOCK_STATE"])
    folder.mkdir(exist_ok=True)
    return folder


def _pass(case: Case) -> None:
    check.true("a mock passes", True)


def _fail(case: Case) -> None:
    check.equal("mock", 1, 2)


def _segfault(case: Case) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def _abort(case: Case) -> None:
    ctypes.CDLL(None).abort()


def _fault(case: Case) -> None:
    """Have a function of libc read where nothing is mapped."""
    function = getattr(ctypes.CDLL(None), case.params["function"])
    function(*{"getenv": (8,), "fputs": (b"text", 8)}[case.params["function"]])


def _fault_in_thread(case: Case) -> None:
    thread = threading.Thread(target=ctypes.CDLL(None).getenv, args=(8,))
    thread.start()
    thread.join()


def _sanitized(case: Case) -> None:
    """Have a library do what its sanitizer knows to be wrong, or nothing."""
    ctypes.CDLL(os.environ["MOCK_SANITIZED"])[case.params["function"]]()
    _pass(case)


def _sanitized_by_others(case: Case) -> None:
    """Overrun the library's memory from here."""
    block = ctypes.CDLL(os.environ["MOCK_SANITIZED"]).block
    block.restype = ctypes.c_void_p
    ctypes.memset(block(), 1, 9)
    _pass(case)


def _sanitized_and_wrong(case: Case) -> None:
    ctypes.CDLL(os.environ["MOCK_SANITIZED"]).overflow()
    _fail(case)


def _exit_in_c(case: Case) -> None:
    ctypes.CDLL(None).exit(9)


def _assert_(case: Case) -> None:
    print("mock: ../../mock-1.0/src/mock.c:41: lower: Assertion `bits <= 64' failed.", file=sys.stderr, flush=True)
    ctypes.CDLL(None).abort()


def _exit0(case: Case) -> None:
    os._exit(0)


def _exit3(case: Case) -> None:
    os._exit(3)


def _raise_(case: Case) -> None:
    raise IndexError("from the body")


def _attribute_slip(case: Any) -> None:
    check.equal("a misspelt attribute", case.idd, 1)


def _name_slip(case: Case) -> None:
    check.equal("a misspelt name", eval("misspelt"), 1)


def _type_slip(case: Case) -> None:
    wrong: Any = check.true
    wrong("a call without the value")


def _nothing(case: Case) -> None:
    pass


def _complain(case: Case) -> None:
    print(os.environ.get("MOCK_SAYS", "Unhandled ALU op"), "udiv")
    _pass(case)


def _hang(case: Case) -> None:
    while True:
        time.sleep(1)


def _spin(case: Case) -> None:
    while True:
        pass


def _hang_gil(case: Case) -> None:
    ctypes.PyDLL(None).pause()  # PyDLL keeps the GIL


def _ignore_term(case: Case) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _pass(case)


def _attempt(case: Case) -> int:
    """Count this attempt, in all children; returns how many there were before."""
    counter = _scratch() / case.id.replace("/", "_")
    count = int(counter.read_text()) if counter.exists() else 0
    counter.write_text(str(count + 1))
    return count


def _flake(case: Case) -> None:
    count = _attempt(case)
    check.true(f"attempt {count + 1} is past {case.params['fails']}", count >= case.params["fails"])


def _first_by_chance(case: Case) -> None:
    """Fail with another wrong value at the first attempt than later."""
    check.equal("mock", 1 if _attempt(case) else 7, 2)


def _poison(case: Case) -> None:
    global _left_behind
    _left_behind = True
    _pass(case)


def _poisoned(case: Case) -> None:
    check.true("nothing was left behind", not _left_behind)


def _crash_late(case: Case) -> None:
    """Pass, and die when the reply is written and no other case has begun; `once`: only the first time."""
    if not (case.params.get("once") and _attempt(case)):
        _when_idle(lambda: os.kill(os.getpid(), signal.SIGSEGV))
    _pass(case)


def _when_idle(act: Callable[[], None]) -> None:
    """Do something when the child is about to wait for its next case."""
    frame: Any = sys._getframe()
    while frame.f_code.co_name != "main":
        frame = frame.f_back
    lines = [line.strip() for line in inspect.getsource(frame).splitlines()]
    waits = lines.index("for line in requests:")

    def trace(frame: Any, event: str, _: Any) -> Any:
        if event == "line" and frame.f_lineno == frame.f_code.co_firstlineno + waits:
            act()
        return trace

    frame.f_trace = trace
    sys.settrace(lambda *_: None)


def _crash_in_the_next(case: Case) -> None:
    """Pass, and leave a thread that kills the process when the next case runs."""
    _in_the_next(lambda: os.kill(os.getpid(), signal.SIGSEGV))
    _pass(case)


def _in_the_next(act: Callable[[], None]) -> None:
    """Leave a thread that does something when the next case runs."""
    global _left
    left = _left = _Left(act)
    threading.Thread(target=left.run, daemon=True).start()


class _Left:
    def __init__(self, act: Callable[[], None]) -> None:
        self._act, self._begins, self._over = act, threading.Event(), threading.Event()

    def run(self) -> None:
        self._begins.wait()
        self._act()
        self._over.set()

    def let(self) -> None:
        """Have it act now, and wait until it has."""
        self._begins.set()
        self._over.wait()


def _next(case: Case) -> None:
    """Be what that thread waits for; pass if there is no thread."""
    if _left:
        _left.let()
    _pass(case)


def _next_fails(case: Case) -> None:
    """Be what that thread waits for, and fail."""
    if _left:
        _left.let()
    _fail(case)


def _reply_twice(case: Case) -> None:
    _reply(_request)
    _pass(case)


def _reply_late(case: Case) -> None:
    """Pass, and pass again in the middle of the next case."""
    _in_the_next(partial(_reply, _request))
    _pass(case)


def _reply_ahead(case: Case) -> None:
    """Pass, and have a reply for the next case lie ready."""
    _when_idle(partial(_reply, {**_request, "number": _request["number"] + 1}))
    _pass(case)


def _reply_garbage(case: Case) -> None:
    os.write(int(sys.argv[2]), b"\xff\x00 [[[ {\n")
    _pass(case)


def _reply_status(case: Case) -> None:
    _reply(_request, status="GREEN")


def _surrogate(case: Case) -> None:
    check.true("\ud800", False)


def _delete_output(case: Case) -> None:
    """Delete the file that receives the output, as a driver that cleans up too much."""
    print("into nothing", flush=True)
    Path("/proc/self/fd/1").resolve().unlink()
    _pass(case)


def _empty_output(case: Case) -> None:
    print("was there", flush=True)
    os.truncate("/proc/self/fd/1", 0)
    _pass(case)


def _flood(case: Case) -> None:
    line = b"x" * 1023 + b"\n"
    os.write(1, b"the first line\n")
    for _ in range(100 * 1024):
        os.write(1, line)
    os.write(2, b"the last line\n")
    _fail(case)


def _utf8(case: Case) -> None:
    os.write(1, b"\xff\xfe\x00\x1b[31m \xed\xa0\x80 ]]> <tag>\n")
    _fail(case)


def _print_environment(case: Case) -> None:
    print("\n".join(f"{name}={value}" for name, value in os.environ.items()))
    _fail(case)


def _hostile(case: Case) -> None:
    """Print, and fail with, text that breaks out of a careless page, terminal or decoder."""
    text = (
        "</script><script>window.hostile = 1</script><!--<script> <img src=x onerror='window.hostile = 2'> &lt;b&gt; "
        "${title} \x1b[31mred\x1b[0m \x1b]8;;http://example.org\x07link\x1b]8;;\x07 \u2028\u2029 \u202eabc \x08\x7f\x9b"
    )
    os.write(1, text.encode() + b" \xff\xfe\x00 the end\n")
    check.true(text, False)


def _grandchild(case: Case) -> None:
    """Leave one process in the group, and one that has left it, both deaf to SIGTERM; then die."""
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    pids = [subprocess.Popen([sys.executable, "-c", code], start_new_session=own).pid for own in (False, True)]
    (_scratch() / "grandchildren").write_text(" ".join(map(str, pids)))
    os.kill(os.getpid(), signal.SIGKILL)


def _eat(case: Case) -> None:
    hoard = []
    while True:
        hoard.append(bytearray(b"x" * (16 << 20)))
        time.sleep(0.005)


def _sleep(case: Case) -> None:
    """Take a moment; if it is `held`, or there is a file `hold`, until a test has done what it wants to do in mid-run."""
    time.sleep(case.params["seconds"])
    if case.params["held"] or (_scratch() / "hold").exists():
        (_scratch() / f"held.{os.getpid()}").touch()
        while not (_scratch() / "go").exists():
            time.sleep(0.01)
    _pass(case)


def _load(case: Case) -> None:
    """Load a library, wait until a test has exchanged it if the case says so, and have the child go by failing."""
    ctypes.CDLL(os.environ["MOCK_LIBRARY"])
    if case.params.get("waits"):
        (_scratch() / "loaded").touch()
        while not (_scratch() / "exchanged").exists():
            time.sleep(0.01)
    _fail(case)


def _same_child(case: Case) -> None:
    """All cases of a group find the process of the first one."""
    marker = _scratch() / case.params["group"]
    if not marker.exists():
        marker.write_text(str(os.getppid()))
    check.equal("the worker of the group", os.getppid(), int(marker.read_text()))


def _coin(case: Case) -> None:
    """Fail at random, as a race does."""
    check.true("the coin shows heads", os.urandom(1)[0] * 100 >= case.params["percent"] * 256)


def _cold_alone(case: Case) -> None:
    """Fail if an earlier execution has left something in the shader cache."""
    entry = Path(os.environ["MESA_SHADER_CACHE_DIR"], case.id.replace("/", "_"))
    found = entry.exists()
    entry.touch()
    check.true("the cache is cold", not found)


def _kill_worker(case: Case) -> None:
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(5)


def _kill_worker_once(case: Case) -> None:
    marker = _scratch() / "killed"
    if not marker.exists():
        marker.touch()
        _kill_worker(case)
    _pass(case)


def _stop_worker(case: Case) -> None:
    """Stop the worker, and with it every deadline; `once`: only the first time."""
    if not (case.params.get("once") and _attempt(case)):
        os.kill(os.getppid(), signal.SIGSTOP)
        time.sleep(600)
    _pass(case)


def _kernel_message(case: Case) -> None:
    with contextlib.suppress(OSError), Path("/dev/kmsg").open("w") as kernel:
        kernel.write("rusticl-runner: a GPU fault\n")
    ctypes.CDLL(None).abort()
