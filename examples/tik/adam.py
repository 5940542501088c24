# SPDX-License-Identifier: Apache-2.0
"""One step of Adam, the bias corrections folded into the rate: vmla and vmadd, vsqrt, vdiv."""

from tbe import tik

BETA1, BETA2, EPSILON = 0.875, 0.9375, 1e-6


class Adam:
    """State in global memory is updated in place."""

    def __init__(self, count):
        self.tik_instance = tik.Tik(tik.Dprofile())
        self.count = count
        self.state = {
            name: self.tik_instance.Tensor("float32", (count,), name=name, scope=tik.scope_gm)
            for name in ("var", "m", "v", "grad")
        }
        self.rate = self.tik_instance.InputScalar(dtype="float32", name="rate")

    def step(self, kernel_name):
        t, count = self.tik_instance, self.count
        repeats = count // 64
        ub = {}
        for name, gm in self.state.items():
            ub[name] = t.Tensor("float32", (count,), name=name + "_ub", scope=tik.scope_ubuf)
            t.data_move(ub[name], gm, 0, 1, count // 8, 0, 0)
        weight = t.Tensor("float32", (64,), name="weight", scope=tik.scope_ubuf)
        scratch = t.Tensor("float32", (count,), name="scratch", scope=tik.scope_ubuf)
        # m = m * beta1 + grad * (1 - beta1): vmla multiplies two tensors and adds to the third.
        t.vec_dup(64, weight, 1 - BETA1, 1, 8)
        t.vec_muls(64, ub["m"], ub["m"], BETA1, repeats, 8, 8)
        t.vmla(64, ub["m"], ub["grad"], weight, repeats, 1, 1, 1, 8, 8, 0)
        # v = v * beta2 + grad^2 * (1 - beta2): vmadd multiplies what it writes.
        t.vec_mul(64, scratch, ub["grad"], ub["grad"], repeats, 8, 8, 8)
        t.vec_muls(64, scratch, scratch, 1 - BETA2, repeats, 8, 8)
        t.vec_dup(64, weight, BETA2, 1, 8)
        t.vmadd(64, ub["v"], weight, scratch, repeats, 1, 1, 1, 8, 0, 8)
        t.vsqrt(64, scratch, ub["v"], repeats, 1, 1, 8, 8)
        t.vec_adds(64, scratch, scratch, EPSILON, repeats, 8, 8)
        t.vdiv(64, scratch, ub["m"], scratch, repeats, 1, 1, 1, 8, 8, 8)
        t.vec_muls(64, scratch, scratch, self.rate, repeats, 8, 8)
        t.vec_sub(64, ub["var"], ub["var"], scratch, repeats, 8, 8, 8)
        outputs = [self.state[name] for name in ("var", "m", "v")]
        for gm in outputs:
            t.data_move(gm, ub[gm.name], 0, 1, count // 8, 0, 0)
        t.BuildCCE(kernel_name=kernel_name, inputs=[*self.state.values(), self.rate], outputs=outputs)
        return t


def adam(count=320, kernel_name="adam"):
    return Adam(count).step(kernel_name)


if __name__ == "__main__":
    adam()
