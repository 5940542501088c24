#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records what a build is and does, as sorted lines of text that compare.py compares. README.md says of what.
Runs by the Python of the build, as tests/installed.py does.

tests/net/record.py BUILD OUT [--seed 28] [--halves 250] [--twice] [--only launches]
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from surface import public_headers, surface
from texts import COLUMNS, GROUPS, SCHEDULES, normal, pack, rank, short, text_of

NET = Path(__file__).resolve().parent
ROOT = NET.parents[1]
TESTS = ROOT / "tests"
sys.path.append(str(TESTS / "frontends" / "compile_fail"))
import compile_fail  # noqa: E402

RULE = re.compile(r"\b(fault|warning|note) \[([a-z0-9-]+)\]")
STRINGS = re.compile(r'(?:"(?:\\.|[^"\\\n])*"\s*)+')
FIELD = re.compile(r"\.(?:message|found|legal|hint|operand)\s*=\s*(" + STRINGS.pattern + ")")


# Those that bring all others: of kernels, of host programs, of operators.
ENTRIES = (
    "kernel_operator.h lib/matmul_intf.h tiling/tiling_api.h acl/acl.h register/tilingdata_base.h register/op_def_registry.h "
    "tiling/platform/platform_ascendc.h aclnn/aclnn_base.h kernel_tiling/kernel_tiling.h tikicpulib.h"
).split()
MEMORY = """import resource, subprocess, sys
subprocess.run(["c++", *sys.argv[1:]], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"""


def output(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **options)


def installed(build, *words, **variables):
    """Runs on the installation, from its copy of the tests."""
    command = (sys.executable, TESTS / "installed.py", build, "--staged", "--", *words)
    return output(*command, env={**os.environ, **{name: str(value) for name, value in variables.items()}})


def tests_of(build):
    """ctest's names, the cases of GoogleTest's programs, pytest's ids."""
    added = re.compile(r'^add_test\(\[=\[([\w.]+)\]=\] "([^"]+)"', re.MULTILINE)
    programs = set()
    for file in build.rglob("CTestTestfile.cmake"):
        for name, program in added.findall(file.read_text(encoding="utf-8")):
            yield "ctest", name
            if Path(program).is_relative_to(build / "tests"):
                programs.add(Path(program))
    for program in sorted(programs):
        suite = ""
        for line in output(program, "--gtest_list_tests").stdout.splitlines():
            name = line.split("#")[0].strip()
            if line.startswith("  "):
                case, _, parameter = name.partition("/")
                yield (
                    ("gtest", program.name, suite + case, parameter)
                    if parameter
                    else ("gtest", program.name, suite, case)
                )
            elif re.fullmatch(r"[\w/<>:, ]+\.", name):
                suite = name
    folders = [f"tests/{name}" for name in ("python", "judging", "sweeping", "testing", "adapters")]
    folders += ["tests/op/wrong_projects_test.py", "tests/project/test_examples_left.py"]
    listed = installed(build, "python", "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", *folders)
    for line in listed.stdout.splitlines():
        if "::" in line:
            test, bracket, parameter = line.partition("[")
            yield ("pytest", test, bracket + parameter) if bracket else ("pytest", *test.rsplit("::", 1))


def reports():
    """(rule, where, text): of text goldens each report, of sources each literal with a report or a part of one."""
    for path in sorted(TESTS.rglob("*")):
        name = path.relative_to(TESTS).as_posix()
        if path.suffix not in (".txt", ".cpp", ".h", ".py") or name.startswith("net/"):
            continue
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".txt":
            for block in re.split(r"\n(?=\S)", text):  # a report is its sentence and the indented lines below
                if rule := RULE.search(block):
                    yield name, rule[2], short(block[rule.start() :].strip())
            continue
        for literal in STRINGS.findall(text):
            if rule := RULE.search(literal):
                yield name, rule[2], short(words_of(literal))
        for literal in FIELD.findall(text):
            yield name, "a part", short(words_of(literal))


def words_of(literal):
    return "".join(re.findall(r'"((?:\\.|[^"\\\n])*)"', literal))


def refused(build):
    """Of each case that must not compile what it expects, and the compiler's first words at its lines."""
    output("ctest", "--test-dir", build, "-R", "^compile_fail_(header|of_)")
    for source in sorted((TESTS / "frontends" / "compile_fail").glob("*.cpp")):
        said = build / "tests" / "frontends" / "compile_fail" / f"{source.stem}.txt"
        told = list(compile_fail.errors(source, said))
        for start, end, expected in compile_fail.cases(source).values():
            first = next((words for words, at in told if any(start <= line < end for line in at)), "")
            yield expected, re.sub(r".*?error: ", "", first.partition("\n")[0]) or "compiles"


def headers_of(build):
    """The headers that users include, and each declaration that they make together: its scope, its first words, its hash."""
    folders = [str(ROOT / "include"), str(build / "generated")]
    headers = sorted(set(public_headers(folders)))
    yield from (("header", name) for name in headers)
    for scope, words in surface("c++", folders, [name for name in headers if name in ENTRIES]):
        if not scope.startswith("sfumato"):
            yield scope or "global", words if len(words) <= 160 else f"{words[:160]} {short(words)}"


def compiles(build):
    """(program, instructions of the compiler in millions, its memory in KiB) of a program with every header; needs valgrind."""
    folders = [f"-I{ROOT / 'include'}", f"-I{build / 'generated'}"]
    for program in sorted((NET / "compiled").glob("*.cpp")):
        words = ["-std=c++20", "-O1", "-w", *folders, "-S", program, "-o", os.devnull]
        with tempfile.TemporaryDirectory() as folder:
            tool = f"valgrind,--tool=exp-bbv,--instr-count-only=yes,--bb-out-file=/dev/null,--log-file={folder}/%p"
            output("c++", "-wrapper", tool, *words)
            counts = [re.findall(r"Total instructions: (\d+)", log.read_text()) for log in Path(folder).iterdir()]
        used = output(sys.executable, "-c", MEMORY, *words).stdout.strip()
        yield program.stem, str(round(sum(int(n) for found in counts for n in found) / 1e6)), used


def told_by(build, program, name):
    """What a program of the tests writes into the file `name` of the folder SFUMATO_NET."""
    with tempfile.TemporaryDirectory() as folder:
        test = "Net.RecordsChosenHalves" if name == "pairs.txt" else "Table.TellsItsOracles"
        output(build / "tests" / program, f"--gtest_filter={test}", env={**os.environ, "SFUMATO_NET": folder})
        return [tuple(line.split("\t")) for line in (Path(folder) / name).read_text(encoding="utf-8").splitlines()]


def halves(build, seed, count, keep):
    """The chosen halves of pairs: (route, name, schedule, hashes)."""
    names = [name for *_, name in told_by(build, "sanitize/sanitize_pairs", "pairs.txt")]
    every = [f"{name} {half}" for name in names for half in ("right", "wrong")]
    chosen = sorted(every, key=lambda name: rank(seed, name))[:count]
    folder = Path(tempfile.mkdtemp())
    for name, lines in (("chosen.txt", chosen), ("schedules.txt", SCHEDULES)):
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    program = build / "tests" / "sanitize" / "sanitize_pairs"
    variables = {**os.environ, "SFUMATO_NET": str(folder)}
    output(program, "--gtest_filter=Net.RecordsChosenHalves", env=variables, cwd=build)
    yield from left_by(folder, chosen, keep)
    shutil.rmtree(folder)


def left_by(folder, chosen, keep):
    for name in chosen:
        for schedule in SCHEDULES:
            stem = f"{folder}/{name} {schedule}"
            texts = []
            for ending in ("findings", "log", "trace.json"):
                text = text_of(f"{stem}.{ending}")
                texts.append(normal(text, (folder, f"{ROOT}/"), ROOT))
            if keep:
                place = Path(keep) / name.replace(" ", "-") / schedule
                place.mkdir(parents=True, exist_ok=True)
                for kind, text in zip(COLUMNS[1:], texts):
                    (place / kind).write_text(text, encoding="utf-8")
            left = Path(f"{stem}.outputs")
            yield "pair", name, schedule, short(left.read_bytes() if left.exists() else b"ended"), *map(short, texts)


def of_tests(build, seed, cache):
    """What the chosen tests of Python launch."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        shutil.copytree(NET, Path(folder) / "net", ignore=shutil.ignore_patterns("recorded"))
        variables = {
            "SFUMATO_NET_OUT": f"{folder}/launches.txt",
            "SFUMATO_NET_SEED": seed,
            "SFUMATO_OPERATORS": "all",
            "SFUMATO_CACHE": cache,
        }
        chosen = sorted({f"tests/{name}" for _, files in GROUPS.values() for name in files})
        words = (
            f"import sys; sys.path.insert(0, {folder + '/net'!r}); import pytest; sys.exit(pytest.main(sys.argv[1:]))"
        )
        started = ("python", "-c", words, "-q", "-p", "no:cacheprovider", "-p", "launches", *chosen)
        done = installed(build, *started, **variables)
        print("\n".join(done.stdout.splitlines()[-12:]), done.stderr[-2000:])
        for line in Path(variables["SFUMATO_NET_OUT"]).read_text(encoding="utf-8").splitlines():
            yield tuple(line.split("\t"))


def once(build, options, cache):
    rows = [*halves(build, options.seed, options.halves, options.keep)]
    rows += of_tests(build, options.seed, cache)
    return {row[:3]: row[3:] for row in rows}


def compared(first, second):
    """A line for each launch: of each column the hashes of all schedules; `=`: as the first, `-`: the two records differ."""
    names = sorted({key[:2] for key in first})
    for route, name in names:
        columns = []
        for at, column in enumerate(COLUMNS):
            runs = [
                [run.get((route, name, schedule), COLUMNS)[at] for run in (first, second)] for schedule in SCHEDULES
            ]
            hashes = [one if one == other else "-" for one, other in runs]
            same = ("=" if digits == hashes[0] else digits for digits in hashes[1:])
            columns.append(" ".join([column, hashes[0], *same]))
        yield "\t".join([route, name, *columns])


def launches(build, options, cache):
    first = once(build, options, cache)
    print(f"{len(first) // len(SCHEDULES)} launches, seed {options.seed}", flush=True)
    return compared(first, once(build, options, cache) if options.twice else first)


def write(out, name, rows):
    lines = sorted(rows) if name == "launches" else sorted(map("\t".join, rows)) if name == "compile" else pack(rows)
    (out / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(f"{len(lines):7} lines of {name}.txt", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=28)
    parser.add_argument("--halves", type=int, default=250, help="of pairs")
    parser.add_argument("--twice", action="store_true", help="what differs between two records is no hash")
    parser.add_argument("--only", help="one of the files, without .txt")
    parser.add_argument("--keep", help="a folder for the texts of pairs behind the hashes")
    options = parser.parse_args()
    build = options.build.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    laid = output(sys.executable, TESTS / "installed.py", build, "--stage")
    if laid.returncode:
        sys.exit(laid.stderr)
    cache = Path(laid.stdout.strip()) / "home" / "net-cache"
    made = {
        "tests": lambda: tests_of(build),
        "reports": reports,
        "coverage": lambda: told_by(build, "coverage/coverage_calls", "coverage.txt"),
        "pairs": lambda: told_by(build, "sanitize/sanitize_pairs", "pairs.txt"),
        "refused": lambda: refused(build),
        "surface": lambda: headers_of(build),
        "compile": lambda: compiles(build),
        "launches": lambda: launches(build, options, cache),
    }
    for name, lines in made.items():
        if options.only in (None, name):
            began = time.monotonic()
            write(options.out, name, lines())
            print(f"{time.monotonic() - began:7.0f} s", flush=True)


if __name__ == "__main__":
    main()
