"""A verdict on its way from a board: ci/on-board says it, the console spoils it, ci/serial_verdict.py takes it or not.

One file: the sender, the console and the reader of one verdict.
"""

import hashlib
import importlib.util
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType

import pytest
from conftest import ROOT, Mock
from serial_console import CI, HOST, JOB, NONCE, host_hears

_KERNEL = b"[  737.673352] adreno 5000000.gpu: hangcheck recover!\r\n"


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("serial_verdict", CI / "serial_verdict.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


serial_verdict = _load()
_WORDS = serial_verdict.WORDS


def find_verdict(console: bytes, job: str) -> int | None:
    """Its answer to a console that was silent before."""
    found: int | None = serial_verdict.find_verdict(b"\n" + console, job, NONCE)
    return found


def _on_board(folder: Path, code: int, **environment: str) -> subprocess.Popen[bytes]:
    """ci/on-board with a command that ends with this code."""
    return _start_on_board(folder, f"exit {code}", **environment)


def _start_on_board(folder: Path, command: str, **environment: str) -> subprocess.Popen[bytes]:
    nonce = Path(tempfile.mkdtemp(dir=folder), "nonce")
    nonce.write_text(f"{NONCE}\n")
    return subprocess.Popen(
        [CI / "on-board", "sh", "-c", command],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "CI_JOB_ID": JOB, "RUSTICL_NONCE_FILE": str(nonce), **environment},
    )


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[int, bytes]:
    """The last words of ci/on-board, by exit code; 137 is a runner that was killed."""
    folder = tmp_path_factory.mktemp("board")
    started = {code: _on_board(folder, code) for code in (*_WORDS, 137)}  # at once: each says it for four seconds
    texts = {code: process.communicate()[0] for code, process in started.items()}
    assert {code: process.returncode for code, process in started.items()} == {**{c: c for c in _WORDS}, 137: 3}
    return texts


def _line(text: bytes) -> bytes:
    (line,) = {line for line in text.splitlines() if b"check:" in line}
    return line


def test_a_verdict_arrives_as_it_was_said(outputs: dict[int, bytes]) -> None:
    for code, word in _WORDS.items():
        assert outputs[code].count(_line(outputs[code])) == 4
        assert f" exit_code: {code} {word} check: " in _line(outputs[code]).decode()
        console = b"Booting Linux\xff\x00\r\n" + _KERNEL + outputs[code].replace(b"\n", b"\r\n")
        assert host_hears(console)[0] == code
    assert "is not the runner's" in outputs[137].decode()
    assert host_hears(outputs[137])[0] == 3


def test_no_byte_that_is_changed_lost_or_added_makes_another_verdict(outputs: dict[int, bytes]) -> None:
    for code in (0, 1, 5):
        line = _line(outputs[code])
        for n in range(len(line)):
            for byte in range(256):
                if byte != line[n]:
                    assert find_verdict(line[:n] + bytes([byte]) + line[n + 1 :], JOB) is None
                assert find_verdict(line[:n] + bytes([byte]) + line[n:], JOB) in (None, code)
            assert find_verdict(line[:n] + line[n + 1 :], JOB) is None
            assert find_verdict(line[:n] + _KERNEL + line[n:], JOB) == (None if n else code)
            assert find_verdict(line[:n], JOB) is None  # switched off
        assert find_verdict(line, JOB) == code


def test_pieces_of_two_verdicts_make_no_third(outputs: dict[int, bytes]) -> None:
    lines = {code: _line(outputs[code]) for code in _WORDS}
    for one in _WORDS:
        for other in _WORDS:
            for n in range(len(lines[one]) + 1):
                for m in range(len(lines[other]) + 1):
                    console = lines[one][:n] + lines[other][m:]
                    found = find_verdict(console, JOB)
                    assert found is None or lines[found] in console


@pytest.mark.parametrize("signature", ["of no nonce", "of another nonce", "within a line", "of a wrong word"])
def test_a_verdict_that_a_test_prints_does_not_count(outputs: dict[int, bytes], signature: str) -> None:
    green = f"rusticl: job {JOB} exit_code: 0 green".encode()
    forged = {
        "of no nonce": green + b" check: " + hashlib.sha256(green).hexdigest()[:16].encode(),
        "of another nonce": green + b" check: " + hashlib.sha256(b"x" * 32 + b" " + green).hexdigest()[:16].encode(),
        "within a line": b"Fail kernels/a: value: " + _line(outputs[0]),
        "of a wrong word": b"rusticl: job 4711 exit_code: 0 regressions check: ",
    }[signature]
    if signature == "of a wrong word":
        forged += hashlib.sha256(NONCE.encode() + b" " + forged.removesuffix(b" check: ")).hexdigest()[:16].encode()
    # At every place of a read, so that the end of a read is not taken to be the start of a line.
    for shift in (0, 3796, 3773, 4000):
        code, output = host_hears(b"x" * shift + b"\r\n" * (shift < 1) + forged + b"\r\n" + outputs[1])
        assert code == 1, output


def test_what_runs_on_the_board_cannot_find_the_nonce(tmp_path: Path) -> None:
    """It searches every file it was given, and the environments and command lines of the processes above it."""
    search = 'cd "$0" 2> /dev/null; p=$$; while [ "$p" -gt 1 ]; do cat /proc/$p/environ /proc/$p/cmdline; '
    search += "p=$(sed 's/.*) . \\([0-9]*\\) .*/\\1/' /proc/$p/stat); [ -r /proc/$p/environ ] || break; "
    search += '[ "$(tr "\\0" " " < /proc/$p/cmdline | grep -c on-board)" = 1 ] || break; done; '
    search += f"cat; grep -r . {tmp_path}; env; cat /proc/self/fd/9"
    upload = "echo secret-of-$((1))-upload"
    output = _start_on_board(tmp_path, f"{search}; exit 1", RUSTICL_UPLOAD=upload).communicate()[0]
    assert b"CI_JOB_ID" in output
    assert b"secret-of-$((1))" not in output
    assert NONCE.encode() not in output
    assert host_hears(output)[0] == 3  # nothing was sent, so there are no results


def test_what_another_job_has_left_is_not_sent_as_this_ones(tmp_path: Path) -> None:
    unfinished, finished = '{"event":"start"}', '{"event":"footer","reason":""}'
    started = []  # at once: each says its verdict for four seconds
    for number, (journal, owner, words) in enumerate(
        ((finished, "4710", ""), (unfinished, "4710", ""), (finished, JOB, ""), (unfinished, JOB, "--resume"))
    ):
        results = tmp_path / str(number) / "results"
        results.mkdir(parents=True)
        (results / "journal.jsonl").write_text(f"{journal}\n")
        results.with_name("results.job").write_text(owner)
        # A runner that does not even start.
        process = _start_on_board(results.parent, 'echo "$0 $@" > words; ls results > left; exit 127')
        started.append((results.parent, words, process))
    for folder, words, process in started:
        assert process.communicate()
        assert process.returncode == 3
        assert (folder / "words").read_text().split()[0] == (words or "--results")
        assert (folder / "left").read_text() == ("journal.jsonl\n" if words else "")


def _corrupt(text: bytes, draw: random.Random, rate: float) -> bytes:
    """A console that flips, drops and doubles bytes, and lets the kernel in between."""
    out = bytearray()
    for byte in text:
        if draw.random() >= rate:
            out.append(byte)
            continue
        match draw.randrange(4):
            case 0:
                out.append(byte ^ 1 << draw.randrange(8))
            case 1:
                pass
            case 2:
                out += bytes([byte, byte])
            case _:
                out += _KERNEL + bytes([byte])
    return bytes(out)


def test_a_spoilt_console_brings_the_right_verdict_or_none(outputs: dict[int, bytes]) -> None:
    draw = random.Random(1)
    for rate, least in ((0.001, 0.99), (0.01, 0.8), (0.1, 0.0)):
        found = {code: [find_verdict(_corrupt(outputs[code], draw, rate), JOB) for _ in range(400)] for code in _WORDS}
        for code, verdicts in found.items():
            assert set(verdicts) <= {code, None}
            assert verdicts.count(code) >= least * 400
    code, output = host_hears(_corrupt(outputs[0], draw, 0.2))
    assert code == 3
    assert "the console ended without a verdict" in output


@pytest.mark.parametrize(
    ("console", "why"),
    [
        (b"", "the console ended"),
        (b"hwci: mesa: exit_code: 0\r\n" * 4, "the console ended"),  # no checksum, no verdict
        (b"[ 9.1] ---[ end Kernel panic - not syncing: x ]---\r\n", "the kernel panicked"),
    ],
)
def test_without_a_verdict_it_is_infrastructure(console: bytes, why: str, outputs: dict[int, bytes]) -> None:
    code, output = host_hears(console)
    assert code == 3
    assert why in output
    # The job before this one, whose lines are still on the line.
    assert host_hears(console + outputs[0], "4712")[0] == 3


def test_a_console_that_stays_silent_ends_by_the_clock() -> None:
    reader, writer = os.pipe()
    done = subprocess.run(
        [CI / "serial_verdict.py", JOB, "0"], stdin=reader, capture_output=True, text=True, timeout=20, env=HOST
    )
    os.close(writer)
    os.close(reader)
    assert done.returncode == 3
    assert "0 minutes passed" in done.stdout


def test_a_verdict_is_found_across_reads_and_ends_the_reading(outputs: dict[int, bytes]) -> None:
    with subprocess.Popen([CI / "serial_verdict.py", JOB], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=HOST) as host:
        assert host.stdin
        for byte in b"\n" + _line(outputs[1]):
            host.stdin.write(bytes([byte]))
            host.stdin.flush()
        assert host.wait(20) == 1  # its input is still open: a serial port has no end


_PLACES = (("there.tar.gz", "results"), ("no/such/place", "others"))


def test_results_that_cannot_be_sent_are_not_a_verdict(tmp_path: Path) -> None:
    leave = "mkdir -p $RUSTICL_RESULTS && echo x > $RUSTICL_RESULTS/junit.xml"
    send, lose = ({"RUSTICL_UPLOAD": f'cp "$1" {to}', "RUSTICL_RESULTS": name} for to, name in _PLACES)
    sent = _start_on_board(tmp_path, f"{leave}; exit 1", **send)
    lost = _start_on_board(tmp_path, f"{leave}; exit 0", **lose)
    for process, code in ((sent, 1), (lost, 3)):
        assert host_hears(process.communicate()[0])[0] == process.returncode == code
    names = subprocess.run(["tar", "-tzf", tmp_path / "there.tar.gz"], check=True, capture_output=True, text=True).stdout
    assert "results/junit.xml" in names.split()


_POWERUP = """
echo >> starts
{python} -c 'import os, sys; os.setsid(); os.execvp("sh", ["sh", sys.argv[1]])' {root}/rusticl-job < /dev/null >&9 2>&1 &
echo $! > pid
[ "$(grep -c '' starts)" = 1 ] || exit 0
{{
    until grep -q '"result","id":"mock/sleep/005"' {root}/results/*/journal.jsonl 2> /dev/null; do sleep 0.1; done
    kill -s KILL -- "-$(cat pid)"
    while ls -l /proc/[0-9]*/cwd 2> /dev/null | grep -q '{root}$'; do sleep 0.1; done  # on a board all dies at once
    echo '[ 12.3] ---[ end Kernel panic - not syncing: Fatal exception ]---' >&9
}} &
"""


def test_a_board_that_panics_is_started_again_and_its_run_goes_on(mock: Mock, tmp_path: Path) -> None:
    """The board is a process whose console is a pseudo terminal; switching it off kills it."""
    root, host = tmp_path / "nfs", tmp_path / "host"
    root.mkdir()
    host.mkdir()
    board, port = os.openpty()
    words = mock.command("-j", "1", "-t", "mock/sleep/*", "-t", "mock/basic/fail")
    words.remove(f"--results={mock.results}")  # ci/on-board says where they go
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("CI", "GITLAB", "PYTEST", "MOCK"))}
    process = subprocess.Popen(
        [CI / "bare-metal", root, *words],
        cwd=host,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        close_fds=False,
        preexec_fn=lambda: os.dup2(board, 9) and None,
        env={
            **kept,
            "PYTHONPATH": str(ROOT),
            "MOCK_SLEEP": "60",
            "MOCK_STATE": str(tmp_path / "state"),
            "CI_JOB_ID": JOB,
            "BM_SERIAL": os.ttyname(port),
            "BM_POWERUP": _POWERUP.format(root=root, python=sys.executable),
            "BM_POWERDOWN": 'kill -s KILL -- "-$(cat pid)" 2> /dev/null; :',
            "RUSTICL_RUNNER_ON_BOARD": str(ROOT),
            "RUSTICL_RESULTS": "results/it's-1-2",
        },
    )
    try:
        output, _ = process.communicate(timeout=120)
    finally:
        process.terminate()
        os.close(board)
        os.close(port)
    assert process.returncode == 1, output
    assert output.index("start 1") < output.index("the kernel panicked") < output.index("start 2")
    assert "start 3" not in output
    assert f"job {JOB} ended with exit code 1" in output
    rows = dict(line.split(",")[:2] for line in (host / "results/it's-1-2/results.csv").read_text().splitlines())
    assert len(rows) == 61
    assert set(rows.values()) == {"Pass", "Fail"}
    attachment = re.search(r"\[\[ATTACHMENT\|(.*?)]]", (host / "results/it's-1-2/junit.xml").read_text())
    assert attachment
    assert (host / attachment[1]).exists()
    journal = (host / "results/it's-1-2/journal.jsonl").read_text()
    assert journal.count('"event":"resume"') == 1
    assert all(journal.count(f'"result","id":"{test_id}"') == 1 for test_id in rows)


@pytest.mark.root
def test_the_scripts_of_ci_are_clean() -> None:
    scripts = [p for p in sorted(CI.iterdir()) if p.is_file() and p.read_bytes()[:9] == b"#!/bin/sh"]
    done = subprocess.run(
        ["shellcheck", "--external-sources", "--severity=warning", *scripts], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
    assert CI / "on-board" in scripts
