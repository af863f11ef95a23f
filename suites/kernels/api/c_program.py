"""A case of this area as a C program: the call with its mistake, and the objects that it needs."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from runner.device import Device
from runner.model import Case

from .mistakes import RELEASE, block_command, cl_image_desc, errors_of, group, limit
from .objects import BYTES, OPTIONS, SOURCE, CaseState
from .table import CALLS
from .terms import Callback, Descriptor, Group, Handles, Host, Limit, Longs, Sizes, Text, Texts, Words

_HEAD = """/* {id}: see README.md.   cc repro.c -lOpenCL */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdio.h>
#include <stdlib.h>

{callback}int main(void) {{
    /* variables */
    cl_int error = CL_SUCCESS;
    cl_platform_id platform;
    cl_device_id device;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
"""
_CALLBACK = "static void CL_CALLBACK nothing(void) {}\n\n"
_TAIL = """    printf("{function}: got %d, want {want}\\n", error);
    return {wrong};
}}
"""
_RGBA8 = "(cl_image_format[]){{CL_RGBA, CL_UNORM_INT8}}"


def _image(desc: str, flags: str = "CL_MEM_READ_WRITE", context: str = "context", form: str = _RGBA8) -> str:
    return f"cl_mem NAME = clCreateImage({context}, {flags}, {form}, &(cl_image_desc){{{desc}}}, NULL, NULL);"


def _buffer(flags: str, context: str = "context") -> str:
    return f"cl_mem NAME = clCreateBuffer({context}, {flags}, {BYTES}, NULL, NULL);"


def _program(source: str, build: str = "") -> str:
    text = f"const char *NAME_source = {json.dumps(source)};\ncl_program NAME = "
    return text + f"clCreateProgramWithSource(context, 1, &NAME_source, NULL, NULL);{build}"


def _kernel(name: str, *indices: int) -> str:
    values = ("sizeof buffer, &buffer", "4, &(cl_int){1}", "4, NULL")
    statement = f'cl_kernel NAME = clCreateKernel(built_program, "{name}", NULL);'
    return statement + "".join(f"\nclSetKernelArg(NAME, {i}, {values[i]});" for i in indices)


def _event(status: str, context: str = "context") -> str:
    event = f"cl_event NAME = clCreateUserEvent({context}, NULL);"
    return event + (f"\nclSetUserEventStatus(NAME, {status});" if status else "")


_2D = ".image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 4"
_3D = ".image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = 8, .image_height = 4, .image_depth = 3"
_ARRAY = ".image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY, .image_width = 8, .image_height = 4, .image_array_size = 3"
_ROWS = ".image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = 8, .image_array_size = 3"
_FORBID = ("host_write_only", "host_read_only", "host_no_access")
_BUILD = f"\nclBuildProgram(NAME, 0, NULL, {json.dumps(OPTIONS)}, NULL, NULL);"
_COMPILE = '\nclCompileProgram(NAME, 0, NULL, "", 0, NULL, NULL, NULL, NULL);'
_PROFILING = "CL_QUEUE_PROFILING_ENABLE"
_MARKER = "cl_event NAME;\nclEnqueueMarkerWithWaitList(QUEUE, 0, NULL, &NAME);\nclFinish(QUEUE);"

#: The objects of objects.py in C: NAME is the object itself, and other objects are made before it.
OBJECTS: dict[str, str] = {
    "buffer": _buffer("CL_MEM_READ_WRITE"),
    "second_buffer": _buffer("CL_MEM_READ_WRITE"),
    "mapped_buffer": _buffer("CL_MEM_READ_WRITE"),
    "mapped_pointer": "void *NAME = clEnqueueMapBuffer(queue, mapped_buffer, CL_TRUE, CL_MAP_READ, 0, 64, 0, NULL, NULL, "
    "NULL);",
    "write_only_buffer": _buffer("CL_MEM_WRITE_ONLY"),
    "read_only_buffer": _buffer("CL_MEM_READ_ONLY"),
    **{f"{name}_buffer": _buffer(f"CL_MEM_READ_WRITE | CL_MEM_{name.upper()}") for name in _FORBID},
    "sub_buffer": "cl_mem NAME = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, (size_t[]){0, 8192}, NULL);",
    "overlapping_sub_buffer": "cl_mem NAME = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, (size_t[]){0, "
    "4096}, NULL);",
    "other_context": "cl_context NAME = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);",
    "other_buffer": _buffer("CL_MEM_READ_WRITE", "other_context"),
    "image2d": _image(_2D),
    "second_image2d": _image(_2D),
    "bare_image2d": _image(_2D),
    "float_image2d": _image(_2D, form="(cl_image_format[]){{CL_RGBA, CL_FLOAT}}"),
    "image3d": _image(_3D),
    "image1d": _image(".image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 8"),
    "image1d_array": _image(_ROWS),
    "image2d_array": _image(_ARRAY),
    **{f"{name}_image2d": _image(_2D, f"CL_MEM_READ_WRITE | CL_MEM_{name.upper()}") for name in _FORBID},
    "other_image2d": _image(_2D, context="other_context"),
    "sampler": "cl_sampler NAME = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, NULL);",
    "own_queue": "cl_command_queue NAME = clCreateCommandQueue(context, device, 0, NULL);",
    "other_queue": "cl_command_queue NAME = clCreateCommandQueue(other_context, device, 0, NULL);",
    "queue_of_mistakes": "cl_command_queue NAME = clCreateCommandQueue(context, device, 0, NULL);",
    "held_event": _event(""),
    "user_event": _event(""),
    "complete_event": _event("CL_COMPLETE"),
    "failed_event": _event("-1"),
    "other_event": _event("CL_COMPLETE", "other_context"),
    "marker": _MARKER.replace("QUEUE", "queue"),
    "profiling_queue": f"cl_command_queue NAME = clCreateCommandQueue(context, device, {_PROFILING}, NULL);",
    "profiled_marker": _MARKER.replace("QUEUE", "profiling_queue"),
    "pending_profiled_marker": "cl_event NAME;\nclEnqueueMarkerWithWaitList(profiling_queue, 1, &user_event, &NAME);",
    "context_with_properties": "cl_context NAME = clCreateContext((cl_context_properties[]){CL_CONTEXT_PLATFORM, "
    "(cl_context_properties)platform, 0}, 1, &device, NULL, NULL, NULL);",
    "spare_context": "cl_context NAME = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);",
    "new_program": _program(SOURCE),
    "compiled_program": _program(SOURCE, _COMPILE),
    "unresolved_program": _program("int g(void); __kernel void f(__global int *r) { *r = g(); }", _COMPILE),
    "built_program": _program(SOURCE, _BUILD),
    "broken_program": _program("__kernel void f( { }", '\nclBuildProgram(NAME, 0, NULL, "", NULL, NULL);'),
    "program_with_kernel": _program(SOURCE, _BUILD + '\nclCreateKernel(NAME, "empty", NULL);'),
    "garbage_binaries": "const unsigned char NAME_bytes[64] = {1, 2, 3, 4, 5, 6, 7, 8, 9};\n"
    "const unsigned char *NAME[] = {NAME_bytes};",
    "spirv": "cl_uint NAME[] = {0x07230203, 0x00010000, 0, 1, 0};",
    "kernel": _kernel("f", 0, 1, 2),
    "bare_kernel": _kernel("f"),
    "kernel_without_first": _kernel("f", 1, 2),
    "kernel_without_second": _kernel("f", 0, 2),
    "kernel_without_last": _kernel("f", 0, 1),
    "empty_kernel": _kernel("empty"),
    "kernel_of_four": _kernel("four"),
    "other_program": _program("__kernel void empty(void) {}", _BUILD).replace("(context", "(other_context"),
    "other_kernel": _kernel("empty").replace("built_program", "other_program"),
    "svm": "char *NAME = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);",
    "svm_plus_2": "char *NAME = svm + 2;",
    "svm_plus_32": "char *NAME = svm + 32;",
    "mapped_svm": "char *NAME = svm;\nclEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, svm, 64, 0, NULL, NULL);",
    "svm_pointers": "void *NAME[] = {svm};",
    "svm_pointers_two": "void *NAME[] = {svm, svm_plus_32};",
    "svm_pointers_host": "char NAME_bytes[4096];\nvoid *NAME[] = {NAME_bytes};",
    "svm_pointers_host_first": "char NAME_bytes[4096];\nvoid *NAME[] = {NAME_bytes, svm};",
    "svm_pointers_host_last": "char NAME_bytes[4096];\nvoid *NAME[] = {svm, NAME_bytes};",
    "room_for_event": "cl_event NAME[1];",
}


def c_program(device: Device, case: Case) -> str:
    """The program, which exits with 0 if the device's answer is right; "" for other kinds."""
    if case.kind not in ("api.valid", "api.mistake"):
        return ""
    row, errors = CALLS[case.params["function"]], errors_of(device, **case.params)
    arguments: Mapping[str, Any] = row.arguments
    if "mistake" in case.params:
        arguments = block_command(row.arguments, row.mistakes[case.params["mistake"]].change)
    state = CaseState(device)
    values = [_value(state, value) for value in arguments.values()]
    kind, _, other = case.params.get("mistake", "").partition(".")
    if kind == "other_kind":  # a C compiler takes it only with a cast
        values = [f"(void *){text}" if name == other else text for name, text in zip(arguments, values, strict=True)]
    called = f"{row.function}({', '.join(values)}"
    if row.function == "clSVMAlloc":
        statement = f"error = {called}) ? CL_SUCCESS : CL_INVALID_VALUE; /* NULL: there is no code */"
        errors = ["CL_INVALID_VALUE" if error == "NULL" else error for error in errors]
    elif row.function.endswith("KHR"):
        find = f'clGetExtensionFunctionAddressForPlatform(platform, "{row.function}")'
        statement = f"error = {called.replace(row.function, f'(({row.function}_fn){find})', 1)});"
    elif row.function in RELEASE or row.function.startswith("clEnqueueMap"):
        statement = f"{called}, &error);"
    else:
        statement = f"error = {called});"
    lines = [*_objects(statement), statement]
    if "held_event" in statement:  # a command that was accepted in spite of its mistake never runs
        lines.append("clSetUserEventStatus(held_event, -1000);")
    body = "".join(f"    {line}\n" for text in lines for line in text.splitlines())
    want = " or ".join(f"%d ({error})" for error in errors)
    tail = _TAIL.format(function=row.function, want=want, wrong=" && ".join(f"error != {e}" for e in errors))
    head = _HEAD.format(id=case.id, callback=_CALLBACK if "nothing" in body else "")
    return head + body + tail.replace("error);\n", f"error, {', '.join(errors)});\n", 1)


def _objects(text: str, defined: set[str] | None = None) -> Iterator[str]:
    """The statements that make the objects that the text names, each before its first use."""
    defined = set() if defined is None else defined
    for name in re.findall(r"\b[a-z]\w*\b", re.sub(r'"(\\.|[^"])*"', "", text)):
        if name in OBJECTS and name not in defined:
            defined.add(name)
            statement = OBJECTS[name].replace("NAME", name)
            yield from _objects(statement, defined)
            yield statement


def _value(state: CaseState, value: Any) -> str:  # noqa: C901 - one arm a kind
    """An argument as an expression of C."""

    def number(n: Any) -> str:
        n = limit(state, n)
        return f"{n % 2**64:#x}ULL" if isinstance(n, int) and not -(2**31) <= n < 2**31 else str(n)

    def array(type_name: str, values: Any) -> str:
        return f"(void *)({type_name}[]){{{', '.join(map(number, values))}}}"

    match value:
        case None:
            return "0"
        case (
            "svm_pointers"
            | "svm_pointers_two"
            | "svm_pointers_host"
            | "svm_pointers_host_first"
            | "svm_pointers_host_last"
            | "garbage_binaries"
        ):  # of const, and not: it depends on the function
            return f"(void *){value}"
        case str() | int() | Limit():
            return number(value)
        case Sizes(values):
            return array("size_t", values)
        case Group():
            return array("size_t", group(state, value))
        case Longs(values):
            return array("cl_ulong", [f"(cl_ulong){v}" if isinstance(v, str) else v for v in values])
        case Words(values):
            return array("cl_uint", values)
        case Handles(names):
            return array("void *", ["NULL" if name is None else name for name in names])
        case Text(text):
            return json.dumps(text)
        case Texts(texts):
            return array("const char *", ["NULL" if t is None else json.dumps(t) for t in texts])
        case Host(size):
            return f"(void *)&(struct {{ _Alignas(128) char bytes[{size}]; }}){{0}}"
        case Callback():
            return "(void *)nothing"
        case Descriptor():
            members = [n for n, *_ in cl_image_desc._fields_]
            fields = [number(getattr(value, n)) for n in members if n != "memory"]
            return f"&(cl_image_desc){{{', '.join(fields)}, {{{value.memory or 'NULL'}}}}}"
    raise TypeError(f"no C for {value!r}")
