/*!
[config]
name: a structure that a function changes and hands on to another, twice (C99, 6.5.2.2)

[test]
name: twice
kernel_name: hand_on
global_size: 4 0 0
arg_out: 0 buffer int2[4] 1 3 1 3 1 3 1 3
!*/

typedef struct { int2 a; } S;

S same(S s) { return s; }

S changed(S s) {
    s.a.x = 1;
    s = same(s);
    return s;
}

kernel void hand_on(global int2 *out) {
    S s;
    s.a = 3;
    s = changed(s);
    s = changed(s);
    out[get_global_id(0)] = s.a;
}
