# SPDX-License-Identifier: Apache-2.0
"""PyTorch's own forms of the operators that reference operators are of, on tensors of the device: the CPU's results, a
few ulp from float64, moves and integers exact; none of them is a reference operator."""

import pytest
import torch
import torch.nn.functional as F
import torch_npu
from close import Draw
from vendor_cases import SHAPES

REALS = (torch.float32, torch.float16, torch.bfloat16)
NUMBERS = (*REALS, torch.int32)


def picked(x, dim, n=3):
    """Places within a dimension, of x's other lengths."""
    return (torch.arange(n) * 5 % max(x.shape[dim], 1)).reshape(
        [-1 if d == dim % x.dim() else 1 for d in range(x.dim())]
    )


def places(x, dim):
    return picked(x, dim).expand([3 if d == dim % x.dim() else n for d, n in enumerate(x.shape)]).contiguous()


def scattered(x, y):
    index = picked(x, -1, min(3, x.shape[-1])).expand([*x.shape[:-1], min(3, x.shape[-1])]).contiguous()
    return x.scatter(-1, index.to(x.device), y[..., : index.shape[-1]])


def rows(x):
    """As matrices, of which the second is the first turned."""
    x = x.flatten(0, -2) if x.dim() > 1 else x[None]
    return x, x.transpose(0, 1)


def some(x):
    return x if x.shape[-1] else torch.cat([x, x.new_ones([*x.shape[:-1], 4])], -1)


# Of two tensors of one shape; types.
OPERATORS = {
    "add": (lambda x, y: torch.add(x, y, alpha=2), NUMBERS),
    "sub": (lambda x, y: x - y, NUMBERS),
    "mul": (lambda x, y: x * y, NUMBERS),
    "div": (lambda x, y: x / (y.abs() + 1), REALS),
    "cast": (lambda x, y: x.to(torch.float16).to(x.dtype), NUMBERS),
    "matmul": (lambda x, y: torch.matmul(*rows(x)), REALS),
    "bmm": (lambda x, y: torch.bmm(rows(x)[0][None], rows(y)[1][None]), REALS),
    "addmm": (lambda x, y: torch.addmm(x.new_full((1,), 3), *rows(x), beta=0.5, alpha=2), REALS),
    "softmax": (lambda x, y: x.softmax(-1), REALS),
    "layer_norm": (lambda x, y: F.layer_norm(x, x.shape[-1:], eps=0.1), REALS),
    "silu": (lambda x, y: F.silu(x), REALS),
    "gelu": (lambda x, y: F.gelu(x), REALS),
    "gather": (lambda x, y: some(x).gather(-1, places(some(x), -1).to(x.device)), NUMBERS),
    "index_select": (lambda x, y: some(x).index_select(-1, picked(some(x), -1).flatten().to(x.device)), NUMBERS),
    "scatter": (scattered, NUMBERS),
    "topk": (lambda x, y: some(x).topk(1, -1).values, NUMBERS),
    "sort": (lambda x, y: x.sort(dim=-1, stable=True), NUMBERS),
    "cumsum": (lambda x, y: x.cumsum(-1), NUMBERS),
    "where": (lambda x, y: torch.where(x > y, x, y), NUMBERS),
    "cat": (lambda x, y: torch.cat([x, y, x], -1), NUMBERS),
    "split": (lambda x, y: x.split(2, -1), NUMBERS),
    "transpose": (lambda x, y: x.transpose(0, -1).contiguous(), NUMBERS),
    "quantise": (lambda x, y: (x * 4).round().clamp(-128, 127).to(torch.int8), REALS),
    "dequantise": (lambda x, y: x.to(torch.int8).to(x.dtype) * 0.5, REALS),
    "attention": (lambda x, y: F.scaled_dot_product_attention(*(t[0][None] for t in (rows(x), rows(y), rows(x)))), REALS),
}  # fmt: skip


@pytest.mark.parametrize("name", OPERATORS)
def test_results(name):
    function, kinds = OPERATORS[name]
    with torch_npu.profiler.profile() as profile:
        for i, shape in enumerate(SHAPES):
            if name == "attention" and 0 in shape:
                continue
            draw, kind = Draw(name, i), kinds[i % len(kinds)]
            (x, given), (y, other) = draw.pair(shape, kind), draw.pair(shape, kind)
            try:
                got, want = function(given, other), function(x, y)
            except RuntimeError as error:
                # The CPU of PyTorch 2.1 computes little in float16.
                assert "not implemented for 'Half'" in str(error) and kind == torch.float16
                continue
            for result, right in zip(
                *((t,) if isinstance(t, torch.Tensor) else tuple(t) for t in (got, want)), strict=True
            ):
                assert result.device.type == "npu"
                near = {"rtol": 0, "atol": 0}
                if result.is_floating_point():
                    near = dict.fromkeys(near, 16 * torch.finfo(result.dtype).eps)
                torch.testing.assert_close(result.cpu(), right.to(result.dtype), **near)
    assert not profile.references and not profile.launches


@pytest.mark.parametrize(
    "arguments", [(5,), (3, 3), (10, 0, -3), (0.0, 1.0, 0.125), (-1.5, 2.0, 0.5), (0, 100, 7), (5, -5, -1)]
)
def test_arange(arguments):
    for dtype in (None, torch.float32, torch.float16, torch.bfloat16):
        assert torch.equal(
            torch.arange(*arguments, dtype=dtype, device="npu").cpu(), torch.arange(*arguments, dtype=dtype)
        )
