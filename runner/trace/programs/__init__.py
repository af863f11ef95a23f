"""What `runner repro` writes: the texts of the programs, in which $NAME stands for a case's own part."""

import json
import os
from importlib import resources
from string import Template

# The variables that decide which device a program gets, and its configuration; it sets them if they are not set.
_VARIABLES = """
RUSTICL_ENABLE RUSTICL_FEATURES RUSTICL_DEVICE_TYPE RUSTICL_CL_VERSION RUSTICL_MAX_WORK_GROUPS RUSTICL_DEBUG
AMD_DEBUG GALLIUM_OVERRIDE_CPU_CAPS INTEL_DEBUG IR3_SHADER_DEBUG LP_NATIVE_VECTOR_WIDTH MESA_LOADER_DRIVER_OVERRIDE
MESA_SHADER_CACHE_DISABLE VK_INSTANCE_LAYERS ZINK_DEBUG
"""
# In a program in C: here it sets them.
C_VARIABLES = "    /* variables */\n"


def own_variables() -> dict[str, str]:
    """The variables of this process that a program sets."""
    return {name: os.environ[name] for name in _VARIABLES.split() if name in os.environ}


def set_in_c(text: str) -> str:
    """A program in C that sets them first."""
    lines = (f"    setenv({json.dumps(name)}, {json.dumps(value)}, 0);\n" for name, value in own_variables().items())
    return text.replace(C_VARIABLES, "".join(lines))


def fill_program(name: str, **values: object) -> str:
    """The text of NAME.py.in with its values."""
    lines = (f"os.environ.setdefault({name!r}, {value!r})\n" for name, value in own_variables().items())
    values["environment"] = "".join(lines)
    return Template((resources.files(__name__) / f"{name}.py.in").read_text(encoding="utf-8")).substitute(values)
