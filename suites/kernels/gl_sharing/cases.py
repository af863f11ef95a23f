"""The cases of the area."""

from collections.abc import Iterator

from runner.image_formats import MINIMUM
from runner.model import Case

from ..areas import Area, combine
from .formats import FORMATS, TARGETS

_AREA = Area("gl_sharing", requires=("cl_khr_gl_sharing", "execute"))
MISTAKES = [
    *("buffer_context", "buffer_flags", "buffer_host_flags", "buffer_empty", "buffer_new_name", "buffer_no_name"),
    *("texture_context", "texture_flags", "texture_target", "texture_buffer_target", "texture_other_target"),
    *("texture_face_of_2d", "texture_level", "texture_negative_level", "texture_new_name", "texture_no_name"),
    *("texture_format", "renderbuffer_context", "renderbuffer_flags", "renderbuffer_samples"),
    "renderbuffer_new_name",
]
_KINDS = [name for name in TARGETS if not name.endswith("_odd")]
_ENQUEUED = [
    *("nothing", "no_objects", "null_list", "null_object", "null_queue", "not_shared", "other_context"),
    *("null_waits", "no_waits"),
]


def cases() -> Iterator[Case]:
    """Data in both directions, queries, and errors."""
    yield from _AREA.each("buffer/{size}.{how}", "buffer", combine(size=(1, 260, 70001), how=("kernel", "command")))
    for name in TARGETS:
        forms = FORMATS if name == "2d" else ("rgba8",) if name.endswith("_odd") else ("rgba8", "r32f", "rgba16ui")
        for form in forms:
            yield from _texture(name, form, 0)
        if name not in ("rectangle", "texture_buffer") and not name.endswith("_odd"):
            yield from _texture(name, "rgba8", 1)
    yield from _texture("2d", "rgba32f", 2)
    for what in ("renderbuffer", "texture"):
        for form in FORMATS:
            if "snorm" not in form:  # OpenGL needs an extension to draw into these
                yield _AREA.case(f"drawn/{what}.{form}", "drawn", *_needs(form), what=what, format=form)
    yield from _AREA.each("image/{target}", "image", combine(target=_KINDS), "images")
    yield _AREA.case("copied", "copied", "images")
    yield _AREA.case("context", "context")
    for what in ("buffer", "renderbuffer", *_KINDS):
        yield _AREA.case(f"object/{what}", "object", *(() if what == "buffer" else ("images",)), what=what)
    for verb in ("Acquire", "Release"):
        yield _AREA.case(f"events/{verb.lower()}", "events", verb=verb)
        rows = combine(verb=[verb], mistake=_ENQUEUED)
        yield from _AREA.each(f"error/{verb.lower()}.{{mistake}}", "enqueue_error", rows)
    yield from _AREA.each("error/create.{mistake}", "create_error", combine(mistake=MISTAKES))
    rows = combine(mistake=("no_display", "two_displays"), function=("clCreateContext", "clGetGLContextInfoKHR"))
    yield from _AREA.each("error/context.{mistake}.{function}", "context_error", rows)
    mistakes = (
        *("context_name", "context_size", "object_null", "object_plain"),
        *("texture_null", "texture_plain", "texture_buffer"),
    )
    yield from _AREA.each("error/info.{mistake}", "info_error", combine(mistake=mistakes))


def _texture(target: str, form: str, level: int) -> Iterator[Case]:
    for how in ("kernel", "command"):
        if target == "texture_buffer" and how == "command":
            continue  # one shape is enough, because it has no pitch that could be wrong
        params = {"target": target, "format": form, "level": level, "how": how}
        name = f"texture/{target}.{form}{f'.level{level}' if level else ''}.{how}"
        yield _AREA.case(name, "texture", *_needs(form), params=params)


def _needs(form: str) -> tuple[str, ...]:
    name = FORMATS[form].name
    return ("images", *(() if name in MINIMUM else (f"image_read:{name}", f"image_write:{name}")))
