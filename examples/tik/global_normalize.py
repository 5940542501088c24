# SPDX-License-Identifier: Apache-2.0
"""x / sum(x) over several cores: partial sums in a workspace, a barrier, then every core adds them up itself."""

from tbe import tik

TOTAL = 768


def global_normalize(kernel_name="global_normalize"):
    t = tik.Tik()
    # A barrier needs every block on a core of its own.
    cores = min(4, tik.Dprofile().get_aicore_num())
    each = TOTAL // cores
    x_gm = t.Tensor("float32", (cores, each), name="x_gm", scope=tik.scope_gm)
    y_gm = t.Tensor("float32", (cores, each), name="y_gm", scope=tik.scope_gm)
    parts_gm = t.Tensor("float32", (cores, 8), name="parts_gm", scope=tik.scope_gm, is_workspace=True)
    sync_gm = t.Tensor("int64", (4 * cores,), name="sync_gm", scope=tik.scope_gm, is_workspace=True, is_atomic_add=True)
    with t.for_range(0, cores, block_num=cores) as core:
        x_ub = t.Tensor("float32", (each,), name="x_ub", scope=tik.scope_ubuf)
        parts = t.Tensor("float32", (cores, 8), name="parts", scope=tik.scope_ubuf)
        work = t.Tensor("float32", (64,), name="work", scope=tik.scope_ubuf)
        t.data_move(x_ub, x_gm[core, 0], 0, 1, each // 8, 0, 0)
        t.vec_dup(8, parts, 0.0, 1, 8)
        t.vec_reduce_add(64, parts, x_ub, work, each // 64, 8)
        t.data_move(parts_gm[core, 0], parts, 0, 1, 1, 0, 0)
        if cores > 1:
            t.block_barrier(sync_gm)
        t.data_move(parts, parts_gm, 0, 1, cores, 0, 0)
        total = t.Scalar("float32", name="total", init_value=0.0)
        part = t.Scalar("float32", name="part")
        with t.for_range(0, cores) as i:
            part.set_as(parts[i, 0])
            total.set_as(total + part)
        inverse = t.Scalar("float32", name="inverse")
        inverse.set_as(1.0 / total)
        t.vec_muls(64, x_ub, x_ub, inverse, each // 64, 8, 8)
        t.data_move(y_gm[core, 0], x_ub, 0, 1, each // 8, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[x_gm], outputs=[y_gm])
    return t


if __name__ == "__main__":
    global_normalize()
