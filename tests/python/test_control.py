# SPDX-License-Identifier: Apache-2.0
"""Timeouts, Ctrl-C and progress of launches, as docs/control.md tells them."""

import os
import re
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
from conftest import CHIP
from raised import raised
from tik_support import instance

import sfumato
from sfumato import KernelError, tik

SOURCE = """\
#include "kernel_operator.h"
using namespace AscendC;
__aicore__ inline LocalTensor<int32_t> Load(GM_ADDR x, TPipe& pipe, TBuf<>& buffer) {
    GlobalTensor<int32_t> gm; gm.SetGlobalBuffer((__gm__ int32_t*)x, 64);
    pipe.InitBuffer(buffer, 256);
    LocalTensor<int32_t> tensor = buffer.Get<int32_t>();
    Duplicate(tensor, 5, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm, tensor, 64);
    return tensor;
}
extern "C" __global__ __aicore__ void forever(GM_ADDR x) {
    TPipe pipe; TBuf<> buffer; LocalTensor<int32_t> tensor = Load(x, pipe, buffer);
    for (;;) Adds(tensor, tensor, 1, 64);
}
extern "C" __global__ __aicore__ void no_instructions(GM_ADDR x) {
    TPipe pipe; TBuf<> buffer; Load(x, pipe, buffer);
    volatile bool stay = true;
    while (stay) {}
}
extern "C" __global__ __aicore__ void fives(GM_ADDR x) { TPipe pipe; TBuf<> buffer; Load(x, pipe, buffer); }
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("control") / "control.cpp"
    path.write_text(SOURCE)
    return path


@pytest.fixture(scope="module")
def control(path):
    return sfumato.compile(path, chip=CHIP)


def zeros():
    return np.zeros(64, np.int32)


def interrupt_soon(delay=0.2):
    threading.Timer(delay, os.kill, (os.getpid(), signal.SIGINT)).start()


def test_a_timeout(control, path):
    x = zeros()
    with pytest.raises(KernelError) as caught:
        control.forever[2].options(timeout=0.1)(x)
    raised("timeout")
    error = caught.value
    assert error.index > 0 and not x.any()
    assert (
        re.sub(r"instruction \d+", "instruction N", str(error))
        == f"""\
fault [timeout] the launch took longer than its timeout of 0.1 s
  where:  {path}:14, kernel forever, core aiv0, instruction N (Ascend910B)
  found:  aiv0, aiv1: at Adds, {path}:14
  legal:  an end within 0.1 s
  do:     look for a loop or a wait that never ends where the cores stood; a launch that only needs longer gets a higher timeout"""
    )
    control.fives[2].options(timeout=100)(x)
    assert (x == 5).all()


def test_ctrl_c(control):
    x = zeros()
    before = signal.getsignal(signal.SIGINT)
    interrupt_soon()
    with pytest.raises(KeyboardInterrupt) as caught:
        control.forever[2](x)
    raised("interrupted")
    cause = caught.value.__cause__
    assert isinstance(cause, KernelError) and (cause.rule, cause.line) == ("interrupted", 14)
    assert cause.found.startswith("aiv0, aiv1: at Adds, ") and not x.any()
    assert signal.getsignal(signal.SIGINT) is before
    control.fives[2](x)
    assert (x == 5).all()


def test_ctrl_c_with_a_handler_that_does_not_raise(control):
    seen = []
    before = signal.signal(signal.SIGINT, lambda *_: seen.append(1))
    try:
        interrupt_soon()
        with pytest.raises(KernelError) as caught:
            control.forever[1](zeros())
    finally:
        signal.signal(signal.SIGINT, before)
    assert (caught.value.rule, seen) == ("interrupted", [1])


def test_a_launch_of_another_thread_is_left_alone(control):
    errors = []

    def launch():
        try:
            control.forever[1].options(timeout=0.6)(zeros())
        except KernelError as error:
            errors.append(error.rule)
        ended.set()

    ended = threading.Event()
    threading.Thread(target=launch).start()
    interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        ended.wait(60)
    assert ended.wait(60)
    assert errors == ["timeout"]


def run_script(path, body):
    script = f"""\
import numpy as np, os, signal, sys, threading, time
import sfumato
control = sfumato.compile({str(path)!r}, chip={CHIP!r})
x = np.zeros(64, np.int32)
{body}"""
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)


def test_code_without_instructions(path):
    body = """
def press():
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(0.1, press).start()
def again():
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(2.5, again).start()
control.no_instructions[1](x)
"""
    done = run_script(path, body)
    assert done.returncode == -signal.SIGINT
    assert done.stderr == (
        "sfumato: the launch was interrupted, but is in code without instructions, where it cannot be stopped; press Ctrl-C again "
        "to end the process\n"
    )


def test_a_timeout_of_a_tik_run():
    t = instance(chip="Ascend910")
    out = t.Tensor("float16", (16,), name="out", scope=tik.scope_gm)
    ub = t.Tensor("float16", (16,), name="ub", scope=tik.scope_ubuf)
    with t.for_range(0, 2**30), t.for_range(0, 2**30):
        t.vec_dup(16, ub, 1.0, 1, 8)
    t.data_move(out, ub, 0, 1, 1, 0, 0)
    t.BuildCCE("kernel", [], [out])
    with pytest.raises(KernelError) as caught:
        t.run({}, timeout=0.1)
    assert caught.value.rule == "timeout" and caught.value.file == __file__ and caught.value.line > 0


def test_a_timeout_of_a_tik_loop_without_instructions():
    t = instance(chip="Ascend910")
    out = t.Tensor("float16", (16,), name="out", scope=tik.scope_gm)
    s = t.Scalar("int32", init_value=0)
    with t.for_range(0, 2**30), t.for_range(0, 2**30):
        s.set_as(s + 1)
    t.BuildCCE("kernel", [], [out])
    with pytest.raises(KernelError) as caught:
        t.run({}, timeout=0.1)
    assert (caught.value.rule, caught.value.instruction) == ("timeout", "for_range")


def test_progress(control):
    told = []
    with pytest.raises(KernelError):
        control.forever[3].options(timeout=0.5, progress=lambda done, total: told.append((done, total)))(zeros())
    assert 1 <= len(told) <= 6 and set(told) == {(0, 3)}


def test_what_progress_raises_ends_the_launch(control):
    with pytest.raises(ZeroDivisionError):
        control.forever[3].options(progress=lambda done, total: 1 / 0)(zeros())


def test_a_bar_on_a_terminal(path, monkeypatch):
    tqdm = pytest.importorskip("tqdm")
    assert tqdm
    body = """
class Terminal:
    def __init__(self, file): self.file = file
    def isatty(self): return True
    def __getattr__(self, name): return getattr(self.file, name)
sys.stderr = Terminal(sys.stderr)
from sfumato import _control
_control.BAR_AFTER = 0.1
try:
    control.forever[2].options(timeout=1)(x)
except sfumato.KernelError as error:
    print(error.rule)
try:
    control.forever[2].options(timeout=1, progress=False)(x)
except sfumato.KernelError as error:
    print(error.rule)
"""
    done = run_script(path, body)
    assert done.stdout == "timeout\ntimeout\n"
    assert done.stderr.count("forever:   0%") > 0 and "0/2" in done.stderr and " instructions" in done.stderr


@pytest.mark.parametrize("value", [0, -1, "1", True, float("nan"), float("inf")])
def test_no_time(control, value):
    with pytest.raises(sfumato.Error) as caught:
        control.fives[1].options(timeout=value)
    assert str(caught.value) == f"options: timeout={value!r} must be seconds above 0, or None"


def test_no_progress(control):
    with pytest.raises(sfumato.Error) as caught:
        control.fives[1].options(progress=True)
    assert str(caught.value) == "options: progress=True must be a callable, None or False"
