# SPDX-License-Identifier: Apache-2.0
"""What each reference operator gives, by NumPy in float64, and twenty calls or more of each."""

import math

import numpy as np
from calls import Tensor, dtype, type_number
from close import is_float


class Types(tuple):
    """Types that cases take turns in. `turn` says which the first case has: in as many turns as there are types, every
    shape meets every type."""

    turn = 0

    def __getitem__(self, i):
        return tuple.__getitem__(self, (i + Types.turn) % len(self))


REALS = Types(("float32", "float16", "bfloat16"))
LAYOUTS = ("dense", "gaps", "turned", "offset")
SHAPES = [
    (), (1,), (7,), (0,), (33,), (257,), (1, 1), (3, 5), (5, 3), (16, 16), (2, 0), (0, 4), (1, 64), (31, 2), (2, 3, 4),
    (4, 1, 5), (2, 0, 3), (2, 3, 2, 5), (1, 2, 1, 2, 3), (2, 1, 2, 1, 2, 1, 2, 2), (129, 3),
    (67, 130),
]  # fmt: skip
# A shape that goes with each of those.
OTHERS = [
    (), (5,), (1,), (0,), (4, 33), (1,), (2, 3), (1, 5), (5, 1), (16,), (2, 1), (1, 4), (3, 1), (31, 2), (3, 1),
    (4, 6, 1), (1, 1), (5,), (3, 1, 2, 1, 1), (2,), (129, 1),
    (130,),
]  # fmt: skip


class Draw:
    """Values of a type; the same in every run."""

    def __init__(self, *seed):
        self.random = np.random.default_rng([Types.turn, *(hash_of(word) for word in seed)])

    def values(self, shape, name, low=-4, high=4):
        kind = dtype(name)
        if kind == np.bool_:
            return self.random.integers(0, 2, shape).astype(np.bool_)
        if is_float(kind):
            return np.asarray(self.random.uniform(low, high, shape), np.float64).astype(kind)
        low, high = max(low, 0) if name[0] == "u" else low, high
        return self.random.integers(low, high + 1, shape).astype(kind)

    def bits(self, shape, name):
        """A tensor of any bits, those of NaN too."""
        kind = dtype(name)
        if kind == np.bool_:
            return self.tensor(shape, name)
        return Tensor(self.random.integers(0, 2**63, shape).astype(f"u{kind.itemsize}").view(kind), self.layout())

    def layout(self):
        return LAYOUTS[self.random.integers(len(LAYOUTS))]

    def tensor(self, shape, name, low=-4, high=4):
        return Tensor(self.values(shape, name, low, high), self.layout())

    def result(self, shape, name):
        return Tensor(np.full(shape, 1, dtype(name)), self.layout())


def hash_of(word):
    return int.from_bytes(str(word).encode(), "little") % 2**32


def wide(tensor):
    """The tensor's values in float64, or in int64."""
    values = np.array(tensor.view())
    return values.astype(np.float64 if is_float(values.dtype) else np.int64)


def promoted(a, b):
    """The type of both, as PyTorch has it; NumPy is wider where an integer meets a float."""
    a, b = np.dtype(a), np.dtype(b)
    if a == b:
        return a
    if is_float(a) and is_float(b):
        if a.itemsize == b.itemsize:
            return np.dtype("float32")
        return max(a, b, key=lambda t: t.itemsize)
    if is_float(a) != is_float(b):
        return a if is_float(a) else b
    return np.promote_types(a, b)


def by_scalar(tensor, scalar):
    def kind(t):
        return 0 if t == np.bool_ else 2 if is_float(t) else 1

    if kind(scalar) <= kind(tensor):
        return tensor
    return np.dtype("float32") if kind(scalar) == 2 else scalar


def settled(values, kind):
    """Values as the type has them behind an integer computation."""
    return values.astype(kind) if not is_float(np.dtype(kind)) else values


def arithmetic(name, function, types, alphas=(), scalar=False, result=None):
    """Cases of an operator with two operands, and of its form in place."""
    for i, (shape, other) in enumerate(zip(SHAPES, OTHERS, strict=True)):
        draw = Draw(name, i)
        a = types[i % len(types)]
        b = types[(i // 2) % len(types)] if i % 3 == 2 else a
        x = draw.tensor(shape, a)
        if scalar:
            y = draw.values((), b if b != "bool" else "int32", 1, 5)
            right = y.astype(np.float64 if is_float(y.dtype) else np.int64)
            common, full = by_scalar(x.dtype, y.dtype), shape
        else:
            y = draw.tensor(other, b, 1, 5)
            right, common, full = wide(y), promoted(x.dtype, y.dtype), np.broadcast_shapes(shape, other)
        if result and not is_float(common):
            common = np.dtype(result)
        rest, factor = [], 1
        if alphas:
            factor = alphas[i % len(alphas)] if is_float(common) else int(alphas[i % len(alphas)]) or 2
            if common == np.bool_:
                factor = 1
            rest = [np.asarray(factor, np.float64 if is_float(common) else np.int64)]
        with np.errstate(all="ignore"):
            want = settled(function(wide(x), right, factor), common)
        yield f"aclnn{name}", [x, y, *rest, draw.result(full, common)], {-1: want}
        if full == shape and x.dtype == common:
            yield f"aclnnInplace{name}", [x, y, *rest], {0: want}


def unary(name, function, types, in_place=True, low=-6, same=True, rest=()):
    for i, shape in enumerate(SHAPES):
        draw = Draw(name, i, *rest)
        kind = types[i % len(types)]
        x = draw.tensor(shape, kind, low, 6)
        to = kind if same or is_float(x.dtype) else "float32"
        with np.errstate(all="ignore"):
            want = function(wide(x))
        yield f"aclnn{name}", [x, *rest, draw.result(shape, to)], {-1: want}
        if in_place and (same or is_float(x.dtype)):
            yield f"aclnnInplace{name}", [x], {0: want}


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gelu(x):
    return x * sigmoid(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))


def erf_gelu(x):
    return x * np.vectorize(math.erfc, otypes=[np.float64])(-x / math.sqrt(2)) / 2


def elementwise():
    every = Types(("float32", "float16", "bfloat16", "int32", "int64", "int8", "uint8", "int16", "bool", "float64"))
    exponents = Types(("float32", "float16", "bfloat16", "float64", "int64", "bool"))
    yield from arithmetic("Add", lambda a, b, f: a + f * b, every, (1, 2.5, -3))
    yield from arithmetic("Adds", lambda a, b, f: a + f * b, every, (1, 2.5, -3), scalar=True)
    yield from arithmetic("Sub", lambda a, b, f: a - f * b, every, (1, 2.5, -3))
    yield from arithmetic("Subs", lambda a, b, f: a - f * b, every, (1, 2.5, -3), scalar=True)
    yield from arithmetic("Mul", lambda a, b, f: a * b, every)
    yield from arithmetic("Muls", lambda a, b, f: a * b, every, scalar=True)
    yield from arithmetic("Div", lambda a, b, f: a / b, every, result="float32")
    yield from arithmetic("Divs", lambda a, b, f: a / b, every, scalar=True, result="float32")
    yield from unary("Silu", lambda x: x * sigmoid(x), REALS, in_place=False)
    yield from unary("Gelu", gelu, REALS, in_place=False)
    yield from unary("GeluV2", erf_gelu, REALS, in_place=False, rest=(0,))
    yield from unary("GeluV2", gelu, REALS, in_place=False, rest=(1,))
    yield from unary("Exp", np.exp, exponents, same=False)
    yield from unary("Sqrt", np.sqrt, every, low=-1, same=False)
    relus = Types(("float32", "float16", "bfloat16", "int32", "int64", "int8", "uint8"))
    yield from unary("Relu", lambda x: np.maximum(x, 0), relus)
    for i, shape in enumerate(SHAPES * 3):
        draw, kinds = Draw("Cast", i), MOVED
        a, b = kinds[i % len(kinds)], kinds[(i * 7 + i // 13) % len(kinds)]
        x = draw.tensor(shape, a, -100, 100)
        want = wide(x)
        if is_float(x.dtype) and not is_float(dtype(b)) and b != "bool":
            limits = np.iinfo(b)
            want = np.clip(np.trunc(want), limits.min, limits.max)
        yield "aclnnCast", [x, type_number(b), draw.result(shape, b)], {-1: want}


def matrices():
    sizes = [
        (1, 1, 1), (2, 3, 4), (5, 1, 7), (16, 16, 16), (3, 0, 2), (0, 3, 2), (2, 3, 0), (17, 33, 9), (1, 64, 1),
        (4, 128, 5),
    ]  # fmt: skip
    batches = [((), ()), ((2,), (2,)), ((3,), (1,)), ((2, 1), (3,)), ((1, 2), (4, 1)), ((0,), (1,))]
    for i in range(30):
        (m, k, n), (left, right) = sizes[i % len(sizes)], batches[i % len(batches)]
        kind = REALS[i % 3]
        draw = Draw("matmul", i)
        a, b = draw.tensor((*left, m, k), kind), draw.tensor((*right, k, n), kind)
        want = wide(a) @ wide(b)
        to = "float32" if i % 2 else kind
        yield "aclnnMatmul", [a, b, draw.result(want.shape, to), i % 5], {2: want}
        a, b = draw.tensor((m, k), kind), draw.tensor((k, n), kind)
        yield "aclnnMm", [a, b, draw.result((m, n), kind), 0], {2: wide(a) @ wide(b)}
        shape = [(m, n), (n,), (1, n), (m, 1), (1,)][i % 5]
        added, beta, alpha = draw.tensor(shape, kind), np.float32([1, 0.5, 0, -2][i % 4]), np.float32(1 + i % 3)
        want = float(beta) * wide(added) + float(alpha) * (wide(a) @ wide(b))
        yield "aclnnAddmm", [added, a, b, beta, alpha, draw.result((m, n), kind), 1], {5: want}
        if shape == (m, n):
            yield "aclnnInplaceAddmm", [added, a, b, beta, alpha, 1], {0: want}
        many = i % 4
        a, b = draw.tensor((many, m, k), kind), draw.tensor((many if i % 2 else 1, k, n), kind)
        want = wide(a) @ wide(b)
        yield "aclnnBatchMatMul", [a, b, draw.result(want.shape, kind), 0], {2: want}
    for i, (left, right) in enumerate([((5,), (5,)), ((5,), (5, 3)), ((2, 5), (5,)), ((4, 2, 5), (5,)), ((0,), (0,))]):
        draw = Draw("vectors", i)
        a, b = draw.tensor(left, "float32"), draw.tensor(right, "float32")
        want = wide(a) @ wide(b)
        yield "aclnnMatmul", [a, b, draw.result(np.shape(want), "float32"), 0], {2: want}


def softmax(x, dim):
    if x.size == 0:
        return x
    if not x.ndim:
        return np.ones(())
    e = np.exp(x.astype(np.longdouble) - x.max(dim, keepdims=True))
    return (e / e.sum(dim, keepdims=True)).astype(np.float64)


def rows():
    for i, shape in enumerate(SHAPES):
        kind, draw, rank = REALS[i % 3], Draw("rows", i), len(shape)
        dim = [0, -1, rank // 2][i % 3] if rank else 0
        x = draw.tensor(shape, kind)
        yield "aclnnSoftmax", [x, dim, draw.result(shape, kind)], {2: softmax(wide(x), dim)}
        x = draw.tensor(shape, "float64")
        yield "aclnnSoftmax", [x, dim, draw.result(shape, "float64")], {2: softmax(wide(x), dim)}
        kinds = Types(("float32", "float16", "bfloat16", "int32", "int64", "int8", "uint8", "int16"))
        a = kinds[i % 8]
        b = "float32" if i % 4 == 3 else "float16" if a == "float32" and i % 2 else a
        x = draw.tensor(shape, a)
        values = wide(x).astype(dtype(b)).astype(np.float64 if is_float(dtype(b)) else np.int64)
        want = settled(np.cumsum(values, dim) if rank else values, b)
        yield "aclnnCumsum", [x, dim, type_number(b), draw.result(shape, b)], {3: want}
        if not rank:
            continue
        twice = list(shape)
        twice[dim] *= 2
        x = draw.tensor(twice, kind)
        a, b = np.split(wide(x), 2, dim)
        yield "aclnnSwiGlu", [x, dim, draw.result(shape, kind)], {2: a * sigmoid(a) * b}
        yield from norms(i, shape, kind, draw)
    for i, (start, end, step) in enumerate(RANGES):
        for to in ("float32", "int32", "int64", "float16", "bfloat16"):
            whole = all(isinstance(v, int) for v in (start, end, step))
            if not (whole or to[0] != "i"):
                continue
            given = [np.asarray(v, np.int64 if isinstance(v, int) else np.float64) for v in (start, end, step)]
            want = start + step * np.arange(math.ceil((end - start) / step))
            yield "aclnnArange", [*given, Draw("arange", i).result(want.shape, to)], {3: want}


RANGES = [(0, 5, 1), (3, 3, 1), (10, 0, -3), (0.0, 1.0, 0.125), (-1.5, 2.0, 0.5), (0, 100, 7), (5, -5, -1)]


def norms(i, shape, kind, draw):
    tail = shape[-1 - i % len(shape) :]
    kept = shape[: len(shape) - len(tail)] + (1,) * len(tail)
    x, weight, bias = draw.tensor(shape, kind), draw.tensor(tail, kind), draw.tensor(tail, kind)
    axes = tuple(range(len(shape) - len(tail), len(shape)))
    values = wide(x)
    if not values.size:
        mean, factor, root = (np.full(kept, value) for value in (0, np.nan, np.nan))  # PyTorch's of no values
    else:
        mean = values.mean(axes, keepdims=True)
        factor = 1 / np.sqrt(((values - mean) ** 2).mean(axes, keepdims=True) + 1e-3)
        root = 1 / np.sqrt((values**2).mean(axes, keepdims=True) + 1e-6)
    given = [x, list(tail), weight if i % 2 else None, bias if i % 4 == 1 else None, 1e-3, draw.result(shape, kind)]
    want = (values - mean) * factor * (wide(weight) if i % 2 else 1) + (wide(bias) if i % 4 == 1 else 0)
    outs = {5: want, 6: mean, 7: factor} if i % 3 or not values.size else {5: want}
    given += [draw.result(kept, "float32"), draw.result(kept, kind)] if len(outs) == 3 else [None, None]
    yield "aclnnLayerNorm", given, outs
    want = {3: values * root * wide(weight), 4: root}
    yield "aclnnRmsNorm", [x, weight, 1e-6, draw.result(shape, kind), draw.result(kept, "float32")], want
    other, has_factor = draw.tensor(shape, kind), i % 3
    sums = values + wide(other)
    root = 1 / np.sqrt((sums**2).mean(axes, keepdims=True) + 1e-6) if values.size else root
    want = {4: sums * root * wide(weight), 6: sums} | ({5: root} if has_factor else {})
    outs = [draw.result(shape, kind), draw.result(kept, "float32") if has_factor else None, draw.result(shape, kind)]
    yield "aclnnAddRmsNorm", [x, other, weight, 1e-6, *outs], want


MOVED = Types((
    "float32", "float16", "bfloat16", "int32", "int64", "int8", "uint8", "int16", "bool", "float64",
    "uint16", "uint32", "uint64",
))  # fmt: skip
KEPT = Types(tuple(MOVED)[:10])  # without those that Scatter, ScatterAdd and Index do not take

MOVED_ALONE = tuple(MOVED)[9:]  # those that Topk takes and Sort does not


def moves():
    for i, (shape, other) in enumerate(zip(SHAPES, OTHERS, strict=True)):
        draw, kind, rank = Draw("moves", i), MOVED[i % len(MOVED)], len(shape)
        x, y = draw.bits(shape, kind), draw.bits(other, kind)
        full = np.broadcast_shapes(shape, other)
        condition = draw.tensor([full, shape, other][i % 3], ("bool", "uint8")[i % 2], 0, 1)
        want = np.where(condition.view().astype(bool), x.view(), y.view())
        yield "aclnnSWhere", [condition, x, y, draw.result(want.shape, kind)], {3: want}
        order = list(draw.random.permutation(rank))
        want = np.transpose(x.view(), order)
        if rank and i % 2:
            order[0] -= rank
        yield "aclnnPermute", [x, order, draw.result(want.shape, kind)], {2: want}
        if rank:
            yield from indexed(i, shape, kind, draw)
            yield from parts(i, shape, kind, draw)
            kind = KEPT[i % len(KEPT)]
            yield from scatters(i, shape, kind, draw)
            yield from advanced(i, shape, kind, draw)


def parts(i, shape, kind, draw):
    dim = i % len(shape)
    pieces = []
    for length in (shape[dim], 0, 3, 1)[: 1 + i % 4]:
        pieces.append(draw.bits([*shape[:dim], length, *shape[dim + 1 :]], kind))
    want = np.concatenate([p.view() for p in pieces], dim)
    yield "aclnnCat", [pieces, dim - len(shape) * (i % 2), draw.result(want.shape, kind)], {2: want}
    x, length = draw.bits(shape, kind), 1 + i % 4 if shape[dim] else 0
    cut = [x.view()[(slice(None),) * dim + (slice(at, at + length),)] for at in range(0, shape[dim], max(length, 1))]
    cut = cut or [x.view()]
    out = [draw.result(part.shape, kind) for part in cut]
    yield "aclnnSplitTensor", [x, length, dim, out], {3: cut}
    lengths = [shape[dim] // 2, 0, shape[dim] - shape[dim] // 2]
    cut = np.split(x.view(), [lengths[0], lengths[0]], dim)
    yield "aclnnSplitWithSize", [x, lengths, dim, [draw.result(p.shape, kind) for p in cut]], {3: cut}


def indexed(i, shape, kind, draw):
    dim, index_kind = i % len(shape), ("int32", "int64")[i % 2]
    x = draw.bits(shape, kind)
    count = 6 if shape[dim] else 0
    chosen = draw.tensor((count,), index_kind, 0, max(shape[dim] - 1, 0))
    want = np.take(x.view(), chosen.view(), dim)
    yield "aclnnIndexSelect", [x, dim, chosen, draw.result(want.shape, kind)], {3: want}
    index = within(i, shape, dim, draw, -shape[dim])
    cut = tuple(slice(n) if d != dim else slice(None) for d, n in enumerate(index.shape))
    want = np.take_along_axis(x.view()[cut], index.view().astype(np.int64), dim)
    yield "aclnnGather", [x, dim, index, draw.result(want.shape, kind)], {3: want}


def within(i, shape, dim, draw, least=0):
    """Indices of a dimension, for a part of the others."""
    part = [max(n - 1, 1) if n else 0 for n in shape]
    part[dim] = 6 if shape[dim] else 0
    return draw.tensor(part, ("int32", "int64")[i % 2], least, max(shape[dim] - 1, 0))


def scatters(i, shape, kind, draw):
    dim = i % len(shape)
    x, index = draw.tensor(shape, kind), within(i, shape, dim, draw)
    source = draw.tensor([n + i % 2 for n in index.shape], kind, -2, 2)
    reduce = i % 3 if kind != "bool" else 0
    want = scattered(np.array(x.view()), dim, index.view(), source.view(), reduce)
    yield "aclnnScatter", [x, dim, index, source, reduce, draw.result(shape, kind)], {5: want}
    yield "aclnnInplaceScatter", [x, dim, index, source, reduce], {0: want}
    x = draw.tensor(shape, kind)
    want = scattered(np.array(x.view()), dim, index.view(), source.view(), 1)
    yield "aclnnScatterAdd", [x, dim, index, source, draw.result(shape, kind)], {4: want}


def advanced(i, shape, kind, draw):
    """Indices of the first dimensions, which stretch to each other."""
    count = 1 + i % min(len(shape), 3)
    x, picks = draw.bits(shape, kind), []
    for d in range(count):
        size = [(4,), (3, 1), (1, 4)][d] if all(shape[:count]) else (0,)
        picks.append(draw.tensor(size, ("int32", "int64")[(i + d) % 2], -shape[d], max(shape[d] - 1, 0)))
    want = x.view()[tuple(p.view().astype(np.int64) for p in picks)]
    yield "aclnnIndex", [x, picks, draw.result(want.shape, kind)], {2: want}


def scattered(x, dim, index, source, reduce):
    kind = x.dtype
    x = x.astype(np.float64 if is_float(kind) else np.int64)
    for at in np.ndindex(index.shape):
        to = (*at[:dim], int(index[at]), *at[dim + 1 :])
        value = source[at].astype(x.dtype)
        x[to] = value if reduce == 0 else x[to] + value if reduce == 1 else x[to] * value
    return settled(x, kind)


def sorts():
    for i, shape in enumerate(SHAPES[1:]):
        draw, kind, rank = Draw("sorts", i), MOVED[i % len(MOVED)], len(shape)
        dim = [0, -1, rank // 2][i % 3]
        x = draw.tensor(shape, kind, -9, 9)
        if is_float(x.dtype) and x.view().size > 3:
            x.view().flat[2] = np.nan
        for descending in (False, True):
            places = ordered(np.array(x.view()), dim, descending)
            values = np.take_along_axis(x.view(), places, dim)
            if kind not in MOVED_ALONE:
                outs = [draw.result(shape, kind), draw.result(shape, "int64")]
                yield "aclnnSort", [x, True, dim, descending, *outs], {4: values, 5: places}
            if kind == "bool":
                continue
            k = min(shape[dim], 1 + i)
            values, places = (np.take(v, np.arange(k), dim) for v in (values, places))
            outs = [draw.result(values.shape, kind), draw.result(values.shape, "int64")]
            yield "aclnnTopk", [x, k, dim, descending, True, *outs], {5: values, 6: places}


def ordered(x, dim, descending):
    """Where the sorted elements were; NaN is the greatest, equal ones stay in order."""
    kind = np.float64 if is_float(x.dtype) else np.int64
    x = x.astype(kind)
    if descending:
        x = -x  # NaN is last by argsort, and first here
        if kind == np.float64:
            x[np.isnan(x)] = -np.inf
    return np.argsort(x, dim, kind="stable")


GROUPS = {"elementwise": elementwise, "matrices": matrices, "rows": rows, "moves": moves, "sorts": sorts}
