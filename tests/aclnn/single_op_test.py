#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Operators of a package by their names: single_op_caller.cpp, at the standards and with the compilers of public callers."""

import os
import re
import subprocess
import unittest

from installation import CXX, TOOLKIT
from packages import HERE, Packages
from raised import keep, raised

REFUSED = {  # a call, and the words of the compiler's error
    "aclmdlDesc* d = aclmdlCreateDesc(); return d != nullptr;": "models (files of atc) are not supported",
    'uint32_t id; return aclmdlLoadFromFile("a.om", &id);': "models (files of atc) are not supported",
    "return aclopCast(nullptr, nullptr, nullptr, nullptr, 0, nullptr);": "the toolkit's own operators are not supported",
    'return aclopLoad("", 1);': "binaries are not supported: install the operator's package",
    "return acltdtDestroyChannel(nullptr);": "copy with aclrtMemcpy",
    "return acldvppFree(nullptr);": "image and video processing is not supported",
}

PROFILE = """#include <cstdio>
#include "acl/acl.h"
#include "acl/acl_prof.h"
void Said(const char* what, int code) {
    const char* text = aclGetRecentErrMsg();
    std::printf("%s: %d\\n%s%s", what, code, text ? text : "", text ? "\\n" : "");
}
int main() {
    uint32_t devices[] = {0}, none[] = {9};
    Said("init", aclprofInit("./prof", 6) || aclprofInit("./prof", 6));
    aclprofConfig* config = aclprofCreateConfig(devices, 1, ACL_AICORE_PIPE_UTILIZATION, nullptr, ACL_PROF_ACL_API);
    Said("run", aclprofStart(config) || aclprofStop(config) || aclprofDestroyConfig(config));
    Said("a destroyed one", aclprofStart(config));
    Said("no such device", aclprofCreateConfig(none, 1, ACL_AICORE_NONE, nullptr, 0) != nullptr);
    Said("end", aclprofFinalize());
}
"""
PROFILED = """init: 0
run: 0
a destroyed one: 100000
fault [acl-handle] aclprofStart: this is no aclprofConfig
  found:  profilerConfig: no object that is alive
  legal:  one of aclprofCreateConfig that was not destroyed
no such device: 0
fault [acl-argument] aclprofCreateConfig: there is no such device
  found:  deviceId: 9
  legal:  0 to 7, which are one device here
end: 0
"""

CAPTURE = """#include <cstdio>
#include "acl/acl.h"
#include "acl/acl_op_compiler.h"
int main() {
    aclrtStream stream;
    aclrtCreateStream(&stream);
    int code = aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL);
    if (!code) code = aclopExecuteV2("Add", 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, stream);
    std::printf("%d\\n%s\\n", code, aclGetRecentErrMsg());
}
"""
CAPTURED = {
    "Ascend310B1": """207000
fault [npu-graph-unsupported] aclmdlRICaptureBegin: the chip's runtime captures no streams
  found:  Ascend310B
  legal:  Ascend910B, Ascend910_93, Ascend310P
  do:     run the program without graphs (eager mode)
""",
    "Ascend910B1": """100000
fault [npu-graph-unsupported] aclopExecuteV2: a call by the operator's name is not captured
  found:  stream: 0x?
  legal:  the operator's aclnn function, or its kernel
""",
}


class SingleOp(Packages):
    sources = ("project", "listing")

    def compiled(self, standard="c++11"):
        program = self.folder / f"caller_{standard}"
        if not program.exists():
            words = [CXX, f"-std={standard}", "-Wall", "-Wextra", "-Werror", HERE / "single_op_caller.cpp"]
            words += [f"-I{TOOLKIT}/include", f"-L{TOOLKIT}/lib64", "-lascendcl", "-lacl_op_compiler", "-o", program]
            done = subprocess.run(words, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
        return program

    def compare(self, name, shown):
        shown = re.sub(r"0x[0-9a-f]{6,}", "0x?", shown)
        # Of the project, or of the package made from it: the cache takes one for the other.
        shown = re.sub(rf"{re.escape(str(self.folder))}/\S*?(op_host|op_kernel)/", r"PROJECT/\1/", shown)
        if os.environ.get("SFUMATO_REWRITE"):
            (HERE / name).write_text(shown)
        self.assertEqual(shown, (HERE / name).read_text())
        for rule in re.findall(r"fault \[([a-z-]+)\]", shown):
            raised(rule)

    def test_calls(self):
        self.run_it(self.run_file, "--quiet")
        for standard in ("c++11", "c++17"):
            self.compare("single_op_right.txt", self.run_it(self.compiled(standard)))
        self.compare("single_op_wrong.txt", self.run_it(self.compiled(), "wrong"))

    def test_a_package_elsewhere(self):
        self.run_it(self.run_file, "--quiet", "--install-path=apart")
        vendor = self.folder / "apart/vendors/mine"
        data = self.folder / "empty"
        shown = self.run_it(self.compiled(), XDG_DATA_HOME=str(data), ASCEND_CUSTOM_OPP_PATH=str(vendor))
        self.compare("single_op_right.txt", shown)
        none = self.run_it(self.compiled(), "wrong", XDG_DATA_HOME=str(data)).split("\n")
        self.assertEqual(
            none[:5],
            ["a name with a letter missing: 100024",
             "fault [op-unknown] aclopExecuteV2: no installed package has such an operator",
             "  found:  opType: 'BlendCustm'", "  legal:  none",
             "  do:     install the operator's package, and run the program under `sfumato env`"],
        )  # fmt: skip

    def test_operators_given_to_atc(self):
        (self.folder / "add.json").write_text("[]")
        words = ("atc", "--singleop=add.json", "--output=models/one", "--soc_version=Ascend910B1")
        self.assertTrue(self.run_it(*words).startswith("atc: note: nothing is compiled: aclopExecuteV2 and "))
        self.assertTrue((self.folder / "models/one").is_dir())
        said = self.run_it("atc", "--singleop=ad.json", "--output=models/two", expect=1)
        self.assertEqual(said, "atc: --singleop: there is no file ad.json\n")

    def test_captures(self):
        source = self.folder / "capture.cpp"
        source.write_text(CAPTURE)
        words = [
            CXX,
            "-std=c++11",
            source,
            f"-I{TOOLKIT}/include",
            f"-L{TOOLKIT}/lib64",
            "-lascendcl",
            "-lacl_op_compiler",
        ]
        done = subprocess.run([*words, "-o", self.folder / "capture"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        for chip, want in CAPTURED.items():
            shown = self.run_it(self.folder / "capture", chip=chip)
            self.assertEqual(re.sub(r"0x[0-9a-f]{6,}", "0x?", shown), want)
        raised("npu-graph-unsupported")

    def test_profiling(self):
        source = self.folder / "profile.cpp"
        source.write_text(PROFILE)
        words = [CXX, "-std=c++11", source, f"-I{TOOLKIT}/include", f"-L{TOOLKIT}/lib64", "-lascendcl"]
        done = subprocess.run([*words, "-o", self.folder / "profile"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.run_it(self.folder / "profile"), PROFILED)

    def test_what_is_refused_while_compiling(self):
        for number, (call, sentence) in enumerate(REFUSED.items()):
            source = self.folder / f"refused_{number}.cpp"
            headers = ("acl/acl.h", "acl/acl_op_compiler.h", "acl/acl_mdl.h", "acl/acl_tdt.h")
            includes = "".join(f'#include "{header}"\n' for header in headers)
            source.write_text(f"{includes}int main() {{ {call} }}\n")
            done = subprocess.run(
                [CXX, "-std=c++11", "-c", source, f"-I{TOOLKIT}/include", "-o", os.devnull],
                capture_output=True,
                text=True,
            )
            self.assertNotEqual(done.returncode, 0, call)
            self.assertEqual(done.stderr.count(sentence), 1, done.stderr)


if __name__ == "__main__":
    keep("aclnn_single_op_test")
    unittest.main()
