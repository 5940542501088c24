# SPDX-License-Identifier: Apache-2.0
"""The warm parent of one worker: a process started by exec that has everything imported and forks a child for each job.

It has one thread, so that forking is safe, and runs one job at a time: the walls (walls.py), the time, the output, and
at the end nothing of the job is left. It reads no value of a child, only passes it on; and it ends, with its child, when
its client does.

From the client   a frame J: a pickled Job. To the client: a frame O with the outcome as a Value (frames.py)
From the child    frames: P the phase that begins; F files to keep, a Value; R what the job's function returned, or E what
                  it raised, a Value, the last
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import importlib
import os
import pickle
import resource
import select
import signal
import socket
import sys
import time
import traceback
from dataclasses import dataclass, field
from typing import Any

from . import system
from .frames import HEADER, encode, receive, send
from .limits import Limits
from .servers import kill, left_in
from .walls import SLOTS, Sandbox

TAIL = 8192  # bytes of the output that are kept
_TICK = 100  # milliseconds between looks at the memory, where no control group counts it
_F_SETPIPE_SZ = 1031  # fcntl has the name from Python 3.10 on
_PIPE_BYTES = 1 << 20
_LONGEST_CLEANING = 30.0


@dataclass
class Job:
    """A call in a process of its own.

    target     "module:function", called there as function(told, **arguments); `told` is a Told. What it returns
               comes back as plain values: None, numbers, text, bytes, NumPy arrays, lists, mappings
    arguments  what can be pickled
    limits     None: those of the pool
    files      {relative path: bytes} in the job's folder, which is its working folder
    folders    what it may read wherever it lies, in a home folder too
    tag        the caller's
    """

    target: str
    arguments: dict[str, Any] = field(default_factory=dict)
    limits: Limits | None = None
    files: dict[str, bytes] = field(default_factory=dict)
    tag: Any = None
    folders: tuple[str, ...] = ()


class Told:
    """What a job's function may tell while it runs; its first argument."""

    def __init__(self, pipe, last_words):
        self._pipe = pipe
        self.last_words = last_words  # of sfumato._native.become_runner

    def phase(self, name):
        """The phase that begins; time in "compile" counts against its own limit."""
        self.frame(b"P", name.encode())

    def keep(self, files):
        """{name: bytes} that the caller gets whatever becomes of the job."""
        self.frame(b"F", encode(files))

    def frame(self, kind, payload):
        data = memoryview(HEADER.pack(kind, len(payload)) + payload)
        while data:
            data = data[os.write(self._pipe, data) :]


def _descendants(root):
    """Processes below `root`, itself among them."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError):
                with open(f"/proc/{name}/stat") as file:
                    parents[int(name)] = int(file.read().rpartition(")")[2].split()[1])
    found, added = {root}, True
    while added:
        more = {pid for pid, parent in parents.items() if parent in found} - found
        found |= more
        added = bool(more)
    return found


def _resident(root):
    pages = 0
    for pid in _descendants(root):
        with contextlib.suppress(OSError):
            with open(f"/proc/{pid}/statm") as file:
                values = file.read().split()
            pages += int(values[1]) - int(values[2])
    return pages * resource.getpagesize()


class _Running:
    """One job, from its fork until nothing of it is left."""

    def __init__(self, job, sandbox):
        self._limits, self._sandbox = job.limits, sandbox
        self.phase, self.log, self.printed = "start", bytearray(), 0
        self.result = None  # (kind, payload)
        self.files = b""
        self.stop = None  # why it was ended: a status of Outcome
        self._frames = bytearray()
        self._spent = {"compile": 0.0, "": 0.0}
        self._since = time.monotonic()
        sandbox.prepare(job.limits)
        self._pipe, pipe = os.pipe()
        self._output, output = os.pipe()
        self._words, words = os.pipe()
        self._ended, ended = os.pipe()
        fcntl.fcntl(pipe, _F_SETPIPE_SZ, _PIPE_BYTES)
        server, mapped = os.getpid(), system.mapped_bytes()
        self._began = time.monotonic()
        self.pid = sandbox.fork(ended)
        if self.pid == 0:
            _become_child(job, sandbox, server, mapped, pipe, output, words)
        for file in (pipe, output, words, ended):
            os.close(file)
        for file in (self._pipe, self._output, self._words, self._ended):
            os.set_blocking(file, False)

    def watch(self, client):
        """Until the job has a result, is over or has to be ended. False when the client, who has only to wait, is gone."""
        process = os.pidfd_open(self.pid)
        try:
            poll = select.poll()
            for file in (self._pipe, self._output, process, client):
                poll.register(file, select.POLLIN)
            next_look = time.monotonic() + _TICK / 1000
            while self.stop is None and self.result is None:
                left = self._left()
                if left <= 0:
                    self.stop = "timeout"
                    break
                wait = left if self._sandbox.counts_memory else min(left, _TICK / 1000)
                ready = {file for file, _ in poll.poll(wait * 1000 + 1)}
                if client.fileno() in ready:
                    self.stop = "left"
                for file in (self._pipe, self._output):
                    if file in ready and self._read(file) == b"":
                        poll.unregister(file)
                if self.printed > self._limits.output:
                    self.stop = "output"
                if process in ready:
                    break
                if not self._sandbox.counts_memory and time.monotonic() > next_look:
                    next_look = time.monotonic() + _TICK / 1000
                    if _resident(self.pid) > self._limits.memory:
                        self.stop = "out-of-memory"
            return self.stop != "left"
        finally:
            os.close(process)

    def _phase_key(self):
        return "compile" if self.phase == "compile" else ""

    def _left(self):
        key = self._phase_key()
        limit = self._limits.compile if key else self._limits.wall
        return limit - self._spent[key] - (time.monotonic() - self._since)

    def _enter(self, phase):
        now = time.monotonic()
        self._spent[self._phase_key()] += now - self._since
        self._since, self.phase = now, phase

    def _read(self, file):
        """The bytes that are there: empty at the end, None where there are none yet."""
        try:
            part = os.read(file, _PIPE_BYTES)
        except BlockingIOError:
            return None
        if file == self._output:
            self.printed += len(part)
            self.log = (self.log + part)[-TAIL:]
        elif self.result is None and self.stop is None:
            self._frames += part
            self._take_frames()
        return part

    def _take_frames(self):
        while len(self._frames) >= HEADER.size and self.result is None:
            kind, size = HEADER.unpack_from(self._frames)
            if kind not in (b"P", b"F", b"R", b"E") or size > self._limits.memory:
                self.stop = "forged"
                return
            end = HEADER.size + size
            if len(self._frames) < end:
                return
            payload = bytes(memoryview(self._frames)[HEADER.size : end])
            del self._frames[:end]
            if kind == b"P":
                self._enter(payload[:64].decode(errors="replace"))
            elif kind == b"F":
                self.files = payload
            else:
                self.result = kind, payload

    def end(self):
        """Kills what is left of the job; the outcome."""
        if self.stop is not None or self.result is not None:
            kill(self.pid)
        _, status, usage = os.wait4(self.pid, 0)
        kill(self.pid, os.killpg)
        _reap_orphans()
        for file in (self._pipe, self._output):
            while self._read(file):
                pass
        self._enter(self.phase)
        words = left_in(self._words)
        status = self._status_of_job(status)
        for file in (self._pipe, self._output, self._words, self._ended):
            os.close(file)
        exceeded = self._sandbox.memory_exceeded()
        self._sandbox.clean()
        cpu = usage.ru_utime + usage.ru_stime
        return {
            "status": self._status(status, cpu, exceeded, words),
            "phase": self.phase,
            "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) and self.stop is None else None,
            "exit_code": os.WEXITSTATUS(status) if os.WIFEXITED(status) and self.stop is None else None,
            "why": self.stop,
            "exceeded": exceeded,
            "log": bytes(self.log),
            "seconds": time.monotonic() - self._began,
            "compile_seconds": self._spent["compile"],
            "cpu_seconds": cpu,
            "memory": usage.ru_maxrss * 1024,
            "words": words,
            "files": self.files,
            "value": self.result[1] if self.result else b"",
        }

    def _status_of_job(self, status):
        """status: of the process the server knows, which may be another than the job's."""
        with contextlib.suppress(BlockingIOError):
            told = os.read(self._ended, 4)
            return int.from_bytes(told, "little") if told else status
        return status

    def _status(self, status, cpu, exceeded, words):
        if self.result is not None and self.stop is None:
            return "returned" if self.result[0] == b"R" else "raised"
        if exceeded:
            return "out-of-memory"
        if self.stop in ("timeout", "out-of-memory"):
            return self.stop
        if self.stop is None and not words and os.WIFSIGNALED(status):
            if os.WTERMSIG(status) in (signal.SIGKILL, signal.SIGXCPU) and cpu > 0.9 * self._limits.cpu:
                return "timeout"
        return "crashed"


def _reap_orphans():
    """Kills and reaps every child: those of a job come to the server when their parent dies."""
    deadline = time.monotonic() + _LONGEST_CLEANING
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            for orphan in _descendants(os.getpid()) - {os.getpid()}:
                kill(orphan)
            if time.monotonic() > deadline:
                os._exit(1)  # the client starts another
            time.sleep(0.001)


def _become_child(job, sandbox, server, mapped, pipe, output, words):
    """From the fork to the end of the child."""
    told = Told(pipe, words)
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        sandbox.enter(job.limits, server, mapped, job.folders)
        nothing = os.open("/dev/null", os.O_RDONLY)
        for file, number in ((nothing, 0), (output, 1), (output, 2)):
            os.dup2(file, number)
        own = {0, 1, 2, pipe, words}
        for number in [int(name) for name in os.listdir("/proc/self/fd")]:
            if number not in own:
                with contextlib.suppress(OSError):
                    os.close(number)
        for name, content in job.files.items():
            os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
            with open(name, "wb") as file:
                file.write(content)
        module, _, function = job.target.partition(":")
        told.phase("run")
        value = encode(getattr(importlib.import_module(module), function)(told, **job.arguments))
        kind = b"R"
    except BaseException as error:  # noqa: BLE001 - it is the caller's
        kind, value = b"E", _raised(error)
    with contextlib.suppress(BaseException):
        sys.stdout.flush()
        sys.stderr.flush()
    with contextlib.suppress(BaseException):
        told.frame(kind, value)
    os._exit(0)


def _raised(error):
    """A few words of an exception, as a Value."""
    text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    names = [kind.__name__ for kind in type(error).__mro__]
    details = getattr(error, "details", None)
    try:
        return encode({"types": names, "text": str(error)[:TAIL], "trace": text[-TAIL:], "details": details})
    except BaseException:  # noqa: BLE001 - hostile exceptions
        return encode({"types": ["Exception"], "text": "an exception that has no text", "trace": "", "details": None})


def _take_slot():
    """A number that no other worker of this machine has, held by a name that its socket keeps: it dies with us."""
    for slot in range(SLOTS):
        held = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            held.bind(f"\0sfumato-judge-slot-{slot}")
            return slot, held
        except OSError:
            held.close()
    raise RuntimeError(f"more than {SLOTS} workers on this machine")


def main(client, mode, *preload):
    sys.path[0] = ""  # a job's modules may lie in its folder
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C of the terminal is the client's
    os.set_inheritable(client.fileno(), False)
    slot, held = _take_slot()
    try:
        sandbox = Sandbox(mode, slot)
        for module in preload:
            importlib.import_module(module)
    except BaseException as error:  # noqa: BLE001 - it is the client's
        send(client, b"O", encode({"error": f"{error}"}))
        return
    told = {"error": None, "full": sandbox.full, "lacking": sandbox.lacking, "uid": sandbox.uid}
    send(client, b"O", encode(told))
    gc.collect()
    gc.freeze()
    with held, contextlib.suppress(ConnectionError):
        while (frame := receive(client)) is not None:
            job = _Running(pickle.loads(frame[1]), sandbox)
            there = job.watch(client)
            outcome = job.end()
            if not there:
                break
            send(client, b"O", encode(outcome))
    sandbox.close()
