# SPDX-License-Identifier: Apache-2.0
"""Shows Ascend C in gdb: printers of tensors, queues and numbers, and which core stands. `source` it; `sfumato gdb` does."""

import os
import sys

import gdb
import gdb.printing
import gdb.xmethod

# Its modules are those beside it, whatever another installation's script loaded, and nothing is written there.
FOLDER = os.path.dirname(os.path.realpath(__file__))
for name in [name for name in sys.modules if name.startswith(("sfumato_gdb_", "sfumato_debug_"))]:
    del sys.modules[name]
sys.path.insert(0, FOLDER)
writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
try:
    import sfumato_debug_printers as printers
    import sfumato_debug_state as state
    import sfumato_gdb_calls as calls
finally:
    sys.path.remove(FOLDER)
    sys.dont_write_bytecode = writes


class Reader(state.Reader):
    name = "gdb"

    def memory(self, address, size):
        try:
            return bytes(gdb.selected_inferior().read_memory(address, size))
        except gdb.error as error:
            raise state.unknown(error) from None

    def address_of(self, symbol):
        try:
            return int(gdb.parse_and_eval(f"(unsigned long)&{symbol}"))
        except gdb.error:
            return None

    def has_library(self):
        return any("libsfumato" in (one.filename or "") for one in gdb.objfiles())

    def thread(self):
        thread = gdb.selected_thread()
        return thread and (thread.ptid[1] or thread.ptid[0])

    def register(self, name):
        try:
            return int(gdb.newest_frame().read_register(name))
        except (ValueError, gdb.error):
            return None

    def core_pointer(self):
        try:  # by libthread_db, of a process that lives
            return int(gdb.parse_and_eval("(unsigned long)&'sfumato::runtime::t_core'"))
        except gdb.error as error:
            raise state.unknown(error) from None

    def value(self, type, address):
        return gdb.Value(address).cast(type.pointer()).dereference()


def core_here():
    """The core that the selected thread runs, or None; an error where that cannot be told."""
    try:
        return state.current()
    except state.Unknown as why:
        raise gdb.GdbError(f"Which core runs is unknown: {why}") from None


class BlockFunction(gdb.Function):
    """$sfumato_block(): the number of the block that runs, -1 outside a kernel."""

    def __init__(self):
        super().__init__("sfumato_block")

    def invoke(self):
        core = core_here()
        return core.state.block if core else -1


class CoreFunction(gdb.Function):
    """$sfumato_core(): the core that runs, e.g. "aiv0", empty outside a kernel."""

    def __init__(self):
        super().__init__("sfumato_core")

    def invoke(self):
        core = core_here()
        empty = gdb.Value(b"\0", gdb.lookup_type("char").array(0))  # of "" gdb makes a null pointer
        return core.name if core else empty


last_told = ""


def tell_core(event):
    """At a stop in another core than the last: which; once, why that is unknown."""
    global last_told
    try:
        core = state.current()
        told = f"block {core.state.block} of {core.state.blocks} on {core.name}" if core else ""
    except state.Unknown as why:
        told = f"which core runs is unknown: {why}"
    if told and told != last_told:
        gdb.write(f"[{told}]\n")
    last_told = told or last_told


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


state.reader = Reader()
collection = gdb.printing.RegexpCollectionPrettyPrinter("sfumato")
for one in printers.PRINTERS:
    collection.add_printer(*one)
gdb.printing.register_pretty_printer(None, collection, replace=True)
gdb.xmethod.register_xmethod_matcher(None, calls.Tensors(), replace=True)
calls.Print()
BlockFunction()
CoreFunction()
gdb.events.stop.connect(tell_core)
gdb.events.exited.connect(tell_missed)
