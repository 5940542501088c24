# SPDX-License-Identifier: Apache-2.0
"""What a launch takes as a number and as an array: values are what counts of integers, and each sentence about what is not
taken says what, where, found, legal, and what to do."""

import ml_dtypes
import numpy as np
import pytest

import sfumato

CHIP = "Ascend910B1"
SOURCE = """#include "kernel_operator.h"
#define PARAMETER(type) \\
    extern "C" __global__ __aicore__ void of_##type(__gm__ type* out, type value) { out[0] = value; }
PARAMETER(int8_t)
PARAMETER(uint8_t)
PARAMETER(int16_t)
PARAMETER(uint16_t)
PARAMETER(int32_t)
PARAMETER(uint32_t)
PARAMETER(int64_t)
PARAMETER(uint64_t)
PARAMETER(float)
extern "C" __global__ __aicore__ void copied(__gm__ int32_t* x, __gm__ int32_t* out, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) out[i] = x[i];
}
"""
TYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")


@pytest.fixture(scope="module")
def values():
    return sfumato.compile(SOURCE, chip=CHIP, name="values.cpp")


def passed(lib, name, value):
    """What the kernel of this type finds."""
    out = np.zeros(1, name)
    lib[f"of_{name}_t"][1](out, value)
    return int(out[0])


def limits(name):
    """The least and the largest value, in Python's integers."""
    bits = int(name.lstrip("uint"))
    return (0, 2**bits - 1) if name.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


@pytest.mark.parametrize("name", TYPES)
def test_an_integer_of_any_type_counts_by_its_value(values, name):
    low, high = limits(name)
    for given in TYPES:
        for value in {0, 1, -1, 100, *limits(given), low, high, low - 1, high + 1}:
            if not limits(given)[0] <= value <= limits(given)[1]:
                continue
            number = np.dtype(given).type(value)
            for form in (number, np.array(number), int(value)):
                if low <= value <= high:
                    assert passed(values, name, form) == value
                else:
                    with pytest.raises(sfumato.Error, match=rf"{value} is out of range: legal is {low} to {high}"):
                        passed(values, name, form)


def test_integers_of_more_than_64_bits(values):
    for value in (2**64, -(2**63) - 1, 2**70):
        with pytest.raises(
            sfumato.Error, match=rf"given as '{value}': the value is out of range: legal is 0 to {2**64 - 1}"
        ):
            passed(values, "uint64", value)
    out = np.zeros(1, np.float32)
    values.of_float[1](out, 2**70)
    assert out[0] == 2.0**70


@pytest.mark.parametrize("value", [True, np.bool_(True), np.array(True)])
def test_truth_is_one(values, value):
    assert passed(values, "uint8", value) == 1


@pytest.mark.parametrize("value", [2.5, np.float64(2.5), np.float32(2.5), np.array(2.5), np.array(2.5, np.float32)])
def test_floats(values, value):
    out = np.zeros(1, np.float32)
    values.of_float[1](out, value)
    assert out[0] == 2.5
    with pytest.raises(sfumato.Error, match="the parameter is an integer, but a floating-point value is given"):
        passed(values, "int32", value)


@pytest.mark.parametrize("value", [ml_dtypes.int4(3), np.array(3, ml_dtypes.int4), np.int64(3), np.array(3, ">i2")])
def test_integers_for_a_float(values, value):
    out = np.zeros(1, np.float32)
    values.of_float[1](out, value)
    assert out[0] == 3


def test_an_array_without_dimensions_is_memory_where_the_kernel_takes_a_pointer(values):
    x, out = np.array(7, np.int32), np.array(0, np.int32)
    values.copied[1](x, out, np.array(1))
    assert out == 7


def copied(lib, x):
    out = np.zeros(x.size, np.int32)
    lib.copied[np.int64(1)](x, out, x.size)
    return out


def test_arrays_whose_meaning_is_certain(values):
    whole = np.arange(6, dtype=np.int32)
    for x in (
        whole.reshape(2, 3),
        np.matrix(whole.reshape(2, 3)),
        np.asfortranarray(whole.reshape(1, 6)),
        whole.view(np.recarray),
    ):
        assert np.array_equal(copied(values, x), whole)
    out = np.matrix(np.zeros((2, 3), np.int32))
    values.copied[1](whole, out, 6)
    assert np.array_equal(np.asarray(out).ravel(), whole)


def records(type="<i4"):
    return np.zeros(4, [("a", type), ("b", type)])


REFUSED = {
    "masked": (
        np.ma.masked_array(np.arange(4, dtype=np.int32), mask=[0, 1, 0, 0]),
        "a masked array, 1 of its 4 elements masked; memory holds no mask: pass array.filled(value), or array.data for what lies "
        "below the mask",
    ),
    "masked, without a mask": (np.ma.masked_array(np.zeros(4, np.int32)), "a masked array, 0 of its 4 elements masked"),
    "numbers in a list": (
        [1, 2],
        "argument 1 (x)[0]: int; a list of tensors holds arrays (ListTensorDesc): for one array of numbers pass numpy.array(list, "
        "dtype), e.g. with numpy.float32",
    ),
    "numbers in a tuple": ((1, 2), "for one array of numbers pass numpy.array(tuple, dtype)"),
    "lists in a list": ([[1, 2], [3]], "argument 1 (x)[0]: list; a list of tensors holds arrays"),
    "a masked array in a list": ([np.ma.masked_array([1], [1])], "argument 1 (x)[0]: a masked array"),
    "objects": (
        np.array([1, None]),
        "argument 1 (x): the array holds Python objects (dtype object), not numbers; pass array.astype('float32')",
    ),
    "objects in records": (np.zeros(2, [("a", object)]), "the array holds Python objects"),
    "strided": (
        np.zeros(8, np.int32)[::2],
        "argument 1 (x): the array is not C-contiguous (shape (4,), strides (8,)); pass numpy.ascontiguousarray(array), or "
        "tensor.contiguous()",
    ),
    "backwards": (np.zeros(8, np.int32)[::-1], "is not C-contiguous (shape (8,), strides (-4,))"),
    "transposed": (np.zeros((2, 3), np.int32).T, "is not C-contiguous (shape (3, 2), strides (4, 12))"),
    "broadcast": (np.broadcast_to(np.int32(1), (4,)), "is not C-contiguous (shape (4,), strides (0,))"),
    "swapped": (
        np.zeros(4, ">i4"),
        "argument 1 (x): dtype >i4 has the other byte order; pass array.astype('int32')",
    ),
    "swapped records": (records(">i4"), "has the other byte order; pass array.astype(array.dtype.newbyteorder('='))"),
    "float64": (np.zeros(4), "argument 1 (x): dtype float64 is not a type of the AI Core; it has int4"),
    "float64, what to do": (np.zeros(4), "; pass array.astype('float32')"),
    "complex": (np.zeros(4, complex), "; pass array.real or array.imag, as float32"),
    "another type": (
        np.zeros(4, np.int64),
        "argument 1 (__gm__ int32_t* x): the kernel reads int32_t (int32) there, but the array holds int64",
    ),
    "text": ("x", "argument 1 (x): str is not understood; pass an array for global memory"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(values, name):
    value, text = REFUSED[name]
    with pytest.raises(sfumato.Error) as caught:
        values.copied[1](value, np.zeros(8, np.int32), 1)
    assert text in str(caught.value) and "\n" not in str(caught.value)


def test_what_numpy_can_make_an_array_of(values):
    class Frame:
        def __array__(self, dtype=None, copy=None):
            return np.zeros(4, np.int32)

    with pytest.raises(
        sfumato.Error, match=r"Frame is not understood; pass an array for global memory \(numpy.asarray of it\)"
    ):
        values.copied[1](Frame(), np.zeros(4, np.int32), 4)


def test_records_are_bytes(values):
    x, out = records(), np.zeros(8, np.int32)
    x["b"] = [1, 2, 3, 4]
    with pytest.raises(sfumato.Error, match="holds Python objects"):
        values.copied[1](np.zeros(1, [("a", "i4"), ("b", "O")]), out, 8)
    values.copied[1](x, out, 8)
    assert np.array_equal(out[1::2], x["b"])


def test_the_other_doors_refuse_a_mask():
    masked = np.ma.masked_array(np.zeros(4, np.float32), mask=[1, 0, 0, 0])
    for call in (
        lambda: sfumato.cast(masked, "int32", round_mode="CAST_CEIL", chip=CHIP),
        lambda: sfumato.compare(masked, masked),
        lambda: sfumato.Struct(x=masked) and sfumato._arguments.Argument(1, sfumato.Struct(x=masked)),
    ):
        with pytest.raises(sfumato.Error, match="a masked array, 1 of its 4 elements masked"):
            call()
