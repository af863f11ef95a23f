"""The runner's own cost: `python tests/benchmark.py [overhead|crashes|catalogue|first|large|piglit DIR [all]|wall RESULTS]`.

`python tests/benchmark.py COMMAND... --base COMMIT`, outside of a root, has this tree and a clone of COMMIT run `ci/run
COMMAND...` in turns: `tests/benchmark.py --driver llvmpipe --base HEAD~20`, `tests/benchmark.py list --base v2026.11`.

Ratios and differences between runs of one sitting, because machines are shared; nothing here is a test.
"""

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timedelta
from pathlib import Path

_ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(_ROOT))

from runner.ids import to_id  # noqa: E402
from runner.importing import import_suite_module  # noqa: E402
from runner.model import Status  # noqa: E402
from runner.records.history import History  # noqa: E402
from runner.records.journal import read  # noqa: E402  # the checkout need not be installed

_MOCK = [f"--suites={_ROOT}/tests/mock/suites"]
_RUN = [*_MOCK, "--driver=mock", f"--registry={_ROOT}/tests/mock/drivers.yaml"]


def main(words: list[str]) -> None:
    """Print the figures that were asked for; without arguments, all those of the mock suite."""
    if "--base" in words:
        compare(words[: words.index("--base")], words[words.index("--base") + 1])
        return
    for word in words[:1] or ["overhead", "crashes", "catalogue"]:
        own = {"overhead": overhead, "crashes": crashes, "catalogue": catalogue, "first": first, "large": large}
        if word == "piglit":
            piglit(Path(words[1]).resolve(), whole=words[2:] == ["all"])
        else:
            own.get(word, lambda: wall(Path(words[1])))()


def runner(*words: str, **environment: str) -> tuple[float, float, str]:
    """Run the command; returns wall seconds, CPU seconds of the whole tree, and its output."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "runner.cli", *words],
        env={**os.environ, "PYTHONPATH": str(_ROOT), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode != 0:
        sys.exit(f"runner {' '.join(words)}\n{done.stdout}")
    wall_s, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall_s, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def overhead() -> None:
    """CPU time per case on 2,000 trivial cases, less the cost of 10 cases."""
    for jobs in ("1", "2"):
        cost = {}
        for count in (10, 2000):
            with tempfile.TemporaryDirectory() as folder:
                words = [*_RUN, f"--results={folder}/r", f"--expectations={folder}"]
                cost[count] = runner("-t", "mock/bulk/*", "-j", jobs, *words, MOCK_BULK=str(count))
        cpu_ms = (cost[2000][1] - cost[10][1]) / 1990 * 1000
        wall_ms = (cost[2000][0] - cost[10][0]) / 1990 * 1000
        print(f"-j {jobs}: {cpu_ms:.2f} ms CPU a case (limit 3), {wall_ms:.2f} ms wall; 10 cases {cost[10][0]:.2f} s")


def crashes() -> None:
    """200 crashing cases among 2,000: what is lost, and the cost of each."""
    with tempfile.TemporaryDirectory() as folder:
        known = Path(folder, "expectations/mock")
        known.mkdir(parents=True)
        words = ["-t", "mock/bulk/*", "-j", "1", *_RUN, f"--expectations={known.parent}"]
        calm = runner(*words, f"--results={folder}/a", MOCK_BULK="2000")[0]
        lines = [f"mock/bulk/{n:05},Crash,SIGSEGV" for n in range(2000) if n % 10 == 5]
        (known / "mock-fails.txt").write_text("\n".join(lines) + "\n")
        wild, _, text = runner(*words, f"--results={folder}/b", MOCK_BULK="2000", MOCK_BULK_CRASH="1")
        record = read(Path(folder, "b"))
        crashed = sum(r.attempts[-1].status is Status.CRASH for r in record.results.values())
        start_s = min(runner("probe", *_RUN)[0] for _ in range(3)) - min(runner("list", *_MOCK)[0] for _ in range(3))
    print(f"{len(record.results)} of 2000 results, {crashed} crashes; {text.splitlines()[-1]}")
    print(f"a crash costs {(wild - calm) / 200:.3f} s; a device start-up about {start_s:.3f} s (limit: that + 0.2 s)")


def catalogue() -> None:
    """`runner list` over 20,000 cases, and their collection by pytest over an empty one."""
    many, none = {"MOCK_BULK": "20000"}, {"MOCK_BULK": "0"}
    print(f"list of 20,000: {min(runner('list', *_MOCK, **many)[0] for _ in range(3)):.2f} s (limit 1.5)")
    collect = [sys.executable, "-m", "pytest", "--collect-only", "-q", str(_ROOT / "tests/mock/suites")]
    seconds = {}
    for name, environment in (("many", many), ("none", none)):
        begun = time.monotonic()
        subprocess.run(
            collect, env={**os.environ, "PYTHONPATH": str(_ROOT), **environment}, stdout=subprocess.DEVNULL, cwd=_ROOT
        )
        seconds[name] = time.monotonic() - begun
    print(f"collection of 20,000: {seconds['many']:.2f} s, of 30 {seconds['none']:.2f} s (limit 3 s a worker)")
    print(f"--help: {min(runner('--help')[0] for _ in range(5)):.3f} s (limit 0.2)")


def large() -> None:
    """200,000 cases, and `flakes` over 1,000 runs of 7,000 cases, 20 of which flake."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["-t", "mock/bulk/*", "-j", "2", *_RUN, f"--results={folder}/r", f"--expectations={folder}"]
        wall_s, cpu_s, _ = runner(*words, MOCK_BULK="200000")
        files = [Path(place, name) for place, _, names in os.walk(f"{folder}/r") for name in names]
        size, peak = sum(f.stat().st_size for f in files), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        print(f"200,000 cases: {wall_s:.0f} s, {cpu_s:.0f} s CPU; largest process {peak >> 10} MiB")
        print(f"  they leave {len(files)} files of {size >> 20} MiB")
        path, lines = Path(folder, "history.sqlite"), Path(folder, "mock/mock-flakes.txt")
        _write_history(path, runs=1000, cases=7000)
        lines.parent.mkdir()
        lines.write_text("".join(f"mock/bulk/{n:05},Fail,1/9\n" for n in range(20)))
        _, cpu_s, text = runner("flakes", f"--history={path}", "--runs=1000", f"--expectations={folder}")
        print(f"flakes over 1,000 x 7,000: {cpu_s:.1f} s CPU (limit 5); {text.count('keep')} known")


def _write_history(path: Path, runs: int, cases: int) -> None:
    with History(path, create=True):
        pass
    database = sqlite3.connect(path)
    database.execute("PRAGMA synchronous = OFF")
    days = [f"{datetime(2023, 1, 1) + timedelta(days=n):%Y-%m-%dT00:00:00+00:00}" for n in range(runs)]
    own = ("mock", "", 0, "25.0", "", "", "", "build", "device", 2, "")
    database.executemany(f"INSERT INTO run VALUES (?, ?, ?{', ?' * 11})", [(n, str(n), d, *own) for n, d in enumerate(days)])
    database.executemany("INSERT INTO test VALUES (?, ?)", [(n, f"mock/bulk/{n:05}") for n in range(cases)])
    rows = (
        (run, test, 0, "Fail" if test < 20 and (run + test) % 9 == 0 else "Pass", 0.5, "warm", 1, None)
        for run in range(runs)
        for test in range(cases)
    )
    database.executemany("INSERT INTO execution VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    database.commit()
    database.close()


_BARE = """
import numpy as np, pyopencl as cl
context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
queue = cl.CommandQueue(context)
program = cl.Program(context, "kernel void k(global int *a) { a[get_global_id(0)] = get_global_id(0); }").build()
out = np.empty(64, np.int32)
buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, out.nbytes)
cl.Kernel(program, "k")(queue, out.shape, None, buffer)
cl.enqueue_copy(queue, out, buffer)
assert (out == np.arange(64)).all()
"""
_CASES = ("kernels/integer/add_sat.int", "kernels/integer/sub_sat.int")


def first() -> None:
    """The first minute on llvmpipe, in a root: CPU time over that of a bare pyopencl program with one kernel."""
    with tempfile.TemporaryDirectory() as folder:
        driver = {"RUSTICL_RUNNER_CACHE": f"{folder}/machine", "PYOPENCL_NO_CACHE": "1"}
        icd = {"OCL_ICD_VENDORS": "/etc/OpenCL/vendors/rusticl.icd", "RUSTICL_ENABLE": "llvmpipe"}
        bare = min(cpu_of([sys.executable, "-c", _BARE], **driver, **icd, MESA_SHADER_CACHE_DISABLE="1") for _ in range(3))
        print(f"a bare program: {bare:.2f} s")
        globs = [word for case in _CASES for word in ("-t", case)]
        for name, limit, words in (
            ("run-case", 1.5, ["run-case", "--driver=llvmpipe", _CASES[0]]),
            ("a run of two cases", 2.5, ["--driver=llvmpipe", "--tier=full", *globs, f"--results={folder}/r"]),
        ):
            costs = [runner(*words, **driver)[1] for _ in range(4)]
            shutil.rmtree(f"{folder}/machine")
            later = min(costs[1:])
            print(f"{name}: {later:.2f} s, {later / bare:.2f} of it (limit {limit}); the first {costs[0] / bare:.2f}")
        for words in (["list"], ["coverage"], ["expect", "lint"], ["report", f"{folder}/r"], ["html", f"{folder}/r"]):
            print(f"{words[0]}: {min(runner(*words)[1] for _ in range(3)):.2f} s (limit 0.5)")


def compare(words: list[str], commit: str, turns: int = 3) -> None:
    """CPU and wall time of `ci/run WORDS` in this tree over that in a clone of a commit, the best of three turns.

    The first cost of a root and its caches is left out: one turn before these is not counted.
    """
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder, "base")
        subprocess.run(["git", "clone", "--quiet", "--shared", "--no-checkout", _ROOT, base], check=True)
        commit = subprocess.check_output(["git", "-C", _ROOT, "rev-parse", "--verify", f"{commit}^{{commit}}"], text=True)
        subprocess.run(["git", "-C", base, "checkout", "--quiet", "--detach", commit.strip()], check=True)
        costs: dict[Path, list[tuple[float, float]]] = {base: [], _ROOT: []}
        run = not words or words[0].startswith("-") or words[0] == "run"
        for turn in range(turns + 1):
            for tree, seen in costs.items():
                own = [f"--results={folder}/{tree.name}{turn}"] if run else []
                before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
                done = subprocess.run([tree / "ci/run", *words, *own], stdout=subprocess.PIPE, text=True)
                if done.returncode not in (0, 1, 5):  # green, red, stale
                    sys.exit(f"{tree}: ci/run {' '.join(words)}\n{done.stdout}")
                wall_s, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
                seen.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall_s))
        for n, name in enumerate(("CPU", "wall")):
            old, new = (min(cost[n] for cost in seen[1:]) for seen in costs.values())
            print(f"{name}: {old:.2f} s at {commit[:12]}, {new:.2f} s here, {new / old:.2f} of it")


def piglit(folder: Path, whole: bool) -> None:
    """CPU time of every 20th program of piglit's on llvmpipe, in a root: cl-program-tester's, this suite's, both cold.

    Or of the whole profile, with the programs that piglit brings itself, each in a process as piglit's runner starts it.
    """
    installation = import_suite_module(_ROOT / "suites/piglit", "installation")
    tests = [test for test in installation.read_profile(folder) if test.program or whole][:: 1 if whole else 20]
    icd = {
        "OCL_ICD_VENDORS": "/etc/OpenCL/vendors/rusticl.icd",
        "RUSTICL_ENABLE": "llvmpipe",
        "RUSTICL_FEATURES": "fp16,fp64",
    }
    tester, libraries = str(folder / "bin/cl-program-tester"), str(folder / "lib")
    commands = [
        [tester, str(folder / t.program)] if t.program else [str(folder / "bin" / t.command[0]), *t.command[1:]]
        for t in tests
    ]
    with tempfile.TemporaryDirectory() as scratch:
        cache = {"MESA_SHADER_CACHE_DIR": scratch, "XDG_CACHE_HOME": scratch, "PIGLIT_SOURCE_DIR": str(folder)}
        own = {**icd, **cache, "LD_LIBRARY_PATH": libraries}
        costs = {}
        for state in ("cold", "warm"):
            costs[state] = sum(cpu_of(command, False, **own) for command in commands)
        globs = [word for t in tests for end in ("", "*") for word in ("-t", to_id(t.name, "piglit") + end)]
        words = ["--driver=llvmpipe", "-j", "1", f"--piglit={folder}"]
        start = runner(*words, *globs[:4], f"--results={scratch}/a")[1]
        ours = runner(*words, *(["-t", "piglit/*"] if whole else globs), f"--results={scratch}/b")[1]
    cold, later = ours / costs["cold"], (ours - start) / costs["cold"]
    print(f"{len(tests)} tests: piglit's programs {costs['cold']:.1f} s cold, {costs['warm']:.1f} s warm; here {ours:.1f} s")
    print(
        f"cold, {cold:.2f} of it (limit {'1/3' if whole else '0.1'}); without the start of about {start:.1f} s, {later:.2f}"
    )
    print(f"what its cache saves, which is to compile, is {1 - costs['warm'] / costs['cold']:.2f} of it")


def cpu_of(words: list[str], check: bool = True, /, **environment: str) -> float:
    """CPU seconds of a command and everything that it started."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = None if check else subprocess.DEVNULL
    subprocess.run(words, env={**os.environ, **environment}, check=check, stdout=output, stderr=output)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def wall(results: Path) -> None:
    """Wall time x jobs over the sum of in-child time of a finished run."""
    record = read(results)
    inside_s = sum(a.duration_s for r in record.results.values() for a in r.attempts)
    print(
        f"{record.wall_s:.1f} s x {record.config.jobs} jobs / {inside_s:.1f} s in children = "
        f"{record.wall_s * record.config.jobs / inside_s:.2f} (limit 1.08)"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
