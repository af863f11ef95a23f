/*!
[config]
name: what lies in the constant address space cannot be assigned to (OpenCL C 3.0, 6.7.3)
expect_build_fail: true
!*/

kernel void assign(constant int *table) {
    table[get_global_id(0)] = 1;
}
