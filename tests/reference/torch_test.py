#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every reference operator against PyTorch on the CPU, in float64: the calls of cases.py, each shape in each type.

Where PyTorch is (`make torch-check`); without it operators_test.py has the same calls against NumPy.
"""

import collections
import math

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("ml_dtypes")

import cases  # noqa: E402
import fused_cases  # noqa: E402
from calls import BFLOAT16, Tensor, call, table  # noqa: E402
from close import check, is_float  # noqa: E402

F = torch.nn.functional
GROUPS = cases.GROUPS | fused_cases.GROUPS
TURNS = len(cases.MOVED)
SEEN = collections.Counter()
MOVES = set("Permute SWhere Cat SplitTensor SplitWithSize IndexSelect Gather Index".split())
INFINITY = math.inf


def wide(value, moves=False):
    """The argument as PyTorch has it: floats in double, integers in int64; of what moves the bits alone."""
    if isinstance(value, list):
        return [wide(v, moves) for v in value]
    if not isinstance(value, Tensor):
        return value.item() if isinstance(value, np.ndarray | np.generic) else value
    values = np.array(value.view())
    if moves:
        return torch.from_numpy(values.view(f"i{values.itemsize}"))
    if values.dtype == BFLOAT16:
        return torch.from_numpy(values.view(np.int16)).view(torch.bfloat16).double()
    return torch.from_numpy(values.astype(np.float64 if is_float(values.dtype) else np.int64))


def tanh_gelu(x):
    return x * torch.sigmoid(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))


def cumsum(x, dim, to, _):
    # What is added becomes the result's type first.
    narrow = {0: torch.float32, 1: torch.float16}.get(to)
    return torch.cumsum(x if narrow is None else x.to(narrow).double(), dim)


def swiglu(x, dim, _):
    half = x.shape[dim] // 2
    return F.silu(x.narrow(dim, 0, half)) * x.narrow(dim, half, half)


def layer_norm(x, shape, weight, bias, epsilon, *_):
    return torch.native_layer_norm(x, shape, weight, bias, epsilon)


def rms_norm(x, weight, epsilon, *_):
    axes = tuple(range(-weight.ndim, 0))
    return F.rms_norm(x, weight.shape, weight, epsilon), (x.square().mean(axes, keepdim=True) + epsilon).rsqrt()


def scatter(x, dim, index, source, reduce, *_):
    if reduce == 0:
        return torch.scatter(x, dim, index, source)
    return torch.scatter_reduce(x, dim, index, source, "sum" if reduce == 1 else "prod")


def gather(x, dim, index, *_):
    length = x.shape[dim]
    return torch.gather(x, dim, index.long() % length if length else index.long())


def sort(x, _, dim, descending, *__):
    return torch.sort(x, dim=dim, descending=descending, stable=True)


def topk(x, k, dim, largest, *_):
    return [t.narrow(dim, 0, k) for t in sort(x, None, dim, largest)]


def rounded(x, mode):
    # torch.round is to the nearest, ties to even.
    return getattr(torch, mode)(x).clamp(-128, 127)


def ascend_quant(x, scale, offset, square, mode, *_):
    return rounded(x * scale ** (2 if square else 1) + (0 if offset is None else offset), mode)


# Both end at the ends of their type in compare().
def quantize(x, scales, zeros, _, axis, __):
    along = [1] * x.ndim
    along[axis] = -1
    return (x / scales.reshape(along) + (0 if zeros is None else zeros.reshape(along))).round()


def quant_matmul(x, y, scale, offset, token, bias, turn_x, turn_y, out):
    sums = torch.matmul(x.mT if turn_x else x, y.mT if turn_y else y)
    first = bias is not None and not bias.is_floating_point()
    result = ((sums + bias) if first else sums) * scale * (1.0 if token is None else token[:, None])
    result = result + (0 if bias is None or first else bias) + (0 if offset is None else offset)
    return result if out.is_floating_point() else result.round()


def by_rows(x):
    scale = (x.abs().amax(-1) / 127).float() if x.numel() else x.sum(-1).float()
    return (x / scale.double()[..., None]).round().nan_to_num(), scale


def dynamic_quant(x, smooth, *_):
    return by_rows(x if smooth is None else x * smooth)


def anti_quant(x, scale, offset, _, square, __):
    return (x + (0 if offset is None else offset)) * scale ** (2 if square else 1)


def dequant_swiglu(x, weight, rows, bias, scale, offset, _, left, mode, out, scale_out, given=None):
    weight = 1.0 if weight is None else weight
    rows = 1.0 if rows is None else rows.reshape(*x.shape[:-1], 1)
    bias, whole = (0, False) if bias is None else (bias, not bias.is_floating_point())
    x = (x + bias) * (weight * rows) if whole else x * (weight * rows) + bias
    gate, other = x.double().chunk(2, -1) if left else x.double().chunk(2, -1)[::-1]
    y = F.silu(gate) * other * (1.0 if scale is None else scale)
    return by_rows(y) if mode == "dynamic" else (rounded(y + (0 if offset is None else offset), "round"), None)


def grouped(x, weight, bias, *rest):
    groups, kind, list_kind = rest[5], rest[10], rest[11]
    weight = list(weight[0]) if len(weight) == 1 and weight[0].ndim == 3 else weight
    if bias is None:
        bias = [0] * len(weight)
    elif len(bias) == 1 and bias[0].ndim == 2:
        bias = list(bias[0])
    if kind == 0:
        lengths = groups if list_kind else torch.diff(groups, prepend=torch.zeros(1, dtype=torch.int64))
        x = torch.split(x[0], lengths.tolist())
    parts = [a @ w + b for a, w, b in zip(x, weight, bias, strict=True)]
    return [parts if kind == -1 else [torch.cat(parts)]]


def rotary(x, cos, sin, mode, *_):
    if mode == 3:
        x = torch.cat([x[..., ::2], x[..., 1::2]], -1)
    if mode == 1:
        turned = torch.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)
    elif mode == 2:
        a, b, c, d = x.chunk(4, -1)
        turned = torch.cat([-b, a, -d, c], -1)
    else:
        turned = torch.cat([-x.chunk(2, -1)[1], x.chunk(2, -1)[0]], -1)
    return x * cos + turned * sin


def attended(q, k, v, shift, hidden, scale, layout, heads, kv_heads):
    """Of tensors of the layout: the result of it, and each row's greatest score and its sum eight times."""
    q, k, v = (heads_of(t, layout, n) for t, n in ((q, heads), (k, kv_heads), (v, kv_heads)))
    k, v = (t.repeat_interleave(q.shape[1] // t.shape[1], 1) for t in (k, v))
    bias = torch.zeros(()).double() if shift is None else shift * scale
    bias = bias.expand(q.shape[0], q.shape[1], q.shape[2], k.shape[2]).masked_fill(hidden, -INFINITY)
    out = F.scaled_dot_product_attention(q, k, v, attn_mask=bias, scale=scale).nan_to_num()
    scores = scale * (q @ k.mT) + bias
    most = scores.amax(-1, keepdim=True)
    total = torch.exp(scores - most).nan_to_num().sum(-1, keepdim=True)
    return most.expand(*most.shape[:-1], 8), total.expand(*most.shape[:-1], 8), laid_out(out, layout)


def heads_of(t, layout, heads):
    if layout == "BNSD":
        return t
    t = t.transpose(0, 1) if layout == "SBH" else t
    return (t if layout == "BSND" else t.unflatten(-1, (heads, -1))).transpose(1, 2)


def laid_out(t, layout):
    if layout == "BNSD":
        return t
    t = t.transpose(1, 2)
    t = t if layout == "BSND" else t.flatten(2)
    return t.transpose(0, 1) if layout == "SBH" else t


def widths(k, q, layout, heads):
    """Heads of the key."""
    return {"BNSD": k.shape[1], "BSND": k.shape[2]}.get(layout[:4], k.shape[-1] // (q.shape[-1] // heads))


def band(rows, columns, before, after, shift=0):
    away = torch.arange(columns) - torch.arange(rows)[:, None] - shift
    return (away < -before) | (away > after)


def lengths_of(q, k, layout):
    at = {"BNSD": 2, "SBH": 0}.get(layout, 1)
    return q.shape[at], k.shape[at]


def score(q, k, v, shift, _, __, mask, prefix, scale, ___, before, after, heads, layout, ____, mode, *_____):
    s, t = lengths_of(q, k, layout)
    hidden = torch.zeros(s, t, dtype=torch.bool)
    if mask is not None:
        tokens = {0: (before, after), 4: (before, after, t - s), 2: (INFINITY, 0)}.get(mode, (INFINITY, 0, t - s))
        hidden = band(s, t, *tokens) if mode != 1 else hidden
        if mode > 4:
            hidden = hidden & (torch.arange(t) >= torch.tensor(prefix)[:, None, None, None])
        hidden = hidden | mask.bool() if mode < 2 else hidden
    most, total, out = attended(q, k, v, shift, hidden, scale, layout, heads, widths(k, q, layout, heads))
    return most, total, None, out


def prompt(q, k, v, _, mask, lengths, heads, scale, before, after, layout, *__):
    s, t = lengths_of(q, k, layout)
    hidden = torch.zeros(1, 1, s, t, dtype=torch.bool)
    if mask is not None:
        hidden = mask.bool().reshape(-1, 1, s, t) | band(s, t, before, after)
    if lengths is not None:
        ends = torch.tensor(lengths)[:, None, None, None]
        hidden = hidden | (torch.arange(s)[:, None] >= ends)
    return attended(q, k, v, None, hidden, scale, layout, heads, widths(k, q, layout, heads))[2]


TORCH = {
    "Add": lambda x, y, alpha, *_: x + alpha * y,
    "Sub": lambda x, y, alpha, *_: x - alpha * y,
    "Mul": lambda x, y, *_: x * y,
    "Div": lambda x, y, *_: x.double() / y,
    "Cast": lambda x, *_: x,
    "Silu": lambda x, _: F.silu(x),
    "Gelu": lambda x, _: tanh_gelu(x),
    # Not F.gelu, whose double loses the digits of small results.
    "GeluV2": lambda x, tanh, _: tanh_gelu(x) if tanh else x * torch.erfc(-x / math.sqrt(2)) / 2,
    "Exp": lambda x, *_: torch.exp(x.double()),
    "Sqrt": lambda x, *_: torch.sqrt(x.double()),
    "Relu": lambda x, *_: torch.relu(x),
    "Softmax": lambda x, dim, _: torch.softmax(x, dim),
    "Cumsum": cumsum,
    "SwiGlu": swiglu,
    "Matmul": lambda x, y, *_: torch.matmul(x, y),
    "Mm": lambda x, y, *_: torch.mm(x, y),
    "BatchMatMul": lambda x, y, *_: torch.matmul(x, y),
    "Addmm": lambda c, a, b, beta, alpha, *_: torch.addmm(c, a, b, beta=beta, alpha=alpha),
    "LayerNorm": layer_norm,
    "RmsNorm": rms_norm,
    "AddRmsNorm": lambda x, y, weight, epsilon, *_: (*rms_norm(x + y, weight, epsilon), x + y),
    "Arange": lambda start, end, step, _: torch.arange(start, end, step, dtype=torch.float64),
    "SWhere": lambda c, x, y, _: torch.where(c.bool(), x, y),
    "Cat": lambda tensors, dim, _: torch.cat(tensors, dim),
    "SplitTensor": lambda x, length, dim, _: [torch.split(x, length, dim)],
    "SplitWithSize": lambda x, lengths, dim, _: [torch.split(x, lengths, dim)],
    "Permute": lambda x, dims, _: torch.permute(x, [int(d) for d in dims]),
    "IndexSelect": lambda x, dim, index, _: torch.index_select(x, dim, index),
    "Gather": gather,
    "Scatter": scatter,
    "ScatterAdd": lambda x, dim, index, source, _: torch.scatter_add(x, dim, index, source),
    "Index": lambda x, indices, _: x[tuple(i.long() for i in indices)],
    "Sort": sort,
    "Topk": topk,
    "AscendQuant": ascend_quant,
    "Quantize": quantize,
    "QuantMatmulV4": quant_matmul,
    "DynamicQuant": dynamic_quant,
    "AscendAntiQuant": anti_quant,
    "DequantSwigluQuant": dequant_swiglu,
    "GroupedMatmulV4": grouped,
    "RotaryPositionEmbedding": rotary,
    "ApplyRotaryPosEmb": lambda q, k, cos, sin, _: (rotary(q, cos, sin, 0), rotary(k, cos, sin, 0)),
    "FlashAttentionScore": score,
    "PromptFlashAttention": prompt,
}


def expected(name, given):
    """{place of a result: array or arrays}, before the call changes what is in place."""
    short = name.removeprefix("aclnn").removeprefix("Inplace")
    function = TORCH.get(short) or TORCH[short.removesuffix("s")]
    got = function(*(wide(value, short in MOVES) for value in given))
    places = [i for i, p in enumerate(table()[name]) if p.is_result]
    got = got if isinstance(got, tuple | list) else (got,)
    return {place: value for place, value in zip(places, got, strict=False) if given[place] is not None}


def compare(short, result, want, what):
    got, want = np.array(result.view()), want.numpy()
    if short in MOVES:
        assert got.tobytes() == want.tobytes(), what
        return
    if not is_float(got.dtype) and want.dtype.kind == "f" and got.dtype != np.bool_:
        limits = np.iinfo(got.dtype)
        want = np.clip(np.trunc(want), limits.min, limits.max)
    if got.dtype == np.float64:
        # PyTorch's double is no better than the result.
        assert np.allclose(got, want, rtol=1e-14, atol=0, equal_nan=True), what
        return
    check(got, want, what)


@pytest.mark.parametrize("turn", range(TURNS))
@pytest.mark.parametrize("group", GROUPS)
def test_results(group, turn, monkeypatch):
    monkeypatch.setattr(cases.Types, "turn", turn)
    for number, (name, given, wanted) in enumerate(GROUPS[group]()):
        want = expected(name, given)
        call(name, *given)
        short = name.removeprefix("aclnn")
        SEEN[short.removeprefix("Inplace")] += 1
        for place in wanted:
            place %= len(given)
            results, values = given[place], want[place]
            results, values = (results, values) if isinstance(results, list) else ([results], [values])
            for n, (result, value) in enumerate(zip(results, values, strict=True)):
                what = f"{name}, call {number}, result {place}.{n}, {result.dtype}{result.shape}"
                compare(short, result, value, what)


def test_every_operator_has_twenty_shapes_of_each_type():
    names = {name.removeprefix("aclnn").removeprefix("Inplace") for name in table()}
    few = {name: SEEN[name] for name in names if SEEN[name] < 20 * TURNS}
    assert not few
