# SPDX-License-Identifier: Apache-2.0
"""Extensions in each of the forms in which programs launch kernels: built, imported, right."""

import os
import shutil
import sys
from pathlib import Path

import pytest
import torch
import torch_npu
from conftest import HERE, load, python, python_include, run
from torch.utils import cpp_extension

EXTENSIONS = HERE / "extensions"


@pytest.fixture(scope="session")
def leaky(built):
    folder = built / "setup_project"
    shutil.copytree(EXTENSIONS / "setup_project", folder)
    run([sys.executable, "setup.py", "build_ext", "--inplace"], cwd=folder)
    sys.path.insert(0, str(folder))
    import leaky

    return leaky


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32])
@pytest.mark.parametrize("count", [1, 7, 64, 1000, 4099])
def test_launch_binding_and_kernel_in_one_file(direct, dtype, count):
    x, y = (torch.arange(count).sub(count // 2).div(7 + i).to(dtype) for i in range(2))
    assert torch.equal(direct.add(x.npu(), y.npu(), 4, 256).cpu(), x + y)


def test_more_blocks_than_cores_and_views(direct):
    x = torch.arange(640.0).reshape(10, 64)
    view = x.npu()[3:5]
    assert torch.equal(direct.add(view, view, 128, 64).cpu(), x[3:5] * 2)


def test_streams_and_profiler(direct):
    x = torch.ones(64).npu()
    with torch.npu.stream(torch.npu.Stream()), torch_npu.profiler.profile() as profile:
        direct.add(x, x, 2, 64)
        profile.step()
    (launch,) = profile.launches
    assert (launch.kernel, launch.blocks) == ("add_kernel<float>", 2)
    assert launch.records > 0 and launch.seconds > 0 and launch.file.endswith("direct_add.asc")


@pytest.mark.parametrize("shape", [(1,), (3, 5), (4, 1000), (4096,)])
def test_an_operator_of_the_dispatcher_from_setup_py(leaky, shape):
    x = torch.arange(torch.Size(shape).numel()).reshape(shape).sub(50).half()
    want = torch.where(x > 0, x, x * 0.25)
    assert torch.equal(torch.ops.leaky.leaky(x.npu()).cpu(), want)
    assert torch.equal(torch.ops.leaky.leaky(x), want)
    assert torch.ops.leaky.leaky(x.to("meta")).shape == shape


@pytest.mark.parametrize("shape", [(1, 1), (3, 64), (40, 100), (7, 2040)])
def test_a_kernel_library_launched_by_its_header(binding, shape):
    x = torch.arange(torch.Size(shape).numel()).remainder(17).reshape(shape).float()
    assert torch.equal(binding.row_sum(x.npu()).cpu(), x.sum(1))


def test_a_gradient_by_kernels(scaling):
    x = torch.arange(9.0).npu().requires_grad_()
    y = scaling.scale(x, 3.0)
    y.backward(torch.ones(9).npu())
    assert torch.equal(y.detach().cpu(), torch.arange(9.0) * 3) and torch.equal(x.grad.cpu(), torch.full((9,), 3.0))


def test_memory_of_aclrt_malloc_as_a_tensor(scaling):
    y = scaling.foreign(16)
    y.copy_(torch.arange(16.0))
    assert torch.equal(scaling.times(y, 2).cpu(), torch.arange(16.0) * 2)


def test_headers_bring_what_helpers_take_from_them(built, capfd):
    helper = load(built, "helper", EXTENSIONS / "helper.cpp")
    assert helper.device("npu") == 0
    assert helper.is_here(torch.zeros(3).npu()) and not helper.is_here(torch.zeros(3))
    capfd.readouterr()
    helper.complain("x")
    assert capfd.readouterr().err.endswith("helper.cpp:24: x is wrong\n")


def test_events(built):
    helper = load(built, "events", EXTENSIONS / "events.cpp")
    assert helper.measured() > 0 and helper.states() == [False, True, True]
    with pytest.raises(RuntimeError, match="both events must be recorded first"):
        helper.unrecorded()


@pytest.mark.parametrize("shape, strides", [((8, 4), None), ((0,), None), ((3, 5, 2, 2), None), ((6, 4), (1, 6))])
def test_an_aclnn_call(aclnn, shape, strides):
    x = torch.arange(torch.Size(shape).numel()).float().reshape(shape)
    if strides:
        x = x.as_strided(shape, strides)
    assert torch.equal(aclnn.scale_add(x.npu(), x.npu(), 2.0).cpu(), x * 2 + x)


def test_an_operator_project_through_its_package(built, aclnn):
    """examples/operator: packed, installed, and called by the same extension in a process that has no other package."""
    toolkit = Path(os.environ["ASCEND_HOME_PATH"])
    project = shutil.copytree(HERE.parents[1] / "examples/operator", built / "AxpyCustom")
    run([str(toolkit.parents[2] / "bin/sfumato"), "build-op", str(project), "-DASCEND_COMPUTE_UNIT=ascend910b"])
    run(["sh", str(next(project.glob("build_out/*.run"))), "--quiet", f"--install-path={built / 'opp'}"])
    code = f"""
import sys
sys.path.insert(0, {str(built / "aclnn_binding_build")!r})
import torch, torch_npu, aclnn_binding
for type in (torch.float32, torch.float16):
    for shape in ((1,), (7, 5), (40, 100), (0,)):
        x = torch.arange(torch.Size(shape).numel()).remainder(100).reshape(shape).to(type)
        assert torch.equal(aclnn_binding.axpy(x.npu(), x.npu(), 2.5).cpu(), 2.5 * x + x), (type, shape)
try:
    aclnn_binding.axpy(torch.ones(4).npu(), torch.ones(4).half().npu(), 1.0)
except RuntimeError as error:
    print(str(error).splitlines()[0])
"""
    said = python(code, ASCEND_CUSTOM_OPP_PATH=str(built / "opp/vendors/customize"))
    assert said.startswith(
        "aclnnAxpyCustomGetWorkspaceSize returned 161002\nfault [op-combination] AxpyCustom: no combination"
    )
    assert "\n  found:  x float32, y float16, z float32\n" in said


def test_an_extension_linked_below_the_folder_of_packages(built):
    """Build files that look for torch_npu where pip would have put it: `sfumato env --torch` names our folders to the
    compiler, and a linker that leaves out libraries whose names it does not need makes no difference."""
    sfumato = Path(os.environ["ASCEND_HOME_PATH"]).parents[2] / "bin/sfumato"
    own = torch_npu.utils.cpp_extension
    words = ["-std=c++17", "-fPIC", "-shared", "-w", str(EXTENSIONS / "events.cpp"), "-o", str(built / "by_name.so")]
    words += [f"-I{folder}" for folder in [*cpp_extension.include_paths(), python_include(), own.include_paths()[-1]]]
    words += [f"-L{folder}" for folder in cpp_extension.library_paths()]
    words += ["-DTORCH_EXTENSION_NAME=by_name", "-L/none/torch_npu/lib", "-Wl,--as-needed", "-ltorch_npu"]
    run([str(sfumato), "env", "--torch", "--", "g++", *words, f"-L{own.library_paths()[-1]}", "-lsfumato", "-lc10"])
    import by_name

    assert by_name.measured() > 0


def test_libraries_and_headers_lie_beside_the_file():
    folder = os.path.dirname(torch_npu.__file__)
    for path in (
        "lib/libtorch_npu.so",
        "include/torch_npu/csrc/core/npu/NPUStream.h",
        "include/third_party/acl/inc/acl/acl.h",
    ):
        assert os.path.isfile(os.path.join(folder, path)), path
    assert cpp_extension.CppExtension  # the name that NpuExtension wraps
