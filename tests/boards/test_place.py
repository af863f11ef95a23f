"""Where a crash was: real faults in two functions of libc, and the frames of real drivers."""

import re
from pathlib import Path

import pytest
from answers import attempt
from conftest import MOCK, Mock

from runner.model import Expectation, FileKind, Result, Status, Verdict
from runner.records.journal import read
from runner.verdict.judge import judge, signature_matches
from runner.verdict.last_words import last_words
from runner.verdict.place import add_place, read_place, without_stacks

_LIB = "/usr/lib/x86_64-linux-gnu"
_GETENV = "SIGSEGV: died in getenv (main thread)"


def _frames(head: str, *frames: str) -> str:
    return f"printed\ncrash place: {head}\n" + "".join(f"crash place: #{n} {f}\n" for n, f in enumerate(frames))


@pytest.mark.parametrize(
    ("output", "place"),
    [
        pytest.param(
            _frames(
                "a thread, address 0x50",
                f"{_LIB}/libvulkan_lvp.so+0xd9428 ",
                f"{_LIB}/libvulkan_lvp.so+0xdcfcf ",
                f"{_LIB}/libc.so.6+0x928ba ",
            ),
            "libvulkan_lvp (a thread), NULL+0x50",
            id="a file without names and a member of NULL",
        ),
        pytest.param(
            _frames(
                "thread rusticl queue t, address 0x1f9",
                f"{_LIB}/libLLVM.so.19.1+0x17347e9 _ZN4llvm12SelectionDAG14simplifySelectENS_7SDValueES1_S1_",
                f"{_LIB}/libLLVM.so.19.1+0x1733e64 _ZN4llvm12SelectionDAG7getNodeEjRKNS_5SDLocENS_3EVTE",
                f"{_LIB}/libLLVM.so.19.1+0x168db7f ",
                f"{_LIB}/libLLVM.so.19.1+0x165855f _ZN4llvm12SelectionDAG13LegalizeTypesEv",
                f"{_LIB}/libRusticlOpenCL.so.1+0x8ef547 ",
            ),
            "llvm::SelectionDAG::simplifySelect < llvm::SelectionDAG::getNode < libLLVM (thread rusticl queue t)",
            id="names of C++ without their types, three steps",
        ),
        pytest.param(
            _frames(
                "thread rusticl queue t, address 0x8",
                f"{_LIB}/libLLVM.so.19.1+0x1 LLVMAddFunction",
                f"{_LIB}/libRusticlOpenCL.so.1+0x8ef547 ",
                f"{_LIB}/libasan.so.8+0x7a6d3 ",
                f"{_LIB}/libc.so.6+0x928ba ",
            ),
            "LLVMAddFunction < libRusticlOpenCL (thread rusticl queue t)",
            id="where threads begin under a sanitizer",
        ),
        pytest.param(
            _frames(
                "main thread, address 0xffffffffffffffff",
                f"{_LIB}/libc.so.6+0x9469c ",
                f"{_LIB}/libc.so.6+0x3fc41 gsignal",
                f"{_LIB}/libc.so.6+0x284ab abort",
                f"{_LIB}/libgallium-25.0.7-2+deb13u1.so+0x237ea9 ",
                f"{_LIB}/libRusticlOpenCL.so.1+0x223700 ",
                "/x/libOpenCL-5519dec5.so.1.0.0+0x12662 clBuildProgram",
                "/x/pyopencl/_cl.cpython-313-x86_64-linux-gnu.so+0x5b566 ",
            ),
            "libgallium < libRusticlOpenCL < clBuildProgram (main thread)",
            id="without abort, Python and versions",
        ),
        pytest.param(
            _frames(
                "main thread, address 0xffffffffffffffe8",
                f"{_LIB}/libstdc++.so.6+0x140067 _ZNSo6sentryC1ERSo",
                *[f"{_LIB}/lib{c}.so+0x1 " for c in "abc"],
                "/x/libOpenCL.so.1+0x12662 clEnqueueTask",
                "/usr/bin/python3.13+0x1 main",
            ),
            "libstdc++ < liba < libb < ... < clEnqueueTask (main thread), NULL-0x18",
            id="the entry point beyond three steps",
        ),
        pytest.param(
            _frames("main thread, address 0x7f01", "/usr/lib/libr.so.1+0x9 _ZN4core3ptr5write17h4ad75b269fd7ff93E"),
            "core::ptr::write (main thread)",
            id="a name of Rust without the hash of its build",
        ),
        pytest.param(_frames("main thread, address 0", "?+0 ", f"{_LIB}/libffi.so.8+0x1 "), "a call of NULL (main thread)"),
        pytest.param(_frames("thread llvmpipe-3, address 0x7f01", "?+0x7f00 "), "generated code (thread llvmpipe)"),
        pytest.param(_frames("thread python3:sh12, address 0x7f01", "?+0x7f00 "), "generated code (thread sh)"),
        pytest.param("nothing of the kind", ""),
    ],
)
def test_a_place_is_what_another_build_would_name_too(output: str, place: str) -> None:
    assert read_place(output) == place


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            "NIR validation failed after nir_opt_phi_precision in ../source/src/gallium/frontends/rusticl/core/kernel.rs:58",
            "NIR validation failed after nir_opt_phi_precision in src/gallium/frontends/rusticl/core/kernel.rs:58",
        ),
        (
            "validation fail at ../source/src/freedreno/ir3/ir3_validate.c:60: n == 1",
            "validation fail at src/freedreno/ir3/ir3_validate.c:60: n == 1",
        ),
        ("ra validation fail: a == b", "ra validation fail: a == b"),
    ],
)
def test_a_compilers_own_check_says_what_it_missed(said: str, words: str) -> None:
    assert last_words(f"shader: MESA_SHADER_KERNEL\n{said}\n1 errors:\n    8 %23 = phi b1: %13\n") == words


def test_a_child_that_could_tell_its_place_and_did_not_says_so() -> None:
    assert add_place("SIGSEGV", "", traced=True) == "SIGSEGV: died in an unknown place"
    assert add_place("SIGSEGV", "", traced=False) == "SIGSEGV"


def test_a_message_without_a_place_contradicts_none() -> None:
    line = Expectation("a/b", FileKind.FAILS, frozenset({Status.CRASH}), _GETENV, source="f:1")
    assert signature_matches("SIGSEGV", line)
    assert not signature_matches("SIGABRT", line)
    assert not signature_matches("SIGSEGV: died in fputs (main thread)", line)
    elsewhere = Result("a/b", (attempt(Status.CRASH, message="SIGSEGV: died in fputs (main thread)"),))
    assert judge(elsewhere, line).verdict is Verdict.CRASH
    assert "not the known way: f:1 says" in judge(elsewhere, line).message


@pytest.mark.parametrize(("function", "verdict"), [("getenv", "ExpectedFail"), ("fputs", "Crash")])
def test_a_crash_in_another_function_than_the_known_one_is_red(mock: Mock, function: str, verdict: str) -> None:
    mock.expect("fails", f"# a fault\nmock/place/getenv,Crash,{_GETENV}\n")
    mock.environment["MOCK_PLACE"] = function
    code, output = mock.run("-j", "1", "-t", "mock/place/getenv")
    assert (code, mock.rows()) == (int(verdict == "Crash"), {"mock/place/getenv": verdict}), output
    (*_, last) = read(mock.results).results["mock/place/getenv"].attempts
    assert last.message == f"SIGSEGV: died in {function} (main thread)"
    assert "/libc.so.6+0x" in last.output


def test_threads_and_exits_have_a_place(mock: Mock) -> None:
    mock.environment["MOCK_PLACE"] = "getenv"
    mock.run("-j", "1", "--retries", "0", "-t", "mock/place/thread", "-t", "mock/place/exit", "-t", "mock/basic/segfault")
    messages = {i: r.attempts[0].message for i, r in read(mock.results).results.items()}
    assert messages == {
        "mock/place/thread": "SIGSEGV: died in getenv (a thread)",
        "mock/place/exit": "exit 9: died in python (main thread)",
        "mock/basic/segfault": "SIGSEGV: died in kill (main thread)",
    }


def test_run_case_says_the_verdict_first_and_has_the_stacks_in_its_log(mock: Mock) -> None:
    mock.environment["RUSTICL_RUNNER_CACHE"] = str(mock.folder / "cache")
    places = (f"--registry={MOCK / 'drivers.yaml'}", f"--suites={MOCK / 'suites'}", "--expectations=expectations")
    code, output = mock.cli("run-case", "--driver=mock", *places, "mock/basic/segfault")
    assert code == 1, output
    assert output.startswith("Crash: mock/basic/segfault\n")
    for word in ("Fatal Python error", "most recent call first", "crash place:"):
        assert word not in output
    log = Path(re.findall(r"^log: (.*), with the stacks$", output, re.MULTILINE)[0])
    text = log.read_text()
    assert text.startswith("Crash: mock/basic/segfault\n")
    assert "Fatal Python error: Segmentation fault" in text
    assert log.is_relative_to(mock.folder / "cache")


def test_what_a_driver_printed_itself_is_not_a_stack() -> None:
    said = "thread 'a' panicked at core/kernel.rs:1:2:\ncalled unwrap\n    3: result 0x10\nat last\n"
    stacks = "stack backtrace:\n   0:     0x7f2ef8e4a549 - <unknown>\ncrash place: #0 /lib/libc.so.6+0x1 abort\n"
    assert without_stacks(said + stacks) == said
