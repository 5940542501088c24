# SPDX-License-Identifier: Apache-2.0
"""A process on a pseudo-terminal, as a user at a keyboard has it."""

import contextlib
import fcntl
import os
import pty
import re
import select
import subprocess
import sys
import termios
import time

PROMPT = "(tikdb) "

# Four trips of a kernel of two blocks, stopped before its first statement.
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


class Terminal:
    """Runs Python with the arguments; `with` ends it."""

    def __init__(self, *arguments, cwd):
        self._master, slave = pty.openpty()
        # What is typed is not echoed, and lines end as they are written.
        mode = termios.tcgetattr(slave)
        mode[1] &= ~termios.ONLCR
        mode[3] &= ~termios.ECHO
        termios.tcsetattr(slave, termios.TCSANOW, mode)
        environment = {**os.environ, "TERM": "dumb", "COLUMNS": "200"}
        self._process = subprocess.Popen(
            [sys.executable, *map(str, arguments)],
            cwd=cwd,
            env=environment,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            preexec_fn=lambda: _own_terminal(slave),
        )
        os.close(slave)
        self._read = ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()
        os.close(self._master)

    def until(self, end=PROMPT, timeout=30.0):
        """The output up to and without `end`."""
        limit = time.monotonic() + timeout
        while end not in self._read:
            ready, _, _ = select.select([self._master], [], [], max(0.0, limit - time.monotonic()))
            assert ready, f"no {end!r} within {timeout} s, only {self._read!r}"
            assert self._take(), f"the process ended without {end!r}: {self._read!r}"
        text, _, self._read = self._read.partition(end)
        return text

    def type(self, line):
        os.write(self._master, line.encode() + b"\n")

    def ask(self, line, end=PROMPT):
        """What a command answers."""
        self.type(line)
        return self.until(end).rstrip("\n")

    def press(self, key):
        """A control character: "C", "D"."""
        os.write(self._master, bytes([ord(key) & 0x1F]))

    def interrupt(self, tries=5):
        """Ctrl-C, and what follows up to the prompt. Python may miss one that comes just before it waits for a line."""
        for _ in range(tries - 1):
            self.press("C")
            with contextlib.suppress(AssertionError):
                return self.until(timeout=3.0)
        self.press("C")
        return self.until()

    def finish(self, timeout=30.0):
        """(exit code, the rest of the output)."""
        limit = time.monotonic() + timeout
        while time.monotonic() < limit:
            ready, _, _ = select.select([self._master], [], [], 1.0)
            if ready and not self._take():
                return self._process.wait(timeout=timeout), self._read
        raise AssertionError(f"still running after {timeout} s: {self._read!r}")

    def _take(self):
        try:
            got = os.read(self._master, 65536)
        except OSError:  # the other end is closed
            return False
        self._read += re.sub("\x1b\\[[?0-9;]*[a-z]|\r", "", got.decode())
        return bool(got)


@contextlib.contextmanager
def session(tmp_path, script):
    """A terminal at the debugger's first prompt in script.py, and what was printed before."""
    (tmp_path / "script.py").write_text(script)
    with Terminal("script.py", cwd=tmp_path) as terminal:
        terminal.before = terminal.until()
        yield terminal


def _own_terminal(slave):
    """In the child: the terminal's Ctrl-C goes to it."""
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
