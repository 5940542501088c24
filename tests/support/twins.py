# SPDX-License-Identifier: Apache-2.0
"""Right kernels, each one line away from a wrong one: the line becomes what stands behind `wrong:`."""

import re

import sfumato
from schedules import CHECKS, CHIP

MARK = re.compile(r"^(\s*)(.*?)\s*// wrong:\s*(.*)$")


class Twins:
    """A file of such kernels, and the header beside it that they share."""

    def __init__(self, path, header=None, checks=CHECKS):
        self.path, self.header = path, header
        # Nothing but the kernel's own flags orders its pipes.
        self.strict = {"check": checks, "warn": False, "auto_sync": False}
        self.lines = path.read_text(encoding="utf-8").split("\n")

    def kernels(self):
        """How many there are."""
        return sum(" __global__ " in line for line in self.lines)

    def has(self, kernel):
        return any(f" {kernel}(GM_ADDR" in line for line in self.lines)

    def lines_of(self, kernel):
        """The numbers, from 0, of a kernel's lines and of those between it and the kernel before."""
        ends = [i for i, line in enumerate(self.lines) if line == "}" and self.lines[i - 1].startswith("    ")]
        heads = [i for i, line in enumerate(self.lines) if " __global__ " in line]
        head = next(i for i in heads if f" {kernel}(GM_ADDR" in self.lines[i])
        before = max((i for i in heads if i < head), default=0)
        begin = min((i for i in ends if i > before), default=0) if before else 0
        return range(begin, min(i for i in ends if i > head) + 1)

    def wrong_lines(self, kernel):
        """How many lines of a kernel are exchanged."""
        return sum(MARK.match(self.lines[i]) is not None for i in self.lines_of(kernel))

    def place_of(self, kernel, line):
        """File and number of the line that contains this: one of the kernel's, or of the header, whose name it begins
        with. None: the line that is exchanged."""
        if line and self.header and line.startswith(f"{self.header}: "):
            lines = self.path.with_name(self.header).read_text(encoding="utf-8").split("\n")
            words = line.removeprefix(f"{self.header}: ")
            return self.header, next(i for i, text in enumerate(lines) if words in text) + 1
        return self.path.name, 1 + next(
            i
            for i in self.lines_of(kernel)
            if (line in self.lines[i] if line else MARK.match(self.lines[i]) is not None)
        )

    def exchanged(self, folder):
        """The kernels, each with its line exchanged, compiled: lines keep their numbers."""
        path = folder / self.path.name
        if self.header:
            text = self.path.with_name(self.header).read_text(encoding="utf-8")
            path.with_name(self.header).write_text(text, encoding="utf-8")
        path.write_text("\n".join(MARK.sub(r"\1\3", line) for line in self.lines), encoding="utf-8")
        return sfumato.compile(path, chip=CHIP)

    def told(self, kernel, name, line, arguments):
        """What is told first of a wrong kernel, whose place is that of the line."""
        try:
            findings = getattr(kernel, name)[1].options(**self.strict)(*arguments).findings
        except sfumato.KernelError as error:
            findings = error.result.findings
        assert findings, "nothing is told"
        first = findings[0]
        assert (first.file.rpartition("/")[2], first.line) == self.place_of(name, line), first
        # What was not stored is told of where it leaves the core, too.
        assert {one.rule for one in findings[1:]} <= {"uninitialised-read"}, findings
        return first
