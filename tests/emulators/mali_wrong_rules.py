"""Rules of the emulated Mali made wrong, one at a time, and the test that each turns red (test_wrong_rules.py)."""

from __future__ import annotations

from wrong_rules import Wrong

_ALU = "test_mali_alu.py::test_an_instruction_in_all_its_forms"
_CLAUSES = "test_mali_clauses.py::test_"
_FLOW = "test_mali_flow.py::test_"
_MEMORY = "test_mali_memory.py::test_"
_IMAGES = "test_mali_images.py::test_"
_DRAWS = "test_mali_draws.py::test_"
_RULE = "test_mali_hazards.py::test_rule"

WRONG = (
    Wrong("a_source_is_not_negated", "mali/decode.c", "i->mod[NEGATES[n]] == O_neg", "false", f"{_ALU}[*FADD.f32]"),
    Wrong("a_half_is_taken_as_the_other", "mali/operands.c", "x = x >> 16 * s->pick.at[0] & 0xffff;", "x = x >> 16 * (1 - s->pick.at[0]) & 0xffff;",
          f"{_ALU}[*FADD.f32]"),
    Wrong("a_byte_has_no_sign", "mali/operands.c", "return is_signed ? (u32)((i32)(x << (32 - width)) >> (32 - width)) : x;", "return (void)is_signed, (void)width, x;",
          f"{_ALU}[+IADD.s32]"),
    Wrong("a_half_is_rounded_twice", "mali/alu.h", "bits = ((fabs((double)f) > fabs(exact) ? bits - 1 : bits) | 1);", "bits = bits;", f"{_ALU}[*FMA.v2f16]"),
    Wrong("a_sum_is_not_rounded_as_it_says", "mali/alu.c", "case O_rtp: return FE_UPWARD;", "case O_rtp: return FE_TONEAREST;", f"{_ALU}[+FADD.f32]"),
    Wrong("nothing_saturates", "mali/alu.h", "return MOD(saturate) != O_sat ? x :", "return true ? x :", f"{_ALU}[+ISUB.v2s16]"),
    Wrong("a_nan_is_less", "mali/alu.h", "(a) > (b) ? GREATER : UNORDERED", "(a) > (b) ? GREATER : LESS", f"{_ALU}[*FCMP.f32]"),
    Wrong("the_order_of_ports_says_nothing", "mali/decode.c", "source_port(word, e, 0) > source_port(word, e, 1)", "false", f"{_ALU}[*FADD.v2f16]"),
    Wrong("a_clamp_keeps_a_nan", "mali/alu.c", "case O_clamp_0_inf: return x > 0 ? x : 0;", "case O_clamp_0_inf: return x < 0 ? 0 : x;", f"{_ALU}[*FADD.f32]"),
    Wrong("a_shift_is_as_long_as_it_says", "mali/alu.h", "#define AMOUNT(x) ((x) & (WIDTH - 1))", "#define AMOUNT(x) ((x) & 63)", f"{_ALU}[*LSHIFT_OR.v2i16]"),
    Wrong("integers_round_ties_to_even", "mali/alu.h", "size = (size + (1ull << (more - 1))) >> more << more;", "return (float)x;", f"{_ALU}[+S32_TO_F32]"),
    Wrong("the_first_tuple_s_mode_is_the_others", "mali/clauses.c", "mode = first ? (mode & 7) | (mode & 8) << 1 :", "mode = first ? mode :",
          f"{_CLAUSES}clauses_of_one_to_eight_tuples_with_their_constants"),
    Wrong("a_constant_is_another", "mali/clauses.c", "EMBEDDED[8] = {0, 0, 4, 5, 0, 1, 2, 3}", "EMBEDDED[8] = {0, 0, 4, 5, 0, 1, 3, 2}",
          f"{_CLAUSES}clauses_of_one_to_eight_tuples_with_their_constants"),
    Wrong("upper_bits_are_exchanged", "mali/clauses.c", "fourth >> (12 - 3 * n) & 7", "fourth >> (9 + 3 * n) & 7",
          f"{_CLAUSES}clauses_of_one_to_eight_tuples_with_their_constants"),
    Wrong("registers_are_written_before_they_are_read", "mali/flow.c", "   read_ports(wave, t);\n   if (n)\n      write_results(wave, t);", "   if (n)\n      write_results(wave, t);\n   read_ports(wave, t);",
          f"{_CLAUSES}a_register_is_read_before_the_tuple_before_has_written_it"),
    Wrong("high_registers_are_not_counted_back", "mali/clauses.c", "t->read[0] = low <= high ? low : 63 - low;", "t->read[0] = low;",
          f"{_CLAUSES}three_registers_at_the_ports_and_high_ones"),
    Wrong("a_written_half_is_the_register", "mali/operands.c", "u32 low = halves & 1 ? r->exec & ~r->written[2 * number] : 0, high = halves & 2 ? r->exec & ~r->written[2 * number + 1] : 0;",
          "u32 low = halves & 1 ? r->exec & ~(r->written[2 * number] | r->written[2 * number + 1]) : 0, high = 0;",
          f"{_MEMORY}a_store_of_half_a_register_is_said"),
    Wrong("a_branch_is_taken_by_all", "mali/flow.c", "wave->reg.taken |= ((i->compare & relation_to_zero(i, v[lane])) != 0) << lane;", "wave->reg.taken |= ((i->compare & relation_to_zero(i, v[0])) != 0) << lane;",
          f"{_FLOW}a_branch_on_a_value_and_zero"),
    Wrong("a_sign_is_not_looked_at", "mali/flow.c", "bool negative = *type == 's' &&", "bool negative = false && *type == 's' &&", f"{_FLOW}a_branch_on_a_value_and_zero"),
    Wrong("a_barrier_waits_for_nothing", "mali/flow.c", "barrier |= c->tuple[n].add.op->run == run_barrier;", "barrier |= false;", f"{_FLOW}a_barrier_orders_the_warps_of_a_group"),
    Wrong("lanes_that_do_not_run_are_read", "mali/subgroups.c", "wave->reg.exec >> from & 1 ? v[from]", "true ? v[from]", f"{_FLOW}what_a_lane_that_does_not_run_answers"),
    Wrong("half_of_the_registers_are_all", "mali/operands.c", "(state->narrow && number >= 16 && number < 48)", "(state->narrow && number >= 48 && number < 16)", f"{_FLOW}half_of_the_registers"),
    Wrong("a_uniform_buffer_has_no_end", "mali/messages.c", "return offset + (u64)bytes <= size ?", "return true ?", f"{_MEMORY}a_uniform_buffer_ends_where_its_descriptor_says"),
    Wrong("a_narrow_load_clears_the_rest", "mali/messages.c", "word[0] = staging(wave, i->to)[lane];", "word[0] = 0;", f"{_MEMORY}a_narrow_load_writes_its_part"),
    Wrong("min_has_no_sign_either", "mali/messages.c", "case O_asmin: return x < y ? old : data;", "case O_asmin: return old < data ? old : data;", f"{_MEMORY}an_atomic_and_what_it_returns"),
    Wrong("the_rest_of_and_is_zero", "mali/messages.c", "case O_aand: case O_aumin: return", "case O_aumin: return", f"{_MEMORY}an_atomic_and_what_it_returns"),
    Wrong("an_exchange_compares_with_the_new_value", "mali/messages.c", "old[lane] == staged(wave, i, wide ? 2 : 1, lane, wide)", "old[lane] == staged(wave, i, 0, lane, wide)",
          f"{_MEMORY}exchanges"),
    Wrong("tiles_are_rows", "mali/formats.c", "if (!t->tiled)", "if (true)", f"{_IMAGES}tiles_have_their_texels_elsewhere"),
    Wrong("a_tile_s_bits_are_exchanged", "mali/formats.c", "number |= ((x ^ y) >> bit & 1) << 2 * bit | (y >> bit & 1) << (2 * bit + 1);",
          "number |= (y >> bit & 1) << 2 * bit | ((x ^ y) >> bit & 1) << (2 * bit + 1);", f"{_IMAGES}tiles_have_their_texels_elsewhere"),
    Wrong("blue_is_red", "mali/formats.c", "{4, {2, 1, 0, 3}}", "{4, {0, 1, 2, 3}}", f"{_IMAGES}formats"),
    Wrong("a_layer_is_a_slice", "mali/descriptors.c", "u32 w[4], layer = image->layered ? z : 0;", "u32 w[4], layer = 0;", f"{_IMAGES}layers_and_slices"),
    Wrong("every_sampler_is_linear", "mali/descriptors.c", ".linear = !nearest,", ".linear = true,", f"{_IMAGES}samplers"),
    Wrong("the_number_of_a_texel_is_mirrored", "mali/descriptors.c", ".mirrors_coordinate = true,", ".mirrors_coordinate = false,", f"{_IMAGES}samplers"),
    Wrong("a_third_coordinate_is_the_level", "mali/texture.c", "if (r.dimension == 3)\n      memcpy", "if (r.dimension == 4)\n      memcpy", f"{_IMAGES}layers_and_slices"),
    Wrong("the_second_texture_has_the_first_one_s_place", "mali/texture.c", "if (!is_dual(word))\n      return;", "if (true)\n      return;", f"{_IMAGES}two_textures_at_once"),
    Wrong("a_texel_outside_has_an_address", "mali/attributes.c", "u64 address = image_has(&a.texture.image, x, y, z) ?", "u64 address = true ?", f"{_IMAGES}nothing_lies_outside_of_an_image"),
    Wrong("an_attribute_s_buffer_has_no_end", "mali/attributes.c", "if (offset + t->image.format->bytes > t->size)", "if (false)", f"{_IMAGES}texels_end_with_their_buffer"),
    Wrong("either_table_is_the_first", "mali/attributes.c", "if (!first)", "if (false)", f"{_IMAGES}what_the_launch_has_not"),
    Wrong("a_texel_is_drawn_from_its_corner", "mali/draw.c", "f->left = (i32)ceil(f->x0 - 0.5), f->right = (i32)ceil(f->x0 + f->width - 0.5);",
          "f->left = (i32)ceil(f->x0), f->right = (i32)ceil(f->x0 + f->width);", f"{_DRAWS}which_texels_a_rectangle_covers"),
    Wrong("a_tile_keeps_what_it_had", "mali/fragments.c", "mode == NEVER && y < f.bottom", "false && mode == NEVER && y < f.bottom", f"{_DRAWS}a_rectangle_of_one_colour"),
    Wrong("a_frame_takes_every_draw", "mali/draw.c", "if (known[n].tiler == tiler)", "if (tiler)", f"{_DRAWS}a_draw_of_another_tiler_is_not_the_frame_s"),
    Wrong("a_fragment_is_at_its_corner", "mali/varyings.c", "(x + 0.5 - f->x0)", "(x - f->x0)", f"{_DRAWS}a_smooth_varying_lies_between_its_corners"),
    Wrong("a_load_is_there_at_once", "mali/hazards.c", "c->now.written[slot] |= written;", "", f"{_RULE}[a loaded register is read]"),
    Wrong("a_store_reads_at_once", "mali/hazards.c", "c->now.read[slot] |= span(clause->staging, reads);", "", f"{_RULE}[a register is written that a store is to read]"),
    Wrong("one_path_is_enough", "mali/hazards.c", "p->written[slot] |= c->now.written[slot];", "p->written[slot] = c->now.written[slot];", f"{_RULE}[one arm of a branch]"),
    Wrong("any_wait_is_a_wait_for_all", "mali/hazards.c", "if (clause->waits >> slot & 1) {", "if (clause->waits) {", f"{_RULE}[another slot is waited for]"),
)  # fmt: skip
