# SPDX-License-Identifier: Apache-2.0
"""Markdown of the public C++ headers: each declaration with the comment above it, as the header has them."""

import re
from pathlib import Path
from posixpath import relpath

from pages import ROOT

INCLUDE = ROOT / "include"
# What embedders and host code of operators include; the headers of kernels are docs/instructions and docs/calls.
HEADERS = (
    *("launch", "jit", "report", "findings", "data_type", "op", "tik", "environment", "toolkit", "build"),
    *(f"op/{name}" for name in ("definition", "registration", "shape", "tensor", "attrs", "context")),
    *(f"op/{name}" for name in ("infer_context", "tiling_context", "platform_info", "types")),
)

_TYPE = re.compile(r"(?:template <.*?> (?=\w+ ))?(?:class|struct|union|enum(?: class| struct)?) (\w+)(?! \w)")
_NAMES = (
    _TYPE,
    re.compile(r"using (\w+)(?: =|;)"),
    re.compile(r"using [\w:]*::(\w+);"),
    re.compile(r"#define (\w+)"),
    re.compile(r".*?(operator\S+)\("),
    re.compile(r"(?:[^()]|<[^>]*>)*?[ *&](\w+)\((?!\))|.*[ *&](\w+)\(\)"),
    re.compile(r"[^({=]*?(\w+)(?:\[\w*\])?(?: =.*|\{.*)?;"),
)


def path_of(header: str) -> str:
    return f"reference/cpp/sfumato/{header}.h.md"


def pages() -> list[tuple[str, str]]:
    return [(path_of(header), page(header)) for header in HEADERS]


def page(header: str) -> str:
    text = (INCLUDE / "sfumato" / f"{header}.h").read_text(encoding="utf-8")
    intro = re.match(r"// SPDX[^\n]*\n((?://[^\n]*\n)+)", text)[1]
    where = str(Path(path_of(header)).parent)
    out = [
        f"# sfumato/{header}.h\n",
        _prose(intro.splitlines(), where),
        f'```cpp\n#include "sfumato/{header}.h"\n```\n',
    ]
    scope = ""
    for namespace, comment, code in declarations(text):
        if namespace != scope:
            out.append(f"## namespace {namespace} {{ .namespace }}\n")
            scope = namespace
        out.append(f"### {_heading(code)}\n")
        if comment:
            out.append(_prose(comment, where))
        out.append("```cpp\n" + "\n".join(code) + "\n```\n")
    return "\n".join(out)


def declarations(text: str):
    """(namespace, comment lines, code lines) of what the namespaces of a header declare, details left out."""
    scopes: list[str | None] = []  # None: hidden
    comment: list[str] = []
    code: list[str] = []
    lines = iter(text.splitlines())
    for line in lines:
        opened = re.match(r"(?:inline )?namespace ?([\w:]*) \{$", line)
        closed = re.match(r"\}\s*(// namespace|$)", line)
        if opened or closed or not line or line.startswith(("//", "#")):
            if code and scopes and None not in scopes:
                yield "::".join(scopes), comment, code
            if code or not line.startswith("//"):
                comment, code = [], []
        if opened:
            scopes.append(None if opened[1] in ("detail", "internal", "") else opened[1])
        elif closed:
            scopes.pop()
        elif line.startswith("//"):
            comment.append(line)
        elif line.startswith("#"):
            while line.endswith("\\"):  # a macro is not of a namespace
                line = next(lines)
        elif line:
            code += _public(_declaration(line, lines))


def _declaration(line: str, lines) -> list[str]:
    """The lines of the declaration that begins with this one."""
    taken, depth = [], 0
    while line is not None:
        taken.append(line)
        bare = re.sub(r"//.*|\"(?:\\.|[^\"])*\"|'(?:\\.|[^'])'", "", line)
        depth += bare.count("{") + bare.count("(") - bare.count("}") - bare.count(")")
        if depth <= 0 and re.search(r"[;}]\s*$", bare):
            break
        line = next(lines, None)
    return taken


def _public(code: list[str]) -> list[str]:
    """Without export macros, private members, forward declarations and bodies."""
    joined = " ".join(code)
    if re.match(r"(template <.*> )?(class|struct) \w+;", joined):
        return []
    if not _TYPE.match(joined.replace("SFUMATO_API ", "")):
        return _head(code)
    kept: list[str] = []
    lines = iter(code[1:] if len(code) > 1 else [])
    visible = True
    for line in lines:
        if match := re.match(r"(public|private|protected):", line):
            visible = match[1] == "public"
        if line.startswith("}"):
            visible = True
        if not line.startswith("    ") or line.lstrip().startswith("//"):
            member = [line]
        elif re.match(r" {4}(class|struct|union|enum)\b.*\{$", line):  # a type within: as it is
            member = [line]
            while not member[-1].startswith("    }"):
                member.append(next(lines))
        elif joined.startswith("enum"):
            member = [line]
        else:
            member = _head(_declaration(line, lines))
        if visible and not re.search(r"\bImpl\b|^    friend ", member[0]):
            kept += member
    while len(kept) > 1 and not kept[-2]:
        del kept[-2]
    return [code[0].replace("SFUMATO_API ", ""), *kept]


def _head(code: list[str]) -> list[str]:
    """A declaration without its body; the lines after the first keep their place under it."""
    if "SFUMATO_API " in code[0]:
        gone = len("SFUMATO_API ")
        code = [code[0].replace("SFUMATO_API ", ""), *(re.sub(rf"^ {{1,{gone}}}", "", line) for line in code[1:])]
    text = "\n".join(code)
    depth = 0
    for at, character in enumerate(text):
        depth += (character in "(") - (character in ")")
        if depth or character not in "{:" or "(" not in text[:at] or text[at - 1 : at + 2].count(":") > 1:
            continue
        if re.search(r"\)\s*(const|noexcept|override|\s)*$", text[:at]):
            return (text[:at].rstrip() + ";").splitlines()
    return code


def _heading(code: list[str]) -> str:
    names: list[str] = []
    template = ""
    for line in code:
        if line.startswith("template") and not line.endswith(";"):
            template = line
            continue
        if line.startswith((" ", "}", "public", ")")) or not line:
            continue
        for pattern in _NAMES:
            if match := pattern.match(line):
                name = next(group for group in match.groups() if group)
                names += [name] * (name not in names)
                break
    more = ", ..." if len(names) > 6 else ""
    return (", ".join(names[:6]) + more) or template or code[0]


def _prose(comment: list[str], where: str) -> str:
    text = "\n".join(re.sub(r"^// ?", "", line) for line in comment)
    text = "".join(
        part if part.startswith("`") else re.sub(r"([<>*_\[\]|])", r"\\\1", part)
        for part in re.split(r"(`[^`]*`)", text)
    )
    text = re.sub(r"\b(docs/[\w/\\-]+\.md)", lambda m: _link(m[1].replace("\\", ""), where), text)
    return (
        re.sub(r"(?<![\w/\[])(\w+\.md)(?= \"?[\dA-Z])", lambda m: _link("docs/spec/" + m[1], where, m[1]), text) + "\n"
    )


def _link(target: str, where: str, words: str = "") -> str:
    return f"[{words or target}]({relpath(target, where)})" if (ROOT / target).exists() else words or target
