"""The catalogue of sharing: a tensor over a buffer of pyopencl, and pyopencl on the buffer of a tensor."""

from collections.abc import Iterator

from runner.model import Case

METHODS = {"from_blob": "tinygrad/interop/*from_blob*"}

FEATURES = {"float16": ("fp16",), "float64": ("fp64",)}
DTYPES = ("float32", "float16", "float64", "int8", "uint16", "int32", "uint64")
PROGRAMS = (
    *("ping_pong", "one_queue", "shorter", "two_tensors", "sub_buffer", "sub_buffers", "host_pointer", "filled"),
    *("copied", "mapped", "replayed", "tensor_dies", "buffer_dies", "not_given_out", "result", "view_of_tensor"),
    *("refused.from_blob", "refused.offset", "refused.context", "refused.context_write"),
)
# tinygrad documents these only for its QCOM back end: memory of the host, and of Qualcomm's own OpenCL, without a copy.
QCOM = {
    "from_blob.read": ("qcom",),
    "from_blob.written": ("qcom",),
    "from_blob.offset": ("qcom",),
    "image": ("qcom",),
    "from_blob.opencl": ("qcom", "qualcomm_opencl"),
}


def cases() -> Iterator[Case]:
    """Every case of the family."""
    for dtype in DTYPES:
        for way in ("to_tensor", "from_tensor"):
            params = {"dtype": dtype}
            requires = ("execute", *FEATURES.get(dtype, ()))
            yield Case(f"tinygrad/interop/{way}.{dtype}", f"interop.{way}", params, requires)
    for name in PROGRAMS:
        yield Case(f"tinygrad/interop/{name}", "interop.program", {"what": name}, ("execute",))
    for name, requires in QCOM.items():
        yield Case(f"tinygrad/interop/qcom.{name}", "interop.qcom", {"what": name}, requires)
