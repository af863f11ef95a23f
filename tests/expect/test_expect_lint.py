"""`runner expect lint` on files made here: every kind of mistake is found, at its line, with what to do."""

import json
import time
from pathlib import Path

import pytest
from expect_files import Files

_W = "# why, and why no signature holds\n"


@pytest.mark.parametrize(
    ("texts", "check", "place", "words"),
    [
        (
            {"iris__fails": f"{_W}k/math/expp,Fail\n"},
            "unknown",
            "iris-fails.txt:2",
            ["closest: 'k/math/exp'", "runner list"],
        ),
        ({"iris__fails": f"{_W}k/maths/sin,Fail\n"}, "unknown", "iris-fails.txt:2", ["closest: 'k/math/sin'"]),
        (
            {"iris__fails": f"{_W}k/math/sin,Crash,: died in libgallium (main thread)\n"},
            "signature",
            "iris-fails.txt:2",
            ["only by a place", "SIGSEGV: died in libgallium"],
        ),
        (
            {"iris__flakes": f"{_W}k/math/sin,Fail,102/103\n"},
            "rate",
            "iris-flakes.txt:2",
            ["passes so seldom", "fails file"],
        ),
        ({"iris__skips": f"{_W}k/none/*\n"}, "idle", "iris-skips.txt:2", ["matches no test", "delete it"]),
        ({"iris__fails": f"{_W}k/none/*,Fail,no function\n"}, "idle", "iris-fails.txt:2", ["matches no test", "delete it"]),
        ({"iris__fails": f"{_W}k/*,Crash,SIGSEGV\n"}, "signature", "iris-fails.txt:2", ["only by SIGSEGV"]),
        (
            {"iris__fails": f"{_W}k/*,Fail,build: no function\nk/math/sin,Fail,build: no function sin\n"},
            "repeated",
            "iris-fails.txt:3",
            ["iris-fails.txt:2 says so of k/*", "delete it"],
        ),
        ({"iris__skips": f"{_W}k/*\n"}, "broad", "iris-skips.txt:2", ["matches 5 tests of 2 areas"]),
        ({"iris__flakes": f"{_W}k/*a*,Fail,1/3\n"}, "broad", "iris-flakes.txt:2", ["of 2 areas"]),
        ({"iris__flakes": f"{_W}k/m*,Fail,1/3\n"}, "broad", "iris-flakes.txt:2", ["one entry an area"]),
        (
            {"iris__fails": f"{_W}k/math/sin,Fail\n", "iris__skips": f"{_W}k/math/*\n"},
            "dead",
            "iris-fails.txt:2",
            ["iris-skips.txt:2"],
        ),
        (
            {"iris__flakes": f"{_W}k/image/c*,Fail,1/9\n", "iris__skips": f"{_W}k/image/*\n"},
            "dead",
            "iris-flakes.txt:2",
            ["all that it matches"],
        ),
        ({"iris__skips": f"{_W}k/image/*\nk/image/read\n"}, "repeated", "iris-skips.txt:3", ["iris-skips.txt:2"]),
        (
            {"iris__tgl__skips": f"{_W}k/image/read\n", "all__skips": f"{_W}k/image/read\n"},
            "repeated",
            "iris-tgl-skips.txt:2",
            ["all-skips.txt:2"],
        ),
        ({"iris__fails": "k/math/sin,Fail,value: x: y\n"}, "reason", "iris-fails.txt:1", ["no reason", "issue or MR"]),
        ({"iris__fails": "# reason: TODO\nk/math/sin,Fail,value: x: y\n"}, "reason", "iris-fails.txt:2", ["no reason yet"]),
        ({"iris__fails": "# TODO\nk/math/sin,Fail,value: x: y\n"}, "reason", "iris-fails.txt:2", ["no reason yet"]),
        ({"iris__fails": "# ---\nk/math/sin,Fail,value: x: y\n"}, "reason", "iris-fails.txt:2", ["no reason"]),
        ({"iris__fails": f"{_W}k/math/sin,Timeout,value: x\n"}, "status", "iris-fails.txt:2", ["never compared"]),
        (
            {"iris__compile__fails": f"{_W}k/math/sin,Fail,value: x: y\n"},
            "status",
            "iris-compile-fails.txt:2",
            ["compares no values"],
        ),
        ({"iris__fails": "# why\nk/math/sin,Crash\n"}, "signature", "iris-fails.txt:2", ["any Crash passes", "--sharpen"]),
        ({"iris__fails": "# why\nk/math/sin,Fail,value:\n"}, "signature", "iris-fails.txt:2", ["any Fail passes"]),
        ({"iris__fails": "# why\nk/math/sin,Crash,SIGSEGV\n"}, "signature", "iris-fails.txt:2", ["only by SIGSEGV"]),
        ({"iris__fails": "# why\nk/math/sin,Crash,exit code 1\n"}, "signature", "iris-fails.txt:2", ["only by exit code 1"]),
        ({"iris__fails": "# why\nk/math/sin,Crash,exit 3\n"}, "signature", "iris-fails.txt:2", ["only by exit 3"]),
        ({"iris__fails": "# why\nk/math/sin,Crash,SIG\n"}, "signature", "iris-fails.txt:2", ["only by SIG"]),
        ({"iris__fails": "# why\nk/math/sin,Fail,1\n"}, "signature", "iris-fails.txt:2", ["nearly every message"]),
        *(
            (
                {"iris__fails": f"# why\nk/math/sin,Fail,{asked}\n"},
                "signature",
                "iris-fails.txt:2",
                ["nothing of the answer"],
            )
            for asked in ("value: sin(0x1p+0", "value: sin(0x1p+0 (1)): got", "value: sin[", "ERROR: sin:", "api: maps")
        ),
        (
            {"iris__fails": "# signed by its signal alone\n\n# why\nk/math/sin,Fail,value: sin[0]\n"},
            "signature",
            "iris-fails.txt:4",
            ["nothing of the answer"],
        ),
        ({"iris__flakes": f"{_W}k/math/sin,Fail\n"}, "rate", "iris-flakes.txt:2", ["write k/n"]),
        (
            {"iris__flakes": f"{_W}k/math/sin,Fail,4/4\n"},
            "status",
            "iris-flakes.txt:2",
            ["write k/math/sin,Fail in the fails file"],
        ),
        (
            {"iris__fails": f"{_W}k/math/sin,Fail\n", "all__fails": f"{_W}k/math/sin,Fail\n"},
            "repeated",
            "iris-fails.txt:2",
            ["all-fails.txt:2 has the same entry"],
        ),
        ({"iris__fails": f"{_W}k/math/sin,Pass\n"}, "repeated", "iris-fails.txt:2", ["overrules nothing"]),
        ({"iris__fails": f"{_W}k/math/sin,Fail\nk/math/exp,Fail\n"}, "order", "iris-fails.txt:3", ["is after k/math/sin"]),
        (
            {
                "iris__fails": f"{_W}k/math/sin,Fail\n",
                "iris__mesa25_d_0__fails": f"{_W}k/math/sin,Crash\n",
                "iris__mesa26_d_2__flakes": f"{_W}k/math/*,Fail,1/9\n",
            },
            "shadowed",
            "iris-fails.txt:2",
            ["all 2 narrower layers"],
        ),
        (
            {
                "iris__flakes": f"{_W}k/image/copy.*,Fail,1/9\n",
                "iris__fails": f"{_W}k/image/copy.a,Fail\nk/image/copy.b,Fail\n",
            },
            "shadowed",
            "iris-flakes.txt:2",
            ["entries of its own layer"],
        ),
        (
            {"iris__fails": f"{_W}k/math/sin,Fail\n", "iris__flakes": f"{_W}k/math/sin,Fail,1/9\n"},
            "contradiction",
            "iris-flakes.txt:2",
            ["iris-fails.txt:2 too"],
        ),
        (
            {"iris__flakes": f"{_W}k/math/*,Fail,1/9\nk/math/s*,Crash,1/9\n"},
            "contradiction",
            "iris-flakes.txt:3",
            ["disagrees", "k/math/sin"],
        ),
        (
            {"iris__mesa25_d_0__fails": f"{_W}k/math/sin,Fail\n", "iris__libclc19__fails": f"{_W}k/math/sin,Crash\n"},
            "contradiction",
            "iris-mesa25.0-fails.txt:2",
            [
                "iris-libclc19-fails.txt:2, which wins if both apply",
                "write the right one into iris/iris-mesa25.0-libclc19-fails.txt",
            ],
        ),
    ],
)
def test_a_mistake_is_found_at_its_line_and_nothing_else(
    files: Files, capsys: pytest.CaptureFixture[str], texts: dict[str, str], check: str, place: str, words: list[str]
) -> None:
    assert files.write(**texts).lint() == 1
    found, _, _ = capsys.readouterr().out.rpartition("1 findings: 1 ")
    assert place in found, found
    assert all(word in found for word in words), found
    assert files.lint("--format", "json") == 1
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert finding["check"] == check
    assert f"{finding['path']}:{finding['line']}".endswith(place)
    assert finding["what"]
    assert finding["next"]


@pytest.mark.parametrize(
    "texts",
    [
        {"iris__fails": "# A crash that is signed by its signal alone: no handler\n\n# why\nk/math/sin,Crash,SIGSEGV\n"},
        {"iris__fails": "# why; the signature has no place: chance decides it\nk/math/sin,Crash,SIGSEGV\n"},
        *(
            {"iris__fails": f"# why\nk/math/sin,Fail,{s}\n"}
            for s in ("value: not so: it comes", "value: sin(1): got 2", "got 2 want 1")
        ),
        {
            "iris__fails": "# head\n\n# why\nk/math/exp,Fail,value: x: got 1\nk/math/sin,Crash,SIGSEGV: died in libLLVM\n",
            "iris__skips": f"{_W}k/image/copy.*\n",
        },
        {"all__fails": f"{_W}k/math/sin,Fail\n", "iris__tgl__fails": f"{_W}k/math/sin,Pass\n"},  # other GPUs fail still
        {"iris__tgl__skips": f"{_W}k/math/sin\n", "iris__fails": f"{_W}k/math/sin,Fail\n"},
        {"iris__skips": f"{_W}k/math/sin\n", "iris__compile__fails": f"{_W}k/math/sin,Crash\n"},  # read by no compile run
        *(
            {
                "all__fails": f"{_W}k/math/sin,Fail\n",
                "iris__skips": f"{_W}k/math/*\n",
                "iris__tgl__fails": f"{_W}k/math/sin,{lifts}\n",
                "iris__tgl__mesa25_d_0__skips": f"{_W}k/math/sin\n",
            }
            for lifts in ("Pass", "Fail")
        ),
        {
            "iris__compile__fails": f"{_W}k/math/sin,Crash\n",
            "iris__tinygrad0_d_12__fails": f"{_W}k/math/sin,Fail\n",
        },  # nor is that one
        {"iris__tgl__fails": f"{_W}k/math/sin,Fail\n", "iris__dg2__fails": f"{_W}k/math/sin,Crash\n"},
        {"pocl__fails": f"{_W}k/math/sin,Fail\n", "all__mesa25_d_0__fails": f"{_W}k/math/sin,Crash\n"},  # it has no Mesa
        {"iris__fails": f"{_W}k/math/sin,Fail\n", "iris__flakes": f"{_W}k/math/*,Crash,1/9\n"},
        {
            "iris__fails": f"{_W}k/math/sin,Fail\n",
            "iris__tgl__fails": f"{_W}k/math/sin,Crash\n",
            "iris__dg2__flakes": f"{_W}k/math/*,Fail,1/9\n",
        },  # there are more GPUs of it
        {
            "iris__fails": f"{_W}k/math/sin,Fail\n",
            "iris__aco__fails": f"{_W}k/math/sin,Pass\n",
            "iris__llvm__fails": f"{_W}k/math/sin,Crash\n",
        },  # and runs without a variant
        *(
            {
                "iris__mesa25_d_0__fails": f"{_W}k/math/sin,Fail\n",
                "iris__libclc19__fails": f"{_W}k/math/sin,Crash\n",
                "iris__mesa25_d_0__libclc19__fails": f"{_W}k/math/sin,{status}\n",
            }
            for status in ("Fail", "Crash", "Pass")
        ),  # which is reported if both apply
        {
            "all__mesa25_d_0__fails": f"{_W}k/math/sin,Fail\n",
            "iris__tgl__fails": f"{_W}k/math/sin,Crash\n",
            "iris__tgl__mesa25_d_0__fails": f"{_W}k/math/sin,Crash\n",
        },
    ],
)
def test_what_is_right_is_not_changed(files: Files, capsys: pytest.CaptureFixture[str], texts: dict[str, str]) -> None:
    assert files.write(**texts).lint() == 0, capsys.readouterr().out


def test_every_file_that_does_not_parse_is_named_and_the_others_are_checked(
    files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    files.write(iris__fails="k/math/sin,Fial\n", iris__fail="", zinc__fails="", all__fails="k/math/sin,Fail\n")
    files.write(v3d__fails=f"{_W}k/math/sin,Fail\nk/math/sin,Fail\n")
    assert files.lint() == 2
    output = capsys.readouterr().out
    for words in (
        "iris-fails.txt:1: unknown status 'Fial': use one of",
        "iris-fail.txt:1: not an expectation file's name",
        "zinc-fails.txt:1: no driver 'zinc'",
        "all-fails.txt:1: k/math/sin has no reason",
        "v3d-fails.txt:3: duplicate of line 2: 'k/math/sin': delete one",
    ):
        assert words in output
    assert files.lint("--driver", "asahi") == 1  # only all/


def test_twenty_thousand_tests_and_three_thousand_lines_take_less_than_two_seconds(tmp_path: Path) -> None:
    ids = tuple(f"k/a{n % 60}/f{n % 7}/case_{n:05}.x" for n in range(20000))
    lines = "".join(f"# why\n{i},Fail,value: got {n}\n\n" for n, i in enumerate(sorted(ids)[:3000]))
    files = Files(tmp_path, ids).write(
        all__fails=lines,
        iris__tgl__fails=lines.replace("Fail", "Crash"),
        iris__flakes=f"{_W}k/a7/*,Fail,1/9\n",
        iris__skips=_W + "".join(f"k/a{n}/f{n % 7}/*.x\n" for n in (50, 51, 52)),
    )
    begun_s = time.process_time()
    assert files.lint() == 0
    assert time.process_time() - begun_s < 2
