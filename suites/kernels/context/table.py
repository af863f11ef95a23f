"""The names of the cases. Plain Python."""

KINDS = ("queue", "buffer", "sub_buffer", "image", "sampler", "program", "kernel", "user_event", "event")
IMAGE_KINDS = ("image", "sampler")
PROPERTIES = ("none", "platform", "user_sync_false", "user_sync_true", "order")
FROM_TYPE = ("own_type", "all", "default", "no_such_device", "without_properties")
DESTRUCTORS = (
    *("buffer", "sub_buffer", "parent_after_sub_buffer", "image", "three_in_reverse", "data", "not_while_retained"),
    *("not_while_in_use", "same_function_twice", "use_host_pointer", "context", "context_three_in_reverse"),
    *("context_after_its_objects", "context_not_while_retained", "memory_before_context"),
)
