# SPDX-License-Identifier: Apache-2.0
"""clip(x, low, high) by vmaxs and vmins in counter mode: the mask is the number of elements in all."""

from tbe import tik


def clip(count=300, dtype="int32", kernel_name="clip"):
    tik_instance = tik.Tik()
    block = 32 // (2 if dtype in ("float16", "int16") else 4)
    blocks = (count + block - 1) // block
    x_gm = tik_instance.Tensor(dtype, (blocks * block,), name="x_gm", scope=tik.scope_gm)
    low = tik_instance.InputScalar(dtype, name="low")
    high = tik_instance.InputScalar(dtype, name="high")
    y_gm = tik_instance.Tensor(dtype, (blocks * block,), name="y_gm", scope=tik.scope_gm)
    ub = tik_instance.Tensor(dtype, (blocks * block,), name="ub", scope=tik.scope_ubuf)
    tik_instance.data_move(ub, x_gm, 0, 1, blocks, 0, 0)
    tik_instance.vmaxs(count, ub, ub, low, 1, 1, 1, 8, 8, 0, "counter")
    tik_instance.vmins(count, ub, ub, high, 1, 1, 1, 8, 8, 0, "counter")
    tik_instance.data_move(y_gm, ub, 0, 1, blocks, 0, 0)
    tik_instance.BuildCCE(kernel_name=kernel_name, inputs=[x_gm, low, high], outputs=[y_gm])
    return tik_instance


if __name__ == "__main__":
    clip()
