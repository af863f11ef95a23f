/*!
[config]
name: a switch whose labels lie in a loop (C99, 6.8.4.2). A driver may refuse it (OpenCL C 3.0, 6.9), not compute it wrong
dimensions: 1

[test]
name: five
kernel_name: five
global_size: 16 0 0
arg_out: 0 buffer int[16] 22222 22221 22211 22111 21111 22222 22221 22211 22111 21111 22222 22221 22211 22111 21111 22222
!*/

kernel void five(global int *sums) {
    int n = 2, sum = 0;
    switch (get_global_id(0) % 5) {
    case 0:
        do {
            sum += 1;
    case 1:
            sum += 10;
    case 2:
            sum += 100;
    case 3:
            sum += 1000;
    case 4:
            sum += 10000;
        } while (--n > 0);
    }
    sums[get_global_id(0)] = sum;
}
