# SPDX-License-Identifier: Apache-2.0
"""How a debugged run waits, faults, is interrupted and ends; runs under the command or without a prompt."""

import re
import signal
import sys

import numpy as np
import pytest
from tik_support import instance
from tik_terminal import ADD, Terminal, session

from sfumato import tik
from sfumato.tik._where import here


BARRIER = """\
from sfumato import tik
tik.set_current_compile_soc_info("Ascend910B1")
t = tik.Tik(disable_debug=False)
meet = t.Tensor("int64", (16,), name="meet", scope=tik.scope_gm, is_workspace=True)
with t.for_range(0, 3, block_num=3) as i:
    s = t.Scalar("int32", "s", init_value=1)
    t.block_barrier(meet)
    s.set_as(2)
t.BuildCCE("k", [], [])
t.tikdb.start_debug({})
"""


def test_barrier(tmp_path):
    with session(tmp_path, BARRIER) as t:
        t.ask("b 8")
        assert t.ask("c").splitlines()[1] == "> script.py:8 block 0 of 3 i=0"
        assert t.ask("block") == "block 0: here\nblock 1: at the barrier\nblock 2: at the barrier"
        assert t.ask("c").splitlines()[1] == "> script.py:8 block 1 of 3 i=1"
        t.type("q")
        code, text = t.finish()
        assert code == 1 and f"DebugQuit: tik: the debugger was left at {tmp_path / 'script.py'}:8" in text


@pytest.mark.parametrize("how", ["quit", "Ctrl-D"])
def test_quit(tmp_path, how):
    with session(tmp_path, ADD) as t:
        if how == "Ctrl-D":
            t.press("D")
        else:
            t.type(how)
        code, text = t.finish()
        assert code == 1 and "right" not in text
        assert text.rstrip().endswith(
            f"DebugQuit: tik: the debugger was left at {tmp_path / 'script.py'}:8, before the kernel had ended; "
            "c runs to the end, interactive=False does without commands"
        )


FAULT = """\
import numpy as np
from sfumato import tik
tik.set_current_compile_soc_info("Ascend910B1")
t = tik.Tik(disable_debug=False)
n = t.InputScalar("int32", "n")
ub = t.Tensor("float16", (256,), name="ub", scope=tik.scope_ubuf)
t.vec_dup(128, ub, 3.0, 2, 8)
t.vec_adds(128, ub, ub, 1.0, n, 8, 8)
t.BuildCCE("k", [n], [])
try:
    t.tikdb.start_debug({"n": 3})
except Exception as error:
    print(type(error).__name__)
"""


@pytest.mark.parametrize("leave", ["c", "n", "q"])
def test_fault(tmp_path, leave):
    with session(tmp_path, FAULT) as t:
        text = t.ask("c")
        assert text.startswith("fault [") and "script.py:8" in text
        assert "The kernel cannot go on; its memory can be looked at.\n> script.py:8\n-> t.vec_adds" in text
        assert t.ask("p n, ub[254:]") == "(3, array([3., 3.], dtype=float16))"
        t.type(leave)
        assert t.finish() == (0, "KernelError\n")


ENDLESS = """\
from sfumato import tik
tik.set_current_compile_soc_info("Ascend910B1")
t = tik.Tik(disable_debug=False)
s = t.Scalar("int64", "s", init_value=0)
with t.for_range(0, 2**30) as i:
    with t.for_range(0, 2**30) as j:
        s.set_as(s + 1)
t.BuildCCE("k", [], [])
t.tikdb.start_debug({})
"""


def test_interrupts(tmp_path):
    with session(tmp_path, ENDLESS) as t:
        assert t.interrupt() == "\nInterrupted; q leaves the debugger.\n"
        assert t.ask("p 1 + 1") == "2"
        t.type("c")
        with pytest.raises(AssertionError, match="no .* within"):
            t.until(timeout=0.5)
        said = t.interrupt()
        assert re.fullmatch(r"\nInterrupted.\n> script.py:7 i=0 j=\d+\n-> s.set_as\(s \+ 1\)\n", said)
        assert t.ask("p s > 10 and s == j") == "True"
        t.type("q")
        assert "DebugQuit" in t.finish()[1]


def test_interrupt_without_a_prompt(tmp_path):
    script = ENDLESS.replace("with t.for_range(0, 2**30) as i", "t.tikdb.debug_print('s')\nwith t.for_range(0, 9) as i")
    (tmp_path / "script.py").write_text(script.replace("start_debug({})", "start_debug({}, interactive=False)"))
    with Terminal("script.py", cwd=tmp_path) as t:
        t.until("0\n")
        t.press("C")
        code, text = t.finish()
        assert code == -signal.SIGINT and text.rstrip().endswith("KeyboardInterrupt")


def test_under_the_command(tmp_path):
    np.save(tmp_path / "x.npy", np.arange(16, dtype=np.int32))
    script = """\
from tbe import tik
def build():
    t = tik.Tik()
    x = t.Tensor("int32", (16,), name="x", scope=tik.scope_gm)
    y = t.Tensor("int32", (16,), name="y", scope=tik.scope_gm)
    ub = t.Tensor("int32", (16,), name="ub", scope=tik.scope_ubuf)
    t.data_move(ub, x, 0, 1, 2, 0, 0)
    t.data_move(y, ub, 0, 1, 2, 0, 0)
    t.BuildCCE("copy", [x], [y])
"""
    (tmp_path / "script.py").write_text(script)
    words = ["-m", "sfumato.tik", "script.py", "--chip", "Ascend910B1", "--call", "build()", "--debug"]
    words += ["--in", "x=x.npy", "--out", "y=y.npy"]
    with Terminal(*words, cwd=tmp_path) as t:
        t.until()
        t.ask("n")
        assert t.ask("p ub[:3]") == "int32 (3,)\n[0 1 2]"
        t.type("c")
        assert t.finish() == (0, "The kernel has ended.\n")
    assert np.load(tmp_path / "y.npy").tolist() == list(range(16))
    with Terminal(*words, cwd=tmp_path) as t:
        t.until()
        t.type("q")
        code, text = t.finish()
        assert code == 5 and text.startswith("tik: the debugger was left at script.py:7")


def test_debug_print(capsys):
    t = instance(disable_debug=False)
    ub = t.Tensor("int32", (8,), name="ub", scope=tik.scope_ubuf)
    with t.for_range(0, 3) as i:
        with t.if_scope(i == 1):
            t.tik_continue()
        t.vec_dup(8, ub, i, 1, 8)
        t.tikdb.debug_print("'trip', i, ub[:2]")
    t.tikdb.debug_print("'done'")
    t.tikdb.debug_print("nothing")
    with t.for_range(0, 2, name="k", block_num=2):
        pass
    t.BuildCCE("prints", [], [])
    assert t.run({}) == [] and capsys.readouterr().out == ""
    t.tikdb.start_debug({}, interactive=False)
    once = "('trip', 0, array([0, 0], dtype=int32))\n('trip', 2, array([2, 2], dtype=int32))\ndone\n"
    assert capsys.readouterr().out == 2 * (once + "NameError: name 'nothing' is not defined\n")
    for wrong in (3, " "):
        with pytest.raises(tik.TikError, match="a Python expression in a string"):
            t.tikdb.debug_print(wrong)
    # Nothing is recorded where debugging is off.
    t = instance(disable_debug=True)
    t.tikdb.debug_print("x")
    t.BuildCCE("prints", [], [])
    assert t._program.info()["statements"] == 0


def test_the_debugger_must_be_allowed():
    t = instance(disable_debug=True)
    t.BuildCCE("k", [], [])
    with pytest.raises(tik.TikError, match="the debug function is disabled"):
        t.tikdb.start_debug({})


def test_no_more_commands(monkeypatch, tmp_path):
    """The input ends: as q."""
    t = instance(disable_debug=False)
    t.Scalar("int32", init_value=1)
    line = here()[1] - 1
    t.BuildCCE("k", [], [])
    (tmp_path / "none").write_text("")
    with open(tmp_path / "none") as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        with pytest.raises(tik.DebugQuit, match=f"left at .*test_tik_debugger_ends.py:{line}"):
            t.tikdb.start_debug({})
