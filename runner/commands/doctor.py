"""`runner doctor`: what this machine has for OpenCL and tinygrad, what is wrong with it, and the next step.

Exit code 0 if a device of Rusticl opens, else 3: in this environment or, if OCL_ICD_VENDORS and RUSTICL_ENABLE are not
set, as the runner would set them.
"""

import argparse
import json
import os
import tempfile
from dataclasses import asdict
from pathlib import Path

from runner.commands.options import add_form
from runner.doctor import backends, caches, emulation, enable, nodes, opencl, processor, vulkan
from runner.doctor.children import Question, ask
from runner.doctor.finding import render_text
from runner.drivers.registry import load_drivers
from runner.lines import tell
from runner.model import ExitCode

_OTHER_NODES = ("kfd", "nvidiactl", "nvidia-uvm", "nvidia0")  # tinygrad's


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the form."""
    add_form(parser, "text", "json")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print the report; INFRASTRUCTURE if no device of Rusticl opens."""
    drivers, found = load_drivers(), nodes.find_nodes()
    icds = opencl.find_icd_files(os.environ)
    paths = [n.path for n in found if n.path] + [str(p) for name in _OTHER_NODES if (p := Path("/dev", name)).exists()]
    with tempfile.TemporaryDirectory(prefix="runner-") as scratch:
        alone = opencl.ask_alone(icds, os.environ, drivers, Path(scratch))
        answers = ask(
            {
                "platforms": opencl.QUESTION,
                "vulkan": vulkan.QUESTION,
                "nodes": Question(("nodes", *paths)),
                **alone,
                **backends.tinygrad_questions(),
            }
        )
    opened = answers["nodes"].reply
    if opened is None:  # it died or hangs, and so would any program that opens one of them
        opened = dict.fromkeys(paths, f"opening the device nodes {answers['nodes'].died}")
    together = answers["platforms"]
    own = [device for name in alone for device in opencl.rusticl_devices(answers[name])]
    zink = answers.get(opencl.ZINK)
    sections = [
        opencl.examine_icds(icds, answers, together, os.environ),
        opencl.examine_platforms(together),
        enable.examine_enable(os.environ.get("RUSTICL_ENABLE"), drivers, opencl.rusticl_devices(together), own, zink),
        nodes.examine_nodes(found, opened, drivers),
        vulkan.examine_vulkan(os.environ, answers["vulkan"]),
        emulation.examine_emulators(drivers),
        processor.examine_processor(os.environ),
        caches.examine_libclc(),
        caches.examine_shader_cache(os.environ),
        backends.examine_backends(answers, opened),
    ]
    usable = [d["name"] for d in (*opencl.rusticl_devices(together), *own) if not d["error"]]
    if arguments.form == "json":
        report = {s.name: [asdict(f) for f in s.findings] for s in sections}
        tell(json.dumps({"usable": sorted(set(usable)), "sections": report}, indent=2))
    else:
        tell(render_text(sections))
        names = ", ".join(sorted(set(usable)))
        tell(f"\nRusticl: {f'usable: {names}' if usable else 'no device opens; the lines with !! explain why'}")
    return ExitCode.GREEN if usable else ExitCode.INFRASTRUCTURE
