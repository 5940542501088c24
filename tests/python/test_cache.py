# SPDX-License-Identifier: Apache-2.0
"""cache=: a folder, the usual place, or none, which is neither read nor written."""

import shutil
from pathlib import Path

import numpy as np
import pytest

import sfumato

CHIP = "Ascend910B1"
SOURCE = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void first(__gm__ float* x) { x[0] = 1; }
"""
OPERATOR = Path(__file__).resolve().parents[2] / "examples" / "operator"


@pytest.fixture
def usual(tmp_path, monkeypatch):
    """The user's cache."""
    monkeypatch.setenv("SFUMATO_CACHE", str(tmp_path / "usual"))
    (tmp_path / "first.cpp").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "usual"


@pytest.mark.parametrize("none", [None, False, "none"])
def test_none_writes_nothing(usual, none):
    for _ in range(2):
        lib = sfumato.compile("first.cpp", chip=CHIP, cache=none)
        assert not lib.from_cache and not lib.warnings
    x = np.zeros(1, np.float32)
    for isolated in (False, True):
        lib.first[1].options(isolated=isolated)(x)
    lib.first[1].options(check="raw", warn=False)(x)
    assert x[0] == 1 and not usual.exists() and not Path("none").exists()


def test_none_reads_nothing(usual):
    sfumato.compile("first.cpp", chip=CHIP)
    assert sfumato.compile("first.cpp", chip=CHIP).from_cache
    held = sorted(usual.iterdir())
    assert not sfumato.compile("first.cpp", chip=CHIP, cache=None).from_cache
    assert sorted(usual.iterdir()) == held


def test_a_folder(usual, tmp_path):
    sfumato.compile("first.cpp", chip=CHIP, cache=tmp_path / "own")
    assert sfumato.compile("first.cpp", chip=CHIP, cache=str(tmp_path / "own")).from_cache
    assert not usual.exists()


def test_operators(usual, tmp_path):
    shutil.copytree(OPERATOR, tmp_path / "op")
    op = sfumato.load_op(tmp_path / "op", chip=CHIP, cache=None)
    x = np.arange(16, dtype=np.float32)
    assert np.array_equal(op(x, x, alpha=2.0), 3 * x)
    assert not op.from_cache and not usual.exists()
