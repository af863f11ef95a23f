"""tools/mesa_mutants: places in a source, changes that are taken back, deltas, and the figures of its report.

One file: the steps of one tool, on the same small sources.
"""

import os
import random
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from runner.model import InfrastructureError, UsageError
from tools.mesa_mutants.deltas import apply_delta, make_delta
from tools.mesa_mutants.outcomes import Outcome, Outcomes, report
from tools.mesa_mutants.pack import Pack
from tools.mesa_mutants.places import MovedError, find_place
from tools.mesa_mutants.runs import Run, run
from tools.mesa_mutants.schedule import Schedule
from tools.mesa_mutants.shown import lost, read_shown, record, recorded
from tools.mesa_mutants.source_tree import Built, SourceTree, applied, copy_source, open_source, restore, side_by_side
from tools.mesa_mutants.table import TABLE, Change, Target, load, locate, select

ROOT = Path(__file__).parents[2]
# A brace in a string, a lifetime that looks like a character, a comment with the token in it.
RUST = """\
fn first<'a>(x: &'a str) -> bool { x == "}" && 1 < 2 }
impl Memory {
    // a < b
    fn limit(&self, size: usize, sizes: [u8; 3]) -> bool {
        let s = '{'; /* size < 0 */
        size < self.size && size <= 32 && 320 < size
    }
}
impl Image {
    fn limit(&self) -> bool { self.size < 7 }
}
"""
C = """\
#define HALF(x) \\
   ((x) / 2)
static bool before(int i);
static const struct row table[] = {
   { 1, FLOAT16 },
   { 2, FLOAT },
};
bool
before(int i)
{
   if (later(i)) {
      return i->size > 3 && i >> 3;
   }
   return HALF(i) > 3;
}
int later(int i) { return i > 4; }
"""
PYTHON = """\
optimizations = [
   (('iadd', 'a', 0), 'a'),  # iadd of 0
]
def lower(a):
    x = a + 1

    return x - 1
late = 1
"""


def line_of(text: str, path: str, within: str, token: str, n: int = 1) -> str:
    """The line of a place, with the token marked."""
    place = find_place(text, path, within, token, n)
    lines = f"{text[: place.begin]}[{text[place.begin : place.end]}]{text[place.end :]}".splitlines()
    return lines[place.line - 1].strip()


@pytest.mark.parametrize(
    ("text", "path", "within", "token", "n", "line"),
    [
        (RUST, "a.rs", "first", "<", 2, """fn first<'a>(x: &'a str) -> bool { x == "}" && 1 [<] 2 }"""),
        (RUST, "a.rs", "limit", "<", 1, "size [<] self.size && size <= 32 && 320 < size"),
        (RUST, "a.rs", "limit", "<", 2, "size < self.size && size <= 32 && 320 [<] size"),
        (RUST, "a.rs", "limit", "32", 1, "size < self.size && size <= [32] && 320 < size"),
        (RUST, "a.rs", "limit", "size <", 1, "[size <] self.size && size <= 32 && 320 < size"),
        (RUST, "a.rs", "Image::limit", "7", 1, "fn limit(&self) -> bool { self.size < [7] }"),
        (C, "a.c", "HALF", "2", 1, "((x) / [2])"),
        (C, "a.c", "before", ">", 1, "return i->size [>] 3 && i >> 3;"),
        (C, "a.c", "before", ">", 2, "return HALF(i) [>] 3;"),
        (C, "a.c", "later", "i", 1, "int later(int [i]) { return i > 4; }"),
        (C, "a.c", "table", "FLOAT", 1, "{ 2, [FLOAT] },"),
        (PYTHON, "a.py", "optimizations", "0", 1, "(('iadd', 'a', [0]), 'a'),  # iadd of 0"),
        (PYTHON, "a.py", "lower", "1", 2, "return x - [1]"),
    ],
)
def test_a_place_is_the_nth_whole_token_of_a_definition(
    text: str, path: str, within: str, token: str, n: int, line: str
) -> None:
    assert line_of(text, path, within, token, n) == line


@pytest.mark.parametrize(
    ("text", "path", "within", "token", "n"),
    [
        (RUST, "a.rs", "limit", "<", 3),  # the next is Image's
        (RUST, "a.rs", "gone", "<", 1),
        (C, "a.c", "table", "HALF", 1),  # after its end
        (C, "a.c", "before", ">>>", 1),
        (PYTHON, "a.py", "lower", "1", 3),
    ],
)
def test_a_place_that_is_not_there_has_moved(text: str, path: str, within: str, token: str, n: int) -> None:
    with pytest.raises(MovedError, match=within):
        find_place(text, path, within, token, n)


def change(**more: object) -> Change:
    fields = {"id": "core-1", "group": "core", "file": "src/a.rs", "within": "limit", "token": "<", "n": 1, "to": "<="}
    return Change(**{**fields, "shows": ("clCreateBuffer",), **more})  # type: ignore[arg-type]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A source of one file, as a tree has it."""
    (tmp_path / "source/src").mkdir(parents=True)
    (tmp_path / "source/src/a.rs").write_text(RUST, encoding="utf-8")
    return tmp_path


def test_a_change_is_taken_back_as_a_file_that_is_new_to_ninja(folder: Path) -> None:
    path = folder / "source/src/a.rs"
    os.utime(path, (1, 1))
    with applied(folder, change()):
        assert path.read_text(encoding="utf-8") == RUST.replace("size < self.size", "size <= self.size")
    assert path.read_text(encoding="utf-8") == RUST
    assert path.stat().st_mtime > 1


def test_what_a_killed_run_changed_is_taken_back_by_the_next(folder: Path) -> None:
    code = (
        "import os, signal; from pathlib import Path; from test_mesa_mutants import applied, change\n"
        f"with applied(Path({str(folder)!r}), change()): os.kill(os.getpid(), signal.SIGKILL)"
    )
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'tests/cases'}"}
    killed = subprocess.run([sys.executable, "-c", code], env=environment, check=False)
    path = folder / "source/src/a.rs"
    assert killed.returncode == -signal.SIGKILL
    assert path.read_text(encoding="utf-8") != RUST
    restore(folder)
    assert path.read_text(encoding="utf-8") == RUST
    restore(folder)  # nothing is left to take back
    assert [p.name for p in folder.iterdir()] == ["source"]


def test_a_source_of_ones_own_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUSTICL_RUNNER_CACHE", str(tmp_path / "cache"))
    own = tmp_path / "mesa"
    (own / "src").mkdir(parents=True)
    (own / "meson.build").write_text("project('mesa')", encoding="utf-8")
    (own / "src/a.rs").write_text(RUST, encoding="utf-8")
    with open_source(str(own)) as folder, applied(folder, change()):
        assert (own / "src/a.rs").read_text(encoding="utf-8") == RUST
        with pytest.raises(UsageError, match="another run"), open_source(str(own)):
            pass
    (own / "src/a.rs").write_text(RUST.replace("7", "8"), encoding="utf-8")
    with open_source(str(own)) as again:
        assert again == folder
        assert "< 8" in (folder / "source/src/a.rs").read_text(encoding="utf-8")
    with pytest.raises(UsageError, match=r"no meson\.build"), open_source(str(tmp_path)):
        pass


def test_a_copy_that_is_there_is_made_the_tree_again_and_what_is_the_same_stays(tmp_path: Path) -> None:
    tree, copy = tmp_path / "tree", tmp_path / "copy"
    (tree / "docs").mkdir(parents=True)
    (tree / "docs/a").write_text("a")
    (tree / "b").write_text("b")
    (tree / "link").symlink_to("docs")
    copy_source(tree, copy)
    date = (copy / "b").stat().st_mtime_ns
    (copy / "docs/a").write_text("patched")
    (copy / "docs/new").write_text("by a patch")
    copy_source(tree, copy)
    assert sorted(str(p.relative_to(copy)) for p in copy.rglob("*")) == ["b", "docs", "docs/a", "link"]
    assert (copy / "docs/a").read_text() == "a"
    assert (copy / "link").readlink() == Path("docs")
    assert (copy / "b").stat().st_mtime_ns == date


def test_a_listed_change_has_its_line_or_why_it_has_none(folder: Path) -> None:
    assert locate(change(), folder / "source") == "src/a.rs:6"
    assert locate(change(n=9), folder / "source") == "moved: src/a.rs: limit has 2 of '<', not 9"
    assert locate(change(file="src/b.rs"), folder / "source") == "moved: no src/b.rs"


ROW = '- {id: a-1, file: src/a.rs, in: f, token: "<", n: 1, to: no, shows: [x]}\n'


def test_a_table_is_read_as_text(tmp_path: Path) -> None:
    (tmp_path / "draw.yaml").write_text(ROW.replace("a-1", "nir-1"), encoding="utf-8")
    (read,) = load(tmp_path)
    assert (read.group, read.to, read.n, read.shows, read.target) == ("nir", "no", 1, ("x",), Target("llvmpipe"))


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        (ROW.replace("n: 1, ", ""), "must have"),
        (ROW.replace("n: 1", "n: 0"), "n is a number from 1 on"),
        (ROW.replace("shows: [x]", "shows: x"), "shows a list"),
        (ROW.replace("to: no", 'to: "<"'), "it changes nothing"),
        (ROW.replace("shows", "struk: why, shows"), "must have"),
        (ROW + ROW, "two changes are called a-1"),
    ],
)
def test_a_row_that_is_not_a_change_is_refused(tmp_path: Path, row: str, complaint: str) -> None:
    (tmp_path / "nir.yaml").write_text(row, encoding="utf-8")
    with pytest.raises(UsageError, match=complaint):
        load(tmp_path)


def test_the_projects_own_table_and_what_was_shown_of_it_can_be_read() -> None:
    changes = load(TABLE)
    assert changes
    assert all(c.shows for c in changes)
    assert {name for name, shown in read_shown().items() if shown.name == "named"} <= {c.id for c in changes}


def test_a_draw_is_the_same_for_the_same_seed() -> None:
    changes = [change(id=f"core-{i}", file=f"src/{'ab'[i % 2]}.rs") for i in range(30)]
    assert select(changes, draw=5, seed=1) == select(changes, draw=5, seed=1) != select(changes, draw=5, seed=2)
    assert [c.id for c in select(changes, ["src/a.rs"], draw=99)] == [f"core-{i}" for i in range(0, 30, 2)]
    assert [c.id for c in select(changes, ["core-29"])] == ["core-29"]


def test_a_delta_gives_the_library_back_and_fits_only_its_base() -> None:
    base = random.Random(0).randbytes(200_000)
    new = base[:90_000] + b"one more instruction" + base[90_000:]
    delta = make_delta(base, new)
    assert len(delta) < 1000
    assert apply_delta(base, delta) == new
    with pytest.raises(InfrastructureError, match="another base"):
        apply_delta(base[::-1], delta)


def test_a_torn_last_line_of_the_table_is_dropped_and_done_again(tmp_path: Path) -> None:
    path = tmp_path / "outcomes.jsonl"
    one, two = change(), change(id="core-2")
    outcomes = Outcomes(path)
    outcomes.add(Outcome(one.id, one.digest, "premerge", first=(("kernels/a", "value: 1"),), red=1))
    outcomes.add(Outcome(two.id, two.digest, "premerge"))
    path.write_bytes(path.read_bytes()[:-9])
    again = Outcomes(path)
    assert again.find(one, "premerge") == outcomes.find(one, "premerge")
    assert again.find(two, "premerge") is None
    again.add(Outcome(two.id, two.digest, "premerge", red=3))
    assert len(path.read_text(encoding="utf-8").splitlines()) == 2
    assert Outcomes(path).find(change(id="core-2", to=">"), "premerge") is None  # another change under the same name


def test_the_report_counts_by_group_and_names_what_nothing_shows(tmp_path: Path) -> None:
    builds, outcomes = Outcomes(tmp_path / "builds"), Outcomes(tmp_path / "runs")
    changes = [change(id=f"core-{i}") for i in range(5)]
    changes += [change(id="nir-0", group="nir", struck="dead code"), change(id="nir-1", group="nir")]
    for c in changes:
        builds.add(
            Outcome(c.id, c.digest, place="src/a.rs:6", built=c.id != "nir-1", note="E0308" if c.id == "nir-1" else "")
        )

    def ran(number: int, tier: str, *red: str, named: bool = False) -> None:
        c = changes[number]
        first = tuple((test_id, "value: wrong") for test_id in red)
        outcomes.add(Outcome(c.id, c.digest, tier, first=first, red=len(red), named=named))

    ran(0, "premerge", "kernels/a", named=True)
    ran(1, "premerge")
    ran(1, "full", "kernels/b")
    ran(2, "premerge")
    ran(2, "full")
    ran(3, "premerge")
    lines = list(report(changes, builds, outcomes))
    assert [" ".join(line.split()) for line in lines[1:4]] == [
        "core 5 0 0 0 0 4 1 of 4 (25 %) 2 of 3 (67 %) 1 of 2 (50 %)",
        "nir 2 1 0 1 0 0 - - -",
        "all 7 1 0 1 0 4 1 of 4 (25 %) 2 of 3 (67 %) 1 of 2 (50 %)",
    ]
    assert [line.split(": ")[0] for line in lines[4:]] == [
        "shown by full only, kernels/b",
        "not shown",
        "not shown by premerge, full not run",
        "not built",
    ]
    assert lines[-1].endswith("E0308")


def pack_of(changes: Sequence[Change], folder: Path) -> Pack:
    """Builds whose libraries hold the names of their changes, "base" that of the unchanged one."""
    pack = Pack(folder)
    pack.builds.add(Outcome("base", "", build_id="base"))  # makes the folder
    pack.base.write_bytes(b"base")
    for c in changes:
        pack.builds.add(Outcome(c.id, c.digest, build_id=c.id))
        (folder / f"{c.id}-{c.digest}.zst").write_bytes(make_delta(b"base", c.id.encode()))
    return pack


def test_premerge_runs_first_and_what_is_red_without_a_change_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = [change(id=f"core-{i}", shows=("clFinish",)) for i in range(4)]
    pack = pack_of(changes, tmp_path / "builds")
    ran: list[tuple[str, str, str, tuple[str, ...]]] = []
    by_name: list[str] = []
    shown = {
        ("core-0", "premerge", ""): "api: clFinish",
        ("core-1", "full", ""): "value: 1",
        ("core-3", "premerge", "1/20"): "api: clFinish",
    }

    def run(library: Path, *words: object, known: Sequence[str] = (), most: int = 0, shard: str = "") -> Run:
        name, tier = library.read_text(encoding="utf-8"), str(words[1])
        if words[2] == ["kernels/*clFinish*"]:
            by_name.append(name)
            return Run((), 1, "", 1.0, 1.0, name)
        if words[2] != ["kernels/*"]:
            assert (name, words[2]) == ("base", ["kernels/a"])  # what a change shows is not red without it
            return Run((), 1, "", 1.0, 1.0, name)
        ran.append((name, tier, shard, tuple(known)))
        red = [("kernels/known", "value: 0")] if name == "base" or most else []
        red += [("kernels/a", message) for at, message in shown.items() if at == (name, tier, shard)]
        return Run(tuple(red), 9, "", 1.0, 1.0, name if name != "core-2" else "stranger")

    monkeypatch.setattr("tools.mesa_mutants.schedule.run", run)
    monkeypatch.setattr("tools.mesa_mutants.schedule.build_id", lambda path: path.read_text(encoding="utf-8"))
    outcomes = Outcomes(tmp_path / "outcomes.jsonl")
    Schedule(pack, outcomes, ["kernels/*"], 2, 0, seed=0).run_all(changes, "full")
    known = ("kernels/known",)
    assert [step for step in ran if step[0] == "base"] == [("base", "premerge", "", ()), ("base", "full", "", ())]
    assert (ran[0][0], ran[8][0]) == ("base", "base")
    whole = [(c.id, "premerge", "", known) for c in changes[:3]]  # of changes that a piece of premerge does not show
    assert sorted(ran[1:8]) == sorted([(c.id, "premerge", "1/20", known) for c in changes] + whole)
    assert sorted(by_name) == [c.id for c in changes[:3]]
    assert sorted(ran[9:]) == [(c.id, "full", "", known) for c in changes[1:3]]
    found = {(c.id, tier): outcomes.find(c, tier) for c in changes for tier in ("premerge", "full")}
    assert [(key, o.red, o.named) for key, o in found.items() if o and o.red] == [
        (("core-0", "premerge"), 1, True),
        (("core-1", "full"), 1, False),
        (("core-3", "premerge"), 1, True),
    ]
    wrong = found["core-2", "premerge"]
    assert wrong
    assert wrong.note == "another library was loaded: stranger, not core-2"
    Schedule(pack, Outcomes(tmp_path / "outcomes.jsonl"), ["kernels/*"], 2, 0, seed=0).run_all(changes, "full")
    assert len(ran) == 11  # nothing is done again


def test_what_is_red_without_a_change_by_itself_or_after_another_case_shows_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = [change(id="core-0"), change(id="core-1")]
    pack = pack_of(changes, tmp_path / "builds")
    behind = ("kernels/second", "value: 1 (only after kernels/first)")
    anyway = [("kernels/alone", "value: 2"), behind]

    def run(library: Path, *words: object, known: Sequence[str] = (), **_: object) -> Run:
        name, globs = library.read_text(encoding="utf-8"), words[2]
        assert isinstance(globs, list)
        if name == "base":  # in its whole run the first was after others, and green
            red = [] if globs == ["kernels/*"] else [row for row in anyway if row[0] in globs]
            assert behind not in red or "kernels/first" in globs
        else:
            red = [row for row in anyway if row[0] not in known][:1]
            red = red or [("kernels/a", "value: 3")] * (name == "core-0")
        return Run(tuple(red), 9, "", 1.0, 1.0, name)

    monkeypatch.setattr("tools.mesa_mutants.schedule.run", run)
    monkeypatch.setattr("tools.mesa_mutants.schedule.build_id", lambda path: path.read_text(encoding="utf-8"))
    outcomes = Outcomes(tmp_path / "outcomes.jsonl")
    Schedule(pack, outcomes, ["kernels/*"], 1, 0, seed=0).run_all(changes, "premerge")
    found = [outcomes.find(c, "premerge") for c in changes]
    assert [o.first for o in found if o] == [(("kernels/a", "value: 3"),), ()]
    base = outcomes.latest("base-llvmpipe", "premerge")
    assert base
    assert base.first == tuple(anyway)


@pytest.mark.parametrize(
    ("group", "gpu", "mode", "name"),
    [
        ("nir", "", "", "llvmpipe"),
        ("zink", "", "", "zink"),
        ("ir3", "", "", "freedreno-a630-emulate"),
        ("ir3", "a750", "", "freedreno-a750-emulate"),
        ("freedreno", "", "compile", "freedreno-a630-compile"),
        ("nir", "", "emulate", "freedreno-a630-emulate"),
        ("nir", "a750", "", "freedreno-a750-emulate"),
        ("aco", "", "", "radeonsi-navi31-emulate-aco"),
        ("aco", "navi33", "compile", "radeonsi-navi33-compile-aco"),
        ("ac_llvm", "", "", "radeonsi-navi31-emulate"),
        ("valhall", "", "", "panfrost-g610-emulate"),
        ("brw", "", "compile", "iris-tgl-compile"),
    ],
)
def test_a_change_runs_on_its_groups_target_or_on_what_is_asked_for(group: str, gpu: str, mode: str, name: str) -> None:
    changed = change(group=group)
    assert changed.target.on(gpu, mode).name == name


def test_a_run_on_an_emulated_gpu_has_the_shim_beside_the_library_and_one_emulator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ci").mkdir()
    called = tmp_path / "called"
    (tmp_path / "ci/in-root").write_text(f'#!/bin/sh\necho "$*" >> {called}\necho /cache/emulator.so\n')
    (tmp_path / "ci/in-root").chmod(0o755)
    monkeypatch.setattr("tools.mesa_mutants.runs.ROOT", tmp_path)
    library, shim = tmp_path / "new.so", tmp_path / "libfreedreno_noop_drm_shim.so"
    library.write_bytes(b"library")
    shim.write_bytes(b"shim")
    a630 = Target("freedreno", "a630", "emulate", "nofp16")
    for number, target in enumerate((a630, a630, replace(a630, mode="compile", variant=""))):
        ended = run(library, target, "premerge", ["kernels/*", "more/*"], 2, tmp_path / f"run{number}", [shim])
        assert ended.note.startswith("no results")
    placed = {p.name: p.read_bytes() for p in (tmp_path / "run1/prefix/lib").iterdir()}
    assert placed == {"libRusticlOpenCL.so.1": b"library", shim.name: b"shim"}
    build, first, second, third = called.read_text(encoding="utf-8").splitlines()
    assert " emulators.library adreno " in build
    # In compile mode it checks hazards.
    assert all("RUNNER_EMULATOR=/cache/emulator.so" in words for words in (first, second, third))
    assert "--mode=emulate --gpu=a630 --variant=nofp16" in first
    assert "-t kernels/* -t more/*" in first
    assert "--mode=compile --gpu=a630 --jobs" in third


def test_a_pack_takes_the_shims_of_its_tree_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def make(self: SourceTree, changed: Change | None, out: Path) -> Built:
        assert self.source.name == "source"
        assert changed is None
        out.write_bytes(b"base")
        return Built(out, 1.0)

    monkeypatch.setattr(SourceTree, "make", make)
    (tmp_path / "mesa/prefix/lib/x86_64-linux-gnu").mkdir(parents=True)
    (tmp_path / "mesa/prefix/lib/x86_64-linux-gnu/libfreedreno_noop_drm_shim.so").write_bytes(b"shim")
    pack = Pack(tmp_path / "pack")
    pack.fill(SourceTree(tmp_path, tmp_path / "mesa/build"), [], 2)
    assert [(p.parent.name, p.name, p.read_bytes()) for p in pack.shims] == [
        ("pack", "libfreedreno_noop_drm_shim.so", b"shim")
    ]


@pytest.mark.parametrize("complaint", ["a.c:1:2: error: no such thing", "error[E0425]: cannot find it", "NameError: name"])
def test_a_complaint_is_the_compilers_and_not_its_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch, complaint: str
) -> None:
    monkeypatch.setattr("tools.mesa_mutants.source_tree._IN_ROOT", ())
    monkeypatch.setattr("tools.mesa_mutants.source_tree._STEP", f"echo gcc -Werror=format; echo '{complaint}'; exit 1")
    (folder / "mesa").mkdir()
    assert SourceTree(folder, folder / "mesa/build").make(None, folder / "a.so").complaint == complaint


@pytest.mark.parametrize("allowed", [True, False])
def test_builds_side_by_side_have_one_path_and_a_tree_each(
    folder: Path, monkeypatch: pytest.MonkeyPatch, allowed: bool
) -> None:
    if not allowed:
        monkeypatch.setattr("tools.mesa_mutants.source_tree._BIND", "exit 1")
    # Its source stands at the place that the build folder names, whichever tree that is.
    script = f"cat {folder}/source/src/a.rs > $2; cat build/log >> $2; echo more >> build/log"
    monkeypatch.setattr("tools.mesa_mutants.source_tree._IN_ROOT", ())
    monkeypatch.setattr("tools.mesa_mutants.source_tree._STEP", script)
    tree = SourceTree(folder, folder / "mesa/build")
    tree.build.mkdir(parents=True)
    (tree.build / "log").write_text("whole\n")
    changes = [change(to=to) for to in ("<=", ">")]
    with side_by_side(tree, 2) as trees:
        alone = trees == [tree]  # as it is if the machine allows no namespace
        for number, own in enumerate(trees * 2 if alone else trees):
            with applied(own.folder, changes[number]):
                assert own.make(None, folder / f"{number}.so").complaint == ""
    assert alone or allowed
    built = [(folder / f"{number}.so").read_text() for number in (0, 1)]
    assert [("size <= self" in b, "size > self" in b) for b in built] == [(True, False), (False, True)]
    assert built[1].endswith("whole\nmore\n" if alone else "whole\n")
    assert (folder / "source/src/a.rs").read_text() == RUST
    assert not (folder / "copies").exists()


def test_every_change_is_built_once_whichever_tree_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[tuple[str, bool]] = []

    def make(self: SourceTree, changed: Change | None, out: Path) -> Built:
        out.write_bytes(b"base")
        if changed:
            used.append((changed.id, self.folder.name == out.stem))
        return Built(out, 1.0)

    monkeypatch.setattr(SourceTree, "make", make)
    (tmp_path / "source").mkdir()
    (tmp_path / "mesa/build").mkdir(parents=True)
    pack, changes = Pack(tmp_path / "pack"), [change(id=f"ir3-{n}") for n in range(6)]
    for jobs in (3, 1):
        pack.fill(SourceTree(tmp_path, tmp_path / "mesa/build"), changes, jobs)
    assert sorted(used) == [(c.id, True) for c in changes]  # no two trees share a file
    assert all(pack.builds.find(c) for c in changes)


def test_what_is_red_on_one_target_without_a_change_is_not_known_on_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = [change(id="ir3-1", group="ir3"), change(id="nir-1", group="nir")]
    pack = pack_of(changes, tmp_path / "builds")
    ran: set[tuple[str, str, tuple[str, ...], int]] = set()

    def run(library: Path, target: Target, *_: object, known: Sequence[str] = (), most: int = 0, **__: object) -> Run:
        name = library.read_text(encoding="utf-8")
        ran.add((name, target.name, tuple(known), most))
        return Run(((f"kernels/{target.name}", "hazard: 1"),) if name == "base" else (), 9, "", 1.0, 1.0, name)

    monkeypatch.setattr("tools.mesa_mutants.schedule.run", run)
    monkeypatch.setattr("tools.mesa_mutants.schedule.build_id", lambda path: path.read_text(encoding="utf-8"))
    Schedule(pack, Outcomes(tmp_path / "own"), ["kernels/*"], 2, 0, seed=0).run_all(changes, "premerge")
    own = {"ir3-1": "freedreno-a630-emulate", "nir-1": "llvmpipe"}
    assert sorted(ran) == sorted(
        [("base", name, (), 0) for name in own.values()]
        + [(who, name, (f"kernels/{name}",), 3) for who, name in own.items()]
    )
    ran.clear()
    outcomes = Outcomes(tmp_path / "compile")
    target = Target("freedreno", "a630", "compile")
    Schedule(pack, outcomes, ["kernels/*"], 2, 0, seed=0, target=lambda _: target, most=1).run_all(changes, "premerge")
    assert sorted(ran) == [
        ("base", target.name, (), 0),
        *((c.id, target.name, (f"kernels/{target.name}",), 1) for c in changes),
    ]


def test_a_run_that_is_cut_off_has_changes_of_the_last_groups_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changes = [change(id=f"{group}-{i}", group=group) for group in ("api", "spirv") for i in range(12)]
    pack = pack_of(changes, tmp_path / "builds")

    def first_ten(seed: int) -> list[str]:
        ran: list[str] = []

        def run(library: Path, *_: object, **__: object) -> Run:
            ran.append(library.read_text(encoding="utf-8"))
            return Run((), 9, "", 1.0, 1.0, ran[-1])

        monkeypatch.setattr("tools.mesa_mutants.schedule.run", run)
        Schedule(pack, Outcomes(tmp_path / f"{len(list(tmp_path.iterdir()))}"), ["kernels/*"], 2, 0, seed).run_all(
            changes, "premerge"
        )
        ran = list(dict.fromkeys(ran))
        assert sorted(ran) == sorted(["base", *(c.id for c in changes)])
        return ran[:10]

    monkeypatch.setattr("tools.mesa_mutants.schedule.build_id", lambda path: path.read_text(encoding="utf-8"))
    ten = first_ten(1)
    assert {"api", "spirv"} <= {name.split("-")[0] for name in ten}
    assert ten == first_ten(1) != first_ten(2)


def test_a_change_that_nothing_shows_any_more_is_named(tmp_path: Path) -> None:
    early, late, gone, half, new = (change(id=f"core-{n}") for n in range(1, 6))
    path, outcomes = tmp_path / "shown.txt", Outcomes(tmp_path / "outcomes.jsonl")
    path.write_text(
        "# why\n"
        "core-1 premerge kernels/a named\n"
        "core-2 full kernels/b stranger\n"
        "core-3 full kernels/c named\n"
        "core-4 full kernels/d unknown\n"
    )
    for c, tier, red in (
        *((early, "premerge", 0), (early, "full", 1)),  # later than before, and shown
        *((late, "premerge", 0), (late, "full", 1)),
        *((gone, "premerge", 0), (gone, "full", 0)),
        (half, "premerge", 0),  # full was not run: nothing is known
        (new, "premerge", 1),
    ):
        outcomes.add(Outcome(c.id, c.digest, tier, first=(("kernels/z", "value: 1"),) * red, red=red, named=c == new))
    chosen = [early, late, gone, half, new]
    (line,) = lost(chosen, outcomes, read_shown(path))
    assert line.startswith("shown before by full, kernels/c, and no more: core-3 ")
    record(chosen, outcomes, path)
    assert path.read_text().splitlines() == [
        "# why",
        "core-1 full kernels/z stranger",
        "core-2 full kernels/z stranger",
        "core-4 full kernels/d unknown",
        "core-5 premerge kernels/z named",
    ]
    assert list(recorded(chosen, read_shown(path)))[1:] == [
        f"  {group}: 4, 1 by premerge; 1 named, 2 stranger, 1 unknown" for group in ("core", "all")
    ]
    path.write_text("core-1 premerge kernels/a\n")
    with pytest.raises(UsageError, match=r"shown\.txt:1: not `id tier case named\|stranger\|unknown`"):
        read_shown(path)
