"""Emulate mode: how the runner handles an emulator's marks, death and counts, and how it keeps its results apart."""

import json
import shutil
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import MOCK, Mock

from runner.model import Attempt, Status
from runner.records.history import History
from runner.records.journal import read

_PLACE = MOCK / "emulated"


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
def emulated(mock: Mock, libraries: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> Emulated:
    mock.environment |= libraries
    monkeypatch.delenv("RUNNER_ARM64_ROOT", raising=False)  # as ci/run without --arch; ci/test's root has it
    return Emulated(mock)


@pytest.mark.root
def test_each_mark_decides_about_its_case_whatever_the_values_were(emulated: Emulated) -> None:
    code, output = emulated.run("--retries", "0", "-t", "emulated/mark/*", "-t", "emulated/wrong/*")
    assert code == 1, output
    found = {name: (a.status, a.message) for name, a in emulated.attempts().items()}
    decided = {
        "fault": (Status.FAIL, "emulator: stg.u32 [r0.x], r1.x: address 0x40 is in no buffer of the submission"),
        "hazard": (Status.FAIL, "hazard: (sy) missing before add.u r2.z"),
        "race": (Status.FAIL, "race: word 4 of local memory, work-items 1 and 2"),
        "unknown": (Status.ERROR, "emulator: not emulated: dp4acc"),
        "odd": (Status.ERROR, "emulator: a mark of an unknown kind: whatever: this emulator is newer"),
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
    assert "emulator: what was launched rests on the assumptions 3, 14 of docs/emulation.md" in output_of["wrong/undefined"]


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
def test_a_slow_emulator_is_not_a_timeout_of_the_driver(emulated: Emulated) -> None:
    for mode, wanted in (("emulate", Status.PASS), ("compile", Status.TIMEOUT)):
        _, output = emulated.run("--retries", "0", "-t", "emulated/slow/*", mode=mode)
        assert emulated.attempts()["slow/launch"].status is wanted, output
        emulated.mock.results.rename(emulated.mock.folder / mode)


@pytest.mark.root
def test_an_emulator_that_is_exchanged_in_mid_run_ends_the_run(emulated: Emulated, tmp_path: Path) -> None:
    library = shutil.copy(emulated.mock.environment["RUNNER_EMULATOR"], tmp_path / "emulator.so")
    emulated.mock.environment["RUNNER_EMULATOR"] = str(library)
    code, output = emulated.run("-t", "emulated/exchange/*")
    assert code == 3, output
    assert f"exchanged: {library} is " in output, output


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
def test_what_the_emulator_says_of_a_shader_counts_in_compile_mode(emulated: Emulated) -> None:
    """It executes nothing there, and nothing in the run is called emulated."""
    _, output = emulated.run("--retries", "0", "-t", "*/hazard", "-t", "*/unknown", "-t", "*/none", mode="compile")
    found = {name: (a.status, a.message) for name, a in emulated.attempts().items()}
    assert found == {
        "mark/none": (Status.PASS, ""),
        **dict.fromkeys(("mark/hazard", "wrong/hazard"), (Status.FAIL, "hazard: (sy) missing before add.u r2.z")),
        **dict.fromkeys(("mark/unknown", "wrong/unknown"), (Status.ERROR, "emulator: not emulated: dp4acc")),
    }, output
    device = read(emulated.mock.results).device
    assert device
    assert ("hazards" in device.features, "execute" in device.features, device.emulator) == (True, False, "")
    assert "EMULATED" not in output


@pytest.mark.root
def test_compile_mode_without_a_clang_says_that_no_hazard_is_looked_for(emulated: Emulated) -> None:
    emulated.mock.environment |= {"RUNNER_EMULATOR": "", "EMULATOR_CC": "no-such-clang", "RUSTICL_RUNNER_CACHE": "empty"}
    code, output = emulated.run("-t", "emulated/mark/none", mode="compile")
    assert code == 0, output
    assert "hazards are not checked: " in output
    assert "install it (Debian: clang)" in output
    device = read(emulated.mock.results).device
    assert device
    assert "hazards" not in device.features


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
