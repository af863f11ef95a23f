"""darktable's modules on an image made here: by OpenCL, and by darktable's own CPU path."""

import re
import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.check import Mismatch, Unsupported
from runner.device import Device
from runner.program import run_program

from .home import open_home
from .negative import PATTERNS, write_dng

HEIGHT, WIDTH = 88, 120  # px
# By default darktable uses only the implementations of GPU vendors, and no device that reports itself as a CPU.
_DEVICE = {"RUSTICL_DEVICE_TYPE": "gpu"}
_OVEREXPOSED = 1.3  # a raw image is overexposed: it needs highlights to reconstruct
_SETTINGS = (
    "clplatform_rusticl=TRUE",
    "clplatform_other=TRUE",
    "write_sidecar_files=never",
    # With bicubic, the default, liquify's kernel gets a table for 0.5, and the CPU path's filter is that of -0.5.
    "plugins/lighttable/export/pixel_interpolator_warp=lanczos3",
)
_RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
_HISTORY = f"""<?xml version="1.0" encoding="UTF-8"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF {_RDF}>
<rdf:Description rdf:about="" xmlns:darktable="http://darktable.sf.net/" darktable:xmp_version="5"
 darktable:auto_presets_applied="1" darktable:history_end="1" darktable:iop_order_version="4">
<darktable:history><rdf:Seq><rdf:li darktable:num="0" darktable:operation="{{module}}" darktable:enabled="1"
 darktable:modversion="{{version}}" darktable:params="{{params}}" darktable:multi_name="" darktable:multi_priority="0"/>
</rdf:Seq></darktable:history></rdf:Description></rdf:RDF></x:xmpmeta>
"""


def check_compare(
    device: Device,
    *,
    module: str,
    source: str,
    version: int,
    margin: int,
    largest: float,
    few: float,
    settings: Sequence[float],
) -> None:
    """`source`: of the image, "pfm" or the pattern of a raw one; `version`, `settings`: of the module's parameters.

    `margin`, `largest`, `few`: those of `judge`.
    """
    folder, environment = open_home("darktable")
    picture, history = folder / f"{source}.{'dng' if source in PATTERNS else source}", folder / f"{module}.xmp"
    image = make_image()
    if source in PATTERNS:
        write_dng(picture, image * _OVEREXPOSED, source)
    else:
        write_pfm(picture, image)
    history.write_text(_HISTORY.format(module=module, version=version, params=pack_settings(settings)), encoding="utf-8")
    words = ["darktable-cli", str(picture), str(history)]
    core = ["--apply-custom-presets", "0", "--icc-type", "LIN_REC2020", "--core", "--library", ":memory:"]
    core += ["--configdir", str(folder), "--cachedir", str(folder), "-d", "opencl", "-d", "perf"]
    core += [word for setting in _SETTINGS for word in ("--conf", setting)]
    results = []
    for own in ([], ["--disable-opencl"]):
        target = folder / f"{module}{len(own)}.pfm"
        target.unlink(missing_ok=True)
        ended = run_program([*words, str(target), *core, *own], folder, environment | _DEVICE)
        if not own:
            require_device(ended.output, module, device.device.name)
        if ended.code or not target.is_file():
            raise Mismatch(f"enqueue: exit {ended.code}: {ended.reasons[-1][:200]}")
        results.append(read_pfm(target))
    judge(results[0], results[1], margin, largest, few)


def require_device(output: str, module: str, name: str) -> None:
    """Require that darktable took the device and ran the module there: it falls back to the CPU without an error.

    It also ignores a device for which one of its files does not compile; that is not a Skip.
    """
    if refused := re.search(r"failed to compile program [`'](.*?)'", output):
        raise Mismatch(f"build: darktable does not take the device: it does not compile {refused[1]}")
    if "is AVAILABLE and ENABLED" not in output:
        raise Unsupported("darktable takes no CPU for an OpenCL device")
    check.true(f"darktable took {name}", f"'{name}'" in output, stage="api")
    places = re.findall(rf"processed `{module}' on (\w+)", output)
    check.true(f"{module} ran", bool(places))
    if places[0] != "GPU":
        reasons = [line.strip() for line in output.splitlines() if re.search(r"could not|couldn't|fail|error", line)]
        raise Mismatch(f"enqueue: {module} ran on the CPU: {re.sub(r'^[0-9. ]+', '', (reasons or ['no reason'])[0])[:200]}")


def judge(got: NDArray[np.float32], want: NDArray[np.float32], margin: int, largest: float, few: float) -> None:
    """Images (rows, columns, 3), in which 1 is white; `margin` pixels at the edges are not compared.

    `largest` is the largest error of a value, and `few` the share of the values that may exceed it.
    """
    check.equal("shape", got.shape, want.shape)
    check.true("the CPU's image is not of one value", bool(np.ptp(want)))
    inner = slice(margin, -margin or None)
    got, want = got[inner, inner], want[inner, inner]
    if few:
        distance = np.quantile(np.abs(got - want), 1 - few)
        check.close(f"the distance from the CPU's that a share of {few} exceeds", distance, 0.0, atol=largest)
    else:
        check.close("distance from the CPU's", got, want, atol=largest)


def pack_settings(settings: Sequence[float]) -> str:
    """A module's parameters as in an XMP file: the bytes of its structure in hexadecimal, 4 bytes for each."""
    return struct.pack("<" + "".join("i" if isinstance(one, int) else "f" for one in settings), *settings).hex()


def make_image() -> NDArray[np.float32]:
    """Blobs of three sizes and three colours, (HEIGHT, WIDTH, 3) from 0.05 to 0.95."""
    rng = np.random.default_rng(5)
    y, x = np.fft.fftfreq(HEIGHT)[:, None], np.fft.rfftfreq(WIDTH)[None]
    planes = []
    for _ in range(3):
        noise = (np.fft.rfft2(rng.standard_normal((HEIGHT, WIDTH))) for _ in range(3))
        blurs = (size * np.exp(-2 * (np.pi * size) ** 2 * (x**2 + y**2)) for size in (1, 3, 8))
        planes.append(np.fft.irfft2(sum(a * b for a, b in zip(noise, blurs, strict=True)), (HEIGHT, WIDTH)))
    image = np.stack(planes, -1)
    return ((image - image.min()) / np.ptp(image) * 0.9 + 0.05).astype(np.float32)


def write_pfm(path: Path, image: NDArray[np.float32]) -> None:
    """A portable float map: three floats for each pixel, the last row first."""
    height, width, _ = image.shape
    path.write_bytes(f"PF\n{width} {height}\n-1.0\n".encode() + image[::-1].astype("<f4").tobytes())


def read_pfm(path: Path) -> NDArray[np.float32]:
    """The image in a file of `write_pfm`."""
    _, size, _, data = path.read_bytes().split(b"\n", 3)
    width, height = (int(word) for word in size.split())
    return np.frombuffer(data, "<f4").reshape(height, width, 3)[::-1]
