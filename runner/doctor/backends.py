"""tinygrad's back ends: usable or not, why, and how to make it usable.

CL, CPU, CUDA and WEBGPU are opened by tinygrad itself, in children, if their libraries are there at all. Those that talk to
a kernel driver, or to the card itself, are only looked at: to open them has effects, as the PCI interfaces take the card
from its kernel driver.
"""

import os
import re
import shutil
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from runner.doctor.children import Answer, Question, last_words
from runner.doctor.finding import Finding, Section, advice, find, install_step
from runner.releases import installed_version

OPENED = ("CL", "CPU", "CPU:LLVM", "CUDA", "WEBGPU")
# No cache of the user is read (it would hide a compiler that is gone) nor written.
_PRIVATE = {"CACHELEVEL": "0", "CCACHE": "0", "PARALLEL": "0", "DEBUG": "0"}
# Where tinygrad looks for a library (tinygrad/runtime/support/c.py), and the libraries without which a back end cannot
# open: if there are none, tinygrad is not asked, because its import takes half a second of processor time.
_FOLDERS = ("/usr/lib64", "/usr/lib", "/usr/local/lib", "/lib", "/lib64", "/usr/lib/wsl/lib")
_NEEDED = {
    "CUDA": ("CUDA_PATH", "libcuda.so*"),
    # A wgpu-native that lies beside Dawn is of no use to tinygrad, but a user may have installed it for that.
    "WEBGPU": ("WEBGPU_PATH", "libwebgpu_dawn.so*", "libwgpu_native.so*"),
}
_KFD_TARGETS = ((9, 4, 2), (9, 5, 0))  # and all of 11 and 12: AMDDevice's assertion on its target
Opened = Mapping[str, str]


def tinygrad_questions() -> dict[str, Question]:
    """The back ends that are opened, and which functions that tinygrad calls the WebGPU library has."""
    if not find_spec("tinygrad"):
        return {}
    questions = {
        name: Question(("tinygrad", name), _PRIVATE)
        for name in OPENED
        if name not in _NEEDED or find_library(name, os.environ)
    }
    if library := find_library("WEBGPU", os.environ):
        questions["webgpu symbols"] = Question(("symbols", str(library), *_webgpu_calls(), "wgpuGetVersion"))
    return questions


def find_library(name: str, environment: Mapping[str, str]) -> Path | None:
    """The library that tinygrad would load for a back end of _NEEDED."""
    variable, *patterns = _NEEDED[name]
    path = Path(environment.get(variable, ""))
    if path.is_file():
        return path
    folders = [Path(p) for p in (*environment.get("LD_LIBRARY_PATH", "").split(":"), *_FOLDERS) if p]
    folders += [path] if path.is_dir() and environment.get(variable) else []
    folders += [p for folder in folders for p in folder.glob("*-linux-*")]
    for pattern in patterns:
        for folder in folders:
            if found := sorted(folder.glob(pattern)):
                return found[0]
    return None


def examine_backends(answers: Mapping[str, Answer], opened: Opened, root: Path = Path("/")) -> Section:
    """Every back end.

    `opened` maps device nodes to the error of opening them, "" for none; `root` holds dev/ and sys/.
    """
    if not find_spec("tinygrad"):
        return Section("tinygrad", (find("no-tinygrad"),))
    cl, cpu, llvm, cuda, webgpu = (_examine(name, answers) for name in OPENED)
    kernel = examine_kernel_backends(opened, root)
    return Section("tinygrad", (find("tinygrad", version=installed_version()), cl, cpu, llvm, *kernel, cuda, webgpu))


def _examine(name: str, answers: Mapping[str, Answer]) -> Finding:
    text = {"CPU": "CPU by clang", "CPU:LLVM": "CPU by LLVM"}.get(name, name)
    answer = answers.get(name)
    if not answer:  # not asked
        error = f"failed to load library {name.lower()}"
    elif answer.died:
        error = f"tinygrad {answer.died} {last_words(answer)}".strip()
    elif not (error := answer.reply["error"]):
        return find("usable", name=text, how=f" (DEV={name}): {answer.reply['name']}")
    why, step = _explain_webgpu(error, answers.get("webgpu symbols")) if name == "WEBGPU" else _explain(name, error)
    return find("not-usable", name=text, why=why or _first_line(error), step=step)


def _explain(name: str, error: str) -> tuple[str, str]:
    """Why a back end does not open, and the next step: by the table of advice.toml, then by what it needs to compile."""
    for row in advice()["unopened"].get(name, ()):
        if re.search(row["error"], error, re.DOTALL):
            return row["why"].format(error=_first_line(error)), row["step"].format(install=install_step())
    why, step = _explain_clang(error) if name.startswith("CPU") else ("", "")
    return (f"{why}, even where LLVM compiles the kernels" if why and name == "CPU:LLVM" else why), step


def _first_line(error: str) -> str:
    return error.splitlines()[0][:200]


def _explain_clang(error: str) -> tuple[str, str]:
    compiler = os.environ.get("CC") or "clang"
    if not shutil.which(compiler):
        own = f"CC={compiler}" if os.environ.get("CC") else "clang"
        return f"no {own} on PATH, and tinygrad's CPU device calls it when it opens", install_step()
    if "CalledProcessError" in error and os.environ.get("CC"):
        return f"CC={compiler} does not take clang's options ({_first_line(error)})", "unset CC, or CC=clang"
    return "", ""


def _explain_webgpu(error: str, symbols: Answer | None) -> tuple[str, str]:
    step = "install Dawn's libwebgpu_dawn.so (pip install dawn-python has one), and set WEBGPU_PATH to it"
    if not symbols:
        return "no WebGPU library (libwebgpu_dawn.so)", step
    path = find_library("WEBGPU", os.environ)
    if symbols.died or symbols.reply["error"]:
        return f"{path} {symbols.died or 'does not load: ' + symbols.reply['error']}", step
    missing = symbols.reply["missing"]
    native = "wgpuGetVersion" not in missing  # wgpu-native's own, in no other implementation
    lacks = [name for name in missing if name != "wgpuGetVersion"]
    shown = f"{', '.join(lacks[:4])}{f' and {len(lacks) - 4} more' if len(lacks) > 4 else ''}"
    text = f"it lacks {shown}" if lacks else _first_line(error)
    if native:
        return f"{path} is wgpu-native and not Dawn, whose future-based calls tinygrad needs: {text}", step
    if lacks:
        return f"{path} is not the Dawn that tinygrad was made for: {text}", step
    return "", "a GPU's Vulkan driver, or WEBGPU_BACKEND=WGPUBackendType_Vulkan" if "dapter" in error else ""


def _webgpu_calls() -> list[str]:
    """The functions of a WebGPU library that the installed tinygrad calls."""
    spec = find_spec("tinygrad")
    path = Path(spec.origin or "").parent / "runtime/ops_webgpu.py" if spec else Path()
    return sorted(set(re.findall(r"webgpu\.(wgpu[A-Z]\w+)", path.read_text(encoding="utf-8") if path.is_file() else "")))


def examine_kernel_backends(opened: Opened, root: Path = Path("/")) -> list[Finding]:
    """A finding for each back end that talks to a kernel driver; the arguments are those of `examine_backends`."""
    found = [_examine_kernel(name, opened, root) for name in advice()["kernel"]]
    return found + [find("not-looked-at", name=name, why=text) for name, text in advice()["elsewhere"].items()]


def _examine_kernel(name: str, opened: Opened, root: Path) -> Finding:
    own = advice()["kernel"][name]
    nodes = {node: root / "dev" / node for node in own["nodes"]}
    missing = ", ".join(f"/dev/{node}" for node, path in nodes.items() if not path.exists())
    machine = f" (this is {os.uname().machine})" if name == "QCOM" and os.uname().machine != "aarch64" else ""
    if missing:
        return find("not-usable", name=name, why=f"no {missing}{machine}", step=own["source"])
    if closed := "; ".join(f"{path}: {opened[str(path)]}" for path in nodes.values() if opened.get(str(path))):
        return find("not-usable", name=name, why=closed, step="usermod -aG render $USER, and log in again")
    if name != "AMD by KFD":
        return find("node-opens", name=name, node=own["nodes"][0], more=own["more"])
    targets = _kfd_targets(root / "sys/devices/virtual/kfd/kfd/topology/nodes")
    shown = ", ".join(f"gfx{t[0]}{t[1]:x}{t[2]:x}" for t in targets) or "no GPU"
    if any(t in _KFD_TARGETS or t[0] in (11, 12) for t in targets):
        return find("usable", name=name, how=f": {shown}")
    return find("not-usable", name=name, why=f"tinygrad takes only gfx942, gfx950, gfx11 and gfx12: {shown}", step="DEV=CL")


def _kfd_targets(nodes: Path) -> list[tuple[int, int, int]]:
    """The GPUs of the kernel's list, as (major, minor, stepping)."""
    targets = []
    for properties in sorted(nodes.glob("*/properties")):
        found = re.search(r"^gfx_target_version (\d+)", properties.read_text(encoding="utf-8"), re.M)
        if found and int(found[1]):
            number = int(found[1])
            targets.append((number // 10000, number // 100 % 100, number % 100))
    return targets
