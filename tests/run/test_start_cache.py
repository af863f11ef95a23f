"""The cache of a driver's start-up: made once for a run, kept between runs, and never trusted unchecked."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from runner.child.libraries import build_id, mapped_libraries
from runner.model import DeviceReport
from runner.run.start_cache import StartCache

_PART = "mesa_shader_cache_db/part0/mesa_cache.db"
_LIBCLC = b"libclc" * 20_000


class Run:
    """A run of its own in a machine's cache folder: workers, each with the cache folder of its child."""

    def __init__(self, folder: Path, library: Path, **variables: str) -> None:
        folder.mkdir()
        self._folder, self._variables = folder, variables
        self.report = DeviceReport(build_id=build_id(library), library=str(library), libclc="0123456789abcdef")

    def worker(self, name: str = "w0") -> tuple[StartCache, Path]:
        cache = self._folder / name
        cache.mkdir()
        return StartCache(self._folder, {"MESA_SHADER_CACHE_DIR": str(cache), **self._variables}, cache), cache

    def first(self) -> tuple[StartCache, Path]:
        """A worker whose child may start."""
        start, cache = self.worker()
        assert start.claim()
        start.fill()
        return start, cache


def start_up(cache: Path) -> None:
    """What Mesa writes before any kernel."""
    (cache / _PART).parent.mkdir(parents=True)
    (cache / _PART).write_bytes(_LIBCLC)
    (cache / "mesa_shader_cache_db/index").write_bytes(bytes(1 << 20))


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RUSTICL_RUNNER_CACHE", str(tmp_path / "machine"))
    real = next(p for p in (*mapped_libraries(), Path(sys.executable)) if build_id(p))
    return Path(shutil.copy(real, tmp_path / "libRusticlOpenCL.so.1"))


@pytest.fixture
def entry(tmp_path: Path, library: Path) -> Path:
    """The cache that a first run has kept."""
    start, cache = Run(tmp_path / "first", library).first()
    assert not (cache / _PART).exists()
    start_up(cache)
    assert start.keep(Run(tmp_path / "other", library).report, os.getpid())
    (cache / _PART).write_bytes(b"and a case's kernel" * 10_000)
    (kept,) = (tmp_path / "machine/libclc").iterdir()
    return kept


@pytest.mark.usefixtures("entry")
def test_a_later_run_begins_with_what_an_earlier_start_up_left(tmp_path: Path, library: Path) -> None:
    run = Run(tmp_path / "second", library)
    start, cache = run.first()
    assert (cache / _PART).read_bytes() == _LIBCLC
    assert [p.name for p in cache.rglob("*") if p.is_file()] == ["mesa_cache.db"]
    assert start.keep(run.report, os.getpid())


def test_an_entry_whose_bytes_have_changed_is_not_used(tmp_path: Path, library: Path, entry: Path) -> None:
    (entry / _PART).write_bytes(_LIBCLC[:-1] + b"?")
    _, cache = Run(tmp_path / "second", library).first()
    assert not (cache / _PART).exists()
    assert not entry.exists()


def test_an_entry_with_one_file_more_is_not_used(tmp_path: Path, library: Path, entry: Path) -> None:
    (entry / _PART).with_name("more.db").write_bytes(b"more" * 100)
    _, cache = Run(tmp_path / "second", library).first()
    assert not (cache / _PART).exists()


@pytest.mark.usefixtures("entry")
def test_an_entry_is_not_used_by_a_mesa_that_was_rebuilt_at_its_place(tmp_path: Path, library: Path) -> None:
    content = library.read_bytes()
    number = bytes.fromhex(build_id(library))
    library.write_bytes(content.replace(number, bytes(len(number)), 1))
    _, cache = Run(tmp_path / "second", library).first()
    assert not (cache / _PART).exists()


def test_a_start_up_that_shows_another_device_than_the_entry_gives_it_up(tmp_path: Path, library: Path, entry: Path) -> None:
    run = Run(tmp_path / "second", library)
    start, _ = run.first()
    assert not start.keep(DeviceReport(build_id="12", libclc="34", library="elsewhere"), os.getpid())
    assert not entry.exists()
    start.fill()
    assert start.keep(run.report, os.getpid())


@pytest.mark.usefixtures("entry")
def test_other_variables_have_another_entry(tmp_path: Path, library: Path) -> None:
    _, cache = Run(tmp_path / "second", library, RUSTICL_FEATURES="fp64").first()
    assert not (cache / _PART).exists()


def test_one_worker_of_a_run_makes_it_for_the_others(tmp_path: Path, library: Path) -> None:
    run = Run(tmp_path / "run", library)
    start, cache = run.first()
    other, others = run.worker("w1")
    assert not other.claim()
    start_up(cache)
    assert start.keep(run.report, os.getpid())
    assert other.claim()
    other.fill()
    assert (others / _PART).read_bytes() == _LIBCLC


def test_another_worker_makes_it_if_the_first_one_has_ended(tmp_path: Path, library: Path) -> None:
    run = Run(tmp_path / "run", library)
    start, _ = run.first()
    other, _ = run.worker("w1")
    assert not other.claim()
    start.release()
    other.wait(60, lambda: False)
    assert other.claim()


def test_without_mesas_cache_no_worker_waits(tmp_path: Path, library: Path) -> None:
    run = Run(tmp_path / "run", library, MESA_SHADER_CACHE_DISABLE="true")
    run.first()
    other, _ = run.worker("w1")
    assert other.claim()


def test_it_waits_for_mesas_writer(tmp_path: Path, library: Path) -> None:
    run = Run(tmp_path / "run", library)
    start, cache = run.first()
    # The program's name in /proc is the file's name, as the thread of Mesa's writer is named after its queue.
    writer = tmp_path / "python3:disk$0"
    writer.symlink_to(sys.executable)
    (cache / _PART).parent.mkdir(parents=True)
    code = "import sys, time; end = time.monotonic() + 0.5\nwhile time.monotonic() < end: pass\n"
    code += "open(sys.argv[1], 'wb').write(b'libclc' * 20_000); time.sleep(60)"
    with subprocess.Popen([writer, "-c", code, cache / _PART]) as child:
        try:
            assert start.keep(run.report, child.pid)
        finally:
            child.kill()
    other, others = run.worker("w1")
    other.fill()
    assert (others / _PART).read_bytes() == _LIBCLC
