/*!
[config]
name: what C++ has for operators are plain names in OpenCL C (C99, 6.4.1)
dimensions: 1

[test]
name: kernel
kernel_name: and
arg_out: 0 buffer int[1] 4
arg_in:  1 int 12
arg_in:  2 int 6

[test]
name: variables
kernel_name: variables
arg_out: 0 buffer int[1] 55
arg_in:  1 int 1
!*/

kernel void and(global int *r, int or, int xor) {
    r[0] = or & xor;
}

kernel void variables(global int *r, int not) {
    int and_eq = 2, bitand = 3, bitor = 4, compl = 5, not_eq = 6, or_eq = 7, xor_eq = 8, class = 9, template = 10;
    r[0] = not + and_eq + bitand + bitor + compl + not_eq + or_eq + xor_eq + class + template;
}
