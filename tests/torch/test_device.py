# SPDX-License-Identifier: Apache-2.0
"""The device in PyTorch: tensors, operators by way of the CPU, streams, memory, random numbers, formats."""

import copy
import ctypes
import io

import pytest
import torch
import torch_npu
from conftest import python
from torch import nn
from torch.nn import functional

X = torch.arange(64.0).sin().reshape(8, 8)


def on_npu(function, *tensors):
    """The function's result on the device and on the CPU is one."""
    got = function(*(t.npu() for t in tensors))
    assert got.device == torch.device("npu:0")
    assert torch.equal(got.detach().cpu(), function(*tensors).detach())


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x * 2 + 1,
        lambda x: x @ x,
        lambda x: torch.cat([x, x]),
        lambda x: x.view(4, 16).t()[1:3],
        lambda x: x.unfold(1, 3, 2),
        lambda x: x[[1, 3]],
        lambda x: x[x > 0],
        lambda x: x.softmax(-1),
        lambda x: torch.add(x, 1, out=torch.empty_like(x)),
        lambda x: x.topk(3)[0],
        lambda x: torch.nonzero(x > 0),
        lambda x: torch.view_as_complex(x.view(8, 4, 2)).conj(),
        lambda x: torch.tensor(3.0) * x,
        lambda x: x.clone().add_(1).mul_(2),
        lambda x: x.half().double(),
    ],
)
def test_operators_give_what_the_cpu_gives(function):
    on_npu(function, X)


def test_attention():
    q = X.view(1, 2, 4, 8)
    got = functional.scaled_dot_product_attention(q.npu(), q.npu(), q.npu())
    torch.testing.assert_close(got.cpu(), functional.scaled_dot_product_attention(q, q, q))


def test_names_of_the_device():
    y = X.to("npu:0")
    assert y.is_npu and y.device.type == "npu" and y.npu() is y
    assert torch.ones(3, device="npu").tolist() == [1, 1, 1]
    assert "device='npu:0'" in repr(y)
    assert torch.npu is torch_npu.npu and torch.npu.is_available() and torch.npu.device_count() == 1
    assert torch.accelerator.current_accelerator().type == "npu"
    assert torch.npu.get_device_name() == "Ascend910B1"
    properties = torch.npu.get_device_properties(0)
    assert (properties.name, properties.cube_core_num, properties.vector_core_num) == ("Ascend910B1", 24, 48)
    with torch.npu.device(0), torch.npu.device_of(y), torch.device("npu"):
        assert torch.zeros(1).is_npu


@pytest.mark.skipif(not hasattr(torch, "_import_device_backends"), reason="PyTorch does not load backends itself")
def test_torch_alone_brings_the_device():
    code = "import torch; print(torch.npu.is_available(), torch.ones(1, device='npu').device)"
    assert python(code) == "True npu:0\n"
    assert python("import torch; print(hasattr(torch, 'npu'))", TORCH_DEVICE_BACKEND_AUTOLOAD="0") == "False\n"


@pytest.mark.parametrize(
    "chip, number",
    [
        ("Ascend910B3", 223),
        ("Ascend910_9391", 250),
        ("Ascend310P3", 202),
        ("Ascend310P3-Vector", 202),
        ("Ascend950DT_95A1", 260),
    ],
)
def test_products_have_numbers(chip, number):
    code = "import torch, torch_npu; print(torch.npu.get_soc_version(), torch_npu._C._npu_get_soc_version())"
    assert python(code, SFUMATO_CHIP=chip) == f"{number} {number}\n"


def test_views_share_memory():
    y = X.npu()
    view = y[2:4, ::2]
    assert view.data_ptr() == y.data_ptr() + 2 * 8 * 4 and y.data_ptr() % 512 == 0
    view.fill_(7)
    assert (y.cpu()[2:4, ::2] == 7).all() and torch.equal(y.cpu()[:2], X[:2])


def test_convolution_and_gradients():
    torch.manual_seed(0)
    layer, x = nn.Conv2d(3, 5, 3), torch.randn(2, 3, 9, 9)
    layer(x).sum().backward()
    want = [layer(x).detach(), *(p.grad.clone() for p in layer.parameters())]
    layer.zero_grad()
    layer.npu()
    got = layer(x.npu())
    got.sum().backward()
    for a, b in zip([got.detach(), *(p.grad for p in layer.parameters())], want):
        assert a.is_npu and torch.equal(a.cpu(), b)


@pytest.mark.parametrize("kind", [nn.LSTM, nn.GRU])
@pytest.mark.parametrize("bias", [True, False])
def test_recurrent_cells_and_gradients(kind, bias):
    torch.manual_seed(0)
    layer = kind(8, 4, num_layers=2, bidirectional=True, bias=bias)
    x = torch.randn(5, 3, 8, requires_grad=True)
    want = layer(x)[0]
    want.pow(2).sum().backward()
    gradients = [x.grad, *(p.grad.clone() for p in layer.parameters())]
    layer.zero_grad()
    y = x.detach().npu().requires_grad_()
    got = layer.npu()(y)[0]
    got.pow(2).sum().backward()
    torch.testing.assert_close(got.cpu(), want)
    for a, b in zip([y.grad, *(p.grad for p in layer.parameters())], gradients):
        torch.testing.assert_close(a.cpu(), b)


def test_training_goes_down():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.1), nn.LayerNorm(16), nn.Linear(16, 1)).npu()
    optimizer = torch.optim.Adam(model.parameters(), 0.01)
    losses = []
    for _ in range(5):
        optimizer.zero_grad()
        loss = model(X.npu()).pow(2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0]
    assert copy.deepcopy(model)[0].weight.is_npu


def test_autocast():
    with torch.autocast("npu", dtype=torch.float16):
        product = X.npu() @ X.npu()
        assert product.dtype == torch.float16 and product.softmax(-1).dtype == torch.float32


def test_saving_and_loading():
    file = io.BytesIO()
    torch.save({"x": X.npu()}, file)
    file.seek(0)
    loaded = torch.load(file)["x"]
    assert loaded.is_npu and torch.equal(loaded.cpu(), X)
    file.seek(0)
    assert torch.equal(torch.load(file, map_location="cpu")["x"], X)


def test_pinned_memory():
    pinned = X.pin_memory()
    assert pinned.is_pinned() and pinned[1:].is_pinned() and not X.is_pinned()
    assert torch.equal(pinned.npu(non_blocking=True).cpu(), X)


@pytest.mark.parametrize(
    "draw",
    [
        lambda **o: torch.randn(5, **o),
        lambda **o: torch.rand(5, **o),
        lambda **o: torch.randint(99, (5,), **o),
        lambda **o: torch.randperm(9, **o),
    ],
)
def test_a_seed_gives_the_numbers_of_the_cpu(draw):
    torch.manual_seed(5)
    want = draw()
    torch.manual_seed(5)
    assert torch.equal(draw(device="npu").cpu(), want)
    torch.npu.manual_seed(5)
    assert torch.equal(draw(device="npu").cpu(), want)
    generator = torch.Generator(device="npu").manual_seed(5)
    assert torch.equal(draw(device="npu", generator=generator).cpu(), want)


def test_the_state_of_the_generator():
    state = torch.npu.get_rng_state()
    first = torch.rand(3, device="npu").cpu()
    torch.npu.set_rng_state(state)
    assert torch.equal(torch.rand(3, device="npu").cpu(), first)
    with torch.random.fork_rng(devices=[0], device_type="npu"):
        torch.rand(3, device="npu")


def test_streams_and_events():
    stream = torch.npu.Stream()
    assert isinstance(stream, torch.Stream) and stream.npu_stream != 0
    assert torch.npu.current_stream() == torch.npu.default_stream() and torch.npu.current_stream().npu_stream == 0
    with torch.npu.stream(stream):
        assert torch.npu.current_stream() == stream
    with stream:
        assert torch.npu.current_stream() == stream
    assert torch.npu.current_stream().npu_stream == 0
    start, end = (torch.npu.Event(enable_timing=True) for _ in range(2))
    start.record()
    end.record(stream)
    stream.wait_event(start)
    X.npu().record_stream(stream)
    assert start.query() and start.elapsed_time(end) > 0


def test_memory_is_counted_and_used_again():
    torch.npu.empty_cache()
    torch.npu.reset_peak_memory_stats()
    before = torch.npu.memory_allocated()
    x = torch.empty(1000, dtype=torch.uint8, device="npu")
    assert torch.npu.memory_allocated() - before == 1000
    address, reserved = x.data_ptr(), torch.npu.memory_reserved()
    assert (x.cpu() == 0xFE).all()
    x.zero_()
    del x
    assert torch.npu.memory_allocated() == before and torch.npu.max_memory_allocated() >= before + 1000
    assert torch.npu.memory_reserved() == reserved
    y = torch.empty(900, dtype=torch.uint8, device="npu")
    assert y.data_ptr() == address and (y.cpu() == 0xFE).all()
    free, total = torch.npu.mem_get_info()
    assert 0 < free <= total


@pytest.mark.parametrize("dtype, n0", [(torch.float16, 16), (torch.int8, 32), (torch.float32, 8)])
def test_fractal_nz_is_a_layout(dtype, n0):
    x = (torch.arange(2 * 20 * 40) % 100).reshape(2, 20, 40).to(dtype)
    nz = torch_npu.npu_format_cast(x.npu(), torch_npu.Format.FRACTAL_NZ)
    assert torch_npu.get_npu_format(nz) == 29 and nz.shape == x.shape
    rows, columns = 2, -(-40 // n0)
    memory = nz.untyped_storage()
    stored = bytearray(ctypes.string_at(memory.data_ptr(), memory.nbytes()))
    stored = torch.frombuffer(stored, dtype=dtype).reshape(2, columns, rows, 16, n0)
    for batch, i, j in ((0, 0, 0), (1, 17, 39), (1, 5, n0)):
        assert stored[batch, j // n0, i // 16, i % 16, j % n0] == x[batch, i, j]
    assert (stored[:, :, 1, 4:] == 0).all()
    assert torch.equal(nz.cpu(), x) and torch.equal((nz + 1).cpu(), x + 1)
    back = torch_npu.npu_format_cast(nz, 2)
    assert torch_npu.get_npu_format(back) == 2 and torch.equal(back.cpu(), x)


def test_several_names_of_one_device():
    said = python(
        "import torch, torch_npu; x = torch.ones(2, device='npu:1'); torch.npu.set_device(1); "
        "print(torch.npu.device_count(), x.device, torch.npu.current_device(), (x + 1).to('npu:0'))",
        SFUMATO_DEVICES="2",
    )
    assert said == "2 npu:1 1 tensor([2., 2.], device='npu:0')\n"


def test_the_fallback_says_each_operator_once():
    code = "import torch, torch_npu; x = torch.ones(2).npu(); x + 1; x + 2"
    assert python(code, SFUMATO_TORCH_FALLBACK="log") == "torch_npu: aten::add.out runs on the CPU\n"


def test_programs_for_cuda_are_transferred():
    code = """
import torch, torch_npu
from torch_npu.contrib import transfer_to_npu
layer = torch.nn.Linear(2, 2).cuda()
x = torch.ones(1, 2, device="cuda:0")
print(layer.weight.device, x.device, x.is_cuda, torch.ones(1).to(torch.device("cuda")).cuda().device, layer(x).device)
torch.cuda.set_device(0)
print(torch.cuda.is_available(), torch.cuda.device_count(), torch.cuda.get_device_name(), torch.zeros(1).device)
"""
    assert python(code) == "npu:0 npu:0 True npu:0 npu:0\nTrue 1 Ascend910B1 cpu\n"


def test_the_test_case():
    class Case(torch_npu.testing.testcase.TestCase):
        pass

    Case().assertRtolEqual(X.npu(), X + 1e-5)
    with pytest.raises(AssertionError, match=r"1 of 64 elements differ, the first at \(1, 2\): 9.0 and "):
        wrong = X.clone()
        wrong[1, 2] = 9
        Case().assertRtolEqual(wrong, X)


def test_import_sfumato_torch_npu():
    import os

    if not os.environ.get("SFUMATO_PYTHON"):
        pytest.skip("the native module of the package is for another Python")
    said = python(
        "import sfumato.torch_npu, torch_npu, torch; sfumato.torch_npu.register('npu_x', len); "
        "print(torch_npu.npu_x([1]), torch.ones(1).npu().device)",
        PYTHONPATH=os.environ["SFUMATO_PYTHON"],
    )
    assert said == "1 npu:0\n"
