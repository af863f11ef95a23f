"""Errors of the API: what each mistake must answer. Plain Python, because the catalogue reads it too.

The comment names the function whose errors the specification (OpenCL 3.0 API) lists.
"""

from __future__ import annotations

ERRORS: dict[str, str] = {
    # clCreateBuffer
    "buffer.size_zero": "CL_INVALID_BUFFER_SIZE",
    "buffer.null_context": "CL_INVALID_CONTEXT",
    "buffer.host_pointer_without_flag": "CL_INVALID_HOST_PTR",
    "buffer.flags_exclude_each_other": "CL_INVALID_VALUE",
    # clCreateSubBuffer
    "sub_buffer.misaligned": "CL_MISALIGNED_SUB_BUFFER_OFFSET",
    "sub_buffer.beyond": "CL_INVALID_VALUE",
    "sub_buffer.size_zero": "CL_INVALID_BUFFER_SIZE",
    "sub_buffer.of_sub_buffer": "CL_INVALID_MEM_OBJECT",
    # clSetKernelArg
    "argument.index": "CL_INVALID_ARG_INDEX",
    "argument.size": "CL_INVALID_ARG_SIZE",
    "argument.local_with_value": "CL_INVALID_ARG_VALUE",
    # clEnqueueNDRangeKernel
    "launch.unset_argument": "CL_INVALID_KERNEL_ARGS",
    "launch.group_too_big": "CL_INVALID_WORK_GROUP_SIZE",
    "launch.group_not_dividing": "CL_INVALID_WORK_GROUP_SIZE",
    "launch.group_not_required": "CL_INVALID_WORK_GROUP_SIZE",
    "launch.dimension_zero": "CL_INVALID_WORK_DIMENSION",
    "launch.dimension_four": "CL_INVALID_WORK_DIMENSION",
    # clEnqueueReadBuffer, ...CopyBuffer, ...FillBuffer, ...ReadBufferRect, ...MapBuffer
    "read.past_the_end": "CL_INVALID_VALUE",
    "read.null_pointer": "CL_INVALID_VALUE",
    "read.null_buffer": "CL_INVALID_MEM_OBJECT",
    "copy.overlap": "CL_MEM_COPY_OVERLAP",
    "copy.past_the_end": "CL_INVALID_VALUE",
    "fill.pattern_of_three": "CL_INVALID_VALUE",
    "fill.offset_no_multiple": "CL_INVALID_VALUE",
    "rectangle.row_pitch": "CL_INVALID_VALUE",
    "map.flags_exclude_each_other": "CL_INVALID_VALUE",
    # clEnqueueMarkerWithWaitList, clWaitForEvents, clSetUserEventStatus, clGetEventProfilingInfo
    "wait_list.null": "CL_INVALID_EVENT_WAIT_LIST",
    "wait_list.count_zero": "CL_INVALID_EVENT_WAIT_LIST",
    "wait_list.null_event": "CL_INVALID_EVENT_WAIT_LIST",
    "event.wait_for_none": "CL_INVALID_VALUE",
    "event.user_status_twice": "CL_INVALID_OPERATION",
    "event.user_status_positive": "CL_INVALID_VALUE",
    "event.profiling_not_enabled": "CL_PROFILING_INFO_NOT_AVAILABLE",
    # clCreateCommandQueueWithProperties, clGetDeviceInfo, clGetDeviceIDs
    "queue.property": "CL_INVALID_VALUE",
    "device.info_unknown": "CL_INVALID_VALUE",
    "device.info_size": "CL_INVALID_VALUE",
    "device.type": "CL_INVALID_DEVICE_TYPE",
    # clCreateProgramWithSource, clCreateKernel
    "program.no_source": "CL_INVALID_VALUE",
    "kernel.name": "CL_INVALID_KERNEL_NAME",
    "kernel.not_built": "CL_INVALID_PROGRAM_EXECUTABLE",
    # clCreateImage, clCreateSampler
    "image.format": "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR",
    "image.width_zero": "CL_INVALID_IMAGE_DESCRIPTOR",
    "image.too_wide": "CL_INVALID_IMAGE_SIZE",
    "image.null_format": "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR",
    "sampler.filter": "CL_INVALID_VALUE",
}
