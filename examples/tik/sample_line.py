# SPDX-License-Identifier: Apache-2.0
"""Samples a line at positions with a fraction, as interpolation does: scalar_conv splits whole part and rest."""

from tbe import tik


class SampleLine:
    """y[i] = x[k] + (x[k + 1] - x[k]) * f, where start + i * step = k + f."""

    def __init__(self, count):
        self.count = count
        self.tik_instance = tik.Tik()
        self.x_gm = self.tik_instance.Tensor("float32", (64,), name="x_gm", scope=tik.scope_gm)
        self.start = self.tik_instance.InputScalar("float32", name="start")
        self.step = self.tik_instance.InputScalar("float32", name="step")
        self.y_gm = self.tik_instance.Tensor("float32", (count,), name="y_gm", scope=tik.scope_gm)

    def compute(self, kernel_name):
        t = self.tik_instance
        x_ub = t.Tensor("float32", (64,), name="x_ub", scope=tik.scope_ubuf)
        y_ub = t.Tensor("float32", (self.count,), name="y_ub", scope=tik.scope_ubuf)
        t.data_move(x_ub, self.x_gm, 0, 1, 8, 0, 0)
        index, whole = t.Scalar("int32", name="index"), t.Scalar("int32", name="whole")
        place, left, right = (t.Scalar("float32", name=name) for name in ("place", "left", "right"))
        with t.for_range(0, self.count) as i:
            index.set_as(i)
            t.scalar_conv("", place, index)
            place.set_as(self.start + place * self.step)
            t.scalar_conv("floor", whole, place)
            t.scalar_conv("none", right, whole)
            place.set_as(place - right)
            left.set_as(x_ub[whole])
            right.set_as(x_ub[whole + 1])
            y_ub[i].set_as(left + (right - left) * place)
        t.data_move(self.y_gm, y_ub, 0, 1, self.count // 8, 0, 0)
        t.BuildCCE(kernel_name, inputs=[self.x_gm, self.start, self.step], outputs=[self.y_gm])
        return t


def sample_line(count=48, kernel_name="sample_line"):
    return SampleLine(count).compute(kernel_name)


if __name__ == "__main__":
    sample_line()
