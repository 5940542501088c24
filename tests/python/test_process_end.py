# SPDX-License-Identifier: Apache-2.0
"""exit and abort of a kernel are faults, so that the interpreter, and a test run, goes on."""

import os
import subprocess
import sys

import numpy as np
import pytest
from conftest import CHIP

import sfumato

SOURCE = """\
#include <cstdlib>
#include <unistd.h>
#include "kernel_operator.h"
template <class T> void Leave(T code) { std::exit(code); }
extern "C" __global__ __aicore__ void ends(GM_ADDR x, int32_t how) {
    x[0] = 1;
    if (how == 0) exit(0);
    if (how == 1) _exit(0);
    if (how == 2) std::_Exit(0);
    if (how == 3) quick_exit(0);
    if (how == 4) abort();
    if (how == 5) Leave(0);
}
static const int host = getenv("HOST_ENDS") ? (exit(7), 0) : 0;
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("ends") / "ends.cpp"
    path.write_text(SOURCE)
    return path


@pytest.mark.parametrize("how, line", list(enumerate([7, 8, 9, 10, 11, 4])))
def test_ending_the_process_is_a_fault(path, how, line):
    array = np.zeros(1, np.uint8)
    with pytest.raises(sfumato.KernelError) as caught:
        sfumato.compile(path, chip=CHIP).ends[2](array, how)
    error = caught.value
    name = ["exit", "_exit", "_Exit", "quick_exit", "abort", "exit"][how]
    assert (error.rule, error.instruction, error.line) == ("process-end", name, line)
    assert error.file == str(path) and error.core == "aiv0" and array[0] == 0


def test_host_code_may_exit(path):
    script = f"import sfumato; sfumato.compile({str(path)!r}, chip={CHIP!r}); print('not reached')"
    environment = {**os.environ, "HOST_ENDS": "1"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (7, ""), done.stderr
