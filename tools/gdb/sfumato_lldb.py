# SPDX-License-Identifier: Apache-2.0
"""Shows Ascend C in lldb: printers of tensors, queues and numbers, which core stands, and breakpoints with conditions of the
core. `command script import` it; `sfumato lldb` does."""

import os
import re
import sys

import lldb

# Its modules are those beside it, and nothing is written there.
FOLDER = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, FOLDER)
writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
try:
    import sfumato_debug_printers as printers
    import sfumato_debug_state as state
finally:
    sys.path.remove(FOLDER)
    sys.dont_write_bytecode = writes


class Reader(state.Reader):
    name = "lldb"

    def use(self, target, thread):
        """What the next answers are about."""
        self.target, self.selected = target, thread
        self.pointer_is_behind = target.triple.startswith(("aarch64", "arm64"))

    def memory(self, address, size):
        error = lldb.SBError()
        raw = self.target.process.ReadMemory(address, size, error)
        if error.Fail() or raw is None:
            raise state.unknown(error)
        return raw

    def address_of(self, symbol):
        for found in self.target.FindSymbols(symbol):
            address = found.symbol.addr.GetLoadAddress(self.target)
            if address != lldb.LLDB_INVALID_ADDRESS:
                return address
        return None

    def has_library(self):
        return any("libsfumato" in (module.file.basename or "") for module in self.target.modules)

    def thread(self):
        return self.selected.GetThreadID() if self.selected and self.selected.IsValid() else None

    def register(self, name):
        found = self.selected.GetFrameAtIndex(0).FindRegister(name)
        return found.GetValueAsUnsigned() if found.IsValid() else None

    def value(self, type, address):
        made = self.target.CreateValueFromAddress("element", lldb.SBAddress(address, self.target), type.type)
        return Value(made)


class Type:
    """As the printers want one."""

    def __init__(self, type):
        self.type, self.sizeof = type, type.GetByteSize()

    def __str__(self):
        return self.type.GetName()

    def strip_typedefs(self):
        return Type(self.type.GetCanonicalType())

    def unqualified(self):
        return Type(self.type.GetUnqualifiedType())

    def template_argument(self, number):
        return Type(self.type.GetTemplateArgumentType(number))


class Value:
    """As the printers want one; of a reference, what it refers to."""

    def __init__(self, value):
        value = value.GetNonSyntheticValue()
        self.value = value.Dereference() if value.GetType().IsReferenceType() else value
        self.type = Type(self.value.GetType())

    def __getitem__(self, name):
        return Value(self.value.GetChildMemberWithName(name))

    def __int__(self):
        signed = self.value.GetType().GetCanonicalType().GetBasicType() in SIGNED
        return self.value.GetValueAsSigned() if signed else self.value.GetValueAsUnsigned()

    def __str__(self):
        return self.value.GetValue() or ""

    @property
    def address(self):
        found = self.value.GetLoadAddress()
        return None if found == lldb.LLDB_INVALID_ADDRESS else found


SIGNED = (
    lldb.eBasicTypeSignedChar, lldb.eBasicTypeShort, lldb.eBasicTypeInt, lldb.eBasicTypeLong, lldb.eBasicTypeLongLong,
    lldb.eBasicTypeChar,
)  # fmt: skip
BYTES = (lldb.eBasicTypeSignedChar, lldb.eBasicTypeUnsignedChar, lldb.eBasicTypeChar)
state.reader = Reader()
last_told = {}  # by process


def printer_of(value):
    name = str(value.type.strip_typedefs().unqualified())
    return next((printer(value) for _, pattern, printer in printers.PRINTERS if re.match(pattern, name)), None)


def text_of(value):
    """An element, or what a printer gives as a part."""
    if isinstance(value, (str, int)):
        return str(value)
    printer = printer_of(value)
    if printer:
        return printer.to_string()
    return str(int(value) if value.value.GetType().GetCanonicalType().GetBasicType() in BYTES else value)


def show(value, _):
    """A summary: the printer's line, and its parts as gdb writes them, as many as target.max-children-count says."""
    target = value.GetTarget()
    state.reader.use(target, value.GetThread())
    printer = printer_of(Value(value))
    if printer is None:
        return None
    line = printer.to_string()
    if not hasattr(printer, "children"):
        return line
    limit = int(
        target.GetDebugger().GetInternalVariableValue(LIMIT, target.GetDebugger().GetInstanceName()).GetStringAtIndex(0)
    )
    parts, more = [], ""
    for name, part in printer.children():
        if len(parts) == limit:
            more = "..."
            break
        parts.append(text_of(part) if hasattr(printer, "display_hint") else f"{name} = {text_of(part)}")
    return f"{line} = {{{', '.join(parts)}{more}}}" if parts else line


LIMIT = "target.max-children-count"


def show_address(value, _):
    """A GM_ADDR: lldb would take it for a text."""
    address, place = value.GetValueAsUnsigned(), ""
    state.reader.use(value.GetTarget(), value.GetThread())
    try:
        core = state.current()
        place = core and core.place(address)
    except state.Unknown:
        pass
    return place or f"{address:#x}"


def core_of(frame):
    thread = frame.GetThread()
    state.reader.use(thread.GetProcess().GetTarget(), thread)
    return state.current()


class Stop:
    """At a stop in another core than the last: which; once, why that is unknown."""

    def __init__(self, target, extra, _):
        self.told = ""

    def handle_stop(self, context, stream):
        try:
            core = core_of(context.GetThread().GetFrameAtIndex(0))
            told = f"block {core.state.block} of {core.state.blocks} on {core.name}" if core else ""
        except state.Unknown as why:
            told = f"which core runs is unknown: {why}"
        if told and told != self.told:
            stream.Print(f"[{told}]\n")
        self.told = told or self.told
        return True


conditions = {}  # by the number of a breakpoint


def holds(frame, location, _):
    """Whether a breakpoint's condition is true, or is no expression: then it stops, and says so."""
    text = conditions[location.GetBreakpoint().GetID()]
    try:
        core = core_of(frame)
    except state.Unknown:
        core = None
    told = text.replace("$sfumato_block()", str(core.state.block if core else -1))
    told = told.replace("$sfumato_core()", f'"{core.name if core else ""}"')
    try:
        return bool(eval(told, {"__builtins__": {}}))  # literals alone
    except Exception:
        found = frame.EvaluateExpression(told)
        if found.GetError().Fail():
            print(f"the condition {text}: {found.GetError()}")
            return True
        return found.GetValueAsUnsigned() != 0


def break_at(debugger, command, context, result, _):
    """sfumato-break PLACE [if CONDITION]: FILE:LINE or a function; in conditions $sfumato_block() and $sfumato_core()."""
    place, _, condition = command.partition(" if ")
    file, _, line = place.strip().rpartition(":")
    target = debugger.GetSelectedTarget()
    if line.isdigit():
        made = target.BreakpointCreateByLocation(file, int(line))
    else:
        kind = lldb.eFunctionNameTypeAuto if "::" in place else lldb.eFunctionNameTypeBase
        made = target.BreakpointCreateByName(place.strip(), kind, lldb.SBFileSpecList(), lldb.SBFileSpecList())
    if condition:
        conditions[made.GetID()] = condition.strip()
        made.SetScriptCallbackFunction(f"{__name__}.holds")
    result.AppendMessage(f"Breakpoint {made.GetID()}: {command}")


# `step` enters no function of these.
OWN = "^(std|sfumato)::|^AscendC::(LocalTensor|GlobalTensor|TQue|TQueBind|TSCM|TBuf|TBufPool|TPipe)[<:]"
SETTINGS = (
    f'type summary add -F {__name__}.show_address "unsigned char *"',
    f"command script add -o -f {__name__}.break_at sfumato-break",
    f"target stop-hook add -P {__name__}.Stop",
    # Each end of a compiler's process would be told.
    "process handle --notify false --stop false --pass true SIGCHLD",
    f"settings set target.process.thread.step-avoid-regexp {OWN}",
)


def __lldb_init_module(debugger, _):
    summaries = (f'type summary add -F {__name__}.show -x "{pattern}"' for _, pattern, _ in printers.PRINTERS)
    for command in (*summaries, *SETTINGS):
        result = lldb.SBCommandReturnObject()  # what it prints otherwise
        debugger.GetCommandInterpreter().HandleCommand(command, result)
        if not result.Succeeded():
            print(f"{command}: {result.GetError()}")
