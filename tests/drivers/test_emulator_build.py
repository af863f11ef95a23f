"""Where an emulator's library comes from: two starts at once, and another processor."""

import os
import threading
from pathlib import Path

import pytest
from conftest import Mock

from emulators.library import build
from runner.records.journal import read


def test_a_library_that_is_there_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is kept, because a run may have loaded it."""
    compiler = tmp_path / "clang"
    # It writes its own process' number, after the other one has begun, too.
    compiler.write_text(
        '#!/bin/sh\nwhile [ $# -gt 0 ]; do [ "$1" != -o ] || out=$2; shift; done\n'
        f"echo >> {tmp_path}/begun; while [ $(wc -l < {tmp_path}/begun) -lt 2 ]; do sleep 0.05; done\necho $$ > $out\n"
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("EMULATOR_CC", str(compiler))
    seen: list[tuple[Path, str]] = []

    def start() -> None:
        library = build("adreno", tmp_path / "cache")
        seen.append((library, library.read_text()))

    threads = [threading.Thread(target=start) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen[0] == seen[1]
    assert seen[0][0].read_text() == seen[0][1]


def test_each_root_of_arm_has_a_library_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = tmp_path / "clang"
    compiler.write_text(
        '#!/bin/sh\nwords=$*\nwhile [ $# -gt 0 ]; do [ "$1" != -o ] || out=$2; shift; done\necho "$words" > "$out"\n'
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("EMULATOR_CC", str(compiler))
    words = [build("mali", tmp_path, arm_root=root).read_text().split() for root in ("", "/trixie", "/sid")]
    assert ["-march=native" in w for w in words] == [True, False, False]
    assert ["--target=aarch64-linux-gnu" in w for w in words] == [False, True, True]
    assert ["--sysroot=/trixie" in words[1], "--sysroot=/sid" in words[2]] == [True, True]


@pytest.mark.nightly("it compiles an emulator once more, and qemu takes its time")
def test_debians_panfrost_for_arm_executes_under_qemu(mock: Mock) -> None:
    root = os.environ.get("RUNNER_ARM64_ROOT", "")
    assert root, "no RUNNER_ARM64_ROOT: ci/test sets it, as ci/in-root --arch arm64 does"
    case = "kernels/integer/mul_hi.ulong"
    words = ("--mode", "emulate", "--timeout-scale", "10", "-j", "1", f"--results={mock.results}", "-t", case)
    code, output = mock.cli("--driver", "panfrost", "--gpu", "g52", *words)
    assert (code, mock.rows()) == (0, {case: "Pass"}), output
    device = read(mock.results).device
    assert device, output
    assert (device.machine, device.emulator.split()[0]) == ("aarch64", "mali")
    assert Path(device.library).is_relative_to(Path(root).resolve())
    assert "emulated: launches 1, lane-instructions " in output
