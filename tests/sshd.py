"""Start sshd as root of a mount namespace: `python sshd.py PASSWD CONFIG`.

sshd wants a user of its own and /run/sshd. Here /etc/passwd is the machine's, so another one is bound over it, and
an empty /run, where nobody else sees them.
"""

import ctypes
import os
import signal
import sys
from pathlib import Path

_PR_SET_PDEATHSIG, _CLONE_NEWNS, _MS_BIND = 1, 0x20000, 4096
_libc = ctypes.CDLL(None, use_errno=True)


def _call(name: str, *arguments: object) -> None:
    if getattr(_libc, name)(*arguments):
        raise OSError(ctypes.get_errno(), f"{name}: {os.strerror(ctypes.get_errno())}")


def main(passwd: str, config: str) -> None:
    _call("prctl", _PR_SET_PDEATHSIG, signal.SIGKILL)
    _call("unshare", _CLONE_NEWNS)
    _call("mount", b"tmpfs", b"/run", b"tmpfs", 0, None)
    Path("/run/sshd").mkdir(mode=0o755)
    _call("mount", passwd.encode(), b"/etc/passwd", None, _MS_BIND, None)
    os.execv("/usr/sbin/sshd", ["/usr/sbin/sshd", "-D", "-e", "-f", config])


if __name__ == "__main__":
    main(*sys.argv[1:])
