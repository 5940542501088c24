# SPDX-License-Identifier: Apache-2.0
"""Launches in another process: the client of the fork server (_fork_server.py)."""

import atexit
import contextlib
import mmap
import os
import pickle
import select
import signal
import socket
import sys
import threading

import numpy as np

from . import _native
from ._errors import KernelError
from ._estimate import Estimate
from ._fork_server import Shared, replace
from ._native import Error
from ._processes import system
from ._processes.frames import receive, send
from ._processes.servers import Server, how_ended, left_in
from ._sources import working_folder

_ALIGNMENT = 4096
_MOST_KEPT = 256 << 20  # bytes of shared memory that an idle runner keeps
_MOST_IDLE = 8  # runners
_HANDLERS_EVERY = 250  # milliseconds
_STOPPED_LOOKS = 4


class _Server:
    """This process's server, its runners at rest among them."""

    def __init__(self):
        self.lock = threading.Lock()
        self.process = self.control = None
        self.idle = []

    def fork(self, files):
        """A new runner: its process, and the socket to its server."""
        with self.lock:
            if self.process is None or self.process.poll() is not None:
                self._start()
            pid = self._ask(self.control, b"run", files)
            if pid is None:
                raise Error("isolated: the fork server is gone; the next launch starts another")
            return pid, self.control

    def end_runner(self, pid, control):
        """Its status, as of waitpid; None when its server is gone, and it with it."""
        with self.lock:
            return self._ask(control, b"end %d" % pid) if control is self.control else None

    def _ask(self, control, message, files=()):
        try:
            socket.send_fds(control, [message], files)
            answer = control.recv(64)
        except ConnectionError:
            answer = b""
        return int(answer) if answer else None

    def alive(self, control):
        return control is self.control and self.process.poll() is None

    def _start(self):
        if not sys.executable:
            raise Error("isolated: there is no Python to start: sys.executable is empty")
        self.forget()
        server = Server("sfumato._fork_server", kind=socket.SOCK_SEQPACKET, cwd="/")
        self.process, self.control = server.process, server.stream

    def forget(self):
        """Closes what leads to the server, which then ends; in a forked child, what the parent has."""
        for runner in self.idle:
            runner.close()
        self.idle = []
        if self.control is not None:
            self.control.close()
        self.process = self.control = None

    def end(self):
        with self.lock:
            process = self.process
            self.forget()
            if process is not None:
                process.wait()

    def forked(self):
        self.lock = threading.Lock()
        if self.process is not None:
            self.process.returncode = 0  # not this process's child
        self.forget()


_server = _Server()
_busy = set()
atexit.register(_server.end)


def _after_fork():
    for runner in list(_busy):
        runner.close()
    _busy.clear()
    _server.forked()


os.register_at_fork(after_in_child=_after_fork)


class _Runner:
    """A process that runs jobs, and the memory it shares."""

    def __init__(self):
        self.stream, theirs = socket.socketpair()
        self.last_words, words = os.pipe()
        self.memory = system.nameless_file("sfumato")
        self.map = None
        self.stopped = False
        _busy.add(self)
        try:
            self.pid, self._control = _server.fork([theirs.fileno(), words, self.memory])
            theirs.close()
            if receive(self.stream) is None:
                raise Error("isolated: a process of the fork server did not start")
        except BaseException:
            self.close()
            raise
        finally:
            theirs.close()
            os.close(words)

    def close(self):
        _busy.discard(self)
        if self.stream is None:
            return
        self.stream.close()
        self.stream = None
        os.close(self.last_words)
        os.close(self.memory)
        self.map = None

    def served(self):
        return _server.alive(self._control)

    def rest(self):
        """Ready for the next launch."""
        _busy.discard(self)
        if self.map is not None and len(self.map) > _MOST_KEPT:
            self.map = None
            os.ftruncate(self.memory, 0)
        with _server.lock:
            if len(_server.idle) < _MOST_IDLE and self._control is _server.control:
                _server.idle.append(self)
                return
        self.end()

    def end(self):
        """Kills the process; (its last words, its status)."""
        status = _server.end_runner(self.pid, self._control)
        words = left_in(self.last_words)
        self.close()
        return words, status

    def room(self, size):
        """The shared memory, of at least so many bytes."""
        if size and (self.map is None or len(self.map) < size):
            size = -(-size // _ALIGNMENT) * _ALIGNMENT
            try:
                system.give_memory(self.memory, size)
            except OSError as error:
                raise Error(f"isolated: no shared memory of {size} bytes: {error.strerror}") from None
            self.map = mmap.mmap(self.memory, size)
        return self.map


def _take():
    while True:
        with _server.lock:
            runner = _server.idle.pop() if _server.idle else None
        if runner is None:
            return _Runner()
        if runner.served():
            _busy.add(runner)
            return runner
        runner.close()


class _Arrays:
    """The arrays of a launch and their places in the shared memory: those that share bytes do so there, too."""

    def __init__(self, items):
        found = []
        replace(items, np.ndarray, found.append)
        spans = sorted((array.ctypes.data, array.ctypes.data + array.nbytes) for array in found)
        self._regions = []  # (first address, behind the last, offset)
        self.bytes = 0
        for begin, end in spans:
            if self._regions and begin < self._regions[-1][1]:
                first, last, offset = self._regions[-1]
                self._regions[-1] = (first, max(last, end), offset)
            else:
                self._regions.append((begin, end, self.bytes))
            first, last, offset = self._regions[-1]
            self.bytes = -(-(offset + last - first) // _ALIGNMENT) * _ALIGNMENT
        self._arrays = found

    def place(self, array):
        begin = array.ctypes.data
        first, _, offset = next(r for r in self._regions if r[0] <= begin <= r[1] and begin + array.nbytes <= r[1])
        return Shared(offset + begin - first, array.nbytes)

    def _views(self, memory):
        for array in self._arrays:
            if array.nbytes:
                place = self.place(array)
                yield array, np.frombuffer(memory, np.uint8, place.size, place.offset)

    def write(self, memory):
        for array, shared in self._views(memory):
            np.copyto(shared, array)

    def read(self, memory):
        for array, shared in self._views(memory):
            if array.flags.writeable and not np.array_equal(array, shared):
                np.copyto(array, shared)


class _Interrupts:
    """Ctrl-C on the main thread while this process waits for a runner: interrupts the launch there, the second time ends
    it. The handler that was there runs when everything is put back."""

    def __init__(self):
        self.runner = None
        self.count = 0
        self._before = None

    def __enter__(self):
        before = signal.getsignal(signal.SIGINT)
        if callable(before) and threading.current_thread() is threading.main_thread():
            self._before = before
            signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, kind, *_):
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
        if kind is not None and self.count != 0:
            self._before(signal.SIGINT, sys._getframe())

    def _handle(self, *_):
        self.count += 1
        if self.runner is not None and self.runner.stream is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.runner.pid, signal.SIGINT if self.count == 1 else signal.SIGKILL)

    def tell(self, result):
        """Outside of the `with`: calls the handler, whose KeyboardInterrupt has the report as its cause."""
        if self.count == 0:
            return
        try:
            self._before(signal.SIGINT, sys._getframe())
        except KeyboardInterrupt as interrupt:
            if not result.ok:
                raise interrupt from KernelError(result)
            raise


def launch(kernels, recipe, name, blocks, items, options):
    """As _native.launch, in a runner."""
    arrays = _Arrays(items)
    wants = [option for option in ("log", "progress") if options[option] is not None]
    plain = {key: value for key, value in options.items() if key not in ("print", "log", "progress", "isolated")}
    job = (
        working_folder(),
        recipe,
        kernels.object_path,
        name,
        blocks,
        replace(items, np.ndarray, arrays.place),
        plain,
        wants,
    )
    estimate, spent = [], []
    callbacks = {b"P": options["print"], b"L": options["log"], b"G": options["progress"], b"E": estimate.extend}
    callbacks[b"S"] = spent.append
    result = None
    with _Interrupts() as interrupts:
        runner = _take()
        clean = False
        try:
            memory = runner.room(arrays.bytes)
            arrays.write(memory)
            interrupts.runner = runner
            outcome = _outcome(runner, job, callbacks) if interrupts.count == 0 else (b"I", b"")
            if outcome is None:
                result = _last_result(runner, kernels.chip, name)
            elif outcome[0] == b"X":
                clean = interrupts.count == 0
                kind, text = pickle.loads(outcome[1])
                raise getattr(_native, kind, Error)(text)
            elif outcome[1]:
                result = _native.unpack_result(bytes(outcome[1]))
                if estimate:
                    result.sent_estimate = Estimate(*estimate)
                # What a faulty kernel may have done to its process nobody knows.
                clean = result.ok and not spent and interrupts.count == 0
                if clean:
                    arrays.read(memory)
            else:
                result = _native.lost_result(kernels.chip, name, "")
        finally:
            interrupts.runner = None  # from here on it gets no SIGINT
            if clean and interrupts.count == 0:
                runner.rest()
            elif runner.stream is not None:
                runner.end()
    interrupts.tell(result)
    if result.ok and not clean:
        arrays.read(memory)
    return result


def _outcome(runner, job, callbacks):
    """The last frame of the job, or None when the process ended."""
    try:
        send(runner.stream, b"J", pickle.dumps(job))
        return _frames(runner, callbacks)
    except ConnectionError:
        return None


def _frames(runner, callbacks):
    arrives = select.poll()
    arrives.register(runner.stream, select.POLLIN)
    stopped = 0
    while True:
        # A signal that comes right before a wait does not end it: its handler runs after this one.
        while not arrives.poll(_HANDLERS_EVERY):
            stopped = stopped + 1 if system.is_stopped(runner.pid) else 0
            if stopped == _STOPPED_LOOKS:
                runner.stopped = True
                return None
        frame = receive(runner.stream)
        if frame is None:
            return None
        kind, payload = frame
        if kind not in b"PLGES":
            return frame
        call = callbacks.get(kind)
        if call is None:
            continue
        if kind == b"G":
            call(*pickle.loads(payload))
        elif kind == b"E":
            call(pickle.loads(payload))
        else:
            call(payload.decode())


def _last_result(runner, chip, name):
    """Of a process that ended: what it said last, or that it is lost."""
    words, status = runner.end()
    if words:
        return _native.unpack_result(words)
    if runner.stopped:
        found = "it was stopped by a signal, and did not go on"
    elif status is None:
        found = "the fork server was ended, and the process with it"
    else:
        code = os.waitstatus_to_exitcode(status)
        found = f"it {'was ended by' if code < 0 else 'ended with'} {how_ended(code)}"
    return _native.lost_result(chip, name, found)
