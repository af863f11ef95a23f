/*!
[config]
name: a switch whose labels lie in two nested loops (C99, 6.8.4.2). A driver may refuse it (OpenCL C 3.0, 6.9), not die of it
dimensions: 1

[test]
name: five
kernel_name: five
global_size: 15 0 0
arg_out: 0 buffer int[15] 67854 67853 67399 66633 66632 67854 67853 67399 66633 66632 67854 67853 67399 66633 66632
!*/

#define ENTRIES(name)                          \
    kernel void name(global int *sums) {       \
        int n = 6, sum = 0;                    \
        switch (get_global_id(0) % 5) {        \
        case 0:                                \
            do {                               \
                sum += 1;                      \
        case 1:                                \
                sum += 10;                     \
                do {                           \
        case 2:                                \
                    sum += 100;                \
                    if (sum & 32)              \
                        break;                 \
        case 3:                                \
                    sum += 1000;               \
        case 4:                                \
                    sum += 10000;              \
                } while (--n & 1);             \
            } while (n > 0);                   \
        }                                      \
        sums[get_global_id(0)] = sum;          \
    }

// Whether a compiler dies can hang on where its objects lie: eight chances.
ENTRIES(five)
ENTRIES(second)
ENTRIES(third)
ENTRIES(fourth)
ENTRIES(fifth)
ENTRIES(sixth)
ENTRIES(seventh)
ENTRIES(eighth)
