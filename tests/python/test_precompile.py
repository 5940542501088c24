# SPDX-License-Identifier: Apache-2.0
"""What kernels include first, compiled once: used where it changes nothing, harmless where it is damaged or old."""

import os
import shutil
from pathlib import Path

import numpy as np
import pytest
import sfumato

CHIP = "Ascend910B1"
KERNEL = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void fill(GM_ADDR x) {
    for (int i = 0; i < 8; ++i) ((__gm__ int32_t*)x)[i] = VALUE;
}
"""


class Compiler:
    """g++ that writes down what it is asked, and a folder to work in."""

    def __init__(self, folder):
        self.path, self.log, self.script = folder, folder / "log", folder / "g++"
        self.script.write_text(f'#!/bin/sh\nfor word in "$@"; do echo "$word"; done >> {self.log}\nexec g++ "$@"\n')
        self.script.chmod(0o755)

    def words(self):
        words = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return words

    def used(self):
        """Whether the commands since the last call began with a prefix; and that there were some."""
        words = self.words()
        assert words
        return any("sfumato-prefix-" in word for word in words)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """One prefix for all tests, which takes seconds to make."""
    one = Compiler(tmp_path_factory.mktemp("precompile"))
    one.prefix = one.path / "prefix"
    one.prefix.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SFUMATO_CXX", str(one.script))
        assert sfumato.precompile(CHIP, folder=one.prefix)
    return one


@pytest.fixture
def compiler(made, tmp_path, monkeypatch):
    monkeypatch.setenv("SFUMATO_CXX", str(made.script))
    monkeypatch.setenv("SFUMATO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SFUMATO_PREFIX", str(made.prefix))
    monkeypatch.setenv("SFUMATO_PRECOMPILE", "0")
    made.path = tmp_path
    made.words()
    return made


def fill(folder, value, text=KERNEL, name="fill.cpp", **options):
    path = folder.path / name
    path.write_text(text.replace("VALUE", str(value)))
    x = np.zeros(8, np.int32)
    sfumato.compile(path, chip=CHIP, **options).fill[1](x)
    return x.tolist()


def test_it_is_used_and_the_kernel_is_the_same(compiler):
    assert fill(compiler, 2) == [2] * 8
    assert compiler.used()
    # It is there, and up to date.
    assert sfumato.precompile(CHIP, folder=compiler.prefix)
    assert compiler.words() == []


@pytest.mark.parametrize(
    "text",
    [
        "#define VECTOR_FIRST\n" + KERNEL,
        '#include <vector>\n#include "kernel_operator.h"\n' + KERNEL.partition("\n")[2],
        "typedef int early;\n" + KERNEL,
    ],
)
def test_what_stands_before_the_include_keeps_its_meaning(compiler, text):
    assert fill(compiler, 3, text) == [3] * 8
    assert not compiler.used()


def test_a_header_of_the_program_comes_first(compiler):
    (compiler.path / "kernel_operator.h").write_text("#include_next <kernel_operator.h>\n#define OWN 5\n")
    assert fill(compiler, "OWN") == [5] * 8
    assert not compiler.used()


def test_defines_share_it(compiler):
    assert fill(compiler, "SEVEN", defines={"SEVEN": 7}) == [7] * 8
    assert compiler.used()
    # A name that stands in a header: g++ compiles it anew.
    assert fill(compiler, "sizeof(AscendC::TPipe) > 0", defines={"TPipe": "TPipe", "AscendC": "AscendC"}) == [1] * 8


def test_other_flags_are_another(compiler):
    assert fill(compiler, 8, flags=["-O2"]) == [8] * 8
    assert not compiler.used()


@pytest.mark.parametrize("wrong", ["nothing_of_the_kind", "static_cast<AscendC::TPipe>(3)"])
def test_errors_read_the_same(compiler, monkeypatch, wrong):
    told = []
    for _ in range(2):
        with pytest.raises(sfumato.CompileError) as error:
            fill(compiler, wrong)
        told.append((str(error.value), [str(finding) for finding in error.value.findings]))
        monkeypatch.delenv("SFUMATO_PREFIX", raising=False)
    assert told[0] == told[1]
    assert "sfumato-prefix" not in told[0][0]


def cut(path):
    os.truncate(path, path.stat().st_size // 2)


def change_a_byte(path):
    """As a bad disk does: size and times stay."""
    before = path.stat()
    with path.open("r+b") as file:
        file.seek(before.st_size // 2)
        byte = file.read(1)[0]
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte ^ 1]))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("damage", [cut, change_a_byte])
def test_a_damaged_one_is_none(compiler, tmp_path, monkeypatch, damage):
    shutil.copytree(compiler.prefix, tmp_path / "prefix")
    monkeypatch.setenv("SFUMATO_PREFIX", str(tmp_path / "prefix"))
    (compiled,) = (tmp_path / "prefix").glob("*.gch")
    damage(compiled)
    assert fill(compiler, 4) == [4] * 8
    assert not compiler.used()


def test_a_changed_header_compiles_again(compiler, tmp_path, monkeypatch):
    fill(compiler, 1)
    words = compiler.words()
    own = [Path(words[i + 1]) for i, word in enumerate(words) if word == "-isystem"]
    copies = []
    for i, folder in enumerate(folder for folder in own if folder.name != "libc"):
        copies.append(compiler.path / f"include{i}")
        shutil.copytree(folder, copies[-1])
    monkeypatch.setenv("SFUMATO_INCLUDE", os.pathsep.join(map(str, copies)))
    header = next(folder / "kernel_operator.h" for folder in copies if (folder / "kernel_operator.h").exists())
    old = 1_600_000_000
    for folder in copies:
        for file in folder.rglob("*"):
            os.utime(file, (old, old))
    monkeypatch.setenv("SFUMATO_PREFIX", str(tmp_path / "prefix"))
    assert sfumato.precompile(CHIP, folder=tmp_path / "prefix")
    compiler.words()
    assert fill(compiler, 2) == [2] * 8
    assert compiler.used()
    header.write_text(header.read_text() + "#define ADDED 9\n")
    assert fill(compiler, "ADDED") == [9] * 8
    assert not compiler.used()
    # The object of before rests on the header, though the compiler read the compiled form.
    assert fill(compiler, 2) == [2] * 8
    assert not compiler.used()


def test_the_environment_asks_for_it(compiler, monkeypatch):
    monkeypatch.setenv("SFUMATO_PRECOMPILE", "1")
    assert fill(compiler, 6) == [6] * 8
    assert compiler.used()
    assert list((compiler.path / "cache").glob("sfumato-prefix-*.gch"))


def test_wrong_arguments_are_told(compiler):
    with pytest.raises(sfumato.Error, match="chip"):
        sfumato.precompile("Ascend999")
