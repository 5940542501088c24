#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Calls an operator project with random inputs and compares with NumPy: what an operator of a well-known name computes, in our own words.

    tests/outside/references.py FOLDER NAME --chip CHIP [--types float16,...]

Prints one line for each combination of types, and `agrees` last where all of them do; the exit code is 1 otherwise.
"""

import argparse
import itertools
import math
import sys

import ml_dtypes
import numpy as np
import sfumato

RNG = np.random.default_rng(31)
TYPES = {"bfloat16": ml_dtypes.bfloat16, "bool": np.bool_}
erf = np.vectorize(math.erf, otypes=[np.float64])


def of_type(name):
    return np.dtype(TYPES.get(name, name))


def numbers(shape, dtype, low=-3.0, high=3.0):
    """Random values of a type; integers of the same range, at least a few."""
    if dtype.kind in "iu":
        low = 0 if dtype.kind == "u" else int(low)
        return RNG.integers(low, max(int(high), low + 2), shape).astype(dtype)
    if dtype.kind == "b":
        return RNG.random(shape) < 0.5
    return (RNG.random(shape) * (high - low) + low).astype(dtype)


def elementwise(function, low=-3.0, high=3.0, number=1, shape=(8, 2048), **attrs):
    """A case of inputs of one shape and type."""

    def make(types):
        inputs = [numbers(shape, types[i], low, high) for i in range(number)]
        return inputs, attrs, function(*[wide(x) for x in inputs])

    return make


def wide(x):
    return x.astype(np.float64) if x.dtype.kind not in "iub" else x.astype(np.int64) if x.dtype.kind != "b" else x


def divide(a, b):
    return np.trunc(a / b) if a.dtype.kind == "i" else a / b


def case_div(types):
    a, b = numbers((8, 2048), types[0], -9, 9), numbers((8, 2048), types[1], 1, 5)
    return [a, b], {}, divide(wide(a), wide(b))


def equalish(make_close):
    def make(types):
        a = numbers((8, 2048), types[0], 0, 4)
        b = np.where(RNG.random(a.shape) < 0.5, a, numbers(a.shape, types[1], 0, 4)).astype(types[1])
        return [a, b], {}, make_close(wide(a), wide(b))

    return make


def reduced(function, attr, shape=(6, 5, 64), **attrs):
    def make(types):
        x = numbers(shape, types[0], -2, 2)
        return [x], {attr[0]: attr[1], **attrs}, function(wide(x))

    return make


def case_arg(find, attr):
    """Index and value of the least or largest: of distinct values, so that ties decide nothing."""

    def make(types):
        shape = (4, 16, 8)
        x = np.ascontiguousarray(RNG.permuted(np.broadcast_to(np.arange(16)[None, :, None], shape), axis=1)).astype(
            types[0], order="C"
        )
        index = getattr(np, "arg" + find)(x, axis=1)
        return [x], {attr: 1}, (index, getattr(np, find)(x, axis=1))

    return make


def case_scatter_elements(types):
    x, index = numbers((8, 64), types[0], 0, 9), np.argsort(RNG.random((8, 64)), axis=0).astype(types[1])
    updates = numbers((8, 64), types[2], 0, 9)
    expected = x.copy()
    np.put_along_axis(expected, index.astype(np.int64), updates, axis=0)
    return [x, index, updates], {"axis": 0}, wide(expected)


def case_scatter_reduce(types, **attrs):
    x, index = numbers((8, 32), types[0], 0, 2), RNG.integers(0, 8, (8, 32)).astype(types[1])
    source = numbers((8, 32), types[2], 0, 2)
    expected = wide(x).copy()
    for i, j in itertools.product(range(8), range(32)):
        expected[index[i, j], j] += float(source[i, j])
    return [x, index, source], {"dim": 0, "reduce": "sum", "include_self": True}, expected


def case_pad(types):
    x = numbers((2, 3, 6, 40), types[0])
    return [x, np.array([2, 1, 1, 2], types[1])], {}, wide(np.pad(x, ((0, 0), (0, 0), (1, 2), (2, 1)), mode="edge"))


def case_eye(types):
    return [np.zeros((32, 32), types[0])], {"num_rows": 32, "num_columns": 32, "batch_shape": []}, np.eye(32)


def case_heaviside(types):
    x = RNG.integers(-1, 2, (8, 2048)).astype(types[0])
    values = numbers((8, 2048), types[1], 0, 1)
    return [x, values], {}, np.heaviside(wide(x), wide(values))


def case_select(types):
    condition = RNG.random((8, 2048)) < 0.5
    a, b = numbers((8, 2048), types[1], -9, 9), numbers((8, 2048), types[2], -9, 9)
    return [condition, a, b], {}, wide(np.where(condition, a, b))


def case_addcmul(types):
    x, a, b = (numbers((8, 2048), types[i], -2, 3) for i in range(3))
    value = np.array([2], types[3])
    return [x, a, b, value], {}, wide(x) + wide(a) * wide(b) * 2


def case_softplus(types):
    x = numbers((8, 2048), types[0], -5, 5)
    return [x], {"beta": 1.0, "threshold": 20.0}, np.log1p(np.exp(wide(x)))


def case_matmul(types):
    a, b = (
        (numbers((32, 32), of_type("float32")) + 1j * numbers((32, 32), of_type("float32"))).astype(types[0])
        for _ in "ab"
    )
    return [a, b], {}, a.astype(np.complex128) @ b.astype(np.complex128)


def case_pdist(types):
    x = numbers((12, 32), types[0])
    y = wide(x)
    return [x], {"p": 2.0}, np.array([np.linalg.norm(y[i] - y[j]) for i in range(12) for j in range(i + 1, 12)])


def case_group_norm(types):
    x, gamma, beta = numbers((2, 8, 4, 16), types[0]), np.ones(8, types[1]), np.zeros(8, types[2])
    groups = wide(x).reshape(2, 4, -1)
    mean, variance = groups.mean(-1), groups.var(-1)
    rstd = 1 / np.sqrt(variance + 1e-4)
    y = ((groups - mean[..., None]) * rstd[..., None]).reshape(x.shape) * wide(gamma)[:, None, None] + wide(beta)[
        :, None, None
    ]
    return [x, gamma, beta], {"num_groups": 4}, (y, mean, rstd)


def case_depth_to_space(types):
    x = numbers((2, 3, 4, 32), types[0], -9, 9)
    y = x.reshape(2, 3, 4, 2, 2, 8).transpose(0, 1, 3, 2, 4, 5).reshape(2, 6, 8, 8)
    return [x], {"block_size": 2}, wide(y)


def case_ball_query(types):
    points, centres = numbers((2, 64, 3), types[0], 0, 1), numbers((2, 8, 3), types[1], 0, 1)
    expected = np.zeros((2, 8, 5), np.int64)
    for b, c in itertools.product(range(2), range(8)):
        near = np.flatnonzero(((wide(points)[b] - wide(centres)[b, c]) ** 2).sum(-1) < 0.25)
        expected[b, c] = np.resize(near[:1], 5) if len(near) else 0
        expected[b, c, : min(5, len(near))] = near[:5]
    return [points, centres, None, None], {"min_radius": 0.0, "max_radius": 0.5, "sample_num": 5}, expected


def case_nll(types):
    x, target, weight = (
        numbers((16, 8), types[0]),
        RNG.integers(0, 8, 16).astype(types[1]),
        numbers((8,), types[2], 0.5, 1.5),
    )
    picked = weight[target].astype(np.float64)
    return [x, target, weight], {}, np.array([(-picked * x[np.arange(16), target]).sum() / picked.sum()])


def case_expand(types):
    x = numbers((1, 64), types[0], -9, 9)
    return [x], {"size": [5, 64]}, wide(np.broadcast_to(x, (5, 64)))


def case_cumsum(types):
    x = numbers((4, 32), types[0], -2, 3)
    return [x, np.array([1], types[1])], {}, np.cumsum(wide(x), axis=1)


def case_reduce_sum(types):
    x = numbers((6, 64), types[0], -2, 3)
    return [x, np.array([1], types[1])], {}, wide(x).sum(1)


def case_three_nn(types):
    a, b = numbers((2, 16, 3), types[0], 0, 1), numbers((2, 32, 3), types[1], 0, 1)
    square = ((wide(a)[:, :, None] - wide(b)[:, None]) ** 2).sum(-1)
    index = np.argsort(square, axis=-1, kind="stable")[..., :3]
    return [a, b], {}, (np.take_along_axis(square, index, -1), index)


def case_as_strided(types):
    x = numbers((64,), types[0], -9, 9)
    flat = np.lib.stride_tricks.as_strided(x[3:], (4, 5), (2 * x.itemsize, 3 * x.itemsize))
    return [x, np.array([4, 5], types[1]), np.array([2, 3], types[2]), np.array([3], types[3])], {}, wide(flat)


def case_histogram(types):
    x = numbers((500,), types[0], 0, 10)
    inside = wide(x)
    return (
        [x],
        {"bins": 10, "min": 0.0, "max": 10.0},
        np.histogram(inside[(inside >= 0) & (inside <= 10)], 10, (0, 10))[0],
    )


def case_lerp(types):
    a, b, w = (numbers((8, 2048), types[i], 0, 2) for i in range(3))
    return [a, b, w], {}, wide(a) + wide(w) * (wide(b) - wide(a))


def case_transpose(types):
    x = numbers((3, 17, 32), types[0], -9, 9)
    return [x], {"dims": [0, 2, 1]}, wide(x.transpose(0, 2, 1))


def case_concat(types):
    parts = [numbers((4, n), types[0], -9, 9) for n in (32, 17, 5)]
    return [parts], {"dim": 1}, wide(np.concatenate(parts, 1))


def case_index_add(types):
    x, source = numbers((8, 32), types[0], 0, 4), numbers((5, 32), types[2], 0, 4)
    index = np.array([0, 2, 2, 7, 1], types[1])
    expected = wide(x).copy()
    np.add.at(expected, index, wide(source))
    return [x, index, source], {"dim": 0}, expected


def case_cholesky(types):
    a = numbers((16, 16), of_type("float64"))
    a = (a @ a.T + 16 * np.eye(16)).astype(types[0])
    return [a], {}, np.linalg.cholesky(wide(a))


def case_nms(types):
    corners = numbers((1, 8, 2), types[0], 0, 1)
    boxes = np.concatenate([corners, corners + 0.2], -1).astype(types[0])
    scores = RNG.permutation(8).reshape(1, 1, 8).astype(types[1]) / 10
    kept = []
    for i in np.argsort(-scores[0, 0]):
        if all(overlap(boxes[0, i], boxes[0, j]) <= 0.5 for j in kept):
            kept.append(i)
    expected = np.array([[0, 0, i] for i in kept[:4]])
    limits = [np.array([4], types[2]), np.array([0.5], types[3]), np.array([-1], types[4])]
    return [boxes, scores, *limits], {}, expected


def overlap(a, b):
    sides = np.maximum(np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2]), 0)
    both = float(sides.prod())
    return both / (float((a[2:] - a[:2]).prod()) + float((b[2:] - b[:2]).prod()) - both)


def case_gather(types):
    x, index = numbers((16, 32), types[0]), RNG.integers(0, 16, 8).astype(types[1])
    return [x, index], {}, wide(x[index])


def case_farthest(types):
    points = RNG.integers(-12, 13, (2, 64, 3)).astype(types[0])  # squares that half has exactly
    expected = np.zeros((2, 8), np.int64)
    for b in range(2):
        distance = np.full(64, np.inf)
        for k in range(1, 8):
            distance = np.minimum(distance, ((wide(points)[b] - wide(points)[b, expected[b, k - 1]]) ** 2).sum(-1))
            expected[b, k] = distance.argmax()
    return [points], {"m": 8}, expected


CASES = {
    "Add": elementwise(np.add, number=2),
    "Addcmul": case_addcmul,
    "ArgMaxWithValue": case_arg("max", "dimension"),
    "ArgMin": case_arg("min", "dim"),
    "AsStrided": case_as_strided,
    "Asinh": elementwise(np.arcsinh),
    "AsinhGrad": elementwise(lambda y, dy: dy / np.cosh(y), number=2),
    "BallQuery": case_ball_query,
    "Cholesky": case_cholesky,
    "Concat": case_concat,
    "Copysign": elementwise(np.copysign, number=2),
    "Cos": elementwise(np.cos),
    "Cumsum": case_cumsum,
    "DepthToSpace": case_depth_to_space,
    "Div": case_div,
    "Expand": case_expand,
    "Eye": case_eye,
    "FurthestPointSample": case_farthest,
    "Gather": case_gather,
    "Gcd": elementwise(np.gcd, 1, 200, 2),
    "Gelu": elementwise(lambda x: x * 0.5 * (1 + erf(x / math.sqrt(2)))),
    "GlobalAvgPool": lambda t: (lambda x: ([x], {}, wide(x).mean((2, 3), keepdims=True)))(numbers((2, 3, 8, 16), t[0])),
    "Greater": equalish(np.greater),
    "GroupNormV2": case_group_norm,
    "Heaviside": case_heaviside,
    "Histogram": case_histogram,
    "Hypot": elementwise(np.hypot, number=2),
    "IndexAdd": case_index_add,
    "IsClose": equalish(lambda a, b: np.isclose(a, b, 1e-5, 1e-8)),
    "Lcm": elementwise(np.lcm, 1, 11, 2),
    "Lerp": case_lerp,
    "LessEqual": equalish(np.less_equal),
    "LogSumExp": reduced(lambda x: np.log(np.exp(x).sum(1)), ("dim", [1])),
    "MatMul": case_matmul,
    "Mish": elementwise(lambda x: x * np.tanh(np.log1p(np.exp(x)))),
    "MseLoss": lambda t: (lambda a, b: ([a, b], {}, np.array([((wide(a) - wide(b)) ** 2).mean()])))(
        numbers((8, 64), t[0]), numbers((8, 64), t[1])
    ),
    "NLLLoss": case_nll,
    "NonMaxSuppression": case_nms,
    "NotEqual": equalish(np.not_equal),
    "Pdist": case_pdist,
    "Pows": elementwise(np.power, 0.5, 2.5, 2),
    "ReduceSum": case_reduce_sum,
    "ReplicationPad2d": case_pad,
    "ScatterElements": case_scatter_elements,
    "ScatterReduce": case_scatter_reduce,
    "SelectV2": case_select,
    "Sigmoid": elementwise(lambda x: 1 / (1 + np.exp(-x))),
    "Sinh": elementwise(np.sinh),
    "Softmax": reduced(lambda x: np.exp(x) / np.exp(x).sum(-1, keepdims=True), ("dim", -1)),
    "Softplus": case_softplus,
    "SquareSumV1": reduced(lambda x: (x**2).sum(1), ("axis", [1])),
    "Swish": elementwise(lambda x: x / (1 + np.exp(-x))),
    "TensorEqual": lambda t: (lambda a: ([a, a.copy()], {}, np.array([True])))(numbers((8, 2048), t[0])),
    "ThreeNN": case_three_nn,
    "Transpose": case_transpose,
    "Tril": elementwise(np.tril, shape=(4, 32, 32)),
    "Triu": elementwise(np.triu, shape=(4, 32, 32)),
    "Trunc": elementwise(np.trunc, -9, 9),
    "Xlogy": elementwise(lambda x, y: x * np.log(y), 0.5, 3, 2),
}
# How far a result may be from NumPy's, as people's own checks have it: relative, absolute.
LIMITS = {"float16": (4e-3, 4e-3), "bfloat16": (3e-2, 3e-2)}


def agree(got, expected):
    """What is wrong with a result, or nothing."""
    got, expected = np.asarray(got), np.asarray(expected)
    if got.size != expected.size:
        return f"shape {got.shape} instead of {expected.shape}"
    if np.iscomplexobj(got):
        got, name = got.astype(np.complex128), "float32"
    else:
        name, got = str(got.dtype), got.astype(np.float64)
    relative, absolute = LIMITS.get(name, (1e-3, 1e-3))
    expected = expected.reshape(got.shape)
    bad = ~np.isclose(got, expected.astype(got.dtype), relative, absolute, equal_nan=True)
    return (
        f"{bad.sum()} of {bad.size} wrong, first at {tuple(int(i) for i in np.argwhere(bad)[0])}" if bad.any() else ""
    )


def compare(results, expected):
    results = results if isinstance(results, tuple) else (results,)
    expected = expected if isinstance(expected, tuple) else (expected,)
    wrong = [agree(got, right) for got, right in zip(results, expected, strict=False)]
    return "; ".join(w for w in wrong if w)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("name", choices=sorted(CASES))
    parser.add_argument("--chip", required=True)
    parser.add_argument("--op")
    options = parser.parse_args()
    op = sfumato.load_op(options.folder, chip=options.chip, **({"op": options.op} if options.op else {}))
    known = {a.name if hasattr(a, "name") else a["name"] for a in op.attrs}
    wrong = 0
    for combination in op.combinations:
        names = list(combination.values())
        inputs, attrs, expected = CASES[options.name]([of_type(name) for name in names])
        inputs = inputs[: len(op.inputs)]
        attrs = {name: value for name, value in attrs.items() if name in known}
        outputs = [p.name for p in op.outputs if p.name not in {q.name for q in op.inputs}]
        rights = expected if isinstance(expected, tuple) else (expected,)
        given = [(right.shape, combination[name]) for name, right in zip(outputs, rights, strict=False)]
        try:
            said = compare(op(*inputs, **attrs, **({"out": given} if given else {})), expected)
        except (sfumato.Error, ValueError, TypeError, RuntimeError) as error:
            said = str(error)
        wrong += bool(said)
        print(f"{options.name} {' '.join(names[: len(inputs)])}: {said or 'right'}", flush=True)
    print("differs" if wrong else "agrees")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
