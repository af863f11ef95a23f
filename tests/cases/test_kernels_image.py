"""The model of samplers against the formulas of OpenCL C 3.0, 8.2, one coordinate at a time."""

import math
import random
from types import SimpleNamespace

import numpy as np
import pytest
from mutation import SUITES

from runner.check import Mismatch, Unsupported
from runner.image_formats import MINIMUM_FULL, MINIMUM_READ_WRITE, VALID, is_valid
from runner.importing import import_suite_module


def elements_of(s: float, size: int, addressing: str, filtering: str) -> dict[int, float]:
    """Weight by element for a normalized coordinate; -1 and `size` are the border."""
    u = s * size
    if addressing == "repeat":
        u = (s - math.floor(s)) * size
    if addressing == "mirrored_repeat":
        u = abs(s - 2 * round(0.5 * s)) * size  # round halves to even, as rint does
    low = math.floor(u) if filtering == "nearest" else math.floor(u - 0.5)
    part = 0.0 if filtering == "nearest" else u - 0.5 - low
    found: dict[int, float] = {}
    for i, weight in ((low, 1 - part), (low + 1, part)):
        at = {
            "repeat": i % size,
            "mirrored_repeat": min(max(i, 0), size - 1),
            "clamp": min(max(i, -1), size),
            "clamp_to_edge": min(max(i, 0), size - 1),
        }[addressing]
        found[at] = found.get(at, 0.0) + weight
    return found


@pytest.mark.parametrize("filtering", ["nearest", "linear"])
@pytest.mark.parametrize("addressing", ["repeat", "mirrored_repeat", "clamp", "clamp_to_edge"])
def test_the_model_picks_and_weighs_what_the_formulas_do(addressing: str, filtering: str) -> None:
    sampling = import_suite_module(SUITES / "kernels", "image.sampling")
    source = random.Random(1)
    for size in (1, 5, 7):
        for _ in range(200):
            s = (source.randrange(-30 * size, 30 * size) + 0.37) / (10 * size)
            found: dict[int, float] = {}
            for index, weight in sampling.taps(np.array([s * size]), size, addressing, filtering):
                found[int(index[0])] = found.get(int(index[0]), 0.0) + float(weight[0])
            want = elements_of(s, size, addressing, filtering)
            for i in {*found, *want}:
                assert math.isclose(found.get(i, 0.0), want.get(i, 0.0), abs_tol=1e-9), (s, size, found, want)


def test_texels_fill_in_what_a_format_has_not() -> None:
    codec = import_suite_module(SUITES / "kernels", "image.codec")
    table = import_suite_module(SUITES / "kernels", "image.table")
    stored = {
        "r.uint8": ([7], [7, 0, 0, 1]),
        "a.sint8": ([-7], [0, 0, 0, -7]),
        "ra.uint16": ([1, 2], [1, 0, 0, 2]),
        "bgra.uint8": ([1, 2, 3, 4], [3, 2, 1, 4]),
        "argb.uint8": ([1, 2, 3, 4], [2, 3, 4, 1]),
        "luminance.float": ([0.5], [0.5, 0.5, 0.5, 1]),
        "intensity.float": ([0.5], [0.5] * 4),
        "rgba.snorm8": ([-128, -127, 0, 127], [-1, -1, 0, 1]),
        "rgb.unorm101010": ([1023 << 20 | 1023], [1, 0, 1, 1]),
        "rgba.unorm101010_2": ([1023 << 12 | 3], [0, 1, 0, 1]),
        "abgr.unorm2_101010": ([3 << 30 | 1023 << 10], [0, 1, 0, 1]),
        "srgba.unorm8": ([0, 255, 255, 51], [0, 1, 1, 0.2]),
    }
    for name, (memory, want) in stored.items():
        fmt = table.Format.of(name)
        content = np.array([memory], codec.ELEMENTS[fmt.channel])
        assert codec.texels(content, fmt).tolist() == [want], name


def test_the_minimum_lists_hold_valid_formats() -> None:
    assert all(is_valid(name) for name in (*MINIMUM_FULL, *MINIMUM_READ_WRITE))
    assert len(MINIMUM_FULL) == 11
    assert len(MINIMUM_READ_WRITE) == 18
    assert not is_valid("rgb.float")
    assert not is_valid("luminance.sint8")
    assert "depth" in VALID


@pytest.mark.root
@pytest.mark.parametrize(("own", "raised"), [("rgba.unorm8", Unsupported), ("bgra.unorm8", Mismatch)])
def test_an_image_of_an_image_in_its_own_order_may_be_refused(
    own: str, raised: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table of compatible orders (API 3.0, 5.3.1.2) has only pairs of two orders."""
    images, table = (import_suite_module(SUITES / "kernels", name) for name in ("image.images", "image.table"))
    refusal = SimpleNamespace(code=lambda: -39, routine=lambda: "clCreateImage", what=lambda: "")

    class Refused:
        format = images.image_format(table.Format.of(own))

        def __init__(self, *_: object, **__: object) -> None:
            raise images.cl.LogicError(refusal)

    monkeypatch.setattr(images.cl, "Image", Refused)
    parent = Refused.__new__(Refused)
    monkeypatch.setattr(images.cl, "ImageDescriptor", SimpleNamespace)
    with pytest.raises(raised, match=r"own order|CL_INVALID_IMAGE_FORMAT_DESCRIPTOR"):
        images.create(SimpleNamespace(context=None), table.KINDS["2d"], table.Format.of("rgba.unorm8"), buffer=parent)


def test_an_image_that_has_to_be_refused_and_is_made_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    inherited = import_suite_module(SUITES / "kernels", "image.inherited")
    monkeypatch.setattr(inherited, "_HOST", (0,))
    monkeypatch.setattr(inherited.cl, "Buffer", lambda *_, **__: None)
    monkeypatch.setattr(inherited.images, "create", lambda _d, _k, _f, flags, **_: SimpleNamespace(flags=flags or 4))
    monkeypatch.setattr(inherited.images, "write", lambda *_: None)
    monkeypatch.setattr(inherited.images, "whole", lambda _device, _image, content: content)
    device = SimpleNamespace(context=None, rng=np.random.default_rng(0))
    with pytest.raises(Mismatch, match=r"flags 0x1 of memory with 0x4 is refused: got false want true"):
        inherited.check_inherited(device, kind="1d_buffer", format="rgba.uint8", access=3)
