/*!
[config]
name: a choice between a value of 8 or 16 bits and a constant (OpenCL C 3.0, 6.5.9)
dimensions: 1
global_size: 6 0 0

[test]
name: char
kernel_name: chars
arg_in:  0 buffer char[6] -128 -8 -7 -6 0 127
arg_out: 1 buffer char[6]   -7 -7 -7 -6 0 127

[test]
name: char_to_int
kernel_name: chars_to_ints
arg_in:  0 buffer char[6] -128  -8  -7  -6 0 127
arg_out: 1 buffer int[6]   300 300 300 300 0 127

[test]
name: uchar
kernel_name: uchars
arg_in:  0 buffer uchar[6]   0   1 199 200 201 255
arg_out: 1 buffer uchar[6] 200 200 200 200 201 255

[test]
name: short
kernel_name: shorts
arg_in:  0 buffer short[6] -32768 -701 -700 -699 0 32767
arg_out: 1 buffer short[6]   -700 -700 -700 -699 0 32767

[test]
name: by_index
kernel_name: by_index
arg_in:  0 buffer char[6] -1 -2 -3 -4 -5 -6
arg_out: 1 buffer char[6]  7  7  7  7 -5 -6
!*/

kernel void chars(global const char *a, global char *chosen) {
    size_t i = get_global_id(0);
    char value = a[i];
    chosen[i] = value < (char)-7 ? (char)-7 : value;
}

kernel void chars_to_ints(global const char *a, global int *chosen) {
    size_t i = get_global_id(0);
    char value = a[i];
    chosen[i] = value < 0 ? 300 : value;
}

kernel void uchars(global const uchar *a, global uchar *chosen) {
    size_t i = get_global_id(0);
    uchar value = a[i];
    chosen[i] = value < (uchar)200 ? (uchar)200 : value;
}

kernel void shorts(global const short *a, global short *chosen) {
    size_t i = get_global_id(0);
    short value = a[i];
    chosen[i] = value < (short)-700 ? (short)-700 : value;
}

kernel void by_index(global const char *a, global char *chosen) {
    size_t i = get_global_id(0);
    chosen[i] = i > 3 ? a[i] : (char)7;
}
