/*!
[config]
name: a loop that is left by a hash of its counter (OpenCL C 3.0, 6.9)

[test]
name: counted
kernel_name: search
global_size: 1 0 0
arg_out: 0 buffer uint[1] 47
!*/

#define STEP h += h << 3; h ^= h >> 5;
#define FIVE STEP STEP STEP STEP STEP

kernel void search(global uint *out) {
    uint x = 1;
    for (;;) {
        uint h = x;
        FIVE FIVE FIVE FIVE
        if ((h & 15) == 0) break;
        x++;
    }
    out[0] = x;
}
