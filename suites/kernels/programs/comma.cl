/*!
[config]
name: the comma operator: its left operand is evaluated first, its right one is the value (OpenCL C 3.0, 6.5.12)
dimensions: 1

[test]
name: value
kernel_name: value
arg_out: 0 buffer int[3] 5 7 3
arg_in:  1 buffer int[3] 1 2 7

[test]
name: order
kernel_name: order
arg_out: 0 buffer int[5] 10 9 8 0 4
arg_in:  1 int 3

[test]
name: vector
kernel_name: vector
arg_out: 0 buffer int4[1] 11 12 13 14
arg_in:  1 int4 1 2 3 4
!*/

kernel void value(global int *r, global const int *a) {
    r[0] = (a[0], a[1], 5);
    r[1] = (1, a[2]);
    int ends = 0, i, k;
    for (i = 0, k = 7; i < k; i += 2, k -= 1, ends = k - i)
        ;
    r[2] = (ends, ends = 9) == 9 ? i - k + 1 : 0;  // 6 - 4 + 1
}

kernel void order(global int *r, int n) {
    int x = n;
    r[0] = (x = x + 7, x);           // 10
    r[1] = (x--, x);                 // 9
    r[2] = (r[1] = x, r[1] - 1);     // 8
    r[3] = (x = 0, x && (x = 5, 1)); // 0: what && does not need is not evaluated
    r[4] = (x += 4, x);              // 4
}

kernel void vector(global int4 *r, int4 a) {
    r[0] = (a += 10, a);
}
