"""The address of a board: HOST[:FOLDER], and how ssh and xdist reach it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from runner.model import UsageError

# Nobody is there to answer questions; and a board that is switched off must be noticed soon: TCP itself takes minutes.
_SSH = ("-oBatchMode=yes", "-oConnectTimeout=10", "-oServerAliveInterval=5", "-oServerAliveCountMax=3")
# Both become part of xdist's specifications, of paths and of shell commands.
_NAME = re.compile(r"[A-Za-z0-9@._-]+")
_FOLDER = re.compile(r"[A-Za-z0-9@._+-]+(/[A-Za-z0-9@._+-]+)*|(/[A-Za-z0-9@._+-]+)+")


@dataclass(frozen=True, slots=True)
class Board:
    """One machine that ssh reaches, and the folder on it that `runner deploy` fills."""

    host: str
    folder: str = "rusticl-runner"  # below the login's home

    @classmethod
    def parse(cls, text: str) -> Board:
        """HOST[:FOLDER], HOST as ssh takes it. Raises UsageError."""
        host, _, folder = text.partition(":")
        board = cls(host, folder) if folder else cls(host)
        dots = {"", ".", ".."}  # somebody else's folder, which would be filled and emptied
        outside = host in dots or dots & set(board.folder.removeprefix("/").split("/"))
        if outside or not _NAME.fullmatch(host) or host.startswith("-") or not _FOLDER.fullmatch(board.folder):
            raise UsageError(
                f"{text!r}: write HOST or HOST:FOLDER in A-Za-z0-9@._-, no part of it . or ..; for a port, a key or an "
                "address of IPv6 give the board a name in ~/.ssh/config"
            )
        return board

    def command(self, remote: str, ssh_config: str) -> list[str]:
        """The command line that runs `remote` in the board's shell."""
        return ["ssh", *(("-F", ssh_config) if ssh_config else ()), *_SSH, self.host, remote]

    def specification(self, number: int, ssh_config: str) -> str:
        """xdist's specification of one worker on this board."""
        words = [
            f"ssh={' '.join(_SSH)} {self.host}",
            f"id={self.host}#{number}",
            f"python={self.folder}/python",
            f"chdir={self.folder}/project",
            *([f"ssh_config={ssh_config}"] if ssh_config else []),
        ]
        return "//".join(words)


def host_of(worker_id: str) -> str:
    """The host of a worker that `Board.specification` named; "" for a local one."""
    return worker_id.rpartition("#")[0]
