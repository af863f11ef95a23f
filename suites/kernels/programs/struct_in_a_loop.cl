/*!
[config]
name: a structure that a loop gives to a function and takes from it (C99, 6.5.2.2)

[test]
name: twice
kernel_name: twice
global_size: 2 0 0
arg_out: 0 buffer ulong[4] 3 4 3 4

[test]
name: at_run_time
kernel_name: at_run_time
global_size: 2 0 0
arg_out: 0 buffer ulong[4] 3 4 3 4
arg_in: 1 int 2

[test]
name: changed
kernel_name: changed
global_size: 2 0 0
arg_out: 0 buffer ulong[4] 5 8 5 8
!*/

typedef struct { uint a; ulong b; } S;

S same(S s) { return s; }

S more(S s) {
    s.a += 1;
    s.b += 2;
    return s;
}

kernel void twice(global ulong *out) {
    S s;
    s.a = 3;
    s.b = 4;
    for (int i = 0; i < 2; i++)
        s = same(s);
    out[2 * get_global_id(0)] = s.a;
    out[2 * get_global_id(0) + 1] = s.b;
}

kernel void at_run_time(global ulong *out, int count) {
    S s;
    s.a = 3;
    s.b = 4;
    for (int i = 0; i < count; i++)
        s = same(s);
    out[2 * get_global_id(0)] = s.a;
    out[2 * get_global_id(0) + 1] = s.b;
}

kernel void changed(global ulong *out) {
    S s;
    s.a = 3;
    s.b = 4;
    for (int i = 0; i < 2; i++)
        s = more(s);
    out[2 * get_global_id(0)] = s.a;
    out[2 * get_global_id(0) + 1] = s.b;
}
