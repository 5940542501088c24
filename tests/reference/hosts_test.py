#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""C++ hosts that call reference operators, whose results are marked; an operator of the user's own takes their place."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from calls import library, table
from installation import COMMAND, CXX, TOOLKIT
from raised import keep, raised

HERE = Path(__file__).resolve().parent
LIBRARIES = ["-lopapi", "-lnnopbase", "-lascendcl"]


class Hosts(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name).resolve()
        cls.environment = {k: v for k, v in os.environ.items() if not k.startswith(("SFUMATO_", "ASCEND"))}
        cls.environment.update(XDG_DATA_HOME=str(cls.folder / "data"), SFUMATO_CACHE=str(cls.folder / "cache"))

    def run_it(self, *command, **env):
        words = [str(word) for word in (COMMAND, "env", "--chip", "Ascend910B1", "--", *command)]
        environment = {**self.environment, **env}
        done = subprocess.run(words, cwd=self.folder, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def build(self, name, *options):
        command = [CXX, HERE / "host.cpp", f"-I{TOOLKIT}/include", *options, f"-L{TOOLKIT}/lib64", "-o", name]
        done = subprocess.run([str(word) for word in command], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.folder / name

    def test_results_and_their_mark(self):
        host = self.build("host", *LIBRARIES)
        done = self.run_it(host, SFUMATO_OPTIONS="json=findings.json")
        self.assertEqual(done.stdout, "matmul: 6 0 10 0\n")
        marks = "".join(MARK.format(name) for name in ("aclnnAdds", "aclnnRelu", "aclnnMatmul"))
        self.assertEqual(done.stderr, marks)
        found = json.loads((self.folder / "findings.json").read_text())
        self.assertTrue(found["ok"])
        told = [(f["rule"], f["severity"], f["instruction"]) for f in found["findings"]]
        self.assertEqual(told, [("reference-operator", "note", n) for n in ("aclnnAdds", "aclnnRelu", "aclnnMatmul")])
        raised("reference-operator")
        # Of a process once, however often it is called.
        done = self.run_it(host, "again")
        self.assertEqual(done.stdout, "once: 3 0 5 -2\nagain: 4 2 2 4\nmatmul: 8 4 4 8\n")
        self.assertEqual(done.stderr.count("aclnnAdds"), 1)

    def test_streams(self):
        host = self.build("streams", *LIBRARIES)
        done = self.run_it(host, "streams", SFUMATO_OPTIONS="streams=check,strict=1")
        shown = re.sub(r"stream \d|#\d", lambda m: m[0][:-1] + "N", done.stdout)
        self.assertEqual(shown.split("matmul")[0], RACE)

    def test_an_operator_of_the_users_own(self):
        shutil.copytree(HERE / "own", self.folder / "own")
        self.run_it("sfumato", "build-op", "own", "-Dvendor_name=mine")
        (package,) = self.folder.glob("own/build_out/custom_opp_*.run")
        self.run_it(package, "--quiet")
        api = self.folder / "data/sfumato/opp/vendors/mine/op_api"
        host = self.build("mixed", f"-L{api}/lib", "-lcust_opapi", *LIBRARIES)
        done = self.run_it(host, LD_LIBRARY_PATH=f"{api}/lib")
        self.assertEqual(done.stdout, "matmul: 2006 2000 2010 2000\n")
        marks = [MARK.format(name) for name in ("aclnnAdds", "aclnnMatmul")]
        self.assertEqual(done.stderr, "".join(marks))

    def test_an_operator_that_is_not_here(self):
        # What our driver says below the words of the compiler and the linker; those of another name the operator.
        for text, name in UNKNOWN:
            (self.folder / "unknown.cpp").write_text(text + "\n")
            for compiler, note in (("bisheng", f"sfumato: note: {name}: {REGISTER}\n"), (CXX, "")):
                words = f"{compiler} unknown.cpp -I{TOOLKIT}/include -L{TOOLKIT}/lib64 {' '.join(LIBRARIES)} -o unknown"
                done = subprocess.run(
                    [str(COMMAND), "env", "--", *words.split()],
                    cwd=self.folder, env=self.environment, capture_output=True, text=True,
                )  # fmt: skip
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(name, done.stderr)
                self.assertEqual("".join(re.findall("sfumato: note: .*\n", done.stderr)), note)
        self.assertFalse(hasattr(library(), "aclnnConvolutionGetWorkspaceSize"))

    def test_every_header_by_itself(self):
        # Each is C too, and declares what the library has.
        headers = sorted((TOOLKIT / "include/aclnnop").glob("aclnn_*.h"))
        names = {n for h in headers for n in re.findall(r"aclnnStatus (aclnn\w+)\(void\* workspace", h.read_text())}
        self.assertEqual(names, set(table()))
        source = self.folder / "every.c"
        source.write_text("".join(f'#include "aclnnop/{h.name}"\n' for h in headers) + USES.format(
            ", ".join(f"(function){n}, (function){n}GetWorkspaceSize" for n in sorted(names))))  # fmt: skip
        command = [CXX, "-x", "c", "-Wall", "-Werror", source, f"-I{TOOLKIT}/include", f"-L{TOOLKIT}/lib64", *LIBRARIES]
        done = subprocess.run([*map(str, command), "-o", "every"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.run_it(self.folder / "every")


MARK = (
    "note [reference-operator] {}: the result is reference, not the board's bits\n"
    "  do:     register an operator of your own with this name to compare bits\n"
)
UNKNOWN = (
    ('#include "aclnnop/aclnn_convolution.h"\nint main() {}', "aclnnop/aclnn_convolution.h"),
    (
        '#include "aclnnop/aclnn_add.h"\n'
        "int main() { aclOpExecutor* e; uint64_t s; return aclnnConvolutionGetWorkspaceSize(nullptr, &s, &e); }",
        "aclnnConvolution",
    ),
    (
        'extern "C" int aclnnConvolution(void*, unsigned long, void*, void*);\n'
        "int main() { return aclnnConvolution(nullptr, 0, nullptr, nullptr); }",
        "aclnnConvolution",
    ),
)
REGISTER = (
    "libopapi and aclnnop/ have the operators of reference-operators.md alone; register another as a project with its "
    "name: its package, by sfumato build-op, has the header aclnn_<op>.h and the functions"
)
USES = "typedef void (*function)(void);\nstatic const function all[] = {{{}}};\nint main(void) {{ return !all[0]; }}\n"
RACE = "".join(
    f"{call}: 361001\n"
    f"fault [stream-race] {reader}: reads bytes of the device that stream N writes, and nothing orders the two\n"
    f"  found:  bytes 0..16 of 'aclrtMalloc #N', on stream N; {writer} writes them, on stream N\n"
    "  legal:  work of one stream, or with an event or a call that synchronises between\n"
    "  do:     aclrtRecordEvent behind the one, aclrtStreamWaitEvent before the other\n"
    for call, reader, writer in (
        ('aclnnRelu(nullptr, size, executor, std::strcmp(mode, "streams") ? stream : other)', "aclnnRelu", "aclnnAdds"),
        ("aclnnMatmul(nullptr, size, executor, stream)", "aclnnMatmul", "aclnnRelu"),
    )
)

if __name__ == "__main__":
    keep("reference_hosts_test")
    unittest.main()
