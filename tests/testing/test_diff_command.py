# SPDX-License-Identifier: Apache-2.0
"""`sfumato diff` as a user runs it, and the golden files it reads."""

import json
import os
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest

import sfumato
from sfumato import golden

COMMAND = [sys.executable, "-m", "sfumato._diff_command"]
if os.environ.get("SFUMATO_COMMAND"):
    COMMAND = [os.environ["SFUMATO_COMMAND"], "diff"]

Y = np.arange(64, dtype=np.float32).reshape(4, 16)


@pytest.fixture
def diff(tmp_path):
    def run(*words):
        environment = {**os.environ, "SFUMATO_PYTHON": sys.executable}
        done = subprocess.run([*COMMAND, *words], cwd=tmp_path, env=environment, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    run.folder = tmp_path
    golden.write(tmp_path / "want.npy", Y)
    golden.write(tmp_path / "got.npy", Y + (Y == 7))
    return run


def test_equal(diff):
    assert diff("want.npy", "want.npy") == (0, "equal by ascend: 64 elements, float32 (4, 16)\n", "")


def test_different(diff):
    code, said, _ = diff("got.npy", "want.npy", "--rule", "exact", "--blocks", "4")
    assert code == 1
    assert said.splitlines()[:2] == [
        "different by exact: 1 of 64 elements (1.56%), float32 (4, 16)",
        "  first   [0, 7] (offset 7, block 0, row 0): got 8.0 (0x41000000), want 7.0 (0x40e00000), 2097152 ulp",
    ]
    assert diff("got.npy", "want.npy", "--rule", "allclose:0,1")[0] == 0


def test_json(diff):
    code, said, _ = diff("got.npy", "want.npy", "--rule", "exact", "--json")
    assert code == 1
    assert json.loads(said) == sfumato.compare(Y + (Y == 7), Y, "exact").to_dict()


def test_raw_files(diff):
    golden.write(diff.folder / "a.bin", Y)
    golden.write(diff.folder / "b.bin", Y.astype(np.float64))
    assert diff("a.bin", "a.bin", "--dtype", "float32", "--shape", "4,16")[1] == (
        "equal by ascend: 64 elements, float32 (4, 16)\n"
    )
    assert diff("a.bin", "b.bin", "--dtype", "float32", "--want-dtype", "float64")[0] == 0
    assert diff("a.bin", "want.npy", "--dtype", "float32", "--shape", "4,-1")[0] == 0
    path = "a.bin"
    assert diff("a.bin", "a.bin") == (
        2,
        "",
        f"error: {path}: a .bin says no type: give dtype=, e.g. 'float16', and shape=\n",
    )
    assert diff("a.bin", "a.bin", "--dtype", "float32", "--shape", "4,15") == (
        2,
        "",
        f"error: {path}: it has 256 bytes; shape (4, 15) of float32 takes 240 bytes\n",
    )


def test_archives(diff):
    arrays = {"y": Y, "z": Y.astype(ml_dtypes.bfloat16)}
    golden.write(diff.folder / "a.npz", arrays)
    golden.write(diff.folder / "b.npz", {**arrays, "y": Y + (Y == 7)})
    code, said, _ = diff("b.npz", "a.npz", "--rule", "exact")
    assert code == 1
    assert said.startswith("y: different by exact: 1 of 64") and "\nz: equal by exact: 64 elements, bfloat16" in said
    answer = json.loads(diff("b.npz", "a.npz", "--json")[1])
    assert (answer["ok"], answer["arrays"]["y"]["ok"], answer["arrays"]["z"]["ok"]) == (False, False, True)
    golden.write(diff.folder / "c.npz", {"y": Y})
    assert diff("c.npz", "a.npz") == (2, "", "error: c.npz: it has no array 'z'; it has 'y'\n")


def test_wrong_command_lines(diff):
    assert diff("no.npy", "want.npy") == (2, "", "error: no.npy: No such file or directory\n")
    assert diff("got.npy", "want.npy", "--rule", "near")[2] == (
        "error: compare: rule 'near' is not known; there are exact; ulp:N; allclose:RTOL,ATOL; close; ascend; "
        "ascend-ratio:L0, L1 or L2; share:RTOL,ATOL,FRACTION; kernelbench; mkb; npukernelbench; auto\n"
    )
    assert diff("got.npy", "want.npy", "--shape", "4,x")[0] == 1  # not of a .bin
    assert diff("got.npy")[0] == 2
    assert diff("got.txt", "want.npy")[2] == (
        "error: got.txt: .txt is not known; there are .npy, .npz, .bin, .pt, .pth, .safetensors\n"
    )


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "int4", "float8_e4m3fn", "int64", "bool", "float64"])
@pytest.mark.parametrize("shape", [(), (3,), (2, 3)])
def test_files_keep_arrays(tmp_path, dtype, shape):
    dtype = golden.dtype_named(dtype)
    array = np.arange(-2, 4).astype(dtype)[: np.prod(shape, dtype=int)].reshape(shape)
    golden.write(tmp_path / "a.npz", {"x": array})
    golden.write(tmp_path / "a.npy", array)
    golden.write(tmp_path / "a.bin", array)
    for got in (
        golden.read(tmp_path / "a.npz")["x"],
        golden.read(tmp_path / "a.npy", dtype=dtype),
        golden.read(tmp_path / "a.bin", dtype=dtype, shape=shape),
    ):
        assert (got.dtype, got.shape, got.tobytes()) == (array.dtype, array.shape, array.tobytes())


def test_a_npy_without_a_type(tmp_path):
    golden.write(tmp_path / "a.npy", np.zeros(3, ml_dtypes.bfloat16))
    assert golden.read(tmp_path / "a.npy").dtype == ml_dtypes.bfloat16
    golden.write(tmp_path / "b.npy", np.zeros(3, ml_dtypes.int4))
    with pytest.raises(sfumato.Error) as error:
        golden.read(tmp_path / "b.npy")
    assert str(error.value) == (
        f"{tmp_path}/b.npy: it holds 1 bytes an element without a type; give dtype=, e.g. 'float8_e4m3fn', 'int4'"
    )


def test_safetensors(tmp_path):
    pytest.importorskip("safetensors")
    golden.write(tmp_path / "a.safetensors", {"y": Y})
    np.testing.assert_array_equal(golden.read(tmp_path / "a.safetensors")["y"], Y)


def test_case_folder(tmp_path):
    case = golden.Case({"x": Y}, {"y": (Y * 2).astype(ml_dtypes.bfloat16)}, "Double", "Ascend910B1", {"n": 2}, "ulp:1")
    golden.write_case(tmp_path / "case", case)
    read = golden.read_case(tmp_path / "case")
    assert (read.op, read.chip, read.attrs, read.compare) == ("Double", "Ascend910B1", {"n": 2}, "ulp:1")
    assert sfumato.compare(read.inputs["x"], Y, "exact") and sfumato.compare(
        read.outputs["y"], case.outputs["y"], "exact"
    )
    path = tmp_path / "case" / "case.json"
    about = json.loads(path.read_text())
    assert about["inputs"] == [{"name": "x", "file": "input_x.bin", "dtype": "float32", "shape": [4, 16]}]
    del about["inputs"][0]["shape"]
    path.write_text(json.dumps(about))
    with pytest.raises(sfumato.Error) as error:
        golden.read_case(tmp_path / "case")
    assert str(error.value) == f"{path}: inputs[0]: 'shape' is missing; an entry has name, file, dtype, shape"
