# SPDX-License-Identifier: Apache-2.0
"""The commands of the interactive debugger, typed at through a pseudo-terminal."""

import re

from tik_terminal import ADD, session


def refusal(expression):
    """In the words of this Python."""
    try:
        compile(expression, "", "eval")
    except SyntaxError as error:
        return f"'{expression}' is no Python expression: {error.msg}"


def test_steps_statement_by_statement(tmp_path):
    with session(tmp_path, ADD) as t:
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
    with session(tmp_path, ADD) as t:
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
    with session(tmp_path, ADD) as t:
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
            ("p ub[", refusal("ub[")),
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
    with session(tmp_path, ADD) as t:
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
        commands = (
            "There are next, until, continue, break, tbreak, clear, enable, disable, print, pp, display, undisplay, list, "
            "where, block, quit, help."
        )
        assert t.ask("h xyz") == f"There is no command xyz. {commands}"
        assert t.ask("jump 3") == f"There is no command jump; statements run in their order. {commands}"
        assert t.ask("brake 3") == f"There is no command brake; did you mean break? {commands}"
        assert t.ask("12") == f"There is no command 12. {commands}"
        assert t.ask("?b") == t.ask("h b")


def test_blocks(tmp_path):
    with session(tmp_path, ADD) as t:
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


def test_conditional_and_temporary_breakpoints(tmp_path):
    with session(tmp_path, ADD) as t:
        assert t.ask("b 20 if row == 1 and step > 5") == "Breakpoint 1 at script.py:20 if row == 1 and step > 5."
        assert t.ask("tb 21") == "Breakpoint 2 at script.py:21, once."
        assert t.ask("tbreak script.py:15, core == 1") == "Breakpoint 3 at script.py:15 if core == 1, once."
        assert t.ask("b").splitlines() == [
            "1: script.py:20 if row == 1 and step > 5, hit 0 times",
            "2: script.py:21, once, hit 0 times",
            "3: script.py:15 if core == 1, once, hit 0 times",
        ]
        assert t.ask("tb") == "A line is needed: tb 12"
        assert t.ask("b 17 if row ==") == refusal("row ==")
        assert t.ask("b x if row") == "'x' is no line: a number is needed."
        for stop in (
            ["Breakpoint 2.", "Removed breakpoint 2 at script.py:21.", "> script.py:21 block 0 of 2 core=0 i=0"],
            ["Breakpoint 1.", "> script.py:20 block 0 of 2 core=0 i=1"],
            ["Breakpoint 3.", "Removed breakpoint 3 at script.py:15.", "> script.py:15 block 1 of 2 core=1 i=0"],
            ["Breakpoint 1.", "> script.py:20 block 1 of 2 core=1 i=1"],
        ):
            assert t.ask("c").splitlines()[:-1] == stop
        assert t.ask("b") == "1: script.py:20 if row == 1 and step > 5, hit 2 times"
        assert t.ask("c", end="right\n") == "The kernel has ended."


def test_a_condition_without_a_value_stops(tmp_path):
    with session(tmp_path, ADD) as t:
        t.ask("b 21 if nothing")
        assert t.ask("c").splitlines()[:2] == [
            "The condition nothing has no value: NameError: name 'nothing' is not defined",
            "Breakpoint 1.",
        ]


def test_until(tmp_path):
    with session(tmp_path, ADD) as t:
        t.ask("b 21")
        t.ask("c")
        assert t.ask("until 20") == "The run stands at line 21; until goes to a later one."
        assert t.ask("until x") == "'x' is no line: a number is needed."
        t.ask("clear")
        # Past the loop there is nothing, so the next block begins.
        assert t.ask("until").splitlines()[0] == "> script.py:8 block 1 of 2"
        assert t.ask("unt 17").splitlines()[0] == "> script.py:24 block 1 of 2"
        t.ask("b 15")
        assert t.ask("until 30").splitlines()[:2] == ["Breakpoint 2.", "> script.py:15 block 1 of 2 core=1 i=0"]
        assert t.ask("until 20").splitlines()[0] == "> script.py:20 block 1 of 2 core=1 i=0"


def test_display_and_pp(tmp_path):
    with session(tmp_path, ADD) as t:
        assert t.ask("display") == "Nothing is displayed."
        t.ask("b 20")
        t.ask("c")
        assert t.ask("display step") == "display step: 6"
        assert t.ask("display ub[:2]") == "display ub[:2]: float16 (2,)\n[0. 1.]"
        assert t.ask("display step +") == refusal("step +")
        assert t.ask("n").splitlines()[2:] == ["display ub[:2]: float16 (2,)", "[2. 3.]"]
        assert t.ask("c").splitlines()[3:] == [
            "display step: 15  [was 6]",
            "display ub[:2]: float16 (2,)",
            "[128. 129.]",
        ]
        assert t.ask("display") == "step\nub[:2]"
        assert t.ask("undisplay table") == "table is not displayed; there is step, ub[:2]."
        assert t.ask("undisplay ub[:2]") == ""
        assert t.ask("undisplay") == ""
        assert len(t.ask("n").splitlines()) == 2
        assert t.ask("pp {'table': table, 'lanes': list(range(40, 75))}").splitlines()[:2] == [
            "{'lanes': [40,",
            "           41,",
        ]
        assert t.ask("pp") == "An expression is needed: pp table"
