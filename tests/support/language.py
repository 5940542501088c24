# SPDX-License-Identifier: Apache-2.0
"""What public headers have beyond C++17, by their text, and the g++ that takes it; docs/packages.md shows the rows."""

import os
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = (ROOT / "include", Path(os.environ.get("SFUMATO_BUILD_DIR", "build/release")).resolve() / "generated")

# What it is | how it looks | the oldest g++. clang 13 has all.
FEATURES = (
    ("concepts and `requires`", r"\b(requires|concept)\b", 9),
    ("structures as template arguments", r"template <[^;{]*\b(\w+Config config|Text \w+)", 9),
    ("templates of lambdas", r"\[[^][]*\]<", 9),
    ("`__VA_OPT__`", r"\b__VA_OPT__\b", 9),
    ("`[[likely]]`", r"\[\[(un)?likely\]\]", 9),
    ("`std::type_identity`, `std::remove_cvref`", r"\bstd::(type_identity|remove_cvref)", 9),
    ("`starts_with`, `ends_with` of strings", r"\.(starts|ends)_with\(", 9),
    ("comparisons that are defaulted", r"\boperator(==|<=>).*= default", 10),
    ("`std::span`", r"\bstd::span\b", 10),
)


@cache
def text(path):
    return re.sub(r"//.*", "", path.read_text(encoding="utf-8"))


@cache
def includes(path):
    """The files of ours that a file includes."""
    names = re.findall(r'^\s*#\s*include\s*[<"]([^">]+)[">]', text(path), re.MULTILINE)
    found = ((folder / name for folder in (path.parent, *INCLUDE)) for name in names)
    return [next(places, None) for places in (filter(Path.is_file, places) for places in found)]


@cache
def closure(path):
    """The file and all of ours that it includes."""
    files, left = set(), [path.resolve()]
    while left:
        file = left.pop()
        if file not in files:
            files.add(file)
            left += [included.resolve() for included in includes(file) if included]
    return files


def own(path):
    return [feature for feature in FEATURES if re.search(feature[1], text(path))]


def oldest_gcc(path):
    """The g++ that a file needs with all that it includes, or 0: it needs nothing beyond C++17."""
    return max((gcc for file in closure(path) for _, _, gcc in own(file)), default=0)


def public():
    """Every public header by its name."""
    return {path.relative_to(folder).as_posix(): path for folder in INCLUDE for path in sorted(folder.rglob("*.h"))}


def rows():
    """Of the page: what it is, the headers whose own text has it, the oldest g++. Those of kernels are one."""
    for what, pattern, gcc in FEATURES:
        names = {
            "kernel_operator.h" if name.startswith("sfumato/ascendc/") else name
            for name, path in public().items()
            if re.search(pattern, text(path))
        }
        yield f"| {what} | {', '.join(f'`{name}`' for name in sorted(names))} | {gcc} |"
