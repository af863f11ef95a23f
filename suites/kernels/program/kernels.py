"""What kernels report."""

import pyopencl as cl

from runner import check
from runner.device import Device


def check_kernel_info(device: Device) -> None:
    """The names, arguments and attributes of kernels (OpenCL API 3.0, 5.9.4)."""
    program = device.build(
        """
__kernel __attribute__((reqd_work_group_size(4, 2, 1)))
void second(__global const float *restrict a, __local int4 *b, uchar3 c, __constant short *d) {}
__kernel void first(volatile __global int *x) {}
""",
        "-cl-kernel-arg-info",
    )
    names = sorted(kernel.function_name for kernel in program.all_kernels())
    check.equal("kernels", names, ["first", "second"])
    kernel = program.second
    check.equal("arguments", kernel.num_args, 4)
    info, qualifier, space = cl.kernel_arg_info, cl.kernel_arg_type_qualifier, cl.kernel_arg_address_qualifier
    types = [kernel.get_arg_info(n, info.TYPE_NAME) for n in range(4)]
    check.equal("types", types, ["float*", "int4*", "uchar3", "short*"])
    check.equal("names", [kernel.get_arg_info(n, info.NAME) for n in range(4)], list("abcd"))
    spaces = [kernel.get_arg_info(n, info.ADDRESS_QUALIFIER) for n in range(4)]
    check.equal("address spaces", spaces, [space.GLOBAL, space.LOCAL, space.PRIVATE, space.CONSTANT])
    qualifiers = kernel.get_arg_info(0, info.TYPE_QUALIFIER)
    check.equal("qualifiers of a", qualifiers, qualifier.CONST | qualifier.RESTRICT)
    group = cl.kernel_work_group_info.COMPILE_WORK_GROUP_SIZE
    check.equal("reqd_work_group_size", kernel.get_work_group_info(group, device.device), [4, 2, 1])
