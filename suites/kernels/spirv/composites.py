"""More snippets: composites, memory, functions and the built-in variables."""

from __future__ import annotations

from .snippets import Snippet, signed

COMPOSITES: dict[str, Snippet] = {
    "construct_of_parts": Snippet(
        """
%a = OpCompositeConstruct %v2uint %x %uint_2
%b = OpCompositeConstruct %v4uint %a %uint_3 %x
%e = OpCompositeExtract %uint %b 2
%f = OpCompositeExtract %uint %b 3
%g = OpIAdd %uint %e %f
%y = OpIMul %uint %g %uint_2""",
        lambda x, i: 2 * (3 + x),
    ),
    "struct": Snippet(
        """
%S = OpTypeStruct %uint %v2uint %uchar
%v = OpCompositeConstruct %v2uint %uint_11 %x
%s = OpCompositeConstruct %S %uint_5 %v %uchar_250
%m = OpCompositeExtract %uint %s 1 1
%c = OpCompositeExtract %uchar %s 2
%w = OpUConvert %uint %c
%y = OpIAdd %uint %m %w""",
        lambda x, i: x + 250,
    ),
    "array": Snippet(
        """
%A = OpTypeArray %uint %uint_3
%a = OpCompositeConstruct %A %uint_4 %x %uint_6
%b = OpCompositeInsert %A %uint_40 %a 0
%e = OpCompositeExtract %uint %b 0
%f = OpCompositeExtract %uint %b 1
%g = OpCompositeExtract %uint %a 0
%h = OpIAdd %uint %e %f
%y = OpIMul %uint %h %g""",
        lambda x, i: (40 + x) * 4,
    ),
    "nested_insert": Snippet(
        """
%A = OpTypeArray %v4uint %uint_2
%S = OpTypeStruct %uint %A
%n = OpConstantNull %S
%s = OpCompositeInsert %S %x %n 1 1 2
%t = OpCompositeInsert %S %uint_8 %s 0
%d = OpCompositeExtract %uint %t 1 1 2
%e = OpCompositeExtract %uint %t 1 1 1
%f = OpCompositeExtract %uint %t 0
%g = OpIAdd %uint %d %e
%y = OpISub %uint %g %f""",
        lambda x, i: x - 8,
    ),
    "insert_in_vector": Snippet(
        """
%v = OpConstantComposite %v3uint %uint_1 %uint_2 %uint_3
%w = OpCompositeInsert %v3uint %x %v 1
%a = OpCompositeExtract %uint %w 0
%b = OpCompositeExtract %uint %w 1
%c = OpCompositeExtract %uint %w 2
%d = OpIMul %uint %b %c
%y = OpIAdd %uint %d %a""",
        lambda x, i: 3 * x + 1,
    ),
    "extract_dynamic": Snippet(
        """
%v = OpConstantComposite %v8uint %uint_9 %uint_8 %uint_7 %uint_6 %uint_5 %uint_4 %uint_3 %uint_2
%k = OpBitwiseAnd %uint %x %uint_7
%y = OpVectorExtractDynamic %uint %v %k""",
        lambda x, i: 9 - (x & 7),
    ),
    "insert_dynamic": Snippet(
        """
%v = OpConstantComposite %v4uint %uint_1 %uint_10 %uint_100 %uint_1000
%k = OpBitwiseAnd %uint %x %uint_3
%w = OpVectorInsertDynamic %v4uint %v %uint_5000 %k
%a = OpCompositeExtract %uint %w 0
%b = OpCompositeExtract %uint %w 1
%c = OpCompositeExtract %uint %w 2
%d = OpCompositeExtract %uint %w 3
%e = OpIAdd %uint %a %b
%f = OpIAdd %uint %e %c
%y = OpIAdd %uint %f %d""",
        lambda x, i: 1111 - 10 ** (x & 3) + 5000,
    ),
    "shuffle": Snippet(
        """
%a = OpCompositeConstruct %v2uint %x %uint_20
%b = OpConstantComposite %v3uint %uint_30 %uint_40 %uint_50
%v = OpVectorShuffle %v4uint %a %b 4 0 2 1
%c = OpCompositeExtract %uint %v 0
%d = OpCompositeExtract %uint %v 1
%e = OpCompositeExtract %uint %v 2
%f = OpCompositeExtract %uint %v 3
%g = OpIMul %uint %c %d
%h = OpISub %uint %e %f
%y = OpIAdd %uint %g %h""",
        lambda x, i: 50 * x + 30 - 20,
    ),
    "shuffle_undefined": Snippet(  # a component that nothing looks at
        """
%a = OpCompositeConstruct %v2uint %x %uint_20
%v = OpVectorShuffle %v3uint %a %a 1 0xffffffff 0
%d = OpCompositeExtract %uint %v 0
%e = OpCompositeExtract %uint %v 2
%y = OpIAdd %uint %d %e""",
        lambda x, i: x + 20,
    ),
    "shuffle_wide": Snippet(
        """
%a = OpCompositeConstruct %v16uint """
        + " ".join("%x" if k == 5 else f"%uint_{k}" for k in range(16))
        + """
%v = OpVectorShuffle %v16uint %a %a """
        + " ".join(str(k) for k in reversed(range(0, 32, 2)))
        + """
%s = OpVectorShuffle %v8uint %v %a 21 0 1 2 3 4 5 6
%d = OpCompositeExtract %uint %s 0
%e = OpCompositeExtract %uint %s 1
%f = OpCompositeExtract %uint %s 7
%g = OpISub %uint %d %e
%y = OpIMul %uint %g %f""",
        lambda x, i: (x - 14) * 2,
    ),
    "null": Snippet(
        """
%S = OpTypeStruct %uint %v4uint %ushort
%n = OpConstantNull %S
%a = OpCompositeExtract %uint %n 0
%b = OpCompositeExtract %uint %n 1 3
%c = OpIAdd %uint %a %b
%d = OpIAdd %uint %c %x
%null = OpConstantNull %global_uint
%address = OpConvertPtrToU %size %null
%e = OpUConvert %ushort %address
%f = OpUConvert %uint %e
%y = OpIAdd %uint %d %f""",
        lambda x, i: x,
    ),
    "constant_composite": Snippet(
        """
%A = OpTypeArray %v2uint %uint_2
%p = OpConstantComposite %v2uint %uint_1 %uint_2
%q = OpConstantComposite %v2uint %uint_3 %uint_4
%a = OpConstantComposite %A %p %q
%b = OpCompositeExtract %v2uint %a 1
%c = OpCompositeExtract %uint %b 0
%y = OpIMul %uint %x %c""",
        lambda x, i: 3 * x,
    ),
    "select_vector": Snippet(
        """
%v = OpCompositeConstruct %v2uint %x %uint_5
%w = OpConstantComposite %v2uint %uint_0x80000000 %uint_4
%c = OpULessThan %v2bool %v %w
%s = OpSelect %v2uint %c %v %w
%a = OpCompositeExtract %uint %s 0
%b = OpCompositeExtract %uint %s 1
%y = OpIAdd %uint %a %b""",
        lambda x, i: min(x, 2**31) + 4,
    ),
    "undefined_but_overwritten": Snippet(
        """
%u = OpUndef %v3uint
%a = OpCompositeInsert %v3uint %x %u 0
%b = OpCompositeInsert %v3uint %uint_6 %a 2
%c = OpCompositeExtract %uint %b 0
%d = OpCompositeExtract %uint %b 2
%y = OpIMul %uint %c %d""",
        lambda x, i: 6 * x,
    ),
    "undefined_not_selected": Snippet(
        """
%u = OpUndef %uint
%c = OpULessThanEqual %bool %x %uint_0xffffffff
%y = OpSelect %uint %c %x %u""",
        lambda x, i: x,
    ),
    "undefined_phi_not_taken": Snippet(
        """
%u = OpUndef %uint
%c = OpULessThanEqual %bool %x %uint_0xffffffff
OpBranchConditional %c %yes %no
%yes = OpLabel
OpBranch %done
%no = OpLabel
OpBranch %done
%done = OpLabel
%y = OpPhi %uint %x %yes %u %no""",
        lambda x, i: x,
    ),
    "bitcast_vector": Snippet(
        """
%v = OpBitcast %v4uchar %x
%a = OpCompositeExtract %uchar %v 1
%w = OpVectorShuffle %v4uchar %v %v 0 0 1 2
%z = OpBitcast %uint %w
%b = OpUConvert %uint %a
%y = OpIAdd %uint %z %b""",
        lambda x, i: (x << 8 & 0xFFFF0000 | (x & 255) * 257) + (x >> 8 & 255),
    ),
    "vector_times_scalar": Snippet(
        """
%k = OpBitwiseAnd %uint %x %uint_1023
%s = OpConvertUToF %float %k
%v = OpConstantComposite %v3float %float_1 %float_2 %float_0.5
%w = OpVectorTimesScalar %v3float %v %s
%d = OpDot %float %w %v
%q = OpConstant %float 4
%e = OpFMul %float %d %q
%y = OpConvertFToU %uint %e""",
        lambda x, i: (x & 1023) * 21,
    ),
}

MEMORY: dict[str, Snippet] = {
    "variable": Snippet(
        """
%v = OpVariable %function_uint Function
OpStore %v %x
%l = OpLoad %uint %v
OpStore %v %uint_3
%m = OpLoad %uint %v Volatile
%y = OpIMul %uint %l %m""",
        lambda x, i: 3 * x,
    ),
    "initialised_variable": Snippet(
        """
%v = OpVariable %function_uint Function %uint_41
%l = OpLoad %uint %v
%y = OpIAdd %uint %l %x""",
        lambda x, i: x + 41,
    ),
    "private_array": Snippet(
        """
%A = OpTypeArray %uint %uint_4
%start = OpConstantComposite %A %uint_1 %uint_20 %uint_300 %uint_4000
%v = OpVariable %function_A Function %start
%k = OpBitwiseAnd %uint %x %uint_3
%p = OpAccessChain %function_uint %v %k
%old = OpLoad %uint %p
OpStore %p %x
%q = OpInBoundsAccessChain %function_uint %v %uint_1
%l = OpLoad %uint %q
%y = OpIAdd %uint %l %old""",
        lambda x, i: (x if x & 3 == 1 else 20) + (1, 20, 300, 4000)[x & 3],
    ),
    "private_struct": Snippet(
        """
%S = OpTypeStruct %uchar %uint %ushort
%v = OpVariable %function_S Function
%p0 = OpInBoundsAccessChain %function_uchar %v %uint_0
%p1 = OpInBoundsAccessChain %function_uint %v %uint_1
%p2 = OpInBoundsAccessChain %function_ushort %v %uint_2
OpStore %p1 %x
OpStore %p0 %uchar_0xff
OpStore %p2 %ushort_0xffff
%y = OpLoad %uint %p1""",
        lambda x, i: x,
    ),
    "load_struct": Snippet(
        """
%S = OpTypeStruct %uint %v2uint
%two = OpConstantComposite %v2uint %uint_7 %uint_8
%v = OpVariable %function_S Function
%w = OpVariable %function_S Function
%s = OpCompositeConstruct %S %x %two
OpStore %v %s
%t = OpLoad %S %v
OpStore %w %t
%p = OpInBoundsAccessChain %function_uint %w %uint_1 %uint_1
%a = OpLoad %uint %p
%q = OpInBoundsAccessChain %function_uint %w %uint_0
%b = OpLoad %uint %q
%y = OpIAdd %uint %a %b""",
        lambda x, i: x + 8,
    ),
    "copy_memory": Snippet(
        """
%A = OpTypeArray %uint %uint_3
%v = OpVariable %function_A Function
%w = OpVariable %function_A Function
%p = OpInBoundsAccessChain %function_uint %v %uint_2
OpStore %p %x
OpCopyMemory %w %v
OpStore %p %uint_0
%q = OpInBoundsAccessChain %function_uint %w %uint_2
%y = OpLoad %uint %q""",
        lambda x, i: x,
    ),
    "copy_memory_sized": Snippet(
        """
%v = OpVariable %function_uint Function
%w = OpVariable %function_uint Function %uint_0
OpStore %v %x
%from = OpBitcast %function_uchar %v
%to = OpBitcast %function_uchar %w
OpCopyMemorySized %to %from %size_3 Aligned 1
%y = OpLoad %uint %w""",
        lambda x, i: x & 0xFFFFFF,
    ),
    "constant_table": Snippet(
        """
%A = OpTypeArray %uint %uint_4
%start = OpConstantComposite %A %uint_7 %uint_77 %uint_777 %uint_7777
%table = OpVariable %constant_A UniformConstant %start
OpDecorate %table Constant
%k = OpBitwiseAnd %uint %x %uint_3
%p = OpInBoundsAccessChain %constant_uint %table %k
%y = OpLoad %uint %p Aligned 4""",
        lambda x, i: (7, 77, 777, 7777)[x & 3],
    ),
    "byte_address": Snippet(
        """
%b = OpBitcast %global_uchar %at_x
%p = OpInBoundsPtrAccessChain %global_uchar %b %size_3
%c = OpLoad %uchar %p Aligned 1
%y = OpUConvert %uint %c""",
        lambda x, i: x >> 24,
    ),
    "negative_element": Snippet(
        """
%p = OpPtrAccessChain %global_uint %at_x %size_1
%q = OpPtrAccessChain %global_uint %p %size_-1
%y = OpLoad %uint %q Aligned 4 """,
        lambda x, i: x,
    ),
    "pointer_as_integer": Snippet(
        """
%a = OpConvertPtrToU %size %p_x
%four = OpIMul %size %i %size_4
%b = OpIAdd %size %a %four
%p = OpConvertUToPtr %global_uint %b
%l = OpLoad %uint %p Aligned 4
%y = OpIAdd %uint %l %uint_1""",
        lambda x, i: x + 1,
    ),
    "pointer_difference_of_addresses": Snippet(
        """
%a = OpConvertPtrToU %size %at_x
%b = OpConvertPtrToU %size %p_x
%d = OpISub %size %a %b
%e = OpUConvert %ushort %d
%y = OpUConvert %uint %e""",
        lambda x, i: 4 * i,
    ),
    "select_pointer": Snippet(
        """
%va = OpVariable %function_uint Function
%vb = OpVariable %function_uint Function
OpStore %va %x
OpStore %vb %uint_12
%c = OpUGreaterThan %bool %x %uint_12
%p = OpSelect %function_uint %c %va %vb
%y = OpLoad %uint %p""",
        lambda x, i: max(x, 12),
    ),
    "pointer_in_variable": Snippet(
        """
%pp = OpTypePointer Function %global_uint
%v = OpVariable %pp Function
OpStore %v %at_x
%p = OpLoad %global_uint %v
%y = OpLoad %uint %p Aligned 4""",
        lambda x, i: x,
    ),
    "packed_struct": Snippet(
        """
%S = OpTypeStruct %uchar %uint
OpDecorate %S CPacked
%v = OpVariable %function_S Function
%p0 = OpInBoundsAccessChain %function_uchar %v %uint_0
%p1 = OpInBoundsAccessChain %function_uint %v %uint_1
OpStore %p0 %uchar_1 Aligned 1
OpStore %p1 %x Aligned 1
%b = OpBitcast %function_uchar %v
%q = OpInBoundsPtrAccessChain %function_uchar %b %size_1
%c = OpLoad %uchar %q Aligned 1
%y = OpUConvert %uint %c""",
        lambda x, i: x & 255,
    ),
    "padded_struct": Snippet(
        """
%S = OpTypeStruct %uchar %uint
%v = OpVariable %function_S Function
%p1 = OpInBoundsAccessChain %function_uint %v %uint_1
OpStore %p1 %x Aligned 4
%b = OpBitcast %function_uchar %v
%q = OpInBoundsPtrAccessChain %function_uchar %b %size_5
%c = OpLoad %uchar %q Aligned 1
%y = OpUConvert %uint %c""",
        lambda x, i: x >> 8 & 255,
    ),
    "nontemporal": Snippet(
        """
%l = OpLoad %uint %at_x Aligned|Nontemporal 4
%y = OpIAdd %uint %l %uint_3""",
        lambda x, i: x + 3,
    ),
    "lifetime": Snippet(
        """
%v = OpVariable %function_uint Function
%b = OpBitcast %function_uchar %v
OpLifetimeStart %b 4
OpStore %v %x
%y = OpLoad %uint %v
OpLifetimeStop %b 4""",
        lambda x, i: x,
    ),
    "aligned_variable": Snippet(
        """
%v = OpVariable %function_uint Function
OpDecorate %v Alignment 64
OpStore %v %x
%a = OpConvertPtrToU %size %v
%low = OpBitwiseAnd %size %a %size_3
%e = OpUConvert %ushort %low
%f = OpUConvert %uint %e
%l = OpLoad %uint %v
%y = OpIAdd %uint %l %f""",
        lambda x, i: x,
    ),
    "vector_component": Snippet(
        """
%v = OpVariable %function_v4uint Function
%w = OpCompositeConstruct %v4uint %uint_1 %x %uint_3 %uint_4
OpStore %v %w
%k = OpBitwiseAnd %uint %x %uint_3
%p = OpInBoundsAccessChain %function_uint %v %k
%y = OpLoad %uint %p""",
        lambda x, i: (1, x, 3, 4)[x & 3],
    ),
    "pointers_equal": Snippet(
        """
%e = OpPtrEqual %bool %at_x %p_x
%n = OpPtrNotEqual %bool %at_x %p_x
%d = OpPtrDiff %uint %at_x %p_x
%r0 = OpSelect %uint %e %uint_1000 %uint_0
%r1 = OpSelect %uint %n %uint_2000 %uint_0
%s = OpIAdd %uint %r0 %r1
%y = OpIAdd %uint %s %d""",
        lambda x, i: (2000 if i else 1000) + i,
        version=(1, 4),
        requires=("il_1.4",),
    ),
    "size_of": Snippet(
        """
%S = OpTypeStruct %uchar %v4uint
%P = OpTypePointer Function %S
%n = OpSizeOf %uint %P
%y = OpIAdd %uint %n %x""",
        lambda x, i: x + 32,
        version=(1, 1),
        requires=("il_1.1",),
    ),
    "sub_word_stores": Snippet(
        """
%v = OpVariable %function_uint Function %uint_0x11223344
%s = OpBitcast %function_ushort %v
%p = OpInBoundsPtrAccessChain %function_ushort %s %size_1
%t = OpUConvert %ushort %x
OpStore %p %t Aligned 2
%y = OpLoad %uint %v""",
        lambda x, i: (x & 0xFFFF) << 16 | 0x3344,
    ),
    "sign_of_members": Snippet(
        """
%c = OpUConvert %uchar %x
%w = OpSConvert %uint %c
%y = OpShiftRightArithmetic %uint %w %uint_4""",
        lambda x, i: signed(((x & 255) ^ 128) - 128 & 0xFFFFFFFF) >> 4,
    ),
}
_WORD = "%type_w = OpTypeFunction %uint %uint\n"

FUNCTIONS: dict[str, Snippet] = {
    "call": Snippet(
        "%y = OpFunctionCall %uint %g %x",
        lambda x, i: 2 * x + 1,
        _WORD
        + """
%g = OpFunction %uint None %type_w
%p = OpFunctionParameter %uint
%gb = OpLabel
%t = OpIAdd %uint %p %p
%u = OpIAdd %uint %t %uint_1
OpReturnValue %u
OpFunctionEnd""",
    ),
    **{
        f"control_{control}": Snippet(
            "%y = OpFunctionCall %uint %g %x",
            lambda x, i: x ^ 0x55,
            _WORD
            + f"""
%g = OpFunction %uint {control} %type_w
%p = OpFunctionParameter %uint
%gb = OpLabel
%t = OpBitwiseXor %uint %p %uint_0x55
OpReturnValue %t
OpFunctionEnd""",
        )
        for control in ("Inline", "DontInline", "Pure", "Const")
    },
    "calls_of_calls": Snippet(
        """
%a = OpFunctionCall %uint %h %x
%y = OpFunctionCall %uint %h %a""",
        lambda x, i: 9 * x + 3 * 4 + 4,
        _WORD
        + """
%h = OpFunction %uint None %type_w
%ph = OpFunctionParameter %uint
%hb = OpLabel
%th = OpFunctionCall %uint %g %ph
%uh = OpIAdd %uint %th %uint_4
OpReturnValue %uh
OpFunctionEnd
%g = OpFunction %uint None %type_w
%p = OpFunctionParameter %uint
%gb = OpLabel
%t = OpIMul %uint %p %uint_3
OpReturnValue %t
OpFunctionEnd""",
    ),
    "early_return": Snippet(
        "%y = OpFunctionCall %uint %g %x",
        lambda x, i: 1 if x & 1 else 2 if x & 2 else x,
        _WORD
        + """
%g = OpFunction %uint None %type_w
%p = OpFunctionParameter %uint
%gb = OpLabel
%b0 = OpBitwiseAnd %uint %p %uint_1
%c0 = OpINotEqual %bool %b0 %uint_0
OpBranchConditional %c0 %one %more
%one = OpLabel
OpReturnValue %uint_1
%more = OpLabel
%b1 = OpBitwiseAnd %uint %p %uint_2
%c1 = OpINotEqual %bool %b1 %uint_0
OpBranchConditional %c1 %two %last
%two = OpLabel
OpReturnValue %uint_2
%last = OpLabel
OpReturnValue %p
OpFunctionEnd""",
    ),
    "return_from_loop": Snippet(
        "%y = OpFunctionCall %uint %g %x",
        lambda x, i: next((k for k in range(32) if x >> k & 1), 99),
        _WORD
        + """
%g = OpFunction %uint None %type_w
%p = OpFunctionParameter %uint
%gb = OpLabel
OpBranch %head
%head = OpLabel
%k = OpPhi %uint %uint_0 %gb %k1 %next
%c = OpULessThan %bool %k %uint_32
OpBranchConditional %c %work %none
%work = OpLabel
%s = OpShiftRightLogical %uint %p %k
%b = OpBitwiseAnd %uint %s %uint_1
%d = OpINotEqual %bool %b %uint_0
OpBranchConditional %d %found %next
%found = OpLabel
OpReturnValue %k
%next = OpLabel
%k1 = OpIAdd %uint %k %uint_1
OpBranch %head
%none = OpLabel
OpReturnValue %uint_99
OpFunctionEnd""",
    ),
    "void_by_pointer": Snippet(
        """
%v = OpVariable %function_uint Function
OpStore %v %x
%none = OpFunctionCall %void %g %v %uint_13
%y = OpLoad %uint %v""",
        lambda x, i: x + 13,
        """
%type_g = OpTypeFunction %void %function_uint %uint
%g = OpFunction %void None %type_g
%p = OpFunctionParameter %function_uint
%q = OpFunctionParameter %uint
%gb = OpLabel
%l = OpLoad %uint %p
%s = OpIAdd %uint %l %q
OpStore %p %s
OpReturn
OpFunctionEnd""",
    ),
    "struct_by_value": Snippet(
        """
%S = OpTypeStruct %uint %v2uint
%two = OpConstantComposite %v2uint %uint_5 %uint_6
%s = OpCompositeConstruct %S %x %two
%t = OpFunctionCall %S %g %s
%a = OpCompositeExtract %uint %t 0
%b = OpCompositeExtract %uint %t 1 0
%c = OpCompositeExtract %uint %s 0
%d = OpIMul %uint %b %a
%y = OpIAdd %uint %d %c""",
        lambda x, i: 6 * (x + 1) + x,
        """
%type_g = OpTypeFunction %S %S
%g = OpFunction %S None %type_g
%p = OpFunctionParameter %S
%gb = OpLabel
%p0 = OpCompositeExtract %uint %p 0
%p1 = OpCompositeExtract %uint %p 1 1
%q0 = OpIAdd %uint %p0 %uint_1
%r0 = OpCompositeInsert %S %q0 %p 0
%r1 = OpCompositeInsert %S %p1 %r0 1 0
OpReturnValue %r1
OpFunctionEnd""",
    ),
    "vector_arguments": Snippet(
        """
%v = OpCompositeConstruct %v3uint %x %uint_2 %uint_3
%w = OpFunctionCall %v3uint %g %v %uint_7
%a = OpCompositeExtract %uint %w 0
%b = OpCompositeExtract %uint %w 2
%y = OpISub %uint %a %b""",
        lambda x, i: 3 + 7 - x,
        """
%type_g = OpTypeFunction %v3uint %v3uint %uint
%g = OpFunction %v3uint None %type_g
%p = OpFunctionParameter %v3uint
%q = OpFunctionParameter %uint
%gb = OpLabel
%t = OpVectorShuffle %v3uint %p %p 2 1 0
%t0 = OpCompositeExtract %uint %t 0
%u0 = OpIAdd %uint %t0 %q
%u = OpCompositeInsert %v3uint %u0 %t 0
OpReturnValue %u
OpFunctionEnd""",
    ),
    "many_arguments": Snippet(
        "%y = OpFunctionCall %uint %g " + " ".join("%x" if k == 9 else f"%uint_{k}" for k in range(20)),
        lambda x, i: 19 * 18 - x,
        "%type_g = OpTypeFunction %uint"
        + " %uint" * 20
        + "\n%g = OpFunction %uint None %type_g\n"
        + "".join(f"%p{k} = OpFunctionParameter %uint\n" for k in range(20))
        + """%gb = OpLabel
%t = OpIMul %uint %p19 %p18
%u = OpISub %uint %t %p9
OpReturnValue %u
OpFunctionEnd""",
    ),
    "truth_argument": Snippet(
        """
%c = OpUGreaterThan %bool %x %uint_500
%d = OpFunctionCall %bool %g %c
%y = OpSelect %uint %d %uint_5 %uint_6""",
        lambda x, i: 6 if x > 500 else 5,
        """
%type_g = OpTypeFunction %bool %bool
%g = OpFunction %bool None %type_g
%p = OpFunctionParameter %bool
%gb = OpLabel
%t = OpLogicalNot %bool %p
OpReturnValue %t
OpFunctionEnd""",
    ),
    "global_pointer_argument": Snippet(
        "%y = OpFunctionCall %uint %g %p_x %i",
        lambda x, i: x + 2,
        """
%type_g = OpTypeFunction %uint %global_uint %size
%g = OpFunction %uint None %type_g
%p = OpFunctionParameter %global_uint
%q = OpFunctionParameter %size
%gb = OpLabel
%t = OpInBoundsPtrAccessChain %global_uint %p %q
%l = OpLoad %uint %t Aligned 4
%u = OpIAdd %uint %l %uint_2
OpReturnValue %u
OpFunctionEnd""",
    ),
    "extension_arguments": Snippet(  # Sext, Zext and NoWrite change nothing that a program may see
        """
%c = OpUConvert %uchar %x
%y = OpFunctionCall %uint %g %c %c""",
        lambda x, i: (((x & 255) ^ 128) - 128) + (x & 255),
        """
OpDecorate %p FuncParamAttr Sext
OpDecorate %q FuncParamAttr Zext
%type_g = OpTypeFunction %uint %uchar %uchar
%g = OpFunction %uint None %type_g
%p = OpFunctionParameter %uchar
%q = OpFunctionParameter %uchar
%gb = OpLabel
%s = OpSConvert %uint %p
%z = OpUConvert %uint %q
%u = OpIAdd %uint %s %z
OpReturnValue %u
OpFunctionEnd""",
    ),
}
