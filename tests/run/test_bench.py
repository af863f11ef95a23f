"""`runner bench`: real devices, real numbers; what a table says about them, and what counts as a change."""

import copy
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from runner.bench import table
from runner.importing import import_suite_module

ROOT = Path(__file__).parents[2]
_MODELS = ROOT / "suites/models"


def _option(name: str, **fields: Any) -> dict[str, Any]:
    identity = {"device": "a device", "driver_version": "25.0.7", "llvm": "19.1", "tinygrad": "0.14.0", "cores": "2"}
    return {"name": name, "identity": identity, "others_cores": 0.0, "measures": [], **fields}


def _ops(*samples: float, unit: str = "GFLOPS", **fields: Any) -> dict[str, Any]:
    measure = {"name": "matmul", "unit": unit, "samples": list(samples), **fields}
    return {"bench": "ops", "size": "full", "options": [_option("llvmpipe", measures=[measure])]}


def _gpt2(ids: list[int]) -> dict[str, Any]:
    ones = {"CPU load": 1.5, "peak memory": 80.0, "load": 0.25, "first token": 2.0, "tokens per second": 100.0}
    measures = [{"name": "time per token", "unit": "ms", "samples": [10.0, 12.0, 11.0, 14.0, 10.5]}]
    measures += [{"name": name, "unit": "", "samples": [value]} for name, value in ones.items()]
    return _option("llvmpipe", measures=measures, ids=ids, cores=2)


def test_the_table_of_gpt2_has_the_talks_columns() -> None:
    absent = {"name": "CPU, LLVM", "absent": "no LLVM"}
    text = table.write({"bench": "gpt2", "options": [absent, _gpt2([1, 2])]}, "text").splitlines()
    assert text[0].split("  ")[0] == "option"
    row = [*("llvmpipe", "11", "10.5", "to", "12", "2", "x", "75", "%", "80", "MiB", "100", "0.25", "s", "2.00", "s")]
    assert text[2].split() == row
    assert "CPU, LLVM: not here: no LLVM" in text
    markdown = table.write({"bench": "gpt2", "options": [_gpt2([1])]}, "markdown").splitlines()
    assert markdown[1].startswith("| --- | ---: |")
    assert all(line.count("|") == markdown[0].count("|") for line in markdown[:3])


def test_options_that_disagree_on_the_tokens_are_named() -> None:
    other = _gpt2([1, 3]) | {"name": "zink"}
    text = table.write({"bench": "gpt2", "options": [_gpt2([1, 2]), other]}, "text")
    assert "zink: OTHER TOKENS than llvmpipe: [1, 3], not [1, 2]" in text


@pytest.mark.parametrize(("error", "named"), [(0.001, False), (0.5, True), (float("nan"), True)])
def test_a_wrong_result_is_named(error: float, named: bool) -> None:
    assert ("WRONG RESULT" in table.write(_ops(1.0, error=error), "text")) == named


def test_a_busy_machine_is_named() -> None:
    record = _ops(1.0)
    record["options"][0]["others_cores"] = 1.5
    assert "NOT ALONE: other programs kept 1.5 of 2 cores busy" in table.write(record, "text")


def test_json_holds_every_sample() -> None:
    assert json.loads(table.write(_ops(1.0, 2.0), "json"))["options"][0]["measures"][0]["samples"] == [1.0, 2.0]


def test_a_change_is_one_that_parts_all_samples() -> None:
    old = _ops(10, 11, 12, 13, 14)
    assert table.compare(old, _ops(13, 15, 16, 17, 18)) == ["1 within noise, 0 of too few samples to tell"]
    assert table.compare(old, _ops(20, 24, 25, 26, 30))[0] == ("llvmpipe: matmul: x 2.08 (better): 12 to 25 GFLOPS")
    slower = table.compare(_ops(10, 11, 12, 13, 14, unit="us"), _ops(20, 24, 25, 26, 30, unit="us"))
    assert "(worse)" in slower[0]
    assert table.compare(_ops(1), _ops(9)) == ["0 within noise, 1 of too few samples to tell"]


def test_what_only_one_run_has_and_another_mesa_are_named() -> None:
    old, new = _ops(1, 2, 3, 4, 5), _ops(1, 2, 3, 4, 5)
    new["options"][0]["measures"][0]["name"] = "conv"
    new["options"][0]["identity"] |= {"driver_version": "26.2.6"}
    assert table.compare(old, new) == [
        "llvmpipe: driver_version: 25.0.7 then, 26.2.6 now",
        "0 within noise, 0 of too few samples to tell",
        "llvmpipe: conv: not in the old run",
        "llvmpipe: matmul: not in the new run",
    ]
    for name in ("bench", "size"):
        other = copy.deepcopy(old) | {name: "tiny"}
        assert table.comparable(other, old).startswith(f"a record of {name} tiny")
    assert not table.comparable(old, new)


def _bench(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "runner.cli", "bench", *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


def _one_layer(folder: Path) -> list[int]:
    """A model of one layer, with the tokenizer of the shipped one; returns the float64 reference's eight tokens."""
    weights, reference, bpe = (import_suite_module(_MODELS, name) for name in ("weights", "reference", "bpe"))
    config = replace(weights.configuration(_MODELS / "tiny"), n_layer=1)
    arrays = weights.seeded(config, 1, 0.3)
    weights.save(folder, config, arrays)
    for name in ("vocab.json", "merges.txt"):
        shutil.copy(_MODELS / "tiny" / name, folder)
    prompt = bpe.Tokenizer.load(folder).encode(import_suite_module(_MODELS, "bench").TALK)
    ids, lead = reference.greedy(config, arrays, prompt, 8)
    assert lead > 0.2
    assert len(set(ids)) > 5
    return list(ids)


def _shipped(_: Path) -> list[int]:
    """The committed answer, which the float64 reference gave."""
    ids: list[int] = json.loads((_MODELS / "tiny/answers.json").read_text())["hello"]["ids"]
    return ids[:8]


@pytest.mark.root
@pytest.mark.nightly("the main job answers by these models; what is measured, and how, the next tests show")
@pytest.mark.parametrize("model", [_one_layer, _shipped])
def test_gpt2_is_measured_on_a_driver(model: Callable[[Path], list[int]], tmp_path: Path) -> None:
    target = tmp_path / "new.json"
    answer = model(tmp_path)
    own = ["--no-cpu", f"--gpt2-weights={tmp_path}"] if model is _one_layer else []
    done = _bench("gpt2", "--driver=llvmpipe", "--tokens=8", "--format=json", f"--output={target}", *own)
    assert done.returncode == 0, done.stderr
    record = json.loads(target.read_text())
    options = {option["name"]: option for option in record["options"]}
    assert options["llvmpipe"]["identity"]["device"].startswith("llvmpipe")
    measured = [option for option in options.values() if "measures" in option]
    cpu = set() if model is _one_layer else {"CPU, clang"}
    assert cpu | {"llvmpipe"} <= {option["name"] for option in measured}
    for option in measured:
        assert option["ids"] == answer
        by_name = {measure["name"]: measure["samples"] for measure in option["measures"]}
        assert len(by_name["time per token"]) == 5
        assert min(value for samples in by_name.values() for value in samples) > 0
        assert by_name["CPU load"][0] <= option["cores"] + 0.5
        assert option["kernels_per_token"] > 10
    assert "llvmpipe" in table.write(record, "text")


_SUM = """
from tinygrad import Tensor

def measure(request):
    samples = [1.0] * 5
    measures = [{"name": name, "unit": "", "samples": samples} for name in NAMES]
    return {"ids": [(Tensor([19, 23]).realize() + 1).sum().item()], "kernels_per_token": 1, "cores": 1, "measures": measures}
"""


@pytest.mark.root
def test_tinygrads_own_back_ends_are_rows_beside_the_driver(tmp_path: Path) -> None:
    """Each in a process of its own, whose default device is the one that the row names."""
    (tmp_path / "models").mkdir()
    names = [measure["name"] for measure in _gpt2([])["measures"]]
    (tmp_path / "models/bench.py").write_text(_SUM.replace("NAMES", repr(names)))
    done = _bench("gpt2", "--driver=llvmpipe", "--format=json", f"--suites={tmp_path}")
    assert done.returncode == 0, done.stderr
    found = {option["name"]: (option["ids"], option["identity"]["device"]) for option in json.loads(done.stdout)["options"]}
    assert found.keys() == {"CPU, clang", "CPU, LLVM", "llvmpipe"}
    assert {ids[0] for ids, _ in found.values()} == {44}
    for name, word in {"CPU, clang": "(Clang", "CPU, LLVM": "LLVM", "llvmpipe": "llvmpipe (LLVM "}.items():
        assert word in found[name][1], found


@pytest.mark.root
@pytest.mark.nightly("a change sees rows measured and printed above, and the operations' results in the main job")
def test_operations_are_measured_and_right(tmp_path: Path) -> None:
    target = tmp_path / "new.json"
    words = ["ops", "--driver=llvmpipe", "--no-cpu", "--small"]
    done = _bench(*words, "--format=json", f"--output={target}")
    assert done.returncode == 0, done.stderr
    (option,) = json.loads(target.read_text())["options"]
    by_name = {measure["name"]: measure for measure in option["measures"]}
    assert {"matmul 64x64x64 float32", "sum of rows float16", "launch by OpenCL, queued"} <= by_name.keys()
    for measure in by_name.values():
        assert min(measure["samples"]) > 0
        assert measure["error"] < table.WRONG, measure["name"]
    full = tmp_path / "full.json"
    full.write_text(json.dumps({"bench": "ops", "size": "full", "options": []}))
    again = _bench(*words, f"--compare={full}")
    assert again.returncode == 2
    assert "a record of size full, not small" in again.stderr


def test_a_driver_without_its_device_is_a_row_that_says_why() -> None:
    done = _bench("ops", "--driver=msm", "--no-cpu")
    assert done.returncode == 3
    assert "freedreno: not here: " in done.stdout


@pytest.mark.root
def test_an_option_that_fails_is_a_row_and_red(tmp_path: Path) -> None:
    done = _bench("gpt2", "--driver=llvmpipe", "--no-cpu", f"--suites={tmp_path}")
    assert done.returncode == 1
    assert "llvmpipe: failed: " in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["ops", "--no-cpu"], "nothing to measure"),
        (["ops", "--driver=lvmpipe"], "no such driver"),
        (["gpt2", "--tokens=3"], "at least 8"),
        (["gpt2", "--compare=none.json"], "none.json"),
    ],
)
def test_a_wrong_argument_is_refused(words: list[str], message: str) -> None:
    done = _bench(*words)
    assert done.returncode == 2
    assert message in done.stderr
