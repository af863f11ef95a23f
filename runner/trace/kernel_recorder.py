"""One kernel of tinygrad, or all of a case in order, as a program that needs neither tinygrad nor this project.

Imported only in the child, for `runner repro`. The folder is also written before every step that may end the process:
the program that is being compiled, the launch that is being made.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import tap
from runner.launches import Argument, Launch, Observed, observe
from runner.trace.cpu_reference import Deviation, Oracle
from runner.trace.programs import fill_program
from runner.trace.wrong_kernel import ordinal

_BETWEEN = "All launches came back."


class KernelRecorder:
    """Watches a case's launches, and writes the first wrong one, or all if none is wrong, into `folder`."""

    def __init__(self, folder: Path, test_id: str) -> None:
        self._folder, self._id = folder, test_id
        self._oracle: Oracle | None = None
        self._launches: list[dict[str, Any]] = []
        self._data: dict[str, NDArray[Any]] = {}
        self._sources: dict[str, str] = {}  # source: file
        self._known: dict[str, NDArray[np.uint8]] = {}  # what each buffer holds after the launches so far
        self._number = 0
        self._found = ""  # the first wrong kernel, where, and how
        self._conclusion = ""  # what the folder holds

    @property
    def began(self) -> bool:
        """True if the folder holds anything of tinygrad."""
        return bool(self._sources)

    @contextmanager
    def watch(self) -> Iterator[None]:
        """The case must run in its block."""
        self._oracle = Oracle()
        with observe(self._see, self._launching), tap.listening({"CLCompiler.compile": self._compiling}):
            yield

    def finish(self, *, passed: bool) -> str:
        """Write all launches, if none was wrong. Returns a sentence about the content of the folder.

        The bound of a kernel is an estimate: if the case passed anyway, no kernel is called wrong.
        """
        if self._found and passed:
            self._conclusion = (
                "No kernel is known to be wrong. The first one beyond the estimate of its rounding: " + self._found
            )
            self._write(self._launches, self._data)
        if self._found:
            print(self._conclusion)
        if self._conclusion == _BETWEEN and not self._found:
            self._conclusion = f"No kernel differs from tinygrad's CPU: these are all {self._number}, in order."
            self._write(self._launches, self._data)
        return self._conclusion

    def _compiling(self, _: Any, source: str) -> None:
        if not self._found:
            self._conclusion = "The compiler refused this kernel, or did not come back from it."
            self._write([{"uploads": [], "source": self._file(source)}], {})

    def _launching(self, launch: Launch, arguments: Sequence[Argument], before: Mapping[str, NDArray[np.uint8]]) -> None:
        if not self._found:
            self._conclusion = f"The {ordinal(self._number + 1)} launch, {launch.name}, failed or did not come back."
            entry = self._entry(launch, arguments, list(before), [])
            self._write([entry], {f"0.{name}": content for name, content in before.items()})

    def _see(self, observed: Observed) -> None:
        self._number += 1
        if self._found:
            return
        assert self._oracle
        compared = self._oracle.try_compare(self._number, observed) or []
        wrong = next((c for c in compared if c.wrong.any()), None)
        if wrong:
            where = f"the {ordinal(self._number)} launch of the case"
            self._found = f"{observed.launch.name}, {where}, {wrong.message} ({self._oracle.name})."
            self._conclusion = f"First wrong kernel: {self._found}"
            self._launches, self._data = [], {}
            self._add(observed, list(observed.before), compared)
            self._write(self._launches, self._data)
            return
        fresh = [
            name
            for name, content in observed.before.items()
            if name not in self._known or not np.array_equal(self._known[name], content)
        ]
        self._add(observed, fresh, compared)
        self._known.update(observed.after)
        self._conclusion = _BETWEEN

    def _add(self, observed: Observed, uploads: list[str], compared: list[Deviation]) -> None:
        number = len(self._launches)
        kinds = {a.buffer: a.dtype for a in observed.arguments}
        outputs = [{"buffer": c.buffer, "position": c.position, "dtype": _plain(kinds[c.buffer])} for c in compared]
        self._launches.append(self._entry(observed.launch, observed.arguments, uploads, outputs))
        self._data |= {f"{number}.{name}": observed.before[name] for name in uploads}
        for c in compared:
            self._data[f"{number}.{c.buffer}.want"] = c.want_bytes
            self._data[f"{number}.{c.buffer}.allowed"] = c.allowed if c.allowed.any() else np.zeros(1)

    def _entry(
        self, launch: Launch, arguments: Sequence[Argument], uploads: list[str], outputs: list[Any]
    ) -> dict[str, Any]:
        return {
            "name": launch.name,
            "source": self._file(launch.source),
            "global": launch.global_size,
            "local": launch.local_size,
            "uploads": uploads,
            "arguments": [_argument(a) for a in arguments],
            "outputs": outputs,
        }

    def _file(self, source: str) -> str:
        return self._sources.setdefault(source, f"kernel{len(self._sources)}.cl")

    def _write(self, entries: list[dict[str, Any]], data: Mapping[str, NDArray[Any]]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        used = {entry["source"] for entry in entries}
        for old in self._folder.glob("kernel*.cl"):
            old.unlink()
        for source, name in self._sources.items():
            if name in used:
                (self._folder / name).write_text(source, encoding="utf-8")
        np.savez(self._folder / "data.npz", **data)  # type: ignore[arg-type]
        (self._folder / "launches.json").write_text(json.dumps(entries, indent=1), encoding="utf-8")
        program = fill_program("launches", id=self._id, conclusion=self._conclusion)
        (self._folder / "repro.py").write_text(program, encoding="utf-8")


def _argument(argument: Argument) -> dict[str, Any]:
    if not argument.buffer:
        return {"dtype": argument.dtype, "value": argument.value}
    entry: dict[str, Any] = {"dtype": argument.dtype, "buffer": argument.buffer}
    return entry | ({"image": argument.image} if argument.image else {})


def _plain(dtype: str) -> str:
    """The type as the program decodes it: numpy's name, or bfloat16; bytes if it has neither, and for bool."""
    if dtype == "bfloat16":
        return dtype
    try:
        return "uint8" if dtype == "bool" else np.dtype(dtype).name
    except TypeError:
        return "uint8"
