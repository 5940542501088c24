# SPDX-License-Identifier: Apache-2.0
"""Streams and events. What is submitted has run when the call returns, except on streams that graphs.py captures."""

import weakref

import torch

from .. import _C
from .device import collect_faults, index_of

_PRIVATE = int(torch._C._autograd.DeviceType.PrivateUse1)


class Stream(torch.Stream):
    """A stream of the device; `npu_stream` is the aclrtStream as a number."""

    def __new__(cls, device=None, priority=0, **known):
        if "stream_id" not in known:
            known = {"stream_id": _C.new_stream(), "device_index": index_of(device)}
        return super().__new__(
            cls, stream_id=known["stream_id"], device_index=known["device_index"], device_type=_PRIVATE
        )

    @property
    def npu_stream(self):
        return self.stream_id

    def query(self):
        _C.check_wait(self.stream_id)
        return True

    def synchronize(self):
        _C.check_wait(self.stream_id)
        collect_faults()

    def record_event(self, event=None):
        event = event or Event()
        event.record(self)
        return event

    def wait_event(self, event):
        event.wait(self)

    def wait_stream(self, stream):
        self.wait_event(stream.record_event())

    def __enter__(self):
        self._context = StreamContext(self)
        return self._context.__enter__()

    def __exit__(self, *exception):
        return self._context.__exit__(*exception)

    def __repr__(self):
        return f"torch.npu.Stream(device=npu:{self.device_index}, npu_stream={self.npu_stream:#x})"


def _stream(device, stream_id):
    return Stream(stream_id=stream_id, device_index=device)


def current_stream(device=None):
    device = index_of(device)
    return _stream(device, _C.current_stream(device))


def default_stream(device=None):
    return _stream(index_of(device), 0)


def set_stream(stream):
    if stream is not None:
        _C.set_device(stream.device_index)
        _C.set_stream(stream.device_index, stream.stream_id)


class StreamContext:
    """Makes a stream current for a with block; None changes nothing."""

    def __init__(self, stream):
        self.stream = stream

    def __enter__(self):
        self.device = _C.current_device()
        if self.stream is not None:
            self.before = _C.current_stream(self.stream.device_index)
            set_stream(self.stream)
        return self.stream

    def __exit__(self, *_):
        if self.stream is not None:
            _C.set_stream(self.stream.device_index, self.before)
            _C.set_device(self.device)


def stream(stream):
    return StreamContext(stream)


class Event:
    """A point of a stream. Times are those of this machine: no board's time is modelled."""

    def __init__(self, enable_timing=False, blocking=False, interprocess=False, external=False):
        if interprocess:
            raise NotImplementedError("torch.npu.Event: events between processes are not provided (interprocess=True)")
        self.enable_timing = enable_timing
        self.npu_event = _C.new_event(external)
        self.recorded = False
        weakref.finalize(self, _C.destroy_event, self.npu_event)

    def record(self, stream=None):
        _C.record_event(self.npu_event, (stream or current_stream()).stream_id)
        self.recorded = True

    def wait(self, stream=None):
        _C.wait_event(self.npu_event, (stream or current_stream()).stream_id)

    def query(self):
        return not self.recorded or _C.query_event(self.npu_event)

    def synchronize(self):
        collect_faults()
        _C.synchronize_event(self.npu_event)

    def elapsed_time(self, end):
        """Milliseconds from this event to `end`, above 0. Raises RuntimeError where one was not recorded."""
        for event in (self, end):
            if not event.enable_timing:
                raise RuntimeError("torch.npu.Event.elapsed_time: both events need enable_timing=True")
        return _C.elapsed_time(self.npu_event, end.npu_event)
