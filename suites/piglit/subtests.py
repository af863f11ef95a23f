"""The subtests that piglit's own programs report: they show them only when they run, and cases must be known before.

The list is that of the packages of trixie (2025-04) and bookworm (2022-01). A subtest that an installation lacks is a
Skip; one that this list lacks counts only for its test.
"""

_FLAGS = ("0x0", "0x8", "0x20", "0x10", "0x30")  # of clCreateBuffer, before the kernel and after it
_VERSIONS = (("1.0", "1.1"), ("1.1", "1.1"), ("1.2", "1.2"), ("2.0", "2.0"), ("3.0", "3.0"))  # and the version defining it
_INFO = "TYPE FLAGS SIZE HOST_PTR MAP_COUNT REFERENCE_COUNT CONTEXT ASSOCIATED_MEMOBJECT OFFSET USES_SVM_POINTER"
_ARGUMENTS = ("buffer", "scalar", "array", "sampler", "cl_int3", "struct", "buffer which is NULL")

SUBTESTS: dict[str, tuple[str, ...]] = {  # by program
    "cl-api-get-mem-object-info": tuple(f"CL_MEM_{word}" for word in _INFO.split()),
    "cl-api-set-kernel-arg": (*(f"Set kernel argument for {what}" for what in _ARGUMENTS), "Input checks"),
    "cl-custom-buffer-flags": tuple(f"in-{before}-out-{behind}" for before in _FLAGS for behind in _FLAGS),
    "cl-program-predefined-macros": (
        *("__FILE__ must be defined", "__LINE__ must be defined"),
        *("__OPENCL_VERSION__ must be defined", "__OPENCL_VERSION__ must be consistent with host"),
        "__OPENCL_C_VERSION__ must be defined for OpenCL 1.2 and later",
        "__OPENCL_C_VERSION__ must be consistent with host (if defined)",
        *(f"CL_VERSION_{v.replace('.', '_')} must be defined for OpenCL {since} and later" for v, since in _VERSIONS),
        *(f"CL_VERSION_{v.replace('.', '_')} must be {v.replace('.', '')}0 if defined" for v, _ in _VERSIONS),
        *("__ENDIAN_LITTLE__ must be consistent with host", "__ENDIAN_LITTLE__ must be 1 if defined"),
        *("__IMAGE_SUPPORT__ must be consistent with host", "__IMAGE_SUPPORT__ must be 1 if defined"),
    ),
}
