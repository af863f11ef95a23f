"""How an entry of bifrost.py is read: the fields of its encodings, and the options that a field chooses.

An encoding is (mask, value, fields). A field is NAME@BIT, with :SIZE if its size is not that of its vocabulary (and
+BIT:SIZE for a second part), and =OPTION|OPTION... if its options differ; - is a reserved value, for which the word
is not such an instruction. NAME,NAME@BIT chooses two modifiers at once (OPTION.OPTION); the options after > hold if
the number of the first source's port is greater than the second's. NAME=OPTION has no bits.

The kinds of operands, a letter for each source, and the result's after the colon: f, h (float, two halves), u, s (an
unsigned, a signed word), U, S (two halves), B, b (four bytes), w (a word as it is), H (one half of a word, as float),
F (a float without its modifiers), x (u or s, as `extend` says).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

RESERVED = "-"
_BINARY = {name: ("none", option) for name, option in {
    "abs0": "abs", "abs1": "abs", "abs2": "abs", "neg0": "neg", "neg1": "neg", "neg2": "neg", "not1": "not",
    "not_result": "not",
    "log": "log", "sqrt": "sqrt", "saturate": "sat", "mask": "mask", "divzero": "divzero", "offset": "offset",
    "preserve_null": "preserve_null",
}.items()}  # fmt: skip
_ATOMICS = "- - aadd - - - - - asmin asmax aumin aumax aand aor axor -"
# A vocabulary's options by value; the names of the modifiers that it chooses, if they are not its own name.
VOCABULARIES: Mapping[str, tuple[str, ...]] = {
    **_BINARY,
    **{name: tuple(options.split()) for name, options in {
        "atomic": _ATOMICS, "atomic64": "aaddu aadds" + _ATOMICS[3:], "atomic1": "ainc adec aumax1 asmax1 aor1 - - -",
        "clamp": "none clamp_0_inf clamp_m1_1 clamp_0_1", "cmpf": "eq gt ge ne lt le gtlt total", "fill": "none fill",
        "inactive_result": "zero umax i1 v2i1 smin smax v2smin v2smax v4smin v4smax f1 v2f1 infn inf v2infn v2inf",
        "lane0": "h0 h1", "lane1": "h0 h1", "lane2": "b0 b1 b2 b3", "lane3": "b0 b2", "lane_op": "none xor accumulate shift",
        "attribute": " ".join(f"n{n}" for n in range(16)),
        **dict.fromkeys(("texture", "sampler", "number"), "n0 n1 n2 n3 n4 n5 n6 n7"),
        "skip": "none skip", "lod_mode": "computed_lod zero_lod", "table": "attribute_1 attribute_2 none flat",
        "vecsize": "none v2 v3 v4",
        "varying": " ".join(f"n{n}" for n in range(32)), "function": "- - - none - - and or",
        "sample": "center centroid sample explicit retrieve - - - center_if centroid_if center_new centroid_new sample_new"
        " explicit_new - -",
        "register_format": "f16 f32 s32 u32 s16 u16 f64 i64",
        "mux": "neg int_zero fp_zero bit", "result_type": "i1 m1", "truth": "i1 f1 m1 -", "round": "none rtp rtn rtz",
        "round5": "none rtp rtn rtz rtna - - -", "round8": "none rtp rtn rtz rtna - inf inf0",
        "seg": "- none wls stream ubo - - tl", "store_seg": "- none wls stream pos vary - tl",
        "segment": "- - wls - - - - tl",
        "sem": "nan_suppress nan_propagate c inverse_c", "sign0": "zext sext", "sign1": "zext sext",
        "source": "- - - - - - system_timestamp cycle_counter", "subgroup": "subgroup2 subgroup4 subgroup8 subgroup16",
        "swap0": "h01 h10", "swap1": "h01 h10", "swap2": "h01 h10", "swz0": "h00 h10 h01 h11", "swz1": "h00 h10 h01 h11",
        "swz2": "h00 h10 h01 h11", "widen0": "- none h0 h1", "widen1": "- none h0 h1", "extend": "none sext zext -",
        "widen0,widen1": "none.none none.h0 none.h1 h0.h0 h0.h1 h1.h1 h0.none h1.none", "neg0,neg1": "none.none none.neg",
        "abs0,abs1": "none.none abs.none > abs.none abs.abs",
        "scaled_fma": "none.none.none clamp_0_inf.none.none clamp_m1_1.none.none clamp_0_1.none.none none.none.n none.rtz.n"
        " none.none.scale16 none.none.left",
        "scaled_add": "none.none.none - clamp_0_1.none.none none.rtna.n none.none.n none.rtp.n none.rtn.n none.rtz.n",
    }.items()},
}  # fmt: skip
_MEMBERS = {
    **dict.fromkeys(("atomic", "atomic64", "atomic1"), "atom_opc"),
    **dict.fromkeys(("round5", "round8"), "round"),
    **dict.fromkeys(("store_seg", "segment"), "seg"),
    **dict.fromkeys(("scaled_fma", "scaled_add"), "clamp,round,special"),
    "truth": "result_type",
}


@dataclass(frozen=True, slots=True)
class Field:
    """Modifiers, the bits that choose them, and what each value chooses; None if it is reserved."""

    names: tuple[str, ...]
    bits: tuple[tuple[int, int], ...]  # (lowest bit, size), at most two
    options: tuple[tuple[str, ...] | None, ...]
    swapped: tuple[tuple[str, ...] | None, ...] = ()  # if the first source's port is the greater one


class Instruction:
    """One instruction of one unit. `meaning`: an expression, or @ and a function. `staging`: the number of registers that a
    message reads (r), writes (w) or both (rw).
    """

    __slots__ = ("encodings", "kinds", "meaning", "name", "result", "sources", "staging")

    def __init__(
        self, name: str, sources: str, kinds: str, meaning: str, *encodings: tuple[int, int, str], staging: str = ""
    ) -> None:
        self.name, self.meaning, self.encodings, self.staging = name, meaning, encodings, staging
        self.sources = tuple(map(int, sources.split()))
        self.kinds, _, self.result = kinds.partition(":")
        assert len(self.kinds) == len(self.sources), name


def fields(text: str) -> Iterator[Field]:
    """The fields of an encoding."""
    for token in text.split():
        head, equals, own = token.partition("=")
        name, at, bits = head.partition("@")
        names = tuple(_MEMBERS.get(name, name).split(","))
        if not at:
            yield Field(names, (), (tuple(own.split(".")),))
            continue
        places = [place.partition(":") for place in bits.split("+")]
        words = tuple(own.replace(">", "|>|").split("|")) if equals else VOCABULARIES[name]
        end = words.index(">") if ">" in words else len(words)
        plain, swapped = words[:end], words[end + 1 :]
        sizes = [int(size) if size else (len(plain) - 1).bit_length() for _, _, size in places]
        count = 1 << sum(sizes)
        found = tuple((int(bit), size) for (bit, _, _), size in zip(places, sizes, strict=True))
        yield Field(names, found, _options(plain, count), _options(swapped, count) if swapped else ())


def _options(words: tuple[str, ...], count: int) -> tuple[tuple[str, ...] | None, ...]:
    padded = [*words[:count], *[RESERVED] * (count - len(words))]
    return tuple(None if word == RESERVED else tuple(word.split(".")) for word in padded)
