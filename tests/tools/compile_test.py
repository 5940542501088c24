# SPDX-License-Identifier: Apache-2.0
"""What the command makes of sources: errors, headers, compilers, its cache."""

import json
import os
import re
import shutil
import struct
import subprocess
import sys
import time
import tomllib

from command_case import CommandCase, main, npy, read_npy

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.append(os.path.join(ROOT, "tools"))
import names  # noqa: E402


class CompileTest(CommandCase):
    # Compiling

    def test_compile_error_shows_the_user_s_lines_only(self):
        self.write(
            "bad.cpp", '#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void f() { int x = y; }\n'
        )
        result = self.sfumato("run", "bad.cpp", "--chip", "Ascend910B1", "--json")
        self.assert_refused(result, "bad.cpp:2:", 3)
        self.assertIn("bad.cpp does not compile for Ascend910B1", result.stderr)
        self.assertNotIn("<stdin>", result.stderr)
        self.assertEqual(json.loads(result.stdout)["error"]["kind"], "compile")

    def test_missing_public_names_are_one_sentence_each(self):
        """Every name that src/jit/names.txt refuses, on a line of its own."""
        source, expected = ['#include "lib/matmul_intf.h"'], []
        for row in names.rows():
            name, scope, refused = row["name"], row["scope"], row["refused"]
            if not refused or row["kind"] == "method":
                continue
            source.append(
                f"using AscendC::{name};" if scope.startswith("AscendC") else f"void f{len(source)}() {{ {name}(0); }}"
            )
            expected.append(f"names.cpp:{len(source)}: {name}: {refused}")
        self.assertGreater(len(expected), 20)
        source.append('extern "C" __global__ __aicore__ void k(GM_ADDR x) {}')
        self.write("names.cpp", "\n".join(source) + "\n")
        result = self.sfumato("run", "names.cpp", "--chip", "Ascend910B1", "--", "workspace:4")
        self.assertEqual(result.returncode, 3)
        self.assertEqual(result.stderr.split("\n")[1:-1], expected)
        self.write(
            "twice.cpp",
            '#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void k(GM_ADDR x) {\n'
            "    AscendC::LocalTensor<float> a;\n    AscendC::MmadImpl(a, a, 64);\n    AscendC::MmadImpl(a, a, 32);\n}\n",
        )
        result = self.sfumato("run", "twice.cpp", "--chip", "Ascend910B1", "--", "workspace:4")
        self.assertEqual(result.returncode, 3)
        self.assertEqual(
            result.stderr.split("\n", 1)[1],
            "twice.cpp:4: MmadImpl: a name of the toolkit's implementation, which no public page describes: call Mmad\n",
        )

    def test_element_types_no_chip_takes_are_warnings_until_the_call_runs(self):
        """One template for all types, in which a value chooses: g++ and clang, `run` and `build`."""
        self.write(
            "types.cpp",
            '#include "kernel_operator.h"\n#define TYPED(...) __VA_ARGS__\ntemplate <class T>\n'
            "__aicore__ inline void Work(uint32_t which) {\n    AscendC::LocalTensor<T> x(AscendC::TPosition::VECCALC, 0, 64);\n"
            "    AscendC::LocalTensor<int64_t> y(AscendC::TPosition::VECCALC, 512, 64);\n"
            "    if (which == 1) TYPED(AscendC::Mul(x, x, x, 64));\n"
            "    if (which == 2) AscendC::Cast(y, x, AscendC::RoundMode::CAST_NONE, 64);\n"
            "    if (which == 3) AscendC::Tanh(x, x, 64);\n}\n"
            'extern "C" __global__ __aicore__ void types(uint32_t which) { Work<int8_t>(which); }\n',
        )
        run = ("run", "types.cpp", "--chip", "Ascend910B1", "--blocks", "1")
        warned = [
            ("7", "Mul: no chip has this type; it takes int16_t, half, int32_t, float", "type-unsupported"),
            (
                "8",
                "Cast: no chip converts int8_t to this type; from int8_t it goes to int16_t, half, int32_t",
                "conversion-unsupported",
            ),
            ("9", "Tanh: the element types are half, float", "type-unsupported"),
        ]
        for compiler in ("g++", "clang++-13"):
            if not shutil.which(compiler):
                continue
            with self.subTest(compiler=compiler):
                result = self.sfumato(*run, "--", "uint32:0", SFUMATO_CXX=compiler)
                self.assertEqual(result.returncode, 0, result.stderr)
                for line, words, rule in warned:
                    said = rf"types.cpp:{line}:\d+: warning: {re.escape(words)}: a fault when it runs .*\[{rule}\]"
                    self.assertRegex(result.stderr, said)
                self.assertNotIn("error", result.stderr)
        for which, (line, _, rule) in enumerate(warned, 1):
            with self.subTest(which=which):
                result = self.sfumato(*run, "--", f"uint32:{which}")
                self.assertEqual(result.returncode, 4)
                self.assertRegex(result.stdout + result.stderr, rf"fault \[{rule}\](.|\n)*types.cpp:{line},")
        silent = self.sfumato(*run, "-D", "SFUMATO_ANY_TYPE", "--", "uint32:0")
        self.assertEqual((silent.returncode, "warning:" in silent.stderr), (0, False), silent.stderr)
        built = self.sfumato("build", "-c", "types.cpp", "-o", "types.o", "--chip", "Ascend910B1")
        self.assertEqual(built.returncode, 0, built.stderr)
        self.assertRegex(built.stdout + built.stderr, r"types.cpp:7:\d+: warning: Mul: no chip has this type")
        # Beside another mistake all are errors.
        with open(self.path("types.cpp"), "a", encoding="utf-8") as f:
            f.write("int mistake = nothing;\n")
        both = self.sfumato(*run, "--", "uint32:0")
        self.assert_refused(both, "was not declared in this scope", 3)

    def test_choices_between_half_and_float_compile(self):
        """In a template, a macro and a header, beside launches: g++ and clang, `run`, `build`, a program's own compiler."""
        self.write(
            "clip.h",
            "template <class T>\nstruct Bounds {\n"
            "    static constexpr T kLow = std::is_same_v<T, half> ? -65504.0f : std::numeric_limits<T>::lowest();\n};\n",
        )
        self.write(
            "clip.cpp",
            '#include "kernel_operator.h"\nusing namespace AscendC;\n#include "clip.h"\n'
            "#define CHOOSE(c, a, b) ((c) ? (a) : (b))\n"
            'extern "C" __global__ __aicore__ void clip(GM_ADDR x, GM_ADDR y, uint32_t up, float f) {\n'
            "    GlobalTensor<half> from;\n    GlobalTensor<float> to;\n"
            "    from.SetGlobalBuffer((__gm__ half*)x, 1);\n    to.SetGlobalBuffer((__gm__ float*)y, 4);\n"
            "    const half a = from.GetValue(0);\n"
            "    to.SetValue(0, Bounds<half>::kLow);\n    to.SetValue(1, up ? a : f);\n"
            "    to.SetValue(2, CHOOSE(up, f, a));\n    to.SetValue(3, up ? 2049 : a);\n"
            "    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(to);\n}\n",
        )
        self.write("choice.npy", npy("<f2", (1,), struct.pack("<e", 1.5)))
        words = (
            "run",
            "clip.cpp",
            "--chip",
            "Ascend910B1",
            "--blocks",
            "1",
            "--",
            "choice.npy",
            "out:float32[4]=y.npy",
        )
        for compiler in ("g++", "clang++-13"):
            if not shutil.which(compiler):
                continue
            # 0.1 stays a float's, 2049 is a half's: the common types are float and half.
            for up, wanted in ((1, (-65504.0, 1.5, 0.1, 2048.0)), (0, (-65504.0, 0.1, 1.5, 1.5))):
                result = self.sfumato(*words, f"uint32:{up}", "float32:0.1", SFUMATO_CXX=compiler)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(read_npy(self.path("y.npy"))[-1], struct.pack("<4f", *wanted))
            built = self.sfumato(
                "build", "-c", "clip.cpp", "-o", "clip.o", "--chip", "Ascend910B1", SFUMATO_CXX=compiler
            )
            self.assertEqual((built.returncode, built.stderr), (0, ""))
        # Another mistake is told as it is without.
        with open(self.path("clip.cpp"), "a", encoding="utf-8") as f:
            f.write("int mistake = nothing;\n")
        both = self.sfumato(*words, "uint32:1", "float32:0.1")
        self.assert_refused(both, "was not declared in this scope", 3)
        self.assertIn("have different types", both.stderr)

    def test_names_that_stand_elsewhere_keep_the_compiler_s_words(self):
        """Enumerators without their scope, a method of another class, and an error of another kind behind them."""
        self.write(
            "elsewhere.cpp",
            '#include "kernel_operator.h"\nusing namespace AscendC;\n'
            'extern "C" __global__ __aicore__ void k(GM_ADDR x) {\n'
            "    TPipe pipe; TBuf<TPosition::VECCALC> b; pipe.InitBuffer(b, 1024);\n"
            "    LocalTensor<float> t = b.Get<float>(); LocalTensor<half> h = b.Get<half>();\n"
            "    Cast(h, t, CAST_RINT, 64);\n    SetFlag<HardEvent::MTE2_V>(0); SetFlag<MTE2_V>(0);\n"
            "    Compare(h.ReinterpretCast<uint8_t>(), t, t, LT, 64);\n    TQue<VECIN, 1> q;\n    b.EnQue(h);\n"
            "    int n = 1 +;\n}\n",
        )
        result = self.sfumato("run", "elsewhere.cpp", "--chip", "Ascend910B1", "--json", "--", "workspace:4")
        self.assertEqual(result.returncode, 3)
        for line, name, told in [
            (6, "CAST_RINT", "stands in AscendC::RoundMode: write AscendC::RoundMode::CAST_RINT"),
            (7, "MTE2_V", "stands in AscendC::HardEvent: write AscendC::HardEvent::MTE2_V"),
            (8, "LT", "stands in AscendC::CMPMODE: write AscendC::CMPMODE::LT"),
            (9, "VECIN", "stands in AscendC::TPosition: write AscendC::TPosition::VECIN"),
            (10, "EnQue", "a method of AscendC::TQue; AscendC::TBuf has none"),
        ]:
            with self.subTest(name=name):
                self.assertRegex(result.stderr, rf"elsewhere.cpp:{line}:\d+: error: .*{name}")
                self.assertIn(f"elsewhere.cpp:{line}: note: {name}: {told}\n", result.stderr)
        self.assertRegex(result.stderr, r"elsewhere.cpp:11:\d+: error: ")
        self.assertNotIn("not supported", result.stderr)
        found = json.loads(result.stdout)["findings"]
        self.assertLessEqual({6, 7, 8, 9, 10, 11}, {f["line"] for f in found})

    def test_programs_and_build_systems_are_told_of_names_too(self):
        source = '#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void k(GM_ADDR x) { GetBlokIdx(); }\n'
        self.write("misspelt.cpp", source)
        result = self.sfumato("build", "-x", "asc", "misspelt.cpp", "-c", "-o", "misspelt.o", "--chip=Ascend910B1")
        self.assertEqual(result.returncode, 1)
        # The compiler has seen the right name, and says so itself.
        self.assertEqual(len(re.findall("did you mean .?GetBlockIdx", result.stderr)), 1, result.stderr)
        self.write("plain.cpp", "int f() { return GetBlokIdx(); }\n")
        result = self.sfumato("build", "--compiler", "c++", "-c", "plain.cpp", "-o", "plain.o")
        self.assertEqual(result.returncode, 1)
        self.assertIn("plain.cpp:1: note: GetBlokIdx: no such name; did you mean GetBlockIdx?", result.stderr)
        self.write("plain.cpp", "int f() { return 1; }\n")
        self.assertEqual(self.sfumato("build", "--compiler", "c++", "-c", "plain.cpp", "-o", "plain.o").returncode, 0)

    def test_other_headers_are_kernel_operator(self):
        with open(os.path.join(ROOT, "cmake/other_headers.txt"), encoding="utf-8") as f:
            headers = {line.strip() for line in f if not line.startswith("#")}
        with open(os.path.join(ROOT, "chips/calls.toml"), "rb") as f:
            calls = {header for call in tomllib.load(f)["call"] for header in call["headers"]}
        headers |= {f"{folder}/{header}" for header in calls for folder in ("lib", "adv_api")}
        self.assertGreater(len(headers), 200)
        includes = "".join(f'#include "{header}"\n' for header in sorted(headers))
        self.write(
            "headers.cpp", includes + 'extern "C" __global__ __aicore__ void k(GM_ADDR x) { x[0] = BLOCK_CUBE_SEEN; }\n'
        )
        result = self.sfumato(
            "run",
            "headers.cpp",
            "--chip",
            "Ascend910B1",
            "-D",
            "BLOCK_CUBE_SEEN=AscendC::BLOCK_CUBE",
            "--",
            "out:uint8[4]=h.npy",
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(read_npy(self.path("h.npy"))[2][0], 16)

    def test_sizes_of_memories_are_those_of_the_chip(self):
        names = ["UB", "L1", "L0A", "L0B", "L0C"]
        stores = "".join(f"x[{i}] = AscendC::TOTAL_{name}_SIZE; " for i, name in enumerate(names))
        kernel = f'extern "C" __global__ __aicore__ void k(__gm__ int32_t* x) {{ {stores}}}\n'
        self.write("sizes.cpp", '#include "kernel_operator.h"\n' + kernel)
        chips = [chip for chip in json.loads(self.sfumato("chips", "--json").stdout) if chip["ascendc"]]
        self.assertGreater(len(chips), 3)
        for chip in chips:
            result = self.sfumato("run", "sizes.cpp", "--chip", chip["name"], "--", "out:int32[5]=sizes.npy")
            self.assertEqual(result.returncode, 0, result.stderr)
            sizes = struct.unpack("<5i", read_npy(self.path("sizes.npy"))[2])
            self.assertEqual(sizes, tuple(chip["memories"][name] for name in names), chip["name"])

    def test_cce_files_include_nothing(self):
        """The header comes before them, lines stay theirs, and raw calls say which cores a kernel needs."""
        cube = "AscendC::LocalTensor<uint8_t>(AscendC::TPosition::{}, 0, 32).GetPhyAddr()"
        self.write(
            "raw.cce",
            'extern "C" __global__ __aicore__ void add(__gm__ half* x, __gm__ half* y) {\n'
            "    auto* a = (__ubuf__ __fp16*)get_imm(0);\n"
            "    copy_gm_to_ubuf(a, x, 0, 1, 1, 0, 0);\n"
            "    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);\n"
            "    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);\n"
            "    set_vector_mask(0, 0xFFFF);\n"
            "    vadds(a + OFFSET, a, (half)1, 1, 1, 1, 8, 8);\n"
            "    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);\n"
            "    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);\n"
            "    copy_ubuf_to_gm(y, a + OFFSET, 0, 1, 1, 0, 0);\n"
            "}\n"
            'extern "C" __global__ __aicore__ void square(__gm__ half* x, __gm__ float* y) {\n'
            f"    auto *l1 = (__cbuf__ half*){cube.format('A1')}, *a = (__ca__ half*){cube.format('A2')};\n"
            f"    auto* b = (__cb__ half*){cube.format('B2')};\n"
            f"    auto* c = (__cc__ float*){cube.format('CO1')};\n"
            "    copy_gm_to_cbuf_multi_nd2nz_b16(l1, x, 0, 1, 16, 16, 0, 16, 16, 1, 0);\n"
            "    pipe_barrier(PIPE_ALL);\n"
            "    load_cbuf_to_ca(a, l1, 0, 1, 1, 0, 0, false, inc);\n"
            "    load_cbuf_to_cb(b, l1, 0, 1, 1, 0, 0, true, inc);\n"
            "    pipe_barrier(PIPE_ALL);\n"
            "    mad(c, a, b, 16, 16, 16, 0, false, false, true);\n"
            "    pipe_barrier(PIPE_ALL);\n"
            "    set_nd_para(1);\n"
            "    copy_matrix_cc_to_gm(y, c, 0, 16, 16, 16, 16, 0, NoQuant, 0, false, true);\n"
            "}\n",
        )
        row = range(1, 17)
        self.write("rows.npy", npy("<f2", (16, 16), struct.pack("<16e", *row) + bytes(480)))
        run = ("run", "raw.cce", "--chip", "Ascend910B1", "-D", "OFFSET=16", "--kernel")
        result = self.sfumato(*run, "add", "--", "rows.npy", "out:half[16]=y.npy")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(struct.unpack("<16e", read_npy(self.path("y.npy"))[2]), tuple(i + 1 for i in row))
        result = self.sfumato(*run, "square", "--log=log.txt", "--", "rows.npy", "out:float[16,16]=z.npy")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(struct.unpack("<17f", read_npy(self.path("z.npy"))[2][:68]), (*row, 0))
        with open(self.path("log.txt"), encoding="utf-8") as log:
            self.assertIn("aic0", log.read())
        result = self.sfumato(
            "run", "raw.cce", "--chip", "Ascend910B1", "--kernel", "add", "--", "rows.npy", "rows.npy"
        )
        self.assert_refused(result, "raw.cce:7:", 3)
        self.assertEqual(self.sfumato("build", "-c", "-DOFFSET=16", "raw.cce", "-o", "raw.o").returncode, 0)

    def test_a_block_local_variable_is_of_its_core(self):
        self.write(
            "local.cpp",
            '#include "kernel_operator.h"\n__BLOCK_LOCAL__ __inline__ AscendC::TPipe* g_pipe;\n__BLOCK_LOCAL__ uint32_t g_calls;\n'
            "inline void Count(uint32_t n) { for (uint32_t i = 0; i <= n; ++i) { ++g_calls; AscendC::PipeBarrier<PIPE_ALL>(); } }\n"
            'extern "C" __global__ __aicore__ void k(__gm__ uint32_t* x) {\n'
            "    AscendC::TPipe pipe; g_pipe = &pipe; Count(AscendC::GetBlockIdx());\n"
            "    x[16 * AscendC::GetBlockIdx()] = g_pipe == &pipe ? g_calls : 99;\n}\n",
        )
        result = self.sfumato(
            "run", "local.cpp", "--chip", "Ascend910B1", "--blocks", "4", "--", "out:uint32[64]=local.npy"
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(struct.unpack("<64I", read_npy(self.path("local.npy"))[2])[::16], (1, 2, 3, 4))

    def test_link_error(self):
        self.write(
            "link.cpp",
            '#include "kernel_operator.h"\nvoid Gone();\nextern "C" __global__ __aicore__ void f() { Gone(); }\n',
        )
        self.assert_refused(
            self.sfumato("run", "link.cpp", "--chip", "Ascend910B1"), "undefined reference to `Gone()'", 3
        )

    def test_compiler_choice(self):
        result = self.run_kernel("say", "workspace:1", SFUMATO_CXX="/nowhere/g++")
        self.assert_refused(result, "SFUMATO_CXX is set to '/nowhere/g++', which is not a program", 3)
        result = self.run_kernel("say", "workspace:1", SFUMATO_CXX="", CXX="/nowhere/g++")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_defines_and_includes(self):
        os.makedirs(self.path("inc dir"), exist_ok=True)
        self.write("inc dir/v.h", "#define V 3\n")
        self.write(
            "d.cpp",
            '#include "kernel_operator.h"\n#include "v.h"\nextern "C" __global__ __aicore__ void f(GM_ADDR x) '
            "{ x[0] = V + FIRST + SECOND; }\n",
        )
        result = self.sfumato(
            "run",
            "d.cpp",
            "--chip",
            "Ascend910B1",
            "-I",
            "inc dir",
            "-DFIRST",
            "-D",
            "SECOND=5",
            "--",
            "out:uint8[1]=d.npy",
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(read_npy(self.path("d.npy"))[2], bytes([9]))

    def test_chip_macros(self):
        self.write(
            "m.cpp",
            '#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void f(__gm__ uint32_t* x) '
            "{ x[0] = __NPU_ARCH__; x[1] = __CCE_AICORE__; }\n",
        )
        for chip, macros in [("Ascend910B3", (2201, 220)), ("Ascend310P3", (2002, 200)), ("ascend910a", (1001, 100))]:
            result = self.sfumato("run", "m.cpp", "--chip", chip, "--", "out:uint32[2]=m.npy")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(struct.unpack("<2I", read_npy(self.path("m.npy"))[2]), macros)

    def test_cache_sees_every_included_file(self):
        self.write(
            "c.cpp",
            '#include "kernel_operator.h"\n#include "value.h"\nextern "C" __global__ __aicore__ void f(GM_ADDR x) '
            "{ x[0] = VALUE; }\n",
        )

        def value():
            result = self.sfumato(
                "run", "c.cpp", "--chip", "Ascend910B1", "--", "out:uint8[1]=c.npy", SFUMATO_CACHE=cache
            )
            self.assertEqual(result.returncode, 0, result.stderr)
            return read_npy(self.path("c.npy"))[2][0]

        def objects():
            return sorted(n for n in os.listdir(cache) if n.endswith(".so"))

        cache = self.path("cache2")
        self.write("value.h", "#define VALUE 1\n")
        self.assertEqual(value(), 1)
        first = objects()
        self.assertEqual(len(first), 1)
        begin = time.monotonic()
        self.assertEqual(value(), 1)
        self.assertLess(time.monotonic() - begin, 2)
        self.assertEqual(objects(), first)
        self.write("value.h", "#define VALUE 2\n")
        self.assertEqual(value(), 2)
        self.assertEqual(len(objects()), 2)
        self.write("value.h", "#define VALUE 1\n")
        self.assertEqual(value(), 1)
        self.assertEqual(len(objects()), 2)

    def test_damaged_cache_is_rebuilt(self):
        cache = self.path("damaged")

        def object_after_run():
            result = self.run_kernel("say", "workspace:1", SFUMATO_CACHE=cache)
            self.assertEqual((result.returncode, result.stdout), (0, "[AIV Block 0/1] kernel says 42\n"), result.stderr)
            (name,) = [n for n in os.listdir(cache) if n.endswith(".so")]
            with open(os.path.join(cache, name), "rb") as f:
                return os.path.join(cache, name), f.read()

        path, whole = object_after_run()
        middle = len(whole) // 2
        flipped = whole[:middle] + bytes([whole[middle] ^ 0xFF]) + whole[middle + 1 :]
        for damaged in [flipped, whole[:4096], b""]:
            with self.subTest(bytes=len(damaged)):
                self.write(path, damaged)
                self.assertEqual(object_after_run()[0], path)
                self.assertNotEqual(object_after_run()[1], damaged)

    def test_unusable_cache(self):
        result = self.run_kernel("say", "workspace:1", SFUMATO_CACHE="/dev/null")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("the cache '/dev/null' cannot be written", result.stderr)

    def test_concurrent_first_runs(self):
        cache = self.path("cache3")
        environment = {**os.environ, "SFUMATO_CACHE": cache}
        command = [self.sfumato_path, "run", "k.cpp", "--chip", "Ascend910B1", "--kernel", "say", "--", "workspace:1"]
        runs = [
            subprocess.Popen(command, cwd=self.dir, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(3)
        ]
        for run in runs:
            out, err = run.communicate(timeout=300)
            self.assertEqual(run.returncode, 0, err)
            self.assertIn(b"kernel says 42\n", out)
        self.assertEqual([n for n in os.listdir(cache) if n.startswith("new-")], [])


if __name__ == "__main__":
    main("compile_test")
