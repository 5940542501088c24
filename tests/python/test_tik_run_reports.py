# SPDX-License-Identifier: Apache-2.0
"""Reports of a run in the words of TIK, with their exact texts; and numbers and flags as NumPy has them."""

import numpy as np
import pytest
from test_tik_errors import PREAMBLE
from tik_support import instance

import sfumato
from sfumato import KernelError, tik

# What stands under new_stmt_scope(disable_sync=True) from line 8 on, and what the run finds.
CASES = {
    "a flag that nobody waits for": (
        't.set_flag("PIPE_MTE2", "PIPE_V", 1)',
        """\
warning [flag-left-set] set_flag: the flag is still set when the kernel ends
  where:  script.py:8, kernel kernel, core core0, instruction 1 (Ascend910)
  found:  PIPE_MTE2 to PIPE_V, event_id 1: a set_flag without its wait_flag
  legal:  every set_flag has one wait_flag: a flag left set lets a wait of the next kernel pass
  do:     add the wait_flag, or remove the set_flag""",
    ),
    "a flag that is set twice": (
        't.set_flag("PIPE_V", "PIPE_MTE3", 0)\nt.set_flag("V", "MTE3", 0)\nt.wait_flag("PIPE_V", "PIPE_MTE3", 0)',
        """\
fault [flag-set-twice] set_flag: the flag is already set
  where:  script.py:9, kernel kernel, core core0, instruction 1 (Ascend910)
  found:  PIPE_V to PIPE_MTE3, event_id 0: set at script.py:8 and not waited for since
  legal:  one wait_flag between two set_flag of the same pipes and event_id: a flag is binary
  do:     add the missing wait_flag, or use another event id""",
    ),
    "a flag that nobody sets": (
        't.wait_flag("PIPE_MTE2", "PIPE_V", 2)',
        """\
fault [wait-never-satisfied] wait_flag: PIPE_V waits for ever
  where:  script.py:8, kernel kernel, core core0, instruction 0 (Ascend910)
  found:  PIPE_MTE2 to PIPE_V, event_id 2: no set_flag('PIPE_MTE2', 'PIPE_V', 2) that PIPE_MTE2 could still reach
  legal:  every wait_flag has one set_flag of the same pipes and event_id
  do:     set the flag on PIPE_MTE2 after the work PIPE_V must wait for""",
    ),
    "a mask that only the run knows": (
        "s.set_as(200)\nt.vec_dup(s, ub, 0, 1, 8)",
        """\
fault [mask-range] vec_dup: the mask is out of range
  where:  script.py:9, kernel kernel, core core0, instruction 0 (Ascend910)
  found:  mask: 200
  legal:  1..128, the 16-bit elements a repeat of 256 bytes has
  do:     process more elements with more repeats""",
    ),
    "a length of 0": (
        "s.set_as(0)\nt.data_move(ub, gm, 0, 1, s, 0, 0)",
        """\
warning [move-nothing] data_move: nothing is moved
  where:  script.py:9, kernel kernel, core core0, instruction 0 (Ascend910)
  found:  burst: 0
  legal:  1 or more to move data
  do:     check how the value is computed; a burst counts whole blocks of 32 bytes""",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_a_run_finds(case):
    body, expected = CASES[case]
    lines = ["with t.new_stmt_scope(disable_sync=True):", *(f"    {line}" for line in body.split("\n"))]
    names = {}
    exec(compile(PREAMBLE + "\n".join([*lines, 't.BuildCCE("kernel", [gm], [])']), "script.py", "exec"), names)
    try:
        names["t"].run({"gm": np.zeros(1024, np.float16)}, collect=True)
    except KernelError:
        pass  # what it found is in last
    assert "\n".join(str(report) for report in names["t"].last.findings) == expected


def test_a_result_that_overflows():
    t = instance("Ascend910B1")
    ub, out = (
        t.Tensor("float16", (128,), name=name, scope=scope)
        for name, scope in (("ub", tik.scope_ubuf), ("out", tik.scope_gm))
    )
    t.vec_dup(128, ub, 60000.0, 1, 8)
    t.vec_adds(128, ub, ub, 60000.0, 1, 8, 8)
    t.data_move(out, ub, 0, 1, 8, 0, 0)
    t.BuildCCE("kernel", [], [out])
    with pytest.warns(sfumato.KernelWarning, match="saturated"):
        t.run({})
    (warning,) = t.last.findings
    assert (warning.rule, warning.severity) == ("saturated", "warning") and 'overflow="board"' in warning.hint
    assert warning.found.endswith("a board gives inf; 128 elements of this instruction")
    for overflow in ("saturate", "board"):
        t.run({}, overflow=overflow)
        assert not t.last.findings


INTEGERS = (np.int8, np.int64, np.uint16, np.uint64)


@pytest.mark.parametrize("integer", INTEGERS)
def test_integers_of_numpy_are_ints(integer):
    """In every place that takes an int: shapes, indices, loops, and the parameters of calls."""
    n = integer
    t = instance("Ascend910A")
    out = t.Tensor("float16", (n(16), n(8)), name="out", scope=tik.scope_gm)
    ub = t.Tensor("float16", (n(2), n(64)), name="ub", scope=tik.scope_ubuf)
    repeats = t.ScalarArray("int32", n(2), "repeats", init_value=n(0))
    with t.for_range(n(0), n(2), thread_num=n(1)) as i:
        t.vec_dup(n(64), ub[i, n(0)], n(3), n(1), n(8))
    repeats[n(1)].set_as(n(1))
    t.vec_muls([n(0), n(3)], ub[n(0), n(0) : n(64)], ub, n(2), repeats[n(1)] + n(0), n(8), n(8))
    t.set_atomic_add(n(0))
    t.data_move(out, ub, n(0), n(1), n(8), n(0), n(0))
    t.BuildCCE("integers", [], [out])
    (found,) = t.run({})
    assert found.ravel().tolist() == [6.0] * 2 + [3.0] * 126


FLAGS = (True, False, np.True_, np.False_, 1, 0)


@pytest.mark.parametrize("flag", FLAGS, ids=repr)
def test_flags_take_bools_and_numbers(flag):
    t = instance("Ascend910B1")
    ints = t.Tensor("int32", (64,), name="ints", scope=tik.scope_ubuf)
    out = t.Tensor("int32", (64,), name="out", scope=tik.scope_gm)
    t.vec_dup(64, ints, 3, 1, 8)
    t.vshr(64, ints, ints, 1, 1, 1, 1, 8, 8, round_en=flag)
    t.data_move(out, ints, 0, 1, 8, 0, 0)
    t.BuildCCE("flags", [], [out])
    (found,) = t.run({})
    assert found.tolist() == [2 if flag else 1] * 64
