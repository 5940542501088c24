# SPDX-License-Identifier: Apache-2.0
"""Captured streams: replays with other inputs, kernels among PyTorch's operators, and what may not be captured."""

import copy
import gc

import pytest
import torch
import torch_npu
from conftest import python, shown

GRAPH = torch.npu.graph
X = torch.arange(64.0).npu()


def captured(function):
    graph = torch.npu.NPUGraph()
    with GRAPH(graph):
        result = function()
    return graph, result


def test_a_thousand_replays_with_other_inputs(direct):
    weight = torch.randn(64, 64)
    x, w, count = torch.zeros(64).npu(), weight.npu(), torch.zeros(1, dtype=torch.int64).npu()

    def layer():
        count.add_(1)
        rows = direct.add(torch.relu(w @ x), x, 4, 16)
        best = torch.topk(rows, 4)
        return torch.softmax(rows, 0), torch.nn.functional.embedding(best.indices, w), rows[1::2].view(8, 4).T

    graph, results = captured(layer)
    assert count.item() == 0
    for i in range(1000):
        value = torch.randn(64)
        x.copy_(value)
        graph.replay()
        rows = torch.relu(weight @ value) + value
        want = torch.softmax(rows, 0), weight[torch.topk(rows, 4).indices], rows[1::2].view(8, 4).T
        assert all(torch.equal(result.cpu(), w) for result, w in zip(results, want)), i
    assert count.item() == 1000


def test_memory_of_a_capture_is_its_own(direct):
    x = torch.zeros(256).npu()

    def work():
        between = x + 1  # gone behind the capture
        return direct.add(between, x, 4, 64)

    graph, y = captured(work)
    gc.collect()
    others = [torch.full((256,), 7.0).npu() for _ in range(8)]
    held = torch.npu.memory_allocated()
    x.fill_(3)
    graph.replay()
    assert y.tolist() == [7.0] * 256 and all(other.tolist() == [7.0] * 256 for other in others)
    graph.reset()
    assert torch.npu.memory_allocated() < held
    with pytest.raises(RuntimeError, match="replay: nothing was captured"):
        graph.replay()


def test_an_aclnn_function_among_others(aclnn):
    x = torch.zeros(64).npu()
    graph, y = captured(lambda: aclnn.scale_add(x, x * 2, 3.0) + 1)
    for value in (1.0, 5.0):
        x.fill_(value)
        graph.replay()
        assert y.tolist() == [value * 3 + value * 2 + 1] * 64


def test_reference_operators_among_others():
    x, gamma = torch.ones(4, 64).npu(), torch.full((64,), 2.0).npu()
    graph, y = captured(lambda: torch_npu.npu_swiglu(torch_npu.npu_rms_norm(x, gamma)[0]) * 2)
    for seed in range(3):
        torch.manual_seed(seed)
        values = torch.randn(4, 64)
        x.copy_(values)
        graph.replay()
        eager = torch_npu.npu_swiglu(torch_npu.npu_rms_norm(values.npu(), gamma)[0]) * 2
        assert torch.equal(y.cpu(), eager.cpu()) and y.abs().sum().item() > 0


def test_another_stream_joins_and_leads_back(direct):
    x = torch.ones(64).npu()
    side = torch.npu.Stream()

    def fork():
        main = torch.npu.current_stream()
        doubled = x * 2
        side.wait_stream(main)
        with torch.npu.stream(side):
            assert torch.npu.is_current_stream_capturing()
            quadrupled = direct.add(doubled, doubled, 4, 16)
        main.wait_stream(side)
        return quadrupled + doubled

    graph, y = captured(fork)
    assert not torch.npu.is_current_stream_capturing()
    x.fill_(5)
    graph.replay()
    assert y.tolist() == [30.0] * 64


def test_operators_computed_by_name():
    convolution, cell = torch.nn.Conv2d(2, 3, 3), torch.nn.LSTM(4, 5)
    image, words = torch.zeros(1, 2, 8, 8).npu(), torch.zeros(6, 1, 4).npu()
    on_npu = copy.deepcopy(convolution).npu(), copy.deepcopy(cell).npu()
    with torch.no_grad():
        graph, (a, b) = captured(lambda: (on_npu[0](image), on_npu[1](words)[0]))
        for seed in range(3):
            torch.manual_seed(seed)
            values = torch.randn(1, 2, 8, 8), torch.randn(6, 1, 4)
            image.copy_(values[0]), words.copy_(values[1])
            graph.replay()
            assert torch.equal(a.cpu(), convolution(values[0]))
            assert torch.allclose(b.cpu(), cell(values[1])[0], atol=1e-6)


def test_modules_as_graphs_of_both_passes():
    plain = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Tanh(), torch.nn.Linear(8, 2))
    module = copy.deepcopy(plain).npu()
    graphed, square = torch.npu.make_graphed_callables(
        (module, lambda x: x * x), ((torch.randn(4, 8).npu(),), (torch.randn(4, 2).npu().requires_grad_(),))
    )
    assert graphed is module
    for _ in range(3):
        x = torch.randn(4, 8)
        square(graphed(x.npu())).sum().backward()
        plain(x).square().sum().backward()
        for own, want in zip(module.parameters(), plain.parameters()):
            assert torch.allclose(own.grad.cpu(), want.grad, rtol=1e-5, atol=1e-6)
            own.grad = want.grad = None
    graphed.eval()
    assert torch.allclose(graphed(x.npu()).cpu(), plain(x))
    with pytest.raises(ValueError, match="not nested as the sample_args"):
        square([x.npu(), x.npu()])


def test_a_group_is_updated_while_the_replay_waits(direct):
    x, y, z = (torch.full((64,), float(i)).npu() for i in (1, 10, 100))
    out, updating, event, group = torch.empty(64).npu(), torch.npu.Stream(), torch.npu.ExternalEvent(), []

    def work():
        stream = torch.npu.current_stream()
        event.wait(stream)
        event.reset(stream)
        torch.npu.graph_task_group_begin(stream)
        torch.add(x, y, out=out)
        group.append(torch.npu.graph_task_group_end(stream))
        return out * 2

    graph, result = captured(work)
    for second, want in ((y, 22.0), (z, 202.0), (y, 22.0)):
        graph.replay()
        with torch.npu.stream(updating):
            torch.npu.graph_task_update_begin(updating, group[0])
            torch.add(x, second, out=out)
            torch.npu.graph_task_update_end(updating)
            event.record(updating)
        assert result.tolist() == [want] * 64


def test_a_fault_of_a_replay_is_raised_there(direct):
    x, y = torch.ones(64).npu(), torch.ones(8).npu()
    graph, _ = captured(lambda: direct.add(x, y, 1, 64))
    with pytest.raises(torch_npu.KernelFault, match=r"gm-out-of-range.*\n.*direct_add.asc:31"):
        graph.replay()


def test_arguments_are_those_of_the_capture():
    x, factor, numbers = torch.ones(64).npu(), torch.tensor(2.0), torch.ones(4).npu()
    bags_of = torch.arange(4).view(2, 2).npu()

    def work():
        grown = torch_npu.npu_silu(numbers)
        grown.resize_(8)
        drawn = torch._standard_gamma(x)  # has no kernel without memory
        return x * factor, grown, drawn, torch.nn.functional.embedding_bag(bags_of, x.view(8, 8))

    torch.npu.manual_seed(5)
    graph, (scaled, grown, drawn, bags) = captured(work)
    factor.fill_(7)
    graph.replay()
    assert scaled.tolist() == [2.0] * 64 and bags.tolist() == [[1.0] * 8] * 2
    assert torch.equal(grown[:4].cpu(), torch_npu.npu_silu(numbers).cpu())
    torch.manual_seed(5)
    assert torch.equal(drawn.cpu(), torch._standard_gamma(torch.ones(64)))


def test_a_replay_under_a_mode_of_dispatch():
    from torch.utils.flop_counter import FlopCounterMode

    graph, y = captured(lambda: X.view(8, 8) @ X.view(8, 8))
    with FlopCounterMode(display=False):
        graph.replay()
    assert torch.equal(y.cpu(), torch.arange(64.0).view(8, 8) @ torch.arange(64.0).view(8, 8))


def test_the_default_stream_waits_for_a_replay():
    event, x = torch.npu.ExternalEvent(), torch.ones(8).npu()

    def work():
        event.wait()
        event.reset()
        return x * 2

    graph, y = captured(work)
    graph.replay()
    z = y + 1
    with pytest.raises(RuntimeError, match="the wait would never end"):
        z.cpu()
    event.record(torch.npu.Stream())
    assert z.tolist() == [3.0] * 8


def test_a_graph_that_is_gone_before_its_end():
    stream = torch.npu.Stream()
    with torch.npu.stream(stream):
        graph = torch.npu.NPUGraph()
        graph.capture_begin()
        del graph
    gc.collect()
    torch.npu.synchronize()


WAIT = (
    "fault [stream-capture] the host may not wait: what a captured stream is given has not run\n"
    "  found:  stream 0x? is captured\n"
    "  legal:  waiting and asking behind the end of the capture\n"
    "  do:     move it in front of the capture or behind it"
)
PAGEABLE = (
    "fault [stream-capture] a copy from or to host memory that is not pinned is not captured\n"
    "  found:  stream 0x? is captured, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL\n"
    "  legal:  memory of the device, or of aclrtMallocHost"
)


@pytest.mark.parametrize(
    "use, text",
    [
        (lambda: X.cpu(), WAIT),
        (lambda: X.sum().item(), WAIT),
        (lambda: torch.npu.synchronize(), WAIT),
        (lambda: torch.npu.current_stream().synchronize(), WAIT),
        (lambda: X.copy_(torch.zeros(64)), PAGEABLE),
        (
            lambda: X.nonzero(),
            "aten::nonzero: the sizes of its result depend on values, which a captured stream has not computed",
        ),
    ],
    ids=["cpu", "item", "synchronize", "stream", "pageable", "nonzero"],
)
def test_what_is_not_captured(use, text):
    with pytest.raises(RuntimeError) as raised:
        captured(use)
    handle = hex(GRAPH._own.npu_stream)
    assert shown(raised.value).replace(handle, "0x?") == text
    assert captured(lambda: X + 1)  # the next one is as ever


def test_pinned_memory_is_captured():
    host, back = torch.zeros(64).pin_memory(), torch.zeros(64).pin_memory()

    def copies():
        on_device = host.to("npu", non_blocking=True)
        back.copy_(on_device * 2, non_blocking=True)
        return on_device

    graph, _ = captured(copies)
    for value in (1.0, 4.0):
        host.fill_(value)
        graph.replay()
        assert back.tolist() == [value * 2] * 64


def test_captures_that_do_not_match():
    graph = torch.npu.NPUGraph()
    with pytest.raises(RuntimeError, match="no capture of the graph has begun"):
        graph.capture_end()
    with pytest.raises(RuntimeError, match="aclmdlRICaptureBegin: the default stream is not captured"):
        graph.capture_begin()
    with pytest.raises(ValueError, match="legal are global, thread_local, relaxed"):
        graph.capture_begin(capture_error_mode="strict")
    graph, _ = captured(lambda: X + 1)
    with pytest.raises(RuntimeError, match=r"holds a capture already; reset\(\) drops it"), GRAPH(graph):
        pass
    with pytest.raises(NotImplementedError, match="NPUGraph.update"):
        graph.update(cpu_update_input=[{}])


def test_a_chip_without_captures():
    code = "import torch, torch_npu\nwith torch.npu.graph(torch.npu.NPUGraph()): pass"
    assert python(code, SFUMATO_CHIP="Ascend310B1").split("RuntimeError: ")[-1] == (
        "fault [npu-graph-unsupported] aclmdlRICaptureBegin: the chip's runtime captures no streams\n"
        "  found:  Ascend310B\n"
        "  legal:  Ascend910B, Ascend910_93, Ascend310P\n"
        "  do:     run the program without graphs (eager mode)\n"
    )
