# SPDX-License-Identifier: Apache-2.0
"""What bits tell without arithmetic: absolute values, signs, and bfloat16 as the upper half of float."""

from te import tik


class ReinterpretBits:
    """Views of one buffer as other types; nothing is converted."""

    def __init__(self):
        self.tik_instance = tik.Tik()
        self.x_gm = self.tik_instance.Tensor("float16", (128,), name="x_gm", scope=tik.scope_gm)
        self.w_gm = self.tik_instance.Tensor("float32", (64,), name="w_gm", scope=tik.scope_gm)
        self.abs_gm = self.tik_instance.Tensor("float16", (128,), name="abs_gm", scope=tik.scope_gm)
        self.sign_gm = self.tik_instance.Tensor("uint16", (128,), name="sign_gm", scope=tik.scope_gm)
        self.top_gm = self.tik_instance.Tensor("float32", (64,), name="top_gm", scope=tik.scope_gm)

    def compute(self, kernel_name):
        inst = self.tik_instance
        x_ub = inst.Tensor("float16", (128,), name="x_ub", scope=tik.scope_ubuf)
        w_ub = inst.Tensor("float32", (64,), name="w_ub", scope=tik.scope_ubuf)
        mask_ub = inst.Tensor("uint16", (128,), name="mask_ub", scope=tik.scope_ubuf)
        bits = x_ub.reinterpret_cast_to("uint16")
        inst.data_move(x_ub, self.x_gm, 0, 1, 8, 0, 0)
        inst.vector_dup(128, mask_ub, 0x8000, 1, 1, 8)
        sign_ub = inst.Tensor("uint16", (128,), name="sign_ub", scope=tik.scope_ubuf)
        inst.vand(128, sign_ub, bits, mask_ub, 1, 1, 1, 1, 8, 8, 8)
        inst.data_move(self.sign_gm, sign_ub, 0, 1, 8, 0, 0)
        inst.vnot(128, mask_ub, mask_ub, 1, 1, 1, 8, 8)
        inst.vand(128, bits, bits, mask_ub, 1, 1, 1, 1, 8, 8, 8)
        inst.data_move(self.abs_gm, x_ub, 0, 1, 8, 0, 0)
        # The lower half of each float goes: every other 16 bits under a bitwise mask.
        inst.data_move(w_ub, self.w_gm, 0, 1, 8, 0, 0)
        halves = w_ub.reinterpret_cast_to("uint16")
        inst.vector_dup([0x5555555555555555, 0x5555555555555555], halves, 0, 1, 1, 8)
        inst.data_move(self.top_gm, w_ub, 0, 1, 8, 0, 0)
        outputs = [self.abs_gm, self.sign_gm, self.top_gm]
        inst.BuildCCE(kernel_name=kernel_name, inputs=[self.x_gm, self.w_gm], outputs=outputs)
        return inst


def reinterpret_bits(kernel_name="reinterpret_bits"):
    return ReinterpretBits().compute(kernel_name)


if __name__ == "__main__":
    reinterpret_bits()
