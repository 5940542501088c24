// SPDX-License-Identifier: Apache-2.0
// Tests of how launches are found and rewritten.
#include "jit/launch_rewriter.h"

#include <gtest/gtest.h>

#include "jit/launch_stubs.h"

namespace sfumato::jit {
namespace {

std::string Text(std::string_view source) {
    const Rewritten rewritten = RewriteLaunches(source);
    EXPECT_EQ(rewritten.errors.size(), 0u) << rewritten.errors.at(0).message;
    return rewritten.text;
}

TEST(LaunchRewriter, Names) {
    EXPECT_EQ(Text("f<<<n, nullptr, s>>>(x);"), "SFUMATO_LAUNCH(f).On(n, nullptr, s)(x);");
    EXPECT_EQ(Text("if (b) ns::f <<<1, 0, s>>> ();"), "if (b) SFUMATO_LAUNCH(ns::f ).On(1, 0, s) ();");
    EXPECT_EQ(Text("::f<<<1, 0, s>>>(x)"), "SFUMATO_LAUNCH(::f).On(1, 0, s)(x)");
    EXPECT_EQ(Text("k<half><<<1, 0, s>>>(x);"), "SFUMATO_LAUNCH(k<half>).On(1, 0, s)(x);");
    EXPECT_EQ(Text("a::b<int, (3 > 2)>::k<v<T>, 3><<<1, 0, s>>>(x);"),
              "SFUMATO_LAUNCH(a::b<int, (3 > 2)>::k<v<T>, 3>).On(1, 0, s)(x);");
    EXPECT_EQ(Text("T::template k<U><<<1, 0, s>>>(x);"), "SFUMATO_LAUNCH(T::template k<U>).On(1, 0, s)(x);");
    EXPECT_EQ(Text("else f<<<1, 0, s>>>(x);"), "else SFUMATO_LAUNCH(f).On(1, 0, s)(x);");
}

TEST(LaunchRewriter, WhatStandsBetween) {
    EXPECT_EQ(Text("f<<<g<a<b<c>>>(s), 0, s>>>(x);"), "SFUMATO_LAUNCH(f).On(g<a<b<c>>>(s), 0, s)(x);");
    EXPECT_EQ(Text("f<<<n >> 2, 0, s>>>(x), g<<<1, 0, s>>>(y);"),
              "SFUMATO_LAUNCH(f).On(n >> 2, 0, s)(x), SFUMATO_LAUNCH(g).On(1, 0, s)(y);");
    EXPECT_EQ(Text("f<<<h(\">>>(\"), 0, /* >>>( */ s>>>(x);"),
              "SFUMATO_LAUNCH(f).On(h(\">>>(\"), 0, /* >>>( */ s)(x);");
    EXPECT_EQ(Text("f<<<[] { return 1; }(), 0, s>>>(x);"), "SFUMATO_LAUNCH(f).On([] { return 1; }(), 0, s)(x);");
}

TEST(LaunchRewriter, LinesStay) {
    EXPECT_EQ(Text("a;\nf\n  <<<1,\n   0, s>>>\n  (x,\n   y);\nb;"),
              "a;\nSFUMATO_LAUNCH(f\n  ).On(1,\n   0, s)\n  (x,\n   y);\nb;");
}

TEST(LaunchRewriter, BodiesOfMacros) {
    EXPECT_EQ(Text("#define GO(k, ...) \\\n    k<<<n, nullptr, s>>>(__VA_ARGS__)\nGO(f, x);"),
              "#define GO(k, ...) \\\n    SFUMATO_LAUNCH(k).On(n, nullptr, s)(__VA_ARGS__)\nGO(f, x);");
    EXPECT_EQ(Text("  #  define GO(t) k_##t<<<1, 0, s>>>(#t)"),
              "  #  define GO(t) SFUMATO_LAUNCH(k_##t).On(1, 0, s)(#t)");
}

TEST(LaunchRewriter, Includes) {
    const Includes other = [](const std::string& name, bool) { return name == "a.h" ? "/tmp/b.h" : ""; };
    EXPECT_EQ(RewriteLaunches("#include \"a.h\"\n#include \"c.h\"\n#include <a.h>\n", other).text,
              "#include \"/tmp/b.h\"\n#include \"c.h\"\n#include \"/tmp/b.h\"\n");
    EXPECT_EQ(RewriteLaunches("#if X && __has_include(<a.h>) && \\\n  Y // no\n#include_next \"a.h\"\n", other).text,
              "#if X && __has_include(\"/tmp/b.h\") &&   Y  \\\n\n#include_next \"a.h\"\n");
    EXPECT_FALSE(RewriteLaunches("#include \"c.h\"\n", other).changed);
}

TEST(LaunchRewriter, KernelsWhoseNameIsTaken) {
    const TakenNames taken = {"log", "std"};
    const auto text = [&](const char* source) { return RewriteLaunches(source, {}, taken).text; };
    EXPECT_EQ(text("extern \"C\" __global__ __aicore__ void log(GM_ADDR x) { x[0] = log(2); }"),
              "extern \"C\" __global__ __aicore__ void sfumato_named_log(GM_ADDR x) { x[0] = log(2); }");
    EXPECT_EQ(text("extern \"C\" void log(void* x);\nvoid go() { n::log<T><<<1, 0, s>>>(std::log(x), p.log()); }"),
              "extern \"C\" void sfumato_named_log(void* x);\n"
              "void go() { SFUMATO_LAUNCH(n::sfumato_named_log<T>).On(1, 0, s)(std::log(x), p.log()); }");
    EXPECT_EQ(text("namespace a { __global__ void std(); } void f() { ICPU_RUN_KF(std, 1); run(std); }"),
              "namespace a { __global__ void sfumato_named_std(); } "
              "void f() { ICPU_RUN_KF(sfumato_named_std, 1); run(std); }");
    EXPECT_EQ(text("#define K(n) __global__ void n() {}\nK(log)\n#define L __global__ void std() {}\nL\n"),
              "#define K(n) __global__ void n() {}\nK(sfumato_named_log)\n"
              "#define L __global__ void sfumato_named_std() {}\nL\n");
    EXPECT_EQ(text("struct S { void log(); };\nvoid S::log() {}"), "struct S { void log(); };\nvoid S::log() {}");
}

TEST(LaunchRewriter, WhatIsNoLaunch) {
    for (const char* source :
         {"a << b; c >> d;", "// f<<<1, 0, s>>>(x)", "\"f<<<1, 0, s>>>(x)\"", "R\"(f<<<1,0,s>>>(x))\"",
          "std::ostream& operator<<<T>(std::ostream&, T);", "a<b<c<d>>> e;"}) {
        EXPECT_EQ(Text(source), source);
        EXPECT_EQ(RewriteLaunches(source).launches, 0u);
    }
}

// "line:column rule: message" of each error.
std::string Errors(std::string_view source) {
    std::string text;
    for (const Diagnostic& d : RewriteLaunches(source).errors) {
        text += (text.empty() ? "" : "\n") + std::to_string(d.line) + ":" + std::to_string(d.column) + " " +
                Name(d.rule) + ": " + d.message;
    }
    return text;
}

TEST(LaunchRewriter, Refused) {
    const std::string form = "; a launch is kernel<<<blocks, nullptr, stream>>>(arguments)";
    EXPECT_EQ(Errors("\n  return <<<1, 0, s>>>(x);"), "2:10 launch-syntax: no kernel's name stands before <<<" + form);
    EXPECT_EQ(Errors("f<<<1, 0, s>>(x);"), "1:2 launch-syntax: <<< has no >>>" + form);
    EXPECT_EQ(Errors("f<<<>>>(x);"), "1:2 launch-syntax: nothing stands between <<< and >>>" + form);
    EXPECT_EQ(Errors("f<<<1, 0, s>>>;"), "1:12 launch-syntax: no arguments in parentheses follow >>>" + form);
    EXPECT_EQ(Errors("#define GO \\\n  f<<<1"), "2:4 launch-syntax: <<< has no >>>" + form);
}

TEST(LaunchRewriter, ABranchThatIsLeftOut) {
    const auto lost = [](const char* at, const char* macro) {
        return std::string(at) +
               " host-half-lost: this launch stands in a branch that is left out, since host and device code " +
               "share one pass and " + macro +
               " is defined in it; choose the branches by __CCE_KT_TEST__ or ASCENDC_CPU_DEBUG";
    };
    EXPECT_EQ(Errors("#ifdef __CCE_AICORE__\nint a;\n#else\nf<<<1, 0, s>>>(x);\n#endif"),
              lost("4:2", "__CCE_AICORE__"));
    EXPECT_EQ(Errors("#if !defined(__NPU_ARCH__)\n#if X\nf<<<1, 0, s>>>(x);\n#endif\n#endif"),
              lost("3:2", "__NPU_ARCH__"));
    EXPECT_EQ(Errors("#ifndef __CCE_AICORE__\n#else\nf<<<1, 0, s>>>(x);\n#endif\nf<<<1, 0, s>>>(x);"), "");
    EXPECT_EQ(Errors("#if !defined(__CCE_AICORE__) || __CCE_AICORE__ >= 220\nf<<<1, 0, s>>>(x);\n#endif"), "");
}

std::vector<LaunchStub> Stubs(const char* source, bool workspace = false, bool tiling = false) {
    return WriteLaunchStubs(FindKernels(source), source, workspace, tiling);
}

TEST(LaunchStubs, TheHeaderNamesNoTypeOfTheKernel) {
    const std::vector<LaunchStub> stubs = Stubs(
        "using Length = const std::uint32_t; typedef Length Rows; using Here = __gm__ half*; typedef int Pair[2];\n"
        "namespace ops { extern \"C\" __global__ __aicore__ void add(GM_ADDR x, Tiling t); }\n"
        "namespace ops { extern \"C\" __global__ __aicore__ void add(GM_ADDR x, const __gm__ half* y, Rows n, "
        "const Tiling t, unsigned long blockDim, Here z, std::array<int*, 2>, half stream) {} }\n"
        "template <class T> __global__ __aicore__ void other(GM_ADDR x) {}");
    ASSERT_EQ(stubs.size(), 1u);
    EXPECT_EQ(stubs[0].kernel, "add");
    EXPECT_NE(
        stubs[0].header.find(
            "\nuint32_t aclrtlaunch_add(uint32_t /*blockDim*/, void* /*stream*/, void* /*x*/, void* /*y*/, uint32_t "
            "/*n*/, const void* /*t*/, unsigned long /*blockDim*/, void* /*z*/, const void*, const void* "
            "/*stream*/);\n"),
        std::string::npos)
        << stubs[0].header;
    EXPECT_NE(stubs[0].header.find("template <class T3, class T6, class T7>\ninline uint32_t aclrtlaunch_add("),
              std::string::npos);
    EXPECT_NE(stubs[0].definition.find("SFUMATO_LAUNCH(::ops::add).On(blocks, nullptr, stream)(argument0, argument1, "
                                       "argument2, value3.Get(), argument4, argument5, value6.Get(), value7.Get())"),
              std::string::npos)
        << stubs[0].definition;
}

TEST(LaunchStubs, WithNumbersAndPointersThereIsOneFunction) {
    const std::vector<LaunchStub> stubs =
        Stubs("__global__ void f(GM_ADDR x, float y) {}\n__global__ void g(GM_ADDR x);");
    ASSERT_EQ(stubs.size(), 1u);
    EXPECT_EQ(stubs[0].header.find("template"), std::string::npos);
    EXPECT_EQ(
        stubs[0].definition,
        "extern \"C\" __attribute__((visibility(\"default\"))) uint32_t aclrtlaunch_f(uint32_t blocks, void* stream, "
        "void* argument0, float argument1) {\n    return SFUMATO_LAUNCH(::f).On(blocks, nullptr, "
        "stream)(argument0, argument1) ? 0 : 100000;\n}\n");
}

TEST(LaunchStubs, TheWorkspace) {
    const char* source = "__global__ void f(GM_ADDR x, GM_ADDR workspace, GM_ADDR tiling) {}";
    EXPECT_NE(Stubs(source, true, true)[0].definition.find(
                  "(argument0, ::sfumato::host::UserWorkspace(argument1), argument2)"),
              std::string::npos);
    EXPECT_NE(Stubs(source, true, false)[0].definition.find(
                  "(argument0, argument1, ::sfumato::host::UserWorkspace(argument2))"),
              std::string::npos);
    EXPECT_NE(Stubs(source, false, true)[0].definition.find("(argument0, argument1, argument2)"), std::string::npos);
}

}  // namespace
}  // namespace sfumato::jit
