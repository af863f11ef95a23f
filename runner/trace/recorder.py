"""Exports a case as a stand-alone program: a device that listens for every step of the case, and writes it down.

Imported only in the child. The folder is written again before every step that may end the process.
"""

import shlex
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import tap
from runner.check import Mismatch
from runner.device import Device
from runner.model import Case, DeviceReport
from runner.trace.body_program import write_body_program
from runner.trace.kernel_recorder import KernelRecorder
from runner.trace.programs import fill_program, own_variables, set_in_c


class Recorder(Device):
    """A Device that also keeps the steps of one case in `folder`."""

    def __init__(self, device: cl.Device, folder: Path, report: DeviceReport) -> None:
        super().__init__(device)
        self._folder, self._report, self._seed = folder, report, 0
        self._steps: list[str] = []
        self._sources: dict[str, str] = {}
        self._data: dict[str, NDArray[Any]] = {}
        self._outputs: dict[str, NDArray[Any]] = {}
        self._names: dict[int, str] = {}  # by handle
        self._kept: list[Any] = []  # so that no handle is used twice
        self._whole = True  # whether the steps are everything that the case did
        self._returned = True  # the last one
        self._kernels: KernelRecorder | None = None
        self._watching = ExitStack()
        self._listeners: dict[str, tap.Listener] = {
            "Program.build": self._build,
            "Device.buffer": self._create,
            "Kernel.set_args": self._set,
            "enqueue_nd_range_kernel": self._launch,
            "enqueue_copy": self._copy,
        }

    def begin(self, case: Case, seed: int) -> None:
        """As `Device.begin`: forget the steps of the case before."""
        super().begin(case, seed)
        self._seed = seed

    def tinygrad(self) -> Any:
        """As `Device.tinygrad`; its launches are recorded one level below, by `KernelRecorder`."""
        tinygrad = super().tinygrad()
        if self._kernels is None:
            self._kernels = KernelRecorder(self._folder, self.case_id)
            try:
                self._watching.enter_context(self._kernels.watch())
            except LookupError as error:
                print(f"the case is written, not its kernels: {error}")
        return tinygrad

    def perform(self, body: Callable[[Device, Case], None], case: Case) -> None:
        """Run a case's body and write what it did, even if it fails or ends the process."""
        error: Exception | None = None
        module = sys.modules[body.__module__]
        self._folder.mkdir(parents=True, exist_ok=True)
        if text := getattr(module, "c_program", lambda *_: "")(self, case):
            (self._folder / "repro.c").write_text(set_in_c(text), encoding="utf-8")
        self._describe(case, "the process ended")  # stays if it does
        try:
            with tap.listening(dict.fromkeys((*tap.PYOPENCL, tap.CTYPES), self._give_up) | self._listeners):
                super().perform(body, case)
        except Exception as raised:
            error = raised
            raise
        finally:
            self._watching.close()
            found = "\n\n" + self._kernels.finish(passed=error is None) if self._kernels and self._kernels.began else ""
            self._describe(case, str(error or "passed") + found)
            if not text and not found:
                self._finish(case, Path(module.__file__ or "").parent, error)

    def _build(self, program: Any, options: Any = None, *_: Any, **__: Any) -> tap.Steps:
        name, source = f"program{len(self._sources)}", getattr(program, "_source", None)
        self._whole &= isinstance(source, str)
        self._sources[name] = str(source)
        built = yield from self._step(
            f'{name} = cl.Program(context, (here / "{name}.cl").read_text()).build({options!r})', written=True
        )
        self._name(built, name)

    def _create(self, _: Any, content: NDArray[Any] | int) -> tap.Steps:
        buffer = yield
        name = self._name(buffer, f"buffer{len(self._kept)}")
        if isinstance(content, int):
            self._steps.append(f"{name} = cl.Buffer(context, cl.mem_flags.READ_WRITE, size={content})")
        else:
            self._data[name] = np.ascontiguousarray(content)
            flags = "cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR"
            self._steps.append(f'{name} = cl.Buffer(context, {flags}, hostbuf=data["{name}"])')

    def _set(self, kernel: cl.Kernel, *values: Any) -> tap.Steps:
        shown = ", ".join(self._argument(value) for value in values)
        if kernel.int_ptr not in self._names:
            program = self._argument(kernel.program)
            self._steps.append(f"{self._name(kernel, f'kernel{len(self._kept)}')} = {program}.{kernel.function_name}")
        return self._step(f"{self._argument(kernel)}.set_args({shown})")

    def _launch(
        self, queue: Any, kernel: cl.Kernel, size: Any, local: Any, offset: Any = None, *more: Any, **named: Any
    ) -> tap.Steps:
        self._whole &= queue == self.queue and not more and not named
        sizes = [tuple(s) if s else None for s in (size, local, offset)]
        words = f"queue, {self._argument(kernel)}, {', '.join(map(str, sizes))}"
        return self._step(f"cl.enqueue_nd_range_kernel({words})", written=True)

    def _copy(self, queue: Any, target: Any, source: Any, **where: Any) -> tap.Steps:
        self._whole &= queue == self.queue and not where.keys() & {"is_blocking", "wait_for"}
        words = "".join(f", {name}={value!r}" for name, value in where.items())
        if isinstance(target, np.ndarray):
            to, of = f"output{len(self._outputs)}", self._argument(source)
            self._outputs[to] = target
            self._steps.append(f"{to} = np.empty({target.shape}, {str(target.dtype)!r})")
        else:
            to, of = self._argument(target), self._argument(source)
        return self._step(f"cl.enqueue_copy(queue, {to}, {of}{words})")

    def _give_up(self, *_: Any, **__: Any) -> None:
        """The case does something that no step can express: its body becomes the program."""
        self._whole = False

    def _step(self, line: str, *, written: bool = False) -> tap.Steps:
        self._steps.append(line)
        if written:
            self._write()
        self._returned = False
        result = yield
        self._returned = True
        return result

    def _finish(self, case: Case, suite: Path, error: Exception | None) -> None:
        self._write()
        compare = self._comparison(error) if isinstance(error, Mismatch) else ""
        stopped = isinstance(error, Mismatch) and not self._returned
        script = self._folder / "repro.py"
        if self._whole and self._sources and (compare or stopped):
            text = fill_program("steps", id=case.id) + "\n".join(self._steps) + "\n" + compare
            script.write_text(text, encoding="utf-8")
        else:
            write_body_program(self._folder, suite, case, self._seed)

    def _describe(self, case: Case, end: str) -> None:
        """Write the README."""
        report = self._report
        in_c = (self._folder / "repro.c").is_file()
        command = "cc repro.c -lOpenCL && ./a.out" if in_c else "python3 repro.py"
        own, places = own_variables(), ("MESA_SHADER_CACHE_DIR",)  # which is gone with the run
        others = " ".join(f"{k}={shlex.quote(v)}" for k, v in report.environment.items() if k not in (*own, *places))
        variables = f"    {' '.join(f'{k}={shlex.quote(v)}' for k, v in own.items())}"
        if report.emulator:  # whose library no variable can name
            words = f"--gpu {report.environment.get('EMULATOR_GPU')} --driver {report.environment.get('RUSTICL_ENABLE')}"
            command = f"runner emulate {words} -- {command}"  # with the emulator
        (self._folder / "README.md").write_text(
            f"# {case.id}\n\n{end}\n\nSeen on {report.full_name}, {report.platform}, driver "
            f"{report.driver_version}, LLVM {report.llvm}, libclc {report.libclc_version} {report.libclc}, "
            f"Linux {report.kernel}; it ran with {others or 'no other variables'}.\n\n    {command}\n\n"
            f"The program itself sets, if they are not set:\n\n{variables}\n",
            encoding="utf-8",
        )

    def _name(self, thing: Any, name: str) -> str:
        if thing.int_ptr not in self._names:
            self._kept.append(thing)
            self._names[thing.int_ptr] = name
        return self._names[thing.int_ptr]

    def _argument(self, value: Any) -> str:
        if isinstance(value, cl.LocalMemory):
            return f"cl.LocalMemory({value.size})"
        if isinstance(value, np.generic) and value.dtype.kind in "iufb":
            return f"np.{value.dtype.name}({value.item()!r})".replace("(nan)", "('nan')").replace("inf)", "'inf')")
        if isinstance(value, np.ndarray):
            name = f"argument{len(self._data)}"
            self._data[name] = np.array(value)
            return f'data["{name}"]'
        if value is None:
            return "None"
        known = self._names.get(getattr(value, "int_ptr", 0))
        self._whole &= known is not None  # else made by the body itself, past the seam
        return known or "None"

    def _comparison(self, error: Mismatch) -> str:
        if error.got is None or error.want is None or error.wrong is None:
            return ""
        expression = self._expression(error.got)
        if not expression:
            return ""
        self._data |= {"got": error.got, "want": np.asarray(error.want), "wrong": error.wrong}
        self._write()
        return fill_program("comparison", got=expression)

    def _expression(self, got: NDArray[Any]) -> str:
        """How the compared array comes from an output, or ""."""
        for name, array in reversed(self._outputs.items()):
            views = [(name, array)]
            if array.ndim > 1:
                views += [(f"{name}[..., {i}]", array[..., i]) for i in range(array.shape[-1])]
                views += [(f"{name}[{i}]", array[i]) for i in range(array.shape[0])]
            for expression, view in views:
                if view.size == got.size and view.dtype == got.dtype and view.tobytes() == got.tobytes():
                    return f"{expression}.reshape({got.shape})"
        return ""

    def _write(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        for name, source in self._sources.items():
            (self._folder / f"{name}.cl").write_text(source, encoding="utf-8")
        np.savez_compressed(self._folder / "data.npz", **self._data)  # type: ignore[arg-type]
        text = fill_program("steps", id="a case that did not end") + "\n".join([*self._steps, "queue.finish()", ""])
        (self._folder / "repro.py").write_text(text, encoding="utf-8")
