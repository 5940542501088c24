# SPDX-License-Identifier: Apache-2.0
"""Kernels with names that something else has: functions and variables of the C library, macros, namespaces, types."""

import random
import re
import shutil
import subprocess
import time

import numpy as np
import pytest
from conftest import CHIP

import sfumato

COUNT = 200
HEADERS = "#include <cassert>\n#include <cerrno>\n#include <cmath>\n#include <sys/sysmacros.h>\n"
KERNEL = """extern "C" __global__ __aicore__ void {name}(__gm__ int32_t* x, __gm__ int32_t* y) {{
    y[0] = x[0] + {number} + int32_t(std::log(1.0));
}}
"""
# In no library, or another in every header. Data of this test: the code asks the preprocessor.
DECLARED = ["errno", "assert", "std", "main", "major", "half", "EOF", "div_t", "INFINITY", "isnan", "AscendC", "NULL"]


def exported():
    """Names that libc, libm and libstdc++ export."""
    names = set()
    for library in ("libc.so.6", "libm.so.6", "libstdc++.so.6"):
        listed = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, check=False).stdout
        path = next((line.split()[-1] for line in listed.splitlines() if line.split()[:1] == [library]), None)
        if path is None or shutil.which("nm") is None:
            pytest.skip(f"no nm, or no {library} in ldconfig -p")
        told = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True).stdout
        names |= {line.split()[-1].split("@")[0] for line in told.splitlines()}
    names -= {
        name for name in names if re.fullmatch("__.*__", name)
    }  # Python's own, which dir() of a library leaves out
    return sorted(name for name in names if re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name))


def run_all(names):
    source = HEADERS + '#include "kernel_operator.h"\n'
    source += "".join(KERNEL.format(name=name, number=number) for number, name in enumerate(names))
    lib = sfumato.compile(source, chip=CHIP)
    assert sorted(lib.kernels) == sorted(names)
    for number, name in enumerate(names):
        y = np.zeros(1, np.int32)
        result = lib[name][1](np.array([1000], np.int32), y)
        assert (name, y[0], result.ok) == (name, 1000 + number, True)


def test_names_that_libraries_export():
    seed = time.time_ns()
    print("seed", seed)
    run_all(random.Random(seed).sample(exported(), COUNT))


def test_names_that_begin_with_underscores():
    names = ["__res_init", "_once", "__twice_"]
    source = "".join(KERNEL.format(name=name, number=1) for name in names)
    lib = sfumato.compile(f'{HEADERS}#include "kernel_operator.h"\n{source}', chip=CHIP)
    for name in names:
        assert name in dir(lib) and getattr(lib, name).name == name
    for name in ("__res", "__array__", "__wrapped__"):
        assert not hasattr(lib, name)


def test_names_that_headers_have():
    run_all(DECLARED)


@pytest.mark.parametrize("name", ["exp", "errno"])
def test_reports_have_the_name(name):
    source = HEADERS + '#include "kernel_operator.h"\n'
    source += f'extern "C" __global__ __aicore__ void {name}(GM_ADDR x) {{ AscendC::Trap(); }}\n'
    with pytest.raises(sfumato.KernelError) as caught:
        sfumato.compile(source, chip=CHIP)[name][1](np.zeros(8, np.uint8))
    assert f"kernel {name}," in str(caught.value) and "sfumato_named" not in str(caught.value)


def test_messages_have_the_name():
    with pytest.raises(sfumato.CompileError) as caught:
        sfumato.compile(
            HEADERS + '#include "kernel_operator.h"\n__global__ __aicore__ void exp(int* x) { x = 1.5; }\n', chip=CHIP
        )
    assert "void exp(int*)" in str(caught.value)


def test_a_macro_of_the_users_own():
    source = '#include "kernel_operator.h"\n#define store(x) (x)[0] = 7\n#define set set_seven\n'
    source += 'extern "C" __global__ __aicore__ void set(__gm__ int32_t* y) { store(y); }\n'
    lib = sfumato.compile(source, chip=CHIP)
    y = np.zeros(1, np.int32)
    lib["set"][1](y)
    assert y[0] == 7
