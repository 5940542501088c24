# SPDX-License-Identifier: Apache-2.0
"""y = a * x + y + b over eight cores, each with a double-buffered loop: moves and arithmetic overlap."""

from tbe import tik

BLOCKS, TRIPS, TILE = 8, 5, 256


def axpy(a=0.75, b=-2.5, dtype="float32", kernel_name="axpy"):
    tik_instance = tik.Tik()
    size = 2 if dtype == "float16" else 4
    lanes = 256 // size
    shape = (BLOCKS, TRIPS, TILE)
    x_gm = tik_instance.Tensor(dtype, shape, name="x_gm", scope=tik.scope_gm)
    y_gm = tik_instance.Tensor(dtype, shape, name="y_gm", scope=tik.scope_gm)
    out_gm = tik_instance.Tensor(dtype, shape, name="out_gm", scope=tik.scope_gm)
    burst, repeats = TILE * size // 32, TILE // lanes
    with tik_instance.for_range(0, BLOCKS, block_num=BLOCKS) as block:
        factor = tik_instance.Scalar(dtype, name="factor", init_value=a)
        with tik_instance.for_range(0, TRIPS, thread_num=2) as trip:
            x_ub = tik_instance.Tensor(dtype, (TILE,), name="x_ub", scope=tik.scope_ubuf)
            y_ub = tik_instance.Tensor(dtype, (TILE,), name="y_ub", scope=tik.scope_ubuf)
            tik_instance.data_move(x_ub, x_gm[block, trip, 0], 0, 1, burst, 0, 0)
            tik_instance.data_move(y_ub, y_gm[block, trip, 0], 0, 1, burst, 0, 0)
            tik_instance.vec_axpy(lanes, y_ub, x_ub, factor, repeats, 8, 8)
            tik_instance.vec_adds(lanes, y_ub, y_ub, b, repeats, 8, 8)
            tik_instance.data_move(out_gm[block, trip, 0], y_ub, 0, 1, burst, 0, 0)
    tik_instance.BuildCCE(kernel_name=kernel_name, inputs=[x_gm, y_gm], outputs=[out_gm])
    return tik_instance


if __name__ == "__main__":
    axpy()
