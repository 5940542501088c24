# SPDX-License-Identifier: Apache-2.0
"""What an installation must hold, read from source and build tree before they are hidden, for tests/project/headers_test.py."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

# Folder of the source tree, the suffixes or names taken, and where they are below the prefix.
COPIES = (
    ("include", "*", "include/sfumato"),
    ("python/sfumato", "*", "lib/python*/site-packages/sfumato"),
    ("python/sfumato_pytest", "*.py", "lib/python*/site-packages/sfumato_pytest"),
    ("python/torch_npu", "*.[ph][py]*", "share/sfumato/ascend/python/torch_npu"),
    ("tools/gdb", "*.py", "share/sfumato/gdb"),
    ("cmake", "Sfumato*.cmake", "lib/cmake/Sfumato"),
    ("cmake/asc", "*", "lib/cmake/Sfumato/asc"),
    ("tools/sfumato/man", "*", "share/man/man1"),
)

# What headers give that declare by macros.
MADE = {
    "acl/refused.h": "::aclmdlLoadFromFile",
    "sfumato/ascendc/calls/elementwise.h": "::AscendC::Add",
    "kernel_operator.h": "::AscendC::LocalTensor",  # its last include is for chips with registers alone
    "sfumato/libc/unistd.h": "::getpid",
    "sfumato/process.h": "::exit",
    "sfumato/tiling/vector_tiling.h": "::AscendC::tiling::SoftMaxTiling",
}


def declared(text: str) -> tuple[str | None, list[str]]:
    """The first name that a header declares, qualified, or #NAME of a macro; and what it includes of ours."""
    macro, includes, scopes = None, [], []
    for line in re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL).splitlines():
        line = line.split("//")[0].rstrip()
        if found := re.match(r"(?:inline )?namespace ([\w:]*) ?\{", line):
            scopes.append(found[1])
        elif line == "}" and scopes:
            scopes.pop()
        elif found := re.match(r"#\s*define (\w+)", line):
            macro = macro or f"#{found[1]}"
        elif found := re.match(r'#\s*include "([^"]+)"', line):
            includes.append(found[1])
        elif "" not in scopes and (name := declared_by(line)):
            return "::".join(["", *scopes, name]), includes
    return macro, includes


def declared_by(line: str) -> str | None:
    """The name that a line at the margin declares."""
    for pattern in (
        r"(?:template <.*> )?(?:class|struct|union|enum class|enum struct|enum)\s+(?:SFUMATO_API )?(?!SFUMATO_API)(\w+)(?! *;)\b",
        r"using (\w+) =",
        r"(?:inline |static |extern )*constexpr [\w:<>, ]+ (\w+)(?:\[\w*\])? ?[={]",
        r"(?!return|#|typedef|static_assert|__attribute__)\w[\w:<>,\*& ]* [\*&]?(?!operator|static_assert|__attribute__)(\w+)\(",
    ):
        if found := re.match(pattern, line):
            return found[1]
    return None


# What gives way to a header of the same name that the path has next.
NEXT = re.compile(r"#if .*__has_include_next.*\n#define .*\n#include_next .*\n#undef .*\n#else\n(.*\n)#endif\n")


def manifest(source: Path, build: Path) -> dict:
    """files: path below the prefix -> SHA-256. headers: path of an include -> the name it gives or leads to. forwarders: of
    a header that does nothing but include another, which."""
    files, headers, forwarders = {}, {}, {}
    roots = [(source / folder, pattern, to) for folder, pattern, to in COPIES]
    roots += [(build / "generated", "*.[hi]*", "include/sfumato"), (build / "docs", "*.md", "share/doc/sfumato")]
    for root, pattern, to in roots:
        for path in sorted(root.rglob(pattern)):
            if path.is_dir() or path.suffix in (".in", ".pyc"):
                continue
            name = path.relative_to(root).as_posix()
            target = f"{to}/{name}"
            if target in files:
                raise SystemExit(f"two files are installed as {target}; one is {path}")
            files[target] = hashlib.sha256(path.read_bytes()).hexdigest()
            if to == "include/sfumato" and path.suffix == ".h":
                text = NEXT.sub(r"\1", path.read_text(encoding="utf-8"))
                found, includes = declared(text)
                headers[name] = MADE.get(name, found)
                if not headers[name] and includes:
                    headers[name] = f"<{includes[-1]}>"
                    if len(includes) == 1 and re.fullmatch(r'(//.*\n|\n|#pragma once\n|#include "[^"]+".*\n)+', text):
                        forwarders[name] = includes[-1]

    def given(name: str) -> str | None:
        return given(headers[name][1:-1]) if (headers[name] or "").startswith("<") else headers[name]

    return {"files": files, "headers": {name: given(name) for name in headers}, "forwarders": forwarders}
