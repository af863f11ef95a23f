"""Mesa's own files: `tools.deqp lint`, and `tools.deqp import` there and back without loss of meaning."""

import json
import random
import re
from pathlib import Path

import pytest

from runner.expectations.files import parse_file
from runner.ids import ID_PATTERN, glob_pattern, to_id, to_name
from runner.model import FileKind, UsageError
from runner.records import journal
from tools.deqp.__main__ import main
from tools.deqp.files import Line, parse_regex
from tools.deqp.names import to_glob, to_regex

_FAILS = """\
# Issue 5582
spec@!opengl 1.1@masked-clear,Fail
spec@!opengl 1.1@masked-clear twice,Crash

dEQP-VK.api.info,Timeout
dEQP-VK.api.flaky,Fail
dEQP-VK.skipped.one,Fail
dEQP-VK.odd,Missing
dEQP-VK.extra,Fail,Fail
"""
_FLAKES = "# since 2023\ndEQP-VK.api.fl.*\ndEQP-VK.(a|b)[0-9]+\n^glx@only$\n"
_SKIPS = "# slow\ndEQP-VK.skipped.\nspec@(foo|bar)\n"
_CSV = """\
dEQP-VK.a1,Pass,0.100000
dEQP-VK.api.flaky,KnownFlake,0.200000
dEQP-VK.api.info,ExpectedFail,61.000000
dEQP-VK.b22,Flake,0.300000
dEQP-VK.gone,Missing,0.000000
dEQP-VK.warn,Warn,0.100000
glx@only,Fail,0.010000
spec@!opengl 1.1@masked-clear,UnexpectedImprovement(Pass),1.500000
spec@bar@x,Skip,0.000000
"""


@pytest.fixture
def mesa(tmp_path: Path) -> Path:
    folder = tmp_path / "src/freedreno/ci"
    folder.mkdir(parents=True)
    for kind, text in (("fails", _FAILS), ("flakes", _FLAKES), ("skips", _SKIPS)):
        (folder / f"freedreno-a618-{kind}.txt").write_text(text)
    (tmp_path / "results.csv").write_text(_CSV)
    return tmp_path


def _lint(tree: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, list[int]], dict[str, int]]:
    code = main(["lint", str(tree), "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    found: dict[str, list[int]] = {}
    for finding in report.pop("findings"):
        found.setdefault(finding["check"], []).append(finding["line"])
    return code, found, report


def test_a_mesa_tree_is_linted_by_the_same_rules(mesa: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found, counts = _lint(mesa, capsys)
    assert code == 1
    assert found == {"shadowed": [6], "dead": [7], "status": [8], "extra": [9], "reason": [5]}
    assert counts["fails_lines"] == 7
    assert counts["never_checked_because_of_flakes"] == counts["dead_under_skips"] == 1


@pytest.mark.parametrize(
    ("kind", "text", "check", "line", "code"),
    [
        ("fails", "# x\na,Fail\na,Crash\n", "duplicate", 3, 1),
        ("fails", "# x\na,Fial\n", "parse", 2, 2),
        ("fails", "# x\na\n", "parse", 2, 2),
        ("flakes", "# x\na.b\na.b\n", "duplicate", 3, 1),
        ("flakes", "# x\nt.foo\nt.foo_bar\n", "repeated", 3, 1),
        ("flakes", "# x\nt.fo(\n", "parse", 2, 2),
        ("flakes", "# x\nt.(?!fo)\n", "parse", 2, 2),
        ("flakes", "# x\n^t.foo \n", "space", 2, 1),
        ("skips", "# x\n.*\n", "broad", 2, 1),
    ],
)
def test_a_mistake_in_mesas_files_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str, text: str, check: str, line: int, code: int
) -> None:
    (tmp_path / f"a618-{kind}.txt").write_text(text)
    assert _lint(tmp_path, capsys)[:2] == (code, {check: [line]})


def test_a_regex_that_meets_more_than_its_name_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a618-fails.txt").write_text("# x\nt.other.foo2,Fail\n")
    (tmp_path / "a618-flakes.txt").write_text("# x\nt.other.foo\n")
    _, found, _ = _lint(tmp_path, capsys)
    assert found == {"broad": [2], "shadowed": [2]}


def test_slow_skips_hide_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a618-fails.txt").write_text("# x\nt.slow,Fail\n")
    (tmp_path / "a618-slow-skips.txt").write_text("# x\nt.slow\n")
    assert _lint(tmp_path, capsys)[:2] == (0, {})


def _names(source: random.Random) -> str:
    return "".join(source.choice("ab@./ =,!é#_-+") for _ in range(source.randint(1, 12)))


@pytest.mark.parametrize("seed", range(200))
def test_names_and_ids_are_one_to_one(seed: int) -> None:
    source = random.Random(seed)
    names = {_names(source) for _ in range(20)}
    ids = {to_id(name, "piglit") for name in names}
    assert len(ids) == len(names)
    assert all(ID_PATTERN.fullmatch(i) for i in ids)
    assert {to_name(i, "piglit") for i in ids} == names


def test_a_name_that_is_not_an_id_needs_a_suite() -> None:
    assert to_id("kernels/math/sin", "") == "kernels/math/sin"
    with pytest.raises(UsageError, match="give --suite"):
        to_id("dEQP-VK.api", "")


@pytest.mark.parametrize(
    ("regex", "glob"),
    [
        (r"a\.b", "*a.b*"),
        ("^a/b$", "a/b"),
        ("a/.*x", "*a/*x*"),
        ("^a/.+", "a/?*"),
        ("a.c", "*a?c*"),
        ("a|b", None),
        ("[ab]/c", None),
        ("ab?/c", None),
    ],
)
def test_a_simple_regex_is_a_glob_and_means_the_same(regex: str, glob: str | None) -> None:
    assert to_glob(parse_regex(Line(1, regex, "")), "") == glob
    if glob:
        back = re.compile(to_regex(glob, ""))
        for name in ("a.b", "xa.by", "a/b", "a/bc", "za/b", "a/qx", "a/qxz", "abc", "a/c", "a/"):
            wanted = bool(re.search(regex, name))
            assert bool(glob_pattern(glob).fullmatch(name)) == wanted == bool(back.search(name)), name


def _import(mesa: Path, *more: str) -> None:
    base = str(mesa / "src/freedreno/ci/freedreno-a618-")
    words = [f"--{kind}={base}{kind}.txt" for kind in ("fails", "flakes", "skips")]
    assert main(["import", *words, "--layer", "freedreno-a618", "--suite", "deqp", *more]) == 0


def _judged(flakes: str, skips: str, fails: str, name: str) -> str:
    """How deqp-runner treats a name: skipped, always a flake, or expected to end so."""
    lines = {
        k: [x for x in t.splitlines() if x and not x.startswith("#")]
        for k, t in {"flakes": flakes, "skips": skips, "fails": fails}.items()
    }
    for kind in ("skips", "flakes"):
        if any(re.search(x, name) for x in lines[kind]):
            return kind
    return next((x.split(",")[1] for x in lines["fails"] if x.split(",")[0] == name), "Pass")


def test_there_and_back_every_test_is_judged_as_before(mesa: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _import(mesa, "--results", str(mesa / "results.csv"), str(mesa / "ours"))
    output = capsys.readouterr().out
    for words in (
        "dEQP-VK.api.flaky,Fail: the flakes file covers it (line 2)",
        "dEQP-VK.odd,Missing: Missing excuses nothing",
        "does not read 'Fail': left out",
        "dEQP-VK.(a|b)[0-9]+: no glob can express that; becomes the 2 known tests",
    ):
        assert words in output
    ours = {kind: mesa / f"ours/freedreno/freedreno-a618-{kind}.txt" for kind in FileKind}
    entries = {e.pattern: e for kind, p in ours.items() for e in parse_file(p.read_text(), kind, str(p)).entries}
    assert entries["deqp/spec/=21opengl=201.1/masked-clear"].reason == "Issue 5582"
    assert {"deqp/dEQP-VK.a1", "deqp/dEQP-VK.b22", "deqp/glx/only", "deqp/*dEQP-VK?api?fl*"} <= set(entries)
    files = [f"--{kind}={path}" for kind, path in ours.items()]
    back = mesa / "back"
    options = [f"--results={mesa}/ours/results", "--layer=freedreno-a618", "--suite=deqp", str(back)]
    assert main(["import", "--back", *files, *options]) == 0
    new = {kind: (back / f"freedreno-a618-{kind}.txt").read_text() for kind in FileKind}
    assert (back / "results.csv").read_text() == _CSV
    names = [line.rsplit(",", 2)[0] for line in _CSV.splitlines()]
    names += [line.split(",")[0] for line in _FAILS.splitlines()]
    names += ["dEQP-VK.a77", "dEQP-VK.c1", "spec@foo", "spec@food", "glx@only2", "dEQP-VK.api.fluff", "dEQP-VKxapi.flu"]
    for name in filter(None, names):
        before, after = (
            _judged(_FLAKES, _SKIPS, _FAILS, name),
            _judged(new[FileKind.FLAKES], new[FileKind.SKIPS], new[FileKind.FAILS], name),
        )
        assert before == after, name


def test_imported_results_are_a_run_that_update_reads(mesa: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _import(mesa, "--results", str(mesa / "results.csv"), str(mesa / "ours"))
    record = journal.read(mesa / "ours/results")
    assert record.finished
    assert len(record.ids) == 9
    assert len(record.results) == 8
    assert [a.status for a in record.results["deqp/dEQP-VK.api.info"].attempts] == ["Timeout"]  # as the baseline says
    assert "3 results are flakes or warnings" in capsys.readouterr().out


def test_results_that_name_a_test_twice_are_refused(mesa: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (mesa / "twice.csv").write_text("a,Pass,1\nb,Fail,1\na,Fail,1\n")
    words = ["import", "--layer", "iris", "--suite", "deqp", "--results", str(mesa / "twice.csv"), str(mesa / "twice")]
    assert main(words) == 2
    assert "twice.csv:3: 'a' stands there twice" in capsys.readouterr().err
    assert not (mesa / "twice").exists()


def test_what_deqp_runner_cannot_say_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "f.txt").write_text("# why\nk/a/b,Fail,value: x\n")
    (tmp_path / "l.txt").write_text("# why\nk/a/*,Fail,1/9\n")
    main(["import", "--back", f"--fails={tmp_path}/f.txt", f"--flakes={tmp_path}/l.txt", "--layer", "iris", str(tmp_path)])
    output = capsys.readouterr().out
    assert "f.txt:2: deqp-runner compares no message: 'value: x' is left out" in output
    assert "'Fail,1/9' is left out" in output
    assert (tmp_path / "iris-flakes.txt").read_text() == "# why\n^k/a/\n"
