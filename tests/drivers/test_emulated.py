"""Emulated GPUs beside boards: their files, their history, their counts, which ones there are, and what describes them."""

from dataclasses import replace
from pathlib import Path

import pytest
from conftest import MOCK, Command
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
from runner.run.emulation import without_blame
from runner.run.launcher import plan_launch
from runner.run_config import RunConfig

DRIVERS = load_drivers()
_A630 = Target("freedreno", "a630", "emulate", "26.2")


def test_an_attempt_is_the_emulators_only_if_it_said_its_last_words() -> None:
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
    assert not emulated.overlaps(compiled)
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
    assert {gpu.partition("_")[0] for gpu in zink.gpus_of("emulate")} == {"anv", "radv", "turnip"}
    assert "radv_navi31" in zink.gpus_of("emulate")
    assert "radv_polaris10" not in zink.gpus_of("emulate")
    assert set(DRIVERS["iris"].gpus_of("compile")) - set(DRIVERS["iris"].gpus_of("emulate")) == {"bdw", "lnl", "bmg"}
    assert DRIVERS["v3d"].gpus_of("emulate") == []
    assert [emulated_name("adreno", gpu) for gpu in ("a630", "turnip_a630", "a999", "x_y")] == ["a630", "a630", "", ""]
    asked = (("a630", ""), ("a630", "msm"), ("turnip_a630", ""), ("a630", "zink"))
    found = [(driver.name, gpu) for driver, gpu in (driver_emulating(gpu, driver=name) for gpu, name in asked)]
    assert found == [("freedreno", "a630")] * 2 + [("zink", "turnip_a630")] * 2


def test_what_cannot_be_emulated_is_told_with_what_can(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RUNNER_ARM64_ROOT", raising=False)  # ci/test's root has it
    code, output = command("--driver", "v3d", "--gpu", "v4.2", "--mode", "emulate")
    assert (code, "v3d has no emulator; these have one: " in output, "freedreno (a630, " in output) == (2, True, True), (
        output
    )
    code, output = command("--driver", "msm", "--gpu", "a631", "--mode", "emulate")
    assert (code, "closest: 'a630'" in output) == (2, True), output
    code, output = command("emulate", "--gpu", "a631", "--", "true")
    assert (code, "closest: 'a630'" in output) == (2, True), output
    code, output = command("emulate", "--gpu", "v4.2", "--driver", "v3d", "--", "true")
    assert (code, "v3d has no emulator" in output) == (2, True), output
    code, output = command("--driver", "msm", "--gpu", "all")
    assert (code, "or --mode emulate, for a630, " in output) == (2, True), output
    (tmp_path / "empty").mkdir()
    for name in ("RUNNER_SHIMS", "RUNNER_MESA_BUILD"):
        monkeypatch.setenv(name, str(tmp_path / "empty"))
    words = ("--driver", "msm", "--gpu", "a630", "--mode", "emulate", f"--mesa-prefix={tmp_path}")
    code, output = command(*words)
    assert (code, f"--mesa-prefix {tmp_path}: found no libRusticlOpenCL.so below it" in output) == (2, True), output
    (tmp_path / "libRusticlOpenCL.so.1.0.0").touch()
    code, output = command(*words)
    assert (code, "--mode emulate: no libfreedreno_noop_drm_shim.so for freedreno" in output) == (3, True), output
    assert "ci/run --mesa sid has most" in output
    (tmp_path / "libfreedreno_noop_drm_shim.so").touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("RUSTICL_RUNNER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("EMULATOR_CC", "no-such-clang")
    code, output = command("--driver", "msm", "--gpu", "a618", "--mode", "emulate", f"--mesa-prefix={tmp_path}")
    assert (code, "install it (Debian: clang)" in output) == (3, True), output


def test_a_machine_without_the_device_is_shown_the_emulated_one() -> None:
    assert missing_device(DRIVERS["freedreno"], "emulate") == ""
    text = missing_device(DRIVERS["freedreno"])
    assert not text or "or choose --mode emulate --gpu a630, which executes what the driver compiles and launches" in text
    text = missing_device(DRIVERS["v3d"])
    assert not text or "or choose --driver llvmpipe, which runs anywhere" in text


def test_the_emulator_comes_before_the_shim_and_instead_of_the_fence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RUNNER_ARM64_ROOT", raising=False)
    for name in ("libfreedreno_noop_drm_shim.so", "emulator.so", "fence.so", "libRusticlOpenCL.so.1"):
        (tmp_path / name).write_bytes(b"\x7fELF RUSTICL_FEATURES IR3_SHADER_DEBUG spillall nopreamble expandrpt nofp16")
    monkeypatch.setenv("RUNNER_EMULATOR", str(tmp_path / "emulator.so"))
    monkeypatch.setenv("RUNNER_NOOP_FENCE", str(tmp_path / "fence.so"))
    config = RunConfig("freedreno", "a618", mode="emulate", mesa_prefix=str(tmp_path))
    driver = DRIVERS["freedreno"]
    (tmp_path / "w0/cache").mkdir(parents=True)
    launch = plan_launch(config, driver).command(tmp_path / "w0/cache", 3, 4).environment
    shim = f"{tmp_path}/libfreedreno_noop_drm_shim.so"
    assert launch["LD_PRELOAD"].split(":")[:2] == [f"{tmp_path}/emulator.so", shim]
    assert "fence.so" not in launch["LD_PRELOAD"]
    assert (launch["EMULATOR_GPU"], launch["FD_GPU_ID"]) == ("a618", "618")
    assert launch["EMULATOR_STATISTICS"] == f"{tmp_path}/w0/emulator"
    # nine tenths of a start come from the cache, and no code of which a fault was printed does
    assert "MESA_SHADER_CACHE_DISABLE" not in launch
    assert DRIVERS["panfrost"].caches_output
    for variant in ("spillall", "nopreamble", "expandrpt", "nofp16"):
        own = plan_launch(replace(config, variant=variant), driver).command(tmp_path / "w0/cache", 3, 4).environment
        assert own["IR3_SHADER_DEBUG"] == variant
    compiled = plan_launch(replace(config, mode="compile"), driver).command(tmp_path / "w0/cache", 3, 4).environment
    assert compiled["LD_PRELOAD"].split(":")[:2] == [f"{tmp_path}/emulator.so", shim]
    assert (launch["EMULATOR_EXECUTE"], compiled["EMULATOR_EXECUTE"]) == ("1", "0")
    a830 = plan_launch(replace(config, gpu="a830", mode="compile"), driver).command(tmp_path / "w0/cache", 3, 4).environment
    assert a830["LD_PRELOAD"].split(":")[:2] == [shim, f"{tmp_path}/fence.so"]  # no emulator knows its shaders
    assert "EMULATOR_GPU" not in a830
    monkeypatch.setenv("RUNNER_EMULATOR", str(tmp_path / "gone.so"))
    with pytest.raises(InfrastructureError, match="no such file"):
        shimmed_of(driver, replace(config, gpu="a630"))
    with pytest.raises(UsageError, match="a830"):
        shim_of(driver, replace(config, gpu="a830"))


@pytest.mark.root  # the command asks for an .icd
def test_a_mesa_for_arm_is_emulated_under_qemu(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shim = tmp_path / "usr/lib/aarch64-linux-gnu/libpanfrost_noop_drm_shim.so"
    shim.parent.mkdir(parents=True)
    own = [tmp_path / "libpanfrost_noop_drm_shim.so", tmp_path / "libRusticlOpenCL.so.1", tmp_path / "emulator.so"]
    for path in (shim, *own):
        path.touch()
    monkeypatch.setenv("RUNNER_ARM64_ROOT", str(tmp_path))
    monkeypatch.setenv("RUNNER_EMULATOR", str(own[-1]))
    config, driver = RunConfig("panfrost", "g52", mode="emulate"), DRIVERS["panfrost"]
    plan = plan_launch(config, driver)
    assert (plan.root, plan.shimmed) == (str(tmp_path), shimmed_of(driver, config))
    launch = plan.command(tmp_path, 3, 4)
    assert launch.argv[0] == f"{tmp_path}/usr/bin/qemu-aarch64"
    assert launch.environment["LD_PRELOAD"].split(":")[:2] == [str(own[-1]), str(shim)]
    # Otherwise the run would silently use this machine's own Mesa.
    with pytest.raises(UsageError, match="this machine's own; leave --arch out"):
        shimmed_of(driver, replace(config, mesa_prefix=str(tmp_path)))
    code, output = command("emulate", "--gpu", "g52", "--", "true")
    assert (code, "does not load a driver for ARM; leave --arch out" in output) == (2, True), output


def test_the_rule_in_which_two_releases_differ_is_not_held_against_the_older_one() -> None:
    accepted = {mesa: DRIVERS["freedreno"].variant_environment("", mesa)["EMULATOR_ACCEPT"] for mesa in ("25.0", "26.2")}
    assert accepted == {"25.0": "third-source", "26.2": ""}


def test_an_unknown_emulator_of_a_shim_is_a_usage_error(tmp_path: Path) -> None:
    path = tmp_path / "drivers.yaml"
    path.write_text("msm: {shims: [{library: freedreno, emulator: adrenaline}]}\n")
    with pytest.raises(UsageError, match=r"msm: shims: no emulator adrenaline; known: .*adreno"):
        load_drivers(path)


def test_a_description_says_that_there_is_no_gpu() -> None:
    device = DeviceReport(device="FD630", emulator="adreno 0123")
    assert describe(device).startswith("FD630 (EMULATED by adreno 0123: no GPU), tinygrad")
    assert "EMULATED" not in describe(replace(device, emulator=""))
    assert device.identity != replace(device, emulator="").identity
    assert replace(device, emulator="").build == ("", "", "")


def test_doctor_names_the_emulated_gpus_and_the_next_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RUNNER_ARM64_ROOT", raising=False)
    (tmp_path / "libfreedreno_noop_drm_shim.so").touch()
    (tmp_path / "clang").write_text("#!/bin/sh\n")
    (tmp_path / "clang").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("EMULATOR_CC", raising=False)
    monkeypatch.setenv("RUNNER_MESA_BUILD", str(tmp_path))
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/libfreedreno_noop_drm_shim.so").touch()
    (found,) = examine_emulators({"freedreno": DRIVERS["freedreno"], "v3d": DRIVERS["v3d"]}).findings
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
    option = {"name": "a630, emulated", **table.without_times(answer, parse_totals({"launches": 678}))}
    text = table.write({"bench": "gpt2", "size": "tiny", "options": [option]}, form)
    assert "8765" not in text
    assert "9876" not in text
    assert "678" in text
    assert form == "json" or ("no speed" in text and "a630, emulated: EMULATED by adreno 0123, which has no speed" in text)
    old = {"options": [{"name": "a630, emulated", "measures": [measure]}]}
    assert not [line for line in table.compare(old, {"options": [option]}) if " x " in line]
    wrong = {**answer, "measures": [{"name": "matmul", "unit": "GFLOPS", "samples": [1.0], "error": 0.5}]}
    own = {"name": "a630, emulated", **table.without_times(wrong, {})}
    assert "WRONG RESULT of matmul" in table.write({"bench": "ops", "options": [own]}, "text")
