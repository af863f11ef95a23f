"""Mutants of the emulated Intel GPU, as in wrong_rules.py for the Adreno."""

from wrong_rules import Wrong

_ALU, _FLOW, _REAL = "test_intel_alu.py::test_", "test_intel_flow.py::test_", "test_intel_reals.py::test_"
_REGIONS, _MESSAGES = "test_intel_regions.py::test_", "test_intel_messages.py::test_"
_ATOMICS = "test_intel_atomics.py::test_"
_IMAGES = "test_intel_images.py::test_a_texel_lies_where_its_tiles_have_it"
_HAZARD = "test_intel_hazards.py::test_rule"
_INTEGERS = f"{_ALU}integers_of_a_type_are_computed_exactly"
_REALS = f"{_REAL}real_numbers_are_rounded_once"

WRONG = (
    # what is computed
    Wrong("avg_rounds_down", "intel/instructions.py", '"(a + b + 1) >> 1"', '"(a + b) >> 1"', f"{_INTEGERS}[avg]"),
    Wrong("asr_has_no_sign", "intel/instructions.py", '"a >> (b & SHIFT)"', '"(i64)(LOW(a) >> (b & SHIFT))"', f"{_INTEGERS}[asr]"),
    Wrong("a_mad_rounds_twice", "intel/alu.h", "(double)fmaf((float)(x), (float)(y), (float)(z))",
          "(double)((float)(x) * (float)(y) + (float)(z))", f"{_REALS}[mad-f]"),
    Wrong("not_is_minus", "intel/regions.c", "i->op->logic ? ~x : -x", "-x",
          f"{_ALU}modifiers_of_integers[neg-]"),
    Wrong("a_modified_integer_has_a_bit_more", "intel/regions.c", "ACCUMULATOR ? 0 : 64 - 8 * bytes_of(o->type);", "ACCUMULATOR ? 0 : 0;",
          f"{_ALU}modifiers_of_integers[neg-]"),
    Wrong("a_field_of_a_signed_word_has_no_sign", "intel/alu.c", "negative ? (i64)((i32)(x << left) >> right)", "0 ? 0",
          f"{_ALU}signed_words_are_extended[bfe]"),
    Wrong("a_nan_saturates_to_one", "intel/alu.c", "d > 0 ? d < 1 ? d : 1 : 0", "d < 1 ? d > 0 ? d : 0 : 1", f"{_REALS}[add-f]"),
    Wrong("an_integer_is_not_saturated", "intel/numbers.c", "x < low[type] ? low[type] : x > high[type] ? high[type] : x", "x",
          f"{_INTEGERS}[add]"),
    Wrong("half_is_always_to_the_nearest", "intel/numbers.c", "if (!mode || x != x || x == d)", "if (1)",
          f"{_REAL}conversions_between_real_numbers_round_by_the_mode[1]"),
    Wrong("down_is_to_zero", "intel/alu.c", "FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO", "FE_UPWARD, FE_TOWARDZERO, FE_TOWARDZERO",
          f"{_REALS}[add-f]"),
    Wrong("denormals_stay", "intel/regions.c", "return !(wave->reg.control & keeps) &&", "return 0 &&",
          f"{_REAL}denormals_are_flushed_if_the_launch_does_not_keep_them"),
    Wrong("sel_takes_the_nan", "intel/alu.c", "first = a == a;", "first = a != a;",
          f"{_REAL}sel_takes_the_smaller_or_the_greater_and_the_number_that_is_one"),
    Wrong("cmpn_is_cmp", "intel/alu.c", "real && lets_nan && k", "0 && lets_nan && k",
          f"{_REAL}cmpn_lets_a_nan_on_the_right_through"),
    Wrong("a_condition_is_of_what_was_computed", "intel/alu.c", "stored.d[k] = round_real(real ? v->d[k] : (double)v->i[k], type, mode);",
          "stored.d[k] = real ? v->d[k] : (double)v->i[k];", f"{_REAL}a_condition_of_a_result_is_one_of_what_is_stored"),
    Wrong("mach_forgets_what_was_there", "intel/alu.c", "i64 before = wave->reg.acc[c],", "i64 before = 0,",
          f"{_ALU}mul_and_mach_make_the_upper_half_of_a_product[ud]"),
    # operands
    Wrong("a_row_is_as_long_as_all_channels", "intel/decode.c", "k / o->width * o->vertical + k % o->width * o->horizontal",
          "k * o->horizontal", f"{_REGIONS}a_region_names_rows_and_columns[ud-region4]"),
    Wrong("an_address_is_not_scaled", "intel/regions.c", "+ column * o->horizontal) * bytes)", "+ column * o->horizontal))",
          f"{_REGIONS}an_address_register_moves_a_region"),
    Wrong("the_upper_channels_are_the_lower", "intel/regions.c", "(u32)(wave->active.w[0] >> i->first) & all", "(u32)wave->active.w[0] & all",
          f"{_REGIONS}channels_by_mask_predicate_and_group"),
    Wrong("any_is_all", "intel/regions.c", "i->predicate & 1);", "!(i->predicate & 1));", f"{_REGIONS}predicates_of_groups[4-3]"),
    Wrong("a_short_immediate_has_no_sign", "intel/decode.c", "(u32)((i32)(value << 20) >> 20)", "value",
          f"{_REGIONS}a_compacted_immediate_is_extended"),
    # control flow
    Wrong("kernels_are_kept_for_ever", "intel/decode.c", "if (known_size > MOST_KNOWN)", "if (0)",
          f"{_FLOW}kernels_of_earlier_launches_are_forgotten"),
    Wrong("channels_do_not_join", "intel/flow.c", "if (kernel->code[wave->pc].joins && wave->parked_count)", "if (0)",
          f"{_FLOW}if_and_else_take_their_channels"),
    Wrong("a_break_waits_before_the_while", "intel/decode.c", "         i->uip++;", "         ;",
          f"{_FLOW}a_break_leaves_the_loop_and_waits_after_it"),
    Wrong("a_path_that_spins_lets_others_run", "intel/flow.c", "wave->turns = 0; /*", "/*",
          f"{_FLOW}a_loop_of_many_turns_does_not_let_other_lanes_go_ahead"),
    Wrong("a_barrier_holds_nobody", "intel/flow.c", "   wave_barrier(wave, wave->pc + 1);", "   wave->pc++;",
          f"{_FLOW}a_barrier_holds_threads_until_all_have_come"),
    # messages
    Wrong("an_answer_overwrites_its_question", "intel/send.c", "memcpy(&value, m->bytes + 4 * k, 4);",
          "memcpy(&value, m->wave->reg.grf + m->i->src[0].at + 4 * k, 4);", f"{_MESSAGES}an_answer_may_take_the_place_of_the_addresses"),
    Wrong("a_block_ignores_the_channels", "intel/dataport.c", "if (write && !(m->channels >>", "if (0 && !(m->channels >>",
          f"{_MESSAGES}blocks_obey_the_channels_when_they_are_written"),
    Wrong("a_surface_has_no_end", "intel/surfaces.c", "offset + size > s->size ? NULL", "0 ? NULL",
          f"{_MESSAGES}a_surface_answers_zeros_beyond_its_size_and_drops_stores"),
    Wrong("a_spilled_register_is_defined", "intel/dataport.c", "memcpy(m->wave->reg.written + (to - m->wave->reg.grf), written, 4);", ";",
          f"{_MESSAGES}what_comes_back_is_as_undefined_as_it_was"),
    Wrong("imax_is_umax", "intel/dataport.c", "case IMAX: return less ? a : old;", "case IMAX: return old > a ? old : a;",
          f"{_ATOMICS}atomics_of_integers[10]"),
    Wrong("predec_answers_what_was_there", "intel/dataport.c", "return !real && operation == PREDECREMENT ? value : old;", "return old;",
          f"{_ATOMICS}atomics_of_integers[15]"),
    Wrong("a_field_is_inserted_where_it_lies", "intel/instructions.py", "(i64)((u64)b * (u64)(a & -a))", "b", f"{_INTEGERS}[bfi2]"),
    Wrong("words_of_the_accumulator_are_dwords", "intel/regions.c", "o->sub + o->offset[k]) / bytes;", "o->sub + o->offset[k]) / 4;",
          f"{_ALU}the_accumulator_has_more_bits_than_a_source[w]"),
    Wrong("a_fence_orders_nothing", "intel/dataport.c", "m->wave->released++;", "", f"{_MESSAGES}fences_on_both_sides_order_two_threads"),
    Wrong("tiles_are_the_same_for_all_texels", "intel/images.c", "bytes >= 8 ? 0xaacf : ", "", f"{_IMAGES}[yf-8]"),
    Wrong("large_tiles_are_small", "intel/images.c", "t->standard == TILE_64K ? 16 : 12", "12", f"{_IMAGES}[ys-4]"),
    # what is waited for
    Wrong("a_sync_is_counted", "intel/scoreboard.c", "!unordered && i->op->run != run_sync;", "!unordered;", f"{_HAZARD}[a sync is not counted]"),
    Wrong("to_have_read_is_to_have_written", "intel/scoreboard.c", "u16 over = how == READ ? wait->read | wait->written : wait->written;",
          "u16 over = wait->read | wait->written;", f"{_HAZARD}[answer]"),
    Wrong("what_channels_obey_waits_for_all", "intel/scoreboard.c", "&= maskless_too ? ~tokens : ~0;", "&= ~tokens;",
          f"{_HAZARD}[a wait that channels obey]"),
    Wrong("what_channels_obey_has_waited_for_the_next_message", "intel/scoreboard.c", "c->now.waited[how][u] &= ~(1u << token);", ";",
          f"{_HAZARD}[a wait that channels obey, for others that do]"),
    Wrong("a_distance_that_channels_obey_waits_for_all", "intel/scoreboard.c", "for (u32 masked = !i->no_mask;", "for (u32 masked = 0;",
          f"{_HAZARD}[a distance that channels obey]"),
    Wrong("the_last_path_decides", "intel/hazards.c", "(!there || age < (u32)-there);", "!there;", f"{_HAZARD}[nearer on the way back]"),
    Wrong("a_taken_token_is_free", "intel/scoreboard.c", "      wait.written |= 1u << wait.token;", "      ;", f"{_HAZARD}[a token taken again]"),
    Wrong("lengths_of_a0_are_none", "intel/scoreboard.c", "last->file == IMMEDIATE && !i->predicate;", "false;", f"{_HAZARD}[answer by a0]"),
)  # fmt: skip
