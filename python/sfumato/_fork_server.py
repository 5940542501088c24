# SPDX-License-Identifier: Apache-2.0
"""The fork server: one process, started by exec, whose children run kernels for a client, many jobs one after another.

A child dies with a kernel that crashes; the server starts the next in about a millisecond, as everything it needs is
loaded. The client (_isolated.py) speaks with the server on a socket of packets, and with each runner on a stream.

To the server        b"run", with three files: the runner's stream, the pipe for its last words, its shared memory
                     b"end PID": kills the runner, if it still runs, and reaps it
From the server      b"PID" of the new runner; b"STATUS" of the ended one, as of waitpid
To a runner          a frame with a pickled job, the arguments of _Runner.launch; its arrays are places in the memory
From a runner        frames (_processes/frames.py), the last of a job with its outcome
Kinds                H the first of a runner, which takes SIGINT from then on; J job; P printed text; L a line of the log;
                     G progress, pickled; E the estimate, pickled (JSON, words), before its result; S before the
                     result where the process is not what it was before the launch; R the packed result; I the same of an
                     interrupted launch, empty when it had not begun; X an exception, pickled (class name, text)

When a kernel ends the runner, the packed result with its report is in the pipe (python/src/runner.cpp). SIGINT interrupts
the launch of a runner. The server ends, and kills its runners, when the client's socket closes; a runner when its stream
does, or the server ends.
"""

import contextlib
import gc
import json
import mmap
import os
import pickle
import signal
import socket
import threading

import numpy as np

from . import _coverage, _native
from ._processes import system
from ._processes.frames import receive, send
from ._processes.servers import kill
from ._processes.state import state
from ._sources import COMPILED_BY


class Shared:
    """Where an array of the client lies in the shared memory; stands for it in a job."""

    def __init__(self, offset, size):
        self.offset, self.size = offset, size


def replace(value, old, new):
    """The tuples and lists of a job's arguments with each `old` in them replaced by new(old)."""
    if isinstance(value, old):
        return new(value)
    if isinstance(value, (tuple, list)):
        return type(value)(replace(part, old, new) for part in value)
    return value


def serve(control):
    """The server; returns a runner's files in the child that becomes one."""
    runners = set()
    while True:
        try:
            message, files, _, _ = socket.recv_fds(control, 64, 3)
        except ConnectionError:
            message = b""
        if not message:
            for pid in runners:
                kill(pid)
            os._exit(0)
        if message == b"run":
            pid = os.fork()
            if pid == 0:
                control.close()
                return files
            runners.add(pid)
            for file in files:
                os.close(file)
            control.send(b"%d" % pid)
        else:
            pid = int(message.split()[1])
            kill(pid)
            runners.discard(pid)
            control.send(b"%d" % os.waitpid(pid, 0)[1])


def run_jobs(files):
    """A runner, from its fork to its end."""
    system.die_with_parent()
    stream, last_words, memory = socket.socket(fileno=files[0]), files[1], files[2]
    runner = _Runner(stream, memory, last_words)
    signal.signal(signal.SIGINT, runner.interrupt)
    send(stream, b"H")
    while (frame := receive(stream)) is not None:
        try:
            outcome = runner.launch(*pickle.loads(frame[1]))
        except KeyboardInterrupt as error:
            runner.launching = False
            cause = error.__cause__
            outcome = (b"I", _native.pack_result(cause.result) if cause is not None else b"")
        except BaseException as error:  # noqa: BLE001 - it is the client's
            runner.launching = False
            outcome = (b"X", pickle.dumps((type(error).__name__, str(error))))
        try:
            send(stream, *outcome)
        except ConnectionError:
            break
    os._exit(0)


class _Runner:
    def __init__(self, stream, memory, last_words):
        self._stream, self._memory, self._last_words = stream, memory, last_words
        self._map = None
        self._kernels = {}
        self._folder = None  # of the latest launch
        self._state = None  # of the process, after the latest launch
        self.launching = self._interrupted = False
        self._sending = threading.Lock()

    def interrupt(self, *_):
        """SIGINT: nothing but a launch ends by it, this one or the next; a client that sends it has no more jobs."""
        self._interrupted = True
        if self.launching and not self._sending.locked():
            raise KeyboardInterrupt

    def _compile(self, arguments, folder, variables):
        """As the client did, which finds relative names and its compiler by its folder and environment of then."""
        for name in COMPILED_BY:
            if name in variables:
                os.environ[name] = variables[name]
            else:
                os.environ.pop(name, None)
        with contextlib.suppress(OSError):
            os.chdir(folder)
        source, chip = arguments[:2]
        _native.become_runner(self._last_words, chip, source)
        return _coverage.compiled(*arguments)

    def launch(self, folder, recipe, object_path, name, blocks, items, options, wants):
        key = pickle.dumps(recipe)
        kernels = self._kernels.get(key)
        if kernels is None or os.path.basename(kernels.object_path) != os.path.basename(object_path):
            kernels = self._kernels[key] = self._compile(*recipe)
            self._folder = None
        if os.path.basename(kernels.object_path) != os.path.basename(object_path):
            del self._kernels[key]
            raise _native.Error(
                f"isolated: {recipe[0][0]} is not what it was when it was compiled; call sfumato.compile again"
            )
        if folder != self._folder:
            self._folder, self._state = folder, None
            with contextlib.suppress(OSError):
                os.chdir(folder)
        items = replace(items, Shared, self._view)
        options["print"] = lambda text: self._tell(b"P", text.encode())
        options["log"] = (lambda line: self._tell(b"L", line.encode())) if "log" in wants else None
        options["progress"] = (lambda *counts: self._tell(b"G", pickle.dumps(counts))) if "progress" in wants else None
        before = self._state or state()
        self.launching = True
        if self._interrupted:
            raise KeyboardInterrupt
        result = _native.launch(kernels, name, blocks, items, options)
        self.launching = False
        if recipe[0][-1]:  # counts what runs
            _coverage.write()
        self._state = state()
        if self._state != before:
            self._tell(b"S", b"")
        if result.estimate is not None:
            self._tell(b"E", pickle.dumps((json.dumps(result.estimate.data), str(result.estimate))))
        return b"R", _native.pack_result(result)

    def _tell(self, kind, payload):
        """From any thread of the launch. SIGINT ends the launch, but no frame."""
        with self._sending:
            send(self._stream, kind, payload)

    def _view(self, shared):
        size = os.fstat(self._memory).st_size
        if self._map is None or len(self._map) != size:
            self._map = mmap.mmap(self._memory, size)
        return np.frombuffer(self._map, np.uint8, shared.size, shared.offset)


def main(control):
    gc.collect()
    gc.freeze()
    run_jobs(serve(control))
