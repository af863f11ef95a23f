"""The bodies of the area, by kind."""

from __future__ import annotations

from . import commands, data

BODIES = {
    "svm.kernel": data.check_kernel,
    "svm.list": data.check_list,
    "svm.list_of_device": data.check_list_of_device,
    "svm.copy": data.check_copy,
    "svm.fill": data.check_fill,
    "svm.map": data.check_map,
    "svm.null": data.check_null,
    "svm.free": commands.check_free,
    "svm.freed": commands.check_freed,
    "svm.migrate": commands.check_migrate,
    "svm.buffer": commands.check_buffer,
    "svm.plain_buffer": commands.check_plain_buffer,
    "svm.alignment": commands.check_alignment,
    "svm.refused": commands.check_refused,
    "svm.unsupported": commands.check_unsupported,
    "svm.command": commands.check_command,
}
