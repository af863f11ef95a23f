"""A build folder such as the CTS', with stand-ins that end in every way that its programs do."""

from pathlib import Path

_QUICK = """# comment
Basic,basic/test_basic
Images (max size),images/copy/test_copy max_images
CL_DEVICE_TYPE_CPU, Images (linear),images/copy/test_copy LINEAR 1*
Sizes,sizes/test_sizes quick_*
Math,math/test_math -w
Not built,gl/test_gl
"""
_FULL = """Basic,basic/test_basic
Sizes,sizes/test_sizes full_*
Maximum,sizes/test_sizes single 5 all
"""
# What a program does for a sub-test of this name, in the CTS' words; `say STATUS` writes the results file.
ENDS = {
    "passes": "echo 'value 3 is right'; echo 'passes passed'; say pass; exit 0",
    "fails": "echo '3 sizes'; echo 'ERROR: got 1 want 2! (CL_SUCCESS from t.cpp:3)'; echo 'fails FAILED'; say fail; exit 1",
    "skips": "echo 'Device does not support images'; echo 'skips test not supported'; say skip; exit 0",
    "hollow": "echo 'cl_khr_fp64 not supported, skipping.'; echo 'hollow passed'; say pass; exit 0",
    "partly": "echo 'cl_khr_fp64 not supported, skipping.'; echo 'float: 20 values'; echo 'partly passed'; say pass; exit 0",
    "contradicts": "echo 'contradicts passed'; say pass; exit 1",
    "stops": "echo 'Unable to create context'; exit 1",
    "says-nothing": "exit 0",
    "crashes": "kill -SEGV $$",
    "hangs": "sleep 60",
    "wimpy": '[ "$1" = --wimpy ] && say pass || say fail',
}
_PROGRAM = """#!/bin/sh
[ "$1" != --list ] || { printf '%s'; exit 0; }
for name; do :; done
echo "$*" > arguments
case $0 in *_conversions) name=conversions ;; esac
say() { printf '{"cmd": "x", "args": "", "results": {"%%s": "%%s"}}' "$name" "$1" > "$CL_CONFORMANCE_RESULTS_FILENAME"; }
echo "Initializing random seed to 0."
echo "$name..."
case $name in
%s
*) say pass ;;
esac
"""


def write_program(path: Path, names: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    ends = "".join(f"{name}) {text} ;;\n" for name, text in ENDS.items())
    path.write_text(_PROGRAM % ("".join(f"\\t{name}\\n" for name in names), ends))
    path.chmod(0o755)


def make_build(folder: Path) -> Path:
    """The folder for --cts."""
    tests = folder / "cts/test_conformance"
    write_program(tests / "basic/test_basic", list(ENDS))
    write_program(tests / "images/copy/test_copy", ["1D", "1Darray", "2D"])
    write_program(tests / "sizes/test_sizes", ["quick_1d", "full_1d"])
    write_program(tests / "math/test_math", ["sin"])
    write_program(tests / "extensions/new/test_new", ["buffer"])
    (tests / "basic/test_basic.txt").write_text("no program")
    (tests / "opencl_conformance_tests_quick.csv").write_text(_QUICK)
    (tests / "opencl_conformance_tests_full.csv").write_text(_FULL)
    return tests.parent
