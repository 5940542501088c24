#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the house measures: lines by room, long functions, long files, duplicate pairs, cycles. Standard library only.

    tools/metrics.py [--since COMMIT] [--list]

--since: beside each number the difference to that commit. --list: where the long functions, long files and pairs are, too.
It judges nothing: the numbers are for whoever reads a change.
"""

import argparse
import ast
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "tests" / "project"))
from include_arrows_test import includes  # noqa: E402

PRODUCT = ("src", "include", "python", "tools")
OTHERS = ("tests", "docs", "examples", "bench", "chips", "cmake")
TEXTS = {f".{name}" for name in "cpp h inc py pyi in cmake sh js css html toml txt tsv csv md".split()}
CPP, PYTHON = {".cpp", ".h", ".inc"}, {".py"}
# Written by a target or a test that says so; the lines of no author.
GENERATED = re.compile(
    r"docs/(?:instructions|calls)/|docs/(?:tik-reference|names|support|chips|command|options)\.md|docs/checks/suite\.md|"
    r"tools/sfumato/(?:completion|man)/|_calls\.pyi$|tests/.*/reports/|tests/net/recorded/"
)
BLOCK = 6  # lines of a duplicate
KINDS = 6  # of lines, in a block of equal shape: rows of a table are no duplicates

NOISE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'', re.DOTALL
)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
TOKEN = re.compile(r'[A-Za-z_]\w*|\d[\w.\']*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[^\s\w]')


def blank(match):
    """What is left out, its lines kept."""
    text = match.group(0)
    return ("" if text.startswith(("/", "#")) else '""') + "\n" * text.count("\n")


def inner(text):
    """Without what stands in parentheses and angles."""
    before = None
    while before != text:
        before, text = text, re.sub(r"\([^()]*\)", "@", re.sub(r"<[^<>]*>", "", text))
    return text


def opens_function(head):
    """Whether a brace behind these words begins the body of a function; None: it belongs to the head."""
    if head.count("(") > head.count(")"):
        return None
    head = inner(re.sub(r"operator\s*[^\s\w(]+", "operator", head)).strip()
    if "@" not in head or re.search(r"=|\b(?:namespace|enum|return)\b", head):
        return False
    if re.search(r"@[^@:]*:(?!:).*[\w>]$", head):
        return None
    return not re.match(r"(?:class|struct|union)\b", head) or bool(re.search(r"\w\s*@\s*(?:const\s*)?$", head))


def cpp_functions(text):
    """(first line, lines) of each function."""
    text = DIRECTIVE.sub(blank, NOISE.sub(blank, text))
    depth, start, began, line, kept = 0, 0, 0, 1, []
    body = None  # the depth at which a function or an initialiser ends, and the first line of a function
    for match in re.finditer(r"[{};\n]", text):
        mark = match.group(0)
        if mark == "\n":
            line += 1
        elif mark == "{":
            depth += 1
            if body is None:
                head = text[start : match.start()]
                verdict = opens_function(head)
                if verdict is None:
                    body = (depth, None)
                    continue
                if verdict:
                    began = line - head[len(head) - len(head.lstrip()) :].count("\n")
                    body = (depth, began)
                elif re.search(r"[=,(]\s*$|\breturn\s*$", head):
                    body = (depth, 0)
                start = match.end()
        elif mark == "}":
            if body and body[0] == depth:
                if body[1]:
                    kept.append((body[1], line - body[1] + 1))
                if body[1] is not None:
                    start = match.end()
                body = None
            elif body is None:
                start = match.end()
            depth -= 1
        elif body is None:
            start = match.end()
    return kept


def python_functions(text):
    return [
        (node.lineno, node.end_lineno - node.lineno + 1)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]


def shapes(path, text):
    """(line, its words, its shape) of the lines with words, comments and includes left out."""
    if path.suffix in PYTHON:
        text = re.sub(r'^\s*"""(?:.|\n)*?"""', lambda m: "\n" * m[0].count("\n"), text, flags=re.MULTILINE)
        text = re.sub(r"^\s*(?:#|import |from ).*$", "", text, flags=re.MULTILINE)
    else:
        text = re.sub(r"//[^\n]*|^\s*#include.*$", "", text, flags=re.MULTILINE)
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        tokens = TOKEN.findall(line)
        if any(token[0].isalpha() for token in tokens):
            shape = "".join(
                "i" if t[0].isalpha() or t[0] == "_" else "0" if t[0] in "0123456789\"'" else t for t in tokens
            )
            found.append((number, " ".join(tokens), shape))
    return found


def pairs(files, which, kinds):
    """[(place, place)] of blocks that begin alike, each with the one before: which: 1 words, 2 shape."""
    places = defaultdict(list)
    for name, lines in files.items():
        for at in range(len(lines) - BLOCK + 1):
            key = tuple(line[which] for line in lines[at : at + BLOCK])
            if len(set(key)) >= kinds:
                places[key].append((name, at))
    follows = {}
    for group in places.values():
        for one, other in zip(group, group[1:]):
            if one[0] != other[0] or other[1] - one[1] >= BLOCK:
                follows[one] = other
    begins = []
    for (name, at), (other, there) in follows.items():
        if follows.get((name, at - 1)) != (other, there - 1):
            begins.append((f"{name}:{files[name][at][0]}", f"{other}:{files[other][there][0]}"))
    return begins


def circles(arrows):
    """The strongly connected parts of more than one node."""
    index, low, stack, found, order = {}, {}, [], [], iter(range(1 << 30))

    def visit(node):
        index[node] = low[node] = next(order)
        stack.append(node)
        for target in arrows.get(node, ()):
            if target not in index:
                visit(target)
            if target in stack:
                low[node] = min(low[node], low[target])
        if low[node] == index[node]:
            part = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(part) > 1:
                found.append(sorted(part))

    for node in sorted(arrows):
        if node not in index:
            visit(node)
    return found


def include_arrows(root, files):
    arrows = defaultdict(set)
    for name in files:
        if Path(name).suffix in CPP:
            for _, header in includes(root / name):
                for folder in ("src", "include", "tests", "python/src", str(Path(name).parent)):
                    if f"{folder}/{header}" in files:
                        arrows[name].add(f"{folder}/{header}")
    return arrows


def at_import(body):
    """The import statements that run when a module is imported."""
    for node in body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            yield from at_import(node.orelse)
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            for part in ("body", "orelse", "finalbody"):
                yield from at_import(getattr(node, part, []))


def import_arrows(root, files, lazy):
    """lazy: with the imports inside functions."""
    modules = {}
    for name in files:
        if name.startswith("python/sfumato/") and name.endswith((".py", ".pyi")):  # stubs are modules of C++
            module = name.removeprefix("python/").rpartition(".")[0].removesuffix("/__init__").replace("/", ".")
            modules[module] = name
    arrows = defaultdict(set)
    for module, name in modules.items():
        package = module if "/__init__." in name else module.rpartition(".")[0]
        tree = ast.parse((root / name).read_text(encoding="utf-8"))
        for node in ast.walk(tree) if lazy else at_import(tree.body):
            if isinstance(node, ast.Import):
                wanted = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                up = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
                base = ".".join([*up, *([node.module] if node.module else [])])
                wanted = [f"{base}.{alias.name}" if f"{base}.{alias.name}" in modules else base for alias in node.names]
            else:
                continue
            arrows[module] |= {target for target in wanted if target in modules and target != module}
    return arrows


def room(name):
    parts = name.split("/")
    if parts[0] not in (*PRODUCT, *OTHERS):
        return "other"
    return "/".join(parts[:2]) if parts[0] in PRODUCT and len(parts) > 2 else parts[0]


def measure(root, names):
    """{what: number}, and {what: places}."""
    numbers, places, code = Counter(), defaultdict(list), {"product": {}, "tests": {}}
    for name in names:
        path = root / name
        if path.suffix not in TEXTS or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8")
        count = text.count("\n")
        if GENERATED.search(name):
            numbers["lines of generated files"] += count
            continue
        numbers[f"lines of {room(name)}"] += count
        top = name.split("/")[0]
        part = "product" if top in PRODUCT else top if top == "tests" else ""
        if part:
            numbers[f"lines of all {part}"] += count
        if path.suffix not in CPP | PYTHON or not part:
            continue
        code[part][name] = shapes(path, text)
        for most in (400, 450):
            if count > most:
                places[f"files over {most} lines, {part}"].append(f"{name}: {count}")
        functions = python_functions(text) if path.suffix in PYTHON else cpp_functions(text)
        for most in (60, 80):
            places[f"functions over {most} lines, {part}"] += [f"{name}:{at}: {n}" for at, n in functions if n > most]
    for part, files in code.items():
        exact = pairs(files, 1, 1)
        places[f"duplicate pairs, {part}"] = [" = ".join(pair) for pair in exact]
        alike = {*map(frozenset, pairs(files, 2, KINDS))} - {*map(frozenset, exact)}
        places[f"duplicate pairs of shape, {part}"] = [" ~ ".join(sorted(pair)) for pair in alike]
    places["include cycles"] = [", ".join(part) for part in circles(include_arrows(root, set(names)))]
    for lazy, what in ((False, "import cycles"), (True, "import cycles, imports in functions counted")):
        places[what] = [", ".join(part) for part in circles(import_arrows(root, names, lazy))]
    numbers.update({what: len(found) for what, found in places.items()})
    return numbers, places


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True).stdout


def measured_at(commit):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["tar", "-x", "-C", folder], input=git("archive", commit), check=True)
        names = sorted(path.relative_to(folder).as_posix() for path in Path(folder).rglob("*") if path.is_file())
        return measure(Path(folder), names)[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--since", metavar="COMMIT")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    numbers, places = measure(ROOT, git("ls-files").decode().splitlines())
    before = measured_at(options.since) if options.since else Counter()
    for what in sorted({*numbers, *before}):
        change = f"{numbers[what] - before[what]:+9}" if options.since else ""
        print(f"{what:44}{numbers[what]:9}{change}")
        if options.list:
            print("".join(f"    {place}\n" for place in places[what]), end="")


if __name__ == "__main__":
    main()
