"""ffmpeg: each filter NAME_opencl against the filter NAME of the CPU, on the frames of its own test source."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.check import Mismatch
from runner.device import Device
from runner.model import Case
from runner.program import run_program

from .filters import FILTERS, HEIGHT, WIDTH, Filter
from .home import open_home

_PIXELS = "format=yuv420p"
_SOURCES = (
    f"testsrc2=size={WIDTH}x{HEIGHT}:rate=5:duration=0.6",  # three frames
    f"mandelbrot=size={WIDTH}x{HEIGHT}:rate=5:end_pts=3,trim=duration=0.6",
)


def compare(_: Device, case: Case) -> None:
    """Params: name, of FILTERS."""
    own = FILTERS[case.params["name"]]
    width, height = (HEIGHT, WIDTH) if own.name == "transpose" else (WIDTH, HEIGHT)
    got, want = (split(frames, width, height) for frames in (_frames(own, "_opencl"), _frames(own, "")))
    for plane in got:
        judge(plane, got[plane], want[plane], own)


def _frames(own: Filter, version: str) -> NDArray[np.uint8]:
    """All bytes of all frames that come out of the filter."""
    folder, environment = open_home("ffmpeg")
    target = folder / f"{own.name}{version}.raw"
    target.unlink(missing_ok=True)
    before, after, device = _PIXELS, _PIXELS, []
    if version:
        before, after = f"{_PIXELS},hwupload", f"hwdownload,{_PIXELS}"
        device = ["-init_hw_device", "opencl=ocl:0.0", "-filter_hw_device", "ocl"]
    chains = "".join(f"[{n}:v]{before}[i{n}];" for n in range(own.inputs))
    labels = "".join(f"[i{n}]" for n in range(own.inputs))
    sources = [word for source in _SOURCES[: own.inputs] for word in ("-f", "lavfi", "-i", source)]
    filters = f"{chains}{labels}{own.name}{version}{'=' * bool(own.options)}{own.options}[o];[o]{after}"
    words = ["ffmpeg", "-hide_banner", "-loglevel", "error", *device, *sources, "-filter_complex", filters]
    ended = run_program([*words, "-f", "rawvideo", "-y", str(target)], folder, environment)
    if ended.code:
        raise Mismatch(f"enqueue: {own.name}{version}: exit {ended.code}: {ended.reasons[0][:200]}")
    return np.fromfile(target, np.uint8)


def split(frames: NDArray[np.uint8], width: int, height: int) -> dict[str, NDArray[np.uint8]]:
    """The planes of yuv420p, each (frames, rows, columns)."""
    check.equal("bytes beyond whole frames", frames.size % (width * height * 3 // 2), 0)
    whole = frames.reshape(-1, width * height * 3 // 2)
    luma, chroma = width * height, width * height // 4
    parts = {"Y": (0, luma, 1), "U": (luma, luma + chroma, 2), "V": (luma + chroma, luma + 2 * chroma, 2)}
    return {name: whole[:, a:b].reshape(-1, height // part, width // part) for name, (a, b, part) in parts.items()}


def judge(plane: str, got: NDArray[np.uint8], want: NDArray[np.uint8], own: Filter) -> None:
    """A plane of the frames: each byte, and all of them on average, as near to the CPU's as the filter allows."""
    check.equal(f"shape of {plane}", got.shape, want.shape)
    inner = slice(own.margin, -own.margin or None)
    distance = np.abs(got.astype(np.int16) - want)[:, inner, inner]
    check.true(f"the CPU's {plane} is not of one value", bool(np.ptp(want)))
    check.close(f"largest distance in {plane}", np.max(distance), 0.0, atol=own.largest)
    check.close(f"mean distance in {plane}", np.mean(distance), 0.0, atol=own.mean)
