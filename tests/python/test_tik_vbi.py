# SPDX-License-Identifier: Apache-2.0
"""vbi: weighted sums of gathered blocks, each product and each sum rounded, against NumPy."""

import numpy as np
import pytest
from tik_cube import CubeProgram

from sfumato import tik

CHIPS = [
    (chip, dtype)
    for chip, dtypes in (
        ("Ascend310P3", ["float16"]),
        ("Ascend310P3-Vector", ["float16"]),
        ("Ascend910B1", ["float16", "float32"]),
        ("Ascend310B1", ["float16", "float32"]),
    )
    for dtype in dtypes
]


def interpolate(src0, src1, offsets, before, kept, horizontal, mode, blk_stride, vertical_offset):
    """The page's words, an iteration after the other."""
    dst, lanes = before.copy(), 32 // src0.itemsize
    vertical = offsets.size // (8 * horizontal)
    for v in range(vertical):
        for block in range(8):
            total = None
            for it in range(v * horizontal, (v + 1) * horizontal):
                start = offsets[8 * it + block] // src0.itemsize
                product = src0[start : start + lanes] * src1[8 * it + block if mode else it]
                total = product if total is None else total + product
            for lane in range(lanes):
                if kept(block * lanes + lane):
                    dst[v * vertical_offset + block * blk_stride * lanes + lane] = total[lane]
    return dst


@pytest.mark.parametrize(("chip", "dtype"), CHIPS)
@pytest.mark.parametrize(
    ("mask", "vertical", "horizontal", "mode", "blk_stride", "blocks_apart"),
    [("all", 1, 1, 0, 1, 0), ("all", 3, 4, 1, 1, 8), (21, 2, 3, 0, 2, 16), ("bits", 2, 5, 1, 1, 11)],
)
@pytest.mark.parametrize("offset_type", ["uint32", "int32"])
def test_vbi(chip, dtype, mask, vertical, horizontal, mode, blk_stride, blocks_apart, offset_type):
    rng = np.random.default_rng(59)
    size = np.dtype(dtype).itemsize
    lanes, per_block = 256 // size, 32 // size
    src0 = rng.normal(0, 3, 40 * per_block).astype(dtype)
    src1 = rng.normal(0, 2, vertical * horizontal * (8 if mode else 1) + 31).astype(dtype)
    src1 = src1[: -(-(src1.size - 31) // per_block) * per_block]
    offsets = (rng.integers(0, 40, 8 * vertical * horizontal) * 32).astype(offset_type)
    before = rng.normal(0, 1, 64 * per_block).astype(dtype)
    apart = blocks_apart * per_block
    bits = {"all": (1 << lanes) - 1, "bits": 0xA5A5_0000_F00F_8001}.get(mask)
    given = mask if bits is None else lanes if mask == "all" else [0, bits]
    p = CubeProgram(chip)
    t = p.t
    ub = {
        name: p.load(name, array, tik.scope_ubuf)
        for name, array in (("dst", before), ("src0", src0), ("src1", src1), ("offsets", offsets))
    }
    out = t.Tensor(dtype, before.shape, name="out", scope=tik.scope_gm)
    t.vbi(given, ub["dst"], ub["src0"], ub["src1"], ub["offsets"], blk_stride, vertical, horizontal, mode, apart)
    t.data_move(out, ub["dst"], 0, 1, before.nbytes // 32, 0, 0)
    kept = (lambda i: i < mask) if bits is None else (lambda i: bits >> i & 1)
    want = interpolate(src0, src1, offsets, before, kept, horizontal, mode, blk_stride, apart)
    np.testing.assert_array_equal(p.run(out), want)
