# SPDX-License-Identifier: Apache-2.0
"""`sfumato test` in a repository that was written for boards: repository/ builds an extension and tests it."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
import torch

HERE = Path(__file__).parent
COMMAND = Path(os.environ["ASCEND_HOME_PATH"]).parents[2] / "bin/sfumato"


@pytest.fixture(scope="module")
def cloned(tmp_path_factory):
    """A copy of the repository, and a folder for what is kept elsewhere."""
    folder = tmp_path_factory.mktemp("cloned")
    shutil.copytree(HERE / "repository", folder / "gated", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def outcome(cloned, *words, repository=None):
    """sfumato test there; Python is this one, by its name."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    environment["XDG_DATA_HOME"] = str(cloned / "data")
    for name in ("PYTHONPATH", "ASCEND_HOME_PATH", "CUDA_HOME"):
        environment.pop(name, None)
    done = subprocess.run(
        [COMMAND, "test", *words], cwd=repository or cloned / "gated", env=environment, capture_output=True, text=True
    )
    return done.returncode, done.stdout, done.stderr


def installed():
    return {path.name for path in Path(sysconfig.get_paths()["purelib"]).iterdir()}


def test_one_command_builds_and_tests(cloned):
    before = installed()
    code, out, err = outcome(cloned)
    assert "building: python3 -m pip install" in err, err
    assert re.search(r"1 failed, 4 passed", out), out + err
    assert code == 1
    # What failed is the test of a kernel that reads past its argument, and its report is the error.
    assert "fault [gm-out-of-range] DataCopyPad: reads past the end of tensor" in out
    assert "KernelFault" in out and "FAILED tests/test_gate.py::test_sizes_that_differ" in out
    assert installed() == before


def test_what_follows_runs_the_tests(cloned):
    words = ("--", "pytest", "-q", "-k", "test_gate and not differ")
    code, out, err = outcome(cloned, "--no-build", *words)
    assert (code, "building" in err) == (0, False) and "4 passed" in out, out + err


def test_a_build_that_fails_is_shown(cloned):
    folder = cloned / "broken"
    shutil.copytree(HERE / "repository", folder)
    kernel = folder / "csrc/gate.asc"
    kernel.write_text(kernel.read_text().replace("Select(b, mask", "Selekt(b, mask"))
    code, out, err = outcome(cloned, repository=folder)
    assert code == 3 and out == ""
    assert "Selekt" in err and re.search(r"the build failed; all that it said is in \S+/build.log", err)


def test_a_build_that_looks_for_torch_npu_beside_torch(cloned):
    """Its headers and its library, and Python's headers, without a word of where they are."""
    folder = cloned / "beside"
    folder.mkdir()
    (folder / "ext.cpp").write_text(
        "#include <Python.h>\n#if !__has_include(<torch_npu/csrc/core/npu/NPUStream.h>)\n"
        "#error none\n#endif\nint version() { return PY_MAJOR_VERSION; }\n"
    )
    beside = Path(torch.__file__).parents[1] / "torch_npu"
    assert not beside.exists()
    build = f"c++ -shared -fPIC ext.cpp -I{beside}/include -L{beside}/lib -ltorch_npu -Wl,--no-as-needed -o ext.so"
    (folder / "test_ext.py").write_text(
        "import ctypes\nimport torch_npu\n\n\ndef test():\n    assert ctypes.CDLL('./ext.so')._Z7versionv() == 3\n"
    )
    code, out, err = outcome(cloned, "--build", build, "--", "pytest", "-q", repository=folder)
    assert code == 0 and "1 passed" in out, out + err


def test_a_build_for_an_older_pytorch(cloned):
    """A build file that asks for the strings of PyTorch before 2.7: the extension has those of the PyTorch in use."""
    folder = cloned / "older"
    folder.mkdir()
    (folder / "ext.cpp").write_text(
        "#include <c10/util/Exception.h>\n"
        'extern "C" void check(int one) { TORCH_CHECK(one == 1, "not ", one, std::string(" 1")); }\n'
    )
    (folder / "strings.cpp").write_text("#include <string>\nstd::string said() { return {}; }\n")
    own = Path(torch.__file__).parent
    old = "-D_GLIBCXX_USE_CXX11_ABI=0 -std=c++17 -shared -fPIC"
    headers = f"-I{own}/include -I{own}/include/torch/csrc/api/include"
    build = f"c++ {old} ext.cpp {headers} -L{own}/lib -lc10 -o ext.so && c++ {old} strings.cpp -o strings.so"
    (folder / "test_ext.py").write_text(
        "import ctypes\nimport torch_npu\n\n\ndef test():\n"
        "    ctypes.CDLL('./ext.so').check(1)\n"
        # What has nothing to do with PyTorch keeps what it asked for.
        "    assert hasattr(ctypes.CDLL('./strings.so'), '_Z4saidv')\n"
    )
    code, out, err = outcome(cloned, "--build", build, "--", "pytest", "-q", repository=folder)
    assert code == 0 and "1 passed" in out, out + err


@pytest.mark.parametrize(
    "said, helps",
    [
        (
            "Your installed Caffe2 version uses CUDA but I cannot find the CUDA",
            "--index-url https://download.pytorch.org/whl/cpu",
        ),
        ("('The detected CUDA version (%s) mismatches ...", "PyTorch of this Python is built for CUDA"),
        ("./build_out/custom_opp_ubuntu_aarch64.run: No such file or directory", "./build_out/custom_opp_*.run"),
        ("something else", None),
    ],
)
def test_a_build_that_fails_away_from_boards_is_told_what_helps(cloned, said, helps):
    folder = cloned / "failing"
    folder.mkdir(exist_ok=True)
    (folder / "said").write_text(said + "\n")
    code, out, err = outcome(cloned, "--build", "cat said; exit 1", repository=folder)
    assert code == 3 and said in err
    assert (helps in err and "note: " in err) if helps else "note: " not in err, err


def test_an_error_that_other_jobs_talk_over_is_shown(cloned):
    folder = cloned / "talking"
    folder.mkdir()
    (folder / "said").write_text("k.cpp:7:1: error: first\n" + "".join(f"job {i}\n" for i in range(60)))
    code, out, err = outcome(cloned, "--build", "cat said; exit 1", repository=folder)
    shown = err.splitlines()
    at = shown.index("k.cpp:7:1: error: first")
    assert (code, shown[at + 1], shown[at + 2]) == (3, "...", "job 35")


def test_a_build_of_its_own(cloned):
    """A repository without setup.py: a script makes a library, which tests find by its path."""
    folder = cloned / "scripted"
    folder.mkdir()
    (folder / "build.sh").write_text("test -d /usr/local/Ascend || test -d $ASCEND_HOME_PATH && echo built > made\n")
    (folder / "test_made.py").write_text("def test_made():\n    assert open('made').read() == 'built\\n'\n")
    code, out, err = outcome(
        cloned, "--build", "bash build.sh", "--", "python3", "-m", "pytest", "-q", repository=folder
    )
    assert code == 0 and "1 passed" in out, out + err


def test_a_script_that_installs_and_tests(cloned):
    """What its pip installs lies where that of a build does: the Python in use stays as it is."""
    folder = cloned / "at_once"
    folder.mkdir()
    (folder / "installed_at_once.py").write_text("two = 2\n")
    (folder / "setup.py").write_text(
        "from setuptools import setup\nsetup(name='at', py_modules=['installed_at_once'])\n"
    )
    (folder / "run.sh").write_text(
        "set -e\npython3 -m pip install --quiet --no-build-isolation --no-deps .\ncd /\n"
        "python3 -c 'import installed_at_once as at; print(at.__file__, at.two)'\n"
    )
    before = installed()
    code, out, err = outcome(cloned, "--no-build", "--", "bash", "run.sh", repository=folder)
    assert code == 0 and out.endswith(f"+{folder.name}/installed_at_once.py 2\n"), out + err
    assert installed() == before


def test_wrong_words(cloned):
    code, _, err = outcome(cloned, "--no-build", "--", "no-such-program")
    assert code == 127 and "cannot run no-such-program: No such file or directory" in err
    code, _, err = outcome(cloned, "--chip", "Ascend910C", "--no-build")
    assert code == 2 and "the chips of Atlas A3 are Ascend910_9362" in err
