"""The bodies of the area, by kind."""

from __future__ import annotations

from . import data, queries

BODIES = {
    "gl_sharing.buffer": data.check_buffer,
    "gl_sharing.texture": data.check_texture,
    "gl_sharing.drawn": data.check_drawn,
    "gl_sharing.copied": data.check_copied,
    "gl_sharing.context": queries.check_context,
    "gl_sharing.image": queries.check_image,
    "gl_sharing.object": queries.check_object,
    "gl_sharing.events": queries.check_events,
    "gl_sharing.create_error": queries.check_create_error,
    "gl_sharing.enqueue_error": queries.check_enqueue_error,
    "gl_sharing.context_error": queries.check_context_error,
    "gl_sharing.info_error": queries.check_info_error,
}
