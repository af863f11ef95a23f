"""Measurements as a table (text, Markdown) or JSON, and what changed since an earlier JSON.

A record is {"bench": name, "begun": time, "size": word, "options": [option]}; an option {"name", "absent" or
"failed" (why there is nothing else), "identity": {name: text}, "others_cores": what other programs used of the
machine, "measures": [{"name", "unit", "samples"[, "error"]}], ...}. Of an emulated device it has no measures, but
"checked": [{"name"[, "error"]}] and "emulated", what its emulator counted.
"""

import json
import re
from collections.abc import Mapping, Sequence
from statistics import median, quantiles
from typing import Any

from runner.output import markdown
from runner.records.emulated import Totals, say
from runner.shapes import fits

# Below it, of the samples, two sets could lie apart by chance; of 5 and 5 one pair in 126 does.
MIN_SAMPLES = 5
# The largest relative error of a result that still counts as right: a sum of half has 1e-3.
WRONG = 0.01
_IDLE_CORES = 0.1  # what an idle machine may do besides
_LESS_IS_BETTER = ("ms", "us", "s", "MiB", "cores")


def without_times(option: Mapping[str, Any], totals: Totals) -> dict[str, Any]:
    """An emulated device's answer: what it ran, and whether that was right. Its time would only measure the emulator."""
    if "measures" not in option:
        return dict(option)
    checked = [{name: m[name] for name in ("name", "error") if name in m} for m in option["measures"]]
    return {**{k: v for k, v in option.items() if k != "measures"}, "checked": checked, "emulated": totals}


def parse(data: Any) -> dict[str, Any]:
    """A record as `compare` reads it, from plain JSON data. Raises ValueError for anything else."""
    for option in data["options"]:
        own = {"name": option["name"], "identity": option.get("identity", {})}
        if not (fits(own["name"], str) and fits(own["identity"], Mapping[str, str | int | float])):
            raise ValueError(f"{str(own)[:100]} is not an option")
        for measure in option.get("measures", ()):
            samples = tuple(measure["samples"])
            words = (measure["name"], measure["unit"])
            if not (samples and fits(samples, tuple[float, ...]) and fits(words, tuple[str, ...])):
                raise ValueError(f"{str(measure)[:100]} is not a measure")
    found: dict[str, Any] = data
    return found


def spread(samples: Sequence[float]) -> tuple[float, float]:
    """The quartiles; the ends if there are fewer than four samples."""
    if len(samples) < 4:
        return min(samples), max(samples)
    low, _, high = quantiles(samples, n=4, method="inclusive")
    return low, high


def write(record: Mapping[str, Any], form: str) -> str:
    """The record as text, markdown or json."""
    if form == "json":
        return json.dumps(record, indent=1)
    rows = _gpt2(record) if record["bench"] == "gpt2" else _ops(record)
    notes = _notes(record)
    if form == "markdown":
        return "\n".join([markdown.table(rows, "---:"), "", *(f"- {note}" for note in notes)])
    return "\n".join([*markdown.columns(rows), "", *notes])


def comparable(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """Why two records cannot be compared, or ""."""
    for name in ("bench", "size"):
        if old.get(name) != new[name]:
            return f"a record of {name} {old.get(name)}, not {new[name]}"
    return ""


def compare(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """The ratios new / old of what changed beyond noise, then one line on the rest.

    A change is beyond noise if no sample of one run lies among those of the other.
    """
    before = {
        (option["name"], measure["name"], measure["unit"]): measure["samples"]
        for option in old["options"]
        for measure in option.get("measures", ())
    }
    lines, same, single, alone = [], 0, 0, []
    for option in new["options"]:
        for measure in option.get("measures", ()):
            name, samples = f"{option['name']}: {measure['name']}", measure["samples"]
            old_samples = before.pop((option["name"], measure["name"], measure["unit"]), None)
            if old_samples is None:
                alone.append(f"{name}: not in the old run")
            elif min(len(old_samples), len(samples)) < MIN_SAMPLES:
                single += 1
            elif min(samples) > max(old_samples) or max(samples) < min(old_samples):
                ratio = median(samples) / median(old_samples)
                better = (ratio < 1) == (measure["unit"] in _LESS_IS_BETTER)
                lines.append(
                    f"{name}: x {ratio:.2f} ({'better' if better else 'worse'}): {_number(median(old_samples))} "
                    f"to {_number(median(samples))} {measure['unit']}"
                )
            else:
                same += 1
    alone += [f"{option}: {name}: not in the new run" for option, name, _ in before]
    lines.append(f"{same} within noise, {single} of too few samples to tell")
    changed = [
        f"{a['name']}: {key}: {a['identity'][key]} then, {b['identity'].get(key)} now"
        for a in old["options"]
        for b in new["options"]
        if a["name"] == b["name"] and "identity" in a and "identity" in b
        for key in a["identity"]
        if a["identity"][key] != b["identity"].get(key)
    ]
    return [*changed, *lines, *alone]


def _gpt2(record: Mapping[str, Any]) -> list[list[str]]:
    head = ["option", "ms per token", "(quartiles)", "CPU load", "peak memory", "tokens/s", "load", "first token"]
    rows = [head]
    for option in record["options"]:
        if "emulated" in option:
            rows.append([option["name"], "no speed", *["-"] * (len(head) - 2)])
            continue
        if "measures" not in option:
            rows.append([option["name"], *["-"] * (len(head) - 1)])
            continue
        by_name = {measure["name"]: measure["samples"] for measure in option["measures"]}
        one = {name: median(samples) for name, samples in by_name.items()}
        low, high = spread(by_name["time per token"])
        rows.append(
            [
                option["name"],
                _number(one["time per token"]),
                f"{_number(low)} to {_number(high)}",
                f"{option['cores']} x {100 * one['CPU load'] / option['cores']:.0f} %",
                f"{one['peak memory']:.0f} MiB",
                _number(one["tokens per second"]),
                f"{one['load']:.2f} s",
                f"{one['first token']:.2f} s",
            ]
        )
    return rows


def _ops(record: Mapping[str, Any]) -> list[list[str]]:
    options = [option for option in record["options"] if "measures" in option]
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for option in options:
        for measure in option["measures"]:
            low, high = spread(measure["samples"])
            cell = f"{_number(median(measure['samples']))} ({_number(low)} to {_number(high)})"
            cells.setdefault((measure["name"], measure["unit"]), {})[option["name"]] = cell
    names = [option["name"] for option in options]
    return [
        ["operation", "unit", *names],
        *([name, unit, *(row.get(option, "-") for option in names)] for (name, unit), row in cells.items()),
    ]


def _notes(record: Mapping[str, Any]) -> list[str]:
    """The identity of each option, and doubts about its numbers."""
    notes = []
    for option in record["options"]:
        if why := option.get("absent"):
            notes.append(f"{option['name']}: not here: {why}")
        elif why := option.get("failed"):
            notes.append(f"{option['name']}: failed: {why}")
        else:
            words = option["identity"]
            version = f", driver {words['driver_version']}, LLVM {words['llvm']}" if "llvm" in words else ""
            notes.append(f"{option['name']}: {words['device']}{version}, tinygrad {words['tinygrad']}")
            if "emulated" in option:
                ran = f"{len(option['checked'])} measures" if record["bench"] == "ops" else "the model"
                counted = say(option["emulated"])
                notes.append(f"{option['name']}: EMULATED by {words['emulator']}, which has no speed: ran {ran}; {counted}")
            elif option["others_cores"] > _IDLE_CORES:
                notes.append(
                    f"{option['name']}: NOT ALONE: other programs kept {option['others_cores']:.1f} of "
                    f"{words['cores']} cores busy meanwhile"
                )
            notes += [
                f"{option['name']}: WRONG RESULT of {m['name']}: off by {m['error']:.1g} of it"
                for m in option.get("measures", option.get("checked", ()))
                if not m.get("error", 0) < WRONG  # NaN too
            ]
    measured = [option for option in record["options"] if "ids" in option]
    notes += [
        f"{option['name']}: OTHER TOKENS than {measured[0]['name']}: {option['ids']}, not {measured[0]['ids']}"
        for option in measured
        if option["ids"] != measured[0]["ids"]
    ]
    return notes


def _number(value: float) -> str:
    """Three digits."""
    text = f"{value:.3g}"
    return f"{value:.0f}" if re.search("e", text) and abs(value) >= 1 else text
