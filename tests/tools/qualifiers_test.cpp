// SPDX-License-Identifier: Apache-2.0
// Tests of how qualifiers in brackets are told from subscripts, captures and attributes.
#include "jit/qualifiers.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "jit/launch_rewriter.h"

namespace sfumato::jit {
namespace {

// The text after the pass, its runs of blanks as one; every line and column stays.
std::string Text(std::string_view source) {
    const Rewritten rewritten = RewriteLaunches(source);
    EXPECT_EQ(rewritten.text.size(), source.size()) << source;
    EXPECT_EQ(rewritten.changed, rewritten.text != source) << source;
    for (size_t i = 0; i < std::min(source.size(), rewritten.text.size()); ++i) {
        EXPECT_TRUE(rewritten.text[i] == source[i] || (rewritten.text[i] == ' ' && source[i] != '\n')) << source;
    }
    std::string text;
    for (const char c : rewritten.text) {
        if (c != ' ' || text.empty() || text.back() != ' ') text += c;
    }
    return text;
}

TEST(Qualifiers, InDeclarations) {
    const std::pair<const char*, const char*> kCases[] = {
        {"[aicore] inline int f();", " inline int f();"},
        {"int a; [aicore] int f();", "int a; int f();"},
        {"void g() {} [ host , aicore ] T f();", "void g() {} T f();"},
        {"inline[aicore] int f();", "inline int f();"},
        {"template <class T> [host] T f(T x);", "template <class T> T f(T x);"},
        {"template <class T> inline [aicore] T f(T x);", "template <class T> inline T f(T x);"},
        {"static [aicore] ::ns::T f();", "static ::ns::T f();"},
        {"struct S { [aicore] S(); [aicore] ~S(); [host, aicore] explicit S(int); };",
         "struct S { S(); ~S(); explicit S(int); };"},
        {"public: [aicore] operator int() const;", "public: operator int() const;"},
        {"inline [aicore] auto f() -> int;", "inline auto f() -> int;"},
        {"[aicore] bool operator==(S a, S b);", " bool operator==(S a, S b);"},
        {"friend [aicore] S operator+(S, S);", "friend S operator+(S, S);"},
        {"__attribute__((always_inline)) [aicore] void f();", "__attribute__((always_inline)) void f();"},
        {"DEVICE(1) [aicore] void f();", "DEVICE(1) void f();"},
        {"void [aicore] f(); void [aicore] *g();", "void f(); void *g();"},
        {"const half [host][aicore] f();", "const half f();"},
        {"[aicore] constexpr int f();", " constexpr int f();"},
        {"[aicore] static constexpr int kN = 3;", " static constexpr int kN = 3;"},
        {"[aicore]\n#ifdef X\nint f();\n#endif", " \n#ifdef X\nint f();\n#endif"},
        {"[host, // both\n aicore] int f();", " // both\n int f();"},
        {"inline [aicore] [[nodiscard]] int f();", "inline [[nodiscard]] int f();"},
        {"[[nodiscard]] [aicore] int f();", "[[nodiscard]] int f();"},
        {"inline [aicore] __attribute__((noinline)) int f();", "inline __attribute__((noinline)) int f();"},
        {"extern \"C\" [aicore] void f();", "extern \"C\" void f();"},
        {"auto f = [&](int x) [aicore] { return x; };", "auto f = [&](int x) { return x; };"},
        {"void f(int) const [aicore] { }", "void f(int) const { }"},
        {"auto f(int) [aicore] -> int { }", "auto f(int) -> int { }"},
        {"[aicore] and_more f();", " and_more f();"},
    };
    for (const auto& [source, expected] : kCases) EXPECT_EQ(Text(source), expected) << source;
}

TEST(Qualifiers, WhatIsNone) {
    for (const char* source : {
             "auto f = [host, aicore](int x) { return host + aicore; };",
             "auto f = [aicore] { return aicore; };",
             "[aicore] { use(aicore); }();",
             "if (x) [aicore] { use(aicore); }();",
             "call([aicore]() mutable { ++n; });",
             "auto f = [aicore] mutable { return 1; };",
             "auto f = [aicore] mutable noexcept(true) -> int { return 1; };",
             "auto f = [aicore] __attribute__((cold)) (int) { return 1; };",
             "auto f = [aicore] [[nodiscard]] (int) { return 1; };",
             "auto f = [host, aicore]<class T>(T x) { return x; };",
             "auto f = [host, &aicore] (int) { }; auto g = [=, aicore] { }; auto h = [aicore = 1] { };",
             "int a[aicore]; int b[host], c = a[aicore] + b[ host ];",
             "int a[aicore] = {}; int b[aicore][host]; f(a[aicore], b[host]);",
             "x = a[aicore] and b; y = a[host] or_eq c; z = f()[aicore] xor d;",
             "x = a[aicore] * b; y = a[host] & c; a[aicore](3); a[aicore]{3};",
             "x = a[aicore] ? a[host] : -a[aicore] - 1;",
             "float a[aicore] __attribute__((aligned(32)));",
             "float a[aicore] __attribute__((aligned(32))) = {};",
             "auto [host, aicore] = f(); auto [aicore] {f()};",
             "for (const auto& [host, aicore] : map) {}",
             "[[aicore]] void f(); [[host, aicore]] void g(); [[deprecated(\"[aicore] x\")]] int h();",
             "\"[aicore] int f();\"; R\"([host, aicore] int f();)\"; '['; // [aicore] int f();",
             "/* [aicore] int f(); */ int a; char c[] = {[aicore] = 1};",
             "new int[aicore]; delete[] aicore; sizeof(int[aicore]);",
             "#if defined(aicore) // [aicore] x\n#endif",
             "#define PLUS +\nx = a[aicore] PLUS b;",
             "[device] int f(); [aicore x] int g(); [host aicore] int h();",
         }) {
        EXPECT_EQ(Text(source), source);
    }
}

TEST(Qualifiers, InMacros) {
    const std::pair<const char*, const char*> kCases[] = {
        {"#define HERE [aicore]", "#define HERE "},
        {"#define HERE __forceinline__ [host, aicore]\n", "#define HERE __forceinline__ \n"},
        {"#define HERE __forceinline__[aicore]", "#define HERE __forceinline__ "},
        {"#define HERE \\\n    inline \\\n    [host, \\\n aicore]\n", "#define HERE \\\n inline \\\n \\\n \n"},
        {"#define HERE __attribute__((always_inline)) [aicore]", "#define HERE __attribute__((always_inline)) "},
        {"#define HERE [[maybe_unused]] [aicore]", "#define HERE [[maybe_unused]] "},
        {"#define T1 template <class T> [aicore]", "#define T1 template <class T> "},
        {"#define FN(name) inline [aicore] void name()", "#define FN(name) inline void name()"},
        {"#define FN(ret) inline [aicore] ret f()", "#define FN(ret) inline ret f()"},
        {"#define A inline\n#define HERE A [aicore]", "#define A inline\n#define HERE A "},
        {"#define HERE A [aicore]\n#define A inline\n", "#define HERE A \n#define A inline\n"},
        {"#define A(x) __attribute__((x))\n#define HERE A(cold) [aicore]",
         "#define A(x) __attribute__((x))\n#define HERE A(cold) "},
        {"#define HERE OF_ANOTHER_FILE [aicore]", "#define HERE OF_ANOTHER_FILE "},
        {"#ifdef X\n#define HERE [aicore]\n#else\n#define HERE\n#endif\nHERE int f();",
         "#ifdef X\n#define HERE \n#else\n#define HERE\n#endif\nHERE int f();"},
        {"#define __aicore__ [aicore]\n", "#define __aicore__ \n"},
        {"#define C extern \"C\" [aicore]", "#define C extern \"C\" "},
    };
    for (const auto& [source, expected] : kCases) EXPECT_EQ(Text(source), expected) << source;
    for (const char* source : {
             "#define AT(a) a[aicore]",
             "#define AT(a) a [aicore]",
             "#define AT table[aicore]",
             "#define AT TABLE[host]",
             "#define AT get()[aicore]",
             "#define AT (x)[aicore]",
             "#define AT a[b[0]][aicore]",
             "#define AT(op, b) a[aicore] op b",
             "#define F [aicore](int x) { return x; }",
             "#define NAME(aicore) #aicore \"[aicore]\"",
             "#define A TABLE\n#define AT [aicore] + 1",
         }) {
        EXPECT_EQ(Text(source), source);
    }
}

TEST(Qualifiers, InlineOnce) {
    const std::pair<const char*, const char*> kCases[] = {
        {"__forceinline__ inline void f();", "__forceinline__ void f();"},
        {"inline __forceinline__ void f();", " __forceinline__ void f();"},
        {"static inline [aicore] __forceinline__ void f();", "static __forceinline__ void f();"},
        {"__inline__ __attribute__((cold)) __forceinline__ void f();",
         " __attribute__((cold)) __forceinline__ void f();"},
        {"__forceinline__ __aicore__ static inline void f();", "__forceinline__ __aicore__ static void f();"},
        {"#define HERE static __forceinline__ [aicore]\ninline HERE void f();",
         "#define HERE static __forceinline__ \n HERE void f();"},
        {"#define HERE __forceinline__\n__forceinline__ HERE void f();",
         "#define HERE __forceinline__\n HERE void f();"},
        {"#define HERE __forceinline__ __aicore__ inline\n", "#define HERE __forceinline__ __aicore__ \n"},
        {"__forceinline__ template <class T> void f();", " template <class T> void f();"},
        {"#define HERE __forceinline__ [aicore]\nHERE template <class T> inline void f();",
         "#define HERE __forceinline__ \n template <class T> inline void f();"},
        {"__forceinline__ void f() { inline_(x); } inline void g();",
         "__forceinline__ void f() { inline_(x); } inline void g();"},
        {"template <class T> __forceinline__ void f(); inline int g();",
         "template <class T> __forceinline__ void f(); inline int g();"},
    };
    for (const auto& [source, expected] : kCases) EXPECT_EQ(Text(source), expected) << source;
}

TEST(Qualifiers, Attributes) {
    EXPECT_EQ(Text("extern \"C\" __attribute__((cce_kernel)) void f();"), "extern \"C\" __attribute__(( )) void f();");
    EXPECT_EQ(Text("__attribute__((noinline, cce_kernel)) void f();"), "__attribute__((noinline, )) void f();");
    EXPECT_EQ(Text("int cce_kernel = 1; f((cce_kernel));"), "int cce_kernel = 1; f((cce_kernel));");
}

TEST(Qualifiers, MacrosOfOtherFiles) {
    MacroWords macros;
    RewriteLaunches("#define A static inline\n#define B\n#define C table\n", {}, {}, &macros);
    const auto text = [&](const char* source) { return RewriteLaunches(source, {}, {}, &macros).text; };
    EXPECT_EQ(text("#define HERE A [aicore]"), "#define HERE A         ");
    EXPECT_EQ(text("#define HERE B[aicore]"), "#define HERE B        ");
    EXPECT_EQ(text("#define AT C[aicore]"), "#define AT C[aicore]");
}

}  // namespace
}  // namespace sfumato::jit
