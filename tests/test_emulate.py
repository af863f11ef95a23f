"""Emulate mode: what the runner makes of an emulator's marks, death and counts, and how it keeps its results apart."""

from __future__ import annotations

import json
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from conftest import MOCK, Command, Mock
from nights import Nights

from runner.bench import table
from runner.doctor.emulation import examine_emulators
from runner.doctor.finding import Level
from runner.drivers.emulator import emulated_name
from runner.drivers.presence import driver_emulating, missing_device, shim_of, shimmed_of
from runner.drivers.registry import load_drivers
from runner.expectations.resolution import Expectations
from runner.expectations.target import MODES, Target, parse_layer, parse_name
from runner.maintenance.layer import named_layer, own_layer
from runner.model import Attempt, DeviceReport, InfrastructureError, Status, UsageError
from runner.output.terminal import describe
from runner.records.emulated import add_up, parse_totals, read_files, say
from runner.records.history import History
from runner.records.journal import read
from runner.run.emulation import without_blame
from runner.run.launcher import plan_launch
from runner.run_config import RunConfig

DRIVERS = load_drivers()
_PLACE = MOCK / "emulated"
_A630 = Target("freedreno", "a630", "emulate", "26.2")


@dataclass
class Emulated:
    """The suite of tests/mock/emulated, on llvmpipe with an emulator that says what the cases ask it to."""

    mock: Mock

    def run(self, *words: str, mode: str = "emulate") -> tuple[int, str]:
        own = (
            f"--registry={_PLACE}/drivers.yaml",
            f"--suites={_PLACE}/suites",
            f"--expectations={self.mock.folder}/expectations",
        )
        return self.mock.cli(
            "run", "--driver=llvmpipe", "--gpu=a630", f"--mode={mode}", *own, f"--results={self.mock.results}", "-j1", *words
        )

    def attempts(self) -> dict[str, Attempt]:
        """The last one of each case."""
        return {i.removeprefix("emulated/"): r.attempts[-1] for i, r in read(self.mock.results).results.items()}


def _compile(source: str | Path, library: Path) -> Path:
    subprocess.run(["clang", "-shared", "-fPIC", "-x", "c", "-o", library, source], check=True)
    return library


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("libraries")
    _compile("/dev/null", folder / "libmock_noop_drm_shim.so")
    return {"RUNNER_SHIMS": str(folder), "RUNNER_EMULATOR": str(_compile(_PLACE / "emulator.c", folder / "emulator.so"))}


@pytest.fixture
def emulated(mock: Mock, libraries: Mapping[str, str]) -> Emulated:
    mock.environment |= libraries
    return Emulated(mock)


@pytest.mark.root
def test_each_mark_decides_about_its_case_whatever_the_values_were(emulated: Emulated) -> None:
    code, output = emulated.run("--retries", "0")
    assert code == 1, output
    found = {name: (a.status, a.message) for name, a in emulated.attempts().items()}
    decided = {
        "fault": (Status.FAIL, "emulator: stg.u32 [r0.x], r1.x: address 0x40 is in no buffer of the submission"),
        "hazard": (Status.FAIL, "hazard: (sy) missing before add.u r2.z"),
        "race": (Status.FAIL, "race: word 4 of local memory, work-items 1 and 2"),
        "unknown": (Status.ERROR, "emulator: not emulated: dp4acc"),
        "odd": (Status.ERROR, "emulator: a mark of no known kind: whatever: this emulator is newer"),
    }
    for values in ("mark", "wrong"):
        assert {name: found[f"{values}/{name}"] for name in decided} == decided
    assert found["mark/none"] == found["mark/undefined"] == (Status.PASS, "")
    assert found["wrong/undefined"] == (Status.FAIL, "value: mock: got 2 want 1")
    assert found["mark/several"] == decided["fault"]
    assert found["mark/unknown_too"] == decided["unknown"]
    output_of = {name: a.output for name, a in emulated.attempts().items()}
    assert "without its marks the case is Fail: value: mock: got 2 want 1" in output_of["wrong/hazard"]
    assert "undefined: r3.y was never written" in output_of["mark/undefined"]
    assert "emulator" not in output_of["mark/none"], "marks went to the next case"


@pytest.mark.root
def test_a_read_of_what_was_never_written_is_red_in_a_strict_run(emulated: Emulated) -> None:
    emulated.run("--retries", "0", "--strict", "-t", "*/undefined", "-t", "*/none")
    found = {name: (a.status, a.message) for name, a in emulated.attempts().items()}
    undefined = (Status.FAIL, "undefined: r3.y was never written")
    assert found == {"mark/undefined": undefined, "wrong/undefined": undefined, "mark/none": (Status.PASS, "")}


@pytest.mark.root
def test_an_emulators_own_death_is_the_harness_error_and_a_drivers_is_a_crash(emulated: Emulated) -> None:
    emulated.run("--retries", "0", "-t", "emulated/end/*")
    found = {name: (a.status, a.message) for name, a in emulated.attempts().items()}
    assert found["end/broken"] == (Status.ERROR, "emulator: broken: signal 11 at (nil), add.f")
    assert found["end/segfault"][0] is Status.CRASH
    assert found["end/own_97"] == (Status.CRASH, "exit 97")  # without an emulator's last words it is the driver's


@pytest.mark.root
def test_what_the_processes_that_a_case_starts_do_counts_too(emulated: Emulated) -> None:
    code, output = emulated.run("--retries", "0", "-t", "emulated/process/*")
    assert code == 1, output
    found = {name: (a.status, a.message) for name, a in emulated.attempts().items()}
    assert found["process/good"] == (Status.PASS, "")
    assert found["process/fault"] == (
        Status.FAIL,
        "emulator: in another process that the case started, whose output says where",
    )
    assert "emulated: launches 9, lane-instructions 90, CPU 0.5 of " in output, output
    assert "it says nothing about speed" in output


@pytest.mark.root
def test_the_word_emulated_is_in_every_report(emulated: Emulated) -> None:
    code, output = emulated.run("-t", "emulated/mark/none")
    assert code == 0, output
    mock = emulated.mock
    words = ("(EMULATED by adreno emulator.so ", "no GPU)")
    assert all(word in output for word in words), output
    device = read(mock.results).device
    assert device
    assert "execute" in device.features
    places = (f"--suites={_PLACE}/suites", f"--expectations={mock.folder}/expectations", str(mock.results))
    _, markdown = mock.cli("summary", "--markdown", *places)
    assert "`llvmpipe-a630-emulate-mesa" in markdown
    assert all(word in markdown for word in words), markdown
    properties = {p.get("name"): p.get("value") for p in ET.parse(mock.results / "junit.xml").iter("property")}
    assert str(properties["mode"]).startswith("emulated: ")
    assert properties["emulator"] == device.emulator
    suites = [s.get("name") for s in ET.parse(mock.results / "junit.xml").iter("testsuite")]
    assert suites == ["rusticl-llvmpipe-a630-emulate"]
    mock.cli("html", *places, "--output", str(mock.folder / "page.html"))
    page = (mock.folder / "page.html").read_text()
    assert "llvmpipe-a630-emulate" in page
    assert "Emulated GPU" in page
    _, kcidb = mock.cli("export", "kcidb", *places)
    (test,) = json.loads(kcidb)["tests"]
    assert "EMULATED" in test["environment"]["comment"]
    assert test["environment"]["misc"]["emulated"] is True


@pytest.mark.root
def test_an_emulated_run_and_another_are_not_joined_and_their_comparison_says_so(emulated: Emulated) -> None:
    mock = emulated.mock
    emulated.run("-t", "emulated/mark/none")
    mock.results.rename(mock.folder / "first")
    code, output = emulated.run("-t", "emulated/mark/none", mode="compile")
    places = (f"--suites={_PLACE}/suites", f"--expectations={mock.folder}/expectations")
    code, output = mock.cli("merge", *places, "first", "results", "--results", "merged")
    assert code == 2, output
    assert "was run with mode 'compile'" in output or "was run with mode 'emulate'" in output, output
    code, output = mock.cli("diff", *places, "first", "results")
    assert "  mode: emulate -> compile" in output, output
    assert "EMULATED by adreno" in output
    with History(mock.folder / "history", create=True) as history:
        history.add(mock.folder / "first")
        history.add(mock.results)
        assert {run.target.mode for run in history.runs()} == {"emulate", "compile"}
        assert len(history.series()) == 2
        assert history.durations("llvmpipe", "a630", "emulate", 1)
        assert history.durations("llvmpipe", "a630", "execute", 1) == {}


@pytest.mark.root
def test_an_emulator_that_does_not_reach_the_child_ends_the_run(emulated: Emulated, tmp_path: Path) -> None:
    emulated.mock.environment["RUNNER_EMULATOR"] = str(_compile("/dev/null", tmp_path / "empty.so"))
    code, output = emulated.run("-t", "emulated/mark/none")
    assert code == 3, output
    assert "emulator: its library is not loaded into the child" in output


@pytest.mark.root
def test_a_program_runs_on_the_emulated_gpu_with_the_drivers_variables(emulated: Emulated) -> None:
    script = (
        "import os, ctypes; e = ctypes.CDLL(None); print(os.environ['EMULATOR_GPU'], os.environ['RUSTICL_ENABLE']); "
        "open(os.environ['EMULATOR_TRACE'], 'a').write('launch'); e.mock_count(os.getpid(), b'%s')"
    )
    words = ("emulate", "--gpu", "a630", f"--registry={_PLACE}/drivers.yaml", "--trace", "trace", "--", "python3", "-c")
    counted = {"launches": 3, "lane_instructions": 1200, "seconds": 0.25}
    for more, wanted in (({}, 0), ({"hazard": 1}, 1), ({"undefined": 1}, 0), ({"unknown": 1, "fault": 1}, 3)):
        code, output = emulated.mock.cli(*words, script % json.dumps(counted | more).encode().decode())
        assert code == wanted, output
        assert "a630 llvmpipe" in output
        assert "emulated a630, llvmpipe: exit 0; launches 3, lane-instructions 1,200, CPU 0.2 s" in output, output
        assert (emulated.mock.folder / "trace").read_text() == "launch"
    code, output = emulated.mock.cli(*words, "raise SystemExit(5)")
    assert (code, "exit 5; no launch reached the emulator" in output) == (1, True), output
    code, output = emulated.mock.cli(*words[:-3], "--", "no-such-program")
    assert (code, "no-such-program: No such file" in output) == (2, True), output


def test_an_attempt_is_the_emulators_only_where_it_said_its_last_words() -> None:
    crash = Attempt(Status.CRASH, message="exit 97", exit_code=97, output="a line\nemulator: broken: signal 11, at add.f\n")
    assert without_blame(crash).status is Status.ERROR
    assert without_blame(crash).message == "emulator: broken: signal 11, at add.f"
    for other in (replace(crash, output=""), replace(crash, exit_code=1), replace(crash, exit_code=None, signal="SIGSEGV")):
        assert without_blame(other) == other


def test_an_emulated_gpu_has_files_of_its_own_and_reads_those_of_boards() -> None:
    layer, kind = parse_name(Path("freedreno/freedreno-a630-emulate-mesa26.2-fails.txt"))
    assert (layer, kind) == (_A630, "fails")
    assert parse_layer(layer.name) == layer
    texts = {
        Path("freedreno/freedreno-fails.txt"): "k/board,Fail,value: 1\n",
        Path("freedreno/freedreno-a630-compile-fails.txt"): "k/compiled,Crash\n",
        Path("freedreno/freedreno-emulate-fails.txt"): "k/emulated,Fail,hazard:\n",
        Path("freedreno/freedreno-emulate-device.txt"): "execute\n",
        Path("freedreno/freedreno-device.txt"): "fp16\n",
    }
    ids = ("k/board", "k/compiled", "k/emulated")
    read_by = {mode: {i for i in ids if Expectations(replace(_A630, mode=mode), texts).find(i)} for mode in ("", *MODES)}
    assert read_by == {"": {"k/board"}, "compile": {"k/compiled"}, "emulate": {"k/board", "k/emulated"}}
    floors = {mode: [*Expectations(replace(_A630, mode=mode), texts).floor] for mode in ("", "emulate")}
    assert floors == {"": ["fp16"], "emulate": ["execute"]}
    emulated, compiled, board = (Target("freedreno", mode=mode) for mode in ("emulate", "compile", ""))
    assert not emulated.meets(compiled)
    assert not emulated.applies_to(board)
    assert board.applies_to(emulated)
    assert board.rank < emulated.rank


def test_entries_of_an_emulated_run_never_go_into_a_boards_file() -> None:
    own = own_layer(_A630, [Path("freedreno/freedreno-mesa26.2-fails.txt"), Path("freedreno/freedreno-a630-fails.txt")])
    assert own == _A630
    assert named_layer("freedreno-emulate", _A630) == Target("freedreno", mode="emulate")
    with pytest.raises(UsageError, match="these runs are of an emulated GPU; give --layer freedreno-emulate"):
        named_layer("freedreno", _A630)
    with pytest.raises(UsageError, match="does not apply"):
        named_layer("freedreno-emulate", replace(_A630, mode=""))


def test_a_flake_of_an_emulated_gpu_is_none_of_a_board(tmp_path: Path, command: Command) -> None:
    nights = Nights(tmp_path)
    folders = [nights.run({"mock/a/b": (status,)}) for status in (Status.FAIL, Status.PASS)]
    journal = folders[0] / "journal.jsonl"
    journal.write_text(journal.read_text().replace('"mode":"execute"', '"mode":"emulate"'))
    with History(tmp_path / "history", create=True) as history:
        for folder in folders:
            history.add(folder)
        assert [len(runs) for runs in history.series()] == [1, 1]
    _, output = command("flakes", "--history", str(tmp_path / "history"), f"--registry={MOCK}/drivers.yaml")
    assert "mock/a/b" not in output, output


def test_a_history_of_an_earlier_version_says_what_it_said(tmp_path: Path) -> None:
    path = tmp_path / "history"
    nights = Nights(tmp_path)
    with History(path, create=True) as history:
        history.add(nights.run({"mock/a/b": (Status.PASS,)}))
        history.add(nights.run({"mock/a/b": (Status.FAIL,)}))
        history._db.execute("ALTER TABLE run RENAME COLUMN mode TO compile")
        history._db.execute("UPDATE run SET compile = (id = 2)")
        history._db.execute("PRAGMA user_version = 1")
    for _ in range(2):  # once it is brought up to date, then it is
        with History(path) as history:
            assert [run.target.mode for run in history.runs()] == ["", "compile"]


def test_totals_of_processes_are_added_up_and_a_strangers_are_refused(tmp_path: Path) -> None:
    (tmp_path / "e.1").write_text('{"launches": 2, "seconds": 0.5, "race": 1, "groups": 9}')
    (tmp_path / "e.2").write_text('{"launches": 3, "lane_instructions": 4000}')
    (tmp_path / "e.3").write_text('{"launches": ')  # killed as it wrote
    total = read_files(tmp_path.glob("e.*"))
    assert say(total, 2.0).startswith("launches 5, lane-instructions 4,000, CPU 0.5 of 2.0 s; faults 0, hazards 0, races 1")
    assert add_up([total, {}, total])["launches"] == 10
    assert say({}) == "no launch reached the emulator"
    for bad in ({"launches": "2"}, {"seconds": True}, {"race": [1]}):
        with pytest.raises(TypeError):
            parse_totals(bad)


def test_the_gpus_of_an_emulator_are_those_of_its_family_that_a_shim_has() -> None:
    freedreno, zink = DRIVERS["freedreno"], DRIVERS["zink"]
    assert "a630" in freedreno.gpus_of("emulate")
    assert set(freedreno.gpus_of("emulate")) < set(freedreno.gpus_of("compile"))
    assert all(gpu.startswith("turnip_") for gpu in zink.gpus_of("emulate"))
    assert DRIVERS["iris"].gpus_of("emulate") == []
    assert [emulated_name("adreno", gpu) for gpu in ("a630", "turnip_a630", "a999", "x_y")] == ["a630", "a630", "", ""]
    asked = (("a630", ""), ("a630", "msm"), ("turnip_a630", ""), ("a630", "zink"))
    found = [(driver.name, gpu) for driver, gpu in (driver_emulating(gpu, driver=name) for gpu, name in asked)]
    assert found == [("freedreno", "a630")] * 2 + [("zink", "turnip_a630")] * 2


def test_what_cannot_be_emulated_is_told_with_what_can(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, output = command("--driver", "iris", "--gpu", "tgl", "--mode", "emulate")
    assert (code, "iris has no emulator; these have one: " in output, "freedreno (a630, " in output) == (2, True, True), (
        output
    )
    code, output = command("--driver", "msm", "--gpu", "a631", "--mode", "emulate")
    assert (code, "closest: 'a630'" in output) == (2, True), output
    code, output = command("emulate", "--gpu", "a631", "--", "true")
    assert (code, "closest: 'a630'" in output) == (2, True), output
    code, output = command("emulate", "--gpu", "tgl", "--driver", "iris", "--", "true")
    assert (code, "iris has no emulator" in output) == (2, True), output
    code, output = command("--driver", "msm", "--gpu", "all")
    assert (code, "or --mode emulate, for a630, " in output) == (2, True), output
    for name in ("RUNNER_SHIMS", "RUNNER_MESA_BUILD", "RUNNER_ARM64_ROOT"):
        monkeypatch.setenv(name, str(tmp_path / "empty"))
    code, output = command("--driver", "msm", "--gpu", "a630", "--mode", "emulate", f"--mesa-prefix={tmp_path}")
    assert (code, "--mode emulate: no libfreedreno_noop_drm_shim.so for freedreno" in output) == (3, True), output
    assert "ci/run --mesa sid has most" in output
    (tmp_path / "libfreedreno_noop_drm_shim.so").touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("RUSTICL_RUNNER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("EMULATOR_CC", "no-such-clang")
    code, output = command("--driver", "msm", "--gpu", "a618", "--mode", "emulate", f"--mesa-prefix={tmp_path}")
    if not list(Path("/usr/bin").glob("clang-[0-9]*")):
        assert (code, "install it (Debian: clang)" in output) == (3, True), output


def test_a_machine_without_the_device_is_shown_the_emulated_one() -> None:
    assert missing_device(DRIVERS["freedreno"], "emulate") == ""
    text = missing_device(DRIVERS["freedreno"])
    assert not text or "or choose --mode emulate --gpu a630, which executes what the driver compiles and launches" in text
    text = missing_device(DRIVERS["iris"])
    assert not text or "or choose --driver llvmpipe, which runs anywhere" in text


def test_the_emulator_comes_before_the_shim_and_instead_of_the_fence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("libfreedreno_noop_drm_shim.so", "emulator.so", "fence.so", "libRusticlOpenCL.so.1"):
        (tmp_path / name).write_bytes(b"\x7fELF RUSTICL_FEATURES IR3_SHADER_DEBUG spillall nopreamble expandrpt nofp16")
    monkeypatch.setenv("RUNNER_EMULATOR", str(tmp_path / "emulator.so"))
    monkeypatch.setenv("RUNNER_NOOP_FENCE", str(tmp_path / "fence.so"))
    config = RunConfig("freedreno", "a618", mode="emulate", mesa_prefix=str(tmp_path))
    driver = DRIVERS["freedreno"]
    (tmp_path / "w0/cache").mkdir(parents=True)
    launch = plan_launch(config, driver, tmp_path / "w0/cache", 3, 4).environment
    shim = f"{tmp_path}/libfreedreno_noop_drm_shim.so"
    assert launch["LD_PRELOAD"].split(":")[:2] == [f"{tmp_path}/emulator.so", shim]
    assert "fence.so" not in launch["LD_PRELOAD"]
    assert (launch["EMULATOR_GPU"], launch["FD_GPU_ID"]) == ("a618", "618")
    assert launch["EMULATOR_STATISTICS"] == f"{tmp_path}/w0/emulator"
    for variant in ("spillall", "nopreamble", "expandrpt", "nofp16"):
        own = plan_launch(replace(config, variant=variant), driver, tmp_path / "w0/cache", 3, 4).environment
        assert own["IR3_SHADER_DEBUG"] == variant
    compiled = plan_launch(replace(config, mode="compile"), driver, tmp_path / "w0/cache", 3, 4).environment
    assert compiled["LD_PRELOAD"].split(":")[:2] == [shim, f"{tmp_path}/fence.so"]
    assert "EMULATOR_GPU" not in compiled
    monkeypatch.setenv("RUNNER_EMULATOR", str(tmp_path / "gone.so"))
    with pytest.raises(InfrastructureError, match="no such file"):
        shimmed_of(driver, replace(config, gpu="a630"))
    with pytest.raises(UsageError, match="a830"):
        shim_of(driver, replace(config, gpu="a830"))


def test_an_unknown_emulator_of_a_shim_is_a_usage_error(tmp_path: Path) -> None:
    path = tmp_path / "drivers.yaml"
    path.write_text("msm: {shims: [{library: freedreno, emulator: adrenaline}]}\n")
    with pytest.raises(UsageError, match=r"msm: shims: no emulator adrenaline; known: .*adreno"):
        load_drivers(path)


def test_a_description_says_that_there_is_no_gpu() -> None:
    device = DeviceReport(device="FD630", emulator="adreno 0123")
    assert describe(device).startswith("FD630 (EMULATED by adreno 0123: no GPU), Mesa")
    assert "EMULATED" not in describe(replace(device, emulator=""))
    assert device.identity != replace(device, emulator="").identity
    assert replace(device, emulator="").build == ("", "", "")


def test_doctor_names_the_emulated_gpus_and_the_next_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "libfreedreno_noop_drm_shim.so").touch()
    (tmp_path / "clang").write_text("#!/bin/sh\n")
    (tmp_path / "clang").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("EMULATOR_CC", raising=False)
    monkeypatch.setenv("RUNNER_MESA_BUILD", str(tmp_path))
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/libfreedreno_noop_drm_shim.so").touch()
    (found,) = examine_emulators({"freedreno": DRIVERS["freedreno"], "iris": DRIVERS["iris"]}).findings
    assert (found.level, found.step) == (Level.OK, "runner --driver freedreno --mode emulate --gpu a630")
    (tmp_path / "clang").unlink()
    (found,) = examine_emulators({"freedreno": DRIVERS["freedreno"]}).findings
    assert (found.level, "no clang" in found.text) == (Level.NOTE, True)
    (tmp_path / "lib/libfreedreno_noop_drm_shim.so").unlink()
    if not list(Path("/usr/lib").rglob("libfreedreno_noop_drm_shim.so")):
        (found,) = examine_emulators({"freedreno": DRIVERS["freedreno"]}).findings
        assert "no libfreedreno_noop_drm_shim.so" in found.text
        assert found.step.startswith("to be had from a Debian whose mesa-drm-shim has it")


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_a_bench_of_an_emulated_gpu_has_no_speed_in_it(form: str) -> None:
    identity = {
        "device": "FD630",
        "driver_version": "26.2.6",
        "llvm": "22.1",
        "tinygrad": "0.14.0",
        "emulator": "adreno 0123",
    }
    measure = {"name": "time per token", "unit": "ms", "samples": [8765.4, 9876.5]}
    answer = {"identity": identity | {"cores": "2"}, "others_cores": 1.0, "measures": [measure], "ids": [5, 6]}
    option = {"name": "a630, emulated", **table.without_speed(answer, parse_totals({"launches": 678}))}
    text = table.write({"bench": "gpt2", "size": "tiny", "options": [option]}, form)
    assert "8765" not in text
    assert "9876" not in text
    assert "678" in text
    assert form == "json" or ("no speed" in text and "a630, emulated: EMULATED by adreno 0123, which has no speed" in text)
    old = {"options": [{"name": "a630, emulated", "measures": [measure]}]}
    assert not [line for line in table.compare(old, {"options": [option]}) if " x " in line]
    wrong = {**answer, "measures": [{"name": "matmul", "unit": "GFLOPS", "samples": [1.0], "error": 0.5}]}
    own = {"name": "a630, emulated", **table.without_speed(wrong, {})}
    assert "WRONG RESULT of matmul" in table.write({"bench": "ops", "options": [own]}, "text")
