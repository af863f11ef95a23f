"""Names that the catalogue and the bodies share. Plain Python."""

JOBS = (
    *("launch", "build", "build_same", "transfer", "fill", "map", "buffers", "kernels", "callback", "user_event"),
    *("queue", "profile", "all"),
)
SHARING = ("one_queue", "queues", "contexts")
