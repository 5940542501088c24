// SPDX-License-Identifier: Apache-2.0
// Tests of how __global__ functions are found.
#include "jit/kernel_finder.h"

#include <gtest/gtest.h>

namespace sfumato::jit {
namespace {

// "ns::f(type name, type)" of each kernel, joined by "; ", templates marked.
std::string Found(std::string_view source) {
    std::string text;
    for (const FoundKernel& k : FindKernels(source)) {
        text += text.empty() ? "" : "; ";
        text += k.is_template ? "template " : "";
        text += k.QualifiedName();
        text += '(';
        for (size_t i = 0; i < k.params.size(); ++i) {
            text += i ? ", " : "";
            text += k.params[i].type;
            text += k.params[i].name.empty() ? "" : " ";
            text += k.params[i].name;
        }
        text += ')';
    }
    return text;
}

TEST(KernelFinder, Forms) {
    EXPECT_EQ(Found("extern \"C\" __global__ __aicore__ void f(GM_ADDR src, GM_ADDR dst) {}"),
              "f(GM_ADDR src, GM_ADDR dst)");
    EXPECT_EQ(Found("__global__ __aicore__ void f(__gm__ half* x, const uint32_t n);"),
              "f(__gm__ half* x, const uint32_t n)");
    EXPECT_EQ(Found("void __global__ __aicore__ f() {}"), "f()");
    EXPECT_EQ(Found("__global__ void f(void) {}"), "f()");
    EXPECT_EQ(Found("extern \"C\" { __global__ void f(int a) {} __global__ void g(int b) {} }"), "f(int a); g(int b)");
    EXPECT_EQ(Found("[[maybe_unused]] __global__ __attribute__((aiv)) __mix__(1, 2) void f(int a) {}"), "f(int a)");
    EXPECT_EQ(Found("#include <x>\n__global__\n__aicore__ /* c */ void\nf(int // c\n a)\n{}"), "f(int a)");
    EXPECT_EQ(Found("static __global__ void f(int a)"), "f(int a)");
}

TEST(KernelFinder, Parameters) {
    EXPECT_EQ(Found("__global__ void f(GM_ADDR, int, unsigned int, const GM_ADDR) {}"),
              "f(GM_ADDR, int, unsigned int, const GM_ADDR)");
    EXPECT_EQ(Found("__global__ void f(std::array<int, 4> a, ns::T b, ns::T) {}"),
              "f(std::array<int, 4> a, ns::T b, ns::T)");
    EXPECT_EQ(Found("__global__ void f(uint8_t a[16], int n = 3) {}"), "f(uint8_t* a, int n)");
    EXPECT_EQ(Found("__global__ void f(__gm__ uint8_t* __restrict__ a) {}"), "f(__gm__ uint8_t* __restrict__ a)");
    EXPECT_EQ(Found("__global__ void f(Tiling tiling, struct S s) {}"), "f(Tiling tiling, struct S s)");
    EXPECT_EQ(Found("__global__ void f(unsigned long long n) {}"), "f(unsigned long long n)");
    EXPECT_EQ(Found("__global__ void f(GM_ADDR a,\n#ifdef X\n GM_ADDR b\n#endif\n) {}"), "f(GM_ADDR a, GM_ADDR b)");
}

// The mark is no part of the type.
TEST(KernelFinder, WorkspaceParameter) {
    const auto kernels = FindKernels(
        "__global__ void f(GM_ADDR y, __kfc_workspace__ GM_ADDR ws, int n) {}\n"
        "__global__ void g(__kfc_workspace__ const __gm__ uint8_t* ws);\n__global__ void h(GM_ADDR workspace);");
    ASSERT_EQ(kernels.size(), 3u);
    EXPECT_EQ(kernels[0].workspace, 1);
    EXPECT_EQ(kernels[0].params[1].type, "GM_ADDR");
    EXPECT_EQ(kernels[0].params[1].name, "ws");
    EXPECT_EQ(kernels[1].workspace, 0);
    EXPECT_EQ(kernels[1].params[0].type, "const __gm__ uint8_t*");
    EXPECT_EQ(kernels[2].workspace, -1);
    const auto made =
        FindKernelsPreprocessed("# 1 \"k.cpp\"\n__global__ void f(__kfc_workspace__ uint8_t* w) {}", "k.cpp");
    ASSERT_EQ(made.size(), 1u);
    EXPECT_EQ(made[0].workspace, 0);
}

TEST(KernelFinder, ConstantTables) {
    const auto tables = [](std::string_view source) { return ConstantTables(source); };
    using Names = std::vector<std::string>;
    EXPECT_EQ(tables("static const __gm__ int32_t kA[8] = {1};\n__gm__ const float kB[2][2] = {{1}};"),
              (Names{"kA", "kB"}));
    EXPECT_EQ(
        tables("namespace n { __gm__ constexpr half kC[] {1}; } void f() { static const __gm__ int d[1] = {1}; }"),
        (Names{"kC", "d"}));
    EXPECT_EQ(tables("void f(__gm__ const int* x, const __gm__ half y[4]);"), Names());
    EXPECT_EQ(tables("__gm__ int32_t writable[8] = {1}; extern const __gm__ int e[8]; const __gm__ int* p = nullptr;"),
              Names());
    EXPECT_EQ(tables("auto* x = (__gm__ const float*)y; a[0] = 1;"), Names());
}

TEST(KernelFinder, Scopes) {
    EXPECT_EQ(
        Found(
            "namespace a { namespace b::c { __global__ void f() {} } __global__ void g() {} } __global__ void h() {}"),
        "a::b::c::f(); a::g(); h()");
    EXPECT_EQ(Found("inline namespace v1 { __global__ void f() {} }"), "v1::f()");
    EXPECT_EQ(Found("namespace x = y; using namespace z; __global__ void f() {}"), "f()");
    EXPECT_EQ(Found("class K { void g() { if (1) { } } }; int t[] = {1, 2}; __global__ void f() {}"), "f()");
    EXPECT_EQ(Found("namespace { __global__ void f() {} }"), "f()");
    EXPECT_TRUE(FindKernels("namespace { __global__ void f() {} }")[0].InAnonymousNamespace());
    EXPECT_EQ(Found("__global__ void f(int a) { auto g = [](int b) { return b; }; g(a); } __global__ void h() {}"),
              "f(int a); h()");
}

TEST(KernelFinder, Templates) {
    EXPECT_EQ(Found("template <typename T, int N> __global__ void f(__gm__ T* x) {}"), "template f(__gm__ T* x)");
    EXPECT_EQ(Found("template <> __global__ void f<int>(int x) {}"), "");
    EXPECT_EQ(Found("template <class T> struct S { T t; }; __global__ void f(S<int> s) {}"), "f(S<int> s)");
    EXPECT_EQ(Found("template <class T> void helper(T t) { } __global__ void f() {}"), "f()");
}

TEST(KernelFinder, NotKernels) {
    EXPECT_EQ(
        Found("// __global__ void f() {}\n/* __global__ void g() {} */ const char* s = \"__global__ void h() {}\";"),
        "");
    EXPECT_EQ(Found("#define KERNEL __global__ void f() {}\n"), "");
    EXPECT_EQ(Found("auto r = R\"(__global__ void f() {})\";"), "");
    EXPECT_EQ(Found("__global__ int x;"), "");
    EXPECT_EQ(Found("__global__"), "");
    EXPECT_EQ(Found("__global__ void f("), "f()");
}

TEST(KernelFinder, Branches) {
    // Both branches open the same brace; declarations of all branches are listed.
    EXPECT_EQ(Found("#ifdef A\nextern \"C\" {\n#else\nnamespace n {\n#endif\n__global__ void f() {}\n}\n__global__ "
                    "void g() {}"),
              "n::f(); g()");
    EXPECT_EQ(
        Found(
            "#if A\nvoid h(int a) {\n#elif B\nvoid h(long a) {\n#else\nvoid h() {\n#endif\n}\n__global__ void f() {}"),
        "f()");
    EXPECT_EQ(Found("#if A\n__global__ void f(int a) {}\n#else\n__global__ void f(long a) {}\n#endif"),
              "f(int a); f(long a)");
}

TEST(KernelFinder, Lines) {
    const auto kernels = FindKernels("\n\nextern \"C\"\n__global__ void f() {\n}\n__global__ void g() {}");
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_EQ(kernels[0].line, 4u);
    EXPECT_EQ(kernels[1].line, 6u);
}

TEST(KernelFinder, TemplateParameters) {
    const auto kernels = FindKernels(
        "template <typename T, std::pair<int, int> P, class U = half, bool B = (1 > 2)> __global__ void t();");
    ASSERT_EQ(kernels.size(), 1u);
    EXPECT_EQ(kernels[0].template_types, (std::vector<bool>{true, false, true, false}));
}

TEST(KernelFinder, OfThePreprocessorsOutput) {
    const auto kernels = FindKernelsPreprocessed(
        "# 1 \"k.cpp\"\n# 1 \"other.h\" 1\n__global__ void of_header();\n# 7 \"k.cpp\" 2\n\n__global__ void made();\n",
        "k.cpp");
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_EQ(kernels[0].name, "of_header");
    EXPECT_EQ(kernels[0].line, 0u);
    EXPECT_EQ(kernels[1].name, "made");
    EXPECT_EQ(kernels[1].line, 8u);
}

}  // namespace
}  // namespace sfumato::jit
