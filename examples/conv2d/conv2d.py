# SPDX-License-Identifier: Apache-2.0
"""Runs conv2d.cpp over 2 blocks on a shape with asymmetric padding and compares it with NumPy."""

import struct
from pathlib import Path

import numpy as np

import sfumato

C1, H, W, KH, KW, COUT = 3, 14, 11, 3, 5, 40
STRIDE, DILATION = (2, 1), (1, 2)  # h, w
LEFT, RIGHT, TOP, BOTTOM = 3, 1, 0, 2

random = np.random.default_rng(1)
columns = -(-COUT // 16)
fm = random.integers(-4, 5, (C1, H, W, 16)).astype(np.float16)
we = random.integers(-3, 4, (C1, KH, KW, columns * 16, 16)).astype(np.float16)
we[:, :, :, COUT:] = 0
ho = (H + TOP + BOTTOM - DILATION[0] * (KH - 1) - 1) // STRIDE[0] + 1
wo = (W + LEFT + RIGHT - DILATION[1] * (KW - 1) - 1) // STRIDE[1] + 1
dst = np.zeros((columns, ho * wo, 16), np.float16)

lib = sfumato.compile(Path(__file__).with_name("conv2d.cpp"), chip="Ascend310P3")
shape = struct.pack("14I", C1, H, W, KH, KW, COUT, *STRIDE, *DILATION, LEFT, RIGHT, TOP, BOTTOM)
lib.conv2d[2](fm, we, dst, shape)

padded = np.pad(fm.astype(np.float32), ((0, 0), (TOP, BOTTOM), (LEFT, RIGHT), (0, 0)))
expected = np.zeros((columns * 16, ho * wo), np.float32)
for kh in range(KH):
    for kw in range(KW):
        seen = padded[:, kh * DILATION[0] :, kw * DILATION[1] :][:, :: STRIDE[0], :: STRIDE[1]][:, :ho, :wo]
        expected += np.einsum("cmi,cni->nm", seen.reshape(C1, ho * wo, 16), we[:, kh, kw].astype(np.float32))
expected = expected.reshape(columns, 16, ho * wo).transpose(0, 2, 1).astype(np.float16)
print(f"{np.count_nonzero(dst == expected)} of {dst.size} values as NumPy has them")
