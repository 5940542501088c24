# SPDX-License-Identifier: Apache-2.0
"""Which lines and branches of kernels ran: what a compiler's counters say, added to a tracefile of lcov.

Line counts of a file are sums over its kernels, instances of templates, kinds of core, launches and processes. A branch is
known by its line, how many branches the line has in its function, and its place among them: those of two instances of a
template that agree in that are one. Whether a call returns or throws is no branch of the kernel.
"""

import atexit
import contextlib
import fcntl
import os
import re
import threading
from typing import Any, Optional

from . import _native
from ._native import Error

_lock = threading.Lock()
_watched: list[
    tuple[Any, str, str]
] = []  # (kernels, tracefile, folder they were compiled in), to the end of the process


def compiled(*given: Any) -> Any:
    """_native.compile, counting into a tracefile, the last argument, unless that is ''."""
    *arguments, tracefile = given
    kernels = _native.compile(*arguments, bool(tracefile))
    if tracefile:
        with _lock:
            if not _watched:
                atexit.register(write)
            _watched.append((kernels, tracefile, os.getcwd()))
    return kernels


def write() -> None:
    """Adds what this process has counted since the last time to the tracefiles."""
    with _lock:
        for kernels, tracefile, folder in _watched:
            counted: Counts = {}
            for notes in kernels.write_counts():
                data = os.path.splitext(notes)[0] + ".gcda"
                if os.path.exists(data):
                    _read_notes(notes, kernels.compiler, folder, counted)
                    os.remove(data)
            if counted:
                _add_to(tracefile, counted)


# By file: {line: count}, and {(line, branches of the line, place): count, None where the line did not run}.
Counts = dict[str, tuple[dict[int, int], dict[tuple[int, int, int], Optional[int]]]]


def _read_notes(notes, compiler, folder, counted):
    import json
    import subprocess

    tool = _tool(compiler)
    words = ["-t", "-b", "-c"] if tool[-1] == "gcov" and len(tool) > 1 else ["-t", "-b", "--json-format"]
    done = subprocess.run([*tool, *words, notes], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0 or not done.stdout:
        raise Error(
            f"coverage: {' '.join(tool)} cannot read the counters: {done.stderr.strip() or 'it printed nothing'}"
        )
    if words[-1] == "-c":
        found = _of_text(done.stdout.splitlines())
    else:
        found = (piece for text in done.stdout.splitlines() for piece in _of_json(json.loads(text)))
    for file, number, count, branches in found:
        path = os.path.realpath(os.path.join(folder, file))
        if not os.path.isfile(path) or path.startswith(_foreign()):
            continue
        lines, taken = counted.setdefault(path, ({}, {}))
        lines[number] = lines.get(number, 0) + count
        for place, times in enumerate(branches):
            _sum(taken, (number, len(branches), place), times)


def _sum(taken, key, times):
    before = taken.get(key)
    taken[key] = times if before is None else before if times is None else before + times


def _foreign():
    return tuple(os.path.realpath(folder) + os.sep for folder in ("/usr", *_native.include_dirs()))


def _tool(compiler):
    """The program that reads what the compiler wrote."""
    import shutil
    import subprocess

    def ask(*words):
        return subprocess.run([*compiler, *words], capture_output=True, text=True, check=False).stdout.strip()

    clang = "clang" in ask("--version")
    name = ask("-print-prog-name=llvm-cov") if clang else ask("-print-prog-name=gcov")
    version = ask("-dumpversion").partition(".")[0]
    kind = "llvm-cov" if clang else "gcov"
    for program in (f"{kind}-{version}", name, kind):
        if program and shutil.which(program):
            return [program, "gcov"] if clang else [program]
    package = f"llvm-{version}" if clang else f"gcc-{version}"
    raise Error(f"coverage: there is no {kind} for {' '.join(compiler)}; install it, on Debian the package {package}")


def _of_json(told):
    """(file, line, count, branches) of what gcov says, one for each function that has the line."""
    for file in told["files"]:
        name = os.path.join(told["current_working_directory"], file["file"])
        for line in file["lines"]:
            branches = []
            for branch in line["branches"]:
                if not branch["throw"]:
                    branches.append(branch["count"] if line["count"] else None)
                elif branches:
                    branches.pop()  # the same call returned, which is no choice either
            yield name, line["line_number"], line["count"], branches


# What a line with a branch has. clang does not say whether a branch is one of the source or a call that returns or throws.
_CHOOSES = re.compile(r"\b(if|for|while|do|switch|case|default|and|or)\b|\?|&&|\|\|")


def _of_text(lines):
    """The same of what llvm-cov gcov says, where the functions of a line are together."""
    file, line, chooses = "", None, False
    for text in lines:
        if text.startswith("branch "):
            taken = text.split("taken ")[1].split()[0] if "taken " in text else None
            if line and chooses:
                line[3].append(None if taken is None else int(taken))
            continue
        count, _, rest = text.partition(":")
        number, _, source = rest.partition(":")
        count = count.strip().rstrip("*")
        if not number.strip().isdigit():
            continue
        if line:
            yield line
        line = None
        if source.startswith("Source:") and int(number) == 0:
            file = source.removeprefix("Source:")
        elif count.isdigit() or count in ("#####", "====="):
            line = (file, int(number), int(count) if count.isdigit() else 0, [])
            chooses = bool(_CHOOSES.search(source.partition("//")[0]))
    if line:
        yield line


def _add_to(tracefile, counted):
    """Under a lock of the folder: processes add one after another, and readers see whole files."""
    kept = f"{tracefile.removesuffix('.xml')}.info" if tracefile.endswith(".xml") else tracefile
    try:
        lock = os.open(os.path.dirname(kept), os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            with contextlib.suppress(FileNotFoundError), open(kept) as before:
                read_tracefile(before, counted)
            _replace(kept, "".join(_record(file, *counted[file]) for file in sorted(counted)))
            if kept != tracefile:
                _replace(tracefile, _cobertura(counted))
        finally:
            os.close(lock)
    except OSError as error:
        raise Error(f"coverage: {error.filename or kept} cannot be written: {error.strerror}") from None


def _replace(path, text):
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "w") as out:
        out.write(text)
    os.replace(temporary, path)


def read_tracefile(lines: Any, counted: Counts) -> None:
    """Adds the counts of an lcov tracefile."""
    here: tuple[dict, dict] = ({}, {})
    for text in lines:
        key, _, value = text.strip().partition(":")
        if key == "SF":
            here = counted.setdefault(value, ({}, {}))
        elif key == "DA":
            number, count = (int(word) for word in value.split(",")[:2])
            here[0][number] = here[0].get(number, 0) + count
        elif key == "BRDA":
            *place, taken = value.split(",")
            _sum(here[1], tuple(int(word) for word in place), None if taken == "-" else int(taken))


def _record(file, lines, taken):
    rows = [f"TN:\nSF:{file}\n"]
    rows += [f"BRDA:{','.join(map(str, key))},{'-' if taken[key] is None else taken[key]}\n" for key in sorted(taken)]
    rows.append(f"BRF:{len(taken)}\nBRH:{sum(1 for times in taken.values() if times)}\n")
    rows += [f"DA:{number},{lines[number]}\n" for number in sorted(lines)]
    rows.append(f"LF:{len(lines)}\nLH:{sum(1 for count in lines.values() if count)}\nend_of_record\n")
    return "".join(rows)


def _cobertura(counted):
    """The same as Cobertura has it, which gcovr reads: of the branches of a line how many were taken."""
    from xml.sax.saxutils import quoteattr

    root = os.getcwd()
    classes, all_lines, all_branches = [], [], []
    for file, (lines, taken) in sorted(counted.items()):
        rows = []
        for number, count in sorted(lines.items()):
            of_line = [times for key, times in taken.items() if key[0] == number]
            ran, share = sum(1 for times in of_line if times), ""
            if of_line:
                share = f' branch="true" condition-coverage="{100 * ran // len(of_line)}% ({ran}/{len(of_line)})"'
            rows.append(f'<line number="{number}" hits="{count}"{share}/>')
        name = os.path.relpath(file, root) if file.startswith(root + os.sep) else file
        rates = _rates(lines.values(), taken.values())
        head = f"<class name={quoteattr(os.path.basename(file))} filename={quoteattr(name)} {rates}><methods/><lines>"
        classes.append("\n".join([head, *rows, "</lines></class>"]))
        all_lines += lines.values()
        all_branches += taken.values()
    rates = _rates(all_lines, all_branches)
    return (
        f'<?xml version="1.0"?>\n<coverage {rates} version="1">\n<sources><source>{root}</source></sources>\n<packages>'
        f'<package name="kernels" {rates}><classes>\n'
        + "\n".join(classes)
        + "\n</classes></package></packages></coverage>\n"
    )


def _rates(lines, branches):
    words = []
    for name, counts in (("line-rate", list(lines)), ("branch-rate", list(branches))):
        words.append(f'{name}="{sum(1 for count in counts if count) / len(counts) if counts else 1:.4f}"')
    return " ".join([*words, 'complexity="0"'])
