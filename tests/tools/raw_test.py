# SPDX-License-Identifier: Apache-2.0
"""--check raw, variables that are no kernel's own, and the lines of crashes, with every compiler that is there."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

from installation import COMMAND
from pinned import Pinned
from raised import keep, raised


COMPILERS = [c for c in ["g++", "clang++-13"] if shutil.which(c)]

# Each kernel gets 16 numbers and a 16. Lines are counted from the first, which is empty.
WRONG = r"""
#include "kernel_operator.h"
#include <stdexcept>
#include <string.h>
#include <vector>
#define KERNEL extern "C" __global__ __aicore__ void
KERNEL past_end(__gm__ int32_t* x, uint32_t n) { for (uint32_t i = 0; i <= n; ++i) x[i] = int32_t(i); }
KERNEL before_start(__gm__ int32_t* x, uint32_t n) { x[0] = x[-1] + int32_t(n); }
KERNEL across(__gm__ uint8_t* x, uint32_t n) { *(__gm__ uint64_t*)(x + 60) = n; }
KERNEL past_host(__gm__ int32_t* x, uint32_t n) { x[0] = x[n * 100]; }
KERNEL nowhere(__gm__ int32_t* x, uint32_t n) { x[uint64_t(n) << 40] = 1; }
KERNEL null(__gm__ int32_t* x, uint32_t n) { x[0] = *(__gm__ int32_t*)(uint64_t(n) - 16); }
KERNEL heap(__gm__ int32_t* x, uint32_t n) { int32_t* volatile p = new int32_t[16]; p[n - 1] = 1; x[0] = p[n - 1]; }
KERNEL copied(__gm__ int32_t* x, uint32_t n) { memcpy(x + 1, x, n * 4); }
KERNEL past_ub(__gm__ int32_t* x, uint32_t n) {
    AscendC::TPipe pipe;
    AscendC::TBuf<AscendC::TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 256);
    auto* p = (__ubuf__ int32_t*)buffer.Get<int32_t>().GetPhyAddr();
    for (uint32_t i = 0; i < n; ++i) p[i * 8192] = 1;
}
KERNEL array(__gm__ int32_t* x, uint32_t n) {
    int32_t a[4] = {1, 2, 3, 4};
    x[0] = a[n - 11]; }
KERNEL rows(__gm__ int32_t* x, uint32_t n) {
    float a[2][3] = {};
    x[0] = int32_t(a[n - 16][n - 13]); }
KERNEL add(__gm__ int32_t* x, uint32_t n) { int32_t a = 2147483647; a -= -int32_t(n); x[0] = a; }
KERNEL multiply(__gm__ int32_t* x, uint32_t n) { int64_t a = int64_t(n) << 58; x[0] = int32_t((a * 4) >> 60); }
KERNEL negate(__gm__ int32_t* x, uint32_t n) { int32_t a = int32_t(0x80000000u + n - 16); x[0] = -a; }
KERNEL shift(__gm__ int32_t* x, uint32_t n) { x[0] = 1 << (n * 2); }
KERNEL by_zero(__gm__ int32_t* x, uint32_t n) { x[0] = 7 / (int32_t(n) - 16); }
KERNEL least(__gm__ int32_t* x, uint32_t n) { x[0] = int32_t(0x80000000u + n - 16) / (15 - int32_t(n)); }
KERNEL freed(__gm__ int32_t* x, uint32_t n) {
    x[0] = 1;
    throw std::runtime_error("no device code does this");
}
static void Check(bool b) {
    if (!b) throw 7; }
KERNEL in_function(__gm__ int32_t* x, uint32_t n) { Check(n != 16); }
KERNEL of_the_library(__gm__ int32_t* x, uint32_t n) {
    try { throw 1; } catch (int) {}
    std::vector<int32_t> v(4);
    x[0] = v.at(n);
}
"""

# What each is told; `of_the_library` is about its line alone.
WRONG_KERNELS = (
    "past_end", "before_start", "across", "past_host", "nowhere", "null", "heap", "copied", "past_ub", "array", "rows", "add",
    "multiply", "negate", "shift", "by_zero", "least", "freed", "in_function",
)  # fmt: skip
PINNED = Pinned(__file__, "raw_test")

# What a careful kernel does.
RIGHT = r"""
#include "kernel_operator.h"
#include <algorithm>
#include <string.h>
constexpr int32_t kTable[4] = {1, 2, 3, 4};
static const float kSteps[3] = {0.5f, 1.0f, 2.0f};
struct Tiling { uint32_t count; float scales[8]; };
struct Big { int32_t a[40]; };
class Adder {
public:
    __aicore__ inline void Init(GM_ADDR x, uint32_t n) {
        gm_.SetGlobalBuffer((__gm__ int32_t*)x, n);
        pipe_.InitBuffer(in_, 2, n * sizeof(int32_t));
        pipe_.InitBuffer(out_, 1, n * sizeof(int32_t));
        count_ = n;
    }
    __aicore__ inline void Process() {
        auto in = in_.AllocTensor<int32_t>();
        AscendC::DataCopy(in, gm_, count_);
        in_.EnQue(in);
        in = in_.DeQue<int32_t>();
        auto out = out_.AllocTensor<int32_t>();
        AscendC::Adds(out, in, kTable[count_ & 3], count_);
        out.SetValue(0, out.GetValue(1) + in.GetValue(0));
        out_.EnQue(out);
        out = out_.DeQue<int32_t>();
        AscendC::DataCopy(gm_, out, count_);
        in_.FreeTensor(in);
        out_.FreeTensor(out);
    }

private:
    AscendC::TPipe pipe_;
    AscendC::TQue<AscendC::TPosition::VECIN, 2> in_;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> out_;
    AscendC::GlobalTensor<int32_t> gm_;
    uint32_t count_ = 0;
};
extern "C" __global__ __aicore__ void adder(GM_ADDR x, uint32_t n) {
    Adder adder;
    adder.Init(x, n);
    adder.Process();
}
extern "C" __global__ __aicore__ void scalars(__gm__ int32_t* x, uint32_t n) {
    Big big{}, other;
    other = big;
    int32_t* volatile inside = other.a;
    const Tiling tiling = {n, {1, 2, 3}};
    auto add = [&](uint32_t i) { inside[i] += kTable[i & 3] + int32_t(kSteps[i % 3] + tiling.scales[i & 7]); };
    for (uint32_t i = 0; i < n; ++i) add(i);
    for (uint32_t i = 0; i < n; ++i) x[i] = std::max(inside[i], x[i]) + (1 << (i & 31) >> 1) / int32_t(n);
    memcpy(x + 8, x, 32);
    memset(x, 0, 4);
    uint32_t wraps = 0xffffffffu;
    x[1] = int32_t(wraps + n);
    AscendC::printf("%d\n", x[2]);
    try { throw 1; } catch (int) {}
}
extern "C" __global__ __aicore__ void in_place(__gm__ int32_t* x, uint32_t n) {
    AscendC::TPipe pipe;
    AscendC::TBuf<AscendC::TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 256);
    AscendC::LocalTensor<int32_t> t = buffer.Get<int32_t>();
    auto* p = (__ubuf__ int32_t*)t.GetPhyAddr();
    for (uint32_t i = 0; i < n; ++i) t.SetValue(i, int32_t(i));
    for (uint32_t i = 0; i < n; ++i) p[i] += t.GetValue(i);
    for (uint32_t i = 0; i < n; ++i) x[i] = p[i];
}
"""

GLOBALS = r"""
#include "kernel_operator.h"
#include <cmath>
#include <cstdlib>
#include "shared.h"
#define KERNEL extern "C" __global__ __aicore__ void
int32_t counter = 0;
namespace ops { namespace { uint64_t deep = 7; } }
thread_local int32_t mine = 5;
__BLOCK_LOCAL__ int32_t block = 5;
const float dynamic = std::sqrt(float(std::rand()));
static const int32_t table[2] = {1, 2};
int32_t for_the_host = 4;
int Host() { return for_the_host++; }
struct K { static int32_t member[3]; };
int32_t K::member[3] = {4};
KERNEL global(__gm__ int32_t* x, uint32_t n) { x[0] = ++counter; }
KERNEL space(__gm__ int32_t* x, uint32_t n) { x[0] = int32_t(++ops::deep); }
KERNEL local(__gm__ int32_t* x, uint32_t n) {
    static int16_t calls = 0;
    x[0] = ++calls; }
KERNEL thread(__gm__ int32_t* x, uint32_t n) { x[0] = ++mine; }
KERNEL member(__gm__ int32_t* x, uint32_t n) { x[0] = ++K::member[n - 15]; }
__attribute__((noinline)) int32_t Next() { return ++in_header; }
KERNEL header(__gm__ int32_t* x, uint32_t n) { x[0] = Next(); }
KERNEL none(__gm__ int32_t* x, uint32_t n) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    x[0] = table[n & 1] + int32_t(dynamic) + ++block;
}
"""

CRASHES = r"""
#include "kernel_operator.h"
#define KERNEL extern "C" __global__ __aicore__ void
__attribute__((noinline)) int32_t Large(int32_t n) { volatile int32_t big[40000000]; big[n] = 1; return big[n + 1]; }
KERNEL large(__gm__ int32_t* x, uint32_t n) { x[0] = Large(int32_t(n)); }
__attribute__((noinline)) int Deep(int n) { volatile char b[999]; b[n % 999] = 1; return n ? Deep(n + 1) + b[n % 999] : 0; }
KERNEL deep(__gm__ int32_t* x, uint32_t n) { x[0] = Deep(1); }
static void Store(__gm__ int32_t* x, uint64_t n) {
    x[n << 40] = 1; }
KERNEL wild(__gm__ int32_t* x, uint32_t n) { Store(x, n); }
KERNEL divide(__gm__ int32_t* x, uint32_t n) {
    x[0] = 7 / int32_t(n - 16); }
"""

PROGRAM = r"""
#include <cstdio>
#include "acl/acl.h"
#include "kernel_operator.h"
int32_t counter = 0;
extern "C" __global__ __aicore__ void fill(__gm__ int32_t* x, uint32_t n) {
    int32_t a[4] = {};
    for (uint32_t i = 0; i < n; ++i)
        x[i] = a[i] + counter++;
}
int main() {
    void* x = nullptr;
    aclrtMalloc(&x, 16, ACL_MEM_MALLOC_HUGE_FIRST);
    for (int i = 0; i < 2; ++i)
        fill<<<1, nullptr, nullptr>>>((__gm__ int32_t*)x, i ? 9 : 4);  // past its last block of 32 bytes
    if (aclrtSynchronizeDevice() != ACL_SUCCESS) std::puts(aclGetRecentErrMsg());
}
"""


def plain(text):
    """Types by one name; g++, clang and clang 13 have their own."""
    return text.replace("as long int", "as long").replace("of int32_t[", "of int[")


class RawTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dir = tempfile.mkdtemp(prefix="sfumato-raw-test-")
        sources = {
            "wrong.cpp": WRONG,
            "right.cpp": RIGHT,
            "globals.cpp": GLOBALS,
            "shared.h": "#pragma once\nstatic int8_t in_header = 3;\n",
            "crashes.cpp": CRASHES,
            "program.asc": PROGRAM,
        }
        for name, text in sources.items():
            with open(os.path.join(cls.dir, name), "w", encoding="utf-8") as f:
                f.write(text)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.dir)

    def command(self, compiler, *args):
        environment = {**os.environ, "SFUMATO_CACHE": os.path.join(self.dir, "cache"), "SFUMATO_CXX": compiler}
        return subprocess.run(args, cwd=self.dir, env=environment, text=True, timeout=300, capture_output=True)

    def run_kernel(self, compiler, source, kernel, *options):
        arguments = ["out:int32[16]=out.npy", "uint32:16"]
        run = [COMMAND, "run", source, "--chip", "Ascend910B1", "--kernel", kernel, *options, "--", *arguments]
        self.checked = options[1] if options[:1] == ("--check",) else ""
        return self.command(compiler, *run)

    def assert_reports(self, result, name):
        """The reports are those pinned under the name; none without one. Then they are counted."""
        *lines, told = result.stderr.splitlines(keepends=True)
        reports = plain("".join(lines))
        self.assertEqual(reports.rstrip(), PINNED.text(name, reports.rstrip()) if name else "")
        faults, warnings = (len(re.findall(f"^{s} ", reports, re.M)) for s in ("fault", "warning"))
        counts = f"{faults} fault{'s'[: faults != 1]}, {warnings} warning{'s'[: warnings != 1]}, 0 notes\n"
        if self.checked:
            counts = f"checked: {self.checked}: {counts if reports else 'no findings' + chr(10)}"
        self.assertEqual(told, counts)
        self.assertEqual(result.returncode, 4 if faults else 0)
        for rule in re.findall(r"^\w+ \[([\w-]+)\]", reports, re.M):
            raised(rule)

    def test_each_wrong_kernel_gets_its_line(self):
        for compiler in COMPILERS:
            for kernel in WRONG_KERNELS:
                with self.subTest(kernel=kernel, compiler=compiler):
                    self.assert_reports(self.run_kernel(compiler, "wrong.cpp", kernel, "--check", "raw"), kernel)

    def test_the_line_of_an_exception_needs_no_check(self):
        for compiler in COMPILERS:
            result = self.run_kernel(compiler, "wrong.cpp", "freed")
            self.assert_reports(result, "freed")
            # The C++ library's own throws have no line of the kernel.
            result = self.run_kernel(compiler, "wrong.cpp", "of_the_library")
            self.assertIn("\n  where:  kernel of_the_library, core aiv0, ", result.stderr)

    def test_without_the_check_a_damaged_guard_says_how_to_see_the_line(self):
        result = self.run_kernel(COMPILERS[0], "wrong.cpp", "past_end")
        self.assert_reports(result, "past_end without the check")

    def test_right_kernels_are_silent(self):
        for compiler in COMPILERS:
            for kernel in ["adder", "scalars", "in_place"]:
                with self.subTest(kernel=kernel, compiler=compiler):
                    self.assert_reports(self.run_kernel(compiler, "right.cpp", kernel, "--check", "raw"), "")

    def test_strict_makes_faults_of_warnings(self):
        result = self.run_kernel(COMPILERS[0], "wrong.cpp", "array", "--check", "raw", "--strict")
        self.assert_reports(result, "strict array")

    def test_variables_of_nobody(self):
        for compiler in COMPILERS:
            for kernel in ("global", "space", "local", "thread", "member", "header", "none"):
                with self.subTest(kernel=kernel, compiler=compiler):
                    name = kernel if kernel != "none" else ""
                    self.assert_reports(self.run_kernel(compiler, "globals.cpp", kernel, "--check", "races"), name)
                    if name:
                        self.assert_reports(self.run_kernel(compiler, "globals.cpp", kernel, "--check", "none"), "")

    def test_crashes_have_lines(self):
        cases = [
            (
                "large",
                4,
                "stack-overflow",
                r"  found:  'Large\(int\)' has more than 83\d{5} bytes of local variables\n",
            ),
            ("deep", 6, "stack-overflow", r"  found:  'Deep\(int\)' takes 10\d\d bytes of it a call\n"),
            ("wild", 9, "raw-pointer", "raw pointer access to 0x0\n"),
            ("divide", 12, "arithmetic-trap", "divided an integer by zero\n"),
        ]
        for compiler in COMPILERS:
            for kernel, line, rule, text in cases:
                with self.subTest(kernel=kernel, compiler=compiler):
                    result = self.run_kernel(compiler, "crashes.cpp", kernel)
                    self.assertEqual(result.returncode, 4)
                    self.assertIn(f"fault [{rule}] ", result.stderr)
                    self.assertIn(f"  where:  crashes.cpp:{line}, kernel {kernel}, core aiv0", result.stderr)
                    if (kernel, compiler) != ("large", "clang++-13"):  # whose tables do not know a frame that large
                        self.assertRegex(result.stderr, text)
                    raised(rule)
            self.assertIn(
                "  legal:  8388608 bytes of stack for a core here; a board has far less: plan with 16 KiB\n",
                self.run_kernel(compiler, "crashes.cpp", "large").stderr,
            )

    def test_a_built_program(self):
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                built = self.command(compiler, COMMAND, "build", "--check=raw", "program.asc", "-o", "program")
                self.assertEqual((built.returncode, built.stdout + built.stderr), (0, ""))
                result = self.command(compiler, "./program")
                told = plain(result.stderr)
                self.assertEqual(told, PINNED.text("a built program", told.rstrip()) + "\n")
                self.assertIn("fault [gm-guard] bytes next to the allocation 'aclrtMalloc #0'", result.stdout)
                self.assertIn("  where:  program.asc:9, kernel fill, core aiv0", result.stdout)

    def test_a_program_built_without_it_says_so(self):
        compiler = COMPILERS[0]
        built = self.command(compiler, COMMAND, "build", "program.asc", "-o", "plain")
        self.assertEqual(built.returncode, 0, built.stderr)
        result = self.command(compiler, "env", "SFUMATO_OPTIONS=check=raw", "./plain")
        note = result.stderr[result.stderr.index("note [raw-not-compiled]") :].split("\nchecked")[0].rstrip()
        self.assertEqual(note, PINNED.text("unchecked", note))
        raised("raw-not-compiled")


if __name__ == "__main__":
    keep("raw_test")
    unittest.main()
