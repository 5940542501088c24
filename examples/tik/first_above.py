# SPDX-License-Identifier: Apache-2.0
"""Where each row first exceeds a limit, -1 if nowhere: the scan stops by tik_break."""

from te import tik


def first_above(rows=6, columns=40, kernel_name="first_above"):
    t = tik.Tik()
    x_gm = t.Tensor("int32", (rows, columns), name="x_gm", scope=tik.scope_gm)
    limit = t.InputScalar("int32", name="limit")
    at_gm = t.Tensor("int32", (rows, 8), name="at_gm", scope=tik.scope_gm)
    with t.for_range(0, rows, block_num=rows) as row:
        x_ub = t.Tensor("int32", (columns,), name="x_ub", scope=tik.scope_ubuf)
        at_ub = t.Tensor("int32", (8,), name="at_ub", scope=tik.scope_ubuf)
        t.data_move(x_ub, x_gm[row, 0], 0, 1, columns // 8, 0, 0)
        found = t.Scalar("int32", name="found", init_value=-1)
        looked = t.Scalar("int32", name="looked", init_value=0)
        value = t.Scalar("int32", name="value")
        with t.for_range(0, columns) as i:
            value.set_as(x_ub[i])
            looked.set_as(looked + 1)
            with t.if_scope(value <= limit):
                t.tik_continue()
            found.set_as(i)
            t.tik_break()
        t.vec_dup(8, at_ub, looked, 1, 8)
        at_ub[0].set_as(found)
        t.data_move(at_gm[row, 0], at_ub, 0, 1, 1, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[x_gm, limit], outputs=[at_gm])
    return t


if __name__ == "__main__":
    first_above()
