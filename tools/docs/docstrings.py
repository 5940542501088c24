# SPDX-License-Identifier: Apache-2.0
"""Docstrings as Markdown: their aligned lists of parameters become lists, paragraphs of Python code blocks."""

import ast
import re

import griffe

_ITEM = re.compile(r"^(\w[\w*, ]*?) {2,}(\S.*)$")


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
        if obj.docstring:
            obj.docstring.value = markdown(obj.docstring.value)

    def on_package(self, *, pkg: griffe.Module, **kwargs) -> None:
        self.on_object(obj=pkg)
