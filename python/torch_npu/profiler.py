# SPDX-License-Identifier: Apache-2.0
"""Records launches: which kernel, on how many blocks, how many instructions, and this machine's time."""

import json
import os
from dataclasses import dataclass
from enum import Enum
from types import SimpleNamespace

from . import _C


class ProfilerActivity(Enum):
    CPU = 0
    NPU = 1


class ProfilerLevel(Enum):
    Level_none = "Level_none"
    Level0 = "Level0"
    Level1 = "Level1"
    Level2 = "Level2"


class AiCMetrics(Enum):
    AiCoreNone = "AiCoreNone"
    PipeUtilization = "PipeUtilization"
    ArithmeticUtilization = "ArithmeticUtilization"
    Memory = "Memory"


class ExportType(Enum):
    Text = "text"
    Db = "db"


class _ExperimentalConfig(SimpleNamespace):
    """Taken and not read: there are no counters of a board."""


@dataclass(frozen=True)
class Launch:
    kernel: str
    blocks: int
    records: int  # instructions of all cores
    seconds: float  # of this machine
    file: str
    line: int


def schedule(wait=0, active=1, warmup=0, repeat=0, skip_first=0):
    """Taken and not read: every launch is recorded."""
    return lambda step: None


def tensorboard_trace_handler(folder, worker_name="launches", analyse_flag=True):
    """For on_trace_ready: writes <folder>/<worker_name>.json."""

    def write(profile):
        os.makedirs(folder, exist_ok=True)
        profile.export_chrome_trace(os.path.join(folder, f"{worker_name}.json"))

    return write


class profile:
    """A with block whose launches are in `launches`, and in `references` a note for each run of a reference operator, as
    docs/findings.md has findings. The options of the vendor's are taken; on_trace_ready is called.
    """

    def __init__(self, *, on_trace_ready=None, **_):
        self.on_trace_ready = on_trace_ready
        self.launches, self.references = [], []

    def start(self):
        _C.take_launches()
        _C.take_references()
        _C.record_launches(True)

    def step(self):
        self.launches += [Launch(*launch) for launch in _C.take_launches()]
        self.references += [json.loads(note) for note in _C.take_references()]

    def stop(self):
        self.step()
        _C.record_launches(False)
        if self.on_trace_ready:
            self.on_trace_ready(self)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def export_chrome_trace(self, path):
        """The launches one behind the other, as chrome://tracing and Perfetto read them."""
        events, now = [], 0.0
        for launch in self.launches:
            arguments = {"blocks": launch.blocks, "records": launch.records, "place": f"{launch.file}:{launch.line}"}
            duration = launch.seconds * 1e6
            events.append(
                {"name": launch.kernel, "ph": "X", "pid": 0, "tid": 0, "ts": now, "dur": duration, "args": arguments}
            )
            now += duration
        with open(path, "w") as file:
            json.dump({"traceEvents": events}, file)
