#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The arrows of the architecture, read from the #include lines. Standard library only; also a pre-commit hook."""

import functools
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CALLS = ROOT / "src/frontends/ascendc/calls"

# A folder of src/ and the folders whose headers it may include besides its own.
USES = {
    "report": "",
    "system": "",
    "numeric": "",
    "isa": "numeric",
    "exec": "isa numeric",
    "soc": "isa numeric",
    "check": "report soc isa numeric",
    "events": "report isa numeric",
    "trace": "events report soc isa numeric",
    "timing": "events trace soc isa numeric",
    "sanitize": "events report system exec soc isa numeric",
    "runtime": "events report system trace timing sanitize check exec soc isa numeric",
    "frontends": "report tiling runtime check soc isa numeric",
    "tiling": "report soc isa numeric",
    "host": "report system tiling frontends runtime soc isa numeric",
    "jit": "report system runtime sanitize exec soc isa numeric",
    "op": "report system tiling runtime sanitize host jit soc isa numeric",
    "reference": "report",
    "aclnn": "report reference op jit host runtime soc isa numeric",
    "toolkit": "report op jit soc isa numeric",
}
# Public headers belong to the layer that implements them; the others are words every layer shares.
PUBLIC_OWNERS = {
    "sfumato/launch.h": "runtime",
    "sfumato/estimate.h": "timing",
    "sfumato/jit.h": "jit",
    "sfumato/code_calls.h": "runtime",
    "sfumato/raw_callbacks.h": "runtime",
    "sfumato/throw_site.h": "runtime",
    "sfumato/kernel_entry.h": "jit",
    "sfumato/environment.h": "jit",
    "sfumato/ascendc/": "frontends",
    "kernel_operator.h": "frontends",
    "sfumato/tik.h": "frontends",
    "sfumato/op.h": "op",
    "tikicpulib.h": "host",
    "cpu_debug_launch.h": "host",
    "sfumato/host/": "host",
    "acl/": "host",
    "aclnn/": "aclnn",
    "sfumato/host/aclnn.h": "aclnn",
    "tiling/tiling_api.h": "host",
    "sfumato/build.h": "jit",
    "sfumato/toolkit.h": "toolkit",
    "sfumato/process.h": "frontends",
    "sfumato/process_end.h": "frontends",
}
# The numbers of the events: the front end's names for them are the ones reports use.
# The table of elementwise calls: their temporaries are what tiling functions tell.
SHARED = {"sfumato/ascendc/hard_event.h", "sfumato/ascendc/adv/elementwise.inc"}
# A library and the only folders that may include its headers.
ONLY_IN = {
    "hwy/": ["src/exec", "tests/exec", "bench"],
    "zlib.h": ["src/trace"],
    "boost/context/": ["src/runtime"],
    "boost/multiprecision/": ["src/numeric"],
    "nanobind/": ["python"],
    "Python.h": ["python"],
    "gtest/": ["tests"],
    "mpfr.h": ["tests"],
    "CLI/": ["tools"],
    "toml++/": ["src/soc", "tools/tablegen", "tests"],
}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


@functools.cache
def includes(path: Path):
    """(line number, header) of every #include in a file."""
    text = path.read_text(encoding="utf-8")
    return [(text.count("\n", 0, match.start(1)) + 1, match.group(1)) for match in INCLUDE.finditer(text)]


def sources(folder: str):
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix in {".h", ".cpp", ".inc"} and path.is_file():
            yield path


def owner(header: str):
    """The layer a header belongs to, or None."""
    if header in SHARED:
        return None
    for prefix, layer in PUBLIC_OWNERS.items():
        if header == prefix or (prefix.endswith("/") and header.startswith(prefix)):
            return layer
    first = header.split("/")[0]
    return first if first in USES else None


def reached(path: Path, seen=None):
    """The headers of src/ that a file includes, directly or through others."""
    seen = {} if seen is None else seen
    for _, header in includes(path):
        found = ROOT / "src" / header
        if header not in seen and found.is_file():
            seen[header] = path
            reached(found, seen)
    return seen


# A layer whose headers another must not even see through the layers between them.
HIDDEN = {"frontends": "exec", "isa": "exec", "check": "exec"}


def violations():
    def at(path, line):
        return f"{path.relative_to(ROOT)}:{line}"

    for layer, used in USES.items():
        for path in sources(f"src/{layer}"):
            for line, header in includes(path):
                target = owner(header)
                if target not in (None, layer, *used.split()):
                    yield f"{at(path, line)}: {layer} may not include {header} of {target}; it may use: {used or 'nothing'}"
    for layer, hidden in HIDDEN.items():
        for path in sources(f"src/{layer}"):
            for header, through in reached(path).items():
                if owner(header) == hidden:
                    yield f"{path.relative_to(ROOT)}: {layer} gets {header} through {through.relative_to(ROOT)}"
    for path in sources("include"):
        for line, header in includes(path):
            system = "/" not in header and not header.endswith(".h")
            generated = {f"sfumato/ascendc/{name}" for name in ("cast_pairs.h", "rows.inc", "memory_sizes.h")}
            generated |= {f"sfumato/ascendc/calls/{table.stem}.h" for table in CALLS.glob("*.txt")}
            generated.add("sfumato/tiling/vector_tiling.inc")
            own = (ROOT / "include" / header).exists() or header in generated
            c = header in {"dlfcn.h", "pthread.h", "stdbool.h", "stddef.h", "stdint.h", "unistd.h"}
            if not (system or own or c):
                yield f"{at(path, line)}: a public header includes only the standard library and other public headers, not {header}"
    for path in sources("tests/oracle"):
        for line, header in includes(path):
            if owner(header) in ("exec", "numeric"):
                yield f"{at(path, line)}: an oracle is independent of exec and numeric, so it may not include {header}"
    for folder in ("src", "include", "tools", "python", "tests", "bench"):
        for path in sources(folder):
            for line, header in includes(path):
                for prefix, legal in ONLY_IN.items():
                    place = path.relative_to(ROOT).as_posix()
                    if header.startswith(prefix) and not any(place.startswith(f"{dir}/") for dir in legal):
                        yield f"{at(path, line)}: {header} is for {', '.join(legal)} only"


class IncludeArrows(unittest.TestCase):
    def test_arrows(self):
        self.assertEqual([], list(violations()))

    def test_every_layer_is_listed(self):
        folders = {path.name for path in (ROOT / "src").iterdir() if path.is_dir()}
        self.assertEqual(folders, set(USES))


if __name__ == "__main__":
    sys.exit(unittest.main())
