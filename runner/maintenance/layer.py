"""The file that the entries of a run belong in."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from runner.expectations.target import ALL, Target, parse_name
from runner.maintenance.evidence import EvidenceRun
from runner.model import FileKind, UsageError


def own_layer(target: Target, paths: Iterable[Path]) -> Target:
    """Where the entries of a target go: as narrow as the narrowest file that applies, and always of its own GPU.

    A release of libclc or tinygrad is part of the name if the driver's own files name one: an entry of `all/` for it is
    about few tests, and mostly not of this run.
    """
    applying = [layer for layer, kind in map(parse_name, paths) if kind != "device" and layer.applies_to(target)]
    own = [layer for layer in applying if layer.driver != ALL]
    return replace(
        target,
        mesa=max((layer.mesa for layer in applying), default=""),
        libclc=max((layer.libclc for layer in own), default=""),
        tinygrad=max((layer.tinygrad for layer in own), default=""),
    )


def other_libclc(layer: Target, run: EvidenceRun, folder: Path, texts: Mapping[Path, str]) -> str:
    """Why a run does not fit the head of the file that it would edit, or "". A file's name rarely has libclc."""
    device = run.record.device
    assert device
    path = folder / layer.path(FileKind.FAILS)
    top = texts.get(path, "").split("\n\n")[0]
    measured = re.findall(r"libclc (\d+)", top)
    if layer.libclc or not measured or device.libclc_version in ("", *measured):
        return ""
    return (
        f"ran with libclc {device.libclc_version}, and {path} was measured with {' and '.join(measured)}; "
        f"give --layer {replace(layer, libclc=device.libclc_version).name}"
    )


def named_layer(name: str, target: Target) -> Target:
    """The layer of --layer. Raises UsageError for one that does not apply to the target, and for all drivers'."""
    layer, _ = parse_name(Path(name.split("-", 1)[0]) / f"{name}-fails.txt")
    if not layer.applies_to(target):
        raise UsageError(
            f"--layer {name}: does not apply to a run of {target.name}; name a layer that does, or leave it out"
        )
    if target.mode == "emulate" and layer.mode != target.mode:
        own = replace(layer, mode=target.mode).name
        raise UsageError(f"--layer {name}: holds for boards too, and these runs are of an emulated GPU; give --layer {own}")
    if layer.driver == ALL:
        raise UsageError(f"--layer {name}: these runs show one driver; what all share is `runner expect factor`'s")
    return layer
