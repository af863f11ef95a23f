"""What sanitizers report: a library whose memory is really overrun, and reports of real drivers."""

import subprocess
from pathlib import Path

import pytest
from conftest import MOCK, Mock

from runner.drivers.registry import load_drivers
from runner.model import InfrastructureError
from runner.run.launcher import _sanitizer
from runner.verdict.sanitizer import read_report

_FAULTY = """
#include <stdlib.h>
#include <string.h>
static __attribute__((noinline)) void fill(char *where, int count) { memset(where, 1, count); }
static void overrun(int count) { char *block = malloc(8); fill(block, count); free(block); }
void overflow(void) { overrun(9); }
void again(void) { overrun(9); }
void *block(void) { return malloc(8); }
void clean(void) { overrun(8); }
"""
_PREFIX = "/prefix/lib/x86_64-linux-gnu"
_LIBRARY = f"{_PREFIX}/libRusticlOpenCL.so.1"


def _runtime() -> Path:
    return next(Path("/usr/lib").glob("*-linux-gnu/libasan.so.8"))


@pytest.fixture
def sanitized(mock: Mock) -> Mock:
    """The mock suite, whose library is built with a sanitizer, and whose driver has the runtime loaded before it."""
    (mock.folder / "faulty.c").write_text(_FAULTY)
    # The runtime is another compiler's (the package libasan8); both call it by the same names.
    words = "clang -g1 -shared -fPIC -fsanitize=address -fsanitize-recover=address -fno-sanitize-link-runtime"
    subprocess.run([*words.split(), "-o", "libfaulty.so", "faulty.c"], cwd=mock.folder, check=True)
    options = load_drivers()["llvmpipe"].variant_environment("asan")["ASAN_OPTIONS"]
    variant = f'asan: {{LD_PRELOAD: "{_runtime()}", ASAN_OPTIONS: "{options}"}}'
    registry = (MOCK / "drivers.yaml").read_text().replace("variants: {", f"variants: {{{variant}, ")
    (mock.folder / "drivers.yaml").write_text(registry)
    mock.environment["MOCK_SANITIZED"] = "./libfaulty.so"
    return mock


def _run(mock: Mock, *words: str) -> tuple[int, str]:
    return mock.run(f"--registry={mock.folder}/drivers.yaml", "--variant", "asan", *words)


def test_memory_that_is_overrun_is_a_failure_with_the_report_as_its_signature(sanitized: Mock) -> None:
    code, output = _run(sanitized, "-t", "mock/sanitized/*")
    assert code == 1, output
    found = sanitized.rows()
    red = dict.fromkeys([f"mock/sanitized/{name}" for name in ("overflow", "again", "wrong")], "Fail")
    assert found == {**red, "mock/sanitized/clean": "Pass", "mock/sanitized/foreign": "Pass"}
    message = "sanitizer: heap-buffer-overflow: write of size 9 in fill < overrun <"
    assert f"mock/sanitized/overflow: {message} overflow" in output
    assert f"mock/sanitized/again: {message} again" in output
    assert f"mock/sanitized/wrong: {message} overflow" in output


def test_without_the_variant_the_same_library_says_nothing(sanitized: Mock) -> None:
    sanitized.environment |= {"LD_PRELOAD": str(_runtime()), "ASAN_OPTIONS": "detect_leaks=0:halt_on_error=0"}
    code, output = sanitized.run("-t", "mock/sanitized/overflow")
    assert code == 0, output


def test_a_known_report_is_expected_only_in_the_runs_of_its_variant(sanitized: Mock) -> None:
    known = "mock/sanitized/overflow,Fail,sanitizer: heap-buffer-overflow: write of size 9 in fill < overrun < overflow\n"
    (sanitized.folder / "expectations/mock/mock-asan-fails.txt").write_text(known)
    code, output = _run(sanitized, "-t", "mock/sanitized/overflow")
    assert code == 0, output
    assert sanitized.rows() == {"mock/sanitized/overflow": "ExpectedFail"}
    (sanitized.folder / "expectations/mock/mock-asan-fails.txt").write_text("mock/basic/pass,Fail,sanitizer: \n")
    code, output = sanitized.run("-t", "mock/basic/pass")
    assert code == 0, output
    assert sanitized.rows() == {"mock/basic/pass": "Pass"}


@pytest.mark.parametrize(
    ("output", "message"),
    [
        pytest.param(
            "../src/util/u_math.h:7:9: runtime error: shift exponent 32 is too large for 32-bit type 'int'\n"
            f"    #0 {_PREFIX}/libRusticlOpenCL.so.1 util_foo.constprop.0 ../src/util/u_math.h:7\n"
            f"    #1 {_PREFIX}/libRusticlOpenCL.so.1 lp_bar(llvm::Value*, int) ../src/bar.cpp:8\n"
            f"    #2 {_PREFIX}/libRusticlOpenCL.so.1 rusticl::core::queue::flush::h0123456789abcdef <null>\n"
            "    #3 /usr/bin/python3.13 PyEval_EvalCode <null>\n",
            "sanitizer: shift exponent 32 is too large for 32-bit type 'int': "
            "in util_foo < lp_bar < rusticl::core::queue::flush",
            id="undefined behaviour, without what another build calls otherwise",
        ),
        pytest.param(
            "x.c:1:2: runtime error: load of misaligned address 0x7f3301 for type 'int', which requires 4 byte alignment\n"
            f"    #0 {_LIBRARY} (anonymous namespace)::Foo::foo(int) x.c:1\n",
            "sanitizer: load of misaligned address for type 'int', which requires 4 byte alignment: "
            "in (anonymous namespace)::Foo::foo",
            id="without the address",
        ),
        pytest.param(
            "==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x502000000d19 at pc 0x7f bp 0x7f sp 0x7f\n"
            "READ of size 8 at 0x502000000d19 thread T0\n"
            "    #0 /usr/lib/libLLVM.so.19.1 llvm::foo() <null>\n"
            f"    #1 {_LIBRARY} lp_compile x.c:1\n\n"
            "freed by thread T0 here:\n"
            f"    #0 {_PREFIX}/libasan.so.8 free <null>\n"
            f"    #1 {_LIBRARY} lp_free x.c:2\n",
            "",
            id="LLVM's own",
        ),
        pytest.param(
            "==7==ERROR: AddressSanitizer: attempting double-free on 0x502000000d19 in thread T0:\n"
            f"    #0 {_PREFIX}/libasan.so.8 free <null>\n"
            f"    #1 {_LIBRARY} lp_free x.c:2\n\n"
            "freed by thread T0 here:\n"
            f"    #0 {_PREFIX}/libasan.so.8 free <null>\n"
            f"    #1 {_LIBRARY} lp_other x.c:2\n",
            "sanitizer: attempting double-free: in lp_free",
            id="a report without an access",
        ),
        pytest.param(
            "==7==ERROR: AddressSanitizer: attempting double-free on 0x502000000d19 in thread T0:\n"
            f"    #0 {_PREFIX}/libasan.so.8 free <null>\n"
            "    #1 /usr/bin/python3.13 foo <null>\n"
            "WARNING: ThreadSanitizer: data race (pid=23999)\n"
            "  Write of size 4 at 0x7efd7240b06c by thread T2:\n"
            f"    #0 {_LIBRARY} lp_write x.c:10\n\n"
            "  Previous atomic read of size 4 at 0x7efd7240b06c by thread T1:\n"
            f"    #0 {_LIBRARY} lp_read x.c:11\n\n"
            "  Thread T2 (tid=24558, running) created by main thread at:\n"
            f"    #0 {_PREFIX}/libtsan.so.2 pthread_create <null>\n"
            f"    #1 {_LIBRARY} lp_start x.c:12\n"
            "  Location is global 'count' of size 4 at 0x7efd7240b06c (libRusticlOpenCL.so.1+0x406c)\n",
            "sanitizer: data race on count: atomic read of size 4 in lp_read, write of size 4 in lp_write",
            id="a race, in one order, behind a report that is Python's",
        ),
        pytest.param(
            "WARNING: ThreadSanitizer: data race (pid=23999)\n"
            "  Write of size 4 at 0x7efd7240b06c by thread T2:\n"
            f"    #0 {_LIBRARY} lp_write x.c:10\n\n"
            "  Previous read of size 4 at 0x7efd7240b06c by thread T1:\n"
            f"    #0 {_LIBRARY} lp_read x.c:11\n\n"
            "  Location is heap block of size 1208 at 0x7b7c00000000 allocated by main thread:\n"
            f"    #0 {_PREFIX}/libtsan.so.2 calloc <null>\n",
            "",
            id="a race on what Rust may have handed over",
        ),
        pytest.param("printed\n", "", id="nothing"),
    ],
)
def test_a_report_names_only_functions_of_the_driver(output: str, message: str) -> None:
    assert read_report(output, _LIBRARY) == message


@pytest.mark.parametrize(("name", "variant"), [("libasan.so.8", "asan"), ("libtsan.so.2", "tsan"), ("libother.so", "")])
def test_a_build_and_a_variant_belong_together(tmp_path: Path, name: str, variant: str) -> None:
    library = tmp_path / "libRusticlOpenCL.so.1"
    library.write_bytes(b"ELF\0libm.so.6\0" + name.encode() + b"\0libc.so.6\0")
    built = f"was built for --variant {variant}" if variant else "was built without"
    for asked in ("", "asan", "tsan"):
        if asked == variant:
            assert _sanitizer(asked, library) == (f"{name}:libstdc++.so.6" if variant else "")
        else:
            with pytest.raises(InfrastructureError, match=built):
                _sanitizer(asked, library)
    if not variant:
        assert _sanitizer("sync", library) == ""
