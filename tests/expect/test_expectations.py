"""Expectation files: grammar, round trip, layers, errors with their place.

One file: the grammar and the layers are tried on the same few texts.
"""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from runner.expectations.files import floor_text, format_file, parse_file
from runner.expectations.resolution import Expectations, skip_reason
from runner.expectations.target import Target, parse_layer
from runner.ids import glob_pattern
from runner.model import DeviceReport, FileKind, Status, Tier, UsageError

A630 = Target("freedreno", "a630", mesa="25.0")


def expectations(target: Target, **files: str) -> Expectations:
    """Files given as name=text, with the dashes and dots of a name written as __ and _d_."""
    return Expectations(target, {_path(name): text for name, text in files.items()})


def _path(name: str) -> Path:
    real = name.replace("__", "-").replace("_d_", ".") + ".txt"
    return Path(real.split("-")[0]) / real


_FAILS = """\
# Measured on llvmpipe, Mesa 25.0.7

# libclc 19 has no such symbol, issue 4
k/conv/a,Fail,build: Unresolved external reference, of "_Z21"
k/conv/b,Crash,SIGSEGV

# back to normal there
k/conv/c,Pass
"""


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (FileKind.FAILS, _FAILS),
        (FileKind.FLAKES, "# seen twice\nk/*,Fail|Crash,3/200\nk/b,Timeout\n\n\n"),
        (FileKind.FAILS, "# bug 3\n*,Fail,build: no function\nk/*/b?,Crash,SIGSEGV: died in a < b\n"),
        (FileKind.SKIPS, "# takes the board down\nk/limits/*\nk/a\n"),
        (FileKind.FAILS, ""),
    ],
)
def test_format_and_parse_are_inverse(kind: FileKind, text: str) -> None:
    parsed = parse_file(text, kind, "f.txt")
    assert format_file(parsed) == text
    assert parse_file(format_file(parsed), kind, "f.txt") == parsed


def test_a_line_carries_its_reason_up_to_the_next_blank_line() -> None:
    a, b, c = parse_file(_FAILS, FileKind.FAILS, "f.txt").entries
    assert (a.reason, b.reason, c.reason) == ("libclc 19 has no such symbol, issue 4",) * 2 + ("back to normal there",)
    assert a.signature == 'build: Unresolved external reference, of "_Z21"'
    assert b.source == "f.txt:5"


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        (FileKind.FAILS, "k/a,Fial", "f.txt:1: unknown status 'Fial'; use one of Fail, Crash, Timeout, Pass"),
        (FileKind.FAILS, "\nk/a", "f.txt:2: no status; write k/a,Fail"),
        (FileKind.FAILS, "k/*,Fail", "f.txt:1: 'k/*' is not a test id; a glob takes Fail or Crash, and its message"),
        (FileKind.FAILS, "k/*,Timeout,deadline", "f.txt:1: 'k/*' is not a test id; a glob takes Fail or Crash"),
        (FileKind.FAILS, "k/*,Pass,fine", "f.txt:1: 'k/*' is not a test id; a glob takes Fail or Crash"),
        (FileKind.FAILS, "k/a,Fail\nk/a,Crash", "f.txt:2: duplicate of line 1: 'k/a'; delete one"),
        (FileKind.FAILS, "k/a, b,Fail", "f.txt:1: unknown status 'b'"),
        (FileKind.FAILS, " k/a,Fail", "f.txt:1: ' k/a' is not a test id"),
        (FileKind.FLAKES, "k/a,Pass", "f.txt:1: unknown status 'Pass'"),
        (FileKind.FLAKES, "k/a,Fail,5/4", "f.txt:1: '5/4' is not a rate; write k/n"),
        (FileKind.FLAKES, "k/a,Fail,often", "f.txt:1: 'often' is not a rate"),
        (FileKind.SKIPS, "k/a,Fail", "f.txt:1: a skips entry is just an id or a glob; delete 'Fail'"),
        (FileKind.SKIPS, "k/(a|b)", "f.txt:1: 'k/(a|b)' is not a test id"),
    ],
)
def test_a_bad_line_is_named_with_what_to_do(kind: FileKind, text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_file(text, kind, "f.txt")
    assert str(caught.value).startswith(message)


def test_globs_are_anchored_and_a_star_crosses_a_slash() -> None:
    assert glob_pattern("k/*").fullmatch("k/a/b")
    assert not glob_pattern("k/*").fullmatch("xk/a")
    assert not glob_pattern("k/a").fullmatch("k/ab")
    assert glob_pattern("k/?.+").fullmatch("k/a.+")
    assert not glob_pattern("k/a.b").fullmatch("k/aXb")


def test_the_rightmost_differing_token_makes_the_more_specific_file() -> None:
    found = expectations(
        A630,
        all__fails="k/a,Fail\nk/b,Fail\nk/c,Fail\nk/d,Fail\n",
        freedreno__fails="k/b,Crash\nk/c,Crash\nk/d,Crash\n",
        freedreno__a630__fails="k/c,Timeout\nk/d,Timeout\n",
        freedreno__mesa25_d_0__fails="k/d,Pass\n",
        freedreno__a660__fails="k/a,Crash\n",
        freedreno__mesa26_d_2__fails="k/a,Crash\n",
        freedreno__compile__fails="k/a,Crash\n",
    )
    assert [next(iter(e.statuses)) if (e := found.find(f"k/{x}")) else None for x in "abcd"] == [
        Status.FAIL,
        Status.CRASH,
        Status.TIMEOUT,
        None,
    ]


def test_the_most_specific_line_wins_whatever_its_kind() -> None:
    found = expectations(A630, freedreno__fails="k/a,Fail\n", freedreno__a630__flakes="k/*,Crash\n")
    line = found.find("k/a")
    assert line
    assert line.kind is FileKind.FLAKES


def test_an_x_at_the_end_of_a_gpu_stands_for_a_digit() -> None:
    files = {
        "freedreno__fails": "k/a,Fail\n",
        "freedreno__a6xx__fails": "k/a,Crash\nk/b,Crash\n",
        "freedreno__a7xx__fails": "k/c,Fail\n",
        "freedreno__a6x__fails": "k/d,Fail\n",
        "freedreno__a630__fails": "k/b,Timeout\n",
    }
    found = expectations(A630, **files)
    assert (line := found.find("k/a"))
    assert line.statuses == {Status.CRASH}
    assert (line := found.find("k/b"))
    assert line.statuses == {Status.TIMEOUT}
    assert not found.find("k/c")
    assert not found.find("k/d")
    assert not expectations(Target("freedreno", "a6ab"), **files).find("k/b")


def test_a_name_may_be_of_several_gpus_and_one_of_fewer_is_more_specific() -> None:
    files = {
        "iris__skl+kbl+glk__fails": "k/a,Fail\nk/b,Fail\n",
        "iris__dg1+glk__fails": "k/b,Crash\nk/c,Crash\n",
        "iris__glk__fails": "k/c,Timeout\n",
        "iris__fails": "k/a,Timeout\nk/d,Timeout\n",
    }
    found = expectations(Target("iris", "glk"), **files)
    statuses = {test: line.statuses for test in ("k/a", "k/b", "k/c", "k/d") if (line := found.find(test))}
    assert statuses == {"k/a": {Status.FAIL}, "k/b": {Status.CRASH}, "k/c": {Status.TIMEOUT}, "k/d": {Status.TIMEOUT}}
    assert not expectations(Target("iris", "skl"), **files).find("k/c")
    gen9, without_cache = parse_layer("iris-skl+kbl+glk-emulate"), parse_layer("iris-dg1+glk-mesa25.0")
    assert gen9.overlaps(without_cache)
    assert (
        gen9.intersection(without_cache)
        == without_cache.intersection(gen9)
        == Target("iris", "glk", mode="emulate", mesa="25.0")
    )
    assert not gen9.overlaps(parse_layer("iris-dg1+tgl"))
    assert Target("iris", "skl+kbl+glk").applies_to(Target("iris", "skl+glk"))
    assert not Target("iris", "skl+glk").applies_to(Target("iris", "skl+kbl+glk"))


def test_layers_of_a_family_and_of_its_gpu_meet_in_the_gpu() -> None:
    family, gpu = Target("freedreno", "a6xx", mesa="25.0"), Target("freedreno", "a63x", mode="compile")
    assert family.overlaps(gpu)
    assert gpu.overlaps(family)
    assert not family.applies_to(gpu)
    assert not gpu.applies_to(family)
    both = Target("freedreno", "a63x", mode="compile", mesa="25.0")
    assert family.intersection(gpu) == gpu.intersection(family) == both
    assert family.rank < both.rank
    assert not family.overlaps(Target("freedreno", "a730"))


def test_in_one_layer_an_exact_id_beats_a_glob() -> None:
    found = expectations(A630, freedreno__fails="k/a,Fail\n", freedreno__flakes="k/*,Crash\n")
    assert (line := found.find("k/a"))
    assert line.kind is FileKind.FAILS
    assert (line := found.find("k/b"))
    assert line.kind is FileKind.FLAKES


def test_globs_of_one_layer_that_disagree_are_an_error() -> None:
    found = expectations(A630, freedreno__flakes="k/*,Crash\nk/a*,Fail\n")
    with pytest.raises(UsageError, match="disagrees with"):
        found.find("k/a")
    assert found.find("k/b")


def test_one_id_as_fail_and_flake_in_one_layer_is_an_error() -> None:
    with pytest.raises(UsageError, match=r"is in .*freedreno-fails\.txt:1 too"):
        expectations(A630, freedreno__fails="k/a,Fail\n", freedreno__flakes="k/a,Crash\n")


def test_of_a_familys_entries_all_are_asked_and_an_exact_one_of_any_layer_comes_first() -> None:
    found = expectations(
        A630,
        freedreno__fails="k/a/*,Fail,one\n",
        freedreno__a630__fails="*,Crash,two\n",
        all__fails="k/a/x,Fail,three\nk/a/z,Fail,four\n",
        freedreno__a6xx__fails="k/a/z,Pass\n",
    )
    family = found.find("k/a/y")
    assert family
    assert [(e.pattern, e.signature) for e in (family, *family.others)] == [("*", "two"), ("k/a/*", "one")]
    exact = found.find("k/a/x")
    assert exact
    assert [e.signature for e in (exact, *exact.others)] == ["three", "two", "one"]
    assert found.find("k/a/z") is None
    assert [e.signature for e in found.families_of("k/b/y")] == ["two"]


def test_skips_add_up_over_the_layers() -> None:
    found = expectations(A630, all__skips="k/a\n", freedreno__a630__skips="k/b*\n")
    assert found.skip("k/a")
    assert found.skip("k/bb")
    assert not found.skip("k/c")


def test_an_entry_with_a_tests_id_lifts_the_skips_of_broader_files_only() -> None:
    files = {
        "freedreno__fails": "k/a,Fail\n",  # broader than the skips
        "freedreno__a6xx__skips": "k/*\n",
        "freedreno__a6xx__flakes": "k/b,Fail,1/2\n",  # beside them
        "freedreno__a630__fails": "k/c,Pass\nk/d,Fail\nk/f,Pass\nk/*,Fail,got 1\n",
        "freedreno__a630__mesa25_d_0__skips": "k/f\n",  # narrower than what lifts it
    }
    found, other = expectations(A630, **files), expectations(replace(A630, gpu="a618"), **files)
    assert {i for i in "abcdef" if not found.skip(f"k/{i}")} == {*"cd"}
    assert all(other.skip(f"k/{i}") for i in "abcdef")
    assert not found.find("k/c")
    assert [text.partition(": ")[2] for text in found.findings([f"k/{i}" for i in "abcdef"])] == [
        "dead, because freedreno/freedreno-a6xx-skips.txt:1 skips it; delete one"
    ]


@pytest.mark.parametrize(
    ("kind", "entry", "skipped"),
    [
        ("fails", "k/a,Timeout", True),
        ("flakes", "k/a,Fail|Timeout,20/20", False),  # a failure that comes soon is worth its place
        ("flakes", "k/a,Timeout,10/20", True),
        ("flakes", "k/a,Timeout,9/20", False),
        ("flakes", "k/a,Timeout", False),  # nothing was measured
        ("flakes", "k/a,Fail,20/20", False),
    ],
)
def test_what_mostly_times_out_is_not_waited_for_in_premerge(kind: str, entry: str, skipped: bool) -> None:
    loaded = expectations(A630, **{f"freedreno__{kind}": f"# hangs\n{entry}\n"})
    assert ("known timeout" in skip_reason("k/a", loaded, Tier.PREMERGE)) == skipped
    assert not skip_reason("k/a", loaded, Tier.FULL)


def test_a_compile_run_reads_compile_files_and_of_the_others_what_does_not_build() -> None:
    found = expectations(
        Target("freedreno", "a630", mode="compile"),
        freedreno__fails="k/a,Fail,build: no symbol\nk/b,Fail,value: wrong\n",
        freedreno__a630__compile__fails="k/c,Crash\n",
        freedreno__skips="k/d\n",
    )
    assert found.find("k/a")
    assert not found.find("k/b")
    assert found.find("k/c")
    assert not found.skip("k/d")


def test_a_variant_with_expectations_of_its_own_reads_those_of_other_runs_too() -> None:
    files = {"freedreno__fails": "k/a,Fail\nk/b,Fail\n", "freedreno__tsan__fails": "k/b,Crash\nk/c,Fail\n"}
    tsan = expectations(replace(A630, variant="tsan"), **files)
    assert [(e := tsan.find(f"k/{i}")) and [*e.statuses] for i in "abc"] == [[Status.FAIL], [Status.CRASH], [Status.FAIL]]
    for variant in ("", "asan"):
        other = expectations(replace(A630, variant=variant), **files)
        assert [(e := other.find(f"k/{i}")) and [*e.statuses] for i in "abc"] == [[Status.FAIL], [Status.FAIL], None]
    layer = replace(A630, variant="tsan", mode="compile")
    assert parse_layer(layer.name) == layer
    assert layer.name == "freedreno-a630-compile-tsan-mesa25.0"
    assert replace(A630, variant="tsan").intersection(Target("freedreno", mode="compile")) == layer
    assert not layer.overlaps(replace(layer, variant="asan"))
    compiler = Target("radeonsi", "navi31", mode="emulate", variant="aco")
    assert parse_layer(compiler.name) == compiler


def test_a_development_build_belongs_to_its_release() -> None:
    report = DeviceReport(mesa="26.3.0-devel (git-0123abc)", tinygrad="0.14.0", libclc_version="19")
    assert Target.of("iris", "tgl", report) == Target("iris", "tgl", "", "26.3", "19", "0.14")


def test_a_misnamed_file_is_an_error() -> None:
    with pytest.raises(UsageError, match="not an expectation file's name"):
        Expectations(A630, {Path("freedreno/freedreno-fail.txt"): ""})
    with pytest.raises(UsageError, match="not an expectation file's name"):
        Expectations(A630, {Path("freedreno/iris-fails.txt"): ""})


def test_findings_name_unknown_ids_idle_globs_and_dead_lines() -> None:
    found = expectations(A630, freedreno__fails="k/expp,Fail\nk/sin,Fail\n", freedreno__skips="k/sin\nz/*\n")
    texts = list(found.findings(["k/exp", "k/sin"]))
    assert any("freedreno-fails.txt:1: no test 'k/expp'; closest: 'k/exp'" in t for t in texts)
    assert any("freedreno-fails.txt:2: dead, because freedreno/freedreno-skips.txt:1 skips it" in t for t in texts)
    assert any("'z/*' matches no test" in t for t in texts)
    assert len(texts) == 3


def test_an_entry_of_all_drivers_is_not_dead_because_one_of_them_skips_its_test() -> None:
    found = expectations(A630, all__fails="k/sin,Fail\n", freedreno__skips="k/sin\n")
    assert list(found.findings(["k/sin"])) == []


def test_of_a_program_of_the_cts_that_is_not_built_no_id_is_missed() -> None:
    found = expectations(A630, freedreno__fails="cts/api/hm,Fail\ncts/basic/if,Fail\npiglit/api/no,Fail\n")
    (text,) = found.findings(["k/exp", "cts/api/min", "cts/printf/hm"])
    assert "freedreno-fails.txt:1: no test 'cts/api/hm'" in text


def test_a_thousand_unknown_ids_among_thirty_thousand_cost_a_run_little() -> None:
    known = [f"k/area{n % 300}/case{n}" for n in range(30_000)]
    lines = "".join(f"k/area{n % 290}/caes{n},Fail\n" for n in range(1000))
    begun_s = time.process_time()
    texts = list(expectations(A630, freedreno__fails=lines).findings(known))
    assert time.process_time() - begun_s < 5
    assert len(texts) == 1000
    assert "no test 'k/area0/caes0'; closest: 'k/area0/case0'" in texts[0]


def test_a_floor_adds_up_over_the_device_files_less_what_one_of_them_takes_away() -> None:
    found = expectations(A630, freedreno__device="# head\nfp16\nil\n", freedreno__a630__device="fp16\nimages\n!il\n")
    assert [*found.floor] == ["fp16", "images"]


@pytest.mark.parametrize(
    ("mesa", "has"),
    [("24.3", "25.0"), ("25.0", "25.0"), ("25.3", "25.0"), ("26.0", "26.2"), ("26.2", "26.2"), ("27.0", "26.2")],
)
def test_the_floor_of_the_nearest_measured_mesa_holds_for_one_without(mesa: str, has: str) -> None:
    files = {Path(f"freedreno/freedreno-mesa{m}-device.txt"): f"of_{m}\nimages\n" for m in ("25.0", "26.2")}
    files[Path("freedreno/freedreno-mesa27.0-device.txt")] = "!images\n"  # a known change, and no floor of its own
    floor = Expectations(Target("freedreno", "a630", mesa=mesa), files).floor
    assert floor == {f"of_{has}": f"freedreno/freedreno-mesa{has}-device.txt:1"} | (
        {} if mesa == "27.0" else {"images": f"freedreno/freedreno-mesa{has}-device.txt:2"}
    )


def test_a_floor_names_the_release_of_what_is_not_mesa_as_its_own() -> None:
    of_mesa = DeviceReport(device="D", mesa="25.0.7", driver_version="25.0.7-2", features=("fp16",))
    assert floor_text(of_mesa).splitlines()[1:] == ["# Measured: D, Mesa 25.0.7-2.", "fp16"]
    assert "# Measured: D, 2026.22." in floor_text(DeviceReport(device="D", driver_version="2026.22"))


def test_a_floor_measured_in_compile_mode_says_nothing_about_a_device_that_executes() -> None:
    files = {Path("freedreno/freedreno-compile-device.txt"): "fp16\n", Path("freedreno/freedreno-device.txt"): "execute\n"}
    assert [*Expectations(Target("freedreno", "a630"), files).floor] == ["execute"]
    assert [*Expectations(Target("freedreno", "a630", mode="compile"), files).floor] == ["fp16"]


def test_the_repositorys_own_files_parse_and_name_real_tests() -> None:
    from runner.cases import catalogue
    from runner.drivers.registry import load_drivers
    from runner.expectations.folder import read_files

    root = Path(__file__).parents[2]
    ids = catalogue.load(root / "suites").cases
    for driver in (d for d in load_drivers() if d not in ("lima", "vc4", "crocus", "virgl")):  # README names the rest
        files = read_files(root / "expectations", driver)
        assert any(path.parent.name == driver for path in files), f"expectations/{driver} is missing"
        assert list(Expectations(Target(driver), files).findings(ids)) == []
        for path in files:
            if not path.name.endswith("-device.txt"):
                entries = parse_file(files[path], FileKind(path.stem.rsplit("-", 1)[1]), str(path)).entries
                assert all(entry.reason for entry in entries), f"{path}: a line has no reason"
