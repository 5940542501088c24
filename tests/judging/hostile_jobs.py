# SPDX-License-Identifier: Apache-2.0
"""Jobs that attack the machine, the worker or the result, or break: what each has to end as.

They run behind a full sandbox alone (hostile_run.py refuses others): as root without one, some would end the machine.
"""

import ctypes
import mmap
import os
import signal
import socket
import subprocess
import sys
import threading
import time

import numpy as np

KINDS = {}  # name: (function, statuses it may end with, seldom: it takes its whole time limit)


def ends_as(*statuses, slow=False):
    def add(function):
        KINDS[function.__name__] = (statuses, slow)
        return function

    return add


@ends_as("returned")
def behaves(told):
    return 42


@ends_as("timeout", slow=True)
def loops(told):
    while True:
        pass


@ends_as("timeout", slow=True)
def sleeps_deaf(told):
    for number in range(1, 32):
        try:
            signal.signal(number, signal.SIG_IGN)
        except OSError:
            pass
    while True:
        time.sleep(10)


@ends_as("timeout", "out-of-memory", slow=True)  # where no control group counts it, memory is that of every process
def bombs_with_forks(told):
    while True:
        try:
            os.fork()
        except OSError:
            pass


@ends_as("timeout", "raised", "crashed", slow=True)
def bombs_with_threads(told):
    while True:
        threading.Thread(target=time.sleep, args=(60,)).start()


@ends_as("returned")
def fills_the_disk(told):
    try:
        for n in range(100_000):
            with open(f"file{n}", "wb") as file:
                file.write(bytes(1 << 20))
    except OSError as error:
        return error.strerror


@ends_as("returned")
def fills_shared_memory(told):
    try:
        for n in range(100_000):
            with open(f"/dev/shm/file{n}", "wb") as file:
                file.write(bytes(1 << 20))
    except OSError as error:
        return error.strerror


@ends_as("returned", "timeout")  # so many files take about a second
def makes_many_files(told):
    try:
        for n in range(10_000_000):
            open(f"file{n}", "w").close()
    except OSError as error:
        return error.strerror


@ends_as("out-of-memory", "timeout")  # a machine that is busy needs a second for so many pages
def takes_all_memory(told):
    parts = []
    while True:
        parts.append(np.ones(1 << 24, np.uint8))


@ends_as("out-of-memory", "crashed", "timeout")
def takes_all_memory_by_children(told):
    for _ in range(4):
        os.fork()
    pages = []
    while True:
        try:
            pages.append(mmap.mmap(-1, 1 << 22))
            pages[-1].write(b"x" * (1 << 22))
        except (OSError, ValueError):
            time.sleep(0.01)


@ends_as("out-of-memory")
def asks_for_too_much(told):
    np.ones(1 << 40, np.uint8)


@ends_as("returned")
def kills_its_parent(told):
    for pid in (os.getppid(), 1, -1):
        try:
            os.kill(pid, signal.SIGTERM)
        except OSError:
            pass
    return "alive"


@ends_as("returned")
def kills_everybody(told):
    assert os.getpid() == 2  # behind the first process of a namespace of its own
    for pid in (1, *range(3, 70_000)):
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass


@ends_as("crashed")
def prints_gigabytes(told):
    while True:
        os.write(1, bytes(1 << 16))


@ends_as("returned")
def leaves_a_daemon(told):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            while True:
                time.sleep(1)
        os._exit(0)


@ends_as("returned", "timeout")
def leaves_a_shell(told):
    subprocess.Popen(["sh", "-c", "trap '' TERM HUP; while :; do :; done"], start_new_session=True)


@ends_as("crashed")
def forges_the_result(told):
    told.frame(b"R", b"\x10\0\0\0\0\0\0\0" + b'{"array":["object",[1]]}')


@ends_as("crashed")
def writes_noise_as_result(told):
    while True:
        told.frame(b"R", os.urandom(100))


@ends_as("crashed")
def announces_a_huge_result(told):
    os.write(told._pipe, b"R" + b"\xff" * 8)
    time.sleep(60)


@ends_as("crashed")
def sends_an_unknown_frame(told):
    told.frame(b"Z", b"")
    time.sleep(60)


@ends_as("crashed")
def closes_every_file(told):
    os.closerange(0, 1024)


@ends_as("raised")
def returns_no_value(told):
    return object()


@ends_as("raised")
def raises_strangely(told):
    class Strange(Exception):
        def __str__(self):
            raise SystemExit(0)

    raise Strange


@ends_as("raised")
def recurses(told):
    return recurses(told)


@ends_as("crashed", "out-of-memory", "timeout")
def overflows_the_stack(told):
    sys.setrecursionlimit(1 << 30)
    threading.stack_size(1 << 18)
    function = lambda f: f(f)  # noqa: E731
    return ctypes.CFUNCTYPE(None)(lambda: function(function))() or ctypes.string_at(0)


@ends_as("crashed")
def reads_address_zero(told):
    ctypes.string_at(0)


@ends_as("crashed")
def aborts(told):
    os.abort()


@ends_as("crashed")
def exits(told):
    os._exit(0)


@ends_as("raised")
def raises_exit(told):
    sys.exit(0)


@ends_as("returned")
def writes_into_caches(told):
    written = []
    for folder in ("/root/.cache/sfumato", os.path.dirname(__file__), "/etc", "/usr", "/tmp", "/var/tmp", sys.prefix):
        try:
            with open(f"{folder}/sfumato-hostile", "w"):
                written.append(folder)
        except OSError:
            pass
    return written


@ends_as("returned")
def speaks_with_others(told):
    found = []
    for address in (("127.0.0.1", 22), ("8.8.8.8", 53)):
        try:
            socket.create_connection(address, 0.5)
            found.append(address)
        except OSError:
            pass
    return found


@ends_as("returned")
def gains_root(told):
    try:
        os.setuid(0)
        return os.getuid()
    except OSError:
        return None


@ends_as("returned")
def mounts(told):
    libc = ctypes.CDLL(None)
    return libc.mount(b"none", b"/dev/shm", b"tmpfs", 0, None) + libc.unshare(0x20000)


@ends_as("returned")
def leaves_system_v_memory(told):
    return ctypes.CDLL(None).shmget(1234, 1 << 20, 0o1600) >= 0


# What the value must be, of those whose value says that an attack failed.
VALUES = {
    "behaves": 42,
    "fills_the_disk": "No space left on device",
    "fills_shared_memory": "No space left on device",
    "makes_many_files": "No space left on device",
    "kills_its_parent": "alive",
    "writes_into_caches": [],
    "speaks_with_others": [],
    "gains_root": None,
    "mounts": -2,
}
