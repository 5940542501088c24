# SPDX-License-Identifier: Apache-2.0
"""z = x + y for any length: whole repeats of a vector instruction, then the tail under a mask."""

from tbe import tik


class AddTail:
    """Adds two vectors in pieces of what half the unified buffer holds."""

    def __init__(self, length, dtype, kernel_name):
        self.tik_instance = tik.Tik()
        self.length, self.dtype, self.kernel_name = length, dtype, kernel_name
        self.size = 2 if dtype in ("float16", "int16") else 4
        self.lanes, self.block = 256 // self.size, 32 // self.size
        self.piece = 8 * self.lanes
        shape = ((length + self.block - 1) // self.block * self.block,)  # data_move moves whole blocks
        self.x_gm = self.tik_instance.Tensor(dtype, shape, name="x_gm", scope=tik.scope_gm)
        self.y_gm = self.tik_instance.Tensor(dtype, shape, name="y_gm", scope=tik.scope_gm)
        self.z_gm = self.tik_instance.Tensor(dtype, shape, name="z_gm", scope=tik.scope_gm)

    def compute(self):
        whole, tail = self.length // self.piece, self.length % self.piece
        with self.tik_instance.for_range(0, whole, name="piece") as piece:
            self.add(piece * self.piece, self.piece)
        if tail:
            self.add(whole * self.piece, tail)
        self.tik_instance.BuildCCE(self.kernel_name, inputs=[self.x_gm, self.y_gm], outputs=[self.z_gm])
        return self.tik_instance

    def add(self, offset, count):
        t = self.tik_instance
        blocks = (count + self.block - 1) // self.block
        x_ub = t.Tensor(self.dtype, (self.piece,), name="x_ub", scope=tik.scope_ubuf)
        y_ub = t.Tensor(self.dtype, (self.piece,), name="y_ub", scope=tik.scope_ubuf)
        t.data_move(x_ub, self.x_gm[offset], 0, 1, blocks, 0, 0)
        t.data_move(y_ub, self.y_gm[offset], 0, 1, blocks, 0, 0)
        repeats, rest = count // self.lanes, count % self.lanes
        if repeats:
            t.vec_add(self.lanes, x_ub, x_ub, y_ub, repeats, 8, 8, 8)
        if rest:
            at = repeats * self.lanes
            t.vec_add(rest, x_ub[at], x_ub[at], y_ub[at], 1, 8, 8, 8)
        t.data_move(self.z_gm[offset], x_ub, 0, 1, blocks, 0, 0)


def add_tail(length=3000, dtype="float16", kernel_name="add_tail"):
    return AddTail(length, dtype, kernel_name).compute()


if __name__ == "__main__":
    add_tail()
