"""The cases of this project that correspond to a sub-test of the CTS: the rows of `kernels` name its program's folder.

If any row's glob contains the sub-test's words, only such rows count: `math_brute_force` and `sin` are
kernels/math/*/sin. Sub-tests that no row names have a rule here.
"""

import re
from collections.abc import Callable, Collection, Sequence

Select = Callable[[str], Sequence[str]]
# A regex for FOLDER/SUB-TEST, and globs of this project's cases, in which \1 is the first group of the regex.
RULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"math_brute_force/math_edge_cases", ("kernels/math/edge/*",)),
    (
        r"math_brute_force/(add|subtract|multiply|divide)\w*",
        ("kernels/math/*/add*", "kernels/math/*/sub*", "kernels/math/*/mul*", "kernels/math/*/div*"),
    ),
    (r"math_brute_force/assignment", ("kernels/conversion/implicit/*", "kernels/vector/memory*")),
    (r"math_brute_force/not", ("kernels/programs/float_logic/*", "kernels/half/operator/not*")),
    (
        r"math_brute_force/(\w+?)(?:_cr)?",
        (r"kernels/math/*/\1", r"kernels/math/*/\1.*", r"kernels/relational/\1.*", r"kernels/common/\1.*"),
    ),
    (r"conversions/(\w+)_(\w+)", (r"kernels/conversion/convert/\1.\2", r"kernels/link/convert/\1.\2")),
    (r"commonfns/(\w+?)f?(?:_scalar_bounds)?", (r"kernels/common/\1.*", r"kernels/math/*/\1")),
    (r"geometrics/geom_(\w+)", (r"kernels/common/geometric/\1.*",)),
    (r"relationals/relational_(select)_\w+", (r"kernels/relational/\1.*",)),
    (r"relationals/relational_(\w+)", (r"kernels/relational/\1.*",)),
    (r"relationals/shuffle\w+", ("kernels/vload/shuffle*",)),
    (r"select/select_(\w+)_(\w+)", (r"kernels/relational/select.\1*",)),
    (
        r"integer_ops/(?:quick_)?u?\w+_math",
        (
            "kernels/integer/add.*",
            "kernels/integer/sub.*",
            "kernels/integer/mul.*",
            "kernels/integer/divide*",
            "kernels/integer/modulo.*",
        ),
    ),
    (r"integer_ops/(?:quick_)?\w+_logic", ("kernels/integer/bitwise.*", "kernels/integer/logical.*")),
    (r"integer_ops/(?:quick_)?\w+_shift", ("kernels/integer/shift_*",)),
    (r"integer_ops/(?:quick_)?\w+_compare", ("kernels/integer/compare.*",)),
    (r"integer_ops/extended_bit_ops_\w+", ("kernels/integer/bit*",)),
    (r"integer_ops/integer_dot_product", ("kernels/integer/dot*",)),
    (r"integer_ops/integer_(\w+)", (r"kernels/integer/\1.*",)),
    (r"integer_ops/unary_ops_\w+", ("kernels/integer/unary.*", "kernels/integer/step.*")),
    (r"half/(v\w+_half(?:_rt[eznp])?)", (r"kernels/half/\1*",)),
    (r"half/roundTrip", ("kernels/half/vload_half*", "kernels/half/vstore_half*")),
    (r"atomics/atomic_(add|sub|xchg|min|max|inc|dec|cmpxchg|and|or|xor)", (r"kernels/atomic/*/\1.*",)),
    (r"c11_atomics/(?:svm_)?atomic_fetch_(\w+?)2?", (r"kernels/c11atomic/fetch/*\1*", "kernels/c11atomic/fetch/*")),
    (r"c11_atomics/(?:svm_)?atomic_(?:compare_exchange\w*)", ("kernels/c11atomic/exchange_if/*",)),
    (
        r"c11_atomics/(?:svm_)?atomic_(?:store|load|init|exchange)",
        ("kernels/c11atomic/load_store/*", "kernels/c11atomic/fetch/*"),
    ),
    (r"c11_atomics/(?:svm_)?atomic_flag", ("kernels/c11atomic/flag/*",)),
    (r"c11_atomics/.*", ("kernels/c11atomic/litmus/*", "kernels/c11atomic/order/*")),
    (r"workgroups/work_group_(all|any|broadcast|reduce|scan)\w*", ("kernels/workgroup/collective/*",)),
    (
        r"subgroups/\w*core",
        ("kernels/subgroup/core/*", "kernels/subgroup/ids*", "kernels/subgroup/size*", "kernels/subgroup/barrier*"),
    ),
    (r"subgroups/.*", ("kernels/subgroup/*",)),
    (r"basic/fpmath", ("kernels/math/float/add", "kernels/math/float/mul", "kernels/math/float/sub", "kernels/math/half/*")),
    (r"basic/intmath_\w+", ("kernels/integer/add.*", "kernels/integer/mul.*", "kernels/integer/divide.*")),
    (r"basic/(?:int2fp|fp2int)", ("kernels/conversion/convert/*.int", "kernels/conversion/convert/int*.float")),
    (r"basic/(?:constant|constant_source)", ("kernels/address/constant/*", "kernels/address/table/*")),
    (r"basic/parameter_types", ("kernels/argument/value.*",)),
    (r"basic/createkernelsinprogram", ("kernels/api/*/clCreateKernelsInProgram*", "kernels/program/kernel.*")),
    (r"basic/(?:astype)", ("kernels/conversion/as/*",)),
    (r"basic/async_.*|basic/prefetch", ("kernels/workgroup/async/*",)),
    (r"basic/(?:wg_)?barrier", ("kernels/workgroup/barrier/*",)),
    (r"basic/vload_.*", ("kernels/vload/load.*",)),
    (r"basic/vstore_.*", ("kernels/vload/store.*",)),
    (r"basic/vec_type_hint", ("kernels/argument/kernel_info.attributes.*",)),
    (r"basic/(?:vector_creation|vector_swizzle|hiloeo|explicit_s2v)", ("kernels/vector/*",)),
    (
        r"basic/(?:get_linear_ids|global_linear_id|global_work_offsets|get_global_offset|enqueued_local_size|work_item_functions\w*|work_item_functions)",
        ("kernels/ndrange/*",),
    ),
    (
        r"basic/(?:local_\w+|hostptr|\w*readwrite\w*|arraycopy|enqueue_map_\w+|\w*rect|map\w*)",
        ("kernels/memory/*", "kernels/workgroup/layout/*"),
    ),
    (r"basic/\w*image\w*|basic/(?:readimage|writeimage)\w*", ("kernels/image/*",)),
    (r"basic/progvar_\w+", ("kernels/address/writable/*",)),
    (r"basic/(?:sizeof|kernel_memory_alignment_\w+|vector_alignment)", ("kernels/layout/*",)),
    (r"basic/(?:if|loop|nested\w*|switch)", ("kernels/random/*", "kernels/control/*")),
    (r"basic/kernel_preprocessor_macros|basic/kernel_\w*macros", ("kernels/preprocessor/predefined/*",)),
    (r"generic_address_space/.*", ("kernels/address/generic/*",)),
    (r"thread_dimensions/.*|non_uniform_work_group/.*", ("kernels/ndrange/*",)),
    (r"mem_host_flags/\w+_image", ("kernels/image/host_access*", "kernels/memory/buffer/access.*")),
    (r"mem_host_flags/.*", ("kernels/memory/buffer/access.*",)),
    (r"multiple_device_context/.*", ("kernels/context/*", "kernels/thread/*")),
    (r"allocations/.*", ("kernels/stress/*",)),
    (r"device_partition/.*", ("kernels/api/platform/clCreateSubDevices*",)),
    (r"device_timer/.*", ("kernels/query/timer/*", "kernels/event/time/*")),
    (r"SVM/.*", ("kernels/svm/*",)),
    (r"printf/vector", ("kernels/printf/vector.*", "kernels/printf/*vector*")),
    (r"contractions/.*", ("kernels/math/contract/*",)),
    (r"extensions/cl_ext_buffer_device_address/.*", ("kernels/extension/address/*",)),
    (r"extensions/cl_khr_semaphore/.*", ("kernels/extension/semaphore/*",)),
    (r"extensions/cl_khr_kernel_clock/.*", ("kernels/extension/clock/*",)),
    (r"(?:extensions/.*|gl|gles|vulkan|d3d1\d|spir)/.*", ()),  # no driver of Rusticl supports what they need
)


def counterparts(
    folder: str, name: str, select: Select, functions: Collection[str], rows: Collection[tuple[str, str]]
) -> tuple[str, ...] | None:
    """This project's globs for a sub-test of the program in `folder`; () if Rusticl lacks what it needs, None if none fits.

    `select` returns the ids that a glob selects, `functions` are the API functions that cases are named after, and `rows`
    are (glob, folder) of this project's coverage: all rows of a folder, unless a rule or a function's name is more specific.
    """
    for pattern, globs in RULES:
        if found := re.fullmatch(pattern, f"{folder}/{name}"):
            own = dict.fromkeys(found.expand(glob) for glob in globs)
            if selected := tuple(glob for glob in own if select(glob)):
                return selected
            if not globs:
                return ()
    words = name.lower().replace("_", "") if folder == "api" else ""
    if named := [function for function in functions if function.lower().removeprefix("cl") in words]:
        return tuple(f"kernels/api/*/{function}*" for function in named)
    return tuple(glob for glob, of in rows if folder in of.split(", ")) or None
