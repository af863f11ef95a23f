"""Mutants of the emulator: one rule wrong, a text of emulators/ replaced by another; and the test that must turn red."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wrong:
    name: str
    file: str  # below emulators/
    text: str
    replacement: str
    test: str  # below tests/emulators/


_ALU, _MOVES, _FLOW = "test_alu.py::test_", "test_moves.py::test_", "test_flow.py::test_"
_MEMORY, _ATOMICS, _RACES = "test_memory.py::test_", "test_atomics.py::test_", "test_races.py::test_"
_GROUPS, _WAVE = "test_groups.py::test_", "test_wave.py::test_"
_COMPUTES = f"{_ALU}an_instruction_computes_what_it_means"
_MODIFIERS = f"{_ALU}modifiers_change_a_source_and_flags_the_result"
_CONVERTS = f"{_MOVES}a_conversion_rounds_by_its_mode_and_stays_in_range"

WRONG = (
    # operands and results
    Wrong("neg_sets_the_sign", "adreno/alu.c", "x = s->negate ? x ^ sign : x;", "x = s->negate ? x | sign : x;",
          f"{_MODIFIERS}[add.f]"),
    Wrong("abs_of_an_integer_is_dropped", "adreno/alu.c", "x = s->absolute && x & sign ? -x & all : x;", "",
          f"{_MODIFIERS}[absneg.s]"),
    Wrong("ei_rounds_to_zero", "adreno/alu.c", "i->halve ? sum >> 1", "i->halve ? sum / 2", f"{_MODIFIERS}[add.s]"),
    Wrong("sat_has_no_lower_bound", "adreno/alu.c", "x = max_float(x, 0.f) > 1.f ? 1.f : max_float(x, 0.f);",
          "x = x > 1.f ? 1.f : x;", f"{_MODIFIERS}[mul.f]"),
    Wrong("a_half_float_constant_is_its_low_bits", "adreno/alu.c", "kind == K_FLOAT ? half_bits(as_float(value)) : value & 0xffff",
          "value & 0xffff", f"{_ALU}constants_are_words_of_which_halves_get_a_float_or_the_low_bits"),
    Wrong("a_half_result_clears_the_other_half", "adreno/alu.c", "u32 bits = blend[lane] & (0xffffu << shift);",
          "u32 bits = blend[lane];", f"{_COMPUTES}[add.u]"),
    Wrong("rpt_steps_sources_without_r", "adreno/alu.c", "u32 number = s->number + (s->repeats ? step : 0);",
          "u32 number = s->number + step;", f"{_ALU}rpt_goes_on_in_the_destination_and_where_a_source_has_r"),
    Wrong("a0_counts_down", "adreno/alu.c", "wave->reg.a0[lane] + s->value + (i32)step", "s->value - wave->reg.a0[lane] + (i32)step",
          f"{_ALU}a0_moves_a_source_and_a_destination_lane_by_lane"),
    Wrong("a_signed_half_is_not_extended", "adreno/alu.c", "else if (result == K_SIGNED && i->half)", "else if (0)",
          f"{_COMPUTES}[sub.s]"),
    Wrong("bfrev_is_of_32_bits", "adreno/alu.c", "__builtin_bitreverse32(values[lane]) >> (i->dst_half ? 16 : 0)",
          "__builtin_bitreverse32(values[lane])", f"{_ALU}bfrev_reverses_as_many_bits_as_its_destination_has"),
    Wrong("a_dot_product_forgets_the_sign", "adreno/alu.c", "i->mixed ? (i32)(i8)x : (i32)x", "(i32)x",
          f"{_ALU}a_dot_product_sums_bytes"),
    Wrong("dp4acc_has_one_signed_vector", "adreno/alu.c", "!pair && i->packed ? (i32)(i8)y : (i32)y", "(i32)y",
          f"{_ALU}a_dot_product_sums_bytes"),
    Wrong("neg_of_sel_b_is_an_integers", "adreno/alu.c", "kind == K_FLOAT || kind == K_WORD", "kind == K_FLOAT",
          f"{_MODIFIERS}[sel.b32]"),
    Wrong("a_uniform_predicate_is_of_the_lanes_that_execute", "adreno/alu.c", "if (i->uniform)", "if (0)",
          f"{_FLOW}a_uniform_predicate_is_the_waves_though_some_lanes_compute_it_alone"),
    Wrong("movs_takes_the_first_lane", "adreno/moves.c", "u32 value = values[lane];", "u32 value = values[first];",
          f"{_WAVE}movs_takes_what_one_lane_has"),
    Wrong("the_smaller_of_a_nan_is_the_nan", "adreno/alu.h", "min_float(float a, float b) { return a != a ? b",
          "min_float(float a, float b) { return a != a ? a", f"{_COMPUTES}[min.f]"),
    Wrong("leading_zeros_of_zero_are_its_width", "adreno/alu.h", "(32 - (i32)width) : -1", "(32 - (i32)width) : (i32)width",
          f"{_COMPUTES}[clz.b]"),
    # expressions
    Wrong("le_is_lt", "adreno/generate.py", '_CONDITIONS = ("<", "<=",', '_CONDITIONS = ("<", "<",',
          f"{_ALU}a_comparison_answers_by_its_condition"),
    Wrong("ashr_of_a_half_has_no_sign", "adreno/instructions.py", '"extend(a, WIDTH) >> (b & (WIDTH - 1))"', '"(i32)a >> (b & (WIDTH - 1))"',
          f"{_COMPUTES}[ashr.b]"),
    Wrong("shl_of_a_half_takes_five_bits", "adreno/instructions.py", '"a << (b & (WIDTH - 1))"', '"a << (b & 31)"', f"{_COMPUTES}[shl.b]"),
    Wrong("clz_of_a_negative_is_zero", "adreno/instructions.py", "leading_zeros(a < 0 ? ~a : a, WIDTH)", "leading_zeros(a, WIDTH)",
          f"{_COMPUTES}[clz.s]"),
    Wrong("mad_rounds_once", "adreno/instructions.py", '"mad.f32", "f", "ROUND(a * b) + c"', '"mad.f32", "f", "fmaf(a, b, c)"',
          f"{_COMPUTES}[mad.f32]"),
    Wrong("mul_s24_has_no_sign", "adreno/instructions.py", '"(i32)((u32)signed24(a) * (u32)signed24(b))"', '"(i32)((a & 0xffffff) * (b & 0xffffff))"',
          f"{_COMPUTES}[mul.s24]"),
    Wrong("sel_of_zero_is_the_second", "adreno/instructions.py", '11, "sel.s32", "s", "b >= 0', '11, "sel.s32", "s", "b > 0', f"{_COMPUTES}[sel.s32]"),
    Wrong("rndne_rounds_halves_away", "adreno/instructions.py", '"rintf(a)"', '"roundf(a)"', f"{_COMPUTES}[rndne.f]"),
    # moves
    Wrong("up_is_down", "adreno/moves.c", "case 2: return ceilf(x);", "case 2: return floorf(x);", f"{_CONVERTS}[f32-s32]"),
    Wrong("a_float_is_rounded_to_nearest_as_a_half", "adreno/moves.c", "return near - 1;", "return near;", f"{_CONVERTS}[f32-f16]"),
    Wrong("a_float_may_be_32768_as_a_short", "adreno/moves.c", "{-0x8000, 0x7fff}", "{-0x8000, 0x8000}", f"{_CONVERTS}[f32-s16]"),
    Wrong("a_nan_is_the_least_integer", "adreno/moves.c", "if (rounded != rounded)\n      return 0;", "if (rounded != rounded)\n      return 1u << 31;", f"{_CONVERTS}[f32-s32]"),
    Wrong("a_short_has_no_sign", "adreno/moves.c", "from == S16 ? (i64)(i16)x", "from == S16 ? (i64)(u16)x", f"{_CONVERTS}[s16-s32]"),
    Wrong("sct_takes_one_source", "adreno/decode.c", "i->op->flag == SCT ? part[0] + n : part[n]", "i->op->flag == SCT ? part[0] : part[n]",
          f"{_MOVES}swz_gat_and_sct_read_all_before_they_write"),
    Wrong("movmsk_repeats_its_first_word", "adreno/moves.c", "wave->reg.exec[n / 2] >> 32 * (n % 2)", "wave->reg.exec[0] >> 32 * (n % 2)",
          f"{_MOVES}movmsk_has_a_bit_for_each_lane_that_executes"),
    Wrong("a_shuffle_from_beyond_takes_lane_0", "adreno/moves.c", "values[from < n ? from : lane]", "values[from < n ? from : 0]",
          f"{_WAVE}a_shuffle"),
    Wrong("brcst_takes_a_lane_that_is_not_active", "adreno/moves.c", "last = mask_has(exec, lane) ? lane : last;", "last = lane;",
          f"{_WAVE}brcst_active_takes_the_last_active_lane_of_the_lower_half"),
    Wrong("immediates_have_no_sign", "adreno/decode.c", "s->value = SBITS(value, 0, 10)", "s->value = (i32)BITS(value, 0, 10)",
          f"{_ALU}immediates_are_signed_integers_or_of_the_table_of_floats"),
    # flow
    Wrong("ball_is_bany", "adreno/flow.c", "case BALL: taken = mask_equal(taken, wave->active)", "case BALL: taken = mask_any(taken)",
          f"{_FLOW}a_branch_by_predicates"),
    Wrong("the_second_predicate_is_not_inverted", "adreno/flow.c", "case BRAA: taken = mask_and(taken, predicate(wave, i->predicate2, i->inverted2))",
          "case BRAA: taken = mask_and(taken, predicate(wave, i->predicate2, false))", f"{_FLOW}a_branch_by_predicates"),
    Wrong("getone_lets_all_go_on", "adreno/flow.c", "mask_without(wave->active, one)", "mask_without(wave->active, wave->active)",
          f"{_FLOW}getone_leaves_one_lane_that_goes_on"),
    Wrong("getlast_has_clusters_of_four", "adreno/flow.c", "mask_lowest(wave->active) & ~7u;\n   Mask cluster = mask_and(mask_without(mask_first(first + 8)",
          "mask_lowest(wave->active) & ~3u;\n   Mask cluster = mask_and(mask_without(mask_first(first + 4)",
          f"{_FLOW}getlast_is_of_the_first_cluster_of_eight_with_an_active_lane"),
    Wrong("predf_is_predt", "adreno/flow.c", "i->op->name[4] == 'f' ? ~r->p[0][k] : r->p[0][k]", "r->p[0][k]",
          f"{_FLOW}predicated_parts_execute_in_their_lanes"),
    Wrong("the_preamble_runs_in_every_wave", "adreno/flow.c", "state_of(wave)->preamble_done = true;", "",
          f"{_GROUPS}the_preamble_runs_once_and_its_constants_are_for_all"),
    Wrong("lanes_do_not_join", "engine/launch.c", "if (wave->parked[i].pc == wave->pc) {", "if (0) {",
          f"{_FLOW}each_lane_takes_its_arm_and_all_meet_again"),
    Wrong("a_turn_ends_where_it_begins", "engine/launch.c", "GRANT = 64", "GRANT = 0", f"{_GROUPS}a_lock_that_a_lane_of_the_wave_holds_is_released"),
    Wrong("a_barrier_holds_nobody_back", "engine/launch.c", "next_path(wave);\n}\n\nvoid wave_end", "wave->waiting_count = 0, wave->pc = pc;\n}\n\nvoid wave_end",
          f"{_GROUPS}a_barrier_holds_back_every_wave_of_the_group"),
    Wrong("groups_are_counted_by_x_alone", "engine/launch.c", "index / launch->groups[0] % launch->groups[1]", "index / launch->groups[0] % launch->groups[0]",
          f"{_GROUPS}ids_of_items_and_groups"),
    Wrong("waves_have_64_lanes", "adreno/packets.c", "wide && !half ? 2 * gpu_narrow_wave : gpu_narrow_wave", "wide && !half ? gpu_narrow_wave : gpu_narrow_wave", f"{_WAVE}a_lane_knows_its_number_and_its_wave"),
    # memory
    Wrong("a_buffers_end_is_not_looked_at", "engine/memory.c", "size <= r->end - address", "size <= r->end - r->start",
          f"{_MEMORY}an_access_beside_the_buffers_is_a_fault"),
    Wrong("global_accesses_need_no_alignment", "engine/memory.c", "if (address & (align - 1))", "if (0)",
          f"{_MEMORY}an_access_beside_the_buffers_is_a_fault"),
    Wrong("local_memory_ends_early", "engine/local.c", "offset + size > limit", "offset + size >= limit",
          f"{_MEMORY}what_is_stored_is_loaded_and_ends_are_kept"),
    Wrong("a_read_after_a_write_is_no_race", "engine/local.c", "(access == STORE || touch->how == STORE)", "(access == STORE)",
          f"{_RACES}two_items_at_one_word_without_a_barrier_are_a_race"),
    Wrong("a_barrier_orders_nothing", "engine/launch.c", "group->epoch++;", "", f"{_RACES}two_items_at_one_word_without_a_barrier_are_a_race"),
    Wrong("one_written_byte_is_enough", "engine/local.c", "for (u32 i = 0; i < size; i++)\n      if (!written[i])", "for (u32 i = 0; i < 1; i++)\n      if (!written[i])",
          f"{_RACES}a_read_of_what_nothing_wrote_is_said"),
    Wrong("one_written_half_is_enough", "adreno/alu.c", "!half ? low & high", "!half ? low | high", f"{_RACES}a_read_of_what_nothing_wrote_is_said"),
    Wrong("an_index_counts_bytes", "adreno/memory_access.c", "index << (i->shift + unit)", "index << i->shift",
          f"{_MEMORY}an_index_counts_elements_on_a6xx"),
    Wrong("ldc_reads_past_the_end", "adreno/memory_access.c", "at + 4 * n + 4 <= buffer.size", "at + 4 * n <= buffer.size",
          f"{_MEMORY}ldc_reads_vectors_of_a_buffer_and_zeros_behind_its_end"),
    Wrong("min_has_no_sign", "adreno/memory_access.c", "case ATOMIC_MIN: return negative ?", "case ATOMIC_MIN: return false ?",
          f"{_ATOMICS}an_atomic_on_local_memory"),
    Wrong("cmpxchg_takes_its_operands_the_other_way", "adreno/memory_access.c", "old == compare ? data : old", "old == data ? compare : old",
          f"{_ATOMICS}an_atomic_on_global_memory"),
    Wrong("ldib_is_another_with_an_offset", "adreno/instructions.py", 'Instruction("ldl", 6, {_OPCODE: 1, (52, 53): 0}', 'Instruction("ldl", 6, {_OPCODE: 1}',
          f"{_ATOMICS}loads_stores_and_the_size_of_a_buffer_by_its_descriptor"),
)  # fmt: skip
