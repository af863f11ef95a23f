"""The evidence of a case that is not as expected: recorded by its repeat, shown in the log and in JUnit.

One file: what one evidence shows in each of its places.
"""

import ctypes
import inspect
import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import forked
import numpy as np
import pytest

from runner import check, tap
from runner.cases import catalogue
from runner.expectations.resolution import Expectations
from runner.expectations.target import Target
from runner.importing import import_suite_module
from runner.model import Attempt, DeviceReport, How, Result, Status
from runner.output.evidence import show_evidence
from runner.output.junit import write_junit
from runner.records.evidence import (
    ApiCall,
    Build,
    Ending,
    Event,
    HostData,
    KernelArgument,
    KernelLaunch,
    LeftOut,
    NativeStack,
    Return,
    WrongElement,
    WrongElements,
    evidence_path,
    format_event,
    load_evidence,
    parse_events,
)
from runner.records.journal import Record
from runner.run_config import RunConfig
from runner.verdict.report import make_report

ROOT = Path(__file__).parents[2]
SUITE = {
    "suite.yaml": "suite: sample\ndescription: one\ntimeout_s: 30\n",
    "cases.py": """from runner.model import Case

def cases():
    for name in ("right", "known", "value", "past", "crash", "build", "tinygrad"):
        yield Case(f"sample/area/{name}", f"area.{name}")
    yield Case("sample/area/hang", "area.hang", timeout_s=2)
""",
    "area/cases.py": "",
    "run.py": """import ctypes
import numpy as np
import pyopencl as cl
from runner import check

F = "kernel void f(global const int *a, global int *r, int k, local int *t) { int i = get_global_id(0); r[i] = a[i] * k; }"
N = 64

def run(device, case):
    kind = case.kind[5:]
    if kind == "tinygrad":
        return run_tinygrad(device.tinygrad())
    a = np.arange(N, dtype=np.int32)
    want = a * 3
    want[3::4] += kind in ("value", "known")
    if kind == "past":
        check.equal("r", past_the_seam(device, a), want + (a == 0))
    if kind == "build":
        device.build("kernel void g() { nothing(); }", "-cl-std=CL1.2 -DX=1")
    given, out = device.buffer(a), device.buffer(np.full(N, 7, np.int32))
    launched = device.build(F).f
    if kind == "hang":  # it waits for what nobody sets
        launched.set_args(given, out, np.int32(3), cl.LocalMemory(32))
        cl.enqueue_nd_range_kernel(device.queue, launched, (N,), None, wait_for=[cl.UserEvent(device.context)])
    else:
        device.launch(launched, [N], [8], given, out, np.int32(3), cl.LocalMemory(32))
    if kind == "crash":
        ctypes.string_at(0)
    check.equal("r", device.read(out, np.int32, N), want, [a])

def past_the_seam(device, a):
    flags = cl.mem_flags
    given = cl.Buffer(device.context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=a)
    out, got = cl.Buffer(device.context, flags.READ_WRITE, a.nbytes), np.empty_like(a)
    cl.enqueue_fill_buffer(device.queue, out, np.int32(9), 0, a.nbytes)
    cl.Program(device.context, F).build(["-DY=2"]).f(device.queue, (N,), (4,), given, out, np.int32(3), cl.LocalMemory(64))
    cl.enqueue_copy(device.queue, got, out)
    return got

def run_tinygrad(tinygrad):
    x = np.arange(1, 12, dtype=np.float32)
    want = (x + 1) * 3
    want[2] = 0
    check.close("y", ((tinygrad.Tensor(x).realize() + 1).contiguous() * 3).numpy(), want)
""",
}

_EVENTS: tuple[Event, ...] = (
    Build(1, "program1", "kernel void f() {}\n", options="-cl-std=CL3.0"),
    Return(1, "CL_BUILD_PROGRAM_FAILURE", "1:1: error: no\n"),
    HostData("buffer1", 8, "0100000002000000", "int32", (2,)),
    KernelLaunch(2, "f", "program1", (2,), None, None, (KernelArgument("buffer", "buffer1", 8), KernelArgument("local"))),
    WrongElements("r", "int32", (2,), 1, 2, ("element 1 alone",), (WrongElement((1,), "3", "2", ("1",)),)),
    Ending("Fail", "value: r[1]: got 3 want 2", "alone"),
)


def test_events_come_back_from_their_file_and_what_is_none_is_left_out(tmp_path: Path) -> None:
    text = "".join(map(format_event, _EVENTS))
    assert parse_events(text) == _EVENTS
    strange = ["[]", '{"event":"build"}', '{"event":"end","status":1,"message":"","how":""}', "{", '{"event":"launch"}']
    assert parse_events("\n".join([*strange, text])) == _EVENTS
    assert parse_events(format_event(Ending("Fail", "\x1b[31m\n", "")))[0] == Ending("Fail", "\\x1b[31m\n", "")
    path = tmp_path / evidence_path("kernels/integer/add.uint")
    path.parent.mkdir(parents=True)
    path.write_text(text)
    (tmp_path / "evidence/note.jsonl").write_text("not of a case")
    assert load_evidence(tmp_path) == {"kernels/integer/add.uint": text}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of one run of the sample on llvmpipe."""
    folder = tmp_path_factory.mktemp("evidence")
    for name, text in SUITE.items():
        path = folder / "suites/sample" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    known = folder / "expectations/llvmpipe/llvmpipe-fails.txt"
    known.parent.mkdir(parents=True)
    known.write_text("# why\nsample/area/known,Fail,value: r\n")
    assert _run(folder, "results") == 1
    return folder / "results"


def _run(folder: Path, results: str, *words: str) -> int:
    own = ["--driver=llvmpipe", f"--suites={folder}/suites", f"--expectations={folder}/expectations", f"--results={results}"]
    return forked.call([*own, "-j1", *words], folder, {**os.environ, "RUNNER_COMMAND": "ci/run"})[0]


def _events(results: Path, name: str) -> tuple[Event, ...]:
    return parse_events((results / evidence_path(f"sample/area/{name}")).read_text())


def _log(results: Path, name: str) -> str:
    return (results / f"logs/sample/area/{name}.txt").read_text()


def _one(events: tuple[Event, ...], kind: type) -> Any:
    (found,) = [event for event in events if isinstance(event, kind)]
    return found


@pytest.mark.root
def test_wrong_elements_are_a_table_with_their_pattern_inputs_and_bits(results: Path) -> None:
    events = _events(results, "value")
    wrong = _one(events, WrongElements)
    assert (wrong.check, wrong.dtype, wrong.shape, wrong.wrong, wrong.total) == ("r", "int32", (64,), 16, 64)
    assert "every 4th element from 3" in wrong.patterns
    assert wrong.elements[1] == WrongElement(
        (7,), "21 (0x15)", "22 (0x16)", ("7",), "0x00000015", "0x00000016", "-1, bits 0x00000003"
    )
    assert len(wrong.elements) == 16
    build, launch = _one(events, Build), _one(events, KernelLaunch)
    assert build.source.startswith("kernel void f(global const int *a")
    source, out, number, local = launch.arguments
    assert (launch.kernel, launch.program, launch.global_size, launch.local_size) == ("f", build.program, (64,), (8,))
    assert (source.kind, source.bytes, number.value, number.dtype, local.bytes) == ("buffer", 256, "3", "int32", 32)
    inputs = {event.buffer: event for event in events if isinstance(event, HostData)}
    assert inputs[source.name].head == np.arange(16, dtype=np.int32).tobytes().hex()
    assert (inputs[out.name].dtype, inputs[out.name].shape) == ("int32", (64,))
    assert _one(events, Ending).how == "alone"
    log = _log(results, "value")
    assert re.search(
        r"^  \[7\] +7 +21 \(0x15\) +22 \(0x16\) +0x00000015 0x00000016  -1, bits 0x00000003$", log, re.MULTILINE
    )
    assert "launch of f in program1: global 64, local 8, offset -\n  0: buffer1 (256 bytes)\n" in log
    for label, words in (("repeat", "run-case"), ("in gdb", "run-case .*--gdb"), ("as a program", "repro .* repro/")):
        assert re.search(f"^{label}: ci/run {words}", log, re.MULTILINE)


@pytest.mark.root
def test_what_a_case_does_past_the_device_is_recorded_too(results: Path) -> None:
    events = _events(results, "past")
    build, launch = _one(events, Build), _one(events, KernelLaunch)
    assert (build.options, launch.program, launch.local_size) == ("-DY=2", build.program, (4,))
    assert [a.kind for a in launch.arguments] == ["buffer", "buffer", "value", "local"]
    assert ("fill", "int32") in {(e.origin, e.dtype) for e in events if isinstance(e, HostData)}
    assert _one(events, ApiCall).arguments == (launch.arguments[1].name, "256 bytes")
    assert "element 0 alone" in _one(events, WrongElements).patterns


@pytest.mark.root
def test_a_build_that_fails_brings_its_source_options_and_whole_log(results: Path) -> None:
    events = _events(results, "build")
    build = _one(events, Build)
    assert (build.source, build.options) == ("kernel void g() { nothing(); }", "-cl-std=CL1.2 -DX=1")
    (end,) = [e for e in events if isinstance(e, Return) and e.step == build.step]
    assert end.error == "CL_BUILD_PROGRAM_FAILURE"
    assert "1:19: error: use of undeclared identifier 'nothing'" in end.log
    assert "  | kernel void g() { nothing(); }\nbuild log of program1:\n" in _log(results, "build")


@pytest.mark.root
def test_a_crash_leaves_what_was_done_before_it_and_the_native_stack(results: Path) -> None:
    events = _events(results, "crash")
    assert _one(events, KernelLaunch).kernel == "f"
    stack = _one(events, NativeStack)
    assert stack.thread == "main thread"
    assert re.match(r"libc\S*\+0x[0-9a-f]+", stack.frames[0])
    assert _one(events, Ending).message.startswith("SIGSEGV: died in ")
    assert "died in the main thread:\n  #0 libc" in _log(results, "crash")


@pytest.mark.root
def test_a_hang_is_the_step_that_did_not_come_back(results: Path) -> None:
    events = _events(results, "hang")
    steps = {e.step: e for e in events if isinstance(e, Build | KernelLaunch | ApiCall)}
    (stuck,) = set(steps) - {e.step for e in events if isinstance(e, Return)}
    assert isinstance(steps[stuck], ApiCall)
    assert re.search(r"^enqueue_copy\(buffer2, 256 bytes\) -> DID NOT COME BACK$", _log(results, "hang"), re.MULTILINE)


@pytest.mark.root
def test_tinygrads_kernels_and_what_was_copied_are_recorded(results: Path) -> None:
    events = _events(results, "tinygrad")
    sources = {e.program: e.source for e in events if isinstance(e, Build)}
    launches = [e for e in events if isinstance(e, KernelLaunch)]
    assert ["*3.0f" in sources[launch.program] for launch in launches] == [False, True]
    assert launches[0].arguments[0] == launches[1].arguments[1]
    assert _one(events, HostData).head == np.arange(1, 12, dtype=np.float32).tobytes().hex()
    assert _one(events, WrongElements).patterns == ("element 2 alone",)


@pytest.mark.root
def test_what_goes_as_expected_is_recorded_only_on_request(results: Path) -> None:
    reds = {"value", "past", "crash", "build", "tinygrad", "hang"}
    assert {Path(i).name for i in load_evidence(results)} == reds
    assert not (results / "logs/sample/area/known.txt").exists()
    assert _run(results.parent, "all", "-t*/known", "-t*/right", "--evidence=all") == 0
    assert list(load_evidence(results.parent / "all")) == ["sample/area/known"]
    assert "ExpectedFail: value: r" in (log := _log(results.parent / "all", "known"))
    assert "every 4th element from 3" in log
    assert "warm" in _one(_events(results.parent / "all", "known"), Ending).how


@pytest.mark.root
def test_junit_holds_the_evidence_and_the_command_under_the_whole_id(results: Path) -> None:
    cases = {case.get("name"): case for case in ET.parse(results / "junit.xml").getroot().iter("testcase")}
    case = cases["sample/area/value"]
    assert case.get("classname") == "sample.area"
    text = case.findtext("failure") or ""
    assert text.startswith("Fail: value: r")
    assert "\nrepeat: ci/run run-case --driver llvmpipe " in text
    assert "every 4th element from 3" in text
    assert "kernel void f(" in text


def _report_of(count: int, evidence: str) -> Any:
    ids = tuple(f"sample/area/{n}" for n in range(count))
    record = Record(RunConfig("llvmpipe"), ids, device=DeviceReport(), footer="")
    attempt = Attempt(Status.FAIL, message="build: not linked", how=How.ALONE)
    record.results = {i: Result(i, (attempt, attempt)) for i in ids}
    record.evidence = dict.fromkeys(ids, evidence)
    return make_report(record, Expectations(Target("llvmpipe"), {}), dict.fromkeys(ids, ""))


def test_the_junit_of_many_equal_failures_stays_small(tmp_path: Path) -> None:
    long = "".join(map(format_event, [*(Build(n, f"program{n}", "x" * 20_000) for n in range(2)), *_EVENTS]))
    write_junit({"": _report_of(800, long)}, tmp_path / "junit.xml", None)
    assert (tmp_path / "junit.xml").stat().st_size < 10 << 20
    failures = [f.text or "" for f in ET.parse(tmp_path / "junit.xml").getroot().iter("failure")]
    assert all("[1]    1          3    2" in text for text in failures)
    assert len(failures) == 800


def _mismatch(got: Any, want: Any, *inputs: Any) -> Any:
    from runner.trace.wrong_elements import tabulate

    with pytest.raises(check.Mismatch) as caught:
        check.equal("r", got, want, inputs)
    return tabulate(caught.value)


_ROW = np.arange(4096, dtype=np.int32)
_SQUARE = np.arange(64, dtype=np.float32).reshape(8, 8)


@pytest.mark.parametrize(
    ("got", "want", "pattern"),
    [
        (_ROW + (_ROW % 4 == 3), _ROW, "every 4th element from 3"),
        (_ROW + ((_ROW % 2 == 1) & (_ROW < 100)), _ROW, "every other element from 1 to 99"),
        (_ROW * (_ROW < 1024), _ROW, "all elements from 1,024 on"),
        (_ROW * (_ROW >= 1024), _ROW + 0, "elements 1 to 1,023"),
        (np.where(_ROW < 64, -1, _ROW), _ROW, "the first 64 elements"),
        (np.where(np.isin(_ROW, (5, 21, 37, 133)), -1, _ROW), _ROW, "only elements whose number modulo 16 is 5"),
        (np.where(_ROW == 77, 0, _ROW), _ROW, "element 77 alone"),
        (np.where(_SQUARE // 8 == 2, -_SQUARE, _SQUARE), _SQUARE, "row 2 alone"),
        (np.where(_SQUARE // 8 == 2, -_SQUARE, _SQUARE), _SQUARE, "only in the bits 0x80000000"),
        (np.where(_SQUARE % 8 >= 6, -1, _SQUARE), _SQUARE, "all columns from 6 on"),
        (_ROW * (_ROW < 1024), _ROW, "got is 0 in all of them"),
        (np.roll(_ROW, 1), _ROW, "got is what is wanted 1 element before"),
        (_ROW * 0 + 1, _ROW * 0, "all 4,096 elements"),
        (np.nextafter(_SQUARE, np.float32(99)), _SQUARE, "at most 1 ulp away"),
    ],
)
def test_the_table_says_what_the_wrong_elements_have_in_common(got: Any, want: Any, pattern: str) -> None:
    found = _mismatch(got, want)
    assert pattern in found.patterns
    assert len(found.elements) == min(32, found.wrong)


def test_an_operand_that_came_back_unchanged_is_named() -> None:
    assert "got is operand 1" in _mismatch(_ROW, _ROW * 2 + 1, _ROW * 5, _ROW).patterns


def test_a_recording_keeps_the_first_and_the_last_events_of_a_long_case(tmp_path: Path) -> None:
    from runner.trace.evidence import EvidenceFile

    file = EvidenceFile(tmp_path / "evidence")
    for number in range(5000):
        file.write(ApiCall(number, "clSetKernelArg", ("x" * 100,)))
    file.close()
    assert (tmp_path / "evidence").stat().st_size <= 256 << 10
    events = parse_events((tmp_path / "evidence").read_text())
    steps = [e.step for e in events if isinstance(e, ApiCall)]
    assert (steps[0], steps[-1]) == (0, 4999)
    assert _one(events, LeftOut).events == 5000 - len(steps)
    assert "events are left out here]" in show_evidence(events)


def test_calls_by_ctypes_are_recorded_with_what_they_returned(opened: tuple[Any, DeviceReport], tmp_path: Path) -> None:
    from runner.trace.evidence import EvidenceRecorder
    from runner.trace.pyopencl_calls import PyopenclCalls

    class Pair(ctypes.Structure):
        _fields_ = (("numbers", ctypes.c_uint32 * 2), ("memory", ctypes.c_void_p))

    device, _ = opened
    opencl = import_suite_module(ROOT / "suites/kernels", "kit.opencl")
    with EvidenceRecorder(tmp_path / "evidence").recording() as recorder, PyopenclCalls(recorder).recorded():
        buffer = device.buffer(np.zeros(4, np.int32))
        handle, _ = opencl.create("clCreateBuffer", device.context.int_ptr, 1, 0, 0)
        opencl.call("clEnqueueMigrateMemObjects", 0, 1, opencl.handles([buffer]), 0, 0, 0, 0)
        opencl.call("clGetHostTimer", 0, ctypes.byref(Pair((1, 2), buffer.int_ptr)), 0)
        # A program without source in OpenCL C, for which Rusticl and pyopencl give differing answers.
        cases = catalogue.load_suite(ROOT / "suites/kernels")[1]
        run = import_suite_module(ROOT / "suites/kernels", "run").run
        run(device, next(case for case in cases if case.id == "kernels/spirv/integer/IAdd.uint"))
    assert handle == 0
    events = parse_events((tmp_path / "evidence").read_text())
    text = show_evidence(events)
    assert re.search(r"^clCreateBuffer\(0x[0-9a-f]+, 1, 0, 0\) -> CL_INVALID_BUFFER_SIZE$", text, re.MULTILINE)
    assert "clEnqueueMigrateMemObjects(0, 1, [buffer1], 0, 0, 0, 0) -> CL_INVALID_COMMAND_QUEUE" in text
    assert "clGetHostTimer(0, {numbers [1, 2], memory buffer1}, 0) -> CL_INVALID_DEVICE" in text
    assert [e.source[:8] for e in events if isinstance(e, Build) and e.language == "SPIR-V"] == ["03022307"]
    before = (tmp_path / "evidence").stat().st_size
    device.buffer(np.zeros(4, np.int32))  # past the block
    assert (tmp_path / "evidence").stat().st_size == before


def test_a_program_does_not_see_that_it_is_recorded(opened: tuple[Any, DeviceReport], tmp_path: Path) -> None:
    import pyopencl as cl

    from runner.trace.evidence import EvidenceRecorder
    from runner.trace.pyopencl_calls import PyopenclCalls

    device, _ = opened
    classes = {name: value for name, value in vars(cl).items() if isinstance(value, type)}
    inherited, signature = cl.Buffer.from_int_ptr, inspect.signature(cl.enqueue_copy)
    with EvidenceRecorder(tmp_path / "evidence").recording() as recorder, PyopenclCalls(recorder).recorded():
        assert {name: value for name, value in vars(cl).items() if isinstance(value, type)} == classes
        assert inspect.signature(cl.enqueue_copy) == signature
        own = type("Own", (cl.Buffer,), {})(device.context, cl.mem_flags.READ_WRITE, 16)
        for buffer in (own, device.buffer(16), cl.Buffer(device.context, cl.mem_flags.READ_WRITE, 16)):
            assert isinstance(buffer, cl.Buffer)
            assert type(buffer).from_int_ptr == inherited
            assert type(cl.Buffer.from_int_ptr(buffer.int_ptr)) is cl.Buffer
            cl.enqueue_copy(device.queue, buffer, np.arange(4, dtype=np.int32))
    events = parse_events((tmp_path / "evidence").read_text())
    assert [(event.buffer, event.origin) for event in events if isinstance(event, HostData)] == [
        ("own1", "copy"),
        ("buffer1", "copy"),
        ("buffer2", "copy"),
    ]


@pytest.mark.root
def test_a_launch_is_the_drivers_if_its_kernel_does_not_name_its_program(tmp_path: Path) -> None:
    """As on Intel's runtime when the program was released: what the recorder asks for must not become the case's failure."""
    import pyopencl as cl

    from runner.trace.evidence import EvidenceRecorder
    from runner.trace.pyopencl_calls import PyopenclCalls

    class Kernel:
        int_ptr, function_name = 5, "f"

        @property
        def program(self) -> cl.Program:
            raise cl.LogicError("clRetainProgram failed: INVALID_PROGRAM")

    @tap.told("enqueue_nd_range_kernel")
    def launch(*_: Any) -> str:
        return "launched"

    with EvidenceRecorder(tmp_path / "evidence").recording() as recorder, PyopenclCalls(recorder).recorded():
        assert launch(None, Kernel(), (4,), None) == "launched"
    recorded = _one(parse_events((tmp_path / "evidence").read_text()), KernelLaunch)
    assert (recorded.kernel, recorded.program) == ("f", "an unknown program")
