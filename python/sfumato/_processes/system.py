# SPDX-License-Identifier: Apache-2.0
"""What Linux gives and POSIX does not: the only place of this package that asks for it."""

import contextlib
import ctypes
import os
import resource
import signal

CLONE_NEWNS = 0x20000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 8, 0x1000, 0x4000, 1 << 18

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_CAPBSET_DROP, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 1, 4, 24, 36, 38
_SYS_MOUNT_SETATTR = 442
_AT_FDCWD, _AT_RECURSIVE, _MOUNT_ATTR_RDONLY = -100, 0x8000, 1
_LAST_CAPABILITY = 63

_libc = ctypes.CDLL(None, use_errno=True)


def _call(function, *arguments):
    if function(*arguments) == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def unshare(flags):
    _call(_libc.unshare, ctypes.c_int(flags))


def setns(file, kind):
    _call(_libc.setns, ctypes.c_int(file), ctypes.c_int(kind))


def mount(source, target, kind, flags=0, data=""):
    words = [word.encode() for word in (source, target, kind, data)]
    _call(_libc.mount, words[0], words[1], words[2] or None, ctypes.c_ulong(flags), words[3] or None)


def make_all_read_only():
    """Every mount of this mount namespace."""
    attributes = (ctypes.c_uint64 * 4)(_MOUNT_ATTR_RDONLY, 0, 0, 0)
    _call(
        _libc.syscall,
        ctypes.c_long(_SYS_MOUNT_SETATTR),
        ctypes.c_int(_AT_FDCWD),
        b"/",
        ctypes.c_uint(_AT_RECURSIVE),
        ctypes.byref(attributes),
        ctypes.c_size_t(ctypes.sizeof(attributes)),
    )


def _prctl(option, value):
    _call(_libc.prctl, ctypes.c_int(option), ctypes.c_ulong(value), *[ctypes.c_ulong(0)] * 3)


def die_with_parent(parent=None):
    """parent: this process's, which may be gone already."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if parent is not None and os.getppid() != parent:
        os._exit(1)


def mapped_bytes():
    """Of this process's address space."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def mapped_files():
    """The set of paths of files that this process has in its address space: libraries above all."""
    with open("/proc/self/maps") as maps:
        paths = {line.split(maxsplit=5)[-1].strip() for line in maps}
    return {path for path in paths if path.startswith("/") and not path.startswith("/memfd:")}  # memory has a name, too


def processors():
    """How many this process may run on: in a container fewer than the machine has."""
    return len(os.sched_getaffinity(0))


def nameless_file(name):
    """The number of a new file in memory, closed by exec; `name` is for lists of open files alone. OSError: none is left."""
    return os.memfd_create(name)


def give_memory(file, size):
    """The nameless file has so many bytes from here on. OSError where the machine has no memory for them."""
    os.ftruncate(file, size)
    os.posix_fallocate(file, 0, size)


def is_process(number):
    return os.path.exists(f"/proc/{number}")


def is_stopped(process):
    """By SIGSTOP and its like, not by a debugger; False of one that is gone."""
    with contextlib.suppress(OSError), open(f"/proc/{process}/stat") as file:
        return file.read().rpartition(")")[2].split()[0] == "T"
    return False


def holds_descriptors(folder):
    """Whether its names are open descriptors, such as the one behind /dev/stdout, or else of no file on a disk."""
    return folder.startswith("/proc/")


def adopt_orphans():
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def gain_nothing():
    """No set-uid program gives a privilege from here on."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def stay_readable():
    """/proc/self is this process's own after a change of user."""
    _prctl(_PR_SET_DUMPABLE, 1)


def keep_closed():
    """No process of the same user may look into this one."""
    _prctl(_PR_SET_DUMPABLE, 0)


def drop_capabilities():
    for capability in range(_LAST_CAPABILITY + 1):
        try:
            _prctl(_PR_CAPBSET_DROP, capability)
        except OSError:  # the kernel does not know it, or it was not ours
            pass
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    none = (ctypes.c_uint32 * 6)()
    _call(_libc.capset, header, none)
