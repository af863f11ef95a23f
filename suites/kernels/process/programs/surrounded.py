"""A process in special surroundings: surrounded.py SURROUNDINGS MOMENT FOLDER (see table.py). FOLDER is an empty folder.

Prints each call with its error, up to the first that fails, and when the surroundings begin; then the execution status of
the launch and the words that it wrote. Exits with 77 and the reason if this machine cannot make such surroundings. It does
not use numpy, which needs threads and memory of its own.

One file: a program here runs by itself, and cannot import modules beside it.
"""

import ctypes
import errno
import os
import platform
import resource
import shutil
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NoReturn

_SOURCE = b"""
__kernel void f(__global uint *r, float a) {
    uint i = get_global_id(0);
    r[i] = i == 0 ? as_uint(a + 0x1.8p-24f) : i == 1 ? as_uint(a + 0x1p-25f) : i == 2 ? as_uint(0.1f)
        : i == 3 ? as_uint(0.7f) : i == 4 ? as_uint(1.0f / (a - 1.0f)) : i * 1664525u + 1013904223u;
}
"""
_ITEMS = 64
_UNSUPPORTED_EXIT = 77
_NOBODY = 65534
_SYSCALLS = {  # of x86_64 and aarch64
    "clone": (56, 220),
    "clone3": (435, 435),
    "memfd_create": (319, 279),
    "mlock": (149, 228),
    "sched_getaffinity": (204, 123),
    "sched_setaffinity": (203, 122),
    "seccomp": (317, 277),
}
name, moment, folder = sys.argv[1:]
kind, _, word = name.partition(".")
libc = ctypes.CDLL(None, use_errno=True)
library = ctypes.CDLL("libOpenCL.so.1")
report = os.dup(1)
run: Callable[[Callable[[], None]], Any] = lambda step: step()  # noqa: E731  in the main thread, or another one
void, error = ctypes.c_void_p, ctypes.c_int()
platform_id, device, event = void(), void(), void()
made: dict[str, ctypes.c_void_p] = {}


def exit_unsupported(reason: str) -> NoReturn:
    """Exit because the machine lacks something. Only before the first call of OpenCL: it must not hide a failure."""
    print(f"this machine cannot make these surroundings: {reason}", file=sys.stderr, flush=True)
    os._exit(_UNSUPPORTED_EXIT)


def say(text: str) -> None:
    os.write(report, f"{text}\n".encode())


def check(call: str, code: int) -> None:
    say(f"{call} {code}")
    if code:
        sys.exit(0)


def create(call: str, *words: Any) -> ctypes.c_void_p:
    function = getattr(library, call)
    function.restype = ctypes.c_void_p
    handle = void(function(*words, ctypes.byref(error)))
    check(call, error.value)
    return handle


def query() -> None:
    check("clGetPlatformIDs", library.clGetPlatformIDs(1, ctypes.byref(platform_id), None))
    every = ctypes.c_uint64(0xFFFFFFFF)
    check("clGetDeviceIDs", library.clGetDeviceIDs(platform_id, every, 1, ctypes.byref(device), None))
    made["context"] = create("clCreateContext", None, 1, ctypes.byref(device), None, None)
    made["queue"] = create("clCreateCommandQueue", made["context"], device, ctypes.c_uint64(0))


def build() -> None:
    source = ctypes.c_char_p(_SOURCE)
    made["program"] = create("clCreateProgramWithSource", made["context"], 1, ctypes.byref(source), None)
    check("clBuildProgram", library.clBuildProgram(made["program"], 0, None, b"", None, None))
    made["kernel"] = create("clCreateKernel", made["program"], b"f")


def launch() -> None:
    size, count, got = ctypes.c_size_t(4 * _ITEMS), ctypes.c_size_t(_ITEMS), (ctypes.c_uint32 * _ITEMS)()
    buffer = create("clCreateBuffer", made["context"], ctypes.c_uint64(1), size, None)
    one, kernel, queue = ctypes.c_float(1), made["kernel"], made["queue"]
    check("clSetKernelArg", library.clSetKernelArg(kernel, 0, ctypes.c_size_t(8), ctypes.byref(buffer)))
    check("clSetKernelArg", library.clSetKernelArg(kernel, 1, ctypes.c_size_t(4), ctypes.byref(one)))
    enqueued = library.clEnqueueNDRangeKernel(
        queue, kernel, 1, None, ctypes.byref(count), None, 0, None, ctypes.byref(event)
    )
    check("clEnqueueNDRangeKernel", enqueued)
    start = ctypes.c_size_t(0)
    check("clEnqueueReadBuffer", library.clEnqueueReadBuffer(queue, buffer, 1, start, size, got, 0, None, None))
    status = ctypes.c_int()
    check("clGetEventInfo", library.clGetEventInfo(event, 0x11D3, ctypes.c_size_t(4), ctypes.byref(status), None))
    check("status", status.value)
    say(f"words {' '.join(f'{value:x}' for value in got)}")


# The surroundings.


def require_success(result: int, what: str) -> None:
    if result:
        exit_unsupported(f"{what}: {os.strerror(ctypes.get_errno())}")


def mdwe() -> None:
    """Memory cannot be both writable and executable, as with systemd's MemoryDenyWriteExecute."""
    require_success(libc.prctl(65, 1, 0, 0, 0), "PR_SET_MDWE (Linux 6.3)")


def denied() -> None:
    """A system call is denied by a filter, as in containers. Without clone no thread can start."""
    machine = ("x86_64", "aarch64").index(platform.machine()) if platform.machine() in ("x86_64", "aarch64") else -1
    if machine < 0:
        exit_unsupported("no numbers of system calls for this machine")
    number = {"clone": errno.EAGAIN, "clone3": errno.ENOSYS, "memfd_create": errno.EPERM}.get(word, errno.EPERM)
    code = [(0x20, 0, 0, 0)]
    for one in ("clone", "clone3") if word == "clone" else (word,):
        code += [(0x15, 0, 1, _SYSCALLS[one][machine]), (0x06, 0, 0, 0x50000 | number)]
    text = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in [*code, (0x06, 0, 0, 0x7FFF0000)]))
    require_success(libc.prctl(38, 1, 0, 0, 0), "PR_SET_NO_NEW_PRIVS")
    filters = struct.pack("HxxxxxxP", len(code) + 1, ctypes.addressof(text))
    require_success(libc.syscall(_SYSCALLS["seccomp"][machine], 1, 1, filters), "seccomp")


def drop(user: int = _NOBODY) -> None:
    """Continue as another user: root ignores file permissions and limits."""
    if not os.getuid():
        try:
            os.setgroups([])
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
        except OSError as failed:
            exit_unsupported(f"another user: {failed.strerror}")
    vendors = Path(os.environ.get("OCL_ICD_VENDORS", "/etc/OpenCL/vendors"))
    if not os.access(vendors, os.R_OK) or not os.access(sys.executable, os.R_OK):
        exit_unsupported(f"{vendors} cannot be read as another user")
    if not all(os.access(node, os.R_OK | os.W_OK) for node in Path("/dev").glob("dri/renderD*")):
        exit_unsupported("a GPU that another user cannot use")


def no_threads() -> None:
    """No further thread can start (RLIMIT_NPROC)."""
    drop()
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    try:
        threading.Thread(target=int).start()
    except RuntimeError:
        return
    exit_unsupported("a thread starts beyond RLIMIT_NPROC")


def address_space() -> None:
    """RLIMIT_AS is this many MiB more than the process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + (int(word) << 20)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def locked_memory() -> None:
    resource.setrlimit(resource.RLIMIT_MEMLOCK, (0, 0))


def data() -> None:
    """RLIMIT_DATA, of private writable memory, is this many MiB more than the process has."""
    now = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmData"))
    most = int(now.split()[1]) * 1024 + (int(word) << 20)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def files() -> None:
    """RLIMIT_NOFILE allows this many files more than are open."""
    most = max(int(path.name) for path in Path("/proc/self/fd").iterdir()) + int(word)  # the last is that of this list
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def file_size() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL if word == "default" else signal.SIG_IGN)


def stack() -> None:
    """The following steps run in a thread whose stack has this many KiB."""
    global run
    threading.stack_size(int(word) << 10)
    pool = ThreadPoolExecutor(1)
    run = lambda step: pool.submit(step).result()  # noqa: E731


def stack_limit() -> None:
    """RLIMIT_STACK is this many KiB: the stack of the main thread, and the default of all others."""
    size = resource.RLIM_INFINITY if word == "unlimited" else int(word) << 10
    if resource.getrlimit(resource.RLIMIT_STACK)[0] != size:
        resource.setrlimit(resource.RLIMIT_STACK, (size, size))
        os.execv(sys.executable, [sys.executable, "-P", *sys.argv])


def closed() -> None:
    for number in word:
        os.close(int(number))


def many_files() -> None:
    """The files that are opened next have numbers that are too large for an fd_set."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if most < 1200:
        exit_unsupported("RLIMIT_NOFILE below 1200")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    while os.dup(0) < 1100:
        pass


def ignored() -> None:
    signal.signal(signal.Signals[word], signal.SIG_IGN)


def blocked() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


def interrupted() -> None:
    """A timer sends a signal every millisecond; system calls that it interrupts are not restarted."""
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.siginterrupt(signal.SIGALRM, True)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)


def mask() -> None:
    os.umask(0o777)


def subreaper() -> None:
    require_success(libc.prctl(36, 1, 0, 0, 0), "PR_SET_CHILD_SUBREAPER")


def undumpable() -> None:
    """The process is not dumpable, so that /proc/self belongs to root."""
    require_success(libc.prctl(4, 0, 0, 0, 0), "PR_SET_DUMPABLE")


def one_processor() -> None:
    os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])


def deleted_folder() -> None:
    gone = Path(folder, "gone")
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()


def perturbed() -> None:
    """Memory from malloc, and freed memory, is filled with bytes other than 0."""
    if "MALLOC_PERTURB_" not in os.environ:
        os.environ["MALLOC_PERTURB_"] = "165"
        os.execv(sys.executable, [sys.executable, "-P", *sys.argv])


def traps() -> None:
    """The calling thread traps invalid operations, divisions by zero and overflows."""
    ctypes.CDLL("libm.so.6").feenableexcept(1 | 4 | 8 if platform.machine() == "x86_64" else 7)


def rounding() -> None:
    """The calling thread has another rounding mode."""
    modes = {"x86_64": {"up": 0x800, "zero": 0xC00}, "aarch64": {"up": 0x400000, "zero": 0xC00000}}
    if platform.machine() not in modes:
        exit_unsupported("no numbers of rounding modes for this machine")
    ctypes.CDLL("libm.so.6").fesetround(modes[platform.machine()][word])


def numbers() -> None:
    """A locale with a decimal comma, made here because the system may lack one (glibc's locale/localeinfo.h)."""
    strings = b",\0" + b".\0" + b"\x03\x03\0\0" + struct.pack("II", ord(","), ord(".")) + b"UTF-8\0"
    at, places = 32, []
    for length in (2, 2, 4, 4, 4, 6):
        places.append(at)
        at += length
    place = Path(folder, "xx")
    place.mkdir()
    Path(place, "LC_NUMERIC").write_bytes(struct.pack("8I", 0x20031115 ^ 1, 6, *places) + strings)
    os.environ["LOCPATH"] = folder
    libc.setlocale.restype = ctypes.c_char_p
    libc.strtod.restype = ctypes.c_double
    if libc.setlocale(1, b"xx") != b"xx" or libc.strtod(b"0,5", None) != 0.5:
        exit_unsupported("the C library does not take a locale that is made here")


def environment() -> None:
    """HOME and the variables that place caches are unset; with `nothing`, a login's other variables, too."""
    login = ("PATH", "LANG", "USER", "LOGNAME", "SHELL", "TERM", "TMPDIR", "TZ", "PWD", "DISPLAY", "LC_ALL")
    for one in [*os.environ]:
        place = one in ("HOME", "MESA_SHADER_CACHE_DIR", "MESA_SHADER_CACHE_DISABLE") or one.startswith("XDG_")
        if place or (word == "nothing" and one in login):
            del os.environ[one]
    if word == "nowhere":
        os.environ["HOME"] = "/nonexistent"
    else:  # whose home is not that of root, in which the cache would be
        drop(54321 if word == "no_passwd" else _NOBODY)


def no_driver() -> None:
    """RUSTICL_ENABLE requests no device: there may be a platform, without a device."""
    os.environ["RUSTICL_ENABLE"] = ""


def exported() -> None:
    """A library of the application exports a function with the name of one of the C++ library, which must not be called."""
    names = {"filesystem": "_ZNSt10filesystem7__cxx114path14_M_split_cmptsEv"}
    compiler = shutil.which("clang") or shutil.which("cc") or exit_unsupported("no compiler for a library")
    source, own = Path(folder, "own.c"), Path(folder, "own.so")
    source.write_text(f"void {names[word]}(void) {{ __builtin_trap(); }}\n")
    subprocess.run([compiler, "-shared", "-fPIC", "-nostdlib", "-o", own, source], check=True)
    ctypes.CDLL(str(own), ctypes.RTLD_GLOBAL)


def caches() -> None:
    """The cache is in an unusual place; the word consists of the variable and the place."""
    variable, place = word.split("_", 1)
    for one in ("MESA_SHADER_CACHE_DISABLE", "MESA_SHADER_CACHE_DIR", "XDG_CACHE_HOME"):
        os.environ.pop(one, None)
    os.environ["HOME"] = folder
    path = Path({"absent": "/proc/nothing", "device": "/dev/null"}.get(place, folder), "cache" * (place != "device"))
    match place:
        case "file":
            path.write_text("this is no folder")
        case "loop":
            path.symlink_to(path)
        case "long" | "longer":
            path = path.joinpath(*["c" * 300] if place == "long" else ["c" * 200] * 40)
        case "empty" | "relative":
            os.chdir(folder)
            path = Path("cache")
        case "readonly" | "foreign":
            path.mkdir(0o700 if place == "foreign" else 0o555)
            if place == "foreign" and os.getuid():
                exit_unsupported("a folder of another user, without root's rights")
            Path(folder).chmod(0o755)
            drop()
            if os.access(path, os.W_OK):
                exit_unsupported("a folder that cannot be written")
        case "full":
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    os.environ[{"mesa": "MESA_SHADER_CACHE_DIR", "xdg": "XDG_CACHE_HOME"}[variable]] = "" if place == "empty" else str(path)


def hidden() -> None:
    """An empty, read-only folder is mounted over this one, in a mount namespace of the process's own."""
    if os.getuid() and libc.unshare(0x10000000):
        require_success(1, "a user namespace")
    require_success(libc.unshare(0x20000), "a mount namespace")
    place = ("/dev/shm" if word == "shm" else f"/{word}").encode()
    private, read_only = 1 << 14 | 1 << 18, ctypes.c_ulong(1)
    if libc.mount(None, b"/", None, ctypes.c_ulong(private), None) and word != "shm":
        libc.mount(None, place, None, ctypes.c_ulong(private), None)
    require_success(libc.mount(b"none", place, b"tmpfs", read_only, None), f"a mount on {place.decode()}")


signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as any other program begins; Python does not
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
os.environ["MESA_SHADER_CACHE_DISABLE"] = "true"  # so that each process compiles
for step in (query, build, launch):
    if moment == step.__name__:
        globals()[kind]()
        say("surrounded 0")
    run(step)
signal.setitimer(signal.ITIMER_REAL, 0)
