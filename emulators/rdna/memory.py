"""The instructions that access memory, by their names: bytes, their conversion, operations."""

from __future__ import annotations

import re

_TYPES = {  # name: bytes, part
    "U8": (1, "WHOLE"), "I8": (1, "SIGNED"), "U16": (2, "WHOLE"), "I16": (2, "SIGNED"), "B8": (1, "WHOLE"), "B16": (2,
    "WHOLE"),
    "B32": (4, "WHOLE"), "B64": (8, "WHOLE"), "B96": (12, "WHOLE"), "B128": (16, "WHOLE"), "B256": (32, "WHOLE"),
    "B512": (64, "WHOLE"),
    "D16_U8": (1, "LOW_HALF"), "D16_I8": (1, "LOW_SIGNED"), "D16_B16": (2, "LOW_HALF"),
    "D16_HI_U8": (1, "HIGH_HALF"), "D16_HI_I8": (1, "HIGH_SIGNED"), "D16_HI_B16": (2, "HIGH_HALF"), "D16_HI_B8": (1,
    "HIGH_HALF"),
    "U8_D16": (1, "LOW_HALF"), "I8_D16": (1, "LOW_SIGNED"), "U16_D16": (2, "LOW_HALF"), "U8_D16_HI": (1, "HIGH_HALF"),
    "I8_D16_HI": (1, "HIGH_SIGNED"), "U16_D16_HI": (2, "HIGH_HALF"), "B8_D16_HI": (1, "HIGH_HALF"), "B16_D16_HI": (2,
    "HIGH_HALF"),
}  # fmt: skip
_OPERATIONS = {
    "SWAP_B": "SWAP", "STOREXCHG_B": "SWAP", "CMPSWAP_B": "CMPSWAP", "CMPSTORE_B": "CMPSWAP", "CMPSWAP_F": "CMPSWAP_F",
    "CMPSTORE_F": "CMPSWAP_F", "ADD_U": "ADD", "SUB_U": "SUB", "RSUB_U": "RSUB", "CSUB_U": "CSUB", "INC_U": "INC",
    "DEC_U": "DEC",
    "MIN_I": "MIN_I", "MAX_I": "MAX_I", "MIN_U": "MIN_U", "MAX_U": "MAX_U", "AND_B": "AND", "OR_B": "OR", "XOR_B": "XOR",
    "SUB_CLAMP_U": "CSUB", "COND_SUB_U": "COND_SUB", "MIN_NUM_F": "MIN_F", "MAX_NUM_F": "MAX_F",
    "MSKOR_B": "MSKOR", "ADD_F": "ADD_F", "MIN_F": "MIN_F", "MAX_F": "MAX_F",
}  # fmt: skip
_RUNS = {"FLAT": "flat", "GLOBAL": "flat", "SCRATCH": "scratch", "MUBUF": "buffer", "MTBUF": "buffer", "DS": "local"}
_LOCAL = {
    "DS_PERMUTE_B32": "local_permute", "DS_BPERMUTE_B32": "local_permute", "DS_SWIZZLE_B32": "local_swizzle",
    "DS_APPEND": "local_append", "DS_CONSUME": "local_append", "DS_NOP": "nothing",
}  # fmt: skip
_IMAGES = {
    "IMAGE_LOAD": "LOAD, .operation = NO_OPERATION", "IMAGE_LOAD_MIP": "LOAD, .operation = LOAD_MIP",
    "IMAGE_STORE": "STORE, .operation = NO_OPERATION", "IMAGE_STORE_MIP": "STORE, .operation = STORE_MIP",
    "IMAGE_SAMPLE": "LOAD, .operation = SAMPLE", "IMAGE_SAMPLE_L": "LOAD, .operation = SAMPLE_L",
    "IMAGE_SAMPLE_LZ": "LOAD, .operation = SAMPLE_LZ", "IMAGE_SAMPLE_D": "LOAD, .operation = SAMPLE_D",
    "IMAGE_SAMPLE_B": "LOAD, .operation = SAMPLE_B",
}  # fmt: skip
_IMAGE_ATOMICS = {
    "SWAP": "SWAP", "CMPSWAP": "CMPSWAP", "ADD": "ADD", "SUB": "SUB", "SMIN": "MIN_I", "UMIN": "MIN_U", "SMAX": "MAX_I",
    "UMAX": "MAX_U",
    "AND": "AND", "OR": "OR", "XOR": "XOR", "INC": "INC", "DEC": "DEC",
    "ADD_UINT": "ADD", "SUB_UINT": "SUB", "MIN_INT": "MIN_I", "MIN_UINT": "MIN_U",
    "MAX_INT": "MAX_I", "MAX_UINT": "MAX_U", "INC_UINT": "INC", "DEC_UINT": "DEC",
}  # fmt: skip
_NOTHING = (
    "GLOBAL_INV",
    "GLOBAL_WB",
    "GLOBAL_WBINV",
    "BUFFER_GL0_INV",
    "BUFFER_GL1_INV",
    "BUFFER_WBINVL1",
    "BUFFER_WBINVL1_VOL",
)  # caches are not modelled
_UNKNOWN = ".run = run_unknown"


def memory_opcode(form: str, name: str) -> str:
    """The members of an Opcode after its name."""
    if form == "SMEM":
        return _scalar(name)
    if form in ("MIMG", "VSAMPLE"):
        return _image(name)
    if name in _NOTHING:
        return ".run = run_nothing"
    if name in _LOCAL:
        return f".run = run_{_LOCAL[name]}, .flags = RETURNS"
    if found := re.fullmatch(r"T?BUFFER_(LOAD|STORE)_(D16_)?FORMAT_(X|XY|XYZ|XYZW)", name):
        part = "LOW_HALF" if found[2] else "WHOLE"
        return f".run = run_buffer, .access = {found[1]}, .bytes = {len(found[3])}, .part = {part}, .flags = FORMATTED"
    body = name.split("_", 1)[1]
    run = f".run = run_{_RUNS[form]}"
    if found := re.fullmatch(r"(LOAD|STORE)_(2ADDR_)?(STRIDE64_)?(ADDTID_)?(\w+)", body):
        if found[5] not in _TYPES or (found[4] and form != "DS"):
            return _UNKNOWN
        size, part = _TYPES[found[5]]
        named = zip(("TWO_ADDRESSES", "STRIDE64", "ADDRESS_BY_LANE"), found.groups()[1:4], strict=True)
        flags = " | ".join(flag for flag, has in named if has) or "0"
        return f"{run}, .access = {found[1]}, .bytes = {size}, .part = {part}, .flags = {flags}"
    return _atomic(run, body.removeprefix("ATOMIC_"), form)


def _atomic(run: str, body: str, form: str) -> str:
    found = re.fullmatch(r"(\w+?)(_RTN)?_([A-Z])(32|64)", body)
    if not found or f"{found[1]}_{found[3]}" not in _OPERATIONS:
        return _UNKNOWN
    flags = "RETURNS" if found[2] and form == "DS" else "0"
    operation = _OPERATIONS[f"{found[1]}_{found[3]}"]
    return f"{run}, .access = ATOMIC, .bytes = {int(found[4]) // 8}, .operation = {operation}, .flags = {flags}"


def _scalar(name: str) -> str:
    if found := re.fullmatch(r"S_(BUFFER_)?LOAD_(\w+)", name):
        size, part = _TYPES[found[2]]
        return f".run = run_scalar_{'buffer_' if found[1] else ''}load, .access = LOAD, .bytes = {size}, .part = {part}"
    if name in ("S_MEMTIME", "S_MEMREALTIME"):
        return ".run = run_clock, .access = LOAD, .bytes = 8, .part = WHOLE"
    return ".run = run_nothing" if re.search("_(INV|WB)(_VOL)?$", name) or "_PREFETCH_" in name else _UNKNOWN


def _image(name: str) -> str:
    if name == "IMAGE_GET_RESINFO":
        return ".run = run_image_size, .operation = RESINFO"
    if name in _IMAGES:
        return f".run = run_image, .access = {_IMAGES[name]}"
    operation = _IMAGE_ATOMICS.get(name.removeprefix("IMAGE_ATOMIC_"))
    return f".run = run_image, .access = ATOMIC, .bytes = 4, .operation = {operation}" if operation else _UNKNOWN
