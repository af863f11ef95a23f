"""Two starts that build one library at once: the first file stays, because a run may have loaded it."""

import threading
from pathlib import Path

import pytest

from emulators.library import build


def test_a_library_that_is_there_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
