"""Two boards that hold the mock suite, each behind an sshd of its own on this machine."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import forked
import pytest
from conftest import MOCK, ROOT, Mock

from runner.drivers.machine import find_icd

VARIABLES = {"MOCK_BOARD": "1", "MOCK_SLEEP": "60"}


def _command_line(pid: int) -> bytes:
    """Of a process; b"" if it has ended meanwhile."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


@dataclass
class Sshd:
    """One board: its name, its home, and the sshd that can be killed and started again."""

    name: str
    home: Path
    preload: str
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        words = [sys.executable, str(ROOT / "tests/sshd.py"), "passwd", str(self.home / "sshd_config")]
        environment = {**os.environ, **({"LD_PRELOAD": self.preload} if self.preload else {})}
        with (self.home / "log").open("ab") as log:
            self.process = subprocess.Popen(words, stderr=log, cwd=self.home, env=environment)
        deadline = time.monotonic() + 60
        while b"listening" not in (self.home / "log").read_bytes():
            assert self.process.poll() is None, (self.home / "log").read_text()
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def sessions(self) -> list[int]:
        """sshd's own processes of each connection, not what they run."""
        assert self.process
        found, left = [], [self.process.pid]
        while left:
            try:
                tasks = list(Path(f"/proc/{left.pop()}/task").iterdir())
                children = [int(p) for task in tasks for p in (task / "children").read_text().split()]
            except (FileNotFoundError, ProcessLookupError):  # ended meanwhile
                continue
            own = [p for p in children if _command_line(p).startswith(b"sshd")]
            found += own
            left += own
        return found

    def cut(self) -> None:
        """Kill every connection."""
        for pid in self.sessions():
            os.kill(pid, signal.SIGKILL)

    def stop(self) -> None:
        """As if it were switched off."""
        assert self.process
        self.cut()
        self.process.kill()
        self.process.wait()
        (self.home / "log").write_bytes(b"")


@dataclass
class Lab:
    """Two boards that hold the mock suite, and ssh's configuration at the host."""

    config: Path
    boards: list[Sshd]

    def runner(self, *words: str) -> tuple[int, str]:
        return forked.call(words, self.config.parent, os.environ)

    def deploy(self, *hosts: str, suites: Path = MOCK / "suites") -> tuple[int, str]:
        return self.runner("deploy", *hosts, f"--ssh-config={self.config}", f"--suites={suites}")

    @property
    def on(self) -> list[str]:
        return [f"--ssh-config={self.config}", "--on=phone", "--on=phone2"]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("lab")
    preload = _allow_setgroups(folder)
    for name in ("host_key", "id"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True)
    hosts, boards = [], []
    for number, name in enumerate(("phone", "phone2")):
        home = folder / name
        home.mkdir()
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        (home / "passwd").write_text(f"root:x:0:0:root:{home}:/bin/sh\nsshd:x:0:0::/run/sshd:/usr/sbin/nologin\n")
        # The second one's llvmpipe is another device.
        icd = home / "rusticl.icd"
        icd.write_bytes(find_icd({}).read_bytes())
        own = {
            **VARIABLES,
            "MOCK_STATE": str(home / "state"),
            "RUNNER_PASSES": "MOCK_STATE",
            "OCL_ICD_VENDORS": str(icd),
        } | ({"LP_NATIVE_VECTOR_WIDTH": "128"} if number else {})
        (home / "sshd_config").write_text(
            f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host_key\nPidFile none\nUsePAM no\n"
            f"StrictModes no\nAuthorizedKeysFile {folder}/id.pub\nPasswordAuthentication no\n"
            "SetEnv " + " ".join(f"{k}={v}" for k, v in own.items()) + "\n"
        )
        hosts.append(f"Host {name}\n  HostName 127.0.0.1\n  Port {port}\n  User root\n")
        boards.append(Sshd(name, home, preload))
    config = folder / "ssh_config"
    config.write_text(
        "".join(hosts) + f"Host *\n  IdentityFile {folder}/id\n  StrictHostKeyChecking no\n  LogLevel ERROR\n"
        f"  UserKnownHostsFile {folder}/known_hosts\nHost nowhere\n  HostName 127.0.0.1\n  Port 1\n"
    )
    for board in boards:
        board.start()
    lab = Lab(config, boards)
    code, output = lab.deploy("phone", "phone2")
    assert code == 0, output
    yield lab
    for board in boards:
        board.stop()


def _allow_setgroups(folder: Path) -> str:
    """If there is one user only, as in a user namespace, setgroups is forbidden, and sshd gives up without it."""
    if Path("/proc/self/setgroups").read_text().strip() != "deny":
        return ""
    source = "int setgroups(unsigned long n, const void *g){return 0;} int initgroups(const char *u, unsigned g){return 0;}"
    (folder / "groups.c").write_text(source)
    library = str(folder / "groups.so")
    subprocess.run(["clang", "-shared", "-fPIC", "-o", library, str(folder / "groups.c")], check=True)
    return library


@pytest.fixture
def host(mock: Mock, lab: Lab) -> Mock:
    mock.environment = dict(VARIABLES)
    for board in lab.boards:
        shutil.rmtree(board.home / "state", ignore_errors=True)
    return mock
