# SPDX-License-Identifier: Apache-2.0
"""Printers of numbers, tensors, queues and buffers, for values as gdb has them: value["member"], int(value), str(value),
value.address, value.type with strip_typedefs(), unqualified(), template_argument(0), sizeof and str()."""

import struct

import sfumato_debug_state as state

UNKNOWN_SIZE_SHOWS = 8  # elements of a GlobalTensor without a size


# Numbers


def to_half(value):
    try:
        return struct.unpack("<H", struct.pack("<e", value))[0]
    except OverflowError:
        return 0x7C00 | (0x8000 if value < 0 else 0)


def to_bfloat16(value):
    try:
        bits = struct.unpack("<I", struct.pack("<f", value))[0]
    except OverflowError:
        return 0x7F80 | (0x8000 if value < 0 else 0)
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def shortest(value, bits, encode):
    """An integer as it is, else the fewest digits that mean these bits; a NaN with its bits."""
    if value != value:
        return f"nan({bits:#06x})"
    if abs(value) < 1e6 and value == int(value):
        return f"{value:.0f}"
    texts = (f"{value:.{digits}g}" for digits in range(1, 9))
    return f"{float(next(text for text in texts if encode(float(text)) == bits)):.8g}"


class Half:
    def __init__(self, value):
        self.bits = int(value["bits_"])

    def to_string(self):
        return shortest(struct.unpack("<e", struct.pack("<H", self.bits))[0], self.bits, to_half)


class Bfloat16(Half):
    def to_string(self):
        return shortest(struct.unpack("<f", struct.pack("<I", self.bits << 16))[0], self.bits, to_bfloat16)


class Int4:
    def __init__(self, value):
        self.value = int(value["value_"])

    def to_string(self):
        return str(self.value)


# Tensors


class Tensor:
    """A view of elements: one line, then the elements, as many as `print elements` says."""

    def __init__(self, value):
        self.value, self.view = value, value["view_"]
        self.type = value.type.strip_typedefs().unqualified().template_argument(0)
        self.int4 = str(self.type.strip_typedefs().unqualified()).endswith("int4b_t")
        self.address, self.size = int(self.view["address"]), int(self.view["size"])

    def display_hint(self):
        return "array"

    def name(self):
        return f"{type(self).__name__}<{str(self.type).replace('sfumato::', '')}>"

    def place(self):
        try:
            core = state.current()
            return (core and core.place(self.address)) or f"{self.address:#x}"
        except state.Unknown as why:
            return f"{self.address:#x} ({why})"

    def bytes(self, elements):
        return (elements + 1) // 2 if self.int4 else elements * self.type.sizeof

    def elements(self, bytes):
        return bytes * 2 if self.int4 else bytes // self.type.sizeof

    def count(self):
        return self.size

    def children(self):
        for i in range(self.count() if self.address else 0):
            yield f"[{i}]", self.element(i)

    def element(self, i):
        if not self.int4:
            return state.reader.value(self.type, self.address + i * self.type.sizeof)
        nibble = state.memory(self.address + i // 2, 1)[0] >> i % 2 * 4 & 15
        return nibble - (nibble & 8) * 2


def position(value):
    return str(value).rpartition("::")[2]


class LocalTensor(Tensor):
    def by_hand(self):
        """The place that an address gave it, which it takes at its next use; None of any other."""
        at = self.value["address_"]
        where = f"placed at byte {int(at['bufferAddr'])} with {int(at['dataLen'])} bytes at its next use"
        return where if int(self.value["by_hand_"]["line"]) else None

    def to_string(self):
        if self.by_hand():
            return f"{self.name()}, {self.by_hand()}"
        if not self.address:
            return f"{self.name()}, nowhere"
        where = f"{position(self.view['position'])} at {self.place()}"
        return f"{self.name()} {where}, {self.size} elements, {self.bytes(self.size)} bytes"


class GlobalTensor(Tensor):
    def allocation(self):
        """(bytes before the tensor's start, bytes from there on) of its memory; None where that is not known."""
        try:
            core = state.current()
            found = core and core.allocation(self.address)
        except state.Unknown:
            return None
        before = found and self.address - found.address
        return (before, found.bytes - before) if found else None

    def count(self):
        most = self.allocation()
        shown = UNKNOWN_SIZE_SHOWS if most is None else min(UNKNOWN_SIZE_SHOWS, self.elements(most[1]))
        return self.size or shown

    def to_string(self):
        if not self.address:
            return f"{self.name()}, before SetGlobalBuffer"
        size = f"{self.size} elements, {self.bytes(self.size)} bytes" if self.size else "size not given"
        return f"{self.name()} at {self.place()}, {size}"


# What TPipe hands out


def queue_line(core, queue):
    blocks = state.records("Block", *queue.parts)
    states = [state.STATES[block.state] for block in blocks]
    counts = [f"{states.count(one)} {one}" for one in state.STATES if one in states or one == "free"]
    ends = f"{core.position(queue.source)} -> {core.position(queue.destination)}"
    ended = " (its memory was handed out again)" if queue.taken[1] else ""
    return f"{ends}, depth {queue.depth}, {len(blocks)} x {queue.bytes} bytes: {', '.join(counts)}{ended}"


def block_line(core, block):
    file, line = block.last
    since = f", since {state.text(file)}:{line}" if line else ""
    return f"{state.STATES[block.state]} at {core.place(block.address)}{since}"


def buffer_line(core, buffer):
    ended = " (handed out again)" if buffer.taken[1] else ""
    return f"{core.position(buffer.position)}, {buffer.bytes} bytes at {core.place(buffer.address)}{ended}"


def pool_line(core, pool):
    memory = core.place(pool.address).partition("+")[0]
    return f"{memory}, {pool.count} of {pool.most} buffers, {pool.used} of {pool.bytes} bytes used"


class Handed:
    """An object of the core that hands out memory: a line, and its parts as children."""

    def __init__(self, value):
        self.parts = []
        try:
            self.line = self.look(value)
        except state.Unknown as why:
            self.line, self.parts = f"whose state is unknown: {why}", []

    def core(self):
        core = state.current()
        if core is None:
            raise state.Unknown("the thread runs no kernel")
        return core

    def found(self, value, kind, fields):
        """The core, and what it keeps under the number in the object's handle: None where it has none."""
        number = int(value["handle_"]["index"])
        if number == -1:
            return None, None
        core = self.core()
        pipe = core.pipe()
        listed = state.records(kind, *getattr(pipe, fields)) if pipe else []
        return core, listed[number] if 0 <= number < len(listed) else None

    def to_string(self):
        return f"{self.noun}, {self.line}"

    def children(self):
        yield from self.parts


NOTHING = "not initialised"


class Queue(Handed):
    noun = "TQue"

    def look(self, value):
        core, queue = self.found(value, "Queue", "queues")
        if queue is None:
            return NOTHING
        blocks = state.records("Block", *queue.parts)
        self.parts = [(f"[{i}]", block_line(core, block)) for i, block in enumerate(blocks)]
        return queue_line(core, queue)


class Buffer(Handed):
    noun = "TBuf"

    def look(self, value):
        core, buffer = self.found(value, "Buffer", "buffers")
        return NOTHING if buffer is None else buffer_line(core, buffer)


class Pool(Handed):
    noun = "TBufPool"

    def look(self, value):
        core, pool = self.found(value, "Pool", "pools")
        return NOTHING if pool is None else pool_line(core, pool)


class Pipe(Handed):
    noun = "TPipe"

    def look(self, value):
        core = self.core()
        pipe = core.pipe()
        if pipe is None or pipe.object == 0 or (value.address is not None and pipe.object != int(value.address)):
            return "not initialised, or destroyed"
        for noun, line, listed, live in (
            ("queue", queue_line, state.records("Queue", *pipe.queues), pipe.live_queues),
            ("buffer", buffer_line, state.records("Buffer", *pipe.buffers), pipe.live_buffers),
        ):
            self.parts += [(f"{noun} {i}", line(core, listed[i])) for i in range(live, len(listed))]
        used = zip(core.memories(), state.numbers(pipe.used, core.tables.memories))
        return ", ".join(f"{m[0]} {taken} of {m[2]} bytes" for m, taken in used if taken) or "nothing taken"


# Names of types
PRINTERS = (
    ("half", "^sfumato::half$", Half),
    ("bfloat16_t", "^sfumato::bfloat16_t$", Bfloat16),
    ("int4b_t", "^sfumato::int4b_t$", Int4),
    ("LocalTensor", "^AscendC::LocalTensor<.*>$", LocalTensor),
    ("GlobalTensor", "^AscendC::GlobalTensor<.*>$", GlobalTensor),
    ("TQue", "^AscendC::(TQue|TQueBind|TSCM)<.*>$", Queue),
    ("TBuf", "^AscendC::TBuf<.*>$", Buffer),
    ("TBufPool", "^AscendC::TBufPool<.*>$", Pool),
    ("TPipe", "^AscendC::TPipe$", Pipe),
)
