"""The cases of the project's own suites, kept between commands: making them is most of the cost of a short command.

One file in the cache folder for each checkout and Python: a hash of the sources of the cases, a hash of the data, the data.
If either hash differs, the cases are made again, so those that are kept are those that would be made.
"""

import contextlib
import hashlib
import marshal
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from runner import ROOT
from runner.cache_folder import cache_folder
from runner.model import Case, Tier

_HASH_BYTES = hashlib.sha256().digest_size
_TIERS = {str(tier): tier for tier in Tier}


class KeptCases(Mapping[str, Case]):
    """Cases by id, each made on request: most commands look at few of them, or only at the ids."""

    def __init__(self, rows: Mapping[str, tuple[str, str, bytes]]) -> None:
        self._rows = rows
        self._made: dict[str, Case] = {}

    def __getitem__(self, test_id: str) -> Case:
        case = self._made.get(test_id)
        if case is None:
            tier, kind, rest = self._rows[test_id]
            params, needs, group, timeout_s = marshal.loads(rest)
            case = self._made[test_id] = Case(test_id, kind, params, needs, _TIERS[tier], group, timeout_s)
        return case

    def __contains__(self, test_id: object) -> bool:
        return test_id in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def tiers(self) -> dict[str, Tier]:
        """The tier of each, without the rest of the case."""
        return {test_id: _TIERS[tier] for test_id, (tier, _, _) in self._rows.items()}

    def kinds(self) -> dict[str, str]:
        """The kind of each, likewise."""
        return {test_id: kind for test_id, (_, kind, _) in self._rows.items()}


def fetch_cases(suites: str) -> KeptCases | None:
    """The cases that were kept; `suites` is the digest of the suites' files as they are now. None if there are none."""
    with contextlib.suppress(OSError):
        content = _path().read_bytes()
        key, whole, data = content[:_HASH_BYTES], content[_HASH_BYTES : 2 * _HASH_BYTES], content[2 * _HASH_BYTES :]
        if key == _key(suites) and whole == hashlib.sha256(data).digest():
            return KeptCases(marshal.loads(data))
    return None


def keep_cases(suites: str, cases: Iterable[Case]) -> None:
    """Keep them for the next command, if the cache folder can be written."""
    with contextlib.suppress(OSError, ValueError):  # of params that are not plain data
        rows: dict[str, Any] = {}
        for case in cases:
            rest: Any = (case.params, case.requires, case.group, case.timeout_s)
            rows[case.id] = (str.__str__(case.tier), sys.intern(case.kind), marshal.dumps(rest))  # each text once
        data = marshal.dumps(rows)
        path = _path()
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f"{path.name}.", delete=False) as part:
            part.write(_key(suites) + hashlib.sha256(data).digest() + data)
        Path(part.name).replace(path)


def _path() -> Path:
    # The form of the data is a Python's own.
    name = hashlib.sha256(f"{ROOT.resolve()}\0{sys.version}".encode()).hexdigest()[:16]
    return cache_folder() / "catalogue" / name


def _key(suites: str) -> bytes:
    """Of the suites' files, of the modules that suites may import, and of those that load and check cases."""
    hasher = hashlib.sha256(suites.encode())
    for path in sorted(path for folder in ("", "cases") for path in (ROOT / "runner" / folder).glob("*.py")):
        hasher.update(f"\0{path.name}\0".encode() + path.read_bytes())
    return hasher.digest()
