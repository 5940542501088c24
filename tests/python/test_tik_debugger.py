# SPDX-License-Identifier: Apache-2.0
"""The interactive debugger, typed at through a pseudo-terminal; debug_print; where printf prints."""

import contextlib
import re
import signal
import sys
from pathlib import Path

import numpy as np
import pytest
from tik_support import instance
from tik_terminal import Terminal

from sfumato import tik
from sfumato.tik._where import here

ROOT = Path(__file__).parents[2]

ADD = """\
import numpy as np
from sfumato import tik

tik.set_current_compile_soc_info("Ascend910B1")
t = tik.Tik(disable_debug=False)
src = t.Tensor("float16", (2, 2, 128), name="src_gm", scope=tik.scope_gm)
dst = t.Tensor("float16", (2, 2, 128), name="dst_gm", scope=tik.scope_gm)
step = t.Scalar("int32", "step", init_value=5)
table = t.ScalarArray("int32", 3, "table", init_value=[7, 8, 9])


def body(block, row):
    ub = t.Tensor("float16", (128,), name="ub_gm", scope=tik.scope_ubuf)
    twice = row * 2 + block
    t.data_move(ub, src[block, row, 0], 0, 1, 8, 0, 0)
    with t.if_scope(row == 1):
        step.set_as(step + table[2])
    with t.else_scope():
        step.set_as(step + 1)
    t.vec_adds(128, ub, ub, 2.0, 1, 8, 8)
    t.data_move(dst[block, row, 0], ub, 0, 1, 8, 0, 0)


with t.for_range(0, 2, block_num=2) as core:
    with t.for_range(0, 2) as i:
        body(core, i)
t.BuildCCE(kernel_name="add", inputs=[src], outputs=[dst])
data = np.arange(512).reshape(2, 2, 128).astype(np.float16)
(result,) = t.tikdb.start_debug({"src_gm": data}, interactive=True)
print("right" if (result == data + 2).all() else "wrong")
"""


@contextlib.contextmanager
def session(tmp_path, script=ADD, arguments=()):
    """A terminal at the first prompt of script.py, and what was printed before."""
    (tmp_path / "script.py").write_text(script)
    with Terminal(*arguments, "script.py", cwd=tmp_path) as terminal:
        terminal.before = terminal.until()
        yield terminal


def test_steps_statement_by_statement(tmp_path):
    with session(tmp_path) as t:
        assert t.before == (
            "The kernel add stands before its first statement. h lists the commands.\n"
            '> script.py:8 block 0 of 2\n-> step = t.Scalar("int32", "step", init_value=5)\n'
        )
        # The three elements of the ScalarArray are one call.
        lines = [re.match(r"> script.py:(\d+)", t.ask("n")).group(1) for _ in range(14)]
        assert lines == "9 24 25 15 16 19 20 21 15 16 17 20 21 8".split()
        assert t.ask("w").splitlines() == [
            "> script.py:8 block 1 of 2 in <module>",
            "block 1 of 2 on core aiv1, 0 instructions so far",
        ]
        assert t.ask("c", end="ended.\n") == "The kernel has "
        assert t.finish() == (0, "right\n")


def test_breakpoints(tmp_path):
    with session(tmp_path) as t:
        assert t.ask("b") == "There are no breakpoints."
        assert t.ask("b 20") == "Breakpoint 1 at script.py:20."
        assert t.ask("break script.py:10") == "Breakpoint 2 at script.py:15."
        assert t.ask("b 11") == "Breakpoint 2 is already there, at script.py:15."
        assert t.ask("b script.py:99") == (
            "script.py has no statement at or after line 99; its statements are on lines 8-9, 15-17, 19-21, 24-25."
        )
        assert t.ask("b other.py:3") == "other.py names 0 files with statements; there are script.py."
        assert t.ask("b x") == "'x' is no line: a number is needed."
        assert t.ask("c").splitlines() == [
            "Breakpoint 2.",
            "> script.py:15 block 0 of 2 core=0 i=0",
            "-> t.data_move(ub, src[block, row, 0], 0, 1, 8, 0, 0)",
        ]
        assert t.ask("disable 2") == "Disabled breakpoint 2."
        assert t.ask("c").splitlines()[:2] == ["Breakpoint 1.", "> script.py:20 block 0 of 2 core=0 i=0"]
        assert t.ask("").splitlines()[:2] == ["Breakpoint 1.", "> script.py:20 block 0 of 2 core=0 i=1"]
        assert t.ask("b").splitlines() == [
            "1: script.py:20, hit 2 times",
            "2: script.py:15, hit 1 times, disabled",
        ]
        assert t.ask("enable 2 1") == "Enabled breakpoint 2.\nEnabled breakpoint 1."
        assert t.ask("c").splitlines()[1] == "> script.py:15 block 1 of 2 core=1 i=0"
        assert t.ask("clear script.py:20") == "Removed breakpoint 1 at script.py:20."
        assert t.ask("clear script.py:20") == "There is no breakpoint at script.py:20."
        assert t.ask("clear 1") == "There is no breakpoint 1; b lists them."
        assert t.ask("enable") == "The number of a breakpoint is needed; b lists them."
        assert t.ask("disable two") == "'two' is no breakpoint: a number is needed."
        assert t.ask("clear") == "Removed breakpoint 2 at script.py:15."
        assert t.ask("clear") == "There are no breakpoints."
        assert t.ask("c", end="right\n") == "The kernel has ended."


def test_print(tmp_path):
    with session(tmp_path) as t:
        t.ask("b 21")
        t.ask("c")
        assert t.ask("p ub[2:6]") == "float16 (4,)\n[4. 5. 6. 7.]"
        assert t.ask("print src.shape, step, table, row, twice, i") == "((2, 2, 128), 6, [7, 8, 9], 0, 0, 0)"
        # Names of the declaration; names of the script come first.
        assert t.ask("p float(ub_gm[0]) + table[1] * step, src_gm.dtype") == "(50.0, dtype('float16'))"
        assert t.ask("p dst[0, 0, :2].view(np.uint16)") == "uint16 (2,)\n[65278 65278]"
        assert t.ask("p [x + step for x in table]") == "[13, 14, 15]"
        assert t.ask("p row == 1, bool(ub.any())") == "(False, True)"
        t.ask("c")
        t.ask("c")
        assert t.ask("p step, row, block, twice, float(ub[0])") == "(6, 0, 1, 1, 258.0)"
        for expression, answer in [
            ("p", "An expression is needed: p ub[0:8]"),
            ("p nothing", "NameError: name 'nothing' is not defined"),
            ("p ub[", "'ub[' is no Python expression: '[' was never closed"),
            ("p ub[200]", "IndexError: index 200 is out of bounds for axis 0 with size 128"),
            ("p 1 / 0", "ZeroDivisionError: division by zero"),
            ("p [p for p in (1, 2)]", "[1, 2]"),
        ]:
            assert t.ask(expression) == answer
        t.ask("clear")
        t.ask("c", end="right\n")


def test_what_is_not_there_yet(tmp_path):
    script = """\
from sfumato import tik
tik.set_current_compile_soc_info("Ascend910B1")
t = tik.Tik(disable_debug=False)
n = t.Scalar("int32", "n", init_value=9)
table = t.ScalarArray("int32", 2, "table", init_value=1)
beyond = table[n] + 1
with t.for_range(0, 3, name="trip") as k:
    inner = t.Tensor("int32", (16,), name="inner", scope=tik.scope_ubuf)
    n.set_as(k)
n.set_as(4)
t.BuildCCE("k", [], [])
t.tikdb.start_debug({})
"""
    with session(tmp_path, script) as t:
        assert t.ask("p k") == "NameError: name 'k' is not defined"
        t.ask("b 10")
        t.ask("c")
        for name, what in (("inner", "inner"), ("k", "the value reads what")):
            there = f"lives in the with block of {tmp_path / 'script.py'}:7 only, which is not running here"
            assert t.ask(f"p {name}") == f"{what} {there}"
        t.type("n")
        assert t.finish() == (0, "The kernel has ended.\n")
    with session(tmp_path, script.replace("n.set_as(4)", "n.set_as(4 + n)")) as t:
        t.ask("b 9")
        t.ask("c")
        assert t.ask("p beyond") == "ScalarArray: the index lies outside the array: index 9"
        assert t.ask("p inner.shape, k, trip") == "((16,), 0, 0)"
        # Asking did no harm.
        t.ask("clear")
        t.type("c")
        assert t.finish() == (0, "The kernel has ended.\n")


def test_views_and_other_files(tmp_path):
    helper = """\
class Fill:
    def __init__(self, t, tik):
        self.t, self.n = t, t.InputScalar("float32", "n")
        self.ub = t.Tensor("bfloat16", (4, 16), name="wide", scope=tik.scope_ubuf)
        self.parts = [self.ub.reinterpret_cast_to("float32"), self.ub[1, 8:]]

    def run(self, tik):
        at = self.t.Scalar("int32", init_value=3)
        words = self.parts[0].reinterpret_cast_to("uint32")
        with self.t.for_range(0, 2, thread_num=2) as k:
            part = self.t.Tensor("uint32", (8,), name="part", scope=tik.scope_ubuf)
            some = words[at : at + 5]
            self.t.vec_dup(
                8,
                part,
                1,
                1,
                8,
            )
            part[k].set_as(at + k)
        self.t.vec_dup(32, words, 0x3F803F80, 1, 8)
        at.set_as(40)
"""
    (tmp_path / "helper.py").write_text(helper)
    script = """\
from helper import Fill
from sfumato import tik
tik.set_current_compile_soc_info("Ascend910B1")
t = tik.Tik(disable_debug=False)
fill = Fill(t, tik)
fill.run(tik)
end = t.Scalar("int32", "end", init_value=1)
t.BuildCCE("k", [fill.n], [])
t.tikdb.start_debug({"n": 0.5})
"""
    with session(tmp_path, script) as t:
        t.ask("b helper.py:20")
        t.ask("c")
        assert t.ask("p part[:2], at, self.n, n, some.shape") == "(array([1, 1], dtype=uint32), 3, 0.5, 0.5, (5,))"
        assert "k=1" in t.ask("c")
        assert t.ask("p part[:2]") == "uint32 (2,)\n[1 1]"
        t.ask("b script.py:7")
        t.ask("c")
        assert t.ask("p fill.ub[3]") == f"bfloat16 (16,)\n[{' '.join(['1'] * 16)}]"
        assert t.ask("p fill.parts[1], hex(int(fill.parts[0].view('u4')[0, 3]))").endswith("'0x3f803f80')")
        assert t.ask("p fill.run") == t.ask("p fill.run") != ""
        assert t.ask("w").splitlines()[0] == "> script.py:7 in <module>"
        assert t.ask("b 1") == "Breakpoint 2 is already there, at script.py:7."


def test_list_where_help(tmp_path):
    with session(tmp_path) as t:
        t.ask("b 20")
        t.ask("c")
        lines = ADD.splitlines()
        text = t.ask("l").splitlines()
        assert len(text) == 11 and text[0] == f"  15     {lines[14]}" and text[5] == f"  20 B-> {lines[19]}"
        assert t.ask("").splitlines()[0] == f"  26     {lines[25]}"
        assert t.ask("l 3").splitlines()[0] == f"   1     {lines[0]}"
        assert t.ask("list 4, 5").splitlines() == [f"   4     {lines[3]}", f"   5     {lines[4]}"]
        assert t.ask("l 900") == f"script.py has {len(lines)} lines."
        assert t.ask("l here") == "'here' is no line: a number is needed."
        assert t.ask("w").splitlines() == [
            "> script.py:20 block 0 of 2 core=0 i=0 in body",
            "block 0 of 2 on core aiv0, 1 instructions so far",
            "loop at script.py:24: core = 0, ends at 1",
            "loop at script.py:25: i = 0, ends at 2",
        ]
        for command in ("next", "continue", "break", "clear", "enable", "disable", "print", "list", "where", "block"):
            assert f"  {command[0]}" in t.ask("h") and t.ask(f"help {command}").splitlines()[1].startswith("  ")
        assert t.ask("h b") == t.ask("help break") != t.ask("h w")
        assert t.ask("h xyz") == "There is no command xyz; h lists the commands."
        assert t.ask("jump 3") == "There is no command jump; h lists the commands."
        assert t.ask("12") == "There is no command 12; h lists the commands."
        assert t.ask("?b") == t.ask("h b")


def test_blocks(tmp_path):
    with session(tmp_path) as t:
        assert t.ask("block") == "block 0: here\nblock 1: waits"
        assert t.ask("block 2") == "There is no block 2; there are blocks 0..1."
        assert t.ask("block 0") == "The run stands in block 0."
        assert t.ask("block one") == "'one' is no block: a number is needed."
        t.ask("b 20")
        assert t.ask("switch_block 1").splitlines()[0] == "> script.py:8 block 1 of 2"
        assert t.ask("block 0") == "Block 0 has ended; blocks run one after another and none runs twice."
        assert t.ask("c").splitlines()[1] == "> script.py:20 block 1 of 2 core=1 i=0"
        # The other block's breakpoints were passed by.
        assert t.ask("b") == "1: script.py:20, hit 1 times"
        assert t.ask("p dst[0, 1, :2]") == "float16 (2,)\n[130. 131.]"


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
    with session(tmp_path) as t:
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


def test_the_documented_session(tmp_path):
    """The transcript in docs/tik-debugger.md is what the debugger says."""
    text = (ROOT / "docs" / "tik-debugger.md").read_text(encoding="utf-8")
    script, transcript = re.search(r"```python\n(.*?)```.*?```text\n(.*?)```", text, re.S).groups()
    started, *commands = transcript.split("(tikdb) ")
    (tmp_path / "double.py").write_text(script)
    with Terminal("double.py", cwd=tmp_path) as t:
        seen = t.until()
        assert seen == started.partition("\n")[2]  # after the command line
        for command in commands:
            line, _, answer = command.partition("\n")
            t.type(line)
            if command is commands[-1]:
                assert t.finish() == (0, answer)
            else:
                assert t.until() == answer, line


# -- without a prompt --------------------------------------------------------------------------------------------------


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
    t = instance()
    t.tikdb.debug_print("x")
    t.BuildCCE("prints", [], [])
    assert t._program.info()["statements"] == 0


def test_the_debugger_must_be_allowed():
    t = instance()
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
        with pytest.raises(tik.DebugQuit, match=f"left at .*test_tik_debugger.py:{line}"):
            t.tikdb.start_debug({})


def prints(*parameters):
    t = instance()
    t.set_printf_params(*parameters)
    s = t.Scalar("int8", init_value=-128)
    t.printf("scalar is: %d\n", s)
    t.BuildCCE("print_scalar", [], [])
    return t


def test_printf_goes_where_it_is_sent(capsys, tmp_path):
    prints(1, 256).run({})
    assert capsys.readouterr().out == "scalar is: -128\n"
    prints(1, 256, False).run({})
    assert capsys.readouterr().out == ""
    prints(128, 512, False, str(tmp_path / "made" / "here")).run({})
    assert (tmp_path / "made" / "here" / "print_scalar.txt").read_text() == "scalar is: -128\n"
    assert capsys.readouterr().out == ""
    lines = []
    prints(128, 512, True, tmp_path).run({}, print=lines.append)
    assert (tmp_path / "print_scalar.txt").read_text() == "".join(lines) == "scalar is: -128\n"


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ((0,), "print_workspace_size is outside its range"),
        ((32769,), "legal:  1..32768"),
        ((1, 63), "found:  single_print_length: 63"),
        ((1, 96 + 16), "legal:  64..1048544, a multiple of 32"),
        ((1, 1 << 20), "legal:  64..1048544, a multiple of 32"),
        ((1, 64, 1), "is_printf_to_screen: 1"),
        ((1, 64, True, 3), "printf_file_path: 3"),
    ],
)
def test_wrong_printf_parameters(parameters, text):
    with pytest.raises(tik.TikError, match=re.escape(text)) as raised:
        prints(*parameters)
    assert raised.value.rule == "printf"


def test_printf_parameters_come_once_and_first():
    t = instance()
    t.set_printf_params(1, 64)
    with pytest.raises(tik.TikError, match="a second call"):
        t.set_printf_params(1, 64)
    with pytest.raises(tik.TikError, match="found:  format_string: 33 characters"):
        t.printf("%d" + "x" * 31, 1)
    t = instance()
    t.printf("x")
    with pytest.raises(tik.TikError, match="a call after printf"):
        t.set_printf_params(1, 64)
    t = instance()
    t.set_printf_params(1, 64)
    with t.for_range(0, 3, block_num=3):
        t.printf("x")
    with pytest.raises(tik.TikError, match="1 MB for 3 blocks of at least 96 bytes"):
        t.BuildCCE("k", [], [])


def test_tik_conf():
    assert tik.tik_conf.Dprofile is tik.Dprofile
    with pytest.raises(AttributeError, match="tik_conf.other is not there; tik_conf has Dprofile, "):
        tik.tik_conf.other  # noqa: B018 - that it raises
    t = instance()
    x = t.Tensor("int8", (32,), name="x", scope=tik.scope_gm)
    with pytest.raises(NotImplementedError, match="Tensor.access_ptr"):
        x.access_ptr("r")
