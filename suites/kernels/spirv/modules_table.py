"""Specialisation constants, built-in variables, atomics, and invalid modules. Plain Python."""

# Operations of OpSpecConstantOp on two words, and their results for SPEC_OPERANDS (SPIR-V 1.6, 3.52.7).
SPEC_OPERANDS = (0xFFFFFFF0, 5)
SPEC_OPERATIONS: dict[str, int] = {
    "IAdd": 0xFFFFFFF5,
    "ISub": 0xFFFFFFEB,
    "IMul": 0xFFFFFFB0,
    "UDiv": 0x33333330,
    "SDiv": 0xFFFFFFFD,
    "UMod": 0,
    "SRem": 0xFFFFFFFF,
    "SMod": 4,
    "ShiftRightLogical": 0x7FFFFFF,
    "ShiftRightArithmetic": 0xFFFFFFFF,
    "ShiftLeftLogical": 0xFFFFFE00,
    "BitwiseOr": 0xFFFFFFF5,
    "BitwiseXor": 0xFFFFFFF5,
    "BitwiseAnd": 0,
    "SNegate": 16,
    "Not": 15,
}
SPEC_RELATIONS: dict[str, bool] = {
    "IEqual": False,
    "INotEqual": True,
    "UGreaterThan": True,
    "SGreaterThan": False,
    "ULessThan": False,
    "SLessThan": True,
    "UGreaterThanEqual": True,
    "SGreaterThanEqual": False,
    "ULessThanEqual": False,
    "SLessThanEqual": True,
}
# Families of instructions on constants (known.py).
CONSTANT_FAMILIES = (
    *("integer", "constant", "composed", "constant_composed", "constant_vector", "aggregates"),
    *("constant_aggregates", "extended", "saturating", "convert", "constant_convert", "float", "constant_float"),
    *("convert_float", "constant_convert_float", "saturate_float"),
)
# The instructions of SPV_KHR_integer_dot_product.
DOTS = ("SDot", "UDot", "SUDot", "SDotAccSat", "UDotAccSat", "SUDotAccSat")
# Pairs of builds that differ in one input (cached.py).
SPEC_KEYS = (
    *("value", "set", "second_value", "exchanged_values", "exchanged_ids", "other_one_set", "default", "module"),
    "module_with_values",
)
# The default, and the value that is set.
SPEC_TYPES: dict[str, tuple[str, str]] = {
    "uchar": ("7", "200"),
    "ushort": ("700", "60000"),
    "uint": ("70000", "4000000000"),
    "ulong": ("5000000000", "18446744073709551615"),
    "half": ("1.5", "-0.25"),
    "float": ("0.75", "-123456.5"),
    "double": ("0.1", "-1e300"),
}
BUILT_INS: dict[str, str] = {
    "GlobalInvocationId": "v3size",
    "LocalInvocationId": "v3size",
    "WorkgroupId": "v3size",
    "NumWorkgroups": "v3size",
    "WorkgroupSize": "v3size",
    "EnqueuedWorkgroupSize": "v3size",
    "GlobalSize": "v3size",
    "GlobalOffset": "v3size",
    "GlobalLinearId": "size",
    "LocalInvocationIndex": "size",
    "WorkDim": "uint",
}
ATOMICS = (
    *("IIncrement", "IDecrement", "IAdd", "ISub", "SMin", "UMin", "SMax", "UMax", "And", "Or", "Xor", "Exchange"),
    *("CompareExchange", "Load", "Store"),
)
# Changes to a good module: the old text, the new text. The result is not a valid SPIR-V 1.0 module.
BAD_TEXTS: dict[str, tuple[str, str]] = {
    "undefined_id": ("OpIAdd %uint %x %uint_7", "OpIAdd %uint %x %nowhere"),
    "undefined_type": ("OpIAdd %uint %x %uint_7", "OpIAdd %nowhere %x %uint_7"),
    "type_as_operand": ("OpIAdd %uint %x %uint_7", "OpIAdd %uint %x %uint"),
    "value_as_type": ("OpIAdd %uint %x %uint_7", "OpIAdd %x %x %uint_7"),
    "label_as_operand": ("OpIAdd %uint %x %uint_7", "OpIAdd %uint %x %entry"),
    "function_as_operand": ("OpIAdd %uint %x %uint_7", "OpIAdd %uint %x %kernel"),
    "other_result_type": ("OpIAdd %uint %x %uint_7", "OpIAdd %ushort %x %uint_7"),
    "float_add_of_integers": ("OpIAdd %uint %x %uint_7", "OpFAdd %uint %x %uint_7"),
    "integer_add_of_floats": (
        "%y = OpIAdd %uint %x %uint_7",
        "%q = OpIAdd %float %float_1 %float_2\n%y = OpCopyObject %uint %x",
    ),
    "vector_and_scalar": (
        "%y = OpIAdd %uint %x %uint_7",
        "%v = OpCompositeConstruct %v2uint %x %x\n%y = OpIAdd %uint %v %x",
    ),
    "use_before_definition": ("%y = OpIAdd %uint %x %uint_7", "%y = OpIAdd %uint %x %z\n%z = OpIAdd %uint %x %x"),
    "extract_beyond": (
        "%y = OpIAdd %uint %x %uint_7",
        "%v = OpCompositeConstruct %v2uint %x %x\n%y = OpCompositeExtract %uint %v 2",
    ),
    "extract_of_scalar": ("OpIAdd %uint %x %uint_7", "OpCompositeExtract %uint %x 0"),
    "construct_too_few": (
        "%y = OpIAdd %uint %x %uint_7",
        "%v = OpCompositeConstruct %v4uint %x %x\n%y = OpCompositeExtract %uint %v 0",
    ),
    "store_other_type": ("%y = OpIAdd %uint %x %uint_7", "OpStore %at_x %float_1\n%y = OpCopyObject %uint %x"),
    "load_of_value": ("OpIAdd %uint %x %uint_7", "OpLoad %uint %x"),
    "load_other_type": ("OpIAdd %uint %x %uint_7", "OpLoad %float %at_x"),
    "select_without_truth": ("OpIAdd %uint %x %uint_7", "OpSelect %uint %x %x %uint_7"),
    "branch_to_nowhere": ("%y = OpIAdd %uint %x %uint_7", "OpBranch %nowhere\n%l = OpLabel\n%y = OpCopyObject %uint %x"),
    "branch_to_value": ("%y = OpIAdd %uint %x %uint_7", "OpBranch %x\n%l = OpLabel\n%y = OpCopyObject %uint %x"),
    "branch_to_entry": ("%y = OpIAdd %uint %x %uint_7", "OpBranch %entry\n%l = OpLabel\n%y = OpCopyObject %uint %x"),
    "branch_on_integer": (
        "%y = OpIAdd %uint %x %uint_7",
        "OpBranchConditional %x %l %l\n%l = OpLabel\n%y = OpCopyObject %uint %x",
    ),
    "phi_without_parent": ("%y = OpIAdd %uint %x %uint_7", "OpBranch %l\n%l = OpLabel\n%y = OpPhi %uint %x %l"),
    "phi_other_type": ("%y = OpIAdd %uint %x %uint_7", "OpBranch %l\n%l = OpLabel\n%y = OpPhi %uint %float_1 %entry"),
    "switch_on_float": ("%y = OpIAdd %uint %x %uint_7", "OpSwitch %float_1 %l\n%l = OpLabel\n%y = OpCopyObject %uint %x"),
    "block_without_end": ("OpReturn", ""),
    "no_label": ("%entry = OpLabel", ""),
    "no_function_end": ("OpFunctionEnd", ""),
    "value_returned": ("OpReturn", "OpReturnValue %x"),
    "call_of_value": ("OpIAdd %uint %x %uint_7", "OpFunctionCall %uint %x %x"),
    "call_of_nothing": ("OpIAdd %uint %x %uint_7", "OpFunctionCall %uint %nowhere %x"),
    "other_function_type": (
        "OpTypeFunction %void %global_uint %global_uint",
        "OpTypeFunction %uint %global_uint %global_uint",
    ),
    "too_few_parameters": ("OpTypeFunction %void %global_uint %global_uint", "OpTypeFunction %void %global_uint"),
    "integer_of_33_bits": ("%y = OpIAdd", "%odd = OpTypeInt 33 0\n%y = OpIAdd"),
    "float_of_8_bits": ("%y = OpIAdd", "%odd = OpTypeFloat 8\n%y = OpIAdd"),
    "vector_of_5": ("%y = OpIAdd", "%odd = OpTypeVector %uint 5\n%y = OpIAdd"),
    "vector_of_1": ("%y = OpIAdd", "%odd = OpTypeVector %uint 1\n%y = OpIAdd"),
    "vector_of_vectors": ("%y = OpIAdd", "%odd = OpTypeVector %v2uint 2\n%y = OpIAdd"),
    "array_of_void": ("%y = OpIAdd", "%odd = OpTypeArray %void %uint_7\n%y = OpIAdd"),
    "array_of_none": ("%y = OpIAdd", "%odd = OpTypeArray %uint %uint_0\n%y = OpIAdd"),
    "recursive_array": ("%y = OpIAdd", "%odd = OpTypeArray %odd %uint_7\n%y = OpIAdd"),
    "recursive_struct": ("%y = OpIAdd", "%odd = OpTypeStruct %uint %odd\n%y = OpIAdd"),
    "constant_of_void": ("%y = OpIAdd", "%odd = OpConstantNull %void\n%y = OpIAdd"),
    "composite_too_few": ("%y = OpIAdd", "%odd = OpConstantComposite %v3uint %uint_1\n%y = OpIAdd"),
    "truth_of_integer_type": ("%y = OpIAdd", "%odd = OpConstantTrue %uint\n%y = OpIAdd"),
    "unknown_import": ("%y = OpIAdd", '%ext = OpExtInstImport "no.such.set"\n%q = OpExtInst %uint %ext clz %x\n%y = OpIAdd'),
    "extended_of_no_set": ("%y = OpIAdd", "%q = OpExtInst %uint %x clz %x\n%y = OpIAdd"),
    "logical_addressing": ("%y = OpIAdd", "OpMemoryModel Logical GLSL450\n%y = OpIAdd"),
    "compute_shader": ("OpEntryPoint Kernel", "OpEntryPoint GLCompute"),
    "entry_point_is_no_function": ('Kernel %kernel "f" %gid', 'Kernel %uint "f" %gid'),
    "entry_point_is_nowhere": ('Kernel %kernel "f" %gid', 'Kernel %nowhere "f" %gid'),
    "two_entry_points_of_a_name": ("%y = OpIAdd", 'OpEntryPoint Kernel %kernel "f" %gid\n%y = OpIAdd'),
    "unknown_capability": ("%y = OpIAdd", "OpCapability 4000\n%y = OpIAdd"),
    "unknown_storage_class": ("%y = OpIAdd", "%odd = OpTypePointer 77 %uint\n%y = OpIAdd"),
    "decoration_of_nowhere": ("%y = OpIAdd", "OpDecorate %nowhere Constant\n%y = OpIAdd"),
    "variable_of_no_pointer": ("%y = OpIAdd", "%v = OpVariable %uint Function\n%y = OpIAdd"),
    "built_in_in_constant_memory": (  # SPIR-V Environment 3.0, 2.9: built-in variables have the storage class Input
        '"f" %gid\nOpDecorate %gid BuiltIn GlobalInvocationId\n%gid = OpVariable %input_v3size Input',
        '"f"\nOpDecorate %gid BuiltIn GlobalInvocationId\n%constants = OpTypePointer UniformConstant %v3size\n'
        "%gid = OpVariable %constants UniformConstant",
    ),
    "copy_logical_of_scalar": ("OpIAdd %uint %x %uint_7", "OpCopyLogical %uint %x"),
}
# Changes to the words of a good module: (index, new word), or the number of words to which it is cut.
BAD_WORDS: dict[str, tuple[int, int] | int] = {
    "magic": (0, 0x07230204),
    "magic_zero": (0, 0),
    "version_99": (1, 0x00630000),
    "version_zero": (1, 0),
    "version_all_ones": (1, 0xFFFFFFFF),
    "bound_zero": (3, 0),
    "bound_one": (3, 1),
    "bound_short": (3, 6),
    "schema": (4, 1),
    "opcode": (5, 0x0002FFFF),
    "word_count_zero": (5, 0x00000011),
    "word_count_long": (5, 0xFFFF0011),
    "word_count_short": (5, 0x00010011),
    **{f"cut_to_{n}": n for n in (1, 2, 4, 5, 6, 9, 14, 20, 30, 40, 60)},
}
