"""piglit's profile cl: its names, its annotation as cl-program-tester reads it, its own programs, and what turns red.

One file: a test's way from its name to its verdict, on one small installation.
"""

import gzip
import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT, Mock
from mutation import SUITES

from runner import check
from runner.expectations.mesa import load_mesa_lists
from runner.ids import to_name
from runner.importing import import_suite_module
from runner.model import UsageError

# A program in piglit's form: one launch of three is expected to hold another value, one writes too much.
_SUMS = """/*!
[config]
name: sums
dimensions: 1
[test]
name: right, and with a local size of one
kernel_name: add
global_size: 3 0 0
arg_out: 0 buffer int[3] 5 6 7
arg_in: 1 int 010  # octal, as C reads it
arg_in: 2 buffer int[3] -3 -2 -1
[test]
name: wrong
kernel_name: add
global_size: 3 0 0
arg_out: 0 buffer int[3] 5 6 8
arg_in: 1 int 8
arg_in: 2 buffer int[3] -3 -2 -1
[test]
name: too long
kernel_name: add
global_size: 4 0 0
arg_out: 0 buffer int[3] repeat 1
arg_in: 1 int 1
arg_in: 2 buffer int[4] repeat 0
!*/
kernel void add(global int *sum, int n, global int *a) {
    size_t i = get_global_id(0);
    sum[i] = a[i] + n;
}
"""
_IMAGE = """/*!
[config]
name: an image
need_image_support: true
[test]
name: one texel
kernel_name: read_texel
arg_out: 0 buffer float4[1] 0.25 0.5 0.75 1.0
arg_in: 1 image float4 0 0 0 0 0.25 0.5 0.75 1.0 image_type 2d image_width 2 image_height 1 \\
    image_channel_order RGBA image_channel_data_type FLOAT
arg_in: 2 sampler normalized_coords 0 addressing_mode CLAMP_TO_EDGE filter_mode NEAREST
!*/
kernel void read_texel(global float4 *r, read_only image2d_t t, sampler_t s) { r[0] = read_imagef(t, s, (int2)(1, 0)); }
"""
_PROGRAMS = {
    "sums": _SUMS,
    "image": _IMAGE,
    "builds": "kernel void f() {}",
    "refused": "/*!\n[config]\nname: r\nexpect_build_fail: true\n!*/\nkernel void f() { x = 1; }",
    "not-refused": "/*!\n[config]\nname: r\nexpect_build_fail: true\n!*/\nkernel void f() {}",
    "broken": _SUMS.replace("sum[i] =", "sum[i] ="[:-1]),
    "other-device": _SUMS.replace("name: sums", "name: sums\ndevice_regex: gfx[0-9]+"),
    "newer": _SUMS.replace("name: sums", "name: sums\nclc_version_min: 99"),
    "unreadable": _SUMS.replace("int 010", "int ten"),
}
_BINARIES = {
    "passes": 'echo text; echo \'PIGLIT: {"subtest": {"a, b" : "pass"}}\'; echo \'PIGLIT: {"result": "pass" }\'',
    "fails": 'echo "Failed (error code: X): Trigger Y." >&2; echo \'PIGLIT: {"result": "fail" }\'; exit 1',
    "skips": 'echo "# Skipping device"; echo \'PIGLIT: {"result": "skip" }\'',
    "says-nothing": "echo nothing",
    "crashes": "echo before; kill -SEGV $$",
    "is-killed": "kill -KILL $$",
    "lacks-a-library": "exit 127",
}


@pytest.fixture
def installation(tmp_path: Path) -> Path:
    """A folder such as piglit's, with the programs above."""
    folder = tmp_path / "piglit"
    (folder / "bin").mkdir(parents=True)
    (folder / "tests").mkdir()
    nodes = []
    for name, text in _PROGRAMS.items():
        (folder / f"tests/{name}.cl").write_text(text)
        option = f'<option name="filename" value="\'tests/{name}.cl\'"/>'
        nodes.append(f'<Test type="cl_prog" name="program@execute@{name}">{option}')
    for name, text in _BINARIES.items():
        path = folder / f"bin/cl-{name}"
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        nodes.append(f'<Test type="cl" name="custom@{name} it"><option name="command" value="[\'cl-{name}\']"/>')
    text = "<PiglitTestList>" + "".join(f"{node}</Test>" for node in nodes) + "</PiglitTestList>"
    (folder / "tests/cl.xml.gz").write_bytes(gzip.compress(text.encode()))
    return folder


def piglit(name: str) -> Any:
    return import_suite_module(SUITES / "piglit", name)


def test_the_ids_are_deqp_runners_names_spelt(installation: Path, mock: Mock) -> None:
    code, output = mock.cli("list", f"--piglit={installation}", "-t", "piglit/*")
    assert code == 0, output
    names = [to_name(line, "piglit") for line in output.split()]
    assert names[:4] == [
        "program@execute@sums@right- and with a local size of one",  # piglit's own has a comma
        "program@execute@sums@wrong",
        "program@execute@sums@too long",
        "program@execute@sums",
    ]
    assert names[-1] == "custom@lacks-a-library it"


def test_piglit_runs_only_if_a_glob_asks_for_it(installation: Path, mock: Mock) -> None:
    _, everything = mock.cli("list", f"--piglit={installation}")
    assert "kernels/" in everything
    assert "piglit/" not in everything
    code, output = mock.cli("list", "-t", "piglit/*")
    assert code == 2, output


@pytest.mark.parametrize("content", ["absent", "not compressed", "no XML", '<a><Test type="x" name="y"/></a>'])
def test_what_is_not_an_installation_is_refused_with_its_file(content: str, tmp_path: Path) -> None:
    if content != "absent":
        (tmp_path / "tests").mkdir()
        plain = content.encode()
        (tmp_path / "tests/cl.xml.gz").write_bytes(plain if content == "not compressed" else gzip.compress(plain))
    with pytest.raises(UsageError, match=r"tests/cl\.xml\.gz: "):
        list(piglit("installation").read_profile(tmp_path))


def run(mock: Mock, installation: Path, *words: str, cases: str = "piglit/*") -> dict[str, str]:
    own = ("--driver", "llvmpipe", f"--results={mock.results}", f"--piglit={installation}", "-j", "1", "--retries", "0")
    code, output = mock.cli(*own, "-t", cases, *words)
    assert code == 1, output
    return {to_name(i, "piglit").partition("@")[2]: verdict for i, verdict in mock.rows().items()}


def test_each_test_has_the_verdict_that_piglit_gives(installation: Path, mock: Mock) -> None:
    found = run(mock, installation)
    assert found == {
        "execute@sums@right- and with a local size of one": "Pass",
        "execute@sums@wrong": "Fail",
        "execute@sums@too long": "Pass",
        "execute@sums": "Fail",
        "execute@image@one texel": "Pass",
        "execute@image": "Pass",
        "execute@builds": "Pass",
        "execute@refused": "Pass",
        "execute@not-refused": "Fail",
        "execute@broken": "Fail",
        **{f"execute@broken@{name}": "Skip" for name in ("right- and with a local size of one", "wrong", "too long")},
        **{f"execute@{p}": "Skip" for p in ("other-device", "newer")},
        **{
            f"execute@{p}@{name}": "Skip"
            for p in ("other-device", "newer")
            for name in ("right- and with a local size of one", "wrong", "too long")
        },
        "execute@unreadable": "Error",
        **{f"execute@unreadable@{name}": "Error" for name in ("right- and with a local size of one", "wrong", "too long")},
        "passes it": "Pass",
        "fails it": "Fail",
        "skips it": "Skip",
        "says-nothing it": "Fail",
        "crashes it": "Crash",
        "is-killed it": "Crash",
        "lacks-a-library it": "Error",
    }
    journal = [json.loads(line) for line in (mock.results / "journal.jsonl").read_text().splitlines()]
    messages = {e["id"]: e["attempts"][-1] for e in journal if e["event"] == "result"}
    assert messages["piglit/program/execute/sums"]["message"] == "value: add: argument 0[2]: got 7 want 8 (1 of 3 wrong)"
    assert "4 bytes are written beyond its end" in messages["piglit/program/execute/sums/too=20long"]["output"]
    assert messages["piglit/custom/fails=20it"]["message"] == "api: fail: Failed (error code: X): Trigger Y."
    assert messages["piglit/custom/crashes=20it"]["message"].startswith("SIGSEGV")


def test_strict_refuses_what_is_written_beyond_a_buffer(installation: Path, mock: Mock) -> None:
    found = run(mock, installation, "--strict", cases="piglit/program/execute/sums*")
    assert found["execute@sums@too long"] == "Fail"
    assert found["execute@sums@right- and with a local size of one"] == "Pass"


@pytest.mark.parametrize(
    ("scalar", "want", "got", "tolerance", "as_piglit", "strictly"),
    [
        ("float", "1", 1.0000001, "", False, False),
        ("float", "1", 1.0000001, "tolerance 1 ulp", True, True),
        ("float", "1", 2.0, "tolerance 0.1", True, False),  # its bits are taken for units in the last place
        ("float", "nan", 1.0, "", True, False),
        ("float", "inf", 1.0, "", True, False),
        ("float", "inf", np.nan, "", False, False),
        ("float", "1", np.nan, "tolerance 16777216 ulp", True, True),  # piglit's way to write: any value
        ("double", "2", np.nextafter(2.0, 3), "tolerance 0 ulp", False, False),
        ("half", "1", 1.0009765625, "tolerance 1 ulp", True, True),
        ("half", "1", 1.001953125, "tolerance 1 ulp", False, False),
        ("half", "0.1", float(np.float16(0.1)), "", True, True),
        ("char", "-128", 127, "tolerance 255", True, True),
        ("ulong", "0", 2**64 - 1, "tolerance 1", False, False),
        ("long", "-1", 1, "tolerance 2", True, True),
    ],
)
def test_the_comparison_is_piglits_or_what_the_annotation_says(
    scalar: str, want: str, got: float, tolerance: str, as_piglit: bool, strictly: bool, tmp_path: Path
) -> None:
    path = tmp_path / "p.cl"
    line = f"arg_out: 0 buffer {scalar}[1] {want} {tolerance}"
    path.write_text(f"/*!\n[config]\nname: c\n[test]\nname: t\nkernel_name: k\n{line}\n!*/")
    programs, comparison = piglit("programs"), piglit("comparison")
    (argument,) = programs.annotation.read(path, loose=True).tests[0].arguments
    for strict, expected in ((False, as_piglit), (True, strictly)):
        own = argument if strict else comparison.prepared(argument)
        wanted = programs.execution.array(own.shape, own.wanted)
        by = programs.execution.compare if strict and not comparison.takes_anything(own) else comparison.compare_as_piglit
        try:
            by("x", own, np.array([got], wanted.dtype), wanted)
            right = True
        except check.Mismatch:
            right = False
        assert right == expected, f"strict: {strict}"


_MESA = {
    "fails": "# why\nprogram@execute@sums,Fail\nprogram@execute@sums@wrong,Fail\nspec@x,Fail,Fail\ncustom@passes it,Crash\n",
    "flakes": "custom@fails .*\n",
    "skips": "not-ref[u]sed\n^program@execute@(other|newer)\n",
}


def test_mesas_own_lists_decide_about_piglits_tests(installation: Path, mock: Mock, tmp_path: Path) -> None:
    lists = tmp_path / "ci"
    lists.mkdir()
    for kind, text in _MESA.items():
        (lists / f"llvmpipe-rusticl-{kind}.txt").write_text(text)
    unnamed = ("program/execute/image*", "program/execute/unreadable*", "custom/*-*", "custom/crashes*")
    words = [word for glob in unnamed for word in ("-x", f"piglit/{glob}")]  # they have the verdicts of the test above
    found = run(mock, installation, f"--expectations-mesa={lists}", *words)
    assert {name: verdict for name, verdict in found.items() if verdict not in ("Pass", "Error")} == {
        "execute@sums": "ExpectedFail",
        "execute@sums@wrong": "ExpectedFail",
        "execute@not-refused": "Skip",
        "execute@broken": "Fail",
        **{f"execute@{p}": "Skip" for p in ("other-device", "newer")},
        **{
            f"execute@{p}@{name}": "Skip"
            for p in ("other-device", "newer", "broken")
            for name in ("right- and with a local size of one", "wrong", "too long")
        },
        "passes it": "UnexpectedImprovement(Pass)",
        "fails it": "KnownFlake",
        "skips it": "Skip",
    }


def test_a_folder_with_lists_of_several_devices_wants_one_named(tmp_path: Path) -> None:
    for device in ("freedreno-a618", "freedreno-a660"):
        (tmp_path / f"{device}-fails.txt").write_text("api@clbuildprogram,Fail\n")
    with pytest.raises(UsageError, match="there are freedreno-a618, freedreno-a660"):
        load_mesa_lists(str(tmp_path), "freedreno")
    lists = load_mesa_lists(str(tmp_path / "freedreno-a618"), "freedreno")
    (line,) = lists.entries_of("piglit/api/clbuildprogram")
    assert line.source == f"{tmp_path}/freedreno-a618-fails.txt:1"


# A slice of the installed piglit: an image, local memory, an error of the API, a program that must be refused.
_SLICE = {
    "program/execute/comma": "Pass",
    "program/execute/image-read-2d": "Pass",
    "program/execute/local-memory": "Pass",
    "program/build/fail/increment-float": "Pass",
    "program/execute/builtin/builtin-int-add_sat-1.0.generated": "Pass",
    "program/execute/vector-conversion": "ExpectedFail",
    "api/clsetkernelarg": "Pass",
    "api/clgetmemobjectinfo": "Pass",
    "api/cllinkprogram": "ExpectedFail",
    "custom/buffer=20flags": "Pass",
}


def _with_a_wrong_program(installed: Path, folder: Path) -> Path:
    """piglit with one more test: its program `comma`, which wants another number."""
    (folder / "tests").mkdir(parents=True)
    for name in ("bin", "lib", "generated_tests", "tests/cl"):
        (folder / name).symlink_to(installed / name)
    text = (installed / "tests/cl/program/execute/comma.cl").read_text()
    (folder / "tests/wrong.cl").write_text(text.replace("repeat 1", "repeat 2"))
    profile = gzip.decompress((installed / "tests/cl.xml.gz").read_bytes())
    node = b'<Test type="cl_prog" name="program@execute@wrong"><option name="filename" value="\'tests/wrong.cl\'" /></Test>'
    (folder / "tests/cl.xml.gz").write_bytes(gzip.compress(profile.replace(b"<Test ", node + b"<Test ", 1)))
    return folder


def _installed() -> Path:
    done = subprocess.run([ROOT / "ci/piglit"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


def test_a_slice_of_debians_piglit_is_as_expected_and_a_wrong_result_is_red(mock: Mock) -> None:
    """And each subtest that this project lists is one that its program reports."""
    globs = [word for name in (*_SLICE, "program/execute/wrong") for word in ("-t", f"piglit/{name}*")]
    folder = _with_a_wrong_program(_installed(), mock.folder / "piglit")
    own = ("--driver", "llvmpipe", f"--results={mock.results}", f"--piglit={folder}", "-j", "1", "--retries", "0")
    code, output = mock.cli(*own, f"--expectations={ROOT / 'expectations'}", *globs)
    found = {i.removeprefix("piglit/"): verdict for i, verdict in mock.rows().items()}
    assert {found.pop("program/execute/wrong"), found.pop("program/execute/wrong/comma")} == {"Fail"}, output
    assert code == 1
    assert {name: found.pop(name) for name in _SLICE} == _SLICE
    skipped = [name for name, verdict in found.items() if verdict != "Pass"]
    assert all(name.startswith("program/execute/vector-conversion/") for name in skipped)
    assert len(found) - len(skipped) > 50  # subtests


@pytest.mark.nightly("200 s of CPU time; a change sees the slice")
def test_all_of_debians_piglit_is_as_expected(mock: Mock) -> None:
    own = ("--driver", "llvmpipe", f"--results={mock.results}", f"--piglit={_installed()}", "-j", "2")
    code, output = mock.cli(*own, f"--expectations={ROOT / 'expectations'}", "-t", "piglit/*")
    assert code == 0, output
    assert len(mock.rows()) > 4800
