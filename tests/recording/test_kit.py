# SPDX-License-Identifier: Apache-2.0
"""The kit itself: which calls it makes, what it is made of, and that its models are nobody else's."""

import ast
import json
import re
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from conftest import COMMAND, run
from sfumato.recording import _accumulations as ways
from sfumato.recording import _kit, _numbers
from sfumato.recording._inputs import TILE, TYPES, noted_pairs
from sfumato.recording._matrices import UNIT, matrices
from sfumato.recording._probes import MODES, arrays, plan, probes

ROOT = Path(__file__).parents[2]
PACKAGE = _kit.FILES.parent
SOURCE = (_kit.FILES / "record.asc").read_text(encoding="utf-8")
PURE = "_accumulations _digest _functions _inputs _kit _matmuls _matrices _numbers _probes _questions _records _refusal _sums"
HOST = {"aclInit", "aclFinalize", "aclrtSetDevice", "aclrtResetDevice", "aclrtCreateStream", "aclrtDestroyStream",
        "aclrtSynchronizeStream", "aclrtMalloc", "aclrtFree", "aclrtMemcpy", "aclrtGetSocName"}  # fmt: skip

OWN = set("ATOMIC CAST Check Device Gm IndexOf Init Launch MMAD OF_TYPE Put Read ResultsOf Run SizeOf Write".split())


# --- calls --------------------
def calls():
    """Names that are called in record.asc and not defined there, those of its types too."""
    code = re.sub(r"//.*|\"[^\"]*\"", "", SOURCE)
    return set(re.findall(r"\b([A-Z]\w+|acl\w+)(?:<[\w, <>]*>)?\(", code)) - OWN


def test_every_call_is_documented():
    """Those of kernels stand in docs/names.md, those of the host in framework.md 5.3; docs/recording.md lists both."""
    names = (ROOT / "docs" / "names.md").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "recording.md").read_text(encoding="utf-8")
    host = {name for name in calls() if name.startswith("acl")}
    assert host == HOST
    spec = (ROOT / "docs" / "spec" / "framework.md").read_text(encoding="utf-8")
    for name in host:
        assert name in spec or name.replace("aclrt", "") in spec, name
    kernel = calls() - host - {"KERNEL_TASK_TYPE_DEFAULT"}
    assert {"Exp", "Cast", "Mmad", "Fixpipe", "WholeReduceSum", "SetAtomicAdd", "SetHF32TransMode"} <= kernel
    for name in kernel:
        assert re.search(rf"^\| `\.?{name}` \| \w+ \| \d+ \| supported", names, re.MULTILINE), name
    listed = set(re.findall(r"`(\w+)`", page.partition("## Calls")[2].partition("\n## ")[0]))
    assert listed == {name for name in (*host, *kernel, "KERNEL_TASK_TYPE_DEFAULT")}


# --- probes --------------------
def test_the_plan_and_the_inputs():
    for probe in probes():
        for name in probe.inputs:
            array = arrays()[name]
            assert array.dtype == TYPES[probe.source], probe.name
            assert array.size == (16 * probe.count if probe.kind == "mmad" else probe.count)
        assert probe.kind == "mmad" or probe.count % TILE == 0
    size = sum(probe.bytes * probe.times for probe in probes())
    assert size < 8 << 20
    assert len({probe.name for probe in probes()}) == len(probes()) == len(plan().splitlines()) - 1
    used = {name for probe in probes() for name in probe.inputs}
    assert used == set(arrays())


def test_every_round_mode_of_the_page():
    """Of Cast on Ascend910B, as tests/data has them; but for int4b_t, scales, int8_t, uint8_t and between integers."""
    table = {}
    for line in (ROOT / "tests" / "data" / "conversion_support.csv").read_text(encoding="utf-8").splitlines():
        row = line.split(",")
        if row[:2] == ["Cast", "Ascend910B"] and row[6] == "None":
            table[row[3], row[4]] = set(row[5].replace("CAST_", "").lower().split())
    left = {pair for pair in table if {*pair} & {"int4b_t"} or pair[0] in ("uint8_t", "int8_t")}
    left |= {pair for pair in table if all(name.startswith("int") for name in pair)}
    assert {pair: set(modes.split()) for pair, modes in MODES.items()} == {
        k: v for k, v in table.items() if k not in left
    }


def test_the_inputs_are_always_the_same():
    """A record has outputs alone: another NumPy, another machine must make the same operands."""
    import hashlib

    hashed = hashlib.sha256(b"".join(name.encode() + arrays()[name].tobytes() for name in sorted(arrays())))
    assert hashed.hexdigest() == (Path(__file__).with_name("inputs.sha256")).read_text().strip()


def test_the_quotients_of_the_public_probe():
    """docs/last-bits.md: 4,096 pairs, of which some lie near the middle of two floats."""
    a, b = (side.astype(np.float64) for side in noted_pairs())
    steps = np.abs(a / b) / _numbers.step_of(a / b, _numbers.FORMATS["float"])
    assert len(a) == 4096
    assert int((np.abs(steps - np.floor(steps) - 0.5) <= 0.26).sum()) == 2119


# --- models --------------------
def test_models_import_nothing_of_the_product():
    allowed = set(sys.stdlib_module_names) | {"numpy"}
    for name in PURE.split():
        tree = ast.parse((PACKAGE / f"{name}.py").read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                assert {alias.name.partition(".")[0] for alias in node.names} <= allowed, name
            if isinstance(node, ast.ImportFrom):
                assert node.level == 1 or (node.level == 0 and node.module.partition(".")[0] in allowed), name
    assert {path.stem for path in PACKAGE.glob("*.py")} == {*PURE.split(), "__init__", "_command"}


def test_a_digest_without_the_product(device):
    """In a Python that has no sfumato but this folder."""
    script = f"""
import sys, types
package = types.ModuleType("sfumato")
package.__path__ = [{str(PACKAGE.parent)!r}]
sys.modules["sfumato"] = package
from sfumato.recording._digest import digest
answer = digest({str(device())!r}).of("Mmad order float")
print(answer.survivors, sorted(name for name in sys.modules if name.startswith("sfumato.") and "recording" not in name))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("('sequential',) []\n", "")


@pytest.mark.parametrize("kind", UNIT)
def test_probes_tell_apart_every_pair_of_orders(kind):
    """But for those that are the same function where products are exact: a bfloat16_t or half product fits a float."""
    models = ways.candidates(UNIT[kind])
    assert len(models) == 87
    results = {name: [] for name in models}
    for m in matrices():
        if (m.type, m.use) != (kind, "sum") or not m.name.endswith(("cancel", "spread", "split")):
            continue
        a, b = (_numbers.decode(side, kind) for side in (m.a, m.b))
        rows, columns = ([[ways.to_fixed(v) for v in row] for row in side] for side in (a, b))
        for at in range(0, 256, 5):
            products = [x * y >> ways.SCALE for x, y in zip(rows[at // 16], columns[at % 16])]
            for name, model in models.items():
                results[name].append(ways.of_calls(model, products, m.split))
    equal = [{a, b} for a, b in combinations(models, 2) if results[a] == results[b]]
    exact = [{"sequential", "sequential-fused"}, {"exact-then-c:2", "tree:2"}]
    assert equal == ([] if kind == "float" else exact)


def test_rounding_against_numpy():
    """What the models round with, against conversions of NumPy, which are IEEE 754's."""
    values = arrays()["ties.bin"].astype(np.float64)
    with np.errstate(all="ignore"):
        for name in ("half", "float"):
            got = _numbers.encode(_numbers.round_to(values / 3, _numbers.FORMATS[name]), name)
            want = (values / 3).astype(TYPES[name])
            assert _numbers.same(got, _numbers.bits_of(want), name).all()
    assert _numbers.to_integer(np.array([2.5, -2.5, 2.1, -2.1]), "round").tolist() == [3, -3, 2, -2]
    assert _numbers.to_integer(np.array([2.5, -2.5, 2.1, 3.1]), "odd").tolist() == [3, -3, 3, 3]
    assert _numbers.to_integer(np.array([2.1, -2.1, 2.0]), "directed").tolist() == [3, -3, 2]


# --- the command --------------------
def test_the_kit_is_for_an_empty_folder(tmp_path):
    (tmp_path / "mine.txt").write_text("")
    code, printed, said = run(*COMMAND, "record", "write", tmp_path)
    assert (code, printed) == (2, "")
    assert said == (
        "error: no kit is written: the folder is not empty\n"
        f"  where:  {tmp_path}\n  found:  mine.txt\n  legal:  a folder that is new or empty\n  do:     name another folder\n"
    )


def test_the_digest_as_json(device):
    code, printed, _ = run(*COMMAND, "record", "digest", "--json", device())
    found = json.loads(printed)
    assert (code, found["unanswered"], found["soc"], found["recorded"]) == (0, [], "Ascend910B2", found["of"])
    answer = next(row for row in found["answers"] if row["question"] == "Mmad order half")
    assert answer["survivors"] == ["sequential", "sequential-fused"]
    assert (answer["points"], answer["candidates"], answer["answered"]) == (2304, 87, True)


def test_cmake_builds_it_too(kit, tmp_path):
    for name in ("record.asc", "CMakeLists.txt"):
        (tmp_path / name).write_bytes((kit / name).read_bytes())
    script = f"cmake -S {tmp_path} -B {tmp_path}/build && cmake --build {tmp_path}/build"
    code, printed, said = run(*COMMAND, "env", "--", "sh", "-c", script, XDG_DATA_HOME=str(tmp_path / "data"))
    assert code == 0, printed + said
    assert (tmp_path / "build" / "record").exists()


def test_its_readme_is_a_screen(kit):
    assert len((kit / "README.md").read_text(encoding="utf-8").splitlines()) <= 20
