# SPDX-License-Identifier: Apache-2.0
"""Values in frames between processes, and items over workers that end."""

import socket
import sys

import numpy as np
import pytest

from sfumato._processes.frames import BadFrame, decode, dtype_of, encode, receive, send
from sfumato._processes.pool import Pool
from sfumato._processes.servers import how_ended


@pytest.mark.parametrize("value", [None, 1, 2.5, "text", b"bytes", [1, [None]], {"a": {"b": [True]}}])
def test_values_come_back(value):
    assert decode(encode(value)) == value


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int4", "bool", "float8_e4m3fn"])
def test_arrays_come_back(dtype):
    array = np.arange(6).reshape(2, 3).astype(dtype_of(dtype))
    back = decode(encode([array]))[0]
    assert back.dtype == array.dtype and back.shape == (2, 3) and back.tobytes() == array.tobytes()


@pytest.mark.parametrize(
    "json",
    [
        '{"array":["object",[1]]}',
        '{"array":["float32",[-1]]}',
        '{"array":["float32",[1099511627776]]}',
        '{"bytes":9}',
        '{"pickle":"x"}',
        "[",
        '{"map":1}',
    ],
)
def test_what_nobody_encoded_is_refused(json):
    with pytest.raises(BadFrame):
        decode(len(json).to_bytes(8, sys.byteorder) + json.encode() + bytes(8))


def test_what_comes_after_the_end_of_a_stream():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        send(theirs, b"A", b"payload")
        send(theirs, b"B")
        theirs.sendall(b"C")
        theirs.shutdown(socket.SHUT_WR)
        assert [receive(ours) for _ in range(3)] == [(b"A", b"payload"), (b"B", b""), None]


@pytest.mark.parametrize("size", [2**63, 2**64 - 1])
def test_a_size_that_nobody_has_is_an_end(size):
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"A" + size.to_bytes(8, sys.byteorder))
        assert receive(ours) is None


@pytest.mark.parametrize("code, text", [(-11, "signal 11 (Segmentation fault)"), (3, "exit code 3")])
def test_how_processes_end(code, text):
    assert how_ended(code) == text


class Worker:
    """Doubles numbers; is gone at 0."""

    made = []

    def __init__(self):
        self.stream, self.other = socket.socketpair()
        self.items, self.closed = [], False
        self.made.append(self)

    def fileno(self):
        return self.stream.fileno()

    def send(self, item):
        if 0 in self.items:
            raise ConnectionError
        self.items.append(item)
        self.other.send(b"x")

    def receive(self):
        self.stream.recv(1)
        return 2 * self.items.pop(0) or None

    def gone(self, item):
        return None

    def close(self):
        self.closed = True
        self.stream.close()
        self.other.close()


@pytest.fixture
def made(monkeypatch):
    monkeypatch.setattr(Worker, "made", [])
    return Worker.made


@pytest.mark.parametrize("ahead", [0, 1, 4])
def test_items_of_a_lost_worker_go_to_others(made, ahead):
    items = [1, 2, 0, 3, 4, 5]
    with Pool(2, Worker, ahead, attempts=3) as pool:
        found = list(pool.run(items))
        assert sorted(item for item, _ in found) == sorted(items)
        assert all(answer == (2 * item or None) for item, answer in found)
        assert len(pool._all) == sum(not worker.closed for worker in made) <= 2
    assert all(worker.closed for worker in made)


def test_workers_stay_and_begin_anew_when_they_are_told_to(made):
    with Pool(2, Worker) as pool:
        assert list(pool.run(iter([1, None, 2]))) == [(1, 2), (2, 4)]
        assert list(pool.run([3])) == [(3, 6)] and len(made) == 1
        pool.renew()
        assert list(pool.run([4])) == [(4, 8)] and len(made) == 2 and made[0].closed


def test_a_run_that_is_left_ends_the_workers_that_have_items(made):
    with Pool(1, Worker, ahead=2) as pool:
        run = pool.run([1, 2, 3])
        assert next(run) == (1, 2)
        run.close()
        assert made[0].closed and not pool._all
