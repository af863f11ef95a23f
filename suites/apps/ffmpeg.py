"""ffmpeg: each filter NAME_opencl compared with the CPU's filter NAME, on the frames of ffmpeg's own test source."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.check import Mismatch
from runner.device import Device
from runner.program import run_program

from .filters import FILTERS, HEIGHT, WIDTH, Filter
from .home import open_home

Values = NDArray[np.unsignedinteger[Any]]
_SOURCES = (
    f"testsrc2=size={WIDTH}x{HEIGHT}:rate=5:duration=0.6",  # three frames
    f"mandelbrot=size={WIDTH}x{HEIGHT}:rate=5:end_pts=3,trim=duration=0.6",
)
_BLANK = f"nullsrc=size={WIDTH}x{HEIGHT}:rate=5:duration=0.6,format=gray16le"


def check_compare(_: Device, *, name: str) -> None:
    """`name`: a key of FILTERS."""
    own = FILTERS[name]
    part = 2 if own.pixels.startswith("yuv420p") else 1
    got, want = (split(frames, own.width, own.height, part) for frames in (_frames(own, "_opencl"), _frames(own, "")))
    for plane in got:
        judge(plane, got[plane], want[plane], own)


def _frames(own: Filter, version: str) -> Values:
    """All values of all frames that the filter outputs."""
    folder, environment = open_home("ffmpeg")
    target = folder / f"{own.name}{version}.raw"
    target.unlink(missing_ok=True)
    upload, download, device, options = "", "", [], own.options
    if version:
        upload, download = ",hwupload", f"hwdownload,format={own.download}," if own.download else "hwdownload,"
        device = ["-init_hw_device", "opencl=ocl:0.0", "-filter_hw_device", "ocl"]
        options = ":".join(filter(None, (own.options, own.own_options)))
    shown = (own.source,) if own.source else _SOURCES[: own.inputs]
    inputs = [(source, own.upload or own.pixels) for source in shown]
    inputs += [(f"{_BLANK},geq=lum='{formula}'", "gray16le") for formula in own.maps]
    chains = "".join(f"[{n}:v]format={pixels}{upload}[i{n}];" for n, (_, pixels) in enumerate(inputs))
    labels = "".join(f"[i{n}]" for n in range(len(inputs)))
    sources = [word for source, _ in inputs for word in ("-f", "lavfi", "-i", source)]
    chain = f"{own.name}{version}{'=' * bool(options)}{options}" if version or not own.cpu else own.cpu
    filters = f"{chains}{labels}{chain}[o];[o]{download}format={own.pixels}"
    words = ["ffmpeg", "-hide_banner", "-loglevel", "error", *device, *sources, "-filter_complex", filters]
    ended = run_program([*words, "-f", "rawvideo", "-y", str(target)], folder, environment)
    if ended.code:
        raise Mismatch(f"enqueue: {own.name}{version}: exit {ended.code}: {ended.reasons[0][:200]}")
    return np.fromfile(target, "<u2" if own.pixels.endswith("10le") else np.uint8)


def split(frames: Values, width: int, height: int, part: int = 2) -> dict[str, Values]:
    """The planes, each (frames, rows, columns). Those of chroma have 1 / `part` of the width and of the height."""
    luma, chroma = width * height, width * height // part**2
    check.equal("values beyond whole frames", frames.size % (luma + 2 * chroma), 0)
    whole = frames.reshape(-1, luma + 2 * chroma)
    parts = {"Y": (0, luma, 1), "U": (luma, luma + chroma, part), "V": (luma + chroma, luma + 2 * chroma, part)}
    return {name: whole[:, a:b].reshape(-1, height // by, width // by) for name, (a, b, by) in parts.items()}


def judge(plane: str, got: Values, want: Values, own: Filter) -> None:
    """Compare a plane of the frames: each value, and their mean, with the filter's tolerances."""
    check.equal(f"shape of {plane}", got.shape, want.shape)
    inner = slice(own.margin, -own.margin or None)
    distance = np.abs(got.astype(np.int32) - want)[:, inner, inner]
    check.true(f"the CPU's {plane} is not of one value", bool(np.ptp(want)))
    check.close(f"largest distance in {plane}", np.max(distance), 0.0, atol=own.largest)
    check.close(f"mean distance in {plane}", np.mean(distance), 0.0, atol=own.mean)
