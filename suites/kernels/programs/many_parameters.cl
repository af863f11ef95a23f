/*!
[config]
name: a function of 121 parameters; every C compiler has to take 127 (C99, 5.2.4.1)
kernel_name: weigh
dimensions: 1
global_size: 4 0 0

[test]
name: uint
arg_in:  0 buffer uint[4] 0 1 2 1000
arg_out: 1 buffer uint[4] 723627 731967 740307 9063627
!*/

#define TEN(m, d) m(d##0) m(d##1) m(d##2) m(d##3) m(d##4) m(d##5) m(d##6) m(d##7) m(d##8) m(d##9)
#define ALL(m) \
    TEN(m, 1) TEN(m, 2) TEN(m, 3) TEN(m, 4) TEN(m, 5) TEN(m, 6) TEN(m, 7) TEN(m, 8) TEN(m, 9) TEN(m, 10) TEN(m, 11) TEN(m, 12)
#define PARAMETER(n) uint p##n,
#define ARGUMENT(n) b + n,
#define ADDEND(n) + n * p##n

// It branches, so that no compiler inlines it for being short.
uint weighed(ALL(PARAMETER) uint more) {
    uint sum = 0;
    if (more > 0)
        sum = more ALL(ADDEND);
    return sum;
}

// The sum of n (b + n), n from 10 to 129, and 7: 8340 b + 723627.
kernel void weigh(global const uint *in, global uint *out) {
    uint b = in[get_global_id(0)];
    out[get_global_id(0)] = weighed(ALL(ARGUMENT) 7);
}
