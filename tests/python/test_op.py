# SPDX-License-Identifier: Apache-2.0
"""Operator projects from Python: what a call takes and returns, projects that are no folder, exact errors."""

import json
import shutil
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import sfumato

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "operator"
CHIP = "Ascend910B1"


@pytest.fixture(scope="module")
def op():
    return sfumato.load_op(EXAMPLE, chip=CHIP)


def texts():
    return {str(p.relative_to(EXAMPLE)): p.read_text() for p in EXAMPLE.rglob("*") if p.is_file()}


def expected(x, y, alpha):
    """Muls rounds to the type, then Add."""
    if x.dtype == np.float32:
        return np.float32(np.float32(alpha) * x) + y
    return (x * np.float16(alpha)).astype(np.float16) + y


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize(
    "shape", [(1,), (15,), (16,), (17,), (1000,), (3, 5, 7), (2, 8192), (40, 4099), (0,), (4, 0, 3)]
)
def test_results_by_shape(op, dtype, shape):
    rng = np.random.default_rng(list(shape) or 0)
    x, y = rng.standard_normal(shape).astype(dtype), rng.standard_normal(shape).astype(dtype)
    z = op(x, y, alpha=1.5)
    assert z.dtype == dtype and z.shape == shape
    np.testing.assert_array_equal(z, expected(x, y, 1.5))


def test_by_name_default_and_out(op):
    x, y = np.arange(40, dtype=np.float32), np.ones(40, np.float32)
    np.testing.assert_array_equal(op(y=y, x=x), x + y)
    z = np.zeros(40, np.float32)
    assert op(x, y, alpha=2, out=z) is z
    np.testing.assert_array_equal(z, 2 * x + y)
    np.testing.assert_array_equal(op(x, y, out=((40,), "float32")), x + y)


def test_the_definition(op):
    assert (op.name, op.chip, op.chips) == ("AxpyCustom", CHIP, ["ascend910b"])
    assert [p.name for p in op.inputs] == ["x", "y"] and op.attrs[0].default == 1.0
    assert op.combinations == [{n: t for n in "xyz"} for t in ("float16", "float32")]


def test_tile_and_run_with_another_tiling(op):
    x, y = np.arange(100, dtype=np.float32), np.ones(100, np.float32)
    spec = sfumato.Spec((100,), np.float32)
    tiling = op.tile(spec, spec, alpha=3.0)
    fields = np.frombuffer(tiling.data, np.dtype([("n", "<u4", 3), ("alpha", "<f4")]))[0]
    assert tiling.blocks == 13 and fields["n"][0] == 100 and fields["alpha"] == 3
    assert tiling.outputs == [[sfumato.Spec((100,), "float32")]]
    tiling.blocks = 1
    z = np.zeros(100, np.float32)
    op.run(tiling, x, y, out=z)
    share = fields["n"][1]
    np.testing.assert_array_equal(z[:share], 3 * x[:share] + 1)
    assert not np.array_equal(z, 3 * x + 1)  # the others were nobody's


def test_schedules_and_checks(op):
    x, y = np.ones(3000, np.float16), np.ones(3000, np.float16)
    for schedule in ("late", "ahead", "seed:3"):
        np.testing.assert_array_equal(op.options(schedule=schedule, check="all")(x, y), 2 * x)


def test_bundles():
    files = texts()
    x = np.ones(64, np.float16)
    for project in (
        files,
        json.dumps(files),
        json.dumps({"files": [{"path": p, "content": t} for p, t in files.items()]}),
    ):
        np.testing.assert_array_equal(sfumato.load_op(project, chip=CHIP)(x, x), 2 * x)
    python = "\n".join(
        f"{name} = {text!r}"
        for name, text in (
            ("project_json_src", json.dumps([{"op": "AxpyCustom"}])),
            ("host_tiling_src", files["op_host/axpy_custom_tiling.h"]),
            ("host_operator_src", files["op_host/axpy_custom.cpp"]),
            ("kernel_src", files["op_kernel/axpy_custom.cpp"]),
        )
    )
    np.testing.assert_array_equal(sfumato.load_op(python + "\n", chip=CHIP)(x, x), 2 * x)


@pytest.mark.parametrize(
    "project, text",
    [
        ("{broken", "load_op: the text is no JSON: "),
        (
            "a = 1\nb = 2\n",
            "load_op: the Python text does not assign project_json_src, host_tiling_src, host_operator_src, ",
        ),
        ({"../x.cpp": ""}, "load_op: the path '../x.cpp' leaves the folder"),
        (None, "load_op: a project is a path, a mapping of paths to texts, or a text, not NoneType"),
        ({"x.cpp": 3}, 'load_op: a project as a mapping is {"op_host/add.cpp": text, ...}, or'),
    ],
)
def test_wrong_bundles(project, text):
    with pytest.raises(sfumato.Error) as caught:
        sfumato.load_op(project, chip=CHIP)
    assert str(caught.value).startswith(text)


def test_bfloat16_is_refused_with_the_combinations(op):
    x = np.ones(16, ml_dtypes.bfloat16)
    with pytest.raises(sfumato.OperatorError) as caught:
        op(x, x)
    assert caught.value.rule == "op-combination"
    assert caught.value.found == "x bfloat16, y bfloat16"
    assert caught.value.legal == "x float16, y float16 -> z float16; x float32, y float32 -> z float32"
    assert Path(caught.value.file).name == "axpy_custom.cpp" and caught.value.line > 0


def test_the_struct_that_the_kernel_registers_is_read():
    """Host and kernel may describe the same bytes by two types: REGISTER_TILING_DEFAULT is the kernel's word."""
    files = texts()
    kernel = files["op_kernel/axpy_custom.cpp"]
    own = """
namespace own {
struct Tiling { uint32_t length, share, tile; float alpha; };
__aicore__ inline float Alpha(const Tiling* t) { return t->alpha; }
}
"""
    kernel = kernel.replace('extern "C"', own + 'extern "C"')
    kernel = kernel.replace("    GET_TILING_DATA", "    REGISTER_TILING_DEFAULT(own::Tiling);\n    GET_TILING_DATA")
    files["op_kernel/axpy_custom.cpp"] = kernel.replace("t.alpha", "own::Alpha(&t)")
    x, y = np.arange(40, dtype=np.float32), np.ones(40, np.float32)
    np.testing.assert_array_equal(sfumato.load_op(files, chip=CHIP)(x, y, alpha=1.5), expected(x, y, 1.5))


def test_formats_of_arrays():
    files = texts()
    host = files["op_host/axpy_custom.cpp"].replace("ge::DT_FLOAT16, ge::DT_FLOAT}", "ge::DT_FLOAT, ge::DT_FLOAT}")
    files["op_host/axpy_custom.cpp"] = host.replace(
        "{ge::FORMAT_ND, ge::FORMAT_ND}", "{ge::FORMAT_NC1HWC0, ge::FORMAT_FRACTAL_NZ}"
    )
    op = sfumato.load_op(files, chip=CHIP)
    x = np.ones((1, 2, 16, 16), np.float32)
    with pytest.raises(sfumato.OperatorError) as caught:
        op(x, x)
    assert (caught.value.rule, caught.value.message) == (
        "op-combination",
        "AxpyCustom: the format decides, and none is stated",
    )
    assert caught.value.found == "x float32, y float32"
    assert caught.value.legal == "; ".join(
        f"x float32 {f}, y float32 {f} -> z float32 {f}" for f in ("NC1HWC0", "FRACTAL_NZ")
    )
    np.testing.assert_array_equal(op(sfumato.Tensor(x, "FRACTAL_NZ"), x), x + x)
    assert op.infer(sfumato.Tensor(x, "NC1HWC0"), x)[0][0].format == "NC1HWC0"


@pytest.mark.parametrize(
    "inputs, named, rule, text",
    [
        (1, {}, "op-input", "AxpyCustom: the input is required"),
        (2, {"beta": 1.0}, "op-attr", "AxpyCustom: the operator has no such attribute"),
        (2, {"alpha": "two"}, "op-attr", "AxpyCustom: the attribute is of another type"),
    ],
)
def test_wrong_calls(op, inputs, named, rule, text):
    x = np.ones(16, np.float32)
    with pytest.raises(sfumato.OperatorError) as caught:
        op(*[x] * inputs, **named)
    assert (caught.value.rule, caught.value.message) == (rule, text)


def test_python_says_what_it_does_not_take(op):
    x = np.ones(16, np.float32)
    for arguments, named, text in (
        ((x, x, x), {}, "AxpyCustom: 3 inputs are given; it has x, y"),
        ((x,), {"x": x}, "AxpyCustom: 'x' is given by position and by name"),
        ((x[::2], x), {}, "AxpyCustom: x: the array is not C-contiguous"),
        ((object(), x), {}, "AxpyCustom: x: object is no array; pass a NumPy array"),
        ((x, x), {"out": [x, x]}, "AxpyCustom: out is a list with an entry for each of z"),
        (
            (sfumato.Spec((16,), "float32"), x),
            {},
            "AxpyCustom: x is a Spec: infer and tile take it, a run needs an array",
        ),
    ):
        with pytest.raises(sfumato.Error) as caught:
            op(*arguments, **named)
        assert str(caught.value).startswith(text)


def test_a_project_is_found_below_a_folder(tmp_path):
    shutil.copytree(EXAMPLE, tmp_path / "ops" / "axpy")
    other = shutil.copytree(EXAMPLE, tmp_path / "ops" / "other")
    source = other / "op_host" / "axpy_custom.cpp"
    source.write_text(source.read_text().replace("OP_ADD(AxpyCustom)", "OP_ADD(Other)"))
    with pytest.raises(sfumato.OperatorError, match="several operators, and none is named"):
        sfumato.load_op(tmp_path, chip=CHIP)
    assert sfumato.load_op(tmp_path, chip=CHIP, op="AxpyCustom").name == "AxpyCustom"
    with pytest.raises(sfumato.OperatorError, match="no OP_ADD below the folder names the operator"):
        sfumato.load_op(tmp_path, chip=CHIP, op="Third")
    with pytest.raises(sfumato.OperatorError, match="the folder holds no operator project"):
        sfumato.load_op(tmp_path / "ops" / "axpy" / "op_host", chip=CHIP)


def test_snake_names():
    for name, snake in (
        ("Conv2DCustom", "conv2_d_custom"),
        ("GRUCell", "gru_cell"),
        ("HTTPServer", "http_server"),
        ("Add", "add"),
        ("AddCustom", "add_custom"),
        ("LayerNormV2", "layer_norm_v2"),
    ):
        assert sfumato._native.snake_name(name) == snake
