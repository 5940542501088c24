# SPDX-License-Identifier: Apache-2.0
"""Words of a launch that do not depend on where and when it ran, and their hashes."""

import functools
import gzip
import hashlib
import re
from collections import Counter, defaultdict
from pathlib import Path

SCHEDULES = ("eager", "late", "ahead", "serial", "seed:1", "seed:7")
COLUMNS = ("outputs", "findings", "log", "trace")
# How many tests of which files: those that launch for the bytes, not to be killed, refused or stopped.
GROUPS = {
    "examples": (
        8,
        ["python/programs/test_basics.py", "python/programs/test_examples.py", "python/programs/test_hosts.py"],
    ),
    "programs": (40, ["python/programs"]),
    "matrices": (24, ["python/test_matrix.py"]),
    "scripts": (80, ["python/test_tik_programs.py"]),
    "calls of scripts": (
        40,
        [f"python/test_tik_{what}.py" for what in "operators whole matmul convolution sort cube conv".split()],
    ),
    "operators": (3, ["op/projects_test.py"]),
    "others": (16, ["python/test_right_programs.py", "python/test_launch.py", "python/test_op.py"]),
}
MOST = 4 << 20  # characters of a text; of a longer one its length counts, too
WIDTH = 160  # of lines
PLACE = re.compile(r"((?:[\w.+-]*/)*[\w.+-]+\.(?:cpp|h|py|inc)):(\d+)(?::\d+)?")
WALL = re.compile(r'"(wall_seconds|seconds|written_at|time_of_day)": *"?[-\d.e:TZ ]+"?')


def short(data):
    """The first 12 digits of sha256."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()[:12]


def rank(seed, name):
    """Where a seed puts a name: what is added later leaves the order of the others."""
    return hashlib.sha256(f"{seed} {name}".encode()).hexdigest()


@functools.cache
def lines_of(path):
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []


@functools.cache
def called(base):
    """The files of tests and examples below `base` by their names, of which logs say no more; those that share none."""
    found = defaultdict(list)
    for folder in ("tests", "examples"):
        for path in Path(base, folder).rglob("*"):
            found[path.name].append(path)
    return {name: paths[0] for name, paths in found.items() if len(paths) == 1}


def normal(text, folders=(), base="."):
    """Places become the words of their lines, folders of this run nothing. base: of relative paths."""

    def words(place):
        below, number = re.search(r"(?:tests|examples)/.*", place[1]), int(place[2])
        path = Path(base, below[0] if below else place[1])
        lines = lines_of(str(path if path.exists() else called(base).get(place[1], path)))
        return f"«{lines[number - 1].strip()}»" if 0 < number <= len(lines) else f"{Path(place[1]).name}:{number}"

    if len(text) > MOST:
        text = f"{text[:MOST]}\n{len(text)} characters"
    text = WALL.sub(r'"\1": 0', PLACE.sub(words, text))
    for folder in folders:
        text = text.replace(str(folder), "")
    return text


def text_of(path):
    """What is in a file, which may have become a compressed one; empty without one."""
    compressed = Path(f"{path}.gz")
    if compressed.exists():
        return gzip.decompress(compressed.read_bytes()).decode()
    return Path(path).read_text(encoding="utf-8") if Path(path).exists() else ""


def pack(rows):
    """Lines of tuples of words. Rows that differ in the last word alone have one heading, and headings with the same last
    words stand together above them; these lines begin with a tab."""
    last, groups = defaultdict(list), defaultdict(list)
    for row in rows:
        last[" ; ".join(row[:-1])].append(row[-1])
    for heading, words in last.items():
        groups[tuple(sorted(words))].append(heading)
    lines = []
    for words, headings in sorted(groups.items(), key=lambda group: min(group[1])):
        lines += sorted(headings)
        for word in words:
            if lines[-1].startswith("\t") and len(lines[-1]) + len(word) < WIDTH:
                lines[-1] += f"\t{word}"
            else:
                lines.append(f"\t{word}")
    return lines


def unpack(text):
    """How often each row is there, in words."""
    found, headings, fresh = Counter(), [], True
    for line in text.splitlines():
        if line.startswith("\t"):
            found.update(f"{heading}: {word}" for heading in headings for word in line[1:].split("\t"))
            fresh = True
        else:
            headings = [line] if fresh else [*headings, line]
            fresh = False
    return found
