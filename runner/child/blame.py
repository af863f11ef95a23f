"""Who is to blame for an exception in a body that is not a check's: the suite, or the software that it drives."""

import traceback

# The libraries that a body calls and that call the driver. An exception of numpy is the fault of its caller.
_LAYER = ("pyopencl", "pyvkfft", "reikna", "tinygrad")
_OWN = ("runner", "suite_")  # the prefixes of the runner's and the suites' modules (runner/importing.py)
_BETWEEN = "runner.tap"  # through which a body calls pyopencl


def is_answer(error: Exception) -> bool:
    """Whether it comes from the layer between body and driver, by where it was raised.

    A misspelt name and a wrong call are the suite's fault wherever they are noticed: a driver's answer never looks so.
    """
    if isinstance(error, AttributeError | NameError | TypeError):
        return False
    return _is_of_layer(type(error).__module__) or _is_of_layer(_deciding_module(error))


def describe(error: Exception) -> str:
    """Its type, its first line and its place: for a driver's answer the innermost, for a mistake the line of the suite."""
    pairs = zip(traceback.extract_tb(error.__traceback__), _modules(error), strict=True)
    frames = [(frame, name) for frame, name in pairs if name != _BETWEEN]
    place = frames[-1][0]
    if not is_answer(error):
        place = next((frame for frame, name in reversed(frames) if name.startswith(_OWN)), place)
    text = str(error).strip().split("\n", 1)[0]
    return f"{type(error).__name__}: {text} ({place.filename.rpartition('/')[2]}:{place.lineno})"


def _deciding_module(error: Exception) -> str:
    """The module of the innermost frame that is this project's or the layer's: others are libraries that either may call."""
    names = (name for name in reversed(_modules(error)) if name.startswith(_OWN) or _is_of_layer(name))
    return next(names, "")


def _modules(error: Exception) -> list[str]:
    return [str(frame.f_globals.get("__name__", "")) for frame, _ in traceback.walk_tb(error.__traceback__)]


def _is_of_layer(module: str) -> bool:
    return module.partition(".")[0] in _LAYER
