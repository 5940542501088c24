# SPDX-License-Identifier: Apache-2.0
"""What a stopped process, or its core dump, says of the core that a thread runs: plain memory, as sfumato/debugger.h lays it
out. Nothing is called, which not every gdb can do."""

import struct
from bisect import bisect_right
from types import SimpleNamespace

import gdb

VERSION = 1  # sfumato::debug::kVersion
REGISTERS = ("fs_base", "tpidr")  # that hold a thread's pointer: of x86-64, arm64
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
    """gdb's words, on one line."""
    return Unknown(" ".join(str(error).rstrip(".").split()))


def memory(address, size):
    try:
        return bytes(gdb.selected_inferior().read_memory(address, size))
    except gdb.error as error:
        raise unknown(error) from None


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
    try:
        return gdb.Value(address).cast(gdb.lookup_type("char").pointer()).string()
    except gdb.error as error:
        raise unknown(error) from None


def library():
    """What libsfumato has for everyone; None where there is none."""
    try:
        address = int(gdb.parse_and_eval("(unsigned long)&sfumato_debug"))
    except gdb.error:
        if any("libsfumato" in (one.filename or "") for one in gdb.objfiles()):
            raise Unknown("the library is of another version than gdb's script: it has no sfumato_debug") from None
        return None
    found = struct.unpack("<I", memory(address, 4))[0]
    if found != VERSION:
        raise Unknown(f"the library's state is of version {found}, and gdb's script reads version {VERSION}")
    return record("Library", address)


def core_pointer(core_at):
    """Where the selected thread keeps its core."""
    frame = gdb.newest_frame()
    for register in REGISTERS:
        try:
            return int(frame.read_register(register)) + core_at
        except (ValueError, gdb.error):
            pass
    try:  # by libthread_db, of a process that lives
        return int(gdb.parse_and_eval("(unsigned long)&'sfumato::runtime::t_core'"))
    except gdb.error as error:
        raise unknown(error) from None


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
    if gdb.selected_thread() is None:
        return None
    tables = library()
    if tables is None:
        return None
    port = numbers(core_pointer(tables.core_at), 1)[0]
    return Core(tables, numbers(port + tables.state_at, 1)[0]) if port else None
