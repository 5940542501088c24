# SPDX-License-Identifier: Apache-2.0
"""--check raw, variables that are no kernel's own, and the lines of crashes, with every compiler that is there."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

from installation import COMMAND
from raised import keep, raised


COMPILERS = [c for c in ["g++", "clang++-16"] if shutil.which(c)]

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

LEGAL = "  legal:  bytes of GM allocations, of the core's own memories, and the kernel's own variables\n"
INDEX = LEGAL + "  do:     check the index against the size that the kernel was given\n"
HOST = LEGAL + ("  do:     pass the data as an argument of the kernel: a core has no memory of the host, and no heap\n")


def where(kernel, line, instruction=0):
    place = f"wrong.cpp:{line}, " if line else ""
    return f"  where:  {place}kernel {kernel}, core aiv0, instruction {instruction} (Ascend910B)\n"


def guard(kernel, line):
    return (
        "fault [gm-guard] bytes next to the allocation 'x' were overwritten\n"
        f"{where(kernel, line)}"
        "  found:  x: a store through a raw pointer outside the allocation: no instruction did it\n"
        "  legal:  64 bytes\n  do:     check pointers made by GetPhyAddr() and __gm__ casts\n"
    )


def outside(kernel, line, what, found, severity="warning", do=INDEX, rule="raw-out-of-bounds", instruction=0):
    return f"{severity} [{rule}] a raw pointer {what}\n{where(kernel, line, instruction)}  found:  {found}\n{do}"


def doubt(rule, text, kernel, line, found, legal, do, severity="warning"):
    hint = f"  do:     {do}\n" if do else ""
    return (
        f"{severity} [{rule}] {text}\n{where(kernel, line)}  found:  {found}\n"
        + (f"  legal:  {legal}\n" if legal else "")
        + hint
    )


WIDER = "compute it in a wider type, or in an unsigned one where it shall wrap"
INT32 = "-2147483648 to 2147483647"
ARRAY = "bring the index into the array, or make the array larger"


def overflow(kernel, line, name, found, legal=INT32, severity="warning"):
    return doubt("signed-overflow", f"{name} of signed integers overflows", kernel, line, found, legal, WIDER, severity)


def index(kernel, line, found, legal):
    return doubt("array-index", "the index lies outside the C array", kernel, line, found, legal, ARRAY)


def thrown(kernel, line, found):
    return (
        f"fault [exception] the kernel threw a C++ exception\n{where(kernel, line)}  found:  {found}\n"
        "  legal:  kernels do not throw: device code has no exceptions\n"
    )


OUT = "4 bytes outside every allocation"
REPORTS = {
    "past_end": outside("past_end", 7, f"writes {OUT}", "x: at its end: bytes 64 to 67 of 64") + guard("past_end", 7),
    "before_start": outside("before_start", 8, f"reads {OUT}", "x: 4 bytes before its start: bytes -4 to -1 of 64"),
    "across": outside("across", 9, "writes 8 bytes outside every allocation", "x: across its end: bytes 60 to 67 of 64")
    + guard("across", 9),
    "past_host": outside(
        "past_host",
        10,
        "reads 4 bytes of the host's own memory",
        "x: 6336 bytes past its end: bytes 6400 to 6403 of 64; no allocation is nearer",
        do=HOST,
        rule="raw-host-memory",
    ),
    "nowhere": outside(
        "nowhere",
        11,
        f"writes {OUT}",
        "x: 70368744177600 bytes past its end: bytes 70368744177664 to 70368744177667 of 64; no allocation is nearer",
        "fault",
    ),
    "null": outside("null", 12, "reads 4 bytes through a null pointer", "address 0x0", "fault"),
    "heap": outside(
        "heap",
        13,
        "writes 4 bytes of the host's own memory",
        "far from every allocation",
        "fault",
        do=HOST,
        rule="raw-host-memory",
    ),
    "copied": outside(
        "copied", 14, "writes 64 bytes outside every allocation", "x: across its end: bytes 4 to 67 of 64"
    )
    + guard("copied", 14),
    "past_ub": outside("past_ub", 20, f"writes {OUT}", "byte 196608 of UB, which has 196608", "fault"),
    "array": index("array", 24, "index 5 of int[4]", "0 to 3"),
    "rows": index("rows", 27, "index 3 of float[3]", "0 to 2"),
    "add": overflow("add", 28, "a subtraction", "2147483647 - -16, as int"),
    "multiply": overflow(
        "multiply",
        29,
        "a multiplication",
        "4611686018427387904 * 4, as long",
        "-9223372036854775808 to 9223372036854775807",
    ),
    "negate": overflow("negate", 30, "a negation", "-(-2147483648), as int"),
    "shift": doubt(
        "shift-count",
        "a shift by fewer bits than none or by more than the value has",
        "shift",
        31,
        "1, shifted by 32, as int",
        "0 to 31",
        "test the count first: compiler and chip may do anything",
    ),
    "by_zero": doubt(
        "arithmetic-trap",
        "the kernel's scalar code divided an integer by zero",
        "by_zero",
        32,
        "7 / 0, as int",
        "a divisor other than 0",
        "",
        "fault",
    ),
    "least": overflow("least", 33, "a division", "-2147483648 / -1, as int", severity="fault"),
    "freed": thrown("freed", 36, "no device code does this"),
    "in_function": thrown("in_function", 39, "an exception that is not a std::exception"),
}

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

VARIABLES = {
    "global": ("global", "counter", 4, "globals.cpp:7"),
    "space": ("global", "ops::(anonymous namespace)::deep", 8, "globals.cpp:8"),
    "local": ("static", "local::calls", 2, "globals.cpp:20"),
    "thread": ("thread_local", "mine", 4, "globals.cpp:9"),
    "member": ("global", "K::member", 12, "globals.cpp:15"),
    "header": ("global", "in_header", 1, "shared.h:2"),
}

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

    def assert_reports(self, result, reports):
        faults, warnings = (len(re.findall(f"^{s} ", reports, re.M)) for s in ("fault", "warning"))
        counts = f"{faults} fault{'s'[: faults != 1]}, {warnings} warning{'s'[: warnings != 1]}, 0 notes\n"
        if self.checked:
            counts = f"checked: {self.checked}: {counts if reports else 'no findings' + chr(10)}"
        self.assertEqual(result.stderr, reports + counts)
        self.assertEqual(result.returncode, 4 if faults else 0)
        for rule in re.findall(r"^\w+ \[([\w-]+)\]", reports, re.M):
            raised(rule)

    def test_each_wrong_kernel_gets_its_line(self):
        for compiler in COMPILERS:
            for kernel, reports in REPORTS.items():
                with self.subTest(kernel=kernel, compiler=compiler):
                    if kernel == "multiply" and compiler == "g++":
                        reports = reports.replace("as long", "as long int")
                    self.assert_reports(self.run_kernel(compiler, "wrong.cpp", kernel, "--check", "raw"), reports)

    def test_the_line_of_an_exception_needs_no_check(self):
        for compiler in COMPILERS:
            result = self.run_kernel(compiler, "wrong.cpp", "freed")
            self.assert_reports(result, REPORTS["freed"])
            # The C++ library's own throws have no line of the kernel.
            result = self.run_kernel(compiler, "wrong.cpp", "of_the_library")
            self.assertIn(where("of_the_library", 0), result.stderr)

    def test_without_the_check_a_damaged_guard_says_how_to_see_the_line(self):
        result = self.run_kernel(COMPILERS[0], "wrong.cpp", "past_end")
        self.assert_reports(
            result,
            "fault [gm-guard] bytes next to the allocation 'x' were overwritten\n"
            "  where:  kernel past_end (Ascend910B)\n"
            "  found:  x: a store through a raw pointer outside the allocation: no instruction did it\n"
            "  legal:  64 bytes\n"
            "  do:     use --check raw (sfumato run, sfumato build) to see the line; GetPhyAddr() and __gm__ casts make "
            "such pointers\n",
        )

    def test_right_kernels_are_silent(self):
        for compiler in COMPILERS:
            for kernel in ["adder", "scalars", "in_place"]:
                with self.subTest(kernel=kernel, compiler=compiler):
                    self.assert_reports(self.run_kernel(compiler, "right.cpp", kernel, "--check", "raw"), "")

    def test_strict_makes_faults_of_warnings(self):
        result = self.run_kernel(COMPILERS[0], "wrong.cpp", "array", "--check", "raw", "--strict")
        self.assert_reports(result, REPORTS["array"].replace("warning", "fault", 1))

    def test_variables_of_nobody(self):
        for compiler in COMPILERS:
            for kernel, (kind, name, size, place) in VARIABLES.items():
                with self.subTest(kernel=kernel, compiler=compiler):
                    shared = "each core has for itself here"
                    if kind != "thread_local":
                        shared = "all cores share here, and that outlive the launch"
                    report = (
                        f"warning [mutable-global] the kernel uses a {kind} variable\n"
                        f"  where:  {place}, kernel {kernel} (Ascend910B)\n"
                        f"  found:  {name}: {size} byte{'s'[: size != 1]} that {shared}\n"
                        "  legal:  const and constexpr data; cores of a board share nothing but global memory\n"
                        "  do:     declare it in the kernel, or in its class, and pass it on; const where nothing "
                        "writes it\n"
                    )
                    self.assert_reports(self.run_kernel(compiler, "globals.cpp", kernel, "--check", "races"), report)
                    self.assert_reports(self.run_kernel(compiler, "globals.cpp", kernel, "--check", "none"), "")
            self.assert_reports(self.run_kernel(compiler, "globals.cpp", "none", "--check", "races"), "")

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
                self.assertEqual(
                    result.stderr,
                    "warning [mutable-global] the kernel uses a global variable\n"
                    "  where:  program.asc:15, kernel fill (Ascend910B)\n"
                    "  found:  counter: 4 bytes that all cores share here, and that outlive the launch\n"
                    "  legal:  const and constexpr data; cores of a board share nothing but global memory\n"
                    "  do:     declare it in the kernel, or in its class, and pass it on; const where nothing writes it\n"
                    "warning [array-index] the index lies outside the C array\n"
                    "  where:  program.asc:9, kernel fill, core aiv0, instruction 0 (Ascend910B)\n"
                    "  found:  index 4 of int[4]\n  legal:  0 to 3\n"
                    f"  do:     {ARRAY}\n"
                    "warning [raw-out-of-bounds] a raw pointer writes 4 bytes outside every allocation\n"
                    "  where:  program.asc:9, kernel fill, core aiv0, instruction 0 (Ascend910B)\n"
                    "  found:  aclrtMalloc #0: at its end: bytes 16 to 19 of 16\n"
                    f"{INDEX}",
                )
                self.assertIn("fault [gm-guard] bytes next to the allocation 'aclrtMalloc #0'", result.stdout)
                self.assertIn("  where:  program.asc:9, kernel fill, core aiv0", result.stdout)

    def test_a_program_built_without_it_says_so(self):
        compiler = COMPILERS[0]
        built = self.command(compiler, COMMAND, "build", "program.asc", "-o", "plain")
        self.assertEqual(built.returncode, 0, built.stderr)
        result = self.command(compiler, "env", "SFUMATO_OPTIONS=check=raw", "./plain")
        self.assertIn(
            "note [raw-not-compiled] --check raw sees nothing of this kernel\n"
            "  where:  kernel fill (Ascend910B)\n"
            "  found:  no access: the code was compiled without the check, or touches no memory\n"
            "  legal:  a source that Sfumato compiles with --check raw\n"
            "  do:     sfumato build --check=raw, CompileOptions::check, or ForChecks()\n",
            result.stderr,
        )
        raised("raw-not-compiled")


if __name__ == "__main__":
    keep("raw_test")
    unittest.main()
