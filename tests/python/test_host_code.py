# SPDX-License-Identifier: Apache-2.0
"""Kernels of sources that have host code with launches beside them: the host code compiles, and nobody calls it."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import sfumato

SOURCE = """#include <cstdio>
#include "acl/acl.h"
#include "kernel_operator.h"
#include "host/run.h"
[aicore] inline int32_t Twice(int32_t n) { return 2 * n; }
extern "C" __global__ __cube__ __aicore__ void fill(GM_ADDR x, int32_t n) {
    ((__gm__ int32_t*)x)[AscendC::GetBlockIdx()] = Twice(n);
}
#define GO(kernel, ...) kernel<<<2, nullptr, stream>>>(__VA_ARGS__)
int main() {
    aclrtStream stream = nullptr;
    void* x = nullptr;
    aclrtMalloc(&x, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    GO(fill, x, 7);
    fill<<<2, nullptr, stream>>>(x, 7);
    Run(fill, x, stream);
}
"""
HEADER = """#pragma once
#include "value.h"
template <class Kernel> void Run(Kernel kernel, void* x, void* stream) { kernel<<<VALUE, nullptr, stream>>>(x, VALUE); }
"""


@pytest.fixture
def source(tmp_path, monkeypatch):
    monkeypatch.setenv("SFUMATO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    (tmp_path / "include/host").mkdir(parents=True)
    (tmp_path / "include/host/run.h").write_text(HEADER)
    (tmp_path / "include/host/value.h").write_text("#define VALUE 3\n")
    (tmp_path / "k.asc").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def compile(**options):
    return sfumato.compile("k.asc", chip="Ascend910B1", include_dirs=["include"], **options)


def filled(lib):
    x = np.zeros(8, np.int32)
    result = lib.fill[4](x, 21)
    return x.tolist(), result.task_type


def test_the_kernel_of_a_program(source):
    lib = compile()
    assert not lib.from_cache and filled(lib) == ([42] * 4 + [0] * 4, "KERNEL_TYPE_AIC_ONLY")
    assert compile().from_cache
    # What an include of the host code says belongs to the source.
    (source / "include/host/value.h").write_text("#define VALUE 4\n")
    assert not compile().from_cache
    assert not any((source / "scratch").iterdir())


def test_the_same_from_the_command(source):
    np.save("x.npy", np.zeros(8, np.int32))
    command = [os.environ["SFUMATO_COMMAND"], "run", "k.asc", "--chip", "Ascend910B1", "--blocks", "3", "-I", "include"]
    done = subprocess.run([*command, "--", "inout:x.npy=y.npy", "int32:5"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert np.load("y.npy").tolist() == [10] * 3 + [0] * 5


def test_a_launch_that_is_none(source):
    (source / "include/host/run.h").write_text(HEADER.replace(">>>", ">>"))
    with pytest.raises(sfumato.CompileError) as error:
        compile()
    assert str(error.value) == (
        "k.asc does not compile for Ascend910B1\n"
        f"{Path('include/host/run.h')}:3:80: error: <<< has no >>>; a launch is "
        "kernel<<<blocks, nullptr, stream>>>(arguments) [sfumato-launch-syntax]"
    )


def test_the_compiler_names_the_files_of_the_user(source):
    def messages():
        with pytest.raises(sfumato.CompileError) as error:
            compile()
        assert str(source / "scratch") not in str(error.value)
        return str(error.value)

    (source / "k.asc").write_text(SOURCE.replace("(fill, x, 7)", "(fill, y, 7)"))
    assert "\nk.asc:14:14: error:" in messages()
    (source / "include/host/run.h").write_text(HEADER.replace("(x, VALUE)", "(x, unknown)"))
    assert "\ninclude/host/run.h:3:" in messages()


def test_a_launch_in_a_branch_that_is_left_out(source):
    (source / "k.asc").write_text(SOURCE.replace("int main", "#ifndef __CCE_AICORE__\nint main") + "#endif\n")
    assert filled(compile())[1] == "KERNEL_TYPE_AIC_ONLY"
