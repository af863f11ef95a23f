"""What a worker, here or on a board, reports of one case."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from runner.compiler_stats.listing import Kernel
from runner.lines import plain
from runner.model import DeviceReport, Result
from runner.shapes import MALFORMED, as_tuple, make


@dataclass(frozen=True, slots=True)
class CaseReport:
    """One of `refusal`, `skipped` and `result`; the others hold nothing."""

    device: DeviceReport | None = None  # with the first report of a worker
    refusal: str = ""  # why the case could not be run
    skipped: str = ""  # why it was not to be run
    result: Result | None = None
    kernels: tuple[Kernel, ...] = ()
    evidence: str = ""  # what its repeat recorded: the lines of runner/records/evidence.py
    late: Result | None = None  # of the case before, again: its child has died since
    files: Mapping[str, str] = field(default_factory=dict)  # with the device: its files (runner/run/inventory.py)

    def to_json(self) -> str:
        """One text: execnet carries only plain types."""
        own = asdict(replace(self, result=None, late=None))  # which have no defaults in their own form
        results = {"result": self.result, "late": self.late}
        return json.dumps(own | {name: result.to_json() if result else None for name, result in results.items()})

    @classmethod
    def parse(cls, text: object, test_id: str) -> CaseReport:
        """The inverse of `to_json`; a board's may be anything. Raises ValueError, also for a report of another case."""
        try:
            data: Mapping[str, Any] = json.loads(text)  # type: ignore[arg-type]  # TypeError, if it is not text
            device = DeviceReport.from_json(plain(data["device"])) if data["device"] is not None else None
            result, late = (Result.from_json(data[name]) if data[name] is not None else None for name in ("result", "late"))
            kernels = tuple(make(Kernel, kernel) for kernel in as_tuple(data["kernels"]))
            own = make(cls, {**data, "device": device, "result": result, "late": late, "kernels": kernels})
        except MALFORMED as error:
            raise ValueError(f"{str(text)[:200]!r} is not a report of a case ({error!r})") from error
        if own.result and own.result.id != test_id:
            raise ValueError(f"a result of {own.result.id[:200]!r} was sent as that of {test_id}")
        if not (own.refusal or own.skipped or own.result):
            raise ValueError(f"{test_id}: a report without a result")
        return own
