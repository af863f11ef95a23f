"""How each driver's compiler prints the statistics of a kernel, and how they are read: pure, a table.

The lines are those that the drivers print for the variables in drivers.yaml (`statistics`), as seen on Mesa 25.0.7
and 26.2. Names carry their unit where it is not a count. A metric is better where it is smaller, but for MORE.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

# Of these a kernel is the better, the more it has.
MORE = frozenset({"max_waves", "threads", "work_group_items"})
Block = tuple[str, dict[str, float]]  # a variant and its metrics


@dataclass(frozen=True, slots=True)
class ListingFormat:
    """How one compiler prints.

    `line` finds a line of statistics, with its text in the group `words` and the variant, where the compiler has
    such, in `variant`; `word` finds in it each `value` with its `label`, which may be several with colons between;
    `metrics` names what is kept. A kernel's statistics may stand on several lines: a label that comes again begins
    the next kernel. `counts` are metrics that are made of the disassembly above the statistics: how many lines of
    it match, or the number in the group `times`.
    """

    line: re.Pattern[str]
    word: re.Pattern[str]
    metrics: Mapping[str, str]
    counts: Mapping[str, re.Pattern[str]] = field(default_factory=dict)


# "41 instr, 18 nops", "8:16 spills:fills, 42 preamble inst"
_COUNTED = re.compile(r"(?P<value>\d[\d.]*(?::\d+)*) (?P<label>[^\d\s][^,]*?)\s*(?:,|$)")
# "VGPRS: 16", "Code Size: 220 bytes"
_NAMED = re.compile(r"(?P<label>.+?): (?P<value>\d+)")

COMPILERS: Mapping[str, ListingFormat] = {
    "ir3": ListingFormat(
        re.compile(r"; CL prog \d+/\d+: (?P<words>.+)"),
        _COUNTED,
        {
            "instr": "instructions",
            "nops": "nops",
            "dwords": "code_dwords",
            "half": "half_registers",
            "full": "full_registers",
            "constlen": "constants_vec4",
            "sstall": "sstall_cycles",
            "systall": "systall_cycles",
            "(ss)": "ss_syncs",
            "(sy)": "sy_syncs",
            "loops": "loops",
            "max_waves": "max_waves",
        },
        # Spills are among them, and what private arrays take; ir3 does not print them apart.
        {"private_stores": re.compile(r"\bstp\."), "private_loads": re.compile(r"\bldp\.")},
    ),
    "agx": ListingFormat(
        re.compile(r"^CS shader: (?P<words>.+)"),
        _COUNTED,
        {
            "instrs": "instructions",
            "alu": "alu_cycles",
            "fscib": "fscib_cycles",
            "ic": "ic_cycles",
            "code size": "code_bytes",
            "gprs": "registers",
            "uniforms": "uniforms",
            "scratch": "scratch_bytes",
            "threads": "threads",
            "loops": "loops",
            "spills": "spills",
            "fills": "fills",
            "preamble inst": "preamble_instructions",
        },
    ),
    "brw": ListingFormat(
        re.compile(r"^(?P<variant>SIMD\d+) shader: (?P<words>.+)"),
        re.compile(r"(?P<value>\d+(?::\d+)*) (?P<label>[a-z:]+)"),  # "Compacted 1232 to 1040 bytes (16%)"
        {
            "instructions": "instructions",
            "loops": "loops",
            "cycles": "cycles",
            "spills": "spills",
            "fills": "fills",
            "sends": "sends",
            "bytes": "code_bytes",
        },
    ),
    "panfrost": ListingFormat(  # Bifrost, Valhall and Midgard
        re.compile(r"MESA_SHADER_\w+ shader: (?P<words>\d.+)"),
        _COUNTED,
        {
            "inst": "instructions",
            "tuples": "tuples",
            "clauses": "clauses",
            "cycles": "cycles",
            "arith": "arithmetic_cycles",
            "texture": "texture_cycles",
            "ldst": "load_store_cycles",
            "fma": "fma_cycles",
            "cvt": "cvt_cycles",
            "sfu": "sfu_cycles",
            "t": "texture_cycles",
            "ls": "load_store_cycles",
            "bundles": "bundles",
            "quadwords": "code_quadwords",
            "registers": "registers",
            "threads": "threads",
            "loops": "loops",
            "spills": "spills",
            "fills": "fills",
        },
    ),
    "v3d": ListingFormat(
        re.compile(r"MESA_SHADER_\w+ shader: (?P<words>\d.+)"),
        _COUNTED,
        {
            "inst": "instructions",
            "threads": "threads",
            "loops": "loops",
            "uniforms": "uniforms",
            "max-temps": "registers",
            "spills": "spills",
            "fills": "fills",
            "sfu-stalls": "sfu_stalls",
            "nops": "nops",
        },
    ),
    "radeonsi": ListingFormat(
        re.compile(
            r"^(?P<words>(?:SGPRS|VGPRS|Spilled [SV]GPRs|Private memory VGPRs|Code Size|LDS|Scratch|"
            r"Max Waves): \d.*)"
        ),
        _NAMED,
        {
            "SGPRS": "sgprs",
            "VGPRS": "vgprs",
            "Spilled SGPRs": "spilled_sgprs",
            "Spilled VGPRs": "spilled_vgprs",
            "Private memory VGPRs": "private_vgprs",
            "Code Size": "code_bytes",
            "LDS": "lds_bytes",
            "Scratch": "scratch_bytes_per_wave",
            "Max Waves": "max_waves",
        },
        # ACO and LLVM alike; ACO writes the second and later of equal instructions as one line.
        {"instructions": re.compile(r"^\t\S.*; [0-9a-fA-F]{8}\b|^\t\(then repeated (?P<times>\d+) times\)")},
    ),
}


def parse(lines: Iterable[str], compilers: Sequence[str]) -> list[Block]:
    """The variant and the metrics of each kernel of a listing, in the order in which they were printed."""
    found: list[Block] = []
    tables = [COMPILERS[name] for name in compilers]
    counts = {metric: 0 for table in tables for metric in table.counts}
    for line in lines:
        for table in tables:
            match = table.line.search(line)
            if match:
                values = dict(_values(table, match["words"]))
                variant = match.groupdict().get("variant") or ""
                if not found or found[-1][0] != variant or values.keys() & found[-1][1].keys():
                    # Every kernel has instructions: where none was counted, none was listed.
                    counted = {m: counts.pop(m) for m in table.counts}
                    found.append((variant, {m: n for m, n in counted.items() if n or m != "instructions"}))
                    counts |= dict.fromkeys(table.counts, 0)
                found[-1][1].update(values)
                break
            for metric, pattern in table.counts.items():
                if match := pattern.search(line):
                    counts[metric] += int(match.groupdict().get("times") or 1)
    return found


def _values(table: ListingFormat, words: str) -> Iterator[tuple[str, float]]:
    for word in table.word.finditer(words):
        for label, value in zip(word["label"].split(":"), word["value"].split(":"), strict=False):
            if metric := table.metrics.get(label):
                yield metric, float(value) if "." in value else int(value)
