# SPDX-License-Identifier: Apache-2.0
"""Concatenates tensors of different widths along the last axis, and splits them again: strided moves only."""

from tbe import tik


class ConcatSplit:
    """dtype stays untouched, so any type whose rows are whole blocks goes."""

    def __init__(self, rows, widths, dtype):
        self.tik = tik.Tik()  # many programs call the instance so
        self.rows, self.widths, self.dtype, self.total = rows, widths, dtype, sum(widths)
        self.block = {"int8": 32, "float16": 16, "int64": 4}[dtype]
        made = [("whole_gm", self.total)] + [(f"part_{i}", width) for i, width in enumerate(widths)]
        self.whole_gm, *self.parts = (
            self.tik.Tensor(dtype, (rows, width), name=name, scope=tik.scope_gm) for name, width in made
        )
        made = [("joined_gm", self.total)] + [(f"cut_{i}", width) for i, width in enumerate(widths)]
        self.joined_gm, *self.cuts = (
            self.tik.Tensor(dtype, (rows, width), name=name, scope=tik.scope_gm) for name, width in made
        )

    def compute(self, kernel_name):
        total = self.total // self.block
        ub = self.tik.Tensor(self.dtype, (self.rows, self.total), name="ub", scope=tik.scope_ubuf)
        at = 0
        for part, width in zip(self.parts, self.widths):
            blocks = width // self.block
            self.tik.data_move(ub[0, at], part, 0, self.rows, blocks, 0, total - blocks)
            at += width
        self.tik.data_move(self.joined_gm, ub, 0, 1, self.rows * total, 0, 0)
        self.tik.data_move(ub, self.whole_gm, 0, 1, self.rows * total, 0, 0)
        at = 0
        for cut, width in zip(self.cuts, self.widths):
            blocks = width // self.block
            self.tik.data_move(cut, ub[0, at], 0, self.rows, blocks, total - blocks, 0)
            at += width
        self.tik.BuildCCE(kernel_name, [self.whole_gm, *self.parts], [self.joined_gm, *self.cuts])
        return self.tik


def concat_split(dtype="float16", rows=6, kernel_name="concat_split"):
    block = {"int8": 32, "float16": 16, "int64": 4}[dtype]
    return ConcatSplit(rows, [block, 3 * block, 2 * block], dtype).compute(kernel_name)


if __name__ == "__main__":
    concat_split()
