"""The commands of a queue and their cl_command_type (API 3.0, 5.11). Plain Python."""

COMMANDS = {
    "kernel": 0x11F0,
    "fill": 0x1207,
    "copy": 0x11F5,
    "read": 0x11F3,
    "write": 0x11F4,
    "read_rect": 0x1201,
    "write_rect": 0x1202,
    "copy_rect": 0x1203,
    "map": 0x11FB,
    "unmap": 0x11FD,
    "migrate": 0x1206,
    "marker": 0x11FE,
    "barrier": 0x1205,
    "image_fill": 0x1208,
    "image_copy": 0x11F8,
    "image_read": 0x11F6,
    "image_write": 0x11F7,
    "image_to_buffer": 0x11F9,
    "buffer_to_image": 0x11FA,
    "image_map": 0x11FC,
    "image_unmap": 0x11FD,
}
CALLS = {
    "kernel": "clEnqueueNDRangeKernel",
    "fill": "clEnqueueFillBuffer",
    "copy": "clEnqueueCopyBuffer",
    "read": "clEnqueueReadBuffer",
    "write": "clEnqueueWriteBuffer",
    "read_rect": "clEnqueueReadBufferRect",
    "write_rect": "clEnqueueWriteBufferRect",
    "copy_rect": "clEnqueueCopyBufferRect",
    "map": "clEnqueueMapBuffer",
    "unmap": "clEnqueueUnmapMemObject",
    "migrate": "clEnqueueMigrateMemObjects",
    "marker": "clEnqueueMarkerWithWaitList",
    "barrier": "clEnqueueBarrierWithWaitList",
    "image_fill": "clEnqueueFillImage",
    "image_copy": "clEnqueueCopyImage",
    "image_read": "clEnqueueReadImage",
    "image_write": "clEnqueueWriteImage",
    "image_to_buffer": "clEnqueueCopyImageToBuffer",
    "buffer_to_image": "clEnqueueCopyBufferToImage",
    "image_map": "clEnqueueMapImage",
    "image_unmap": "clEnqueueUnmapMemObject",
}
MAPPINGS = ("map", "unmap", "image_map", "image_unmap")  # whose memory must not be looked at while they wait
BLOCKING = ("read", "write", "read_rect", "write_rect", "map", "image_read", "image_write", "image_map")
# Deprecated functions, which do the same as another one with fewer arguments: the types of their commands.
DEPRECATED = {"clEnqueueTask": 0x11F1, "clEnqueueMarker": 0x11FE}
