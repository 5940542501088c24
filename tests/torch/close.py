# SPDX-License-Identifier: Apache-2.0
"""How far tensors may be from what PyTorch gives on the CPU in float64, and tensors of every layout."""

import torch

# Bits of the mantissa behind the point, and the exponent of the smallest normal number.
FORMATS = {torch.float16: (10, -14), torch.bfloat16: (7, -126), torch.float32: (23, -126), torch.float64: (52, -1022)}


def check(got, want, what):
    """Integers and bool are equal; others at most 1 ulp from `want`, which is of float64; NaN and infinities where it
    has them."""
    assert got.shape == want.shape, (what, got.shape, want.shape)
    if not got.dtype.is_floating_point:
        assert torch.equal(got, want.to(got.dtype)), (what, got, want)
        return
    bits, least = FORMATS[got.dtype]
    mine, rounded = got.double(), want.to(got.dtype).double()
    special = ~torch.isfinite(rounded) | ~torch.isfinite(mine)
    assert torch.equal(mine[special].nan_to_num(nan=7.0), rounded[special].nan_to_num(nan=7.0)), (what, got, want)
    exponent = torch.where(want == 0, float(least), torch.frexp(want.abs())[1].double() - 1)
    off = (mine - want).abs() / 2.0 ** (exponent.clamp(min=least) - bits)
    off = off[~special]
    assert not off.numel() or off.max() <= 1, (what, off.max())


class Draw:
    """Values of a type, on the CPU and as tensors of the device in a layout of its own; the same in every run."""

    def __init__(self, *seed):
        self.generator = torch.Generator().manual_seed(int.from_bytes(repr(seed).encode(), "little") % 2**40)
        self.turn = 0

    def values(self, shape, dtype=torch.float32, low=-3.0, high=3.0):
        if dtype == torch.bool:
            return torch.randint(0, 2, shape, generator=self.generator).bool()
        if not dtype.is_floating_point:
            return torch.randint(int(low), int(high) + 1, shape, generator=self.generator).to(dtype)
        uniform = torch.rand(shape, generator=self.generator, dtype=torch.float64)
        return (uniform * (high - low) + low).to(dtype)

    def pair(self, *arguments):
        """The values in float64 (integers as they are), and the tensor of the device."""
        values = self.values(*arguments)
        self.turn += 1
        wide = values.double() if values.is_floating_point() else values
        return wide, laid(values, self.turn + int(torch.randint(0, 4, (), generator=self.generator)))


def laid(values, layout):
    """A tensor of the device with those values: dense, with gaps, the first dimension fastest, or not at the start of
    its memory."""
    kind, shape = ("dense", "gaps", "turned", "offset")[layout % 4], values.shape
    if kind == "gaps" and values.dim():
        spread = torch.zeros([2 * n + 1 for n in shape], dtype=values.dtype, device="npu")
        return spread[tuple(slice(1, None, 2) for _ in shape)].copy_(values)
    if kind == "turned":
        order = list(reversed(range(values.dim())))
        return values.permute(order).contiguous().npu().permute(order)
    if kind == "offset":
        return torch.zeros(values.numel() + 3, dtype=values.dtype, device="npu")[3:].view(shape).copy_(values)
    return values.npu()
