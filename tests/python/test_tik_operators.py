# SPDX-License-Identifier: Apache-2.0
"""What operator files have around their TIK part: checks of arguments, shapes, and how they end in BuildCCE."""

import numpy as np
import pytest
from tik_support import instance

import sfumato.tik.compat  # noqa: F401
from sfumato import tik


def described(shape, dtype="float16", data_format="ND"):
    return {"shape": shape, "ori_shape": shape, "dtype": dtype, "format": data_format, "ori_format": data_format}


def operator():
    """A decorated function of every kind of parameter."""
    from tbe.common.utils import para_check as p

    @p.check_op_params(
        p.REQUIRED_INPUT,
        p.OPTION_INPUT,
        p.DYNAMIC_INPUT,
        p.REQUIRED_OUTPUT,
        p.OPTION_ATTR_FLOAT,
        p.REQUIRED_ATTR_LIST_INT,
        p.OPTION_ATTR_BOOL,
        p.OPTION_ATTR_TYPE,
        p.KERNEL_NAME,
    )
    def scaled(x, bias, many, y, scale=1, axes=0, flag=None, kind=None, kernel_name="scaled"):
        return x["shape"], scale, axes

    return scaled


GOOD = {
    "x": described((4, 8)),
    "bias": None,
    "many": [described((-1, 2), "uint8", "NC1HWC0")],
    "y": described([4], "int32"),
    "scale": 2,
    "axes": [0, 1],
    "flag": True,
    "kind": "int8",
    "kernel_name": "my_kernel_1",
}


def test_good_arguments_reach_the_function():
    scaled = operator()
    assert scaled.__name__ == "scaled"
    assert scaled(**GOOD) == ((4, 8), 2, [0, 1])
    # A default is the function's own affair: only what is given is checked.
    assert scaled(GOOD["x"], GOOD["bias"], GOOD["many"], GOOD["y"]) == ((4, 8), 1, 0)


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("x", None, "x is None; legal: a dict"),
        ("x", {"shape": (1,)}, "legal: a dict with shape, format, ori_shape, ori_format, dtype"),
        ("x", described((1,) * 9), "legal: 0..8 dims"),
        ("x", described((4, 8.0)), "legal: ints 0.."),
        ("x", described("4"), "legal: a list or tuple"),
        ("x", described((2**31, 2)), "legal: 0..2147483648 elements"),
        ("x", described((4,), "half"), "the dtype of x is 'half'"),
        ("x", described((4,), data_format="NCWH"), "the format of x is 'NCWH'"),
        ("bias", 3, "bias is 3"),
        ("many", described((4,)), "legal: a list or tuple of dicts"),
        ("many", [described((4,)), 5], "many is 5"),
        ("scale", "2", "scale is '2'; legal: float or int"),
        ("axes", None, "axes is None; legal: a list or tuple"),
        ("axes", [0, True], "legal: int"),
        ("flag", 1, "flag is 1; legal: bool"),
        ("kind", "half", "the dtype of kind is 'half'"),
        ("kernel_name", "9a", "kernel_name is '9a'"),
    ],
)
def test_wrong_arguments(name, value, text):
    with pytest.raises(RuntimeError) as error:
        operator()(**{**GOOD, name: value})
    assert text in str(error.value)


def test_checks_by_themselves():
    from te.utils import para_check as p

    assert p.OpParamInfoKey.D_TYPE == "dtype" and p.TensorFormat.NC1HWC0 == "NC1HWC0"
    p.check_dtype("uint32")
    p.check_dtype_rule("int32", ("int32"))  # the name itself, where a list of one was meant
    p.check_format("NCHW")
    p.check_shape([2, 3, 4])
    p.check_shape_rule((1, 2))
    p.check_shape_size((32, 64, 64, 3))
    p.check_kernel_name("_" * 200)
    for call in (
        lambda: p.check_dtype("float16", ["float32"], "x"),
        lambda: p.check_dtype_rule("int3", ("int32")),
        lambda: p.check_format("NCHW", ["NHWC"]),
        lambda: p.check_shape([2, 3, 4], min_dim=5),
        lambda: p.check_shape([2, 3, 4], max_rank=2),
        lambda: p.check_shape([2, 3, 4], min_size=25),
        lambda: p.check_shape_rule((0, 2)),
        lambda: p.check_shape_rule((2,), min_dim=2),
        lambda: p.check_shape_rule((200000000, 2)),
        lambda: p.check_shape_size((2**16, 2**15)),
        lambda: p.check_kernel_name("_" * 201),
        lambda: p.check_op_params("REQUIRED_INPUTS"),
    ):
        with pytest.raises(RuntimeError, match="legal: "):
            call()


def test_input_types():
    from tbe.common.utils import para_check

    @para_check.check_input_type(dict, int, str)
    def named(x, i, kernel_name="n"):
        return i

    assert named({"shape": (32, 64), "dtype": "float16"}, 3) == 3
    for x, i in (({"shape": 5}, 3), ({"dtype": np.float16}, 3), ({}, "index"), ([], 3)):
        with pytest.raises(RuntimeError, match="check_input_type"):
            named(x, i)


def test_shapes():
    from tbe.common.utils import shape_util

    assert shape_util.broadcast_shapes((3, 4, 1), (1, 5)) == ((3, 4, 1), (1, 1, 5), (3, 4, 5))
    assert shape_util.broadcast_shapes([5], [2, 5]) == ((1, 5), (2, 5), (2, 5))
    assert shape_util.shape_to_list((32, 64)) == [32, 64]
    assert shape_util.scalar2tensor_one(()) == [1] and shape_util.scalar2tensor_one((2,)) == (2,)
    with pytest.raises(RuntimeError, match=r"input shapes not match! left \(3, 4\) and shape2 \(5,\)"):
        shape_util.broadcast_shapes((3, 4), (5,), param_name_input1="left")


def test_one_tensor_needs_no_list():
    t = instance()
    x = t.Tensor("int32", (16,), name="x", scope=tik.scope_gm)
    y = t.Tensor("int32", (16,), name="y", scope=tik.scope_gm)
    n = t.InputScalar("int32", name="n")
    ub = t.Tensor("int32", (16,), name="ub", scope=tik.scope_ubuf)
    t.data_move(ub, x, 0, 1, 2, 0, 0)
    t.vec_adds(16, ub, ub, n, 1, 8, 8)
    t.data_move(y, ub, 0, 1, 2, 0, 0)
    t.BuildCCE("one", inputs=x, outputs=(y), flowtable=n)
    (result,) = t.run({"x": np.arange(16, dtype=np.int32), "n": 5})
    assert result.tolist() == list(range(5, 21))


def test_the_length_of_a_slice_does_not_depend_on_where_it_is():
    t = instance()
    x = t.Tensor("float16", (8, 64), name="x", scope=tik.scope_gm)
    y = t.Tensor("float16", (8, 64), name="y", scope=tik.scope_gm)
    start = t.Scalar("int32", init_value=1)
    late = start * 2
    shapes = []
    with t.for_range(0, 4) as i:
        ub = t.Tensor("float16", (2, 64), name="ub", scope=tik.scope_ubuf)
        rows = x[2 * i : (i + 1) * 2, :]
        shapes += [rows.shape, x[3 - i + late : late + 4 - i, 8 * start : start * 8 + 16].shape]
        t.h_data_move(ub, rows)
        t.h_mul(ub, ub, ub)
        t.h_data_move(y[i + i : 2 * i + 2, :], ub)
        # These are not the same for every i, or not only sums and products.
        for other in (x[i : 2 * i, :], x[i // 2 : i // 2 + late, :], x[0:i, :]):
            assert not isinstance(other.shape[0], int)
        with pytest.raises(tik.TikError, match="a slice has at least one element"):
            x[i + 1 : i + 1, :]
    assert [list(shape) for shape in shapes] == [[2, 64], [1, 16]]
    t.BuildCCE("squares", inputs=x, outputs=y)
    array = np.arange(512).reshape(8, 64).astype(np.float16) / 16
    (result,) = t.run({"x": array})
    assert np.array_equal(result, array * array)
