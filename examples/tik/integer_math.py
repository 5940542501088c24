# SPDX-License-Identifier: Apache-2.0
"""What the scalar unit computes per element: quotient, remainder, shifts, bits set, a whole root, a branch."""

from tbe import tik


class IntegerMath:
    """Each result is one row of the output."""

    ROWS = 7

    def __init__(self, count):
        self.count = count
        self.tik_instance = tik.Tik()
        self.x_gm = self.tik_instance.Tensor("int32", (count,), name="x_gm", scope=tik.scope_gm)
        self.y_gm = self.tik_instance.Tensor("int32", (self.ROWS, count), name="y_gm", scope=tik.scope_gm)

    def compute(self, divisor, kernel_name):
        t, count = self.tik_instance, self.count
        x_ub = t.Tensor("int32", (count,), name="x_ub", scope=tik.scope_ubuf)
        y_ub = t.Tensor("int32", (self.ROWS, count), name="y_ub", scope=tik.scope_ubuf)
        t.data_move(x_ub, self.x_gm, 0, 1, count // 8, 0, 0)
        with t.for_range(0, count) as i:
            x = t.Scalar("int32", name="x")
            x.set_as(x_ub[i])
            y_ub[0, i].set_as(x // divisor)
            y_ub[1, i].set_as(x % divisor)
            y_ub[2, i].set_as((x << 3) ^ (x >> 2))
            wide = t.Scalar("int64", name="wide", init_value=x)
            size = t.Scalar("int64", name="size")
            t.scalar_abs(size, wide)
            root = t.Scalar("int64", name="root")
            t.scalar_sqrt(root, size)
            y_ub[3, i].set_as(root)
            ones = t.Scalar("uint64", name="ones")
            bits = t.Scalar("uint64", name="bits", init_value=size)
            t.scalar_countbit1(ones, bits)
            y_ub[4, i].set_as(ones)
            kept = t.Scalar("int64", name="kept")
            t.scalar_min(kept, wide, root)
            y_ub[5, i].set_as(kept)
            with t.if_scope(tik.all(x > 0, tik.negate(x % 2 == 0))):
                y_ub[6, i].set_as(3 * x + 1)
            with t.elif_scope(x > 0):
                y_ub[6, i].set_as(x / 2)
            with t.else_scope():
                y_ub[6, i].set_as(-x)
        t.data_move(self.y_gm, y_ub, 0, 1, self.ROWS * count // 8, 0, 0)
        t.BuildCCE(kernel_name=kernel_name, inputs=[self.x_gm], outputs=[self.y_gm])
        return t


def integer_math(count=32, divisor=7, kernel_name="integer_math"):
    return IntegerMath(count).compute(divisor, kernel_name)


if __name__ == "__main__":
    integer_math()
