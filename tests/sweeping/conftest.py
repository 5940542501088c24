# SPDX-License-Identifier: Apache-2.0
"""A folder with an operator, kernels and references for each module of tests."""

import shutil
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parents[1] / "support"))

from some_cases import KERNELS, REFERENCES, ROOT  # noqa: E402


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("cases")
    shutil.copytree(ROOT / "examples" / "operator", path / "Axpy")
    (path / "twice.cpp").write_text(KERNELS)
    (path / "broken.cpp").write_text(KERNELS.replace("Muls(a", "Mulls(a"))
    (path / "refs.py").write_text(REFERENCES)
    return path


@pytest.fixture
def in_folder(folder, monkeypatch):
    monkeypatch.chdir(folder)
    return folder
