"""Whose an exception is that a body raises and that is not a check's: the suite's own, or an answer of what it drives."""

import traceback

# The libraries that a body calls and that call the driver. What numpy raises is a slip of whoever called it.
_LAYER = ("pyopencl", "pyvkfft", "reikna", "tinygrad")
_OWN = ("runner", "suite_")  # how the names of the runner's and the suites' modules begin (runner/importing.py)
_BETWEEN = "runner.tap"  # through which a body calls pyopencl


def is_answer(error: Exception) -> bool:
    """Whether it comes from the layer between body and driver, by where it was raised.

    A misspelt name and a wrong call are the suite's wherever they are noticed: no answer of a driver reaches a body so.
    """
    if isinstance(error, AttributeError | NameError | TypeError):
        return False
    return _is_of_layer(type(error).__module__) or _is_of_layer(_deciding_module(error))


def describe(error: Exception) -> str:
    """Its type, its first line and its place: of an answer the innermost, of a slip the line of the suite."""
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
