"""Images that err: coordinates, components, sampler, sizes, formats, a lost write."""

from collections.abc import Callable
from typing import Any

from mutation import Function, Mutant, MutantGroup, api, of

from mutants.tinygrad_program import launched, one_group_fewer

_READ = r"(read_imagef\(\w+, smp, \(int2\)\()"


_code = MutantGroup("tinygrad/image").code


def _image(name: str, case: str, change: Callable[[Any, Any], None]) -> Mutant:
    """An image of another format or description."""

    def create(inner: Function, context: Any, flags: Any, form: Any, description: Any, *rest: Any) -> Any:
        change(form, description)
        return inner(context, flags, form, description, *rest)

    return api(f"tinygrad/image/{name}", f"tinygrad/image/{case}", "tinygrad.runtime.ops_cl.cl.clCreateImage", of(create))


def _narrower(form: Any, description: Any) -> None:
    if description.image_width > 1:
        description.image_width -= 1


def _lower(form: Any, description: Any) -> None:
    if description.image_height > 1:
        description.image_height -= 1


def _wider_rows(form: Any, description: Any) -> None:
    if description.image_height > 1 and description.image_height % 2 == 0:
        description.image_height //= 2
        description.image_row_pitch *= 2


MUTANTS = [
    _code("component", "matmul.float32.square", r"\bval0\.y\b", "val0.x"),
    _code("last_component", "matmul.float32.odd", r"\b(val\d+)\.w\b", r"\1.z"),
    _code("components_turned", "turned.float32.row", r", (val\d+)\);", r", \1.wzyx);"),
    _code("column_before", "matmul.float32.batch", _READ, r"\1-1+"),
    _code("column_after", "conv2d.float32.plain", _READ, r"\1+1+"),
    _code("write_elsewhere", "scaled.float32.rows", r"(write_imagef\(\w+, \(int2\)\()", r"\1-1+"),
    _code("write_lost", "turned.float32.rows", r"write_imagef\(", r"if (get_group_id(0) != 1) write_imagef("),
    _code("even_or_odd_pixel", "turned.float32.widest_row", r"smp, \(int2\)\(", "smp, (int2)(1&"),
    _code("row_zero", "turned.float32.rows", r"(read_imagef\(\w+, smp, \(int2\)\([^;]*),[^,;]*\)\);", r"\1,0));"),
    _code("half_read_as_nothing", "matmul.float16.odd", r"(float4 val\d+ = read_imagef\([^;]*);", r"\1 * 0.97f;"),
    _code("constant", "padded.float32.row", r"1\.0f", "1.5f"),
    _code("accumulator", "conv2d.float32.padded", r"= 0\.0f;", "= 0.5f;"),
    _code(
        "rounded_to_half",
        "conv2d.float32.pointwise",
        r"(float4 val0 = )(read_imagef\([^;]*);",
        r"\1convert_float4(convert_half4(\2));",
    ),
    _code(
        "rounded_to_byte", "program.attention", r"(float4 val0 = )(read_imagef\([^;]*);", r"\1rint(\2 * 256.0f) / 256.0f;"
    ),
    _code("one_step_fewer", "matmul.float32.tall", r"(Ridx0 < )(\d+)", r"\1\2 - 1"),
    launched("tinygrad/image/one_group_fewer", "tinygrad/image/matmul.float32.pitch", one_group_fewer),
    launched(
        "tinygrad/image/stale_image",
        "tinygrad/image/program.replayed",
        lambda number, buffers, kwargs: number < 8 or number % 3 != 1,
    ),
    launched(
        "tinygrad/image/update_lost", "tinygrad/image/program.assigned", lambda number, buffers, kwargs: number % 5 != 0
    ),
    _image("narrower", "scaled.float32.row", _narrower),
    _image("lower", "scaled.float32.rows", _lower),
    _image("pitch_of_two_rows", "turned.float32.rows", _wider_rows),
    api(
        "tinygrad/image/stored_larger",
        "tinygrad/image/matmul.float32.column",
        "tinygrad.tensor.Tensor.contiguous",
        lambda inner: lambda x, *a, **k: inner(x * 1.001, *a, **k),
    ),
    api(
        "tinygrad/image/padding_lost",
        "tinygrad/image/conv2d.float32.one_channel",
        "tinygrad.tensor.Tensor.image_conv2d",
        lambda inner: (
            lambda x, w, bias, groups, stride, dilation, padding, dtype: inner(
                x.roll(1, 3), w, bias, groups, stride, dilation, padding, dtype
            )
        ),
    ),
]
