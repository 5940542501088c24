# SPDX-License-Identifier: Apache-2.0
"""out = a < b ? a * a : b, by the comparison register: one vcmp and one vsel for each 128 halves."""

from tbe import tik


def where_less(tiles=5, kernel_name="where_less"):
    tik_instance = tik.Tik()
    a_gm = tik_instance.Tensor("float16", (tiles, 128), name="a_gm", scope=tik.scope_gm)
    b_gm = tik_instance.Tensor("float16", (tiles, 128), name="b_gm", scope=tik.scope_gm)
    out_gm = tik_instance.Tensor("float16", (tiles, 128), name="out_gm", scope=tik.scope_gm)
    with tik_instance.for_range(0, tiles, thread_num=2) as i:
        a_ub = tik_instance.Tensor("float16", (128,), name="a_ub", scope=tik.scope_ubuf)
        b_ub = tik_instance.Tensor("float16", (128,), name="b_ub", scope=tik.scope_ubuf)
        square = tik_instance.Tensor("float16", (128,), name="square", scope=tik.scope_ubuf)
        tik_instance.data_move(a_ub, a_gm[i, 0], 0, 1, 8, 0, 0)
        tik_instance.data_move(b_ub, b_gm[i, 0], 0, 1, 8, 0, 0)
        tik_instance.vec_mul(128, square, a_ub, a_ub, 1, 8, 8, 8)
        less = tik_instance.vcmp_lt(128, a_ub, b_ub, 1, 1)
        tik_instance.vsel(128, 0, square, less, square, b_ub, 1, 1, 1, 1, 8, 8, 8)
        tik_instance.data_move(out_gm[i, 0], square, 0, 1, 8, 0, 0)
    tik_instance.BuildCCE(kernel_name=kernel_name, inputs=[a_gm, b_gm], outputs=[out_gm])
    return tik_instance


if __name__ == "__main__":
    where_less()
