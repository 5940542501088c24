# SPDX-License-Identifier: Apache-2.0
"""As cases.py, of the operators that do several things at once."""

import math

import numpy as np
from calls import Tensor, type_number
from cases import REALS, SHAPES, Draw, Types, sigmoid, wide


def quantised():
    shapes = [s for s in SHAPES if s] + [(6, 8)]
    for i, shape in enumerate(shapes):
        draw, kind = Draw("quant", i), REALS[i % 3]
        x = draw.tensor(shape, kind, -40, 40)
        last = [(shape[-1],), (1,), (1,) * (len(shape) - 1) + (shape[-1],)][i % 3]
        scale, offset = draw.tensor(last, kind, 0.5, 3), draw.tensor(last, kind, -5, 5)
        mode, square = ("round", "ceil", "trunc", "floor")[i % 4], bool(i % 2)
        factor = wide(scale) ** (2 if square else 1)
        exact = wide(x) * factor + (wide(offset) if i % 5 else 0)
        want = np.clip(
            {"round": np.rint, "ceil": np.ceil, "trunc": np.trunc, "floor": np.floor}[mode](exact), -128, 127
        )
        given = [x, scale, offset if i % 5 else None, square, mode, 2, draw.result(shape, "int8")]
        yield "aclnnAscendQuant", given, {6: want}
        x, to, kind = (
            draw.tensor(shape, "int8", -128, 127),
            ("float16", "bfloat16")[i % 2],
            ("float32", "bfloat16")[i % 2],
        )
        last = (shape[-1],) if i % 3 else (1,)
        scale, offset = draw.tensor(last, kind, 0.1, 2), draw.tensor(last, kind, -5, 5)
        want = (wide(x) + (wide(offset) if i % 5 else 0)) * wide(scale) ** (2 if square else 1)
        given = [x, scale, offset if i % 5 else None, type_number(to), square, draw.result(shape, to)]
        yield "aclnnAscendAntiQuant", given, {5: want}
    for i, shape in enumerate([s for s in SHAPES if len(s) > 1] * 2):
        draw, kind = Draw("dynamic", i), ("float16", "bfloat16")[i % 2]
        x, smooth = draw.tensor(shape, kind), draw.tensor(shape[-1:], kind, 0.5, 2)
        values = wide(x) * (wide(smooth) if i % 3 else 1)
        most = np.abs(values).max(-1, initial=0) if values.size else np.zeros(shape[:-1])
        scale = (most / 127).astype(np.float32)
        with np.errstate(all="ignore"):
            want = np.nan_to_num(np.rint(values / scale[..., None].astype(np.float64)))
        given = [x, smooth if i % 3 else None, draw.result(shape, "int8"), draw.result(shape[:-1], "float32")]
        yield "aclnnDynamicQuant", given, {2: want, 3: scale} if shape[-1] else {2: want}
    for i, shape in enumerate([s for s in SHAPES if len(s) > 1] * 2):
        yield dequantised(i, shape)


SUMS = Types(("int32", "float16", "bfloat16"))
SMALL = Types(("float16", "bfloat16"))
BIASES = (None, "int32", "float32", "bfloat16", "float16")


def dequantised(i, shape):
    draw, kind, bias_kind, dynamic = Draw("swiglu", i), SUMS[i % 3], BIASES[i % 5], i % 2
    width, outer, wide_shape = shape[-1] * 2, shape[:-1], (*shape[:-1], shape[-1] * 2)
    x = draw.tensor(wide_shape, kind, -40, 40)
    weight = draw.tensor((width,), "float32", 0.01, 0.1) if i % 4 else None
    rows = draw.tensor((*outer, *[1] * (i % 2)), "float32", 0.5, 2) if i % 3 else None
    bias = draw.tensor((width,), bias_kind, -5, 5) if bias_kind else None
    scale = draw.tensor((shape[-1] if dynamic else 1,), "float32", 0.5, 9) if i % 7 else None
    offset = draw.tensor((1,), "float32", -5, 5) if i % 3 and not dynamic else None
    factor = (wide(weight) if weight else 1) * (wide(rows).reshape(*outer, 1) if rows else 1)
    added = wide(bias) if bias else 0
    values = (wide(x) + added) * factor if bias_kind == "int32" else wide(x) * factor + added
    left = bool(i % 5 > 1)
    gate, other = np.split(values, 2, -1) if left else np.split(values, 2, -1)[::-1]
    y = gate * sigmoid(gate) * other * (wide(scale) if scale else 1) + (wide(offset) if offset else 0)
    want = {9: np.clip(np.rint(y), -128, 127)}
    if dynamic and shape[-1]:
        most = np.abs(y).max(-1) if y.size else np.zeros(outer)
        want[10] = (most / 127).astype(np.float32)
        with np.errstate(all="ignore"):
            want[9] = np.nan_to_num(np.rint(y / want[10][..., None].astype(np.float64)))
    outs = [draw.result(shape, "int8"), draw.result(outer, "float32")]
    mode = "dynamic" if dynamic else [None, "static"][i // 2 % 2]
    return "aclnnDequantSwigluQuant", [x, weight, rows, bias, scale, offset, None, left, mode, *outs], want


def to_integers(exact, kind):
    limits = np.iinfo(kind)
    return np.clip(np.rint(exact), limits.min, limits.max)


def divided():
    for i, shape in enumerate(s for s in SHAPES * 2 if s):
        draw, kind, axis = Draw("divided", i), REALS[i % 3], i % len(shape) - len(shape) * (i % 2)
        x, count = draw.tensor(shape, kind, -40, 40), 1 if i % 4 == 3 else shape[axis]
        to, zero = ("int8", "uint8", "int32")[i % 3], ("int8", "uint8", "int32", "float32")[i % 4]
        scales, zeros = draw.tensor((count,), kind, 0.2, 3), draw.tensor((count,), zero, -9, 9) if i % 5 else None
        along = [1] * len(shape)
        along[axis] = count
        exact = wide(x) / wide(scales).reshape(along) + (wide(zeros).reshape(along) if zeros else 0)
        given = [x, scales, zeros, type_number(to), axis, draw.result(shape, to)]
        yield "aclnnQuantize", given, {5: to_integers(exact, to)}


def integer_products():
    batches = [((), ()), ((2,), (2,)), ((3,), (1,)), ((2, 1), (3,)), ((0,), (1,))]
    for i in range(40):
        draw, (m, k, n) = (
            Draw("products", i),
            [(1, 1, 1), (3, 4, 5), (16, 32, 8), (2, 0, 3), (0, 3, 2), (5, 70, 2)][i % 6],
        )
        left, right = batches[i % 5]
        batch = np.broadcast_shapes(left, right)
        to, turn_x, turn_y = ("float16", "bfloat16", "int8")[i % 3], i % 4 == 1, i % 4 > 1
        x = draw.tensor((*left, *((k, m) if turn_x else (m, k))), "int8", -128, 127)
        y = draw.tensor((*right, *((n, k) if turn_y else (k, n))), "int8", -128, 127)
        low = 0.0001 if to == "int8" else 0.001
        scale = draw.tensor((n if i % 2 else 1,), "bfloat16" if to == "bfloat16" else "float32", low, 2 * low)
        offset = draw.tensor((n,), "float32", -5, 5) if to == "int8" and i % 2 else None
        token = draw.tensor((m,), "float32", 0.1, 2) if i % 4 < 2 and not offset else None
        kind = ["int32", "float32", to if to != "int8" else "int32"][i // 3 % 3] if not offset else "int32"
        bias = (
            draw.tensor((batch[0], 1, n) if i % 7 == 1 and len(batch) == 1 else (n,), kind, -90, 90) if i % 5 else None
        )
        sums = (np.swapaxes(wide(x), -1, -2) if turn_x else wide(x)) @ (
            np.swapaxes(wide(y), -1, -2) if turn_y else wide(y)
        )
        first = wide(bias) if bias and kind == "int32" else 0
        want = (sums + first) * wide(scale) * (wide(token)[:, None] if token else 1)
        want = want + (wide(bias) if bias and kind != "int32" else 0) + (wide(offset) if offset else 0)
        want = to_integers(want, to) if to == "int8" else want
        given = [x, y, scale, offset, token, bias, turn_x, turn_y, draw.result((*batch, m, n), to)]
        yield "aclnnQuantMatmulV4", given, {8: want}


def grouped():
    for i in range(24):
        draw, kind, has_bias = Draw("grouped", i), REALS[i % 3], i % 2
        k, n, count = (4, 1, 7, 16)[i % 4], (3, 5, 1)[i % 3], 1 + i % 4
        weights = [draw.tensor((k, n), kind) for _ in range(count)]
        bias = [draw.tensor((n,), kind) for _ in range(count)]
        sums = [wide(b) if has_bias else 0 for b in bias]
        if i % 3 == 0:
            x = [draw.tensor((j + i % 2, k), kind) for j in range(count)]
            want = [wide(a) @ wide(w) + b for a, w, b in zip(x, weights, sums, strict=True)]
            out = [draw.result(w.shape, kind) for w in want]
            yield (
                "aclnnGroupedMatmulV4",
                grouped_call(x, weights, bias if has_bias else None, None, -1, 0, out),
                {16: want},
            )
            continue
        lengths = draw.random.integers(0, 4, count)
        groups = Tensor(np.asarray(lengths if i % 2 else np.cumsum(lengths), np.int64))
        x = draw.tensor((int(lengths.sum()), k), kind)
        rows = np.split(wide(x), np.cumsum(lengths)[:-1])
        want = np.concatenate([a @ wide(w) + b for a, w, b in zip(rows, weights, sums, strict=True)])
        if i % 3 == 2:
            weights = [Tensor(np.stack([w.view() for w in weights]), draw.layout())]
            bias = [Tensor(np.stack([b.view() for b in bias]), draw.layout())]
        out = [draw.result(want.shape, kind)]
        given = grouped_call([x], weights, bias if has_bias else None, groups, 0, i % 2, out)
        yield "aclnnGroupedMatmulV4", given, {16: [want]}


def grouped_call(x, weights, bias, groups, kind, list_kind, out):
    none = [None] * 5
    return [x, weights, bias, *none, groups, None, None, None, 0 if kind else 3, kind, list_kind, 0, out, None, None]


def turned(x, mode):
    """The row that the sine turns, as the page's formulas have it, and the one of the cosine."""
    half, quarter = x.shape[-1] // 2, x.shape[-1] // 4
    if mode == 1:
        return x, np.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)
    if mode == 2:
        a, b, c, d = (x[..., n * quarter : (n + 1) * quarter] for n in range(4))
        return x, np.concatenate([-b, a, -d, c], -1)
    if mode == 3:
        x = np.concatenate([x[..., ::2], x[..., 1::2]], -1)
    return x, np.concatenate([-x[..., half:], x[..., :half]], -1)


def rotary():
    shapes = [
        (1, 2, 3, 4),
        (2, 1, 5, 8),
        (2, 3, 1, 16),
        (1, 1, 1, 4),
        (0, 2, 3, 4),
        (3, 4, 8),
        (2, 6, 12),
        (1, 7, 2, 64),
    ]
    for i in range(24):
        draw, kind, shape, mode = Draw("rotary", i), REALS[i % 3], shapes[i % len(shapes)], i % 4
        small = [shape, (*(1,) * (len(shape) - 1), shape[-1]), (1, *shape[1:])][i % 3]
        x, cos, sin = draw.tensor(shape, kind), draw.tensor(small, kind, -1, 1), draw.tensor(small, kind, -1, 1)
        own, other = turned(wide(x), mode)
        want = own * wide(cos) + other * wide(sin)
        yield "aclnnRotaryPositionEmbedding", [x, cos, sin, mode, draw.result(shape, kind)], {4: want}
        b, s, n, d = (*shape[: len(shape) - 1], 1, shape[-1])[:4] if len(shape) == 3 else shape
        d = shape[-1]
        # Batches, or sequences one behind another.
        outer, layout = [((b, s), 1), ((b * s,), 4)][i % 2]
        query, key = draw.tensor((*outer, n, d), kind), draw.tensor((*outer, 1 + n // 2, d), kind)
        cos, sin = draw.tensor((*outer, 1, d), kind, -1, 1), draw.tensor((*outer, 1, d), kind, -1, 1)
        want = {}
        for place, x in enumerate((query, key)):
            own, other = turned(wide(x), 0)
            want[place] = own * wide(cos) + other * wide(sin)
        yield "aclnnApplyRotaryPosEmb", [query, key, cos, sin, layout], want


def laid_out(layout, b, n, s, d):
    return {"BNSD": (b, n, s, d), "BSND": (b, s, n, d), "BSH": (b, s, n * d), "SBH": (s, b, n * d)}[layout]


def as_heads(x, layout, n):
    """(batch, heads, sequence, width)"""
    if layout == "BNSD":
        return x
    if layout == "SBH":
        x = np.swapaxes(x, 0, 1)
    if layout != "BSND":
        x = x.reshape(*x.shape[:2], n, -1)
    return np.swapaxes(x, 1, 2)


def from_heads(x, layout):
    if layout == "BNSD":
        return x
    x = np.swapaxes(x, 1, 2)
    if layout != "BSND":
        x = x.reshape(*x.shape[:2], -1)
    return np.swapaxes(x, 0, 1) if layout == "SBH" else x


def attended(q, k, v, scale, shift, hidden):
    """The result, and the greatest score and the sum of each row. hidden: what a row does not see."""
    repeat = q.shape[1] // k.shape[1]
    k, v = np.repeat(k, repeat, 1), np.repeat(v, repeat, 1)
    scores = np.where(hidden, -np.inf, scale * (q @ np.swapaxes(k, -1, -2) + shift))
    most = scores.max(-1, keepdims=True, initial=-np.inf)
    with np.errstate(invalid="ignore"):
        weights = np.where(np.isneginf(most), 0, np.exp(scores - most))
    total = weights.sum(-1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(total > 0, weights / total, 0) @ v, most, total


def hides(rows, columns, before, after, shift=0):
    r, c = np.arange(rows)[:, None] + shift, np.arange(columns)[None, :]
    return (c < r - before) | (c > r + after)


def attention():
    sizes = [(1, 1, 1, 1, 1, 4), (2, 4, 2, 5, 5, 8), (1, 2, 2, 3, 7, 4), (2, 2, 1, 6, 4, 3), (1, 4, 4, 9, 9, 16)]
    far = 2**31 - 1
    for i in range(63):
        draw, kind, (b, n, m, s, t, d) = Draw("attention", i), REALS[i % 3], sizes[i % len(sizes)]
        layout, mode, scale = ("BNSD", "BSND", "BSH", "SBH")[i % 4], i % 7, 1 / math.sqrt(d)
        width = max(1, d - i % 3)  # of the value
        q = draw.tensor(laid_out(layout, b, n, s, d), kind, -2, 2)
        k, v = (draw.tensor(laid_out(layout, b, m, t, w), kind, -2, 2) for w in (d, width))
        heads = [as_heads(wide(x), layout, c) for x, c in ((q, n), (k, m), (v, m))]
        shift = draw.tensor([(b, n, s, t), (1, n, s, t), (b, n, 1, t)][i % 3], kind) if i % 2 else None
        hidden, mask, before, after, prefix = np.zeros((s, t), bool), None, far, far, None
        if i % 9 == 4:
            mode = 0  # no mask
        elif mode < 2 and i % 3:
            mask = draw.tensor([(s, t), (b, 1, s, t), (b, n, s, t)][i % 3], ("bool", "uint8")[i % 2], 0, 1)
            before, after = (3, 2) if i % 7 == 0 else (far, far)
            hidden = mask.view().astype(bool) | (hides(s, t, before, after) if mode == 0 else False)
        elif mode == 1:
            mode = 0
        elif mode >= 5:
            prefix = [int(draw.random.integers(max(0, t - s), t + 1)) for _ in range(b)]
            left = np.arange(t) < np.array(prefix)[:, None, None, None]
            hidden = hides(s, t, far, 0, t - s) & ~left
            mask = Tensor(hidden) if mode == 5 else Tensor(np.zeros((3072, 2048), np.uint8))
        elif mode >= 2:
            mask = Tensor(np.triu(np.ones((2048, 2048), np.uint8), 1))
            before, after = (2, 1) if mode == 4 else (far, far)
            hidden = {2: hides(s, t, far, 0), 3: hides(s, t, far, 0, t - s), 4: hides(s, t, 2, 1, t - s)}[mode]
        want, most, total = attended(*heads, scale, wide(shift) if shift else 0, hidden)
        rows = [np.repeat(x, 8, -1) for x in (most, total)]
        outs = [
            draw.result((b, n, s, 8), "float32"),
            draw.result((b, n, s, 8), "float32"),
            None,
            draw.result(laid_out(layout, b, n, s, width), kind),
        ]
        given = [q, k, v, shift, None, None, mask, prefix, scale, 1.0, before, after, n, layout, 0, mode, *outs]
        yield "aclnnFlashAttentionScore", given, {16: rows[0], 17: rows[1], 19: from_heads(want, layout)}
    for i in range(24):
        draw, kind, (b, n, m, s, t, d) = Draw("prompt", i), SMALL[i % 2], sizes[i % len(sizes)]
        layout, scale = ("BNSD", "BSND", "BSH")[i % 3], 1 / math.sqrt(d)
        q = draw.tensor(laid_out(layout, b, n, s, d), kind, -2, 2)
        k, v = (draw.tensor(laid_out(layout, b, m, t, d), kind, -2, 2) for _ in range(2))
        heads = [as_heads(wide(x), layout, c) for x, c in ((q, n), (k, m), (v, m))]
        hidden = np.zeros((b, 1, s, t), bool)
        mask = None
        if i % 2:
            mask = draw.tensor([(s, t), (b, s, t), (1, 1, s, t)][i % 3], ("bool", "int8", "uint8")[i % 3], 0, 1)
            hidden = hidden | np.array(mask.view()).astype(bool).reshape(-1, 1, s, t) | hides(s, t, 4, 3)
        lengths = [int(draw.random.integers(0, s + 1)) for _ in range(b)] if i % 4 > 1 else None
        for batch, length in enumerate(lengths or []):
            hidden[batch, :, length:] = True
        want, _, _ = attended(*heads, scale, 0, hidden)
        given = [q, k, v, None, mask, lengths, n, scale, 4, 3, layout, m if m != n else 0, draw.result(q.shape, kind)]
        yield "aclnnPromptFlashAttention", given, {12: from_heads(want, layout)}


GROUPS = {
    "quantised": quantised,
    "divided": divided,
    "integer_products": integer_products,
    "grouped": grouped,
    "rotary": rotary,
    "attention": attention,
}
