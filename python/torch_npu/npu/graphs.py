# SPDX-License-Identifier: Apache-2.0
"""Graphs: what a captured stream was given, as a list that is replayed with what its memory holds then."""

import gc
import itertools
import weakref

import torch
from torch.utils import _pytree

from .. import _C
from .device import synchronize
from .streams import Event, Stream, StreamContext, current_stream

_MODES = {"global": 0, "thread_local": 1, "relaxed": 2}
_pools = itertools.count(1)


def is_current_stream_capturing():
    return _C.is_captured(current_stream().stream_id)


def graph_pool_handle():
    """A name of a pool of memory. Graphs share none here: each keeps what it uses until it is reset."""
    return (0, next(_pools))


def _end_capture(stream, one_thread):
    """Of a graph that is gone before its capture has ended."""
    one_thread.__exit__(None, None, None)
    try:
        _C.destroy_model(_C.capture_end(stream))
    except RuntimeError:
        pass


class NPUGraph:
    """Work of a stream between capture_begin and capture_end; replay() runs it on the current stream."""

    def __init__(self):
        self._model = None
        self._pool = None
        self._stream = None

    def capture_begin(self, pool=None, capture_error_mode="global"):
        """On the current stream, which is not the default one. Modes: global, thread_local, relaxed."""
        if self._model is not None or self._stream is not None:
            raise RuntimeError("torch.npu.NPUGraph: the graph holds a capture already; reset() drops it")
        if capture_error_mode not in _MODES:
            raise ValueError(f"capture_error_mode={capture_error_mode!r}; legal are {', '.join(_MODES)}")
        stream = current_stream()
        _C.capture_begin(stream.stream_id, _MODES[capture_error_mode])
        self._stream = stream
        one_thread = torch.autograd.set_multithreading_enabled(False)  # others have other current streams
        self._end = weakref.finalize(self, _end_capture, stream.stream_id, one_thread)
        self._pool = pool or graph_pool_handle()

    def capture_end(self):
        if self._stream is None:
            raise RuntimeError("torch.npu.NPUGraph.capture_end: no capture of the graph has begun")
        self._stream = None
        _, _, (stream, one_thread), _ = self._end.detach()
        one_thread.__exit__(None, None, None)
        self._model = _C.capture_end(stream)
        self._drop = weakref.finalize(self, _C.destroy_model, self._model)

    def _captured(self, call):
        if self._model is None:
            raise RuntimeError(f"torch.npu.NPUGraph.{call}: nothing was captured")

    def replay(self):
        """Raises the faults of its kernels, as launches do."""
        self._captured("replay")
        _C.execute(self._model, current_stream().stream_id)

    def reset(self):
        """Drops what was captured, and the memory that it keeps."""
        if self._model is not None:
            self._drop()
        self._model = None

    def pool(self):
        self._captured("pool")
        return self._pool

    def update(self, *_, **__):
        raise NotImplementedError(
            "torch.npu.NPUGraph.update: new arguments of the vendor's attention operators are not provided; "
            "graph_task_group_begin and graph_task_update_begin replace any work of a graph"
        )

    def debug_dump(self, debug_path):
        raise NotImplementedError("torch.npu.NPUGraph.debug_dump is not provided")

    def enable_debug_mode(self):
        """Nothing: what a graph runs is checked and reported as any launch is."""


class graph:
    """Captures what its with block submits, on `stream` or one of its own; it does not run before replay()."""

    _own = None

    def __init__(self, npu_graph, pool=None, stream=None, capture_error_mode="global", **_):
        if graph._own is None:
            graph._own = Stream()
        self.npu_graph = npu_graph
        self.pool = pool
        self.stream = stream or graph._own
        self.capture_error_mode = capture_error_mode

    def __enter__(self):
        synchronize()
        gc.collect()
        self._context = StreamContext(self.stream)
        self._context.__enter__()
        try:
            self.npu_graph.capture_begin(self.pool, self.capture_error_mode)
        except BaseException:
            self._context.__exit__()
            raise

    def __exit__(self, kind, error, trace):
        try:
            self.npu_graph.capture_end()
        except RuntimeError:
            if error is None:
                raise  # else the block's own error says more
        finally:
            self._context.__exit__()


class ExternalEvent(Event):
    """An event that replays heed: they wait for it where their capture did, until another stream records it."""

    def __init__(self):
        super().__init__(external=True)

    def reset(self, stream=None):
        _C.reset_event(self.npu_event, (stream or current_stream()).stream_id)


def graph_task_group_begin(stream):
    _C.group_begin(stream.stream_id)


def graph_task_group_end(stream):
    """The handle for graph_task_update_begin."""
    return _C.group_end(stream.stream_id)


def graph_task_update_begin(stream, handle):
    """What `stream` is given up to graph_task_update_end takes the places of the group's work, one by one."""
    _C.update_begin(stream.stream_id, handle)


def graph_task_update_end(stream):
    _C.update_end(stream.stream_id)


def _with_gradient(values):
    return tuple(v for v in values if isinstance(v, torch.Tensor) and v.requires_grad)


class _Captured:
    """A callable as two graphs; its inputs, outputs and gradients lie where the captures had them."""

    def __init__(self, function, args, warmup_iters, allow_unused_input, pool):
        leaves, self.spec = _pytree.tree_flatten(args)
        parameters = function.parameters() if isinstance(function, torch.nn.Module) else ()
        self.inputs = (*leaves, *parameters)
        self.user_inputs = len(leaves)
        self.function, self.args, self.allow_unused, self.pool = function, args, allow_unused_input, pool
        with StreamContext(Stream()):
            for _ in range(warmup_iters):
                outputs = _with_gradient(_pytree.tree_flatten(function(*args))[0])
                self.gradients(outputs, tuple(torch.empty_like(o) for o in outputs))

    def gradients(self, outputs, incoming):
        wanted = _with_gradient(self.inputs)
        if not outputs or not wanted:
            return ()
        return torch.autograd.grad(outputs, wanted, incoming, allow_unused=self.allow_unused)

    def capture_forward(self):
        self.forward = NPUGraph()
        with graph(self.forward, self.pool):
            outputs = self.function(*self.args)
        self.outputs, self.output_spec = _pytree.tree_flatten(outputs)

    def capture_backward(self):
        self.incoming = [torch.empty_like(o) if o.requires_grad else None for o in self.outputs]
        self.backward = NPUGraph()
        with graph(self.backward, self.pool):
            given = tuple(i for i in self.incoming if i is not None)
            gradients = iter(self.gradients(_with_gradient(self.outputs), given))
        wanted = {id(v) for v in _with_gradient(self.inputs)}
        self.outgoing = [next(gradients, None) if id(i) in wanted else None for i in self.inputs]

    def call(self):
        """The callable that copies what it gets to where the captures had it, and replays them."""
        captured = self

        class Replay(torch.autograd.Function):
            @staticmethod
            def forward(context, *inputs):
                for own, given in zip(captured.inputs[: captured.user_inputs], inputs):
                    if isinstance(own, torch.Tensor) and own.data_ptr() != given.data_ptr():
                        own.copy_(given)
                captured.forward.replay()
                return tuple(o.detach() for o in captured.outputs)

            @staticmethod
            @torch.autograd.function.once_differentiable
            def backward(context, *incoming):
                for own, given in zip(captured.incoming, incoming):
                    if own is not None and own.data_ptr() != given.data_ptr():
                        own.copy_(given)
                captured.backward.replay()
                return tuple(o if o is None else o.detach() for o in captured.outgoing)

        def call(*args):
            leaves, spec = _pytree.tree_flatten(args)
            if spec != captured.spec:
                raise ValueError("the arguments are not nested as the sample_args of make_graphed_callables")
            outputs = Replay.apply(*leaves, *captured.inputs[captured.user_inputs :])
            return _pytree.tree_unflatten(list(outputs), captured.output_spec)

        return call


def make_graphed_callables(callables, sample_args, num_warmup_iters=3, allow_unused_input=False, pool=None):
    """Functions or modules as graphs of their forward and backward passes, captured with the sample arguments.

    Arguments as of torch.cuda.make_graphed_callables. A module is changed in place, and works as before while its
    training mode is another than at the capture."""
    single = not isinstance(callables, tuple)
    if single:
        callables, sample_args = (callables,), (sample_args,)
    if len(callables) != len(sample_args):
        raise ValueError(f"make_graphed_callables: {len(callables)} callables, sample_args of {len(sample_args)}")
    pool = pool or graph_pool_handle()
    all_captured = [
        _Captured(function, args, num_warmup_iters, allow_unused_input, pool)
        for function, args in zip(callables, sample_args)
    ]
    for captured in all_captured:
        captured.capture_forward()
    for captured in reversed(all_captured):
        captured.capture_backward()
    made = tuple(_replacement(captured) for captured in all_captured)
    return made[0] if single else made


def _replacement(captured):
    call, function = captured.call(), captured.function
    if not isinstance(function, torch.nn.Module):
        return call
    plain, training = function.forward, function.training

    def forward(*args):
        return call(*args) if function.training == training else plain(*args)

    function.forward = forward
    return function
