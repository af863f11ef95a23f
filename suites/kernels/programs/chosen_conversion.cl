/*!
[config]
name: a choice between a constant and a floating-point number that is made an integer (C99, 6.8.4.1)
global_size: 4 0 0

[test]
name: half
kernel_name: halfs
arg_in:  0 buffer short[4] -1 0 1 2
arg_in:  1 buffer half[4]   7 8 9 10
arg_out: 2 buffer int[4]    7 8 45 45

[test]
name: float
kernel_name: floats
arg_in:  0 buffer short[4] -1 0 1 2
arg_in:  1 buffer float[4]  7 8 9 10
arg_out: 2 buffer int[4]    7 8 45 45
!*/

#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void halfs(global const short *a, global const half *h, global int *chosen) {
    size_t i = get_global_id(0);
    int value = 45;
    if (a[i] < 1)
        value = (int)h[i];
    chosen[i] = value;
}
#endif

kernel void floats(global const short *a, global const float *h, global int *chosen) {
    size_t i = get_global_id(0);
    int value = 45;
    if (a[i] < 1)
        value = (int)h[i];
    chosen[i] = value;
}
