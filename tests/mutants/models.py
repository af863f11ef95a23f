"""Models that are almost right: one weight, one position, one stale cache, one view, one constant, one builtin.

One file: a table of mutants, a few lines each.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from mutation import SUITES, Function, Mutant, api, generated, of

from runner.importing import import_suite_module

_CACHED = "models/gpt2/seeded/cached"
_LLAMA = "models/llama/answer"
_UNET, _DECODER = "models/diffusion/unet", "models/diffusion/decoder"
_INFERENCE, _TRAINING = "models/classifier/inference", "models/classifier/training"


def _fresh(mutant: Mutant) -> Mutant:
    """A mutant that never meets a model that was built without it; the suite keeps models."""

    def wrap(inner: Function) -> Function:
        for name in ("trained", "seeded", "llama.run"):
            import_suite_module(SUITES / "models", name)._loaded.clear()
        return mutant.wrap(inner)

    return replace(mutant, wrap=wrap)


def _code(name: str, cases: str, pattern: str, replacement: str) -> Mutant:
    """A compiler that exchanges a builtin or an operator of tinygrad's kernels."""
    return generated(f"models/code/{name}", cases, pattern, replacement)


def _arrays(name: str, change: Callable[[dict[str, Any]], None], cases: str = _CACHED) -> Mutant:
    """A GPT-2 whose device got other weights than its reference."""

    def build(inner: Function, config: Any, arrays: Any, *args: Any, **kwargs: Any) -> Any:
        wrong = {key: np.array(value) for key, value in arrays.items()}
        change(wrong)
        return inner(config, wrong, *args, **kwargs)

    return api(f"models/gpt2/{name}", cases, "suites.models.gpt2.GPT2", of(build))


def _model(name: str, place: str, change: Callable[[Any], None], cases: str) -> Mutant:
    """A model that is changed after it was built."""

    def build(inner: Function, *args: Any, **kwargs: Any) -> Any:
        model = inner(*args, **kwargs)
        change(model)
        return model

    return api(f"models/{name}", cases, f"suites.models.{place}", of(build))


def _gpt2(name: str, change: Callable[[Any], None], cases: str = _CACHED) -> Mutant:
    return _model(f"gpt2/{name}", "gpt2.GPT2", change, cases)


def _llama(name: str, change: Callable[[Any], None]) -> Mutant:
    return _model(f"llama/{name}", "llama.model.Llama", change, _LLAMA)


def _method(name: str, wrap: Callable[[Function], Function]) -> Callable[[Any], None]:
    """Replace a method of one object."""

    def change(model: Any) -> None:
        setattr(model, name, wrap(getattr(model, name)))

    return change


def _set(name: str, index: tuple[int, ...], by: float) -> Callable[[dict[str, Any]], None]:
    def change(arrays: dict[str, Any]) -> None:
        arrays[name][index] += by

    return change


def _rolled(name: str, shift: int, axis: int) -> Callable[[dict[str, Any]], None]:
    def change(arrays: dict[str, Any]) -> None:
        arrays[name] = np.roll(arrays[name], shift, axis)

    return change


def _transposed(name: str) -> Callable[[dict[str, Any]], None]:
    def change(arrays: dict[str, Any]) -> None:
        arrays[name] = np.ascontiguousarray(arrays[name].T)

    return change


def _truncated(arrays: dict[str, Any]) -> None:
    """The upper half of each float."""
    for array in arrays.values():
        array.view(np.uint32)[...] &= np.uint32(0xFFFF0000)


def _exchanged_heads(part: int) -> Callable[[dict[str, Any]], None]:
    """The first two heads of q, k or v (0, 1, 2)."""

    def change(arrays: dict[str, Any]) -> None:
        d = arrays["h.1.attn.c_attn.weight"].shape[0]
        width, at = d // 3, part * d
        for key in ("h.1.attn.c_attn.weight", "h.1.attn.c_attn.bias"):
            a = arrays[key]
            a[..., at : at + 2 * width] = np.roll(a[..., at : at + 2 * width], width, axis=-1)

    return change


def _epsilon(model: Any) -> None:
    model.config = replace(model.config, layer_norm_epsilon=1e-2)


def _stale_row(model: Any) -> None:
    """The cache misses what each third step wrote."""
    inner = model.step

    def step(tokens: Any, position: int, *args: Any) -> Any:
        out = inner(tokens, position, *args)
        if position % 3 == 0:
            for cache in model.cache:
                cache[:, :, :, position : position + 1].assign(cache[:, :, :, position - 1 : position].contiguous())
                cache.realize()
        return out

    model.step = step


def _late(name: str) -> Callable[[Any], None]:
    """The step is told the position before (stale) or after."""
    by = {"stale": -1, "ahead": 1}[name]

    def change(model: Any) -> None:
        inner, last = model.step, 31
        model.step = lambda tokens, position, *args: inner(tokens, min(max(position + by, 1), last), *args)

    return change


def _stale_token(model: Any) -> None:
    """A replay that keeps the input of the call before."""
    inner, before = model.step, []

    def step(tokens: Any, *args: Any) -> Any:
        before.append(tokens)
        return inner(before[-2] if len(before) > 3 else tokens, *args)

    model.step = step


def _second_largest(model: Any) -> None:
    inner = model.step

    def step(*args: Any) -> Any:
        out = inner(*args)
        return [np.argsort(out[1][:, -1], axis=-1)[:, -2], *out[1:]]

    model.step = step


def _no_residual(inner: Function) -> Function:
    """The sum of a state and a layer loses the state, once."""
    return lambda layer, x, position: inner(layer, x, position) - (x if layer == 1 else 0)


def _other_scale(inner: Function) -> Function:
    return lambda layer, x, position: inner(layer, x * (1 + 2.0**-9 * (layer == 1)), position)


def _rolled_features(inner: Function) -> Function:
    return lambda layer, x, position: inner(layer, x.roll(1, -1) if layer else x, position)


def _exchanged_gate(model: Any) -> None:
    gate, up = (f"blk.0.ffn_{name}.weight" for name in ("gate", "up"))
    model.parameters[gate], model.parameters[up] = model.parameters[up], model.parameters[gate]


def _first_row_alone(model: Any) -> None:
    """Every row of a batch is answered as the first."""
    inner = model.prompt
    model.prompt = lambda rows: inner([rows[0]] * len(rows))


def _rows_rotated(model: Any) -> None:
    inner = model.step
    model.step = lambda tokens, *args: inner([*tokens[1:], tokens[0]], *args)


def _last_tie(model: Any) -> None:
    """argmax gives the last of equal values."""

    def last(out: Any) -> Any:
        flat = out[1][:, -1, ::-1]
        return [flat.shape[1] - 1 - flat.argmax(axis=1), *out[1:]]

    prompt, step = model.prompt, model.step
    model.prompt, model.step = lambda rows: last(prompt(rows)), lambda *args: last(step(*args))


def _mask_off_by_one(inner: Function) -> Function:
    """The whole context at once sees one id of the future: `triu` begins one later."""
    return lambda self, diagonal=0: inner(self, diagonal + 1)


@of
def _rotated_halves(inner: Function, x: Any, cos: Any, sin: Any) -> Any:
    """The rotary pairs of the other convention: the first half with the second."""
    a, b = x.chunk(2, dim=-1)
    return (a * cos - b * sin).cat(a * sin + b * cos, dim=-1)


def _attribute(path: str, change: Callable[[Any], Any]) -> Callable[[Any], None]:
    """Replace what stands at a dotted attribute of the model."""

    def apply(model: Any) -> None:
        owner = model
        *way, last = path.split(".")
        for name in way:
            owner = getattr(owner, name)
        setattr(owner, last, change(getattr(owner, last)))

    return apply


def _of_a_tensor(change: Callable[[Any], Any]) -> Callable[[Function], Function]:
    """A seeding after which the device's parameters are others than the reference's."""

    def seed(inner: Function, model: Any, number: int) -> Any:
        arrays = inner(model, number)
        change(model)
        return arrays

    return of(seed)


def _seeded(name: str, change: Callable[[Any], Any], cases: str) -> Mutant:
    family = cases.split("/")[1]
    return api(f"models/{name}", cases, f"suites.models.{family}.run.seed", _of_a_tensor(change))


def _key(name: str, change: Callable[[Any], Any]) -> Callable[[Any], None]:
    def apply(model: Any) -> None:
        model.parameters[name] = change(model.parameters[name]).contiguous().realize()

    return apply


def _one_more(tensor: Any) -> Any:
    """One element off by a hundredth of a typical one."""
    array = tensor.numpy()
    array.flat[array.size // 2] += 0.01
    return type(tensor)(array)


def _blocks(name: str, kind: str, change: Callable[[Any], None]) -> Mutant:
    """A device that reads other bits than those of the file."""

    def contents(inner: Function, tensors: Any, *args: Any) -> bytes:
        wrong = {n: (k, d, np.array(data)) for n, (k, d, data) in tensors.items()}
        change(wrong["tested"][2])
        return bytes(inner(wrong, *args))

    return api(f"models/gguf/{name}", f"models/gguf/{kind}", "suites.models.llama.file.contents", of(contents))


def _flip(at: int, bit: int) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        data[at] ^= np.uint8(1 << bit)

    return change


@of
def _scaled(inner: Function, x: Any) -> Any:
    """Batch statistics with a variance that is divided by nearly the right count."""
    mean, variance = inner(x)
    return mean, variance * (1 + 2.0**-10)


_ALL = [
    # GPT-2: its weights
    _arrays("one_weight", _set("h.1.mlp.c_fc.weight", (3, 5), 0.01)),
    _arrays("one_bias", _set("h.0.attn.c_proj.bias", (7,), 0.01)),
    _arrays("one_row_of_positions", _set("wpe.weight", (31, 3), 0.01)),
    _arrays("one_row_of_the_head", _set("lm_head.weight", (210, 47), 0.01)),
    _arrays("positions_shifted", _rolled("wpe.weight", 1, 0)),
    _arrays("tokens_shifted", _rolled("wte.weight", 1, 0)),
    _arrays("transposed_projection", _transposed("h.0.attn.c_proj.weight")),
    _arrays("queries_of_other_heads", _exchanged_heads(0)),
    _arrays("keys_of_other_heads", _exchanged_heads(1)),
    _arrays("values_of_other_heads", _exchanged_heads(2)),
    _arrays("norm_without_bias", lambda a: a.update({"ln_f.bias": 0 * a["ln_f.bias"]})),
    _arrays("weights_as_bfloat16", _truncated),
    _arrays("trained_weight", _set("h.1.mlp.c_fc.weight", (3, 5), 0.1), "models/gpt2/logits/context"),
    _arrays("trained_last_position", _set("wpe.weight", (127, 3), 0.1), "models/gpt2/logits/context"),
    _arrays("half_weight", _set("h.1.mlp.c_fc.weight", (3, 5), 0.01), "models/gpt2/seeded/half-weights"),
    # GPT-2: its decoding
    _gpt2("epsilon", _epsilon),
    _gpt2("stale_cache_row", _stale_row),
    _gpt2("position_before", _late("stale")),
    _gpt2("position_after", _late("ahead")),
    _gpt2("stale_token_in_a_replay", _stale_token),
    _gpt2("second_largest_logit", _second_largest),
    _gpt2("dropped_residual", _method("_attention", _no_residual)),
    _gpt2("scaled_attention", _method("_attention", _other_scale)),
    _gpt2("cache_of_another_model", lambda m: m.cache.reverse() or m.cache.__setitem__(0, m.cache[1])),
    _gpt2("batch_of_one", _first_row_alone, "models/gpt2/seeded/batch-4"),
    _gpt2("batch_rotated", _rows_rotated, "models/gpt2/seeded/batch-4"),
    _gpt2("last_of_equal_logits", _last_tie, "models/gpt2/seeded/ties"),
    _gpt2("tied_head", _attribute("config", lambda c: replace(c, tie_word_embeddings=True)), "models/gpt2/seeded/prefill"),
    api("models/gpt2/mask_off_by_one", "models/gpt2/seeded/prefill", "tinygrad.Tensor.triu", _mask_off_by_one),
    api("models/gpt2/mask_off_by_one_uncached", "models/gpt2/seeded/uncached", "tinygrad.Tensor.triu", _mask_off_by_one),
    # kernels
    _code("exp2_by_exp", _CACHED, r"\bexp2\(", "exp("),
    _code("deviation_of_another_size", _CACHED, r"\bsqrt\(", "1.001f*sqrt("),
    _code("one_group_less", _CACHED, r"(int gidx0 = get_group_id\(0\);)", r"\1 if (gidx0 == 1) return;"),
    _code("no_barrier_value", _CACHED, r"barrier\(CLK_LOCAL_MEM_FENCE\);", "return;"),
    _code("sin_by_cos", _LLAMA, r"\bsin\(", "cos("),
    _code("rms_of_another_size", _LLAMA, r"\bsqrt\(", "1.001f*sqrt("),
    _code("nibble_mask", "models/gguf/Q4_K", r"\(15u\)", "(7u)"),
    _code("signed_scales", "models/gguf/Q6_K", r"-32\b", "-31"),
    # LLaMA
    api("models/llama/rotary_halves", _LLAMA, "suites.models.llama.model.rotate", _rotated_halves),
    api(
        "models/llama/rotary_sign",
        _LLAMA,
        "suites.models.llama.model.rotate",
        lambda inner: lambda x, cos, sin: inner(x, cos, -sin),
    ),
    api(
        "models/llama/rotary_base",
        _LLAMA,
        "suites.models.llama.model.frequencies",
        lambda inner: lambda shape: inner(replace(shape, rope_base=9999.0)),
    ),
    _llama("epsilon", lambda m: setattr(m, "shape", replace(m.shape, epsilon=1e-3))),
    _llama("position_before", _late("stale")),
    _llama("stale_cache_row", _stale_row),
    _llama("one_weight", _key("blk.1.ffn_up.weight", _one_more)),
    _llama("kv_heads_in_another_order", _key("blk.0.attn_k.weight", lambda t: t[32:].cat(t[:32]))),
    _llama("heads_in_another_order", _key("blk.0.attn_output.weight", lambda t: t.roll(32, 1))),
    _llama("features_shifted", _method("_attention", _rolled_features)),
    _llama("gate_and_up_exchanged", _exchanged_gate),
    _llama("norm_left_out", _key("blk.1.ffn_norm.weight", lambda t: t * 0 + 1)),
    # quantised blocks
    _blocks("one_nibble", "Q4_0", _flip(5, 0)),
    _blocks("one_byte", "Q8_0", _flip(2, 0)),
    _blocks("one_high_bit", "Q5_0", _flip(3, 7)),
    _blocks("one_scale", "Q4_K", _flip(12, 0)),
    _blocks("one_minimum", "Q5_K", _flip(15, 7)),
    _blocks("one_upper_pair", "Q6_K", _flip(150, 1)),
    _blocks("one_exponent", "MXFP4", _flip(17, 0)),
    # diffusion
    _seeded("diffusion/group_norm_epsilon", _attribute("norm.eps", lambda _: 1e-3), _UNET),
    _seeded("diffusion/groups", _attribute("norm.num_groups", lambda n: n // 2), _UNET),
    _seeded("diffusion/heads", _attribute("look.attn2.heads", lambda n: n * 2), _UNET),
    _seeded("diffusion/stride_at_the_edge", _attribute("shrink.padding", lambda _: (0, 1, 0, 1)), _UNET),
    _seeded("diffusion/time_left_out", _attribute("middle.time", lambda layer: lambda t: layer(t) * 0), _UNET),
    _seeded("diffusion/text_left_out", _attribute("look.attn2", lambda layer: lambda x, _: layer(x, x[:, :5, :24])), _UNET),
    _seeded("diffusion/gate_without_gelu", _attribute("look.ff", lambda layer: lambda x: layer(x.relu())), _UNET),
    _seeded("diffusion/dropped_residual", _attribute("up.skip", lambda layer: lambda x: layer(x) * 0), _UNET),
    _seeded("diffusion/one_weight", _attribute("conv_out.weight", _one_more), _UNET),
    api(
        "models/diffusion/sines_first",
        _UNET,
        "suites.models.diffusion.model.wave",
        lambda inner: lambda time, width: inner(time, width).roll(width // 2, -1),
    ),
    api(
        "models/diffusion/pixels_shifted",
        _DECODER,
        "suites.models.diffusion.model.doubled",
        lambda inner: lambda x: inner(x).roll(1, -1),
    ),
    _seeded("diffusion/keys_for_values", lambda m: setattr(m, "v", m.k), _DECODER),
    _seeded("diffusion/kernel_transposed", _attribute("grow.weight", lambda t: t.transpose(2, 3)), _DECODER),
    # classifier
    _seeded("classifier/epsilon", _attribute("norm2.eps", lambda _: 1e-3), _INFERENCE),
    _seeded("classifier/batch_statistics", _attribute("norm2.track_running_stats", lambda _: False), _INFERENCE),
    _seeded("classifier/one_weight", _attribute("conv3.weight", _one_more), _INFERENCE),
    _seeded("classifier/stride", _attribute("conv2.padding", lambda _: (0, 1, 0, 1)), _INFERENCE),
    api(
        "models/classifier/pool_by_mean",
        _INFERENCE,
        "tinygrad.Tensor.max_pool2d",
        lambda inner: lambda self, size: self.avg_pool2d(size),
    ),
    _seeded("classifier/momentum", _attribute("norm3.momentum", lambda _: 0.11), _TRAINING),
    _seeded("classifier/biased_variance", _attribute("norm1.calc_stats", _scaled), _TRAINING),
    api(
        "models/classifier/plain_momentum",
        _TRAINING,
        "tinygrad.nn.optim.SGD",
        lambda inner: lambda parameters, *args: inner(parameters, *args, nesterov=True),
    ),
    api(
        "models/classifier/decay_left_out",
        _TRAINING,
        "tinygrad.nn.optim.SGD",
        lambda inner: lambda parameters, rate, momentum, decay: inner(parameters, rate, momentum),
    ),
    # quantised products
    _code("int8_unsigned", "models/quantised/int8", r"\bchar\b", "uchar"),
    _code("int8_one_product_less", "models/quantised/int8", r"Ridx0 < (\d+)", "Ridx0 < \\1 - 1"),
    _code("nibbles_exchanged", "models/quantised/int4", r"Ridx0_1!=0", "Ridx0_1==0"),
    _code("zero_point_unsigned", "models/quantised/int4", r"\(\(char\)\(val1\)\)", "((char)(val1 & 7))"),
    _code("gguf_sixth_bits", "models/gguf/Q5_K", r"\(63u\)", "(31u)"),
]

MUTANTS = [_fresh(mutant) for mutant in _ALL]
