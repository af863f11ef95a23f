/*!
[config]
name: && || and ! of floating-point operands: what compares equal to zero is false (OpenCL C 3.0, 6.5.7, 6.5.8)
dimensions: 1
global_size: 8 0 0

[test]
name: float
kernel_name: floats
arg_in:  0 buffer float[8] 0 -0.0 1 -1 nan inf 0 0x1p-126
arg_in:  1 buffer float[8] 0    2 0  3   0   1 nan -0.0
arg_out: 2 buffer int[8]   0    0 0  1   0   1   0    0
arg_out: 3 buffer int[8]   0    1 1  1   1   1   1    1
arg_out: 4 buffer int[8]   1    1 0  0   0   0   1    0

[test]
name: double
kernel_name: doubles
arg_in:  0 buffer double[8] 0 -0.0 1 -1 nan inf 0 0x1p-1022
arg_in:  1 buffer double[8] 0    2 0  3   0   1 nan -0.0
arg_out: 2 buffer int[8]    0    0 0  1   0   1   0    0
arg_out: 3 buffer int[8]    0    1 1  1   1   1   1    1
arg_out: 4 buffer int[8]    1    1 0  0   0   0   1    0

[test]
name: float4
kernel_name: vectors
global_size: 2 0 0
arg_in:  0 buffer float4[2] 0 -0.0 1 -1 nan inf 0 0x1p-126
arg_in:  1 buffer float4[2] 0    2 0  3   0   1 nan -0.0
arg_out: 2 buffer int4[2]   0    0 0 -1   0  -1   0    0
arg_out: 3 buffer int4[2]   0   -1 -1 -1 -1  -1  -1   -1
arg_out: 4 buffer int4[2]  -1   -1 0  0   0   0  -1    0
!*/

#define LOGIC(NAME, T, R) \
    kernel void NAME(global const T *a, global const T *b, global R *both, global R *either, global R *negated) { \
        size_t i = get_global_id(0); \
        both[i] = a[i] && b[i]; \
        either[i] = a[i] || b[i]; \
        negated[i] = !a[i]; \
    }

LOGIC(floats, float, int)
LOGIC(vectors, float4, int4)
#ifdef cl_khr_fp64
LOGIC(doubles, double, int)
#endif
