# SPDX-License-Identifier: Apache-2.0
"""One-hot rows with values for on and off; numbers outside the depth give rows of off."""

from tbe import tik


class OneHot:
    """Rows in groups, the last one smaller."""

    GROUP = 8

    def __init__(self, count, depth, kernel_name):
        self.inst = tik.Tik()
        self.count, self.depth, self.kernel_name = count, depth, kernel_name
        room = (count + 7) // 8 * 8
        self.index_gm = self.inst.Tensor("int32", (room,), name="index_gm", scope=tik.scope_gm)
        self.on = self.inst.InputScalar("int32", "on")
        self.off = self.inst.InputScalar("int32", "off")
        self.out_gm = self.inst.Tensor("int32", (count, depth), name="out_gm", scope=tik.scope_gm)

    def compute(self):
        groups, rest = self.count // self.GROUP, self.count % self.GROUP
        with self.inst.for_range(0, groups) as group:
            self.rows(group * self.GROUP, self.GROUP)
        if rest:
            self.rows(groups * self.GROUP, rest)
        self.inst.BuildCCE(self.kernel_name, inputs=[self.index_gm, self.on, self.off], outputs=[self.out_gm])
        return self.inst

    def rows(self, start, count):
        inst, depth = self.inst, self.depth
        index_ub = inst.Tensor("int32", (self.GROUP,), name="index_ub", scope=tik.scope_ubuf)
        out_ub = inst.Tensor("int32", (self.GROUP, depth), name="out_ub", scope=tik.scope_ubuf)
        inst.data_move(index_ub, self.index_gm[start], 0, 1, 1, 0, 0)
        inst.vector_dup(depth, out_ub, self.off, count, 1, depth // 8)
        with inst.for_range(0, count) as i:
            position = inst.Scalar("int32", "position", 0)
            position.set_as(index_ub[i])
            with inst.if_scope(position >= 0):
                with inst.if_scope(position < depth):
                    out_ub[i * depth + position] = self.on
        inst.data_move(self.out_gm[start * depth], out_ub, 0, 1, count * depth // 8, 0, 0)


def one_hot(count=21, depth=40, kernel_name="one_hot"):
    return OneHot(count, depth, kernel_name).compute()


if __name__ == "__main__":
    one_hot()
