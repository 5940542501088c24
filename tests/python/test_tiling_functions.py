# SPDX-License-Identifier: Apache-2.0
"""sfumato.tiling: what the tiling functions of host code give, and what they refuse."""

import inspect
from pathlib import Path

import numpy as np
import pytest
from conftest import CHIP

import sfumato
from sfumato import tiling

USUAL = {"chip": CHIP, "m": 256, "n": 512, "k": 64, "a": "half", "b": "half", "c": "float"}


@pytest.fixture(scope="module")
def lib():
    return sfumato.compile(Path(__file__).with_name("tilings.cpp"), chip=CHIP)


def refused(function, *arguments, **settings):
    with pytest.raises(sfumato.Error) as error:
        function(*arguments, **settings)
    return str(error.value)


def test_fields_and_bytes():
    t = tiling.Matmul(**USUAL, cores=8)
    assert (t.usedCoreNum, t.M, t.N, t.Ka) == (8, 256, 512, 64)
    assert t.singleCoreM * t.singleCoreN == 256 * 512 // 8
    assert t["baseM"] == t.baseM
    words = np.frombuffer(t.tobytes(), np.int32)
    assert len(words) == len(t.dtype.names) == 50
    assert words[8] == t.baseM
    assert t.dtype.names[0] == "usedCoreNum"


def test_as_arguments(lib):
    t = tiling.Matmul(**USUAL, cores=8, bias="float")
    out = np.zeros(4, np.int32)
    for given in (t, t.tobytes()):
        out[:] = -1
        lib.cube[1](out, given)
        assert list(out) == [8, t.singleCoreM, t.baseN, 0]
    softmax = tiling.SoftMax([5, 64], "float", workspace=1400)
    words = np.zeros(2, np.uint32)
    lib.by_value[1](words, softmax)
    assert list(words) == [5, 8]


def test_inside_a_struct(lib):
    softmax = tiling.SoftMax([8, 64], "float")
    out = np.zeros(4, np.int32)
    lib.fused[1](out, sfumato.Struct(rounds=np.uint32(3), mm=tiling.Matmul(**USUAL), softmax=softmax))
    assert list(out) == [3, 256, 64, 1]


HOST = """#include "register/tilingdata_base.h"
#include "tiling/tiling_api.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(NestedTiling)
TILING_DATA_FIELD_DEF(uint32_t, rounds);
TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, cube);
TILING_DATA_FIELD_DEF_STRUCT(TopkTiling, topk);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Nested, NestedTiling)
}  // namespace optiling
"""
NESTED = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void nested(GM_ADDR out, GM_ADDR tiling) {
    GET_TILING_DATA(data, tiling);
    TCubeTiling cube = data.cube;
    auto to = reinterpret_cast<__gm__ int32_t*>(out);
    to[0] = static_cast<int32_t>(data.rounds), to[1] = cube.baseM, to[2] = data.topk.get_innerDataSize();
}
"""


@pytest.mark.parametrize("typed", [False, True])
def test_inside_the_hosts_class(tmp_path, typed):
    (tmp_path / "nested_tiling.h").write_text(HOST)
    # Types of arguments make macros of what are enumerators of the host.
    check = '#if ORIG_DTYPE_OUT != DT_INT32\n#error "the type of out"\n#endif\n' if typed else ""
    (tmp_path / "nested.cpp").write_text(check + NESTED)
    lib = sfumato.compile(
        tmp_path / "nested.cpp",
        chip=CHIP,
        tiling_headers=[tmp_path / "nested_tiling.h"],
        dtypes={"out": "int32"} if typed else {},
    )
    topk = tiling.TopK(chip=CHIP, inner=64, k=5, type="half")
    out = np.zeros(3, np.int32)
    # The class is padded to 8 bytes.
    given = sfumato.Struct(rounds=np.uint32(3), cube=tiling.Matmul(**USUAL), topk=topk, pad=np.uint32(0))
    lib.nested[1](out, given)
    assert list(out) == [3, 128, 64]


def test_every_function():
    assert tiling.SoftMax((4, 128), "half", sum_type="float", workspace=5000).splitM == 4
    assert tiling.LayerNorm([1, 4, 64, 60], "float").lastDimValueBack == np.float32(1 / 60)
    assert tiling.LayerNormRstd([5, 100], "half").rHeadLength == 64
    assert tiling.RmsNorm([1, 4, 64], "half", original=[1, 4, 50]).originalHLength == 50
    topk = tiling.TopK(chip=CHIP, inner=64, k=5, type="float", outter=3)
    assert topk.allDataSize == 192
    assert len(topk.tobytes()) == 112
    assert tiling.TopK(chip=CHIP, inner=32, k=5, type="half", small=True, init_index=True).innerDataSize == 32
    assert tiling.Transpose([16, 48], "int16", 7).axis1 == 48
    assert tiling.Pad([20, 16], "half", original=[20, 13]).srcOriWidth == 13
    assert tiling.UnPad([20, 16], "half", workspace=1024).heightTiling == 4
    assert tiling.LogSoftMax((4, 128), "half").srcK == 128
    assert tiling.DeepNorm([1, 4, 64], "half", original=[1, 4, 50]).originalHLength == 50
    groups = tiling.GroupNorm([2, 16, 8, 8], "float", groups=4)
    assert groups.d == 4 and groups.smallShape and len(groups.tobytes()) == 120
    assert tiling.BatchNorm([16, 16, 16], "half", original=[15, 16, 16]).originalBLength == 15
    assert tiling.LayerNormGrad([2, 16, 64], "half").nohCalSize == 32
    assert tiling.LayerNormGradBeta([2, 16, 64], "float").bsLength == 32
    assert tiling.tmp_sizes("Gelu", [10, 100], "half") == (3 * 2048, 3 * 256)


def test_settings_of_matmul():
    t = tiling.Matmul(**USUAL, base_m=64, base_n=128, first="n", org_n=1024)
    assert (t.baseM, t.baseN, t.iterateOrder, t.N) == (64, 128, 1, 1024)
    t = tiling.Matmul(**USUAL, batch=6, a_layout=[1, 256, 2, 3, 64])
    assert (t.BatchNum, t.ALayoutInfoG) == (6, 3)
    t = tiling.Matmul(**(USUAL | {"n": 16, "m": 16, "k": 4096}), cores=8, split_k=True)
    assert t.usedCoreNum == 8


@pytest.mark.parametrize(
    ("function", "settings", "text"),
    [
        (tiling.Matmul, USUAL | {"m": 0}, "SetShape: m is 0; it is at least 1"),
        (tiling.Matmul, USUAL | {"cores": 99}, "SetDim: 99 cores; on Ascend910B1 legal are 1 to 48"),
        (tiling.Matmul, USUAL | {"a": "float64"}, None),
        (
            tiling.Matmul,
            USUAL | {"base_m": 256, "base_n": 256},
            "GetTiling: no tiling of 256 x 512 x 64 fits Ascend910B1: baseM x baseN x 4 x dbL0C = 256 x 256 x 4 x 1 are "
            "262144 bytes; L0C has 131072",
        ),
        (
            tiling.Matmul,
            USUAL | {"chip": "Ascend310P3", "a": "float", "b": "float"},
            "GetTiling: A and B are float; on Ascend310P legal are half, int8_t",
        ),
        (
            tiling.SoftMax,
            {"shape": [4, 10], "type": "float"},
            "softmax: the last axis is 10 elements of 4 bytes; a row is a multiple of 32 bytes",
        ),
        (
            tiling.SoftMax,
            {"shape": [4, 64], "type": "float", "workspace": 3},
            "softmax: a temporary buffer of 3 bytes; a row of 64 needs 1280",
        ),
        (tiling.TopK, {"chip": CHIP, "inner": 64, "k": 0, "type": "half"}, "topk: k is 0; legal are 1 to inner 64"),
        (
            tiling.Transpose,
            {"shape": [16, 16], "type": "half", "kind": 0},
            "transpose: TransposeType 0; legal are 1 to 7",
        ),
        (
            tiling.tmp_sizes,
            {"call": "Gelo", "shape": [1], "type": "half"},
            "Gelo: no elementwise call has the name Gelo",
        ),
    ],
)
def test_refusals(function, settings, text):
    found = refused(function, **settings)
    assert found == text or (text is None and found.startswith("matmul: a is 'float64': 'float64' is no element type"))


FUNCTIONS = {name.lower(): function for name, function in inspect.getmembers(tiling, inspect.isfunction)}


def wrong_tilings():
    """Rows of tests/data/refused_tilings.tsv that the functions can be asked for: all arguments that they need, each once."""
    for line in (Path(__file__).parents[1] / "data" / "refused_tilings.tsv").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        chip, words, text = line.split("\t")
        name, _, rest = words.partition("(")
        pairs = [pair.split("=", 1) for pair in rest.removesuffix(")").split(", ")]
        function, settings = FUNCTIONS.get(name), {pair[0]: pair[-1] for pair in pairs}
        if function is None or len(settings) < len(pairs):
            continue
        if name in ("matmul", "topk"):
            settings["chip"] = chip or CHIP
        for key in {"shape", "original"} & set(settings):
            axes = [axis for axis in settings[key].split("x") if axis]
            settings[key] = [int(axis) if axis.lstrip("-").isdigit() else axis for axis in axes]
        needed = {name for name, p in inspect.signature(function).parameters.items() if p.default is p.empty}
        known = inspect.signature(function).parameters
        free = any(p.kind == p.VAR_KEYWORD for p in known.values())
        if needed - {"settings"} <= set(settings) and (free or set(settings) <= set(known)):
            yield pytest.param(function, settings, text, id=words)


@pytest.mark.parametrize(("function", "settings", "text"), list(wrong_tilings()))
def test_wrong_tilings(function, settings, text):
    # A list shows its words in quotes.
    assert refused(function, **settings).replace("''w''", "'w'") == text


def test_how_many_wrong_tilings():
    assert len(list(wrong_tilings())) > 140
