"""A .cl file with its annotation is a case; a bad annotation is an error with path:line."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mutation import SUITES

from runner import check
from runner.importing import import_suite_module
from runner.model import DeviceReport, UsageError

KERNELS = SUITES / "kernels"
FILES = sorted((KERNELS / "programs").glob("*.cl"))
#: Bugs 107 and 396: llvmpipe of 25.0 would end this process.
FATAL = {*(("chosen_char", name) for name in ("char", "char_to_int", "by_index")), ("nested_entries", "five")}
GOOD = """/*!
[config]
name: a program
clc_version_min: 30
global_size: 2 0 0

[test]
name: all, at once!
kernel_name: f
arg_out: 0 buffer half2[2] 1 0x1p-3 -inf nan \\
  tolerance 3 ulp  # of half
arg_in: 0 buffer half2[2] repeat 7
arg_in: 1 ulong ULONG_MAX
arg_in: 2 buffer char[16] NULL
!*/
kernel void f() {}
"""


def annotation() -> Any:
    return import_suite_module(KERNELS, "programs.annotation")


def written(folder: Path, text: str) -> Path:
    path = folder / "p.cl"
    path.write_text(text)
    return path


def test_an_annotation_says_what_a_launch_needs(tmp_path: Path) -> None:
    program = annotation().read(written(tmp_path, GOOD))
    assert (program.options, program.requires, program.fails) == ("-cl-std=CL3.0", ("fp16", "int64", "opencl_c_3.0"), False)
    (test,) = program.tests
    assert (test.name, test.kernel, test.global_size, test.local_size) == ("all_at_once_", "f", (2,), None)
    both, scalar, local = test.arguments
    assert both.initial == (7.0,) * 4
    assert both.wanted[:3] == (1.0, 0.125, -float("inf"))
    assert both.wanted[3] != both.wanted[3]
    assert (both.tolerance, both.in_ulp) == (3.0, True)
    assert scalar.initial == (2**64 - 1,)
    assert scalar.shape.count is None
    assert (local.initial, local.wanted, local.shape.numbers) == (None, None, 16)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("/*!", "/*", ":1: no comment /*! ... !*/"),
        ("!*/", "*/", ":1: no comment /*! ... !*/"),
        ("[config]", "[confg]", ":2: '[confg]': write [config], [test] or `key: value`"),
        ("[config]", "[test]", ":2: [test]: one [config] comes first"),
        ("[test]", "[config]", ":7: [config]: one [config] comes first"),
        ("global_size", "globl_size", ":5: no key 'globl_size' in [config]; closest: 'global_size'"),
        ("global_size: 2 0 0", "global_size: two", ":5: global_size: 'two': write at least 1 sizes"),
        ("global_size: 2 0 0", "dimensions: 4", ":5: dimensions: 1, 2 or 3"),
        ("clc_version_min: 30", "clc_version_min: 20", ":4: clc_version_min: 20: write 10, 11, 12 or 30"),
        ("clc_version_min: 30", "expect_build_fail: yes", ":4: expect_build_fail: 'yes': write true or false"),
        ("clc_version_min: 30", "expect_build_fail: true", ":2: a program with expect_build_fail: true has no [test]"),
        ("kernel_name: f\n", "", ":7: the test has no kernel_name"),
        ("kernel_name: f", "name: again", ":9: name is in line 8 already"),
        ("ulong ULONG_MAX", "ulong -1", ":13: -1 does not fit into ulong: 0 to 18446744073709551615"),
        ("ulong ULONG_MAX", "ulong 1.5", ":13: '1.5' is not a ulong"),
        ("ulong ULONG_MAX", "ulong 1 2", ":13: 1 numbers are needed, and there are 2"),
        ("ulong ULONG_MAX", "bool 1", ":13: '1 bool 1': write `0 int 5`"),
        ("ulong ULONG_MAX", "ulong5 1", ":13: '1 ulong5 1': write `0 int 5`"),
        ("ulong ULONG_MAX", "buffer ulong 1", ":13: '1 buffer ulong 1': write `0 int 5`"),
        ("ulong ULONG_MAX", "ulong 1 tolerance 1", ":13: only an arg_out has a tolerance"),
        ("arg_in: 1 ulong ULONG_MAX", "arg_out: 1 ulong 3", ":13: an arg_out is a buffer"),
        ("arg_in: 1 ulong ULONG_MAX\n", "", ":10: argument 1 is missing"),
        ("arg_in: 1 ulong", "arg_in: 0 ulong", ":13: argument 0 is here a second time"),
        ("global_size: 2 0 0", f"global_size: {'9' * 5000}", ":5: global_size: '999"),
        ("global_size: 2 0 0", "global_size: \u00b2", ":5: global_size: '\u00b2': write at least 1 sizes"),
        ("1 ulong ULONG_MAX", f"{'9' * 5000} ulong 1", ":13: '999"),
        ("ulong ULONG_MAX", f"ulong {'9' * 5000}", ":13: '999"),
        ("ulong ULONG_MAX", f"float 0x{'f' * 5000}", ":13: '0xfff"),
        ("ulong ULONG_MAX", "buffer int[999999999] repeat 1", ":13: 999999999 numbers are more than a program is given"),
        ("nan \\\n", "nan 5 \\\n", ":10: 4 numbers are needed, and there are 5"),
        ("tolerance 3 ulp", "tolerance some ulp", ":10: tolerance 'some' is not a number"),
        ("arg_out: 0 buffer half2[2] 1 0x1p-3 -inf nan \\\n  tolerance 3 ulp", "", ":7: nothing is compared"),
        (
            "!*/",
            "[test]\nname: all, at once,\nkernel_name: f\narg_out: 0 buffer int[1] 1\n!*/",
            ":15: there is a test 'all_at_once_'",
        ),
    ],
)
def test_a_bad_annotation_is_an_error_with_path_and_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    path = written(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(UsageError) as caught:
        annotation().read(path)
    assert f"{path}{message}" in str(caught.value)


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_each_value_of_a_shipped_program_is_compared(
    file: Path, opened: tuple[Any, DeviceReport], monkeypatch: pytest.MonkeyPatch
) -> None:
    device, _ = opened
    execution = import_suite_module(KERNELS, "programs.execution")
    program = execution.read(file)
    if program.fails:
        monkeypatch.setattr(execution, "read", lambda _: replace(program, source="kernel void f() {}"))
        with pytest.raises(check.Mismatch, match="is refused"):
            execution.check_refused(device, file=file.name)
    for test in (test for test in program.tests if (file.stem, test.name) not in FATAL):
        for n, argument in enumerate(test.arguments):
            for k, value in enumerate(argument.wanted or ()):
                wrong = (*argument.wanted[:k], 77 if value != 77 else 78, *argument.wanted[k + 1 :])
                arguments = list(test.arguments)
                arguments[n] = replace(argument, wanted=wrong)
                changed = replace(program, tests=(replace(test, arguments=tuple(arguments)),))
                monkeypatch.setattr(execution, "read", lambda _, changed=changed: changed)
                with pytest.raises(check.Mismatch, match="want"):
                    execution.check_computed(device, file=file.name, test=test.name)
