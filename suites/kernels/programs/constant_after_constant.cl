/*!
[config]
name: one constant after another in a sum and in a product, each rounded (OpenCL C 3.0, 7.4; C99, 5.1.2.3)
global_size: 4 0 0

[test]
name: sum.float
kernel_name: float_sum
arg_out: 0 buffer float[4] 0x1.0000000000000p+0 -0x1.8000000000000p+1 0x1.0000000000000p+2 0x0.0p+0
arg_in: 1 buffer float[4] 0x1.4000000000000p+0 -0x1.6000000000000p+1 0x1.c000000000000p+1 0x1.0000000000000p-1

[test]
name: sum.double
kernel_name: double_sum
arg_out: 0 buffer double[4] 0x1.0000000000000p+0 -0x1.8000000000000p+1 0x1.0000000000000p+2 0x0.0p+0
arg_in: 1 buffer double[4] 0x1.4000000000000p+0 -0x1.6000000000000p+1 0x1.c000000000000p+1 0x1.0000000000000p-1

[test]
name: product.float
kernel_name: float_product
arg_out: 0 buffer float[4] 0x1.786d080000000p+6 0x1.4a1b9e0000000p+8 0x1.b91fc20000000p+6 0x1.4ad7da0000000p+6
arg_in: 1 buffer float[4] 0x1.2345680000000p+0 0x1.fedcba0000000p+1 0x1.5555540000000p+0 0x1.0000020000000p+0

[test]
name: product.double
kernel_name: double_product
arg_out: 0 buffer double[4] 0x1.78615559e26aep+6 0x1.4a115b59530edp+8 0x1.b912100555554p+6 0x1.4acd8c0400002p+6
arg_in: 1 buffer double[4] 0x1.23456789abcdep+0 0x1.fedcba9876543p+1 0x1.5555555555555p+0 0x1.0000000000001p+0
!*/

#define CHAINS(type, large, factor)                                                                                                \
    kernel void type##_sum(global type *out, global const type *in) {                                                              \
        size_t i = get_global_id(0);                                                                                               \
        out[i] = in[i] + large - large;                                                                                            \
    }                                                                                                                              \
    kernel void type##_product(global type *out, global const type *in) {                                                          \
        size_t i = get_global_id(0);                                                                                               \
        out[i] = in[i] * factor * factor * factor * factor;                                                                        \
    }

CHAINS(float, 0x1p+23f, -0x1.8203p+1f)
#ifdef cl_khr_fp64
CHAINS(double, 0x1p+52, -0x1.82p+1)
#endif
