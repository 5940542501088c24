#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Host code of operators needs no newer C++ than its project says: the headers it includes compile from C++11 on, with g++ and
clang, and what is compiled so links to the library with either ABI of std::string. A kernel header says what it needs."""

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from installation import CXX, PREFIX

INCLUDE = PREFIX / "include" / "sfumato"
LIBRARIES = PREFIX / "share" / "sfumato" / "ascend" / "lib64"
MANIFEST = json.loads((PREFIX.parent / "manifest.json").read_text(encoding="utf-8"))
CLANG = next(filter(shutil.which, ("clang++-13", "clang++")), None)
STANDARDS = (11, 14, 17, 20)
WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Werror"]
# Folders of headers that only kernels, and programs that launch them, include.
KERNEL_FOLDERS = ("adv_api/", "basic_api/", "lib/", "sfumato/", "utils/debug/")
KERNEL_HEADERS = {"cpu_debug_launch.h", "kernel_operator.h", "tikicpulib.h"}

HOST = """\
#include <cstdio>
#include <string>
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/tiling_api.h"
#include "tiling/template_argument.h"
#include "graph/utils/type_utils.h"
ASCENDC_TPL_ARGS_DECL(Twice, ASCENDC_TPL_BOOL_DECL(FAST, 0, 1),
                      ASCENDC_TPL_UINT_DECL(MODE, ASCENDC_TPL_8_BW, ASCENDC_TPL_UI_LIST, 0, 3));
ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_BOOL_SEL(FAST, 0, 1), ASCENDC_TPL_UINT_SEL(MODE, ASCENDC_TPL_UI_LIST, 3)));
namespace optiling {
BEGIN_TILING_DATA_DEF(TwiceTilingData)
TILING_DATA_FIELD_DEF(uint32_t, size);
TILING_DATA_FIELD_DEF_ARR(uint16_t, 3, parts);
TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, cube);
TILING_DATA_FIELD_DEF_STRUCT(SoftMaxTiling, softmax);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Twice, TwiceTilingData)
static ge::graphStatus Tiling(gert::TilingContext* context) {
    std::string version;
    context->GetPlatformInfo()->GetPlatformRes("version", "SoC_version", version);
    const gert::Shape& shape = context->GetInputShape(0)->GetOriginShape();
    const size_t dims = std::min(shape.GetDimNum(), gert::Shape::kMaxDimNum);
    context->SetTilingKey(GET_TPL_TILING_KEY(1, 3));
    OP_LOGE_IF(dims == 0, ge::GRAPH_FAILED, context->GetNodeName(), "no dimension on %s", version.c_str());
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling
namespace ops {
class Twice : public OpDef {
public:
    explicit Twice(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Attr("axes").AttrType(OPTIONAL).ListInt({1, 2});
        this->Attr("mode").AttrType(OPTIONAL).String("sum");
        this->AICore().SetTiling(optiling::Tiling).AddConfig("ascend910b");
    }
};
OP_ADD(Twice);
}  // namespace ops
int main() {
    matmul_tiling::MultiCoreMatmulTiling matmul(*platform_ascendc::PlatformAscendCManager::GetInstance("Ascend910B1"));
    matmul.SetDim(4);
    matmul.SetAType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT16);
    matmul.SetBType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT16);
    matmul.SetCType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT);
    matmul.SetShape(256, 512, 64);
    matmul.SetOrgShape(256, 512, 64);
    optiling::TwiceTilingData data;
    const int64_t planned = matmul.GetTiling(data.cube);
    uint32_t most = 0, least = 0;
    AscendC::GetTanhMaxMinTmpSize(ge::Shape({1024}), 4, false, most, least);
    AscendC::SoftMaxTilingFunc(ge::Shape({8, 64}), 4, 4096, data.softmax);
    const std::string type = ge::TypeUtils::DataTypeToSerialString(ge::DT_FLOAT16);
    std::printf("%d %d %d %d; %u %u; %u; %s; %d; %d\\n", static_cast<int>(planned), data.cube.get_usedCoreNum(),
                data.cube.get_singleCoreM(), data.cube.get_singleCoreN(), most, least, data.softmax.get_splitM(), type.c_str(),
                static_cast<int>(GET_TPL_TILING_KEY(1, 3)), static_cast<int>(data.GetDataSize()));
}
"""
# 4 cores share 256 x 512 by rows; tanh: 4 nodes of 256 bytes at least, 4 of the tensor at most; 8 rows fit 4096 bytes.
SAYS = "0 4 64 512; 16384 1024; 8; DT_FLOAT16; 7; 280\n"

# Wrong uses of host code, as C++11: what it says, and the same put right.
WRONG = """\
#include <cstdio>
#include <exception>
#include "acl/acl.h"
#include "register/tilingdata_base.h"
#include "tiling/tiling_api.h"
#include "tiling/template_argument.h"
ASCENDC_TPL_ARGS_DECL(Twice, ASCENDC_TPL_BOOL_DECL(FAST, 0, 1),
                      ASCENDC_TPL_UINT_DECL(MODE, ASCENDC_TPL_8_BW, ASCENDC_TPL_UI_LIST, 0, 3));
ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_BOOL_SEL(FAST, 0, 1), ASCENDC_TPL_UINT_SEL(MODE, ASCENDC_TPL_UI_LIST, 3)));
BEGIN_TILING_DATA_DEF(Data)
TILING_DATA_FIELD_DEF(uint32_t, size);
END_TILING_DATA_DEF;
int main() {
    matmul_tiling::MatmulApiTiling matmul;
    uint32_t most = 0, least = 0;
    char buffer[8];
    Data data;
    AscendC::SoftMaxTiling softmax;
    static_cast<void>(most), static_cast<void>(least), static_cast<void>(buffer);
    try {
        CODE;
    } catch (const std::exception& error) {
        std::printf("%s", error.what());
    }
    const char* said = aclGetRecentErrMsg();
    if (said) std::printf("%s", said);
}
"""
WRONG_USES = [
    ("GET_TPL_TILING_KEY(1, 0)", "GET_TPL_TILING_KEY(1, 3)",
     "GET_TPL_TILING_KEY: Twice: no ASCENDC_TPL_ARGS_SEL has FAST=1 MODE=0; there are FAST=0|1 MODE=3"),
    ("GET_TPL_TILING_KEY(0, 2)", "GET_TPL_TILING_KEY(0, 3)",
     "GET_TPL_TILING_KEY: Twice: MODE=2 is not declared; there are FAST=0|1 MODE=3"),
    ("GET_TPL_TILING_KEY(1)", "GET_TPL_TILING_KEY(1, 3)",
     "GET_TPL_TILING_KEY: Twice: 1 values for 2 parameters; there are FAST=0|1 MODE=3"),
    ("data.SaveToBuffer(buffer, 4)", "data.SaveToBuffer(buffer, 8)",
     "fault [op-tiling-data] SaveToBuffer: the tiling data do not fit their buffer\n  where:  FILE\n"
     "  found:  Data: a buffer of 4 bytes\n  legal:  8 bytes at least\n"
     "  do:     pass GetRawTilingData()->GetData() and GetRawTilingData()->GetCapacity()"),
    ("platform_ascendc::PlatformAscendC(nullptr)", "platform_ascendc::PlatformAscendCManager::GetInstance()->GetCoreNum()",
     "PlatformAscendC: the PlatFormInfos pointer is null: pass context->GetPlatformInfo(), or use "
     "PlatformAscendCManager::GetInstance()"),
    ("matmul.SetFixSplit(40, 64, -1)", "matmul.SetFixSplit(48, 64, -1)",
     "SetFixSplit: baseM is 40; it is a multiple of 16"),
    ("AscendC::GetTanhMaxMinTmpSize(ge::Shape({64}), 3, false, most, least)",
     "AscendC::GetTanhMaxMinTmpSize(ge::Shape({64}), 4, false, most, least)",
     "GetTanhMaxMinTmpSize: elements of 3 bytes; legal are 1, 2, 4"),
    ("AscendC::SoftMaxTilingFunc(ge::Shape({8, 33}), 4, 4096, softmax)",
     "AscendC::SoftMaxTilingFunc(ge::Shape({8, 32}), 4, 4096, softmax)",
     "SoftMaxTilingFunc: the last axis is 33 elements of 4 bytes; a row is a multiple of 32 bytes"),
]  # fmt: skip
# Calls that are an error of the compiler, which says what to do.
GRAPHS = "graphs are not supported: call each operator by aclnn<Op>GetWorkspaceSize and aclnn<Op>"
REFUSED = {
    'ge::Graph graph("add")': GRAPHS,
    "ge::GEInitialize(std::map<ge::AscendString, ge::AscendString>())": GRAPHS,
    "rtMalloc(nullptr, 64)": "rt calls have no public page: call aclrtMalloc",
    "rtKernelLaunch(nullptr, 1)": "rt calls have no public page: call the kernel by <<<>>> or ACLRT_LAUNCH_KERNEL",
}


def run(command, text=None):
    return subprocess.run([str(word) for word in command], input=text, capture_output=True, text=True, check=False)


class HostHeaders(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.assertTrue(CLANG, "clang++ was not found: run `make deps`")

    def host_headers(self):
        """The headers of the toolkit that host code includes; of forwarders to one header, that one."""
        aims = MANIFEST["forwarders"]
        found = set()
        for name in MANIFEST["headers"]:
            aim = aims.get(name, name)
            of_kernels = name.startswith(KERNEL_FOLDERS) or aim in KERNEL_HEADERS
            if not of_kernels or (aim.startswith("sfumato/") and name in aims):
                found.add(aim)
        return sorted(found - KERNEL_HEADERS)

    def alone(self, case):
        name, compiler, standard = case
        done = run(
            [compiler, f"-std=c++{standard}", *WARNINGS, "-fsyntax-only", "-I", INCLUDE, "-x", "c++", "-"],
            f"#include <{name}>\nint main() {{}}\n",
        )
        return f"{compiler} -std=c++{standard}, {name}: {done.stderr}" if done.returncode or done.stderr else ""

    def test_each_compiles_alone_at_every_standard(self):
        headers = self.host_headers()
        for expected in ("acl/acl.h", "aclnn/aclnn_base.h", "sfumato/op/host.h", "sfumato/tiling/kernel_tiling.h"):
            self.assertIn(expected, headers)
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            words = list(pool.map(self.alone, itertools.product(headers, (CXX, CLANG), STANDARDS)))
        self.assertEqual([text for text in words if text], [])

    def test_a_header_for_hosts_brings_no_kernel_header(self):
        source = self.folder / "plain.cpp"
        source.write_text('#include "kernel_tiling/kernel_tiling.h"\nTCubeTiling tiling;\n', encoding="utf-8")
        files = run([CXX, "-std=c++17", "-M", "-I", INCLUDE, source]).stdout
        self.assertIn("cube_tiling.h", files)
        self.assertNotIn("kernel_operator.h", files)
        self.assertNotIn("sfumato/ascendc/", files)

    def test_a_log_header_of_the_projects_own_counts(self):
        """Wherever the path has it; with none, ours is there, also where one folder is on the path by two names."""
        own, again, source = self.folder / "own", self.folder / "again", self.folder / "log.cpp"
        (own / "log").mkdir(parents=True)
        (own / "log/log.h").write_text("#pragma once\n#define OWN 1\n", encoding="utf-8")
        (again / "log").mkdir(parents=True)
        (again / "log/log.h").symlink_to((INCLUDE / "log/log.h").resolve())
        source.write_text(
            "#include <log/log.h>\n#include <log/log.h>\n"
            "#if defined(OWN) == defined(OP_LOGE)\n#error both or none\n#endif\nint is_own = WHICH;\n",
            encoding="utf-8",
        )
        for which, path in (
            ("OWN", (INCLUDE, own)),
            ("OWN", (own, INCLUDE)),
            ("0", (INCLUDE,)),
            ("0", (INCLUDE, again)),
        ):
            for compiler in (CXX, CLANG):
                done = run([compiler, f"-DWHICH={which}", "-fsyntax-only", *(f"-I{folder}" for folder in path), source])
                self.assertEqual((done.returncode, done.stderr), (0, ""), (which, path))

    def test_the_log_of_the_modules(self):
        """By each name of its header; errors and warnings are printed outside of a call of the library."""
        source, program = self.folder / "modules.cpp", self.folder / "modules"
        for header in ("toolchain/slog.h", "base/dlog_pub.h", "dlog_pub.h", "toolchain/dlog_pub.h"):
            source.write_text(
                f'#include "{header}"\nint main() {{\n    DlogSub(static_cast<int>(OP), "PART", DLOG_ERROR, "%d rows", 3);\n'
                '    DlogSub(GE, "PART", DLOG_DEBUG, "unseen");\n    dlog_warn(TBE, "%s", "few");\n}\n',
                encoding="utf-8",
            )
            built = run([CXX, "-std=c++11", "-I", INCLUDE, source, "-L", LIBRARIES, f"-Wl,-rpath,{LIBRARIES}",
                         "-lregister", "-o", program])  # fmt: skip
            self.assertEqual((built.returncode, built.stderr), (0, ""), header)
            said = run([program]).stderr
            self.assertIn("3 rows", said)
            self.assertIn("few", said)
            self.assertNotIn("unseen", said)

    def test_a_host_links_at_every_standard_and_abi(self):
        source = self.folder / "host.cpp"
        source.write_text(HOST, encoding="utf-8")
        for compiler, standard, abi in itertools.product((CXX, CLANG), STANDARDS, (0, 1)):
            with self.subTest(compiler=compiler, standard=standard, abi=abi):
                program = self.folder / f"host{standard}{abi}"
                built = run(
                    [compiler, f"-std=c++{standard}", f"-D_GLIBCXX_USE_CXX11_ABI={abi}", "-Wall", "-Wextra", "-Werror"]
                    + ["-I", INCLUDE, source, "-L", LIBRARIES, f"-Wl,-rpath,{LIBRARIES}", "-o", program]
                    + ["-ltiling_api", "-lregister", "-lplatform", "-lgraph_base"]
                )
                self.assertEqual((built.returncode, built.stderr), (0, ""))
                ran = run([program])
                self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, SAYS, ""))

    def test_wrong_uses_say_what_is_legal(self):
        program, source = self.folder / "wrong", self.folder / "wrong.cpp"
        for wrong, right, says in WRONG_USES:
            for code, expected in ((wrong, says), (right, "")):
                with self.subTest(code=code):
                    source.write_text(WRONG.replace("CODE", code), encoding="utf-8")
                    built = run(
                        [CXX, "-std=c++11", "-D_GLIBCXX_USE_CXX11_ABI=0", "-I", INCLUDE, source, "-L", LIBRARIES]
                        + [f"-Wl,-rpath,{LIBRARIES}", "-ltiling_api", "-lregister", "-lascendcl", "-o", program]
                    )
                    self.assertEqual(built.returncode, 0, built.stderr)
                    ran = run([program])
                    said = re.sub(re.escape(str(source)) + r":\d+", "FILE", ran.stdout)
                    self.assertEqual((ran.returncode, said, ran.stderr), (0, expected, ""))

    def test_refused_calls_say_what_to_call(self):
        source = self.folder / "refused.cpp"
        for (call, says), compiler in itertools.product(REFUSED.items(), (CXX, CLANG)):
            with self.subTest(call=call, compiler=compiler):
                source.write_text(
                    f'#include "graph/graph.h"\n#include "runtime/base.h"\nint main() {{ {call}; }}\n', encoding="utf-8"
                )
                done = run(
                    [compiler, "-std=c++11", "-O1", "-I", INCLUDE, "-c", source, "-o", self.folder / "refused.o"]
                )
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(f": {says}\n", done.stderr)

    def test_a_kernel_header_says_which_standard_it_needs(self):
        source = self.folder / "host.cpp"
        source.write_text('#include "kernel_operator.h"\nAscendC::TPipe its_pipe;\n', encoding="utf-8")
        for compiler, standard in itertools.product((CXX, CLANG), (11, 17)):
            with self.subTest(compiler=compiler, standard=standard):
                done = run([compiler, f"-std=c++{standard}", "-fsyntax-only", "-I", INCLUDE, source])
                self.assertNotEqual(done.returncode, 0)
                errors = [line.split("error: ")[1] for line in done.stderr.splitlines() if "error: " in line]
                self.assertEqual(len(errors), 2, done.stderr)
                self.assertEqual(
                    errors[0].removeprefix("#error ").strip('"'),
                    "kernel_operator.h needs C++20: compile kernels, and programs that launch them, with -std=c++20 (g++ 9: "
                    "-std=c++2a -fconcepts); g++ 9, clang 13 and newer have it; host code of operators includes no "
                    "kernel header and compiles from C++11 on",
                )
                self.assertIn("compile with -std=c++20", errors[1])
        done = run([CXX, "-std=c++20", "-D__NPU_ARCH__=2201", "-fsyntax-only", "-I", INCLUDE, source])
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    sys.exit(unittest.main())
