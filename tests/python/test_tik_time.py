# SPDX-License-Identifier: Apache-2.0
"""Estimates of TIK programs: the order that TIK keeps is in the model, and two threads overlap."""

import numpy as np
import pytest
from sfumato import tik


@pytest.fixture(autouse=True)
def chip():
    tik.set_current_compile_soc_info("Ascend910B1")


def estimate(threads):
    t = tik.Tik()
    x = t.Tensor("float16", (65536,), name="x", scope=tik.scope_gm)
    z = t.Tensor("float16", (65536,), name="z", scope=tik.scope_gm)
    with t.for_range(0, 16, thread_num=threads) as i:
        u = t.Tensor("float16", (4096,), name="u", scope=tik.scope_ubuf)
        t.data_move(u, x[i * 4096], 0, 1, 256, 0, 0)
        with t.for_range(0, 12):
            t.vec_adds(128, u, u, 1.0, 32, 8, 8)
        t.data_move(z[i * 4096], u, 0, 1, 256, 0, 0)
    t.BuildCCE(kernel_name="k", inputs=[x], outputs=[z])
    t.run({"x": np.ones(65536, np.float16)}, time=True)
    return t.last.estimate


def names(found):
    return [hint["name"] for hint in found.data["hints"]]


# 22 cycles and 32 repeats each; the loads before the first one and the stores after the last one do not overlap.
VECTOR = 16 * 12 * (22 + 32)


def test_one_thread_does_one_thing_after_the_other():
    found = estimate(1)
    assert sum(p["busy_us"] for p in found.data["pipes"] if p["pipe"] in ("V", "MTE2", "MTE3")) * 1850 <= found.cycles
    assert "no overlap" in names(found)


def test_two_threads_overlap():
    found = estimate(2)
    assert VECTOR < found.cycles < 1.25 * VECTOR
    assert "no overlap" not in names(found)


def test_an_instruction_waits_for_what_it_reads():
    # Nothing that V does can begin before the first load is there.
    found = estimate(2)
    assert found.cycles > VECTOR + 8192 / 32 + 182
