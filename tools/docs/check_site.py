# SPDX-License-Identifier: Apache-2.0
"""Checks the built site: every link and anchor leads somewhere, and nothing is loaded from another host. Links to
other hosts are listed, not tried."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Attributes by which a browser loads something by itself.
_LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href", "video": "src"}
_NOT_LOADED = {"canonical", "next", "prev", "alternate"}


class _Page(HTMLParser):
    def __init__(self, text: str):
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.ids |= {values[name] for name in ("id", "name") if values.get(name)}
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        attribute = values.get(_LOADED.get(tag, ""))
        if attribute and not (tag == "link" and _NOT_LOADED & set(values.get("rel", "").split())):
            self.loads.append(attribute)


def check(site: Path) -> tuple[list[str], dict[str, int], list[str]]:
    """What is wrong, counts, and the links to other hosts."""
    pages = {file: _Page(file.read_text(encoding="utf-8")) for file in sorted(site.rglob("*.html"))}
    wrong: list[str] = []
    others: set[str] = set()
    counts = {"pages": len(pages), "links": 0, "anchors": 0, "resources": 0}

    def target(file: Path, url: str) -> Path:
        path = unquote(urlsplit(url).path)
        found = (file.parent / path).resolve() if path else file
        return found / "index.html" if found.is_dir() else found

    for file, page in pages.items():
        name = file.relative_to(site)
        for url in page.loads:
            counts["resources"] += 1
            if urlsplit(url).scheme not in ("", "data") or url.startswith("//"):
                wrong.append(f"{name} loads {url}")
            elif not url.startswith("data:") and not target(file, url).is_file():
                wrong.append(f"{name} loads {url}, which is not there")
        for url in page.links:
            if urlsplit(url).scheme:
                others.add(url)
                continue
            counts["links"] += 1
            goal, anchor = target(file, url), unquote(urlsplit(url).fragment)
            if not goal.is_file():
                wrong.append(f"{name} links {url}, which is not there")
            elif anchor and goal in pages:
                counts["anchors"] += 1
                if anchor not in pages[goal].ids:
                    wrong.append(f"{name} links {url}: no such heading")
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        if "url(http" in text or "@import" in text:
            wrong.append(f"{sheet.relative_to(site)} loads from another host")
    return wrong, counts, sorted(others)
