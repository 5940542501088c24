# SPDX-License-Identifier: Apache-2.0
"""The pages of the documentation, their links and anchors, and the navigation: Markdown alone, no generator needed."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from posixpath import normpath

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SFUMATO_BUILD_DIR", ROOT / "build/release"))  # whose docs/ has the pages that are built
NAVIGATION = Path(__file__).with_name("navigation.toml")
# Pages outside docs/, by pattern: what stands beside them in the repository stands beside them on the site.
OUTSIDE = ("README*.md", "CHANGELOG.md", "CONTRIBUTING.md", "examples/**/*.md")

_FENCE = re.compile(r"^( *)(`{3,}|~{3,})[^\n]*\n.*?^ *\2[`~]*[ \t]*$", re.M | re.S)
_HIDDEN = re.compile(r"<!--.*?-->|(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", re.S)
_LINK = re.compile(r"(?<!\\)\]\(\s*<?([^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*)>?(\s+\"[^\"]*\")?\s*\)")
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$", re.M)
_HTML_ANCHOR = re.compile(r"<[^>]*\b(?:id|name)=\"([^\"]+)\"")


@dataclass(frozen=True)
class Link:
    page: str  # path of the page in the repository
    line: int
    text: str  # as written
    begin: int  # of the text in the page
    target: str  # path in the repository; "" for another host
    anchor: str


def pages() -> list[str]:
    """Every page, as a path in the repository, sorted."""
    found = {p.relative_to(ROOT) for pattern in ("docs/**/*.md", *OUTSIDE) for p in ROOT.glob(pattern)}
    return sorted(map(str, found | {p.relative_to(BUILD) for p in BUILD.glob("docs/**/*.md")}))


def is_built(page: str) -> bool:
    return (BUILD / page).is_file()


def source(page: str) -> Path:
    """Its file: the index of pages that are built is built, too."""
    return (BUILD if is_built(page) else ROOT) / page


def read(page: str) -> str:
    return source(page).read_text(encoding="utf-8")


def _blank(match: re.Match) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _prose(text: str) -> str:
    """The text without code and comments, every character at its place."""
    return _HIDDEN.sub(_blank, _FENCE.sub(_blank, text))


def links(page: str, text: str | None = None) -> list[Link]:
    text = read(page) if text is None else text
    result = []
    for match in _LINK.finditer(_prose(text)):
        written = match[1]
        line = text.count("\n", 0, match.start()) + 1
        if re.match(r"[a-z][a-z0-9+.-]*:", written):
            result.append(Link(page, line, written, match.start(1), "", ""))
            continue
        path, _, anchor = written.partition("#")
        target = normpath(str(PurePosixPath(page).parent / path)) if path else page
        result.append(Link(page, line, written, match.start(1), target, anchor))
    return result


def slug_of_text(text: str, separator: str = "-") -> str:
    """The anchor of a heading without markup, as repository hosts make it; also what the site calls."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", separator)


def slug(heading: str) -> str:
    """The same of a heading as it is written."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = re.sub(r"<[^>]+>", "", text) if "`" not in text else text
    return slug_of_text(text.replace("`", ""))


def anchors(page: str) -> set[str]:
    text = _FENCE.sub(_blank, read(page))
    seen: dict[str, int] = {}
    result = set(_HTML_ANCHOR.findall(text))
    for match in _HEADING.finditer(text):
        name = slug(match[1])
        count = seen[name] = seen.get(name, -1) + 1
        result.add(f"{name}-{count}" if count else name)
    return result


def title(page: str) -> str:
    match = re.search(r"^# +(.*)$", _FENCE.sub(_blank, read(page)), re.M)
    return match[1].replace("`", "").replace("\\", "") if match else PurePosixPath(page).stem


def tracked() -> set[str]:
    """Files of the repository and their folders; in a source package without git, whatever is there."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode != 0:
        return {str(p.relative_to(ROOT)) for p in ROOT.rglob("*")}
    files = listed.stdout.splitlines()
    return {*files, *(str(parent) for f in files for parent in PurePosixPath(f).parents)}


def check_links() -> tuple[list[str], int, list[Link]]:
    """What is wrong, how many internal links were checked, and the links to other hosts."""
    known, names = set(pages()), tracked()
    wrong, count, external = [], 0, []
    anchors_of: dict[str, set[str]] = {}
    for page in sorted(known):
        for link in links(page):
            if not link.target:
                external.append(link)
                continue
            count += 1
            place = f"{page}:{link.line}: ({link.text})"
            if link.target not in names and not (is_built(page) and is_built(link.target)):
                wrong.append(f"{place}: there is no {link.target} in the repository")
            elif link.anchor and link.target in known:
                if link.target not in anchors_of:
                    anchors_of[link.target] = anchors(link.target)
                if link.anchor not in anchors_of[link.target]:
                    wrong.append(f"{place}: {link.target} has no heading #{link.anchor}")
    return wrong, count, external


def check_markdown() -> list[str]:
    """Lists that readers of Markdown understand differently: some need an empty line before, or four spaces inside."""
    wrong = []
    for page in pages():
        before = ""
        for number, line in enumerate(_FENCE.sub(_blank, read(page)).splitlines(), 1):
            item = re.match(r"( *)([-*]|\d+\.) +\S", line)
            if item and 0 < len(item[1]) < 4:
                wrong.append(f"{page}:{number}: indent the inner list by four spaces")
            elif item and not item[1] and re.match(r"[^\s#>|<]", before) and not re.match(r"([-*]|\d+\.) ", before):
                if item[2] in "-*1.":
                    wrong.append(f"{page}:{number}: an empty line is missing before the list")
            before = line
    return wrong


def navigation() -> tuple[list, list[str]]:
    """Sections as [title, [(title, page)]], nested by further lists, and what is wrong: pages in no section or in two.

    An entry is a path, a pattern (which may find nothing), "TITLE = PATH", or a table with title and entries. Paths
    under reference/ are made for the site.
    """
    known = pages()
    placed: dict[str, str] = {}
    wrong: list[str] = []

    def place(entry, where):
        if isinstance(entry, dict):
            return [(entry["title"], [e for inner in entry["entries"] for e in place(inner, entry["title"])])]
        name, equals, path = entry.rpartition(" = ")
        if path.startswith("reference/"):
            return [(name, path)]
        found = [p for p in known if p not in placed and PurePosixPath(p).match(path)] if "*" in path else [path]
        for page in found:
            if page not in known:
                wrong.append(f"navigation.toml, {where}: there is no {page}")
            elif page in placed:
                wrong.append(f"navigation.toml: {page} is in {placed[page]} and in {where}")
            placed[page] = where
        return [(name if equals else title(page), page) for page in found if page in known]

    sections = tomllib.loads(NAVIGATION.read_text(encoding="utf-8"))["section"]
    result = [entry for section in sections for entry in place(section, "")]
    wrong += [f"{page} is in no section of tools/docs/navigation.toml" for page in known if page not in placed]
    return result, wrong
