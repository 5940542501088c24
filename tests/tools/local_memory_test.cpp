// SPDX-License-Identifier: Apache-2.0
// Tests of what declarations and casts with qualifiers of local memory become, and of statements of the board's.
#include "jit/local_memory.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "jit/launch_rewriter.h"
#include "jit/statements.h"

namespace sfumato::jit {
namespace {

// The text, without the lines that keep columns; the padding of casts as one blank.
std::string Text(std::string_view source) {
    const Rewritten rewritten = RewriteLaunches(source);
    EXPECT_EQ(rewritten.errors.size(), 0u) << source;
    std::string text = rewritten.text;
    for (size_t p; (p = text.find("\n#line ")) != std::string::npos;) {
        size_t end = text.find('\n', p + 1) + 1;
        while (end < text.size() && text[end] == ' ') ++end;
        text.erase(p, end - p);
    }
    for (size_t p; (p = text.find("  ")) != std::string::npos;) text.erase(p, 1);
    return text;
}
std::string InFunction(std::string_view body) {
    const std::string text = Text("void f() { " + std::string(body) + " }");
    return text.substr(11, text.size() - 13);
}

#define VARIABLE(name, position) " = SFUMATO_LOCAL_VARIABLE(\"" name "\", " position ")"

TEST(LocalMemory, Declarations) {
    const std::pair<const char*, const char*> kCases[] = {
        {"__ubuf__ float a[64];", "__ubuf__ float (&a)[64]" VARIABLE("a", "VECCALC") ";"},
        {"float __cbuf__ a[64];", "float __cbuf__ (&a)[64]" VARIABLE("a", "A1") ";"},
        {"__ca__ half a[2]; __cb__ half b[2]; __cc__ float c[2];",
         "__ca__ half (&a)[2]" VARIABLE("a", "A2") "; __cb__ half (&b)[2]" VARIABLE(
             "b", "B2") "; __cc__ float (&c)[2]" VARIABLE("c", "CO1") ";"},
        {"__fbuf__ uint64_t a[2]; __biasbuf__ float b[2];",
         "__fbuf__ uint64_t (&a)[2]" VARIABLE("a", "C2PIPE2GM") "; __biasbuf__ float (&b)[2]" VARIABLE("b", "C2") ";"},
        {"static __ubuf__ const unsigned a[N + M(1, 2)];",
         "__ubuf__ const unsigned (&a)[N + M(1, 2)]" VARIABLE("a", "VECCALC") ";"},
        {"__ubuf__ float a[4], b[2][3], *p;",
         "__ubuf__ float (&a)[4]" VARIABLE("a", "VECCALC") ", (&b)[2][3]" VARIABLE("b", "VECCALC") ", *p;"},
        {"__ubuf__ ns::S<int, (3 > 2)> s{};", "__ubuf__ ns::S<int, (3 > 2)> &s" VARIABLE("s", "VECCALC") ";"},
        {"__ubuf__ typename X<T>::type a[n] = {};",
         "__ubuf__ typename X<T>::type (&a)[n]" VARIABLE("a", "VECCALC") ";"},
        {"__ubuf__ S s;", "__ubuf__ S &s" VARIABLE("s", "VECCALC") ";"},
        {"extern __ubuf__ char d[];", "__ubuf__ char (&d)[] = SFUMATO_DYNAMIC_UB;"},
        {"alignas(32) __ubuf__ float a[8];", "alignas(32) __ubuf__ float (&a)[8]" VARIABLE("a", "VECCALC") ";"},
        {"case 1: __ubuf__ float a[8];", "case 1: __ubuf__ float (&a)[8]" VARIABLE("a", "VECCALC") ";"},
        {"g([&] { __ubuf__ int a[8]; });", "g([&] { __ubuf__ int (&a)[8]" VARIABLE("a", "VECCALC") "; });"},
    };
    for (const auto& [source, expected] : kCases) EXPECT_EQ(InFunction(source), expected);
}

TEST(LocalMemory, WhatStays) {
    for (const char* source :
         {"__ubuf__ float* p; __ubuf__ float* q = a; __ubuf__ float& r = *p; __ubuf__ half* a[4];",
          "auto f = [](__ubuf__ float* a, __ubuf__ float b[4]) { return a; };",
          "__ubuf__ T x = tensor.GetPhyAddr(); sizeof(__ubuf__ float); f<__ubuf__ float>();",
          "using P = __ubuf__ float*; typedef __ubuf__ float A[4]; __ubuf__ float (*g)(int);",
          "__gm__ float* p = (__gm__ float*)x; __ubuf__ float h(int); extern __ubuf__ float a[8];"}) {
        EXPECT_EQ(InFunction(source), source);
    }
    for (const char* source :
         {"void f(__ubuf__ float* p, __ubuf__ float a[64]);", "struct S { __ubuf__ float* p; __ubuf__ Pointer q; };",
          "template <class T> __ubuf__ T* F(__ubuf__ T*) { return (T*)0; }"}) {
        EXPECT_EQ(Text(source), source);
    }
}

TEST(LocalMemory, InMacros) {
    EXPECT_EQ(Text("#define BUF(T, n, m) __ubuf__ T n##_b[m]\n"),
              "#define BUF(T, n, m) __ubuf__ T (&n##_b)[m] = SFUMATO_LOCAL_VARIABLE(#n \"_b\", VECCALC)\n");
    EXPECT_EQ(Text("#define UB __ubuf__\n#define BUF UB float a[64];\n"),
              "#define UB __ubuf__\n#define BUF UB float (&a)[64]" VARIABLE("a", "VECCALC") ";\n");
    EXPECT_EQ(Text("#define L1 __cbuf__\nvoid f() { L1 float a[64]; }"),
              "#define L1 __cbuf__\nvoid f() { L1 float (&a)[64]" VARIABLE("a", "A1") "; }");
    EXPECT_EQ(Text("#define AT(T, n) ((__ubuf__ T*)(n))\n#define TO (__ubuf__ half*)\n#define PTR __ubuf__ float*\n"),
              "#define AT(T, n) ((T*)(__ub) (n))\n#define TO (half*)(__ub) \n#define PTR __ubuf__ float*\n");
}

TEST(LocalMemory, Casts) {
    const std::pair<const char*, const char*> kCases[] = {
        {"p = (__ubuf__ float*)(0x400);", "p = (float*)(__ub) (0x400);"},
        {"p = (__cbuf__ half *)n; q = (__ca__ int8_t*)0;", "p = (half *)(__l1) n; q = (int8_t*)(__l0a)0;"},
        {"p = *(__cc__ float*)-n + (const __fbuf__ uint64_t*)g(1);",
         "p = *(float*)(__l0c)-n + (const uint64_t*)(__fb) g(1);"},
        {"return (__biasbuf__ ns::T<3>*)&x; if (x) (__ubuf__ int*)y;",
         "return (ns::T<3>*)(__bt) &x; if (x) (int*)(__ub) y;"},
        {"p = reinterpret_cast<__ubuf__ float*>((uintptr_t)n);", "p = __ub_cast <__ubuf__ float*>((uintptr_t)n);"},
        {"f((__ubuf__ void*)(uint64_t)n, 1);", "f((void*)(__ub) (uint64_t)n, 1);"},
        {"x = (__ubuf__ T*)NULL; y = (__ubuf__ T*)nullptr;", "x = (__ubuf__ T*)NULL; y = (__ubuf__ T*)nullptr;"},
        {"void g(__ubuf__ T*) const; sizeof(__ubuf__ T*) * 2; f<void(__ubuf__ T*)>(x);",
         "void g(__ubuf__ T*) const; sizeof(__ubuf__ T*) * 2; f<void(__ubuf__ T*)>(x);"},
        {"auto l = [](__ubuf__ T*) -> int { return 1; }; p = static_cast<__ubuf__ T*>(q); r = (__ubuf__ T**)n;",
         "auto l = [](__ubuf__ T*) -> int { return 1; }; p = static_cast<__ubuf__ T*>(q); r = (__ubuf__ T**)n;"},
    };
    for (const auto& [source, expected] : kCases) EXPECT_EQ(InFunction(source), expected);
    EXPECT_EQ(RewriteLaunches("f((__ubuf__ float*)(0x400), y);").text, "f((float*)(__ub)   (0x400), y);");
}

TEST(LocalMemory, ColumnsStay) {
    EXPECT_EQ(RewriteLaunches("void f() {\n\t__ubuf__ int a[4]; x();\n}").text,
              "void f() {\n\t__ubuf__ int (&\n#line 2\n\t             a)\n#line 2\n\t              [4]" VARIABLE(
                  "a", "VECCALC") "\n#line 2\n\t                 ; x();\n}");
}

TEST(LocalMemory, Refused) {
    const auto at = [](const char* source) {
        std::string places;
        for (const Diagnostic& d : RewriteLaunches(source).errors)
            places += fmt::format("{}:{} {} ", d.line, d.column, Name(d.rule));
        return places;
    };
    EXPECT_EQ(at("__ubuf__ float a[8];"), "1:16 static-array-form ");
    EXPECT_EQ(at("namespace n { extern __ubuf__ char d[]; }"), "1:36 static-array-form ");
    EXPECT_EQ(at("struct S {\n  __ubuf__ float a[8]; };"), "2:18 static-array-form ");
    EXPECT_EQ(at("void f() { __ubuf__ float a[2] = {1, 2}; __ubuf__ S s{1}; }"),
              "1:27 static-array-form 1:53 static-array-form ");
}

TEST(Statements, Assembly) {
    const auto lines = [](const char* source) {
        std::string places;
        for (const Diagnostic& d : RewriteLaunches(source).errors) places += fmt::format("{}:{} ", d.line, d.column);
        return places;
    };
    EXPECT_EQ(lines("__aicore__ void f() { asm volatile(\"\" ::: \"memory\"); asm(\" \\n\"); }"), "");
    EXPECT_EQ(lines("__aicore__ void f() { asm volatile(\"dsb\"); }\nvoid g() { asm(\"nop\"); }"), "1:23 ");
    EXPECT_EQ(lines("struct S { inline [aicore] void f() { if (x) {\n __asm__ __volatile__(R\"(x)\"); } } };"), "2:2 ");
    EXPECT_EQ(lines("#define STOP asm(\"halt\")\n#define HERE inline [aicore]\nHERE void f() { STOP; }"), "3:17 ");
    EXPECT_EQ(lines("extern \"C\" __global__ void f() { auto g = [] { asm(\"x\"); }; } int a asm(\"name\");"), "1:48 ");
}

TEST(Statements, AssertsThatDoNotCompile) {
    const char* source = "ASSERT(a);\nn ASSERT(b != 0 &&\n  c);\nASSERT(d);";
    const Rewritten rewritten = RewriteLaunches(source, {}, {}, nullptr, {2});
    EXPECT_EQ(rewritten.text, "ASSERT(a);\nn                 \n    ;\nASSERT(d);");
    EXPECT_EQ(rewritten.left_out, (std::set<uint32_t>{2}));
    EXPECT_EQ(RewriteLaunches(source, {}, {}, nullptr, {1, 4}).left_out, (std::set<uint32_t>{1, 4}));
    EXPECT_EQ(RewriteLaunches(source, {}, {}, nullptr, {3}).left_out, (std::set<uint32_t>{2}));
    EXPECT_EQ(
        ErrorLines("a/../k.cpp:4:5: error: x\nIn file:3:1: note: y\n/b.h:12:   required from here\nc.h:7:1: fatal "
                   "error: z\nk.cpp:9:1: error: w"),
        (LinesOfFiles{{"k.cpp", {4, 9}}}));
}

}  // namespace
}  // namespace sfumato::jit
