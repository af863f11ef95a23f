"""The cases of this project that correspond to one of piglit's tests, by its name: rules by hand, checked one by one.

A builtin finds its cases by its own name. An empty tuple is for a test of something other than OpenCL; the comment names it.
"""

import re
from collections.abc import Callable, Collection, Sequence

Select = Callable[[str], Sequence[str]]
_BUILTIN = r"program/execute/builtin/builtin-"
_API = r"api/"
_EXECUTE = r"program/execute/"
_BUILD = r"program/build/"
_PRIVATE = ("kernels/control/private_array/*", "kernels/address/private/*")
_CALLS = ("kernels/random/call/*", "kernels/address/passed/*")

# A regex for the name as in an id, and globs of own cases, in which \1 is the first group. The first rule counts.
# A glob with a group counts if it selects a case: a builtin is in one of several areas, and has only some types.
RULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (_BUILTIN + r"shuffle(2?)-(\w+)-.*", (r"kernels/vload/shuffle\1.\2*", "kernels/vload/shuffle_constant*")),
    (
        _BUILTIN + r"(\w+)-(\w+)-[\d.]+\.generated",
        (
            *(rf"kernels/math/{group}/\2{end}" for group in (r"\1", "edge") for end in ("", ".*")),
            *(rf"kernels/integer/{name}.\1*" for name in (r"\2", r"\2_scalar")),
            *(rf"kernels/{area}/\2.\1*" for area in ("common", "relational")),
        ),
    ),
    (_EXECUTE + r"vload/vload-(\w+)-(\w+)", (r"kernels/vload/load.\2.\1*",)),
    (_EXECUTE + r"vload/(vloada?_half)-float-(\w+)", (r"kernels/half/\1*.\2*",)),
    (_EXECUTE + r"vstore/vstore-(\w+)-(\w+)", (r"kernels/vload/store.\2.\1*",)),
    (
        _EXECUTE + r"vstore/vstorea_half-(\w+)-(\w+)",
        (r"kernels/half/vstorea_half*.\1.\2", "kernels/link/memory/vstorea_half*"),
    ),
    (_EXECUTE + r"vstore/vstore_half-(\w+)-(\w+)", (r"kernels/half/vstore_half*.\1*.\2", r"kernels/half/vstore_half*.\1*")),
    (
        _EXECUTE + r"store/store-([a-z]+)(\d*)-(\w+)",
        (r"kernels/address/passed/\1\2.\3", r"kernels/vector/memory.\1\2", "kernels/layout/write.*"),
    ),
    (_EXECUTE + r"atomic_int32_(\w+)-(\w+)(?:-return)?", (r"kernels/atomic/atom/\1.*.\2",)),
    (_EXECUTE + r"atomic_int64_(\w+)-(\w+)(?:-return)?", (r"kernels/atomic/wide/\1.*.\2",)),
    (_EXECUTE + r"atomic_(\w+)-(\w+)-return", (r"kernels/atomic/returned/\1.*.\2",)),
    (_EXECUTE + r"atomic_(\w+)-(\w+)", (r"kernels/atomic/unused/\1.*.\2", r"kernels/atomic/returned/\1.*.\2")),
    (
        _EXECUTE + r"scalar-arithmetic-(float|double)",
        (*(rf"kernels/math/\1/{op}" for op in ("add", "sub", "mul", "divide")),),
    ),
    (
        _EXECUTE + r"scalar-arithmetic-(\w+)",
        (*(rf"kernels/integer/{op}.\1" for op in ("add", "sub", "mul", "divide", "modulo", "unary", "step")),),
    ),
    (
        _EXECUTE + r"scalar-bitwise-int",
        ("kernels/integer/bitwise.int", "kernels/integer/shift_left.int", "kernels/integer/shift_right.int"),
    ),
    (_EXECUTE + r"scalar-comparison-float", ("kernels/relational/operator.*.float",)),
    (_EXECUTE + r"scalar-comparison-(\w+)", (r"kernels/integer/compare.\1",)),
    (_EXECUTE + r"scalar-logical-float", ("kernels/programs/float_logic/*",)),
    (_EXECUTE + r"scalar-logical-int", ("kernels/integer/logical.int", "kernels/integer/ternary.int")),
    (_EXECUTE + r"scalar-load-(\w+)", (r"kernels/address/passed/\1.*", r"kernels/address/table/\1")),
    (
        _EXECUTE + r"vector-arithmetic-float4",
        ("kernels/math/float/add.4", "kernels/math/float/mul.4", "kernels/math/float/divide.4"),
    ),
    (_EXECUTE + r"vector-arithmetic-int4", ("kernels/integer/add.int4", "kernels/integer/mixed.int4")),
    (_EXECUTE + r"vector-(?:load|store)-int4", ("kernels/vector/memory.int4", "kernels/address/passed/*4.*")),
    (_EXECUTE + r"vector-conversion", ("kernels/link/convert/*", "kernels/conversion/convert/*")),
    (_EXECUTE + r"float-convert_long", ("kernels/conversion/convert/long.float", "kernels/conversion/convert/ulong.float")),
    (_EXECUTE + r"amdgcn-(?:callee-saved-registers|mubuf-negative-vaddr)", (*_CALLS, *_PRIVATE)),
    (
        _EXECUTE + r"amdgcn-f(?:16|32|64)-inline-immediates",
        ("kernels/math/option/denorms-are-zero/*", "kernels/math/*/add.constant", "kernels/preprocessor/float/*"),
    ),
    (_EXECUTE + r"amdgcn-i16-inline-immediates", ("kernels/integer/folded.*", "kernels/integer/add.short")),
    (_EXECUTE + r"amdgcn\.sign_extend_inreg", ("kernels/conversion/chain/*", "kernels/integer/shift_right.*")),
    (_EXECUTE + r"attributes", ("kernels/argument/kernel_info.attributes.*", "kernels/ndrange/required/*")),
    (_EXECUTE + r"bitselect", ("kernels/relational/bitselect.int",)),
    (_EXECUTE + r"bswap", ("kernels/integer/shift_*", "kernels/vector/swizzle.*", "kernels/integer/folded.pairs.ushort")),
    (_EXECUTE + r"(?:call-clobbers-amdgcn|calls|tail-calls)", _CALLS),
    (_EXECUTE + r"calls-(?:large-)?struct", ("kernels/layout/pass.*", "kernels/address/passed/*")),
    (_EXECUTE + r"calls-workitem-id", ("kernels/ndrange/space/*", "kernels/random/call/*")),
    (_EXECUTE + r"clz-optimizations", ("kernels/integer/clz.*", "kernels/integer/folded.*")),
    (_EXECUTE + r"comma", ("kernels/programs/comma/*",)),
    (_EXECUTE + r"constant-load", ("kernels/address/constant/*", "kernels/address/table/*")),
    (_EXECUTE + r"fdiv-modifiers-f32", ("kernels/math/float/divide*", "kernels/math/contract/*")),
    (_EXECUTE + r"fdiv-modifiers-f64", ("kernels/math/double/divide*", "kernels/math/contract/*")),
    (_EXECUTE + r"for-loop", ("kernels/control/loop", "kernels/control/counted_loop*", "kernels/random/loop/*")),
    (
        _EXECUTE + r"gegl-.*",
        ("kernels/math/float/pow*", "kernels/math/float/divide*", "kernels/conversion/convert/uchar*.float"),
    ),
    (_EXECUTE + r"get-(global|local)-(?:id|size)", ("kernels/ndrange/space/*", r"kernels/link/work_item/get_\1_*")),
    (_EXECUTE + r"get-(?:group-id|num-groups|work-dim)", ("kernels/ndrange/space/*", "kernels/link/work_item/*")),
    (_EXECUTE + r"global-memory", ("kernels/memory/transfer/*", "kernels/address/passed/*.global")),
    (_EXECUTE + r"global-offset", ("kernels/ndrange/space/*.at*", "kernels/ndrange/split/*")),
    (_EXECUTE + r"(?:[iv]\d*i32-stack(?:-array)?|i32-stack-array|multiple-stack-objects|realign-stack)", _PRIVATE),
    (_EXECUTE + r"negative-private-base-pointer", _PRIVATE),
    (_EXECUTE + r"non-entry-block-alloca", ()),  # __builtin_alloca is clang's
    (_EXECUTE + r"image-attributes", ("kernels/image/kernel_query/2d.*",)),
    (_EXECUTE + r"image-read-2d", ("kernels/image/read/2d.*", "kernels/image/sampler/2d.*", "kernels/image/border/2d.*")),
    (_EXECUTE + r"image-write-2d", ("kernels/image/write/2d.*",)),
    (_EXECUTE + r"int-definitions", ("kernels/preprocessor/predefined/*", "kernels/layout/align.*")),
    (_EXECUTE + r"kernel_exec", ("kernels/preprocessor/predefined/kernel_exec",)),
    (
        _EXECUTE + r"(?:load|store)-(?:hi|lo)16(?:-generic)?",
        ("kernels/half/vload_half*", "kernels/vector/halves*", "kernels/address/generic/*"),
    ),
    (_EXECUTE + r"local-memory", ("kernels/workgroup/exchange/*", "kernels/workgroup/layout/*")),
    (_EXECUTE + r"mad-mix", ("kernels/math/*/mad*", "kernels/half/operator/*", "kernels/math/contract/*")),
    (_EXECUTE + r"program-scope-arrays", ("kernels/address/constant/*", "kernels/address/table/*")),
    (_EXECUTE + r"program-tester-check-local-size-test-should-skip", ()),  # cl-program-tester itself
    (_EXECUTE + r"(?:pyrit-wpa-psk|sha256-ch)", ("kernels/random/mixed/*", "kernels/integer/rotate.uint*")),
    (r"program/bitcoin=3A=20phatk=20kernel", ("kernels/random/mixed/*", "kernels/integer/rotate.uint*")),
    (_EXECUTE + r"reference", ("kernels/address/private/*", "kernels/argument/pointer.*")),
    (_EXECUTE + r"reserved-words", ("kernels/programs/operator_names/*",)),
    (_EXECUTE + r"sampler", ("kernels/image/sampler/2d.*", "kernels/image/border/2d.*")),
    (_EXECUTE + r"sizeof", ("kernels/layout/sizeof.*", "kernels/layout/align.*")),
    (_EXECUTE + r"switch-case", ("kernels/random/switch/*",)),
    (_BUILD + r"define-gentype", ("kernels/preprocessor/replacement/*", "kernels/program/option.define*")),
    (_BUILD + r"disable-warnings", ("kernels/program/option.no_warnings.*",)),
    (_BUILD + r"fail/warnings-as-errors", ("kernels/program/refuse.*", "kernels/program/option.*")),
    (_BUILD + r"fail/invalid-version-declaration", ("kernels/program/invalid_option*",)),
    (_BUILD + r"fail/.*", ("kernels/program/refuse.*", "kernels/vector/refuse*", "kernels/conversion/refused/*")),
    (
        _BUILD + r"include-directories",
        ("kernels/program/option.*", "kernels/preprocessor/header/*", "kernels/preprocessor/folder/*"),
    ),
    (_BUILD + r"(?:mixed-)?macro-definitions(?:-with-values)?", ("kernels/program/option.define*",)),
    (_BUILD + r"math-intrinsics", ("kernels/program/option.*", "kernels/math/option/*")),
    (_BUILD + r"optimization-options-.*", ("kernels/program/option.*", "kernels/math/option/*")),
    (
        _BUILD + r"other-data-types",
        ("kernels/argument/info.*image*", "kernels/argument/info.sampler", "kernels/event/graph/*"),
    ),
    (_BUILD + r"printf", ("kernels/printf/*",)),
    (_BUILD + r"scalar-and-vector-operators", ("kernels/integer/mixed*", "kernels/link/integer/*")),
    (_BUILD + r"scalar-data-type-half", ("kernels/half/operator/*", "kernels/argument/value.half.1")),
    (_BUILD + r"(?:scalar|vector)-data-types", ("kernels/layout/align.*", "kernels/argument/value.*")),
    (_BUILD + r"(?:scalar|vector)-operators", ("kernels/integer/*", "kernels/relational/operator.*")),
    (_BUILD + r"version-declaration", ("kernels/program/option.std_*",)),
    (r"program/check=20predefined=20preprocessor=20macros", ("kernels/preprocessor/predefined/*",)),
    (r"program/run=20kernel=20with=20max=20work=20item=20sizes", ("kernels/ndrange/largest.*", "kernels/ndrange/large.*")),
    (r"custom/buffer=20flags", ("kernels/memory/buffer/flags.*",)),
    (r"custom/flush=20after=20enqueue=20kernel", ("kernels/queue/sync/clFlush.*",)),
    (r"custom/r600=20create=20release=20buffer=20bug", ("kernels/stress/leak*", "kernels/memory/buffer/*")),
    (r"custom/run=20simple=20kernel", ("kernels/ndrange/space/*",)),
    (r"interop/.*", ()),  # EGL: Rusticl has no cl_khr_egl_event
    (_API + r"clgetdeviceinfo", ("kernels/query/device/*", r"kernels/api/*/clGetDeviceInfo*")),
    (_API + r"clgetplatforminfo", ("kernels/query/platform/*", "kernels/api/*/clGetPlatformInfo*")),
    (_API + r"clgetextensionfunctionaddressforplatform", ("kernels/query/function/*", "kernels/extension/function/*")),
    (_API + r"clsetkernelarg", ("kernels/argument/refuse_*", "kernels/argument/value.*", "kernels/argument/pointer.*")),
    (_API + r"clgetkernelarginfo", ("kernels/argument/info.*", "kernels/api/*/clGetKernelArgInfo*")),
    (_API + r"clgetkernelworkgroupinfo", ("kernels/argument/group_info.*", "kernels/api/*/clGetKernelWorkGroupInfo*")),
    (
        _API + r"clretain.*",
        ("kernels/context/references.*", "kernels/context/released_before*", "kernels/event/wait/references.*"),
    ),
)
_WORDS = re.compile(r"cl[a-z]+")


def counterparts(name: str, select: Select, functions: Collection[str]) -> tuple[str, ...] | None:
    """This project's globs for a test by its id below piglit/; () if it does not test OpenCL, None if no rule matches.

    `select` returns the own ids that a glob selects; a glob that selects none is left out. `functions` are the API functions
    that cases of `kernels/api` are named after.
    """
    for pattern, globs in RULES:
        if found := re.fullmatch(pattern, name):
            own = dict.fromkeys(found.expand(glob) for glob in globs)
            selected = tuple(glob for glob in own if select(glob))
            return selected if selected or not globs else None
    words = set(_WORDS.findall(name)) if name.startswith("api/") else set()
    return tuple(f"kernels/api/*/{function}*" for function in functions if function.lower() in words) or None
