# SPDX-License-Identifier: Apache-2.0
"""What the site's search finds besides the headings of pages: rules by their ids and TIK calls by their names, in the rows of
their tables. The name of a rule, an instruction or a call leads to its own place before those whose names begin with it."""

import json
import re
from pathlib import Path

import pages

TABLES = ("docs/reports.md", "docs/tik-reference.md")  # whose rows begin with the names they are about
_ROW = re.compile(r"^\| (`[\w-]+`|\[\w+\]\(instructions/[^|]*?) \| (.*)$", re.MULTILINE)
_NAME = re.compile(r"`([\w-]+)`|\[(\w+)\]|, (\w+)")
_NAMED = re.compile(r"docs/(?:instructions|calls)/\w+\.html")
# How much more than other headings a name counts: of a page and of a row; where the search finds it by shorter names, less
# for each; where longer words begin with it, more for each. Tried with the search itself on every name (tests/project).
_PAGE, _ROW_OF = 4.0, 6.5
_SHORTER_PAGE, _SHORTER_ROW = 0.55, 0.85
_LONGER, _MOST_LONGER = 0.1, 10


def _names(cell: str) -> list[str]:
    return ["".join(groups) for groups in _NAME.findall(re.sub(r"\]\([^)]*\)", "]", cell))]


def anchored(markdown: str) -> str:
    """A table with a place for each name, to which reports link."""

    def row(match):
        places = "".join(f'<a id="{name}"></a>' for name in _names(match[1]))
        return f"| {places}{match[1]} | {match[2]}"

    return _ROW.sub(row, markdown)


def _rows(page: str) -> list[dict]:
    """An entry of the index for each name of a page's tables."""
    text = (pages.ROOT / page).read_text(encoding="utf-8")
    place = page.removesuffix(".md") + ".html"
    return [
        {"location": f"{place}#{name}", "title": name, "text": match[2].split(" | ")[1]}
        for match in _ROW.finditer(text)
        for name in _names(match[1])
    ]


def _is_in(name: str, other: str) -> bool:
    """Whether the search finds the other by this name."""
    return name != other and all(any(inner.startswith(word) for inner in other.split("-")) for word in name.split("-"))


def _weigh(named: list[dict], own: float, shorter: float, words: set[str]) -> None:
    names = {entry["title"].lower() for entry in named}
    for entry in named:
        name = entry["title"].lower()
        longer = sum(word.startswith(name) and word != name for word in words)
        weight = own * shorter ** sum(_is_in(other, name) for other in names)
        entry["boost"] = weight * (1 + _LONGER * min(longer, _MOST_LONGER))


def extend(index_file: Path) -> None:
    """Adds to the index that MkDocs has written."""
    index = json.loads(index_file.read_text(encoding="utf-8"))
    named = [entry for entry in index["docs"] if _NAMED.fullmatch(entry["location"])]
    tables = [_rows(page) for page in TABLES]
    words = {word for kind in (named, *tables) for entry in kind for word in entry["title"].lower().split("-")}
    _weigh(named, _PAGE, _SHORTER_PAGE, words)
    for rows in tables:
        _weigh(rows, _ROW_OF, _SHORTER_ROW, words)
        index["docs"] += rows
    index_file.write_text(json.dumps(index, sort_keys=True, separators=(",", ":")), encoding="utf-8")
