"""SPIR-V's numbers: instructions, enumerants and OpenCL.std (SPIR-V 1.6, 3; OpenCL.std 100, 2)."""


def _numbers(text: str) -> dict[str, int]:
    words = text.split()
    return dict(zip(words[::2], map(int, words[1::2]), strict=True))


NO_RESULT = _numbers("""
Nop 0 SourceContinued 2 Source 3 SourceExtension 4 Name 5 MemberName 6 Line 8 Extension 10 MemoryModel 14
EntryPoint 15 ExecutionMode 16 Capability 17 FunctionEnd 56 Store 62 CopyMemory 63 CopyMemorySized 64
Decorate 71 MemberDecorate 72 GroupDecorate 74 GroupMemberDecorate 75 ControlBarrier 224 MemoryBarrier 225
AtomicStore 228 AtomicFlagClear 319 LoopMerge 246 SelectionMerge 247 Branch 249 BranchConditional 250 Switch 251
Return 253 ReturnValue 254 Unreachable 255 LifetimeStart 256 LifetimeStop 257 NoLine 317 ModuleProcessed 330
ExecutionModeId 331 AssumeTrueKHR 5630
""")
RESULT = _numbers("""
String 7 ExtInstImport 11 TypeVoid 19 TypeBool 20 TypeInt 21 TypeFloat 22 TypeVector 23 TypeArray 28
TypeStruct 30 TypeOpaque 31 TypePointer 32 TypeFunction 33 TypeEvent 34 DecorationGroup 73 Label 248
""")
TYPED_RESULT = _numbers("""
Undef 1 ExtInst 12 ConstantTrue 41 ConstantFalse 42 Constant 43 ConstantComposite 44 ConstantNull 46
SpecConstantTrue 48 SpecConstantFalse 49 SpecConstant 50 SpecConstantComposite 51 SpecConstantOp 52 Function 54
FunctionParameter 55 FunctionCall 57 Variable 59 Load 61 AccessChain 65 InBoundsAccessChain 66 PtrAccessChain 67
InBoundsPtrAccessChain 70 GenericPtrMemSemantics 69 VectorExtractDynamic 77 VectorInsertDynamic 78
VectorShuffle 79 CompositeConstruct 80 CompositeExtract 81 CompositeInsert 82 CopyObject 83 ConvertFToU 109
ConvertFToS 110 ConvertSToF 111 ConvertUToF 112 UConvert 113 SConvert 114 FConvert 115 QuantizeToF16 116
ConvertPtrToU 117 SatConvertSToU 118 SatConvertUToS 119 ConvertUToPtr 120 PtrCastToGeneric 121
GenericCastToPtr 122 GenericCastToPtrExplicit 123 Bitcast 124 SNegate 126 FNegate 127 IAdd 128 FAdd 129 ISub 130
FSub 131 IMul 132 FMul 133 UDiv 134 SDiv 135 FDiv 136 UMod 137 SRem 138 SMod 139 FRem 140 FMod 141
VectorTimesScalar 142 Dot 148 IAddCarry 149 ISubBorrow 150 UMulExtended 151 SMulExtended 152 Any 154 All 155
IsNan 156 IsInf 157 IsFinite 158 IsNormal 159 SignBitSet 160 LessOrGreater 161 Ordered 162 Unordered 163
LogicalEqual 164 LogicalNotEqual 165 LogicalOr 166 LogicalAnd 167 LogicalNot 168 Select 169 IEqual 170
INotEqual 171 UGreaterThan 172 SGreaterThan 173 UGreaterThanEqual 174 SGreaterThanEqual 175 ULessThan 176
SLessThan 177 ULessThanEqual 178 SLessThanEqual 179 FOrdEqual 180 FUnordEqual 181 FOrdNotEqual 182
FUnordNotEqual 183 FOrdLessThan 184 FUnordLessThan 185 FOrdGreaterThan 186 FUnordGreaterThan 187
FOrdLessThanEqual 188 FUnordLessThanEqual 189 FOrdGreaterThanEqual 190 FUnordGreaterThanEqual 191
ShiftRightLogical 194 ShiftRightArithmetic 195 ShiftLeftLogical 196 BitwiseOr 197 BitwiseXor 198 BitwiseAnd 199
Not 200 BitReverse 204 BitCount 205 AtomicLoad 227 AtomicExchange 229 AtomicCompareExchange 230
AtomicIIncrement 232 AtomicIDecrement 233 AtomicIAdd 234 AtomicISub 235 AtomicSMin 236 AtomicUMin 237
AtomicSMax 238 AtomicUMax 239 AtomicAnd 240 AtomicOr 241 AtomicXor 242 AtomicFlagTestAndSet 318 Phi 245
SizeOf 321 CopyLogical 400 PtrEqual 401 PtrNotEqual 402 PtrDiff 403 SDot 4450 UDot 4451 SUDot 4452
SDotAccSat 4453 UDotAccSat 4454 SUDotAccSat 4455 ExpectKHR 5631
""")
# Names that several kinds of enumerant share have one value here.
ENUMERANTS = _numbers("""
Matrix 0 Shader 1 Geometry 2 Tessellation 3 Addresses 4 Linkage 5 Kernel 6 Vector16 7 Float16Buffer 8 Float16 9
Float64 10 Int64 11 ImageBasic 13 Pipes 17 Groups 18 DeviceEnqueue 19 LiteralSampler 20 AtomicStorage 21
Int16 22 GenericPointer 38 Int8 39 SubgroupDispatch 58 Logical 0 Physical32 1 Physical64 2 GLSL450 1 OpenCL 2
GLCompute 5 LocalSize 17 LocalSizeHint 18 VecTypeHint 30 ContractionOff 31 LocalSizeId 38 LocalSizeHintId 39
UniformConstant 0 Input 1 Workgroup 4 CrossWorkgroup 5 Private 6 Function 7 Generic 8 None 0 Inline 1 DontInline 2
Pure 4 Const 8 Unroll 1 DontUnroll 2 Flatten 1 DontFlatten 2 Volatile 1 Aligned 2 Nontemporal 4 SpecId 1 CPacked 10
BuiltIn 11
Restrict 19 Aliased 20 Constant 22 SaturatedConversion 28 FuncParamAttr 38 FPRoundingMode 39 FPFastMathMode 40
LinkageAttributes 41 Alignment 44 NoSignedWrap 4469 NoUnsignedWrap 4470 Zext 0 Sext 1 ByVal 2 Sret 3 NoAlias 4
NoCapture 5 NoWrite 6 NoReadWrite 7 RTE 0 RTZ 1 RTP 2 RTN 3 NotNaN 1 NotInf 2 NSZ 4 AllowRecip 8 Fast 16
Export 0 Import 1 LinkOnceODR 2 NumWorkgroups 24 WorkgroupSize 25 WorkgroupId 26 LocalInvocationId 27 GlobalInvocationId 28
LocalInvocationIndex 29 WorkDim 30 GlobalSize 31 EnqueuedWorkgroupSize 32 GlobalOffset 33 GlobalLinearId 34
Unknown 0 OpenCL_C 3 ExpectAssumeKHR 5629 DotProduct 6019 DotProductInput4x8Bit 6017
DotProductInput4x8BitPacked 6018
""")
OPENCL_STD = _numbers("""
acos 0 acosh 1 acospi 2 asin 3 asinh 4 asinpi 5 atan 6 atan2 7 atanh 8 atanpi 9 atan2pi 10 cbrt 11 ceil 12
copysign 13 cos 14 cosh 15 cospi 16 erfc 17 erf 18 exp 19 exp2 20 exp10 21 expm1 22 fabs 23 fdim 24 floor 25
fma 26 fmax 27 fmin 28 fmod 29 fract 30 frexp 31 hypot 32 ilogb 33 ldexp 34 lgamma 35 lgamma_r 36 log 37 log2 38
log10 39 log1p 40 logb 41 mad 42 maxmag 43 minmag 44 modf 45 nan 46 nextafter 47 pow 48 pown 49 powr 50
remainder 51 remquo 52 rint 53 rootn 54 round 55 rsqrt 56 sin 57 sincos 58 sinh 59 sinpi 60 sqrt 61 tan 62
tanh 63 tanpi 64 tgamma 65 trunc 66 half_cos 67 half_divide 68 half_exp 69 half_exp2 70 half_exp10 71
half_log 72 half_log2 73 half_log10 74 half_powr 75 half_recip 76 half_rsqrt 77 half_sin 78 half_sqrt 79
half_tan 80 native_cos 81 native_divide 82 native_exp 83 native_exp2 84 native_exp10 85 native_log 86
native_log2 87 native_log10 88 native_powr 89 native_recip 90 native_rsqrt 91 native_sin 92 native_sqrt 93
native_tan 94 s_abs 141 s_abs_diff 142 s_add_sat 143 u_add_sat 144 s_hadd 145 u_hadd 146 s_rhadd 147 u_rhadd 148
s_clamp 149 u_clamp 150 clz 151 ctz 152 s_mad_hi 153 u_mad_sat 154 s_mad_sat 155 s_max 156 u_max 157 s_min 158
u_min 159 s_mul_hi 160 rotate 161 s_sub_sat 162 u_sub_sat 163 u_upsample 164 s_upsample 165 popcount 166
s_mad24 167 u_mad24 168 s_mul24 169 u_mul24 170 u_abs 201 u_abs_diff 202 u_mul_hi 203 u_mad_hi 204 fclamp 95
degrees 96 fmax_common 97 fmin_common 98 mix 99 radians 100 step 101 smoothstep 102 sign 103 cross 104
distance 105 length 106 normalize 107 fast_distance 108 fast_length 109 fast_normalize 110 bitselect 186
select 187 vloadn 171 vstoren 172 vload_half 173 vload_halfn 174 vstore_half 175 vstore_half_r 176
vstore_halfn 177 vstore_halfn_r 178 vloada_halfn 179 vstorea_halfn 180 vstorea_halfn_r 181 shuffle 182
shuffle2 183 printf 184 prefetch 185
""")
