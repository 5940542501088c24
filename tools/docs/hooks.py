# SPDX-License-Identifier: Apache-2.0
"""The hooks of MkDocs: pages come from the repository as it stands, sources that they link to become pages, too."""

import sys
from pathlib import Path, PurePosixPath

sys.path.insert(0, str(Path(__file__).parent))

import cpp_reference
import jieba
import pages
import search
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, InclusionLevel

_LANGUAGES = {".cpp": "cpp", ".h": "cpp", ".inc": "cpp", ".py": "python", ".toml": "toml", ".json": "json", ".sh": "sh"}
_MEDIA = (".svg", ".png", ".jpg")
_CHINESE = "README.zh.md"


def on_config(config):
    # A word list in memory for the Chinese index; its cache stays with the build.
    jieba.setLogLevel("WARNING")
    jieba.dt.tmp_dir = str(Path(config.site_dir).parent)
    config.theme.static_templates.discard("404.html")  # the server's own: ours would have links from its root

    def entries(section):
        return [{name: entries(inner) if isinstance(inner, list) else inner} for name, inner in section]

    config.nav = entries([section for section in pages.navigation()[0] if section[1]])
    config.watch.extend(str(pages.ROOT / name) for name in ("docs", "examples", "include", "python", "README.md"))
    return config


def _source_page(path: str) -> str:
    file = pages.ROOT / path
    head = f"---\nsearch:\n  exclude: true\n---\n# {path}\n\n"
    if file.is_dir():
        inner = sorted(p for p in pages.tracked() if str(PurePosixPath(p).parent) == path)
        return head + "\n".join(f"- `{PurePosixPath(p).name}`" for p in inner) + "\n"
    return f"{head}~~~~~~ {_LANGUAGES.get(file.suffix, 'text')}\n{file.read_text(encoding='utf-8').rstrip()}\n~~~~~~\n"


def _on_site(target: str) -> str:
    """Where the site has a file of the repository."""
    if target.endswith((".md", *_MEDIA)):
        return target
    if (pages.ROOT / target / "README.md").is_file():
        return f"{target}/README.md"
    return f"{target}.md"


def on_files(files, config):
    known = pages.pages()
    for page in known:
        files.append(File.generated(config, page, abs_src_path=str(pages.source(page))))
    linked = {link.target for page in known for link in pages.links(page) if link.target}
    for target in sorted(linked):
        place = _on_site(target)
        if place in known:
            continue
        if target.endswith(_MEDIA):
            files.append(File.generated(config, target, abs_src_path=str(pages.ROOT / target)))
        else:
            files.append(
                File.generated(config, place, content=_source_page(target), inclusion=InclusionLevel.NOT_IN_NAV)
            )
    for path, content in [("reference/python.md", _python_page()), *cpp_reference.pages()]:
        files.append(File.generated(config, path, content=content))
    return files


def _python_page() -> str:
    text = "# Python\n\n"
    for module in ("sfumato", "sfumato.reports", "sfumato.tiling", "sfumato.tik"):
        text += f"::: {module}\n\n"
    return text


def on_page_markdown(markdown, page, **_):
    """Links to sources go to their pages, those to the row of an index to the page of that row."""
    path = page.file.src_uri
    built = {name.lower(): name for name in pages.pages() if pages.is_built(name)}
    if path in search.TABLES:
        markdown = search.anchored(markdown)
    for link in reversed(pages.links(path, markdown)):
        place = _on_site(link.target) if link.target else ""
        place = built.get(f"{PurePosixPath(link.target).parent}/{link.anchor}.md", place)
        if place and place != link.target:
            ups = len(PurePosixPath(path).parent.parts)
            end = link.begin + len(link.text)
            markdown = markdown[: link.begin] + "../" * ups + place + markdown[end:]
    return markdown


def _twin(path: str, known) -> str:
    """The page in the other language, or its front page."""
    if path == _CHINESE:
        return "README.md"
    if path.startswith("docs/zh/"):
        twin, front = "docs/" + path.removeprefix("docs/zh/"), "README.md"
    else:
        twin, front = "docs/zh/" + path.removeprefix("docs/"), _CHINESE
    return twin if twin in known and path.startswith("docs/") else front


def on_page_context(context, page, config, nav):
    path = page.file.src_uri
    known = pages.pages()
    if not any(entry.children for entry in page.toc):
        page.meta["hide"] = ["toc"]  # its room goes to the tables
    chinese = path == _CHINESE or path.startswith("docs/zh/")
    config.theme["language"] = "zh" if chinese else "en"
    if _CHINESE in known:
        other = _twin(path, known).removesuffix(".md") + ".html"
        other = "index.html" if other == "README.html" else other.replace("/README.html", "/index.html")
        here = page.file.dest_uri
        english, translated = (other, here) if chinese else (here, other)
        config.extra["alternate"] = [
            {"name": "English", "link": english, "lang": "en"},
            {"name": "中文", "link": translated, "lang": "zh"},
        ]
    return context


def on_post_page(output, page, config):
    """The offline plugin's script from another host becomes our own."""
    up = "../" * (len(PurePosixPath(page.file.dest_uri).parts) - 1)
    return output.replace("https://unpkg.com/iframe-worker/shim", f"{up}local-worker.js")


@event_priority(-50)  # behind the plugin that writes the index, before that which packs it for the disk
def on_post_build(config):
    search.extend(Path(config.site_dir) / "search" / "search_index.json")
