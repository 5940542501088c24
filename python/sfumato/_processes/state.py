# SPDX-License-Identifier: Apache-2.0
"""What a kernel may change of its process that the next one would find: a process where it did runs no other."""

import contextlib
import ctypes
import os
import resource
import signal

_LIBC = ctypes.CDLL(None)
_SIGNALS = [n for n in range(1, 32) if n not in (signal.SIGKILL, signal.SIGSTOP)]
_ACTION = 152  # bytes of struct sigaction
_ACTIONS = ctypes.create_string_buffer(_ACTION * len(_SIGNALS))
_PLACES = [(n, ctypes.addressof(_ACTIONS) + _ACTION * i) for i, n in enumerate(_SIGNALS)]
_SIGACTION = _LIBC.sigaction
_SIGACTION.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
_LIMITS = [getattr(resource, f"RLIMIT_{name}") for name in ("AS", "CPU", "DATA", "FSIZE", "NOFILE", "NPROC", "STACK")]


def state() -> tuple:
    """Environment, folder, mask of files, user, handlers, limits, timer: equal as long as nothing changed them (30 us)."""
    folder = None
    with contextlib.suppress(OSError):  # it was deleted
        folder = os.getcwd()
    mask = os.umask(0o077)
    os.umask(mask)
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    limits = [resource.getrlimit(number) for number in _LIMITS]
    timed = signal.getitimer(signal.ITIMER_REAL) != (0.0, 0.0)
    return _environment(), folder, mask, os.getresuid(), os.getresgid(), blocked, _handlers(), limits, timed


def _environment():
    """Of the C library, which os.environ does not follow."""
    entries = ctypes.POINTER(ctypes.c_char_p).in_dll(_LIBC, "environ")
    found = []
    while entries and entries[len(found)] is not None:
        found.append(entries[len(found)])
    return found


def _handlers():
    for number, place in _PLACES:
        _SIGACTION(number, None, place)
    actions = _ACTIONS.raw
    return [actions[place : place + 8] for place in range(0, len(actions), _ACTION)]  # the functions
