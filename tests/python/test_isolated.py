# SPDX-License-Identifier: Apache-2.0
"""Launches in a process of their own, as docs/control.md tells them: the same results, and crashes as reports."""

import concurrent.futures
import os
import re
import signal
import subprocess
import sys
import threading

import control_stress
import numpy as np
import pytest
from conftest import CHIP
from raised import raised

import sfumato
from sfumato import KernelError, _isolated

SOURCE = """\
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "kernel_operator.h"
using namespace AscendC;
struct Pair { __gm__ int32_t* array; int32_t factor; };
__attribute__((noinline)) static int Deep(int n) { volatile char b[999]; b[n % 999] = 1; return n ? Deep(n + 1) + b[n % 999] : 0; }
extern "C" __global__ __aicore__ void crash(__gm__ int32_t* x, int32_t how) {
    x[0] = 9;
    if (how == 0) *(volatile int*)nullptr = 1;
    if (how == 1) x[0] = 7 / (how - 1);
    if (how == 2) std::terminate();
    if (how == 3) x[0] = Deep(1);
    if (how == 4) syscall(SYS_exit_group, 7);
    if (how == 5) kill(getpid(), SIGKILL);
    if (how == 6) exit(3);
}
extern "C" __global__ __aicore__ void add(__gm__ int32_t* x, __gm__ int32_t* y, int32_t n) {
    printf("adds %d", n);
    y[GetBlockIdx()] = x[GetBlockIdx()] + n;
}
extern "C" __global__ __aicore__ void pairs(__gm__ Pair* p) { p->array[0] *= p->factor; }
extern "C" __global__ __aicore__ void list(GM_ADDR x) { ListTensorDesc d((void*)x); d.GetDataPtr<int32_t>(1)[0] = 4; }
extern "C" __global__ __aicore__ void stay(GM_ADDR x) { volatile bool still = true; while (still) {} }
extern "C" __global__ __aicore__ void forever(GM_ADDR x) {
    TPipe pipe; TBuf<> buffer; pipe.InitBuffer(buffer, 256); LocalTensor<int32_t> t = buffer.Get<int32_t>();
    Duplicate(t, 0, 64);
    for (;;) Adds(t, t, 1, 64);
}
#include <sys/stat.h>
extern "C" __global__ __aicore__ void change(__gm__ int32_t* x, int32_t how) {
    x[0] = getpid();
    if (how == 1) clearenv();
    if (how == 2) setenv("TZ", "Mars", 1);
    if (how == 3 && chdir("/proc")) return;
    if (how == 4) umask(0777);
    if (how == 5) signal(SIGTERM, SIG_IGN);
    if (how == 6) alarm(1000);
}
"""

LOST = """\
fault [process-lost] the process that ran the kernel is gone: no array was changed
  where:  kernel crash (Ascend910B1)
  found:  {}
  legal:  a kernel that returns
  do:     with too little memory, run fewer blocks at once or smaller arrays"""

# What the kernel `crash` does, by number.
CRASHES = [
    """\
fault [raw-pointer] raw pointer access to 0x0
  where:  {path}:10, kernel crash, core aiv0, instruction 0 (Ascend910B1)
  found:  a null pointer, or an address no memory can have
  legal:  addresses inside GM allocations and the memories of the core
  do:     access memory through tensors, which are checked, or run with --check raw, which looks at pointers""",
    """\
fault [arithmetic-trap] the kernel's scalar code divided an integer by zero
  where:  {path}:11, kernel crash, core aiv0, instruction 0 (Ascend910B1)
  legal:  a divisor other than 0""",
    """\
fault [abort] the kernel called abort (a failed assert or an uncaught exception)
  where:  {path}:12, kernel crash, core aiv0, instruction 0 (Ascend910B1)
  legal:  kernels end by returning""",
    """\
fault [stack-overflow] the kernel's scalar code overflowed the stack of its core
  where:  {path}:7, kernel crash, core aiv0, instruction 0 (Ascend910B1)
  found:  'Deep(int)' takes 1024 bytes of it a call
  legal:  8388608 bytes of stack for a core here; a board has far less: plan with 16 KiB
  do:     look for endless recursion and for large local arrays""",
    LOST.format("it ended with exit code 7"),
    LOST.format("it was ended by signal 9 (Killed)"),
    """\
fault [process-end] exit: a kernel cannot end the process
  where:  {path}:16, kernel crash, core aiv0, instruction 0 (Ascend910B)
  found:  exit(3)
  legal:  kernels end by returning
  do:     return, or stop with Trap() or assert()""",
]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("isolated") / "isolated.cpp"
    path.write_text(SOURCE)
    return path


@pytest.fixture(scope="module")
def lib(path):
    return sfumato.compile(path, chip=CHIP)


def apart(kernel, blocks=1, **options):
    return kernel[blocks].options(isolated=True, **options)


def adds(lib, n, isolated=True, **options):
    x, y = np.arange(4, dtype=np.int32), np.zeros(4, np.int32)
    result = lib.add[4].options(isolated=isolated, print=lambda text: None, **options)(x, y, n)
    assert (y == x + n).all()
    return result


@pytest.mark.parametrize("how", range(len(CRASHES)))
def test_crashes(lib, path, how, capfd):
    x = np.zeros(4, np.int32)
    with pytest.raises(KernelError) as caught:
        apart(lib.crash)(x, how)
    raised(caught.value.rule)
    assert str(caught.value) == CRASHES[how].format(path=path)
    assert not x.any() and lib.crash.last.findings[0].rule == caught.value.rule
    adds(lib, how)


@pytest.mark.parametrize("how", [0, 1, 3])
def test_crashes_of_the_kernels_own_code_in_this_process(lib, path, how):
    """The same report, arrays as they were, and the session goes on."""
    x = np.zeros(4, np.int32)
    before = signal.getsignal(signal.SIGFPE)
    for cores in (1, 3):
        with pytest.raises(KernelError) as caught:
            lib.crash[cores].options(isolated=False)(x, how)
        raised(caught.value.rule)
        said = re.sub(r"\baiv\d", "aiv0", str(caught.value))
        assert said == CRASHES[how].format(path=path).replace("(Ascend910B1)", "(Ascend910B)")
    assert not x.any() and signal.getsignal(signal.SIGFPE) == before
    adds(lib, how, isolated=False)


def test_other_crashes_in_this_process_go_where_they_went(path):
    """abort, and a crash outside of a kernel while one runs, end the process as if nothing had looked."""
    program = f"""
import ctypes, faulthandler, os, sys, threading, numpy as np, sfumato
faulthandler.enable()
lib = sfumato.compile({str(path)!r}, chip={CHIP!r})
if sys.argv[1] == "abort":
    lib.crash[1].options(isolated=False)(np.zeros(4, np.int32), 2)
stays = lib.stay[1].options(isolated=False)
threading.Thread(target=stays, args=(np.zeros(4, np.int32),), daemon=True).start()
while not any(open(f"/proc/self/task/{{task}}/comm").read() == "aiv0\\n" for task in os.listdir("/proc/self/task")):
    pass
ctypes.string_at(0)
"""
    for how, sign, said in (("abort", signal.SIGABRT, "Aborted"), ("outside", signal.SIGSEGV, "Segmentation fault")):
        done = subprocess.run([sys.executable, "-c", program, how], capture_output=True, text=True, timeout=60)
        assert done.returncode == -sign and f"Fatal Python error: {said}" in done.stderr, done


def test_the_result_is_the_same(lib):
    arrays = [np.arange(4, dtype=np.int32), np.zeros(4, np.int32)]
    here = lib.add[4].options(print=lambda text: None)(*arrays, 3)
    there = adds(lib, 3)
    assert (here.records, here.task_type, here.task_type_from) == (there.records, there.task_type, there.task_type_from)
    here, there = lib.add[4].options(check="all", print=lambda text: None), {"check": "all", "rests_on": True}
    assert [str(f) for f in here(*arrays, 3).findings] == [str(f) for f in adds(lib, 3, **there).findings]


def test_the_estimate_comes_back(lib):
    x, y = np.arange(2, dtype=np.int32), np.zeros(2, np.int32)
    here, there = (lib.add[2].options(isolated=isolated, print=lambda _: None) for isolated in (False, True))
    assert there.time(x, y, 1).data == here.time(x, y, 1).data
    result = there.options(time={"l2": "warm"})(x, y, 1)
    assert str(result.estimate) == str(here.time(x, y, 1, l2="warm"))
    assert there(x, y, 1).estimate is None


def test_prints_lines_of_the_log_and_progress_come_back(lib):
    printed, logged, told = [], [], []
    apart(lib.add, print=printed.append, log=logged.append)(np.zeros(4, np.int32), np.zeros(4, np.int32), 7)
    assert "".join(printed) == "[AIV Block 0/1] adds 7\n" or "".join(printed).endswith("adds 7")
    with pytest.raises(KernelError):
        apart(lib.forever, 2, timeout=0.5, progress=lambda *counts: told.append(counts), log=logged.append)(
            np.zeros(4, np.int32)
        )
    assert told and set(told) <= {(0, 2), (1, 2)} and any("Adds" in line for line in logged)


def test_all_kinds_of_arguments(lib):
    x = np.full(4, 3, np.int32)
    apart(lib.pairs)(sfumato.Struct(array=x, factor=np.int32(5)))
    assert x.tolist() == [15, 3, 3, 3]
    y = np.zeros(4, np.int32)
    apart(lib.list)([x, y])
    assert y.tolist() == [4, 0, 0, 0]
    apart(lib.add, print=lambda text: None)(x, x, 1)  # one array twice
    assert x.tolist() == [16, 3, 3, 3]
    apart(lib.add, print=lambda text: None)(np.zeros(4, np.int32), np.zeros((4, 1024), np.int32)[2], 1)


def test_arrays_that_share_some_bytes_and_arrays_that_cannot_be_written(lib):
    x = np.zeros(8, np.int32)
    fixed = np.zeros(4, np.int32)
    fixed.flags.writeable = False
    for arrays in ((x[:5], x[3:]), (x, fixed)):
        texts = []
        for options in ({}, {"isolated": True}):
            with pytest.raises(sfumato.Error) as caught:
                lib.add[1].options(print=lambda text: None, **options)(*arrays, 1)
            texts.append((type(caught.value), str(caught.value)))
        assert texts[0] == texts[1]


def test_a_timeout(lib, path):
    with pytest.raises(KernelError) as caught:
        apart(lib.stay, timeout=0.05)(np.zeros(4, np.int32))
    assert (
        str(caught.value)
        == f"""\
fault [timeout] the launch took longer than its timeout of 0.05 s
  where:  {path}:24, kernel stay (Ascend910B1)
  found:  aiv0: in code without instructions, after 0 of them
  legal:  an end within 0.05 s
  do:     look for a loop in scalar or host code that never ends: it cannot be stopped at an instruction"""
    )


@pytest.mark.parametrize("kernel", ["stay", "forever"])
def test_ctrl_c(lib, kernel):
    before = signal.getsignal(signal.SIGINT)
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt) as caught:
        apart(lib[kernel])(np.zeros(4, np.int32))
    assert caught.value.__cause__.rule == "interrupted"
    assert signal.getsignal(signal.SIGINT) is before
    adds(lib, 2)


def test_threads_have_a_process_each(lib):
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for _ in pool.map(lambda n: adds(lib, n), range(40)):
            pass


def test_a_server_that_was_killed_is_replaced(lib):
    adds(lib, 1)
    server = _isolated._server.process
    os.kill(server.pid, signal.SIGKILL)
    server.wait()
    adds(lib, 1)
    assert _isolated._server.process is not server
    threading.Timer(0.2, _isolated._server.process.kill).start()
    with pytest.raises(KernelError) as caught:
        apart(lib.stay)(np.zeros(4, np.int32))
    assert (caught.value.rule, caught.value.found) == (
        "process-lost",
        "the fork server was ended, and the process with it",
    )
    adds(lib, 1)


@pytest.mark.parametrize("how", range(7))
def test_no_kernel_runs_in_a_process_that_another_changed(lib, how):
    x = np.zeros(1, np.int32)
    change = lib.change[1].options(isolated=True)
    assert change(x, how).ok and x[0]
    before = x[0]
    assert change(x, 0).ok and (x[0] == before) == (how == 0)
    adds(lib, 1)


def test_a_source_that_changed(tmp_path):
    path = tmp_path / "change.cpp"
    path.write_text(SOURCE)
    lib = sfumato.compile(path, chip=CHIP, defines={"UNLIKE": "1"})
    path.write_text(SOURCE + "// changed\n")
    with pytest.raises(sfumato.Error) as caught:
        adds(lib, 1)
    assert str(caught.value) == f"isolated: {path} is not what it was when it was compiled; call sfumato.compile again"


def test_names_and_the_compiler_are_those_of_when_it_was_compiled(tmp_path, monkeypatch):
    stores = '#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void k(__gm__ int32_t* x) { x[0] = %d; }\n'
    own = tmp_path / "own-c++"
    own.write_text(f'#!/bin/sh\nexec {os.environ.get("SFUMATO_CXX", "c++")} "$@"\n')
    own.chmod(0o755)
    kernels = []
    for number in range(3):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "k.cpp").write_text(stores % number)
        monkeypatch.chdir(folder)
        if number == 2:
            monkeypatch.setenv("SFUMATO_CXX", str(own))
        kernels.append(sfumato.compile("k.cpp", chip=CHIP).k.options(isolated=True))
    monkeypatch.delenv("SFUMATO_CXX")
    monkeypatch.chdir("/")
    for number in (0, 1, 2, 0):
        x = np.array([9], np.int32)
        kernels[number][1](x)
        assert x[0] == number


def test_defaults(lib, monkeypatch):
    ids = []
    monkeypatch.setattr(
        _isolated, "launch", lambda *arguments: ids.append(1) or sfumato._native.launch(*_plain(*arguments))
    )
    launcher = lib.add[1].options(print=lambda text: None)
    arrays = np.zeros(4, np.int32), np.zeros(4, np.int32), 1
    launcher(*arrays)
    assert ids == []
    monkeypatch.setenv("SFUMATO_ISOLATED", "1")
    launcher(*arrays)
    launcher.options(isolated=False)(*arrays)
    assert ids == [1]
    assert sfumato.set_default(isolated=False) is None
    launcher(*arrays)
    assert sfumato.set_default(isolated=None) is False
    monkeypatch.setenv("SFUMATO_ISOLATED", "yes")
    with pytest.raises(sfumato.Error) as caught:
        launcher(*arrays)
    assert str(caught.value) == "SFUMATO_ISOLATED is 'yes'; legal are 1 and 0" and ids == [1]


def _plain(kernels, _recipe, *rest):
    return (kernels, *rest)


@pytest.mark.parametrize("value", [1, "yes"])
def test_no_truth(lib, value):
    with pytest.raises(sfumato.Error) as caught:
        lib.add[1].options(isolated=value)
    assert str(caught.value) == f"options: isolated={value!r} must be True, False or None"


def test_the_server_ends_with_its_client(path):
    script = f"""\
import numpy as np, sfumato, os
from sfumato import _isolated
lib = sfumato.compile({str(path)!r}, chip={CHIP!r})
x = np.zeros(4, np.int32)
lib.add[1].options(isolated=True, print=lambda text: None)(x, x, 1)
print(_isolated._server.process.pid, _isolated._server.idle[0].pid, flush=True)
os.kill(os.getpid(), 9)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == -signal.SIGKILL, done.stderr
    for pid in map(int, done.stdout.split()):
        for _ in range(200):
            if not os.path.exists(f"/proc/{pid}") or " Z " in open(f"/proc/{pid}/stat").read():
                break
            threading.Event().wait(0.05)
        else:
            raise AssertionError(f"process {pid} has outlived its client")


def test_under_random_interrupts_timeouts_crashes_and_forks():
    script = control_stress.__file__
    done = subprocess.run([sys.executable, script, "60"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
