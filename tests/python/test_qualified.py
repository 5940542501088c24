# SPDX-License-Identifier: Apache-2.0
"""Qualifiers, arrays in local memory and addresses by hand, as the board's compiler takes them, with g++ and clang."""

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import sfumato

FOLDER = Path(__file__).with_name("qualified")
CHIP = "Ascend910B1"
COUNT, BLOCKS = 128, 3
X = (np.arange(COUNT * BLOCKS) % 37 - 11).astype(np.float32)
Y = (np.arange(COUNT * BLOCKS) % 23 - 7).astype(np.float32)
LANES = np.arange(COUNT * BLOCKS) % COUNT
RIGHT = {
    "add": X + Y,
    "scale": X * 8,
    "maximum": np.maximum(X, Y),
    "subtract": X - Y,
    "halves": X + LANES // 64,
    "names": np.full_like(X, 3 + 1 + 40 + 1 + 40 + 100 + 30),
    "scalars": X * 2 + LANES,
    "instances": X * Y,
    "places": np.array([12, 24, 1, 32, 96], np.float32)[LANES % 5],
    "tensors": (X + 1) * 3,
}
WRONG = {
    "unwaited": "race",
    "unwritten": "uninitialised-read",
    "too_large": "static-array-full",
    "with_pipe": "static-array-and-pipe",
    "far_away": "ub-pointer",
}
CLANG = shutil.which("clang++-13")
KERNEL = '#include "kernel_operator.h"\n'
SPECIAL = (
    KERNEL
    + """struct Op {
    template <int kind> __aicore__ int Do(int x) { return x; }
    template <> __aicore__ int Do<1>(int x) { return x + 1; }
};
extern "C" __global__ __aicore__ void k(__gm__ int32_t* x) { Op op; x[0] = op.Do<0>(10) + op.Do<1>(100); }
"""
)


@pytest.fixture(autouse=True)
def scratch(tmp_path, monkeypatch):
    monkeypatch.setenv("SFUMATO_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def compile(source, **options):
    flags = ["-isystem", str(FOLDER / "system"), "-Wall", "-Wextra", "-Wno-unused-parameter"]
    return sfumato.compile(source, chip=CHIP, include_dirs=[FOLDER / "include"], flags=flags, **options)


def command(*words, code=0):
    done = subprocess.run([os.environ["SFUMATO_COMMAND"], *words], capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("compiler", ["g++", *(["clang++-13"] if CLANG else [])])
def test_right_kernels(compiler, monkeypatch):
    monkeypatch.setenv("SFUMATO_CXX", compiler)
    lib = compile(FOLDER / "kernels.cpp")
    assert list(lib.warnings) == []
    for name, want in RIGHT.items():
        for options in ({"schedule": "all"}, {"schedule": "late", "check": "all"}):
            z = np.zeros_like(X)
            result = getattr(lib, name)[BLOCKS].options(**options)(X.copy(), Y.copy(), z)
            assert [str(finding) for finding in result.findings] == [], name
            np.testing.assert_array_equal(z, want, name)


def test_wrong_kernels_and_their_twins():
    lib = compile(FOLDER / "wrong.cpp", instantiations=[f"{n}<{half}>" for n in WRONG for half in ("true", "false")])
    for name, rule in WRONG.items():
        for half in ("true", "false"):
            x = np.arange(64, dtype=np.float32)
            try:
                findings = lib[f"{name}<{half}>"][1].options(check="all", schedule="eager")(x).findings
            except sfumato.KernelError as error:
                findings = [error]
            assert [finding.rule for finding in findings] == ([rule] if half == "true" else []), name
            if half == "false":
                np.testing.assert_array_equal(x, np.arange(1, 65, dtype=np.float32))


def test_columns_of_errors_stay(scratch):
    (scratch / "h.h").write_text("#pragma once\n[host, aicore] inline int F() { int none; return nothing; }\n")
    lines = [
        KERNEL.strip(),
        '#include "h.h"',
        "__forceinline__ [aicore] int G() { return missing; }",
        'extern "C" __global__ [aicore] void k(GM_ADDR x) {',
        "    __ubuf__ float a[8]; absent = 1; __ubuf__ half b[4]; hidden = 2;",
        "    auto* p = (__ubuf__ float*)(0x40); gone = p;",
        "}",
    ]
    (scratch / "k.cpp").write_text("\n".join(lines) + "\n")
    said = command("run", "k.cpp", "--chip", CHIP, "--flag=-Wall", "--", "workspace:64", code=3)
    places = [("k.cpp", i + 1, line.find(word) + 1) for i, line in enumerate(lines) for word in
              ("missing", "absent", "hidden", "gone") if word in line]  # fmt: skip
    for file, line, column in [*places, ("h.h", 2, 50)]:
        assert f"{file}:{line}:{column}: error:" in said, said
    assert "h.h:2:37: warning: unused variable" in said
    assert "/tmp" not in said.replace(str(scratch), "") and "SFUMATO_LOCAL" not in said


@pytest.mark.skipif(not CLANG, reason="one compiler")
def test_a_source_that_one_compiler_takes(scratch, monkeypatch):
    (scratch / "k.cpp").write_text(SPECIAL)
    monkeypatch.delenv("SFUMATO_CXX", raising=False)
    monkeypatch.setenv("CXX", "g++")
    for said in ("compiled with", ""):
        x = np.zeros(1, np.int32)
        np.save("x.npy", x)
        told = command("run", "k.cpp", "--chip", CHIP, "--", "inout:x.npy=y.npy")
        assert (said in told) if said else "compiled with" not in told  # the cache has it
        assert np.load("y.npy").tolist() == [111]
    told = command("build", "-c", "k.cpp", "-o", "k.o")
    assert "k.cpp: compiled with " in told and "since " in told
    monkeypatch.setenv("SFUMATO_CXX", "g++")
    told = command("run", "k.cpp", "--chip", CHIP, "--", "workspace:4", code=3)
    assert "g++ takes no explicit specialization inside a class (CWG 727), clang does" in told
    # Neither takes it: what the first said.
    monkeypatch.delenv("SFUMATO_CXX")
    (scratch / "k.cpp").write_text(SPECIAL.replace("op.Do<0>", "op.Undo<0>"))
    told = command("run", "k.cpp", "--chip", CHIP, "--", "workspace:4", code=3)
    assert "explicit specialization in non-namespace scope" in told and "install" not in told


def test_asserts_that_do_not_compile(scratch):
    slip = """#pragma once
__aicore__ inline int Slip(int n) {
    ASSERT(n > 0 && nobody > 3);
    ASSERT(n < 7 && "kept");
    n ASSERT(n != 0 &&
             n != 1)
    ;
    return n;
}
"""
    (scratch / "slip.h").write_text(slip)
    source = (
        '#include "slip.h"\nextern "C" __global__ __aicore__ void k(__gm__ int32_t* x, int n) { x[0] = Slip(n); }\n'
    )
    (scratch / "k.cpp").write_text(KERNEL + source)
    np.save("x.npy", np.zeros(1, np.int32))
    words = ("run", "k.cpp", "--chip", CHIP, "--", "inout:x.npy=y.npy")
    told = command(*words, "int32:5")
    assert [line.split(": this ASSERT")[0][-8:] for line in told.splitlines() if "this ASSERT" in line] == [
        "slip.h:3",
        "slip.h:5",
    ]
    assert np.load("y.npy").tolist() == [5]
    assert "kept" in command(*words, "int32:9", code=4)
    told = command("build", "-c", "k.cpp", "-o", "k.o")
    assert told.count("this ASSERT does not compile and is left out") == 2
    (scratch / "slip.h").write_text(slip.replace("return n", "return none"))
    told = command(*words, "int32:5", code=3)
    assert "this ASSERT" not in told and "nobody" in told and "none" in told


def test_words_that_mean_nothing_here(scratch):
    source = """extern "C" __attribute__((cce_kernel)) __global__ __aicore__ void k(__gm__ int32_t* x) {
#pragma unroll
    for (int i = 0; i < 3; ++i) x[0] += i;
    asm volatile("" ::: "memory");
}
"""
    (scratch / "k.cpp").write_text(KERNEL + source)
    np.save("x.npy", np.zeros(1, np.int32))
    told = command("run", "k.cpp", "--chip", CHIP, "--flag=-Wall", "--", "inout:x.npy=y.npy")
    assert "k.cpp" not in told and np.load("y.npy").tolist() == [3]


HOST = """#include <cstdio>
#include "acl/acl.h"
#include "kernel_operator.h"
#include "words.h"
[host, aicore] inline uint32_t Both(uint32_t n) { return 2 * n; }
__global__ [aicore] void k(__gm__ float* x) {
    __ubuf__ float a[8]; extern __ubuf__ float d[];
    copy_gm_to_ubuf(d, x, 0, 1, 8, 0, 0);
    Wait(PIPE_MTE2, PIPE_V);
    vadds(d, d, float(Both(4)), 1, 1, 1, 8, 8);
    Wait(PIPE_V, PIPE_MTE3);
    copy_ubuf_to_gm(x, d, 0, 1, 8, 0, 0);
    __ubuf__ float b[8];
    if ((uint64_t)b - (uint64_t)d != BYTES || (uint64_t)d - (uint64_t)a != 32) x[1] = -1;
}
int main() {
    aclInit(nullptr);
    aclrtSetDevice(0);
    void* x = nullptr;
    float y[64] = {1, 2};
    aclrtMalloc(&x, 256, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(x, 256, y, 256, ACL_MEMCPY_HOST_TO_DEVICE);
    k<<<1, BYTES, nullptr>>>((float*)x);
    const auto code = aclrtSynchronizeStream(nullptr);
    aclrtMemcpy(y, 256, x, 256, ACL_MEMCPY_DEVICE_TO_HOST);
    std::printf("%d %g %g %u\\n", code != 0, y[0], y[1], Both(words::Shape(2, 3).rows));
}
"""


def test_a_program_with_dynamic_ub(scratch, monkeypatch):
    (scratch / "p.asc").write_text(HOST)
    monkeypatch.setenv("CPATH", str(FOLDER / "include"))
    monkeypatch.setenv("CPLUS_INCLUDE_PATH", str(FOLDER / "system"))
    for size, printed in ((256, "0 9 10 4\n"), (196608, "1 1 2 4\n")):
        assert command("build", "p.asc", "-o", "p", f"-DBYTES={size}") == ""
        done = subprocess.run(["./p"], capture_output=True, text=True)
        assert done.stdout == printed, done.stderr
        assert ("static-array-full" in done.stderr) == (size > 256)
