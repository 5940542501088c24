#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Wrong calls of reference operators, each beside the call that is right: their codes and reports are in refusals.txt."""

import ctypes
import os
import re
import unittest
from pathlib import Path

import numpy as np
from calls import Call, Tensor, library, said
from raised import keep, raised

TEXTS = Path(__file__).with_name("refusals.txt")
ONE = np.float32(1)


def zeros(shape, kind="float32"):
    return Tensor(np.zeros(shape, kind))


def add(x=(2, 3), y=(2, 3), out=(2, 3), kinds=("float32",) * 3, alpha=ONE):
    return ["aclnnAdd", zeros(x, kinds[0]), zeros(y, kinds[1]), alpha, zeros(out, kinds[2])]


def prompt(**changed):
    given = {"heads": 2, "layout": "BSH", "mask": None, "lengths": None, "key": (1, 3, 8), "shift": None, **changed}
    query = [zeros((1, 3, 8), "float16"), zeros(given["key"], "float16"), zeros(given["key"], "float16")]
    rest = [given["heads"], 1.0, 9, 9, given["layout"], 0, zeros((1, 3, 8), "float16")]
    return ["aclnnPromptFlashAttention", *query, given["shift"], given["mask"], given["lengths"], *rest]


def score(mode=0, mask=None, keep=1.0, drop=None, prefix=None, layout="BNSD", value=4, out=4):
    query = [zeros((1, 1, 2, 4)), zeros((1, 1, 2, 4)), zeros((1, 1, 2, value))]
    outs = [zeros((1, 1, 2, 8)), zeros((1, 1, 2, 8)), None, zeros((1, 1, 2, out))]
    attrs = [1.0, keep, 9, 9, 1, layout, 0, mode]
    return ["aclnnFlashAttentionScore", *query, None, drop, None, mask, prefix, *attrs, *outs]


def grouped(groups=(1, 3), kind=0, scale=None, weights=2, act=0, **rest):
    given = [[zeros((3, 4))], [zeros((4, 2)) for _ in range(weights)], None, scale, None, None, None, None]
    place = Tensor(np.array(groups, np.int64)) if groups else None
    split = rest.get("split", 0 if kind == -1 else 3)
    return ["aclnnGroupedMatmulV4", *given, place, None, None, None, split, kind, 0, act, [zeros((3, 2))], None, None]


def turned(layout, *shape):
    query, table = zeros((*shape, 2, 8)), zeros((*shape, 1, 8))
    return ["aclnnApplyRotaryPosEmb", query, zeros((*shape, 1, 8)), table, table, layout]


def divided(scales=4, count=4, to="int8", **rest):
    place = zeros(rest["zeros"], "int32") if "zeros" in rest else None
    return ["aclnnQuantize", zeros((2, count)), zeros(scales), place, 2, 1, zeros((2, count), to)]


def product(y=(4, 2), scale=2, to="float16", **rest):
    given = [zeros(rest[n], "float32") if n in rest else None for n in ("offset", "token", "bias")]
    return [
        "aclnnQuantMatmulV4",
        zeros((3, 4), "int8"),
        zeros(y, "int8"),
        zeros(scale),
        *given,
        False,
        False,
        zeros((3, 2), to),
    ]


def indexed(name, index, *rest):
    return [name, zeros((4, 2)), 0, Tensor(np.array(index, np.int64)), *rest]


def swiglu(mode="static", offset=None, groups=None):
    outs = [zeros((2, 3), "int8"), zeros(2)]
    given = [zeros((2, 6), "int32"), None, None, None, None, offset, groups, True, mode]
    return ["aclnnDequantSwigluQuant", *given, *outs]


def sum_norm(x_out):
    return ["aclnnAddRmsNorm", zeros((2, 3)), zeros((2, 3)), zeros(3), 1e-6, zeros((2, 3)), zeros((2, 1)), x_out]


def picked(*indices, out=(2,)):
    return ["aclnnIndex", zeros((4, 2)), [Tensor(np.array(i, np.int64)) for i in indices], zeros(out)]


def chosen(kind):
    return ["aclnnSWhere", zeros(3, "bool"), zeros(3, "uint64"), zeros(3, kind), zeros(3, "uint64")]


# Of the first phase: title, wrong, right.
CASES = [
    ("a null input", ["aclnnRelu", None, zeros(3)], ["aclnnRelu", zeros(3), zeros(3)]),
    ("a null result", ["aclnnRelu", zeros(3), None], ["aclnnRelu", zeros(3), zeros(3)]),
    ("a null number", [*add()[:3], None, zeros((2, 3))], add()),
    ("a type", ["aclnnSilu", zeros(3, "int32"), zeros(3, "int32")], ["aclnnSilu", zeros(3), zeros(3)]),
    ("nine dimensions", ["aclnnRelu", zeros((1,) * 9), zeros((1,) * 9)], ["aclnnRelu", zeros((1,) * 8), zeros((1,) * 8)]),
    ("no broadcast", add(y=(2, 2)), add(y=(2, 1))),
    ("another shape of the result", add(out=(3, 2)), add()),
    ("an integer of floats", add(kinds=("float32", "float32", "int32")), add(kinds=("int32", "int32", "float32"), alpha=np.int32(1))),
    ("half a step of integers", add(kinds=("int32",) * 3, alpha=np.float32(0.5)), add(kinds=("int32",) * 3, alpha=np.int32(2))),
    ("another type than dtype", ["aclnnCast", zeros(3), 1, zeros(3)], ["aclnnCast", zeros(3), 1, zeros(3, "float16")]),
    ("a dtype that is none", ["aclnnCast", zeros(3), 99, zeros(3)], ["aclnnCast", zeros(3), 0, zeros(3)]),
    ("a complex dtype", ["aclnnCumsum", zeros(3), 0, 16, zeros(3)], ["aclnnCumsum", zeros(3), 0, 0, zeros(3)]),
    ("steps of more elements", ["aclnnArange", np.int64(2**53 + 1), np.int64(2**53 + 5), np.int64(1), zeros(3, "int64")], ["aclnnArange", np.int64(2**53 + 1), np.int64(2**53 + 5), np.int64(1), zeros(4, "int64")]),
    ("a dimension", ["aclnnSoftmax", zeros((2, 3)), 2, zeros((2, 3))], ["aclnnSoftmax", zeros((2, 3)), -2, zeros((2, 3))]),
    ("no such approximation", ["aclnnGeluV2", zeros(3), 2, zeros(3)], ["aclnnGeluV2", zeros(3), 1, zeros(3)]),
    ("no common length", ["aclnnMm", zeros((2, 3)), zeros((2, 3)), zeros((2, 3)), 0], ["aclnnMm", zeros((2, 3)), zeros((3, 3)), zeros((2, 3)), 0]),
    ("no batches", ["aclnnMatmul", zeros((2, 2, 3)), zeros((3, 3, 2)), zeros((2, 2, 2)), 0], ["aclnnMatmul", zeros((2, 2, 3)), zeros((1, 3, 2)), zeros((2, 2, 2)), 0]),
    ("a product of another type", ["aclnnMm", zeros((2, 3)), zeros((3, 2)), zeros((2, 2), "float16"), 0], ["aclnnMm", zeros((2, 3), "float16"), zeros((3, 2), "float16"), zeros((2, 2)), 0]),
    ("two dimensions for three", ["aclnnBatchMatMul", zeros((2, 3)), zeros((3, 2)), zeros((2, 2)), 0], ["aclnnBatchMatMul", zeros((1, 2, 3)), zeros((1, 3, 2)), zeros((1, 2, 2)), 0]),
    ("what is added", ["aclnnAddmm", zeros((3, 2)), zeros((2, 3)), zeros((3, 2)), ONE, ONE, zeros((2, 2)), 0], ["aclnnAddmm", zeros((1, 2)), zeros((2, 3)), zeros((3, 2)), ONE, ONE, zeros((2, 2)), 0]),
    ("not the last dimensions", ["aclnnLayerNorm", zeros((2, 3)), [2], None, None, 1e-5, zeros((2, 3)), None, None], ["aclnnLayerNorm", zeros((2, 3)), [3], None, None, 1e-5, zeros((2, 3)), None, None]),
    ("a weight", ["aclnnRmsNorm", zeros((2, 3)), zeros(2), 1e-5, zeros((2, 3)), zeros((2, 1))], ["aclnnRmsNorm", zeros((2, 3)), zeros(3), 1e-5, zeros((2, 3)), zeros((2, 1))]),
    ("no halves", ["aclnnSwiGlu", zeros((2, 3)), 1, zeros((2, 1))], ["aclnnSwiGlu", zeros((2, 4)), 1, zeros((2, 2))]),
    ("a step away", ["aclnnArange", np.int64(0), np.int64(3), np.int64(-1), zeros(3)], ["aclnnArange", np.int64(0), np.int64(3), np.int64(1), zeros(3)]),
    ("a condition", ["aclnnSWhere", zeros(2, "bool"), zeros(3), zeros(3), zeros(3)], ["aclnnSWhere", zeros(1, "bool"), zeros(3), zeros(3), zeros(3)]),
    ("no tensors", ["aclnnCat", [], 0, zeros(3)], ["aclnnCat", [zeros(3)], 0, zeros(3)]),
    ("parts that do not meet", ["aclnnCat", [zeros((2, 3)), zeros((2, 2))], 0, zeros((4, 3))], ["aclnnCat", [zeros((2, 3)), zeros((2, 3))], 0, zeros((4, 3))]),
    ("too few parts", ["aclnnSplitTensor", zeros(5), 2, 0, [zeros(2), zeros(2)]], ["aclnnSplitTensor", zeros(5), 2, 0, [zeros(2), zeros(2), zeros(1)]]),
    ("a part", ["aclnnSplitTensor", zeros(3), 2, 0, [zeros(2), zeros(2)]], ["aclnnSplitTensor", zeros(3), 2, 0, [zeros(2), zeros(1)]]),
    ("parts of another type", ["aclnnSplitTensor", zeros(2), 2, 0, [zeros(2, "int32")]], ["aclnnSplitTensor", zeros(2), 2, 0, [zeros(2)]]),
    ("parts of nothing", ["aclnnSplitTensor", zeros(2), 0, 0, [zeros(2)]], ["aclnnSplitTensor", zeros(2), 5, 0, [zeros(2)]]),
    ("lengths", ["aclnnSplitWithSize", zeros(3), [2, 2], 0, [zeros(2), zeros(2)]], ["aclnnSplitWithSize", zeros(3), [2, 1], 0, [zeros(2), zeros(1)]]),
    ("no order", ["aclnnPermute", zeros((2, 3)), [0, 0], zeros((2, 2))], ["aclnnPermute", zeros((2, 3)), [1, 0], zeros((3, 2))]),
    ("an index without room", indexed("aclnnGather", [[0, 1, 2]], zeros((1, 3))), indexed("aclnnGather", [[0, 1]], zeros((1, 2)))),
    ("a source that is too small", indexed("aclnnScatter", [[0, 1]], zeros((1, 1)), 0, zeros((4, 2))), indexed("aclnnScatter", [[0, 1]], zeros((1, 2)), 0, zeros((4, 2)))),
    ("k", ["aclnnTopk", zeros(3), 4, 0, True, True, zeros(4), zeros(4, "int64")], ["aclnnTopk", zeros(3), 3, 0, True, True, zeros(3), zeros(3, "int64")]),
    ("not sorted", ["aclnnTopk", zeros(3), 2, 0, True, False, zeros(2), zeros(2, "int64")], ["aclnnTopk", zeros(3), 2, 0, True, True, zeros(2), zeros(2, "int64")]),
    ("a mode of rounding", ["aclnnAscendQuant", zeros(3), zeros(3), None, False, "up", 2, zeros(3, "int8")], ["aclnnAscendQuant", zeros(3), zeros(3), None, False, "ceil", 2, zeros(3, "int8")]),
    ("a scale", ["aclnnAscendQuant", zeros(3), zeros(2), None, False, "round", 2, zeros(3, "int8")], ["aclnnAscendQuant", zeros(3), zeros(1), None, False, "round", 2, zeros(3, "int8")]),
    ("a value for each", divided(scales=3), divided()),
    ("a type of the quotient", divided(to="uint8"), divided(to="int8")),
    ("a zero point of another length", divided(zeros=1), divided(zeros=4)),
    ("no integer matrices", product(y=(3, 2)), product()),
    ("a scale for each column", product(scale=3), product(scale=1)),
    ("an offset of floats", product(offset=2), product(offset=2, to="int8")),
    ("a token's scale", product(token=4), product(token=3)),
    ("a bias for each column", product(bias=3), product(bias=2)),
    ("four bits", ["aclnnAscendQuant", zeros(3), zeros(3), None, False, "round", 29, zeros(3, "int8")], ["aclnnAscendQuant", zeros(3), zeros(3), None, False, "round", 2, zeros(3, "int8")]),
    ("eight times four bits", ["aclnnDynamicQuant", zeros((2, 8), "float16"), None, zeros((2, 1), "int32"), zeros(2)], ["aclnnDynamicQuant", zeros((2, 8), "float16"), None, zeros((2, 8), "int8"), zeros(2)]),
    ("eight times four bits of a scale", ["aclnnAscendQuant", zeros(8), zeros(8), None, False, "round", 3, zeros(1, "int32")], ["aclnnAscendQuant", zeros(8), zeros(8), None, False, "round", 2, zeros(8, "int8")]),
    ("four bits for eight", ["aclnnAscendQuant", zeros(8), zeros(8), None, False, "round", 2, zeros(8, "int32")], ["aclnnAscendQuant", zeros(8), zeros(8), None, False, "round", 2, zeros(8, "int8")]),
    ("a type back", ["aclnnAscendAntiQuant", zeros(3, "int8"), zeros(3), None, 0, False, zeros(3, "float16")], ["aclnnAscendAntiQuant", zeros(3, "int8"), zeros(3), None, 1, False, zeros(3, "float16")]),
    ("no groups", grouped(groups=None), grouped()),
    ("groups of columns", grouped(kind=2), grouped()),
    ("a quantised product", grouped(scale=[zeros(2)]), grouped(scale=[])),
    ("pairs without partners", grouped(groups=None, kind=-1), grouped(groups=None, kind=-1, weights=1)),
    ("no quarters", ["aclnnRotaryPositionEmbedding", *[zeros((1, 1, 1, 6)) for _ in range(3)], 2, zeros((1, 1, 1, 6))], ["aclnnRotaryPositionEmbedding", *[zeros((1, 1, 1, 6)) for _ in range(3)], 0, zeros((1, 1, 1, 6))]),
    ("tables", ["aclnnRotaryPositionEmbedding", zeros((1, 2, 3, 4)), zeros((1, 2, 2, 4)), zeros((1, 2, 2, 4)), 0, zeros((1, 2, 3, 4))], ["aclnnRotaryPositionEmbedding", zeros((1, 2, 3, 4)), zeros((1, 1, 3, 4)), zeros((1, 1, 3, 4)), 0, zeros((1, 2, 3, 4))]),
    ("a layout", prompt(layout="SBH"), prompt()),
    ("heads", prompt(heads=3), prompt(heads=4)),
    ("a key", prompt(key=(1, 3, 6)), prompt(key=(1, 5, 8))),
    ("lengths of sequences", prompt(lengths=[4], key=(1, 5, 8)), prompt(lengths=[3], key=(1, 2, 8))),
    ("a mask", prompt(mask=zeros((2, 3), "bool")), prompt(mask=zeros((3, 3), "bool"))),
    ("dropout", score(keep=0.5), score()),
    ("a mask of what is dropped", score(drop=zeros(8, "uint8")), score()),
    ("a layout without batches", score(layout="TND"), score()),
    ("a mask that is no triangle", score(mode=2, mask=zeros((2, 2), "bool")), score(mode=2, mask=zeros((2048, 2048), "bool"))),
    ("a mode of sequences behind each other", score(mode=7, mask=zeros((3072, 2048), "bool"), prefix=[2]), score(mode=6, mask=zeros((3072, 2048), "bool"), prefix=[2])),
    *((f"no mask of mode {mode}", score(mode=mode), score(mode=mode, mask=zeros((2048, 2048), "bool"))) for mode in (2, 3, 4)),
    ("no whole mask", score(mode=1), score(mode=1, mask=zeros((2, 2), "bool"))),
    ("no prefix", score(mode=6, mask=zeros((3072, 2048), "bool")), score(mode=6, mask=zeros((3072, 2048), "bool"), prefix=[1])),
    ("a prefix", score(mode=6, mask=zeros((3072, 2048), "bool"), prefix=[3]), score(mode=6, mask=zeros((3072, 2048), "bool"), prefix=[2])),
    ("a value that is too wide", score(value=5), score(value=3, out=3)),
    ("a result of another width", score(value=3), score(value=3, out=3)),
    ("a shift", prompt(shift=zeros((1, 2, 3, 3), "float16")), prompt()),
    ("an activation", grouped(act=1), grouped()),
    ("a norm without its sum", sum_norm(None), sum_norm(zeros((2, 3)))),
    ("a sort of nothing", ["aclnnSort", zeros(()), True, 0, False, zeros(()), zeros((), "int64")], ["aclnnSort", zeros(1), True, 0, False, zeros(1), zeros(1, "int64")]),
    ("too many indices", picked([0], [0], [0], out=(1,)), picked([0], [0], out=(1,))),
    ("indices that do not meet", picked([0, 1], [0, 1, 1]), picked([0, 1], [0, 1])),
    ("no common type", chosen("int8"), chosen("uint8")),
    ("a way to compute", ["aclnnMm", zeros((2, 3)), zeros((3, 2)), zeros((2, 2)), 5], ["aclnnMm", zeros((2, 3)), zeros((3, 2)), zeros((2, 2)), 4]),
    ("what is added has no dimensions", ["aclnnAddmm", zeros(()), zeros((2, 3)), zeros((3, 2)), ONE, ONE, zeros((2, 2)), 0], ["aclnnAddmm", zeros(1), zeros((2, 3)), zeros((3, 2)), ONE, ONE, zeros((2, 2)), 0]),
    ("a mean of another type", ["aclnnLayerNorm", zeros((2, 3), "float16"), [3], None, None, 1e-5, zeros((2, 3), "float16"), zeros((2, 1), "bfloat16"), None], ["aclnnLayerNorm", zeros((2, 3), "float16"), [3], None, None, 1e-5, zeros((2, 3), "float16"), zeros((2, 1)), None]),
    ("no common type of parts", ["aclnnCat", [zeros(3, "uint64"), zeros(3, "int8")], 0, zeros(6, "uint64")], ["aclnnCat", [zeros(3, "uint64"), zeros(3, "uint8")], 0, zeros(6, "uint64")]),
    ("parts of what is empty", ["aclnnSplitTensor", zeros(0), 2, 0, [zeros(0)]], ["aclnnSplitTensor", zeros(0), 0, 0, [zeros(0)]]),
    ("a layout of sequences first", turned(2, 3, 4), turned(1, 3, 4)),
    ("batches behind each other", turned(4, 3, 4), turned(4, 12)),
    ("one result of groups", grouped(split=1), grouped(split=2)),
    ("a mode of quantisation", swiglu("both"), swiglu("dynamic")),
    ("an offset of what is found", swiglu("dynamic", offset=zeros(3)), swiglu("static", offset=zeros(1))),
    ("groups of rows", swiglu(groups=zeros(1, "int64")), swiglu()),
]  # fmt: skip
# Of the second: what only the values on the device tell.
RUNS = [
    ("an index outside", indexed("aclnnIndexSelect", [0, 4], zeros((2, 2))), indexed("aclnnIndexSelect", [0, 3], zeros((2, 2)))),
    ("an index before the first", indexed("aclnnGather", [[0, -5]], zeros((1, 2))), indexed("aclnnGather", [[0, -4]], zeros((1, 2)))),
    ("a negative index", indexed("aclnnScatterAdd", [[0, -1]], zeros((1, 2)), zeros((4, 2))), indexed("aclnnScatterAdd", [[0, 3]], zeros((1, 2)), zeros((4, 2)))),
    ("an index of the second dimension", picked([0, 3], [0, 2]), picked([0, 3], [0, -2])),
    ("groups without rows", grouped(groups=(1, 4)), grouped(groups=(1, 3))),
    ("groups that go back", grouped(groups=(3, 1)), grouped(groups=(0, 3))),
]  # fmt: skip


def outcome(name, *given, runs=False):
    call = Call(name, given)
    code = call.prepare()
    if runs:
        assert code == 0, said()
        code = call.run()
    text = re.sub(r"0x[0-9a-f]{6,}", "0x?", said())
    for rule in re.findall(r"fault \[([a-z-]+)\]", text):
        raised(rule)
    call.free()
    return code, text


class Refusals(unittest.TestCase):
    maxDiff = None

    def test_texts(self):
        lines = []
        for cases, runs in ((CASES, False), (RUNS, True)):
            for title, wrong, right in cases:
                code, text = outcome(*wrong, runs=runs)
                lines.append(f"{title}: {code}\n{text}\n")
                self.assertEqual(outcome(*right, runs=runs), (0, ""), title)
        for title, code, text in self.other_objects():
            lines.append(f"{title}: {code}\n{text}\n")
        shown = "".join(lines)
        if os.environ.get("SFUMATO_REWRITE"):
            TEXTS.write_text(shown)
        self.assertEqual(shown, TEXTS.read_text())

    def other_objects(self):
        """What no right call has: objects of another kind, memory that is none, executors of others."""
        acl = library()
        number = ctypes.c_void_p(acl.aclCreateScalar(ctypes.byref(ctypes.c_float(1)), 0))
        yield "a number for a tensor", *outcome("aclnnRelu", number, zeros(3))
        laid_out = zeros((16, 16))
        shape, storage = (ctypes.c_int64 * 2)(16, 16), (ctypes.c_int64 * 4)(1, 1, 16, 16)
        laid_out.send()
        nz = acl.aclCreateTensor(
            shape, ctypes.c_uint64(2), 0, None, ctypes.c_int64(0), 29, storage, ctypes.c_uint64(4), laid_out.address
        )
        yield "fractals", *outcome("aclnnRelu", ctypes.c_void_p(nz), zeros((16, 16)))
        call = Call("aclnnRelu", [zeros(3), zeros(3)])
        yield "no place", acl.aclnnReluGetWorkspaceSize(*call.words, None, ctypes.byref(ctypes.c_void_p())), said()
        self.assertEqual(call.prepare(), 0)
        yield "another's executor", acl.aclnnExp(None, ctypes.c_uint64(0), call.executor, None), said()
        self.assertEqual(call.run(), 0)
        yield "used up", call.run(), said()
        held = zeros(6)
        held.send()
        one = (ctypes.c_int64 * 1)(3)
        complex64 = acl.aclCreateTensor(
            one, ctypes.c_uint64(1), 16, None, ctypes.c_int64(0), 2, one, ctypes.c_uint64(1), held.address
        )
        yield "complex numbers", *outcome("aclnnRelu", ctypes.c_void_p(complex64), zeros(3))
        host = np.zeros(3, np.float32)
        call = Call("aclnnRelu", [zeros(3), zeros(3)])
        self.assertEqual(acl.aclSetRawTensorAddr(call.words[0], ctypes.c_void_p(host.ctypes.data)), 0)
        self.assertEqual(call.prepare(), 0)
        yield "memory of the host", call.run(), re.sub(r"0x[0-9a-f]{6,}", "0x?", said())
        short = zeros(2)
        short.send()
        call = Call("aclnnRelu", [zeros(3), zeros(3)])
        self.assertEqual(acl.aclSetRawTensorAddr(call.words[1], short.address), 0)
        self.assertEqual(call.prepare(), 0)
        yield "past the end", call.run(), re.sub(r"#\d+", "#N", said())


if __name__ == "__main__":
    keep("reference_refusals_test")
    unittest.main()
