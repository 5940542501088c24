#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What must not compile: compile_fail.py SOURCE SAID list | compile COMMAND... | CASE

compile: the source compiles, and does not with WRONG defined; what the compiler says then is kept in SAID, and beside it
what it says with SFUMATO_ANY_TYPE, too. CASE: some error at the lines of the case is of its text; one about element types is
none with SFUMATO_ANY_TYPE.
"""

import re
import subprocess
import sys
from pathlib import Path


def cases(source):
    """{name: (its first line, the line behind it, its text)}: from one "// expect: TEXT" to the next."""
    lines = source.read_text(encoding="utf-8").splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("// expect: ")]
    found = {}
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        name = re.search(r"(?:void|namespace) (\w+)", lines[start + 1])
        found[name[1] if len(starts) > 1 else source.stem] = (
            start + 1,
            end + 1,
            lines[start].removeprefix("// expect: "),
        )
    return found


def errors(source, said):
    """Each error with the lines of the source that the compiler names from the one before it to the one behind it."""
    lines = said.read_text(encoding="utf-8").splitlines()
    at = [number for number, line in enumerate(lines) if " error: " in line]
    for before, number, behind in zip([0, *at], at, [*at[1:], len(lines)], strict=False):
        named = re.findall(rf"{re.escape(str(source))}:(\d+):", "\n".join(lines[before:behind]))
        yield "\n".join(lines[number:behind]), {int(line) for line in named}


def compile_all(source, said, command):
    right, wrong, lenient = (
        subprocess.run([*command, "-fsyntax-only", *more, source], capture_output=True, text=True, check=False)
        for more in ([], ["-DWRONG"], ["-DWRONG", "-DSFUMATO_ANY_TYPE"])
    )
    if right.returncode:
        sys.exit(f"the correct programs do not compile:\n{right.stderr}")
    if not wrong.returncode:
        sys.exit("the wrong programs compile")
    said.write_text(wrong.stderr, encoding="utf-8")
    of_any_type(said).write_text(lenient.stderr, encoding="utf-8")


def of_any_type(said):
    return said.with_suffix(".any_type.txt")


def main(source, said, word, *command):
    source, said = Path(source), Path(said)
    if word == "list":
        print(*cases(source))
    elif word == "compile":
        compile_all(source, said, command)
    else:
        start, end, text = cases(source)[word]
        here = [
            [words for words, at in errors(source, file) if any(start <= line < end for line in at)]
            for file in (said, of_any_type(said))
        ]
        told = next((words for words in here[0] if text in words), None)
        if told is None:
            sys.exit(
                f"the compiler does not say {text!r} at lines {start} to {end}:\n{said.read_text(encoding='utf-8')}"
            )
        if re.search(r"\[(type|conversion)-[a-z]+\]", told.splitlines()[0]) and here[1]:
            sys.exit(f"lines {start} to {end} do not compile with SFUMATO_ANY_TYPE:\n{here[1][0]}")


if __name__ == "__main__":
    main(*sys.argv[1:])
