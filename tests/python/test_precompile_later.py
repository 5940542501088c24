# SPDX-License-Identifier: Apache-2.0
"""What kernels include first, compiled in the background: made once, of bounded size, and never in anybody's way."""

import fcntl
import os
import re
import shutil
import subprocess
import sys
import warnings

import numpy as np
import pytest
import sfumato
from installation import COMMAND

CHIP = "Ascend910B1"
KERNEL = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void fill(GM_ADDR x) {
    for (int i = 0; i < 8; ++i) ((__gm__ int32_t*)x)[i] = VALUE;
}
"""
# Compiles in a process of its own, and says how many children it has left, ended ones included.
PROGRAM = """import os, sys, sfumato
sfumato.compile(sys.argv[1], chip="Ascend910B1")
try:
    print("children", os.waitpid(-1, os.WNOHANG))
except ChildProcessError:
    print("no children")
"""


COMPILERS = [
    pytest.param(name, marks=pytest.mark.skipif(not shutil.which(name), reason=f"{name} was not found"))
    for name in ("g++", "g++-11", "clang++-16")
]


class Place:
    """A folder with a cache and a compiler that writes down what it is asked; `for_header` is shell code that it runs first
    where it is asked for a prefix."""

    def __init__(self, folder, name):
        self.path, self.cache, self.log, self.name = folder, folder / "cache", folder / "log", name
        self.script, self.count = folder / name, 0
        self.compiler()

    def compiler(self, for_header=""):
        self.script.write_text(
            f'#!/bin/sh\ncase "$*" in *c++-header*) echo header >> {self.log}\n{for_header} ;;\n'
            f'*sfumato-prefix-*) echo used >> {self.log} ;; *) echo plain >> {self.log} ;; esac\nexec {self.name} "$@"\n'
        )
        self.script.chmod(0o755)

    def source(self, text=KERNEL):
        """Another one each time."""
        self.count += 1
        path = self.path / f"fill{self.count}.cpp"
        path.write_text(text.replace("VALUE", str(self.count)))
        return path

    def fill(self, **options):
        """A new kernel, run."""
        x = np.zeros(8, np.int32)
        sfumato.compile(self.source(), chip=CHIP, **options).fill[1](x)
        assert x.tolist() == [self.count] * 8

    def wait(self):
        """Until nothing is made in the background. The compiler's words since the last call, without those that ask for
        its version."""
        if (self.cache / "sfumato-prefix-lock").exists():
            with (self.cache / "sfumato-prefix-lock").open() as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
        words = self.log.read_text().split() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return words

    def left(self, pattern):
        return sorted(path.name for path in self.cache.glob(pattern))


@pytest.fixture
def place(tmp_path, monkeypatch, request):
    one = Place(tmp_path, getattr(request, "param", "g++"))
    monkeypatch.setenv("SFUMATO_CXX", str(one.script))
    monkeypatch.setenv("SFUMATO_CACHE", str(one.cache))
    monkeypatch.delenv("SFUMATO_PREFIX", raising=False)
    monkeypatch.delenv("SFUMATO_PRECOMPILE", raising=False)
    yield one
    one.wait()


@pytest.mark.parametrize("place", COMPILERS, indirect=True)
def test_the_first_kernel_has_it_made_and_later_ones_use_it(place):
    place.fill()
    assert place.wait() == ["plain", "header"]
    place.fill()
    (place.path / "include").mkdir()
    place.fill(include_dirs=[place.path / "include"])
    assert place.wait() == ["used"] * 2
    # clang takes a prefix with other defines than its own, which may change the headers.
    place.fill(defines={"SEVEN": 7})
    assert place.wait() == (["plain", "header"] if "clang" in place.name else ["used"])
    assert not place.left("new-*")


BLOCKED = "while [ ! -e {}/go ]; do sleep 0.01; done"


def test_nobody_waits_for_it(place):
    """Neither the command, nor who reads its pipes; and it is no process that a kernel left behind."""
    place.compiler(BLOCKED.format(place.path))
    np.save(place.path / "x.npy", np.zeros(8, np.int32))
    for _ in range(2):
        words = [COMMAND, "run", place.source(), "--chip", CHIP, "--", place.path / "x.npy"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "0 faults, 0 warnings, 0 notes\n")
    words = [sys.executable, "-c", PROGRAM, place.source()]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("no children\n", "")
    (place.path / "go").touch()
    # One is made for all.
    assert sorted(place.wait()) == ["header", "plain", "plain", "plain"]
    place.fill()
    assert place.wait() == ["used"]


def test_processes_at_once_have_one_made(place):
    place.compiler(BLOCKED.format(place.path))
    words = [[sys.executable, "-c", PROGRAM, place.source()] for _ in range(4)]
    several = [subprocess.Popen(one, stdout=subprocess.PIPE, text=True) for one in words]
    assert [one.communicate()[0] for one in several] == ["no children\n"] * 4
    (place.path / "go").touch()
    assert place.wait().count("header") == 1


def test_one_that_fails_is_not_tried_again_at_once(place):
    place.compiler("exit 1")
    place.fill()
    assert place.wait() == ["plain", "header"]
    place.fill()
    assert place.wait() == ["plain"]
    (failed,) = place.cache.glob("sfumato-prefix-*.d")
    os.utime(failed, (0, 0))
    place.compiler()
    place.fill()
    place.fill()
    place.wait()
    place.fill()
    assert place.wait()[-1] == "used"


def test_one_that_is_killed_is_made_by_the_next(place):
    place.compiler(f"if [ ! -e {place.path}/killed ]; then touch {place.path}/killed; kill -9 $PPID; exit 1; fi")
    place.fill()
    place.wait()
    assert not place.left("*.gch")
    place.fill()
    assert place.wait() == ["plain", "header"]
    place.fill()
    assert place.wait() == ["used"]


@pytest.mark.parametrize("damage", ["cut", "gone", "list"])
def test_a_damaged_one_is_made_anew(place, damage):
    place.fill()
    place.wait()
    (made,) = place.cache.glob("*.gch")
    if damage == "list":  # before anybody has looked at it
        (listed,) = place.cache.glob("sfumato-prefix-*.d")
        listed.write_text("object: /no/such/header.h\n")
    else:
        place.fill()
        assert place.wait() == ["used"]
        os.truncate(made, 1000) if damage == "cut" else made.unlink()
    place.fill()
    assert place.wait() == ["plain", "header"]
    place.fill()
    assert place.wait() == ["used"]


def test_another_compiler_has_its_own(place):
    place.fill()
    place.wait()
    place.compiler("true")  # of another size
    place.fill()
    assert place.wait() == ["plain", "header"]
    place.fill(flags=["-O2"])
    assert place.wait() == ["plain", "header"]
    assert len(place.left("*.gch")) == 3


def test_headers_that_are_found_nearer_are_taken(place):
    place.fill()
    place.wait()
    own = place.path / "own" / "sfumato"
    own.mkdir(parents=True)
    (own / "kernel_entry.h").write_text("#include_next <sfumato/kernel_entry.h>\n")
    place.fill(include_dirs=[own.parent])
    (own.parent / "vector").write_text("#include_next <vector>\n")
    (own / "kernel_entry.h").unlink()
    place.fill(include_dirs=[own.parent])
    # Others use the one that is there.
    assert place.wait() == ["plain", "plain"]
    place.fill()
    assert place.wait() == ["used"]


def test_the_bytes_are_bounded(place, monkeypatch):
    monkeypatch.setenv("SFUMATO_PRECOMPILE_MB", "100")
    for level in (["-O1"], ["-O2"]):
        place.fill(flags=level)
        place.wait()
        place.fill(flags=level)
        assert place.wait() == ["used"]
    assert len(place.left("*.gch")) == 1
    assert len(place.left("sfumato-prefix-*.h")) == 1
    place.fill(flags=["-O2"])
    assert place.wait() == ["used"]  # the older one has gone
    monkeypatch.setenv("SFUMATO_PRECOMPILE_MB", "50")
    place.fill(flags=["-Os"])
    assert place.wait() == ["plain"]


def test_none_is_made_for_one_tiling_key_or_where_nothing_is_kept(place, monkeypatch):
    place.fill(tiling_key=3)
    assert place.wait() == ["plain"]
    (place.path / "file").touch()
    monkeypatch.setenv("SFUMATO_CACHE", str(place.path / "file"))
    place.fill()
    assert place.wait() == ["plain"]


def test_the_environment_forbids_it(place, monkeypatch):
    place.fill()
    place.wait()
    monkeypatch.setenv("SFUMATO_PRECOMPILE", "0")
    place.fill()
    shutil.rmtree(place.cache)
    place.fill()
    assert place.wait() == ["plain", "plain"]
    assert not place.left("sfumato-prefix-*")


WRONG = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void fill(GM_ADDR x) {
    AscendC::GlobalTensor<int32_t> gm;
    gm.SetGlobalBuffer((__gm__ int32_t*)x, 8);
    int32_t local[4];
    for (int i = 0; i <= VALUE; ++i) local[i & 7] = i;
    gm.SetValue(8 + local[0] * 0, 1);
}
"""


@pytest.mark.parametrize("place", COMPILERS, indirect=True)
@pytest.mark.parametrize("check", ["", "raw"])
def test_reports_read_the_same(place, monkeypatch, check):
    told = []
    for value in "01":
        monkeypatch.setenv("SFUMATO_PRECOMPILE", value)
        (place.path / "wrong.cpp").write_text(WRONG.replace("VALUE", "5"))
        shutil.rmtree(place.cache, ignore_errors=True)
        with warnings.catch_warnings(record=True) as warned, pytest.raises(sfumato.KernelError) as error:
            warnings.simplefilter("always")
            sfumato.compile(place.path / "wrong.cpp", chip=CHIP).fill[1].options(check=check)(np.zeros(8, np.int32))
        told.append([str(error.value), *(str(one.message) for one in warned)])
    assert told[0] == told[1]
    lines = [6, 7] if check else [7]
    assert sorted({int(line) for line in re.findall(r"wrong\.cpp:(\d+)", str(told))}) == lines
    assert "used" in place.wait()
