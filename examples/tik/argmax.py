# SPDX-License-Identifier: Apache-2.0
"""The largest element of each row of 128 halves and where it stands: vcmax stores value and index side by side."""

from te import tik


def argmax(rows=9, kernel_name="argmax"):
    tik_instance = tik.Tik()
    room = (rows + 15) // 16 * 16
    x_gm = tik_instance.Tensor("float16", (rows, 128), name="x_gm", scope=tik.scope_gm)
    value_gm = tik_instance.Tensor("float16", (room,), name="value_gm", scope=tik.scope_gm)
    index_gm = tik_instance.Tensor("int32", (room,), name="index_gm", scope=tik.scope_gm)
    x_ub = tik_instance.Tensor("float16", (rows, 128), name="x_ub", scope=tik.scope_ubuf)
    pairs = tik_instance.Tensor("float16", (room, 2), name="pairs", scope=tik.scope_ubuf)
    value_ub = tik_instance.Tensor("float16", (room,), name="value_ub", scope=tik.scope_ubuf)
    index_ub = tik_instance.Tensor("int32", (room,), name="index_ub", scope=tik.scope_ubuf)
    tik_instance.vector_dup(room, value_ub, 0.0, 1, 1, 8)
    tik_instance.vector_dup(room, index_ub, -1, 1, 1, 8)
    tik_instance.data_move(x_ub, x_gm, 0, 1, rows * 8, 0, 0)
    tik_instance.vcmax(128, pairs, x_ub, rows, 1, 1, 8)
    bits = pairs.reinterpret_cast_to("uint16")
    with tik_instance.for_range(0, rows) as row:
        position = tik_instance.Scalar("uint16", name="position")
        position.set_as(bits[row, 1])
        index_ub[row].set_as(position)
        value_ub[row].set_as(pairs[row, 0])
    tik_instance.data_move(value_gm, value_ub, 0, 1, room // 16, 0, 0)
    tik_instance.data_move(index_gm, index_ub, 0, 1, room // 8, 0, 0)
    tik_instance.BuildCCE(kernel_name=kernel_name, inputs=[x_gm], outputs=[value_gm, index_gm])
    return tik_instance


if __name__ == "__main__":
    argmax()
