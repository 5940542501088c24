# SPDX-License-Identifier: Apache-2.0
"""What a stopped process, or its core dump, says of the core that a thread runs: plain memory, as sfumato/debugger.h lays it
out. Nothing is called, which not every debugger can do. A debugger's script sets `reader`, of the class Reader."""

import struct
from bisect import bisect_right
from types import SimpleNamespace

VERSION = 1  # sfumato::debug::kVersion
REGISTERS = ("fs_base", "tpidr")  # that hold a thread's pointer: of x86-64, arm64
PAGE = 4096
STATES = ("free", "allocated", "enqueued", "dequeued")  # BlockState

# The structs of sfumato/debugger.h: fields, and their form for `struct`; a Where is (file, line), a List (first, count, stride).
LAYOUTS = {
    "Library": "version:I memories:I positions:I4x memory_names:Q position_names:Q core_at:q state_at:Q",
    "Core": "name:Q block:Q blocks:Q memory:Q memory_bytes:Q allocations:3Q pipe:Q",
    "Allocation": "address:Q bytes:Q name:Q index:Q",
    "Pipe": "object:Q queues:3Q buffers:3Q pools:3Q live_queues:Q live_buffers:Q used:Q",
    "Queue": "source:B destination:B position:B depth:xi bytes:I4x taken:QI4x parts:3Q",
    "Block": "address:Q last:QI4x state:I4x",
    "Buffer": "position:B7x address:Q bytes:I4x taken:QI4x",
    "Pool": "address:Q bytes:Q used:Q count:I most:I",
}


class Unknown(Exception):
    """Why something cannot be told."""


def unknown(error):
    """A debugger's words, on one line."""
    return Unknown(" ".join(str(error).rstrip(".").split()))


class Reader:
    """What a debugger does for this module. Each may raise Unknown."""

    name = "no debugger"
    pointer_is_behind = False  # of a thread's struct, as on arm64

    def memory(self, address, size):
        """The bytes there."""
        raise NotImplementedError

    def address_of(self, symbol):
        """Where a symbol of the process lies, or None."""
        raise NotImplementedError

    def has_library(self):
        """Whether libsfumato is loaded."""
        raise NotImplementedError

    def thread(self):
        """The system's number of the selected thread, or None."""
        raise NotImplementedError

    def register(self, name):
        """A register of that thread, or None."""
        raise NotImplementedError

    def core_pointer(self):
        """Where that thread keeps its core, by means of the debugger's own."""
        raise Unknown("the thread's pointer is in no register")

    def value(self, type, address):
        """The object of a type that lies there."""
        raise NotImplementedError


reader = Reader()


def memory(address, size):
    return reader.memory(address, size)


def records(name, first, count, stride):
    """The structs of a List, which may hold longer ones."""
    raw, found = memory(first, count * stride) if count else b"", []
    for start in range(0, count * stride, stride or 1):
        one, at = SimpleNamespace(), start
        for field in LAYOUTS[name].split():
            key, form = field.split(":")
            values = struct.unpack_from("<" + form, raw, at)
            setattr(one, key, values if len(values) > 1 else values[0])
            at += struct.calcsize("<" + form)
        found.append(one)
    return found


def record(name, address):
    size = struct.calcsize("<" + "".join(field.partition(":")[2] for field in LAYOUTS[name].split()))
    return records(name, address, 1, size)[0]


def numbers(address, count):
    return struct.unpack(f"<{count}Q", memory(address, 8 * count))


def text(address):
    """Up to its zero, never read beyond the page that holds it."""
    raw = b""
    while b"\0" not in raw:
        at = address + len(raw)
        raw += memory(at, PAGE - at % PAGE)
    return raw.partition(b"\0")[0].decode(errors="replace")


def library():
    """What libsfumato has for everyone; None where there is none."""
    address = reader.address_of("sfumato_debug")
    if address is None:
        if reader.has_library():
            raise Unknown(f"the library is of another version than {reader.name}'s script: it has no sfumato_debug")
        return None
    found = struct.unpack("<I", memory(address, 4))[0]
    if found != VERSION:
        raise Unknown(f"the library's state is of version {found}, and {reader.name}'s script reads version {VERSION}")
    return record("Library", address)


def described(name):
    """What the C library (2.34 or newer) says of itself for debuggers, or None: a size, or an offset behind two numbers."""
    address = reader.address_of(f"_thread_db_{name}")
    if address is None:
        return None
    return struct.unpack("<I", memory(address + (0 if name.startswith("sizeof") else 8), 4))[0]


def thread_pointer(number):
    """That of a thread, from the C library's list of threads; None where that cannot be told."""
    shared = reader.address_of("_rtld_global")
    fields = ("list_t_next", "pthread_list", "pthread_tid", "rtld_global__dl_stack_used", "rtld_global__dl_stack_user")
    next_at, list_at, number_at, *heads = map(described, fields)
    if shared is None or None in (next_at, list_at, number_at, *heads):
        return None
    for head in (shared + at for at in heads):
        node = numbers(head + next_at, 1)[0]
        while node not in (head, 0):
            thread = node - list_at
            if struct.unpack("<I", memory(thread + number_at, 4))[0] == number:
                return thread + (described("sizeof_pthread") if reader.pointer_is_behind else 0)
            node = numbers(node + next_at, 1)[0]
    return None


def core_pointer(core_at):
    """Where the selected thread keeps its core."""
    for register in REGISTERS:
        value = reader.register(register)
        if value is not None:
            return value + core_at
    found = thread_pointer(reader.thread())
    return reader.core_pointer() if found is None else found + core_at


class Core:
    """A core, as it stands."""

    def __init__(self, tables, address):
        self.tables, self.state = tables, record("Core", address)
        self.name = text(self.state.name)

    def memories(self):
        """(name, where it lies on the host, bytes) by memory; without bytes, none of this core's own."""
        count = self.tables.memories
        names = [text(name) for name in numbers(self.tables.memory_names, count)]
        return list(zip(names, numbers(self.state.memory, count), numbers(self.state.memory_bytes, count)))

    def position(self, number):
        names = numbers(self.tables.position_names, self.tables.positions)
        return text(names[number]) if number < len(names) else "?"

    def allocation(self, address):
        """The allocation of global memory that holds an address, its end included, or None."""
        live = records("Allocation", *self.state.allocations)
        at = bisect_right([one.address for one in live], address) - 1
        return live[at] if at >= 0 and address - live[at].address <= live[at].bytes else None

    def place(self, address):
        """ "UB+0x40", "x+0x200"; empty for an address of neither the core nor global memory."""
        for name, base, size in self.memories():
            if size and base <= address < base + size:
                return f"{name}+{address - base:#x}"
        found = self.allocation(address)
        return f"{text(found.name)}+{address - found.address:#x}" if found else ""

    def pipe(self):
        """What TPipe hands out, or None before the kernel first needs one."""
        return record("Pipe", self.state.pipe) if self.state.pipe else None


def current():
    """The core that the selected thread runs; None outside a kernel. Raises Unknown."""
    if reader.thread() is None:
        return None
    tables = library()
    if tables is None:
        return None
    port = numbers(core_pointer(tables.core_at), 1)[0]
    return Core(tables, numbers(port + tables.state_at, 1)[0]) if port else None
