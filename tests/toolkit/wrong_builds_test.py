#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a build of operators, and what is said: each case breaks a right project, and the words are those of
wrong_builds.txt. The right one is built before, so it is the twin of all."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from installation import COMMAND, TOOLKIT

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from older_table import OLDER, write  # noqa: E402

REPORTS = HERE / "wrong_builds.txt"
OPC = "opc Op.py --input_param={} --soc_version={} --output=out"


def replaced(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text, (path, old)
    path.write_text(text.replace(old, new), encoding="utf-8")


def described(folder, dtype="float16", op="AddOlder"):
    """The file that opc reads, in a build folder of the project."""
    out = folder / "build_out"
    out.mkdir(exist_ok=True)
    (out / "CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={folder}\n", encoding="utf-8")
    tensors = [{"name": n, "index": i, "dtype": dtype, "format": "ND"} for i, n in enumerate("xyz")]
    one = {"bin_filename": "AddOlder_0", "inputs": tensors[:2], "outputs": tensors[2:]}
    (out / "param.json").write_text(json.dumps({"op_type": op, "op_list": [one]}), encoding="utf-8")


def host_code(folder, old, new):
    replaced(folder / "op_host/add_older.cpp", old, new)


def kernel(folder, old, new):
    replaced(folder / "op_kernel/add_older.cpp", old, new)


def library(folder, source):
    """all.so of one source, linked as a project's is."""
    (folder / "own.cpp").write_text(source, encoding="utf-8")
    command = ["g++", "-std=c++11", "-shared", "-fPIC", "own.cpp", f"-I{TOOLKIT}/include", f"-L{TOOLKIT}/lib64"]
    subprocess.run([*command, "-lregister", "-o", "all.so"], cwd=folder, check=True)


OPERATOR = """#include "register/op_def_registry.h"
namespace ops {
class Alone : public OpDef { public: explicit Alone(const char* name) : OpDef(name) {} };
OP_ADD(Alone);
}
"""


def second(folder, text):
    """A second project beside the first, in one folder."""
    (folder / "both").mkdir()
    shutil.copytree(folder / "op_host", folder / "both/a/op_host")
    shutil.copytree(folder / "op_kernel", folder / "both/a/op_kernel")
    write(OLDER[1], folder / "both/b")
    source = folder / "both/b/op_host/mul_older.cpp"
    source.write_text(text + source.read_text(encoding="utf-8"), encoding="utf-8")


def package(folder):
    subprocess.run([COMMAND, "build-op", folder], check=True, capture_output=True)
    shutil.move(next(folder.glob("build_out/*.run")), folder / "package.run")


def kept(text):
    """Of a compiler's messages what it is told of: the rest differs with its version."""
    lines = text.splitlines(keepends=True)
    if not any(": error: " in line for line in lines):
        return text
    return re.sub(r"\(\S+ ended", "(c++ ended", lines[0]) + "".join(
        re.sub("[‘’]", "'", line.split("; did you")[0].rstrip("\n")) + "\n" for line in lines if ": error: " in line
    )


# What is wrong, what breaks the project, the command, its exit code.
CASES = [
    ("op_build without words", None, "op_build", 1),
    ("op_build with a library that is not there", None, "op_build none.so .", 1),
    ("op_build into a folder that is not there", lambda f: library(f, OPERATOR), "op_build all.so none", 1),
    ("op_build of a library without operators", lambda f: library(f, "int nothing;"), "op_build all.so .", 1),
    ("op_build of a source outside a project", lambda f: (shutil.rmtree(f / "op_kernel"), library(f, OPERATOR)),
     "op_build all.so .", 1),
    ("opc without the description", None, "opc Op.py --soc_version=Ascend910B1 --output=out", 1),
    ("opc with a description that is not there", None, OPC.format("none.json", "Ascend910B1"), 1),
    ("opc outside a build folder", lambda f: (f / "param.json").write_text('{"op_type": "AddOlder", "op_list": []}'),
     OPC.format("param.json", "Ascend910B1"), 1),
    ("opc of an operator that the project does not have", lambda f: described(f, op="SubOlder"),
     OPC.format("build_out/param.json", "Ascend910B1"), 1),
    ("opc of types that no combination has", lambda f: described(f, "int8"),
     OPC.format("build_out/param.json", "Ascend910B1"), 1),
    ("opc for a chip that is not in AddConfig", described, OPC.format("build_out/param.json", "Ascend310P3"), 1),
    ("opc for a chip that there is not", described, OPC.format("build_out/param.json", "Ascend960PR_9699"), 0),
    ("opc of a kernel that does not compile", lambda f: (described(f), kernel(f, "Add(z, x", "Adding(z, x")),
     OPC.format("build_out/param.json", "Ascend910B1"), 1),
    ("opc without the kernel's source", lambda f: (described(f), (f / "op_kernel/add_older.cpp").unlink()),
     OPC.format("build_out/param.json", "Ascend910B1"), 1),
    ("a folder without projects", lambda f: shutil.rmtree(f / "op_kernel"), "sfumato build-op .", 1),
    ("a unit that there is not", None, "sfumato build-op . -DASCEND_COMPUTE_UNIT=ascend960", 1),
    ("a unit that there is not beside one", None, "sfumato build-op . -DASCEND_COMPUTE_UNIT=ascend960;ascend910b", 0),
    ("a unit that is not in AddConfig", None, "sfumato build-op . -DASCEND_COMPUTE_UNIT=ascend310p", 1),
    ("a unit that is not in AddConfig beside one", None,
     "sfumato build-op . -DASCEND_COMPUTE_UNIT=ascend310p;ascend910b", 0),
    ("host code that does not compile", lambda f: host_code(f, "set_tile(64)", "set_tiles(64)"), "sfumato build-op .", 1),
    ("no OP_ADD", lambda f: host_code(f, "OP_ADD(AddOlder);", ""), "sfumato build-op .", 1),
    ("two projects, one of them refused", lambda f: second(f, '#include "opdev/op_def.h"\n'), "sfumato build-op both", 0),
    ("two projects, both right", lambda f: second(f, ""), "sfumato build-op both", 0),
    ("an option that the package does not have", package, "./package.run --instal-path=x", 1),
]  # fmt: skip


class WrongBuilds(unittest.TestCase):
    maxDiff = None

    def test_what_is_said(self):
        said = []
        with tempfile.TemporaryDirectory() as name:
            base = Path(name).resolve()
            environment = {k: v for k, v in os.environ.items() if not k.startswith(("SFUMATO_", "ASCEND"))}
            environment.update(XDG_DATA_HOME=str(base / "data"), SFUMATO_CACHE=str(base / "cache"))
            environment["PATH"] += f":{TOOLKIT}/tools/opbuild"
            for number, (what, breaks, command, code) in enumerate(CASES):
                folder = write(OLDER[0], base / str(number))
                if breaks:
                    breaks(folder)
                words = [str(COMMAND), "env", "--", *command.split()]
                done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, code, f"{what}\n{done.stdout}{done.stderr}")
                text = kept((done.stdout + done.stderr).replace(str(folder), "FOLDER").replace(str(base), "BASE"))
                said.append(f"=== {what}: {done.returncode}\n{text}")
        shown = re.sub(r"custom_opp_\w+\.run", "custom_opp.run", "".join(said))
        if os.environ.get("SFUMATO_REWRITE"):
            REPORTS.write_text(shown, encoding="utf-8")
        self.assertEqual(shown, REPORTS.read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
