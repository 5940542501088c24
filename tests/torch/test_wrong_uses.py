# SPDX-License-Identifier: Apache-2.0
"""What wrong programs are told, in full."""

import io

import pytest
import torch
import torch_npu
from conftest import python, shown

X = torch.arange(64.0)


def message(error, function, *arguments):
    with pytest.raises(error) as raised:
        function(*arguments)
    return shown(raised.value)


def test_a_launch_without_blocks(direct):
    x = X.npu()
    with pytest.raises(torch_npu.KernelFault) as raised:
        direct.add(x, x, 0, 64)
    assert isinstance(raised.value, RuntimeError)
    assert shown(raised.value) == (
        "fault [launch-blocks] a launch cannot have this number of blocks\n"
        "  where:  direct_add.asc:62, kernel add_kernel<float> (Ascend910B)\n"
        "  found:  blocks: 0\n"
        "  legal:  1 to 65535"
    )
    assert raised.value.report["rule"] == "launch-blocks" and torch_npu.last_report()["line"] == 62
    torch.npu.synchronize()


def test_a_tensor_that_is_too_short(direct):
    assert message(torch_npu.KernelFault, direct.add, X.npu(), torch.ones(8).npu(), 1, 64) == (
        "fault [gm-out-of-range] DataCopyPad: reads past the end of tensor #N in global memory\n"
        "  where:  direct_add.asc:31, kernel add_kernel<float>, core aiv0, instruction 1 (Ascend910B)\n"
        "  found:  src: bytes 0..256 of tensor #N, 224 bytes too many\n"
        "  legal:  the 32 bytes of tensor #N\n"
        "  do:     check the count, the offset of the block and the size of the argument"
    )


def test_a_tile_that_does_not_fit(direct):
    x = X.npu()
    assert message(torch_npu.KernelFault, direct.add, x, x, 1, 20000) == (
        "fault [memory-full] InitBuffer: the buffers do not fit in UB\n"
        "  where:  direct_add.asc:18, kernel add_kernel<float>, core aiv0, instruction 0 (Ascend910B)\n"
        "  found:  VECOUT: 1 x 80000 bytes asked for, 36608 bytes free\n"
        "  legal:  UB has 196608 bytes on Ascend910B\n"
        "  do:     use smaller tiles or fewer buffers"
    )


def test_a_tensor_of_the_cpu(scaling):
    x, y = X.clone(), X.npu()
    text = message(torch_npu.KernelFault, scaling.times_at, x.data_ptr(), y.data_ptr(), 1.0, 64)
    assert text.replace(hex(x.data_ptr()), "0x?") == (
        "fault [host-pointer] the kernel gets a pointer that is not to memory of the device\n"
        "  where:  host_launch.cpp:36, kernel muls_kernel (Ascend910B)\n"
        "  found:  argument 1: host memory (0x?)\n"
        "  legal:  memory of aclrtMalloc or GmAlloc, not freed, or nullptr\n"
        "  do:     copy the data to the device with aclrtMemcpy first"
    )


def test_a_tensor_that_is_gone(scaling):
    x, y = X.npu(), X.npu()
    address = x.data_ptr()
    del x
    scaling.times_at(address, y.data_ptr(), 2.0, 64)  # the block was not handed out again
    assert torch.equal(y.cpu(), X * 2)
    torch.npu.empty_cache()
    assert message(torch_npu.KernelFault, scaling.times_at, address, y.data_ptr(), 1.0, 64) == (
        "fault [freed-block-used] the kernel gets memory of the device that was freed\n"
        "  where:  host_launch.cpp:36, kernel muls_kernel (Ascend910B)\n"
        "  found:  argument 1: 'tensor #N', which was freed\n"
        "  legal:  memory of aclrtMalloc or GmAlloc, not freed, or nullptr\n"
        "  do:     free it after a call that synchronises with the launch"
    )


def test_a_fault_where_python_is_not(scaling):
    """Kept for the next call that synchronises: a copy to the host, or synchronize()."""
    for synchronise in (lambda x: x.cpu(), lambda x: x[0].item(), lambda x: torch.npu.synchronize()):
        x = X.npu()
        scaling.from_thread(x)
        assert message(RuntimeError, synchronise, x) == (
            "fault [memory-full] InitBuffer: the buffers do not fit in UB\n"
            "  where:  host_launch.cpp:19, kernel muls_kernel, core aiv0, instruction 0 (Ascend910B)\n"
            "  found:  VECCALC: 1 x 4194304 bytes asked for, 196608 bytes free\n"
            "  legal:  UB has 196608 bytes on Ascend910B\n"
            "  do:     use smaller tiles or fewer buffers"
        )
        torch.npu.synchronize()


def test_a_fault_in_a_destructor(scaling):
    assert message(torch_npu.KernelFault, scaling.in_destructor, X.npu()).startswith("fault [memory-full] InitBuffer: ")


def test_a_handler_that_fails(binding):
    assert message(RuntimeError, binding.failing_handler) == "OpCommand Failing: its handler returned 161001"
    assert message(RuntimeError, binding.no_handler) == "OpCommand Empty: there is no handler to run"
    assert message(RuntimeError, binding.row_sum, torch.ones(0, 4).npu()).startswith("fault [launch-blocks] ")


def test_operators_of_the_vendor(binding):
    assert message(NotImplementedError, binding.vendor_operator, X.npu()) == (
        "OpCommand Add: Input: the vendor's operators are not provided; call a kernel of yours in SetCustomHandler"
    )
    assert message(AttributeError, lambda: torch_npu.rms) == "module 'torch_npu' has no attribute 'rms'"
    assert message(ValueError, torch_npu.register, "rms", len) == (
        "register: the vendor's operators are called npu_..., not 'rms'"
    )
    assert message(TypeError, torch_npu.register, "npu_x", 3) == "register: npu_x needs a function, found int"


def test_aclnn_functions_that_fail(aclnn):
    assert message(RuntimeError, aclnn.scale_add, X.npu(), X[:4].npu(), 1.0) == (
        "aclnnScaleAddGetWorkspaceSize returned 161002"
    )
    assert message(RuntimeError, aclnn.missing, X.npu()) == "aclnnNowhereGetWorkspaceSize is in no operator package"


def test_a_device_that_does_not_exist():
    text = "npu:1: there is one device, npu:0. SFUMATO_DEVICES=N makes N names for it (found 1)"
    for use in (lambda: X.to("npu:1"), lambda: torch.ones(1, device="npu:1"), lambda: torch.npu.set_device(1)):
        assert message(RuntimeError, use) == text
    assert message(RuntimeError, torch.npu.synchronize, 1) == text
    assert message(ValueError, torch.npu.set_device, "cpu") == "expected a device npu, found cpu"


def test_formats():
    x = X.reshape(8, 8).npu()
    assert message(RuntimeError, torch_npu.npu_format_cast, x, 3) == (
        "npu_format_cast: format 3; legal are 2 (ND) and 29 (FRACTAL_NZ)"
    )
    assert message(RuntimeError, torch_npu.npu_format_cast, X.npu(), 29) == (
        "npu_format_cast: FRACTAL_NZ (29) is of matrices with elements of 1, 2 or 4 bytes, found [64] of Float"
    )
    assert message(RuntimeError, torch_npu.npu_format_cast, X, 29) == (
        "npu_format_cast: expected a tensor of the device npu, found one of cpu"
    )
    nz = torch_npu.npu_format_cast(x, 29)
    text = "a tensor in FRACTAL_NZ is used whole, not as a view: cast it to ND (2) first"
    assert message(RuntimeError, lambda: nz[1:].cpu()) == text
    assert message(RuntimeError, torch.save, nz, io.BytesIO()) == text


def test_events():
    first, second = torch.npu.Event(), torch.npu.Event(enable_timing=True)
    second.record()
    assert message(RuntimeError, first.elapsed_time, second) == (
        "torch.npu.Event.elapsed_time: both events need enable_timing=True"
    )
    unrecorded = torch.npu.Event(enable_timing=True)
    assert message(RuntimeError, unrecorded.elapsed_time, second) == (
        "fault [acl-order] aclrtEventElapsedTime: the event was not recorded\n"
        "  found:  start: no aclrtRecordEvent\n"
        "  legal:  both events recorded"
    )
    assert message(NotImplementedError, lambda: torch.npu.Event(interprocess=True)) == (
        "torch.npu.Event: events between processes are not provided (interprocess=True)"
    )


def test_what_tensors_of_the_device_cannot_be():
    assert message(RuntimeError, lambda: torch.ones(2, device="npu", pin_memory=True)) == (
        "only tensors of the CPU can be pinned"
    )


def test_the_fallback_forbidden():
    said = python("import torch, torch_npu; torch.ones(2).npu() + 1", SFUMATO_TORCH_FALLBACK="error")
    assert (
        said.endswith(
            "NotImplementedError: aten::add.out: no kernel of this program computes it, "
            "and SFUMATO_TORCH_FALLBACK=error forbids the CPU's\n"
        )
        or "aten::add.out: no kernel of this program computes it, and SFUMATO_TORCH_FALLBACK=error forbids" in said
    )
    said = python("import torch, torch_npu; torch.ones(2).npu() + 1", SFUMATO_TORCH_FALLBACK="loud")
    assert "RuntimeError: SFUMATO_TORCH_FALLBACK is 'loud'; legal are silent, log, error\n" in said


def test_two_packages_of_one_name(tmp_path):
    other = tmp_path / "torch_npu"
    other.mkdir()
    (other / "__init__.py").write_text("")
    code = f"import sys; sys.path.append({str(tmp_path)!r}); import torch_npu"
    said = python(code)
    assert f"ImportError: two packages are called torch_npu: {other} and Sfumato's /" in said
    assert said.endswith(
        "Uninstall the first, or leave out Sfumato's (sfumato env without --torch, no import sfumato.torch_npu)\n"
    )


def test_a_private_device_that_is_taken():
    said = python("import torch; torch.utils.rename_privateuse1_backend('mine'); import torch_npu")
    assert said.endswith("ImportError: torch_npu: PyTorch's one private device is taken in this process, by 'mine'\n")


def test_no_compiler(tmp_path):
    said = python("import torch_npu", SFUMATO_CXX="no-such-compiler", SFUMATO_CACHE=str(tmp_path))
    assert said.endswith(
        "ImportError: torch_npu: compiling it for this PyTorch needs a C++ compiler; there is no no-such-compiler\n"
    )


def test_a_fault_nobody_asked_for_fails_the_process(scaling):
    code = (
        f"import sys; sys.path.insert(0, {scaling.__file__.rsplit('/', 1)[0]!r}); import torch, torch_npu, host_launch; "
        "x = torch.ones(4).npu(); host_launch.from_thread(x)"
    )
    said = python(code)
    assert said.startswith("fault [memory-full] ") and said.endswith("and no synchronising call has returned it\n")
