#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every citation of the specification (docs/spec) and every link of the documentation leads somewhere. Standard library only.

A citation is `cube.md 5.1`, `cube.md 3.6, 4 and 5.3`, `framework.md 6.3 M4`, `vector.md, Mask` or `pages/004`: a file of docs/spec, then numbers of
headings, first cells of table rows (M4, A11), or the words a heading begins with.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from bisect import bisect_right
from itertools import accumulate
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SFUMATO_BUILD_DIR", ROOT / "build/release"))
FOLDERS = ("src", "include", "chips", "tests", "tools", "python", "bench", "docs", "examples")
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
CODE = {".h", ".cpp", ".inc", ".py", ".pyi", ".toml", ".cmake", ".txt", ".tsv", ".csv"}

NUMBER = r"\d+(?:\.\d+)*(?![\w.-]*\w)"
ROW = r"[A-Z]\d+(?!\w)"
# The name, and what stands behind it: numbers and rows, or a comma and a heading. A name in a path or a link is none.
CITATION = re.compile(
    rf"""(?<![\w/.\[-])(?<!\]\()(?P<name>[a-z_]+\.md)\b(?!\])
         (?:(?P<numbers>,?\s(?:{NUMBER}|{ROW})(?:(?:,\s|,?\sand\s|\sto\s|\s)(?:{NUMBER}|{ROW}))*)
           |,\s(?![a-z_]+\.md)["']?(?P<heading>[^;:."'()|]{{1,60}}))?""",
    re.VERBOSE,
)
TOKEN = re.compile(rf"{NUMBER}|{ROW}")
# Ours have small letters: files of the vendor's names are written for users.
TABLE = re.compile(r"(?<![\w}.])[a-z0-9_-][\w./-]*\.(?:csv|tsv)\b")
PAGE = re.compile(r"\bpages?[/ ](\d{3})(?!\d)")
LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)|!\[[^\]\n]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def blank(match: re.Match) -> str:
    return re.sub(r"[^\n]", " ", match.group())


def prose(text: str) -> str:
    """The text without its code, lines kept."""
    return re.sub(r"`[^`]*`", blank, FENCE.sub(blank, text))


class Specification:
    """What a citation may name: the headings and the rows of each file of docs/spec."""

    def __init__(self, folder: Path):
        self.numbers, self.headings = {}, {}
        self.others = [folder.parent, BUILD / "docs" / "instructions"]
        for path in folder.glob("*.md"):
            text = FENCE.sub(blank, path.read_text(encoding="utf-8"))
            titles = HEADING.findall(text)
            numbered = [re.match(rf"({NUMBER})\.?\s", title) for title in titles]
            self.numbers[path.name] = {match.group(1) for match in numbered if match}
            self.numbers[path.name] |= set(re.findall(rf"^\|\s*({ROW})\s*\|", text, re.MULTILINE))
            self.headings[path.name] = [re.sub(rf"^{NUMBER}\.?\s+", "", title).lower() for title in titles]

    def wrong(self, text: str):
        """(line, what is wrong) of every citation that leads nowhere."""
        # One line, because a citation may go on in the next line of a comment.
        lines = [re.sub(r"^\s*(?://+|#)?\s*", "", line) for line in text.split("\n")]
        starts = [0, *accumulate(len(line) + 1 for line in lines)]
        flat = " ".join(lines)
        for match in CITATION.finditer(flat):
            name, line = match["name"], bisect_right(starts, match.start())
            if name not in self.numbers:
                if not any((folder / name).is_file() for folder in self.others):
                    yield line, f"there is no {name}"
                continue
            for token in TOKEN.findall(match["numbers"] or ""):
                if token not in self.numbers[name]:
                    yield line, f"{name} has no section {token}"
            heading = (match["heading"] or "").strip().lower()
            if heading and not any(heading.startswith(title) for title in self.headings[name]):
                yield line, f"{name} has no heading '{heading}'; a comma behind the name stands before one"
        for match in PAGE.finditer(flat):
            if not any(title.startswith(f"pages/{match[1]}") for title in self.headings.get("bibliography.md", [])):
                yield bisect_right(starts, match.start()), f"bibliography.md has no entry pages/{match[1]}"


def anchors(path: Path) -> set:
    """The ids a page's headings get where it is shown."""
    text = FENCE.sub(blank, path.read_text(encoding="utf-8"))
    titles = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title) for title in HEADING.findall(text)]
    made = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
    return made | set(re.findall(r"<a id=\"([^\"]+)\">", text))


def wrong_links(path: Path):
    """(line, what is wrong) of every relative link of a page whose file or heading does not exist."""
    text = prose(path.read_text(encoding="utf-8"))
    for match in LINK.finditer(text):
        target = unquote(match[1] or match[2])
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        page = path.parent / file if file else path
        line = text.count("\n", 0, match.start()) + 1
        if not page.exists():
            yield line, f"the link leads to {target}, which does not exist"
        elif anchor and anchor not in anchors(page):
            yield line, f"{file or path.name} has no heading #{anchor}"


def wrong_tables(root: Path, path: Path, text: str):
    """(line, what is wrong) of every table a source names that is not there."""
    places = [root, path.parent, root / "tests/data", root / "python/sfumato/tik"]
    for match in TABLE.finditer(text):
        if not any((place / match.group()).is_file() for place in places):
            yield text.count("\n", 0, match.start()) + 1, f"there is no {match.group()}"


def findings(root: Path, paths: list) -> list:
    specification = Specification(root / "docs" / "spec")
    found = []
    for path in paths:
        text = path.read_text(encoding="utf-8")
        wrong = list(specification.wrong(text))
        wrong += wrong_links(path) if path.suffix == ".md" else wrong_tables(root, path, text)
        found += [f"{os.path.relpath(path, root)}:{line}: {what}" for line, what in sorted(wrong)]
    return found


def files() -> list:
    """What git tracks, or in an unpacked archive what lies there."""
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files"], check=False, capture_output=True, text=True)
    names = listed.stdout.splitlines()
    if listed.returncode != 0:
        names = [path.relative_to(ROOT).as_posix() for folder in FOLDERS for path in (ROOT / folder).rglob("*")] + list(
            PAGES
        )
    chosen = (name for name in names if name in PAGES or name.startswith(tuple(f"{folder}/" for folder in FOLDERS)))
    paths = (ROOT / name for name in chosen)
    return sorted(path for path in paths if path.is_file() and path.suffix in CODE | {".md"} and path != Path(__file__))


class Citations(unittest.TestCase):
    maxDiff = None

    def test_all_lead_somewhere(self):
        built = sorted(BUILD.glob("docs/**/*.md"))
        self.assertGreater(len(built), 200, "build the target sfumato_pages")
        self.assertEqual([], findings(ROOT, files() + built))

    def test_the_specification_is_cited(self):
        cited = sum(len(CITATION.findall(path.read_text(encoding="utf-8"))) for path in files() if path.suffix != ".md")
        self.assertGreater(cited, 300)

    def test_what_leads_nowhere_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "docs" / "spec").mkdir(parents=True)
            spec, page, code = root / "docs" / "spec" / "cube.md", root / "docs" / "machine.md", root / "code.cpp"
            spec.write_text(
                "# Cube\n\n## 3. Loads\n\n### 3.1 Load2D\n\n```\n# 3.3\n```\n\n## Round modes\n\n| # |\n|---|\n| M4 |\n"
            )
            (root / "docs" / "spec" / "bibliography.md").write_text("### pages/004\n")
            page.write_text(
                "# The machine\n\n[a](spec/cube.md#31-load2d), [b](#the-machine), [c](gone.md), [d](spec/cube.md#32), `a[1](e)`, <https://x.y>\n"
            )
            code.write_text(
                '// cube.md 3.1 and 3, cube.md 3.1 M4: fine. cube.md, "Round modes" and cube.md, round modes (decided): fine.\n'
                "// cube.md 3.1 to\n// 3.2. cube.md 3.3; cube.md M5\n"
                "// cube.md, Alignment.\n"
                "// pages/004, page 004, page 005, other.md 7, none.csv, (cube.md 3.1's table), cube.md 3: 4, 8 and 16\n"
            )
            self.assertEqual(
                [
                    "docs/machine.md:3: spec/cube.md has no heading #32",
                    "docs/machine.md:3: the link leads to gone.md, which does not exist",
                    "code.cpp:2: cube.md has no section 3.2",
                    "code.cpp:3: cube.md has no section 3.3",
                    "code.cpp:3: cube.md has no section M5",
                    "code.cpp:4: cube.md has no heading 'alignment'; a comma behind the name stands before one",
                    "code.cpp:5: bibliography.md has no entry pages/005",
                    "code.cpp:5: there is no none.csv",
                    "code.cpp:5: there is no other.md",
                ],
                findings(root, [page, code]),
            )


if __name__ == "__main__":
    sys.exit(unittest.main())
