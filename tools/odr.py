#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What two files define differently under one name, of which a program keeps one and no linker says a word.

Types and declarations: g++ -Wodr compares them. The bodies of inline functions, templates and variables: without
optimisation (the preset `lto`) they are the same bytes in every file that sees the same definition; of others' libraries
they are not looked at. Standard library only.
"""

import collections
import hashlib
import json
import re
import struct
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("src", "tools/sfumato", "python/src")

MERGED, STRINGS = 0x10, 0x20  # flags of a section
SYMBOLS, RELOCATIONS, NO_BITS, GROUP = 2, 4, 8, 17  # its types
LOCAL, OF_SECTION = 0, 3  # binding and type of a symbol
# Names of others' libraries: their bodies depend on what the compiler knows to throw.
FOREIGN = re.compile(r"_Z[A-Z]*?(S[tabsiod]|9__gnu_cxx|3fmt|3hwy|8nanobind|8nlohmann|3CLI|4toml|5boost)")
Section = collections.namedtuple("Section", "name type flags address at size link info align entry")
Symbol = collections.namedtuple("Symbol", "name info other section value size")


class Object:
    """A relocatable ELF file of 64 bits."""

    def __init__(self, path: Path):
        self.data = path.read_bytes()
        if self.data[:6] != b"\x7fELF\x02\x01":
            raise SystemExit(f"{path}: no ELF file of 64 bits, low byte first")
        start = struct.unpack_from("<Q", self.data, 0x28)[0]
        count, names = struct.unpack_from("<HH", self.data, 0x3C)
        if count == 0:
            raise SystemExit(f"{path}: has more sections than its header can count")
        read = [Section._make(struct.unpack_from("<IIQQQQIIQQ", self.data, start + 64 * i)) for i in range(count)]
        self.sections = [section._replace(name=self.text(read[names].at + section.name)) for section in read]
        table = next(section for section in self.sections if section.type == SYMBOLS)
        strings = self.sections[table.link].at
        entries = struct.iter_unpack("<IBBHQQ", self.bytes(table))
        self.symbols = [Symbol(self.text(strings + name), *rest) for name, *rest in entries]
        self.relocations = collections.defaultdict(list)
        for section in self.sections:
            if section.type == RELOCATIONS:
                self.relocations[section.info] += struct.iter_unpack("<QQq", self.bytes(section))

    def bytes(self, section: Section) -> bytes:
        return self.data[section.at : section.at + section.size]

    def text(self, at: int) -> str:
        return self.data[at : self.data.index(b"\0", at)].decode()

    def target(self, number: int, addend: int, own: set[int]):
        """What a relocation refers to, in words that do not depend on what else the file holds."""
        symbol = self.symbols[number]
        if symbol.info >> 4 != LOCAL or symbol.section >= len(self.sections):
            return symbol.name, addend
        section = self.sections[symbol.section]
        if section.flags & MERGED:  # strings and constants: their bytes
            at = section.at + (addend if symbol.info & 15 == OF_SECTION else symbol.value)
            end = self.data.index(b"\0", at) if section.flags & STRINGS else at + section.entry
            return section.entry, self.data[at:end]
        if symbol.section in own and symbol.info & 15 == OF_SECTION:
            return section.name, addend
        return section.name.split("._Z")[0]  # a function or variable of this file alone, wherever it stands there

    def definitions(self):
        """(name, digest) of each function or variable of which a program keeps one."""
        for group in self.sections:
            name = self.symbols[group.info].name if group.type == GROUP else ""
            if not name or FOREIGN.match(name):
                continue
            members = [number for (number,) in struct.iter_unpack("<I", self.bytes(group))][
                1:
            ]  # behind a word of flags
            own, digest = set(members), hashlib.sha256()
            for number in members:
                section = self.sections[number]
                # The rest are its strings, and where exceptions are caught: that depends on what the file knows to throw.
                if not re.fullmatch(r"\.(text|t?data|t?bss|rodata)[.a-z_]*?\." + re.escape(name), section.name):
                    continue
                digest.update(repr((section.name, section.size)).encode())
                if section.type != NO_BITS:
                    digest.update(self.bytes(section))
                for at, info, addend in self.relocations[number]:
                    digest.update(repr((at, self.target(info >> 32, addend, own))).encode())
            yield name, digest.hexdigest()


def types(compiler: str, objects, merged: Path) -> str:
    """What g++ says of types and declarations that differ, when it puts the objects together; it makes no code."""
    options = ["-O0", "-flto=auto", "-r", "-flinker-output=rel", "-Werror=odr", "-Werror=lto-type-mismatch"]
    done = subprocess.run([compiler, *options, *objects, "-o", merged], capture_output=True, text=True, check=False)
    merged.unlink(missing_ok=True)
    return done.stderr or ("" if done.returncode == 0 else f"{compiler} failed")


def bodies(objects):
    """{name: one object of each body}, of names with several; and how many names there are."""
    seen = collections.defaultdict(dict)
    for path in objects:
        for name, digest in Object(path).definitions():
            seen[name].setdefault(digest, path)
    return {name: list(bodies.values()) for name, bodies in seen.items() if len(bodies) > 1}, len(seen)


def main(build: Path, jobs: str) -> int:
    objects = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        if any(Path(entry["file"]).is_relative_to(ROOT / folder) for folder in FOLDERS):
            command = entry["command"].split()
            objects[command[command.index("-o") + 1]] = " -fPIE " in entry["command"]
            compiler = next(word for word in command if re.search(r"\+\+[-.\d]*$", word))
    if len(objects) < 300:
        raise SystemExit(f"{build} is to compile {len(objects)} files only: what became of {' and '.join(FOLDERS)}?")
    subprocess.run(["cmake", "--build", build, "-j", jobs, "--target", *objects], check=True)
    said = types(compiler, [build / path for path in objects], build / "odr.o")
    print(said, end="")
    found, names = {}, 0
    for program in (False, True):  # code of libraries and of programs differs
        several, count = bodies(build / path for path, of_program in objects.items() if of_program == program)
        found |= several
        names += count
    demangled = subprocess.run(["c++filt"], input="\n".join(found), capture_output=True, text=True, check=True).stdout
    for name, places in zip(demangled.splitlines(), found.values(), strict=True):
        print(f"{name}: defined differently in", *(f"    {path.relative_to(build)}" for path in places), sep="\n")
    print(f"{len(objects)} objects; {names} inline definitions, of which {len(found)} have more than one body")
    return 1 if said or found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), sys.argv[2]))
