/*!
[config]
name: quotients and lengths of floats, within their limits (OpenCL C 3.0, 7.4)
dimensions: 1
global_size: 4 0 0

[test]
name: divide
kernel_name: divide
arg_in:  0 buffer float[4] 1.0 2.0 -10.0 1.0
arg_in:  1 buffer float[4] 3.0 3.0   4.0 0.0
arg_out: 2 buffer float[4] 0x1.555556p-2 0x1.555556p-1 -2.5 inf tolerance 2.5 ulp

[test]
name: length
kernel_name: lengths
arg_in:  0 buffer float2[4] 3.0 4.0  -5.0 12.0  8.0 -15.0  0.0 0.0
arg_out: 1 buffer float[4] 5.0 13.0 17.0 0.0 tolerance 0.00001
!*/

kernel void divide(global const float *a, global const float *b, global float *quotient) {
    size_t i = get_global_id(0);
    quotient[i] = a[i] / b[i];
}

kernel void lengths(global const float2 *points, global float *length_of) {
    size_t i = get_global_id(0);
    length_of[i] = length(points[i]);
}
