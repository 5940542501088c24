# SPDX-License-Identifier: Apache-2.0
"""Calls of torch_npu.npu_*, and what they give by PyTorch on the CPU in float64: (arguments, named, results)."""

import math

import torch
import torch.nn.functional as F
from close import Draw

REALS = (torch.float32, torch.float16, torch.bfloat16)
ANY = (*REALS, torch.int32, torch.int64, torch.int8, torch.uint8, torch.int16, torch.bool, torch.float64)
SHAPES = [
    (1,), (7,), (33,), (0,), (3, 5), (5, 3), (16, 16), (2, 0), (0, 4), (1, 64), (31, 2), (2, 3, 4), (4, 1, 5), (2, 0, 3),
    (2, 3, 2, 5), (1, 2, 1, 2, 3), (129, 3), (2, 7, 9), (8, 1, 1), (3, 257),
]  # fmt: skip


def each(name, shapes=SHAPES):
    """Of every shape: its number, a generator, the shape and a type of floating point."""
    for i, shape in enumerate(shapes):
        yield i, Draw(name, i), shape, REALS[i % 3]


def unary(name, function, **named):
    for _, draw, shape, kind in each(name):
        want, x = draw.pair(shape, kind)
        yield [x], named, [function(want)]


def npu_silu():
    yield from unary("silu", F.silu)


def npu_gelu():
    yield from unary("gelu", F.gelu)
    yield from unary("gelu", lambda x: F.gelu(x, approximate="tanh"), approximate="tanh")


def npu_rms_norm():
    for i, draw, shape, kind in each("rms"):
        tail = shape[-1 - i % len(shape) :]
        (x, given), (gamma, weight) = draw.pair(shape, kind), draw.pair(tail, kind)
        epsilon = (1e-6, 1e-5, 0.1)[i % 3]
        root = 1 / (x.square().mean(tuple(range(-len(tail), 0)), keepdim=True) + epsilon).sqrt()
        # There is no mean of nothing.
        yield [given, weight], {"epsilon": epsilon} if i % 3 else {}, [x * root * gamma, root if x.numel() else None]


def npu_layer_norm_eval():
    for i, draw, shape, kind in each("layer"):
        tail = shape[-1 - i % len(shape) :]
        (x, given), (gamma, weight), (beta, bias) = draw.pair(shape, kind), draw.pair(tail, kind), draw.pair(tail, kind)
        parts = [(), (weight,), (weight, bias), (weight, bias, 0.01)][i % 4]
        # By its formula: F.layer_norm of PyTorch 2.1 is not exact to the last digits of float64.
        axes, eps = tuple(range(-len(tail), 0)), 0.01 if len(parts) == 3 else 1e-5
        middle = x - x.mean(axes, keepdim=True)
        want = middle / (middle.square().mean(axes, keepdim=True) + eps).sqrt()
        want = want * (gamma if parts else 1) + (beta if len(parts) > 1 else 0)
        yield [given, list(tail), *parts], {}, [want]


def npu_swiglu():
    for i, draw, shape, kind in each("swiglu"):
        dim = i % len(shape) - len(shape) * (i % 2)
        twice = [2 * n if d == dim % len(shape) else n for d, n in enumerate(shape)]
        x, given = draw.pair(twice, kind)
        a, b = x.chunk(2, dim) if x.shape[dim] else (x, x)
        yield [given, dim], {}, [F.silu(a) * b]
        if dim % len(shape) == len(shape) - 1:
            yield [given], {}, [F.silu(a) * b]


def rotated(x, mode):
    if mode == "half":
        a, b = x.chunk(2, -1)
        return torch.cat([-b, a], -1)
    return torch.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)


ROPES = [(1, 2, 3, 4), (2, 1, 5, 8), (2, 3, 1, 16), (1, 1, 1, 4), (0, 2, 3, 4), (2, 6, 2, 64), (3, 2, 4, 2)] * 3


def npu_rotary_mul():
    for i, draw, shape, kind in each("rotary", ROPES):
        small = [shape, (1, 1, *shape[2:]), (1, *shape[1:])][i % 3]
        (x, given), (cos, r1), (sin, r2) = draw.pair(shape, kind), draw.pair(small, kind), draw.pair(small, kind)
        mode = ("half", "interleave")[i % 2]
        yield (
            [given, r1, r2],
            {"rotary_mode": mode} if i % 4 else {},
            [x * cos + rotated(x, mode if i % 4 else "half") * sin],
        )


def npu_apply_rotary_pos_emb():
    for i, draw, (b, s, n, d), kind in each("apply", ROPES):
        (q, query), (k, key) = draw.pair((b, s, n, d), kind), draw.pair((b, s, 1 + n // 2, d), kind)
        (c, cos), (t, sin) = draw.pair((b, s, 1, d), kind), draw.pair((b, s, 1, d), kind)
        want = [x * c + rotated(x, "half") * t for x in (q, k)]
        yield [query, key, cos, sin], {"layout": "BSND"} if i % 2 else {}, want


def rounded(values, dtype=torch.int8):
    limits = torch.iinfo(dtype)
    return values.round().clamp(limits.min, limits.max)


def npu_quantize():
    for i, draw, shape, kind in each("quantize"):
        x, given = draw.pair(shape, kind, -40, 40)
        count = shape[-1] if i % 3 else 1
        (s, scale), (z, zero) = draw.pair((count,), kind, 0.5, 3), draw.pair((count,), kind, -5, 5)
        yield (
            [given, scale, zero if i % 2 else None, torch.qint8, -1, False],
            {},
            [rounded(x * s + (z if i % 2 else 0))],
        )
        axis = i % len(shape)
        (s, scale), (z, zero) = draw.pair((shape[axis],), kind, 0.2, 3), draw.pair((shape[axis],), torch.int32, -9, 9)
        along = [-1 if d == axis else 1 for d in range(len(shape))]
        to, dtype = [(torch.qint8, torch.int8), (torch.quint8, torch.uint8), (torch.int32, torch.int32)][i % 3]
        exact = x / s.reshape([n if n == 1 else shape[axis] for n in along])
        exact = exact + z.reshape([n if n == 1 else shape[axis] for n in along])
        yield [given, scale, zero, to, axis], {}, [rounded(exact, dtype)]


def npu_dynamic_quant():
    for i, draw, shape, _ in each("dynamic", [s for s in SHAPES if len(s) > 1] * 2):
        kind = REALS[1 + i % 2]
        (x, given), (smooth, scales) = draw.pair(shape, kind), draw.pair(shape[-1:], kind, 0.5, 2)
        values = x * smooth if i % 2 else x
        most = values.abs().amax(-1) if shape[-1] else torch.zeros(shape[:-1], dtype=torch.float64)
        scale = (most / 127).float().double()
        named = {"smooth_scales": scales} if i % 2 else {}
        named |= {"dst_type": torch.int8} if i % 3 else {}
        yield [given], named, [rounded(values / scale[..., None]).nan_to_num(0), scale if shape[-1] else None]


def npu_anti_quant():
    for i, draw, shape, _ in each("anti"):
        kind, to = (torch.float32, torch.bfloat16)[i % 2], REALS[1 + i // 2 % 2]
        count = shape[-1] if i % 3 else 1
        x, given = draw.pair(shape, torch.int8, -128, 127)
        (s, scale), (z, offset) = draw.pair((count,), kind, 0.1, 2), draw.pair((count,), kind, -5, 5)
        named = {"offset": offset, "src_dtype": torch.int8} if i % 5 else {}
        yield [given, scale], {**named, "dst_dtype": to}, [(x + (z if i % 5 else 0)) * s]


PRODUCTS = [(1, 1, 1), (2, 3, 4), (5, 1, 7), (16, 16, 16), (3, 0, 2), (0, 3, 2), (2, 3, 0), (17, 33, 9), (1, 64, 1), (4, 128, 5)] * 2  # fmt: skip


def npu_quant_matmul():
    for i, draw, (m, k, n), _ in each("products", PRODUCTS):
        (a, x), (b, y) = draw.pair((m, k), torch.int8, -128, 127), draw.pair((k, n), torch.int8, -128, 127)
        to = (torch.int8, torch.float16, torch.bfloat16)[i % 3]
        s, scale = draw.pair((n if i % 2 else 1,), torch.bfloat16 if i % 3 == 2 else torch.float32, 1e-4, 1e-3)
        named, want = {"output_dtype": to} if i % 3 else {}, (a.double() @ b.double()) * s
        if i % 3:
            t, token = draw.pair((m,), torch.float32, 0.1, 2)
            c, bias = draw.pair((n,), (torch.float32, to)[i % 2], -90, 90)
            named, want = {**named, "pertoken_scale": token, "bias": bias}, want * t[:, None] + c
        else:
            c, bias = draw.pair((n,), torch.int32, -90, 90)
            o, offset = draw.pair((n,), torch.float32, -5, 5)
            named, want = {"offset": offset, "bias": bias}, rounded((a.double() @ b.double() + c) * s + o)
        yield [x, y, scale], named, [want]


def npu_dtype_cast():
    for i, draw, shape, _ in each("cast", SHAPES * 3):
        kind, to = ANY[i % 10], ANY[(i * 7 + i // 10) % 10]
        x, given = draw.pair(shape, kind, 0 if torch.uint8 in (kind, to) else -100, 100)
        want = x.trunc() if x.is_floating_point() and not to.is_floating_point and to != torch.bool else x
        yield [given, to], {}, [want.to(to) if not to.is_floating_point else want.double()]


def npu_transpose():
    for i, draw, shape, _ in each("transpose"):
        _, given = draw.pair(shape, ANY[i % 10])
        order = torch.randperm(len(shape), generator=draw.generator).tolist()
        yield [given, order], {"require_contiguous": True} if i % 2 else {}, [given.cpu().permute(order)]


def npu_linear():
    for i, draw, (m, k, n), kind in each("linear", PRODUCTS):
        (a, x), (b, weight), (c, bias) = draw.pair((m, k), kind), draw.pair((n, k), kind), draw.pair((n,), kind)
        yield [x, weight, *([bias] if i % 2 else [])], {}, [a @ b.t() + (c if i % 2 else 0)]


def npu_bmmV2():
    for i, draw, (m, k, n), kind in each("bmm", PRODUCTS):
        left, right = [((), ()), ((2,), (2,)), ((3,), (1,)), ((2, 1), (3,)), ((0,), (1,))][i % 5]
        (a, x), (b, y) = draw.pair((*left, m, k), kind), draw.pair((*right, k, n), kind)
        yield [x, y, []], {}, [a @ b]


def npu_grouped_matmul():
    for i in range(24):
        draw, kind, (k, n) = Draw("grouped", i), REALS[i % 3], [(4, 3), (1, 5), (7, 1), (16, 2)][i % 4]
        count = 1 + i % 4
        weights = [draw.pair((k, n), kind) for _ in range(count)]
        biases = [draw.pair((n,), kind) for _ in range(count)]
        named = {"bias": [b for _, b in biases]} if i % 2 else {}
        plus = [b if i % 2 else 0 for b, _ in biases]
        lengths = torch.randint(0, 4, (count,), generator=draw.generator)
        if i % 3 == 0:
            xs = [draw.pair((int(m), k), kind) for m in lengths]
            want = [a @ w + p for (a, _), (w, _), p in zip(xs, weights, plus, strict=True)]
            yield [[x for _, x in xs], [w for _, w in weights]], named, [want]
            continue
        a, x = draw.pair((int(lengths.sum()), k), kind)
        rows = a.split(lengths.tolist())
        want = torch.cat([r @ w + p for r, (w, _), p in zip(rows, weights, plus, strict=True)])
        ends = lengths.cumsum(0)
        if i % 3 == 1:
            named |= {"group_list": ends.tolist(), "split_item": 3}
        else:
            named |= {"group_list": (lengths if i % 2 else ends).npu(), "group_list_type": i % 2, "group_type": 0}
            named["split_item"] = 2
        yield [[x], [w for _, w in weights]], named, [[want]]


def heads_of(x, layout, n):
    """(batch, heads, sequence, width), and back by the function."""
    if layout == "BNSD":
        return x, lambda y: y
    if layout == "BSND":
        return x.transpose(1, 2), lambda y: y.transpose(1, 2)
    if layout == "SBH":
        inside, back = heads_of(x.transpose(0, 1), "BSH", n)
        return inside, lambda y: back(y).transpose(0, 1)
    return x.unflatten(-1, (n, -1)).transpose(1, 2), lambda y: y.transpose(1, 2).flatten(2)


def attended(q, k, v, scale, shift, hidden):
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], 1) for x in (k, v))
    scores = (scale * (q @ k.transpose(-1, -2) + shift)).masked_fill(hidden, -math.inf)
    most = scores.amax(-1, keepdim=True)
    weights = (scores - most).nan_to_num(-math.inf).exp()
    total = weights.sum(-1, keepdim=True)
    return torch.where(total > 0, weights / total, 0.0) @ v, most, total


SIZES = [(1, 1, 1, 1, 1, 4), (2, 4, 2, 5, 5, 8), (1, 2, 2, 3, 7, 4), (2, 2, 1, 6, 4, 3), (1, 4, 4, 9, 9, 16)]


def attention_inputs(name, i, layouts, kinds=REALS):
    draw, kind, (b, n, m, s, t, d) = Draw(name, i), kinds[i % len(kinds)], SIZES[i % 5]
    layout = layouts[i % len(layouts)]

    def shape(heads, length):
        sizes = {"BNSD": (b, heads, length, d), "BSND": (b, length, heads, d), "BSH": (b, length, heads * d)}
        return {**sizes, "SBH": (length, b, heads * d)}[layout]

    pairs = [draw.pair(shape(*x), kind) for x in ((n, s), (m, t), (m, t))]
    q, k, v = (heads_of(x, layout, c)[0] for (x, _), c in zip(pairs, (n, m, m), strict=True))
    return draw, kind, layout, [x for _, x in pairs], (q, k, v), heads_of(pairs[0][0], layout, n)[1]


def npu_fusion_attention():
    for i in range(30):
        draw, kind, layout, given, (q, k, v), back = attention_inputs("fusion", i, ("BNSD", "BSND", "BSH", "SBH"))
        (b, n, s, d), t = q.shape, k.shape[2]
        named, shift, hidden = {"scale": 1 / math.sqrt(d)}, 0, torch.zeros(s, t, dtype=torch.bool)
        if i % 2:
            shift, pse = draw.pair([(b, n, s, t), (1, n, s, t)][i // 2 % 2], kind)
            named["pse"] = pse
        if i % 3 == 1:
            hidden, named["atten_mask"] = draw.pair([(s, t), (b, 1, s, t)][i // 3 % 2], torch.bool)
        if i % 3 == 2:
            named |= {"atten_mask": torch.ones(2048, 2048).triu(1).bool().npu(), "sparse_mode": 3}
            hidden = torch.ones(s, t).triu(t - s + 1).bool()
        want, most, total = attended(q, k, v, named["scale"], shift, hidden)
        sums = [x.expand(b, n, s, 8) for x in (most, total)]
        yield [*given, n, layout], named, [back(want), *sums, torch.empty(0, dtype=torch.float64), 0, 0, 0]


def npu_prompt_flash_attention():
    for i in range(24):
        draw, _, layout, given, (q, k, v), back = attention_inputs("prompt", i, ("BNSD", "BSND", "BSH"), REALS[1:])
        (b, n, s, d), t, m = q.shape, k.shape[2], k.shape[1]
        named = {"num_heads": n, "input_layout": layout, "scale_value": 1 / math.sqrt(d), "next_tokens": 2147483647}
        named |= {"num_key_value_heads": m} if m != n else {}
        hidden = torch.zeros(b, 1, s, t, dtype=torch.bool)
        if i % 2:
            mask, named["atten_mask"] = draw.pair([(s, t), (b, 1, s, t)][i // 2 % 2], torch.bool)
            hidden = hidden | mask
        yield given, named, [back(attended(q, k, v, named["scale_value"], 0, hidden)[0])]


CASES = {name: function for name, function in globals().items() if name.startswith("npu_")}
