"""The last output of a driver before it ended its process: an assertion, or a panic with its message."""

import re

_LAST_WORDS = re.compile(
    r"\bassertion\b|panicked at|LLVM ERROR|terminate called|what\(\):|corrupted|invalid chunk|"
    r"double free|invalid (?:next )?(?:size|pointer)|stack smashing|Invalid bit width|"
    r"SPIR-V parsing FAILED|"
    r"validation fail(?:ed after| at |:)|v3d_qpu_validate at",  # of NIR, ir3 and v3d: ci/mesa-build --checks
    re.IGNORECASE,
)
_MAX_LINE_CHARS = 2000  # characters of a line that are looked at
_SOURCE_FOLDER = re.compile(r"\.\./\S{0,300}?(?=src/)")  # from the build folder to Mesa's source: each build has its own


def last_words(output: str) -> str:
    """The last line of a driver's output that states why it ended the process: an assertion, or a panic with its message."""
    lines = output.splitlines()
    for number in reversed(range(len(lines))):
        line = lines[number].strip()[:_MAX_LINE_CHARS]
        # "cannot unwind" is the second panic, of Rust's own, which follows every panic inside a C callback.
        if _LAST_WORDS.search(line) and "core/src/panicking.rs" not in line:
            message = lines[number + 1].strip()[:_MAX_LINE_CHARS] if line.endswith(":") and number + 1 < len(lines) else ""
            return _SOURCE_FOLDER.sub("", f"{line} {message}").strip()[:300]
    return ""
