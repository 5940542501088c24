# SPDX-License-Identifier: Apache-2.0
"""Docstrings as Markdown: their aligned lists of parameters become lists, paragraphs of Python code blocks.

The native module's are where it is bound: the last string of a binding in python/src.
"""

import ast
import re
from functools import cache
from pathlib import Path

import griffe

_SOURCES = Path(__file__).resolve().parents[2] / "python" / "src"
_BINDING = re.compile(
    r"nb::class_<[^;]*?>\(m, \"(?P<type>\w+)\"|\bm\.def\(\"(?P<function>\w+)\"|\.def\w*\(\s*\"(?P<member>\w+)\""
)
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[()]')
_LAST_TEXT = re.compile(r',\s*((?:"(?:\\.|[^"\\])*"\s*)+)$')

_ITEM = re.compile(r"^(\w[\w*, ]*?) {2,}(\S.*)$")


@cache
def native() -> dict[str, str]:
    """What the bindings say of "Report", "Report.rule", "chips"."""
    said = {}
    for file in sorted(_SOURCES.glob("*.cpp")):
        text, owner = file.read_text(encoding="utf-8"), ""
        for match in _BINDING.finditer(text):
            owner = match["type"] or ("" if match["function"] else owner)
            name = match["type"] or match["function"] or f"{owner}.{match['member']}"
            depth, end = 1, match.end()
            while depth:
                token = _TOKEN.search(text, end)
                depth += {"(": 1, ")": -1}.get(token[0], 0)
                end = token.end()
            if last := _LAST_TEXT.search(text, match.end(), end - 1):
                said[name] = "".join(ast.literal_eval(part) for part in re.findall(r'"(?:\\.|[^"\\])*"', last[1]))
    return said


def markdown(text: str) -> str:
    return "\n\n".join(_paragraph(p) for p in re.split(r"\n{2,}", text.strip("\n")))


def _paragraph(text: str) -> str:
    if _is_code(text):
        return f"```python\n{text}\n```"
    out: list[str] = []
    for line in text.splitlines():
        item = _ITEM.match(line)
        if item:
            if out and not out[-1].startswith(("- ", "  ")):
                out.append("")
            out.append(f"- `{item[1]}`: {_plain(item[2])}")
        elif out and out[-1].startswith(("- ", "  ")) and line.startswith("    "):
            out.append("  " + _plain(line.strip()))
        else:
            out.append(line if line.startswith("    ") else _plain(line))
    return "\n".join(out)


def _is_code(text: str) -> bool:
    try:
        return any(isinstance(node, ast.Call) for node in ast.walk(ast.parse(text)))
    except SyntaxError:
        return False


def _plain(line: str) -> str:
    parts = re.split(r"(`[^`]*`)", line)
    return "".join(p if p.startswith("`") else re.sub(r"([<>*_\[\]|])", r"\\\1", p) for p in parts)


class Docstrings(griffe.Extension):
    def on_object(self, *, obj: griffe.Object, **kwargs) -> None:
        _, inside, name = obj.path.partition("._native.")
        if inside and not obj.docstring and name in native():
            obj.docstring = griffe.Docstring(native()[name], parent=obj)
        if obj.docstring:
            obj.docstring.value = markdown(obj.docstring.value)

    def on_package(self, *, pkg: griffe.Module, **kwargs) -> None:
        self.on_object(obj=pkg)
