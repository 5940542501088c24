# SPDX-License-Identifier: Apache-2.0
"""One step of SGD with momentum, in place: var and accum are inputs and outputs at once."""

from tbe import tik

CORES, TILE, TRIPS = 4, 128, 2


def sgd(momentum=0.875, kernel_name="sgd"):
    tik_instance = tik.Tik()
    shape = (CORES * TRIPS, TILE)
    var_gm = tik_instance.Tensor("float32", shape, name="var_gm", scope=tik.scope_gm)
    accum_gm = tik_instance.Tensor("float32", shape, name="accum_gm", scope=tik.scope_gm)
    grad_gm = tik_instance.Tensor("float32", shape, name="grad_gm", scope=tik.scope_gm)
    rate = tik_instance.InputScalar("float32", name="rate")
    with tik_instance.for_range(0, CORES, block_num=CORES) as core:
        step = tik_instance.Scalar("float32", name="step")
        step.set_as(rate * -1.0)
        with tik_instance.for_range(0, TRIPS, thread_num=2) as trip:
            row = core * TRIPS + trip
            var, accum, grad = (
                tik_instance.Tensor("float32", (TILE,), name=name, scope=tik.scope_ubuf)
                for name in ("var", "accum", "grad")
            )
            for ub, gm in ((var, var_gm), (accum, accum_gm), (grad, grad_gm)):
                tik_instance.data_move(ub, gm[row, 0], 0, 1, TILE // 8, 0, 0)
            tik_instance.vec_axpy(64, grad, accum, momentum, TILE // 64, 8, 8)
            tik_instance.vec_axpy(64, var, grad, step, TILE // 64, 8, 8)
            tik_instance.data_move(accum_gm[row, 0], grad, 0, 1, TILE // 8, 0, 0)
            tik_instance.data_move(var_gm[row, 0], var, 0, 1, TILE // 8, 0, 0)
    tik_instance.BuildCCE(kernel_name=kernel_name, inputs=[var_gm, accum_gm, grad_gm, rate], outputs=[var_gm, accum_gm])
    return tik_instance


if __name__ == "__main__":
    sgd()
