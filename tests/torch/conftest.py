# SPDX-License-Identifier: Apache-2.0
"""Extensions are built once for all tests that use them."""

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import torch_npu
from torch.utils import cpp_extension

HERE = Path(__file__).parent
collect_ignore = ["repository"]  # what test_repository.py tests with
sys.path.insert(0, str(HERE))


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """A folder for what is built, on sys.path."""
    folder = tmp_path_factory.mktemp("built")
    sys.path.insert(0, str(folder))
    return folder


def one_file(built, name):
    """The extension that one call of bisheng makes."""
    own = torch_npu.utils.cpp_extension
    command = [own.bisheng(), "-x", "asc", "--npu-arch=dav-2201", "-shared", "-fPIC", "-w"]
    command += [str(HERE / f"extensions/{name}.asc"), "-o", str(built / f"{name}.so")]
    command += [f"-I{folder}" for folder in [*cpp_extension.include_paths(), *own.include_paths()]]
    command += [f"-I{python_include()}", f"-DTORCH_EXTENSION_NAME={name}"]
    command += [f"-D_GLIBCXX_USE_CXX11_ABI={int(torch._C._GLIBCXX_USE_CXX11_ABI)}"]
    command += [f"-L{folder}" for folder in [*cpp_extension.library_paths(), *own.library_paths()]]
    run(command + ["-ltorch_npu", "-ltorch", "-ltorch_cpu", "-ltorch_python", "-lc10"])
    return importlib.import_module(name)


@pytest.fixture(scope="session")
def direct(built):
    return one_file(built, "direct_add")


@pytest.fixture(scope="session")
def residual(built):
    """A kernel, an operator of the vendor's and operators of PyTorch."""
    return one_file(built, "residual")


@pytest.fixture(scope="session")
def scaling(built):
    """A .cpp with launches, by PyTorch's own load with bisheng as the compiler."""
    own = torch_npu.utils.cpp_extension
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CXX", own.bisheng())
        return load(built, "host_launch", HERE / "extensions/host_launch.cpp")


@pytest.fixture(scope="session")
def binding(built):
    """A library of kernels, and the extension that launches them by the header its build wrote."""
    folder = built / "library_project"
    source = HERE / "extensions/library_project"
    run(["cmake", "-G", "Ninja", "-S", str(source), "-B", str(folder)])
    run(["cmake", "--build", str(folder)])
    header = next(folder.rglob("aclrtlaunch_row_sum.h")).parent
    library = next(folder.rglob("librow_sum_kernels.so")).parent
    return load(
        built,
        "binding",
        source / "binding.cpp",
        [header],
        [f"-L{library}", "-lrow_sum_kernels", f"-Wl,-rpath,{library}"],
    )


@pytest.fixture(scope="session")
def aclnn(built, monkeypatch_session):
    """An operator package of one aclnn function, and the extension that calls it."""
    own = torch_npu.utils.cpp_extension
    source = HERE / "extensions/aclnn_project"
    library = built / "package/op_api/lib/libcust_opapi.so"
    library.parent.mkdir(parents=True)
    command = [own.bisheng(), "--npu-arch=dav-2201", "-shared", "-fPIC", str(source / "opapi.asc"), "-o", str(library)]
    run([*command, *(f"-I{folder}" for folder in own.include_paths())])
    monkeypatch_session.setenv("ASCEND_CUSTOM_OPP_PATH", str(built / "package"))
    return load(built, "aclnn_binding", source / "binding.cpp", (), ["-ldl"])


@pytest.fixture(scope="session")
def monkeypatch_session():
    with pytest.MonkeyPatch.context() as patch:
        yield patch


def load(built, name, source, includes=(), libraries=()):
    own = torch_npu.utils.cpp_extension
    folder = built / f"{name}_build"
    folder.mkdir()
    return cpp_extension.load(
        name,
        [str(source)],
        extra_include_paths=[*own.include_paths(), *map(str, includes)],
        extra_cflags=["-w"],
        extra_ldflags=[*(f"-L{path}" for path in own.library_paths()), "-ltorch_npu", *libraries],
        build_directory=str(folder),
    )


def python_include():
    import sysconfig

    return sysconfig.get_paths()["include"]


def run(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    assert done.returncode == 0, done.stdout
    return done.stdout


def python(code, **environment):
    """What a fresh process prints, its errors included."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "CUDA_HOME": "", **environment},
    )
    return done.stdout


def shown(error):
    """The text of an exception without what differs from run to run: folders and numbers of tensors."""
    text = re.sub(r"\S*/([\w.]+:\d+)", r"\1", str(error))
    text = re.sub(r"\nException raised from .*", "", text, flags=re.S)
    return re.sub(r"tensor #\d+", "tensor #N", text)
