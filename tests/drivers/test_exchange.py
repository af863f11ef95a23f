"""A run tests one thing from its first case to its last: an exchange meanwhile ends it, and names what was exchanged."""

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import MOCK, ROOT, Mock, opencl_environment

from runner.model import DeviceReport
from runner.run.inventory import Exchanged, Inventory, difference, mapped_files, places_of
from runner.run.worker import Worker
from runner.run_config import RunConfig

Wait = Callable[[Callable[[], bool], float], None]


def _has_begun(mock: Mock) -> Callable[[], bool]:
    journal = mock.results / "journal.jsonl"
    return lambda: journal.exists() and '"result"' in journal.read_text()


def _suites(mock: Mock) -> Path:
    """The mock suite in a folder that a test may change."""
    return Path(shutil.copytree(MOCK / "suites", mock.folder / "suites", ignore=shutil.ignore_patterns("__pycache__")))


@pytest.mark.parametrize("jobs", [pytest.param("1", marks=pytest.mark.nightly("as with two workers")), "2"])
def test_a_body_that_is_rewritten_during_a_run_ends_the_run_with_its_name(mock: Mock, wait_until: Wait, jobs: str) -> None:
    mock.environment = {"MOCK_SLEEP": "20", "MOCK_HOLD": "4"}
    body = _suites(mock) / "mock/run.py"
    process = mock.start("-t", "mock/sleep/*", f"-j{jobs}", f"--suites={body.parent.parent}")
    wait_until(_has_begun(mock), 120)
    body.write_text(body.read_text() + "\n")
    mock.release()
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 3, output
    assert f"exchanged: {body} is " in output, output
    assert "green" not in output, output


def test_a_library_that_a_case_loads_is_the_same_in_every_child(mock: Mock, wait_until: Wait) -> None:
    mock.environment = {"MOCK_LIBRARY": str(mock.folder / "libdriver.so"), "MOCK_STATE": str(mock.folder / "state")}
    first, second = [Path(p) for p in mapped_files(os.getpid()) if p.startswith("/usr/lib/") and ".cpython" not in p][:2]
    library = Path(mock.environment["MOCK_LIBRARY"])
    shutil.copy(first, library)
    process = mock.start("-t", "mock/library/*")
    wait_until((mock.folder / "state/loaded").exists, 120)
    shutil.copy(second, mock.folder / "new")
    (mock.folder / "new").rename(library)
    (mock.folder / "state/exchanged").touch()
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 3, output
    assert f"exchanged: {library} is " in output, output
    assert "build id" in output, output


_JUDGES = pytest.mark.nightly("judged_by names them beside the files of bugs: the same comparison")


@pytest.mark.parametrize(
    "what",
    [
        "bugs/0001-a-bug.yaml",
        *(pytest.param(f"expectations/{file}", marks=_JUDGES) for file in ("mock/mock-fails.txt", "all/all-skips.txt")),
    ],
)
def test_what_judges_the_results_is_the_same_at_the_end(mock: Mock, wait_until: Wait, what: str) -> None:
    mock.environment = {"MOCK_SLEEP": "20", "MOCK_HOLD": "4"}
    words = ("-t", "mock/sleep/*", "-j2")
    process = mock.start(*words)
    wait_until(_has_begun(mock), 120)
    path = mock.folder / what
    path.parent.mkdir(exist_ok=True)
    path.write_text("# nothing yet\n" if path.suffix == ".txt" else "title: later\n")
    mock.release()
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 3, output
    assert f"exchanged: {path} is not what it was" in output, output
    assert list(mock.rows().values()) == ["Pass"] * 20, output
    assert mock.run("--resume", *words)[0] == 0


def _inventory(folder: Path) -> tuple[Inventory, Path]:
    path = folder / "suites/run.py"
    path.parent.mkdir()
    path.write_text("first")
    return Inventory([path.parent], folder / "own"), path


def _in_place(path: Path) -> None:
    """As another file of its size, with the time of the first."""
    at = path.stat()
    path.write_text("other")
    os.utime(path, ns=(at.st_atime_ns, at.st_mtime_ns))


def _longer(path: Path) -> None:
    path.write_text("another text")


@pytest.mark.parametrize("change", [Path.unlink, _in_place, Path.touch, _longer])
def test_every_way_to_exchange_a_file_is_seen(tmp_path: Path, change: Callable[[Path], Any]) -> None:
    inventory, path = _inventory(tmp_path)
    inventory.check_files()
    change(path)
    with pytest.raises(Exchanged, match=f"^exchanged: {path} is "):
        inventory.check_files()


def _link(path: Path) -> None:
    """As ci/apps hard-links all files of a root."""
    (path.parent.parent / "link").hardlink_to(path)


def _swap(path: Path) -> None:
    (path.parent / f".{path.name}.swp").touch()


def _cache(path: Path) -> None:
    (path.parent / "__pycache__").mkdir()


@pytest.mark.parametrize("change", [_link, _swap, _cache, lambda path: path.chmod(0o600)])
def test_what_does_not_change_the_content_ends_no_run(tmp_path: Path, change: Callable[[Path], Any]) -> None:
    inventory, path = _inventory(tmp_path)
    change(path)
    inventory.check_files()


def test_another_device_of_the_same_files_is_seen(tmp_path: Path) -> None:
    inventory, _ = _inventory(tmp_path)
    first = DeviceReport(device="llvmpipe", library="/a", build_id="1", limits={"memory": 1}, environment={"X": "1"})
    inventory.check(first, 0)
    inventory.check(replace(first, limits={"memory": 2}), 0)
    for other in (replace(first, build_id="2"), replace(first, environment={"X": "2"}), replace(first, features=("fp64",))):
        with pytest.raises(Exchanged, match=r"of /a \(1\) at first, .* now: another (build_id|environment|features)"):
            inventory.check(other, 0)


def test_a_library_of_another_version_in_the_place_of_the_first_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mapped = {"/lib/libLLVM.so.19.1": False, "/lib/libX11.so.6": False}
    monkeypatch.setattr("runner.run.inventory.mapped_files", {1: mapped}.get)
    inventory = Inventory([], tmp_path)
    inventory.check_libraries(1)
    mapped["/lib/libX11-xcb.so.1"] = False  # one more, beside the first
    inventory.check_libraries(1)
    mapped["/lib/libLLVM.so.20.1"] = mapped.pop("/lib/libLLVM.so.19.1")
    with pytest.raises(
        Exchanged, match=r"^exchanged: \S*/libLLVM\.so\.19\.1 was loaded at first, \S*/libLLVM\.so\.20\.1 is now"
    ):
        inventory.check_libraries(1)


def test_two_workers_that_began_with_other_files_are_told_apart() -> None:
    stamps = ("5 1 1 1.1.1.1", "5 2 2 1.1.1.1")
    assert difference({"/a": stamps[0], "/b": stamps[0]}, {"/a": stamps[0], "/c": stamps[1]}) == ""
    assert difference({"/a": stamps[0]}, {"/a": stamps[1]}).startswith("exchanged: /a is 5 bytes of ")
    assert difference({"/a": stamps[0]}, {"/a": "gone"}).startswith("exchanged: /a is gone, and was 5 bytes of ")


@pytest.mark.root
@pytest.mark.parametrize(
    "what",
    ["library", *(pytest.param(name, marks=pytest.mark.nightly("another file, watched alike")) for name in ("llvm", "icd"))],
)
def test_a_mesa_that_is_exchanged_between_two_children_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Its own library, one that it needs, and the file that names it: each a copy, written again after the first child."""
    monkeypatch.setattr("runner.run.supervisor.kill_orphans", lambda: None)  # of this process: the server of forked.py
    environment = opencl_environment(tmp_path)
    library = Path(Path(environment["OCL_ICD_VENDORS"]).read_text().strip())
    system = next(p.parent for p in Path("/usr/lib").glob("*/libLLVM.so.*")) if "/" not in str(library) else library.parent
    names = {"library": "libRusticlOpenCL.so.1", "llvm": next(p.name for p in system.glob("libLLVM.so.*"))}
    for name in names.values():
        shutil.copy(system / name, tmp_path / name)
    icd = tmp_path / "rusticl.icd"
    icd.write_text(f"{tmp_path / names['library']}\n")
    monkeypatch.setenv("OCL_ICD_VENDORS", str(icd))
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    config = RunConfig("llvmpipe", suites=str(ROOT / "suites"), expectations=str(ROOT / "expectations"))
    worker = Worker(config, tmp_path / "scratch")

    def begin_again() -> None:
        worker.start()
        worker.ensure_ready()

    try:
        begin_again()
        begin_again()
        path = icd if what == "icd" else tmp_path / names[what]
        shutil.copy(path, tmp_path / "new")
        (tmp_path / "new").rename(path)
        with pytest.raises(Exchanged, match=f"exchanged: {path} is .*{'' if what == 'icd' else 'build id'}"):
            begin_again()
    finally:
        worker.stop()


_FOLDERS = ("vulkan/icd.d", "vulkan/implicit_layer.d", "vulkan/explicit_layer.d")
_NAMED_BY_VARIABLES = {
    **{name: (f"{name}/a.json", name) for name in ("VK_LAYER_PATH", "VK_ADD_LAYER_PATH", "VK_IMPLICIT_LAYER_PATH")},
    **{
        name: (f"{name}/a.json", f"{name}/a.json") for name in ("VK_DRIVER_FILES", "VK_ICD_FILENAMES", "VK_ADD_DRIVER_FILES")
    },
    **{name: (f"{name}/libX.so", f"/nonexistent:{name}/libX.so") for name in ("OCL_ICD_FILENAMES", "OPENCL_LAYERS")},
    **{name: (f"{name}/a", name) for name in ("OPENCL_LAYER_PATH", "OPENCL_VENDOR_PATH", "GALLIUM_PIPE_SEARCH_DIR")},
    **{name: (f"{name}/a", name) for name in ("MESA_SHADER_READ_PATH", "INTEL_SHADER_ASM_READ_PATH")},
    **{name: (f"{name}/{_FOLDERS[0]}/a.json", name) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME")},
    **{name: (f"{name}/{_FOLDERS[1]}/a.json", f"/usr/share:{name}") for name in ("XDG_CONFIG_DIRS", "XDG_DATA_DIRS")},
    "HOME": (".drirc", "."),
    "HOME ": (f".local/share/{_FOLDERS[2]}/a.json", "."),
    "HOME  ": (f".config/{_FOLDERS[1]}/a.json", "."),
}


@pytest.mark.parametrize("name", _NAMED_BY_VARIABLES)
def test_what_a_variable_has_a_loader_read_is_the_same_in_every_child(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file, value = _NAMED_BY_VARIABLES[name]
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("first")
    environment = {name.strip(): ":".join(str(tmp_path / word) for word in value.split(":"))}
    inventory = Inventory(places_of(RunConfig("mock", suites="none"), environment, ""), tmp_path / "own")
    inventory.check_files()
    path.write_text("another")
    with pytest.raises(Exchanged, match=f"^exchanged: {path} is "):
        inventory.check_files()
