# SPDX-License-Identifier: Apache-2.0
"""z = x + y for a length known at launch: the tiling arrives in global memory and is read into scalars."""

from tbe import tik
from tbe.common.platform import get_soc_spec

TILING = ("core_num", "per_core", "last_core", "per_loop")


class DynamicAdd:
    """One build serves every length; unused cores return at once."""

    MAX_CORES = 8

    def __init__(self, kernel_name):
        self.tik_instance = tik.Tik()
        self.kernel_name = kernel_name
        # Large enough for any call: the shape says only "unknown".
        shape = (2**31 - 1,)
        self.x_gm = self.tik_instance.Tensor("float32", shape, name="x_gm", scope=tik.scope_gm)
        self.y_gm = self.tik_instance.Tensor("float32", shape, name="y_gm", scope=tik.scope_gm)
        self.z_gm = self.tik_instance.Tensor("float32", shape, name="z_gm", scope=tik.scope_gm)
        self.tiling_gm = self.tik_instance.Tensor("int64", (4,), name="tiling_gm", scope=tik.scope_gm)
        self.room = get_soc_spec("UB_SIZE") // 4 // 4 // 64 * 64  # elements of one of four buffers

    def compute(self):
        t = self.tik_instance
        with t.for_range(0, self.MAX_CORES, block_num=self.MAX_CORES) as core:
            tiling_ub = t.Tensor("int64", (4,), name="tiling_ub", scope=tik.scope_ubuf)
            t.data_move(tiling_ub, self.tiling_gm, 0, 1, 1, 0, 0)
            values = {name: t.Scalar("int64", name=name) for name in TILING}
            for i, name in enumerate(TILING):
                values[name].set_as(tiling_ub[i])
            with t.if_scope(core >= values["core_num"]):
                t.tik_return()
            count = t.Scalar("int64", name="count", init_value=values["per_core"])
            with t.if_scope(core == values["core_num"] - 1):
                count.set_as(values["last_core"])
            self.one_core(core * values["per_core"], count, values["per_loop"])
        t.BuildCCE(
            kernel_name=self.kernel_name,
            inputs=[self.x_gm, self.y_gm],
            outputs=[self.z_gm],
            flowtable=[self.tiling_gm],
            config={"out_of_bound_sync_check": True, "enable_const_fold": True},
        )
        return t

    def one_core(self, start, count, per_loop):
        t = self.tik_instance
        loops = t.Scalar("int64", name="loops", init_value=count // per_loop)
        with t.for_range(0, loops) as i:
            self.piece(start + i * per_loop, per_loop)
        rest = t.Scalar("int64", name="rest", init_value=count % per_loop)
        with t.if_scope(rest > 0):
            self.piece(start + loops * per_loop, rest)

    def piece(self, offset, count):
        t = self.tik_instance
        x_ub = t.Tensor("float32", (self.room,), name="x_ub", scope=tik.scope_ubuf)
        y_ub = t.Tensor("float32", (self.room,), name="y_ub", scope=tik.scope_ubuf)
        blocks = (count + 7) // 8
        t.data_move(x_ub, self.x_gm[offset], 0, 1, blocks, 0, 0)
        t.data_move(y_ub, self.y_gm[offset], 0, 1, blocks, 0, 0)
        repeats, tail = count // 64, count % 64
        with t.if_scope(repeats != 0):
            t.vec_add(64, x_ub, x_ub, y_ub, repeats, 8, 8, 8)
        with t.if_scope(tail != 0):
            at = repeats * 64
            t.vec_add(tail, x_ub[at], x_ub[at], y_ub[at], 1, 8, 8, 8)
        t.data_move(self.z_gm[offset], x_ub, 0, 1, blocks, 0, 0)


def dynamic_add(kernel_name="dynamic_add"):
    return DynamicAdd(kernel_name).compute()


if __name__ == "__main__":
    dynamic_add()
