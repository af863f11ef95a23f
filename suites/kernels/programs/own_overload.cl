/*!
[config]
name: a program's own overload beside those of a built-in function (clang's attribute overloadable)
require_device_extensions: cl_khr_global_int32_base_atomics
kernel_name: count
dimensions: 1
global_size: 4 0 0

[test]
name: atom_add
arg_in:  0 buffer uint[1] 3
arg_out: 0 buffer uint[1] 7

[test]
name: carry
arg_in:  0 buffer uint[2] 0xfffffffe 5
arg_out: 0 buffer uint[2] 2 5
!*/

#pragma OPENCL EXTENSION cl_khr_global_int32_base_atomics : enable

// As OpenMM has it if the device has no atomics of 64 bits; those of 32 it takes from the compiler.
__attribute__((overloadable)) ulong atom_add(volatile global ulong *place, ulong value) {
    ulong old = *place;
    *place = old + value;
    return old;
}

kernel void count(global uint *n) { atom_add(n, 1u); }
