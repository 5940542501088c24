# SPDX-License-Identifier: Apache-2.0
"""Shows Ascend C in gdb: printers of tensors, queues and numbers, and which core stands. `source` it; `sfumato gdb` does."""

import os
import re
import struct

import gdb
import gdb.printing
import gdb.types

CORE, PIPE, QUEUE, BUFFER, POOL, ADDRESS = range(6)  # SfumatoDebugSubject of sfumato/debugger.h
UNKNOWN_SIZE_SHOWS = 8  # elements of a GlobalTensor without a size


def ask(subject, of=0):
    """What the process says of the core that stands: lines. None outside a kernel and of a core dump."""
    if gdb.selected_thread() is None:
        return []
    before = {name: gdb.parameter(name) for name in ("scheduler-locking", "unwindonsignal")}
    try:
        for name in before:  # no other thread goes on meanwhile
            gdb.execute(f"set {name} on", to_string=True)
        call = f"((const char *(*)(int, unsigned long))sfumato_debug_text)({subject}, {int(of)}UL)"
        return gdb.parse_and_eval(call).string().split("\n")
    except gdb.error:
        return []
    finally:
        for name, value in before.items():
            value = {True: "on", False: "off"}.get(value, value)
            gdb.execute(f"set {name} {value}", to_string=True)


def said(subject, of=0):
    return (ask(subject, of) or [""])[0]


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
        return said(ADDRESS, self.address) or f"{self.address:#x}"

    def length(self):
        return (self.size + 1) // 2 if self.int4 else self.size * self.type.sizeof

    def count(self):
        return self.size

    def children(self):
        for i in range(self.count() if self.address else 0):
            yield f"[{i}]", self.element(i)

    def element(self, i):
        if not self.int4:
            return (self.view["address"].cast(self.type.pointer()) + i).dereference()
        nibble = int((self.view["address"] + i // 2).dereference()) >> i % 2 * 4 & 15
        return nibble - (nibble & 8) * 2


def position(value):
    return str(value).rpartition("::")[2]


class LocalTensor(Tensor):
    def to_string(self):
        if int(self.value["by_hand_"]["line"]):
            at = self.value["address_"]
            return (
                f"{self.name()}, placed at byte {int(at['bufferAddr'])} with {int(at['dataLen'])} bytes at its next use"
            )
        if not self.address:
            return f"{self.name()}, nowhere"
        where = f"{position(self.view['position'])} at {self.place()}"
        return f"{self.name()} {where}, {self.size} elements, {self.length()} bytes"


class GlobalTensor(Tensor):
    def count(self):
        return self.size or UNKNOWN_SIZE_SHOWS

    def to_string(self):
        if not self.address:
            return f"{self.name()}, before SetGlobalBuffer"
        size = f"{self.size} elements, {self.length()} bytes" if self.size else "size not given"
        return f"{self.name()} at {self.place()}, {size}"


# What TPipe hands out


class Asked:
    """What the process says of an object: its summary, and its parts as children."""

    subject, noun = PIPE, "TPipe"

    def __init__(self, value):
        self.lines = ask(self.subject, self.index(value))

    def index(self, value):
        return 0

    def to_string(self):
        return f"{self.noun}, {self.lines[0] if self.lines and self.lines[0] else 'not initialised'}"

    def children(self):
        for line in self.lines[1:]:
            yield tuple(line.split("\t", 1))


class Pipe(Asked):
    pass


class Queue(Asked):
    subject, noun = QUEUE, "TQue"

    def index(self, value):
        return int(value["handle_"]["index"]) % 2**64


class Buffer(Queue):
    subject, noun = BUFFER, "TBuf"


class Pool(Queue):
    subject, noun = POOL, "TBufPool"


def printers():
    collection = gdb.printing.RegexpCollectionPrettyPrinter("sfumato")
    for name, pattern, printer in (
        ("half", "^sfumato::half$", Half),
        ("bfloat16_t", "^sfumato::bfloat16_t$", Bfloat16),
        ("int4b_t", "^sfumato::int4b_t$", Int4),
        ("LocalTensor", "^AscendC::LocalTensor<.*>$", LocalTensor),
        ("GlobalTensor", "^AscendC::GlobalTensor<.*>$", GlobalTensor),
        ("TQue", "^AscendC::(TQue|TQueBind|TSCM)<.*>$", Queue),
        ("TBuf", "^AscendC::TBuf<.*>$", Buffer),
        ("TBufPool", "^AscendC::TBufPool<.*>$", Pool),
        ("TPipe", "^AscendC::TPipe$", Pipe),
    ):
        collection.add_printer(name, pattern, printer)
    return collection


# Which core


class BlockFunction(gdb.Function):
    """$sfumato_block(): the number of the block that runs, -1 outside a kernel."""

    def __init__(self):
        super().__init__("sfumato_block")

    def invoke(self):
        found = re.match(r"block (\d+) ", said(CORE))
        return int(found[1]) if found else -1


class CoreFunction(gdb.Function):
    """$sfumato_core(): the core that runs, e.g. "aiv0", empty outside a kernel."""

    def __init__(self):
        super().__init__("sfumato_core")

    def invoke(self):
        return said(CORE).rpartition(" ")[2]


last_core = ""


def tell_core(event):
    """At a stop in another core than the last: which."""
    global last_core
    core = said(CORE)
    if core and core != last_core:
        gdb.write(f"[{core}]\n")
    last_core = core or last_core


def tell_missed(event):
    """At the end: breakpoints that stopped nothing."""
    for one in gdb.breakpoints():
        if one.is_valid() and one.visible and one.enabled and one.hit_count == 0 and one.location:
            gdb.write(f"Breakpoint {one.number} ({one.location}) was not reached.\n")


def skip_headers(folder):
    """`step` enters no function of a header below the folder."""
    for path, _, files in os.walk(folder):
        if files:
            gdb.execute(f"skip -gfi {path}/*", to_string=True)


gdb.printing.register_pretty_printer(None, printers(), replace=True)
BlockFunction()
CoreFunction()
gdb.events.stop.connect(tell_core)
gdb.events.exited.connect(tell_missed)
