// SPDX-License-Identifier: Apache-2.0
// Tests of what a source mentions of its build, and of the defines it gets.
#include "jit/build_defines.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace sfumato::jit {
namespace {

namespace fs = std::filesystem;

class BuildDefinesTest : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "sfumato-build-XXXXXX").string();
        dir_ = mkdtemp(name.data());
    }
    void TearDown() override { fs::remove_all(dir_); }
    std::string Write(const std::string& name, const std::string& text) {
        std::ofstream(dir_ / name) << text;
        return (dir_ / name).string();
    }
    fs::path dir_;
};

std::vector<std::string> Defines(const CompileOptions& options, const Mentions& mentions = {}) {
    std::vector<std::string> flags = BuildDefines(options, mentions, {});
    EXPECT_EQ(flags.front(), "-DSFUMATO_KERNEL_BUILD");
    flags.erase(flags.begin());
    return flags;
}
using Flags = std::vector<std::string>;

TEST_F(BuildDefinesTest, MentionsOfASourceAndItsIncludes) {
    Write("b.h",
          "#include \"a.cpp\"\nint n = sizeof(DTYPE_Y);\n#ifdef ORIG_DTYPE_Z\n#endif\n#if ORIG_DTYPE_Z == 1\n#endif\n");
    const std::string text =
        "#include \"b.h\"\n#define DTYPE_OWN int\ntemplate <typename DTYPE_P> void f();\n// DTYPE_COMMENT\n"
        "#if ORIG_DTYPE_X == DT_FLOAT && FORMAT_X == FORMAT_ND\n#endif\nauto p = GetSysWorkSpacePtr();\n";
    const Mentions m = FindMentions(Write("a.cpp", text), text, {});
    EXPECT_TRUE(m.system_workspace);
    EXPECT_FALSE(m.templates);
    ASSERT_EQ(m.types.size(), 5u);
    EXPECT_TRUE(m.types.at("X").number && m.types.at("X").format && !m.types.at("X").guarded);
    EXPECT_FALSE(m.types.at("Y").number);
    EXPECT_TRUE(m.types.at("Z").guarded);
    EXPECT_TRUE(m.types.at("OWN").own);
    EXPECT_TRUE(m.types.at("P").own);
    EXPECT_EQ(Defines({}, m), (Flags{"-DFORMAT_X=FORMAT_X()", "-DORIG_DTYPE_X=ORIG_DTYPE_X()"}))
        << "what nobody gives is an error in #if";
}

// Numbers of types are macros in a kernel alone, where nobody else has these names.
TEST_F(BuildDefinesTest, NumbersOfTypes) {
    const auto mentions = [&](const std::string& text) { return FindMentions(Write("n.cpp", text), text, {}); };
    EXPECT_FALSE(mentions("void f() { int DTX_FLOAT; }").numbers);
    for (const char* text : {"#if X == DT_FLOAT16\n#endif", "bool b = x == DT_BF16;", "f(DT_FLOAT8_E4M3FN);"}) {
        EXPECT_TRUE(mentions(text).numbers) << text;
        EXPECT_FALSE(mentions(text).own_numbers) << text;
    }
    for (const char* text :
         {"enum { DT_FLOAT = 0 };", "enum class Kind : int { NONE, DT_INT8, DT_BF16 };",
          "#include \"tiling/tiling_api.h\"\nint x = DT_FLOAT;", "constexpr int DT_INT8 = 2;",
          "#define DT_INT32 3\nint x = DT_INT32;", "namespace ge {} int x = DT_FLOAT;", "auto x = ge::DT_FLOAT;"}) {
        EXPECT_TRUE(mentions(text).own_numbers) << text;
    }
}

TEST_F(BuildDefinesTest, WhatOptionsDefine) {
    CompileOptions options;
    options.tiling_key = 10000000000000000001u;
    options.tiling_struct = "ops::Tiling";
    options.dtypes = {{"x", "half"}, {"weight", "DT_BF16"}, {"n", "int32"}};
    options.formats = {{"weight", "nz"}};
    EXPECT_EQ(Defines(options),
              (Flags{"-DTILING_KEY_VAR=10000000000000000001ULL", "-DSFUMATO_TILING_STRUCT=ops::Tiling",
                     "-DDTYPE_X=half", "-DORIG_DTYPE_X=DT_FLOAT16", "-DFORMAT_X=FORMAT_ND", "-DDTYPE_WEIGHT=bfloat16_t",
                     "-DORIG_DTYPE_WEIGHT=DT_BF16", "-DDTYPE_N=int32_t", "-DORIG_DTYPE_N=DT_INT32",
                     "-DFORMAT_N=FORMAT_ND", "-DFORMAT_WEIGHT=FORMAT_FRACTAL_NZ"}));
}

TEST_F(BuildDefinesTest, TypesOfTheArguments) {
    CompileOptions options;
    options.source = Write("k.cpp",
                           "extern \"C\" __global__ void other(GM_ADDR a);\n"
                           "extern \"C\" __global__ void k(GM_ADDR x, GM_ADDR self, uint32_t n, GM_ADDR z) {\n"
                           "DTYPE_X a; DTYPE_SELF b; DTYPE_N c; DTYPE_Q d; }\n");
    options.dtypes = {{"self", "float"}};
    DeriveTypes(options, "k", {DataType::kHalf, DataType::kInt8, std::nullopt, DataType::kInt32});
    EXPECT_EQ(options.dtypes, (std::vector<std::pair<std::string, std::string>>{{"self", "float"}, {"x", "half"}}));
}

TEST_F(BuildDefinesTest, MissingTypesAreNamed) {
    Mentions m;
    m.types["X"] = {};
    EXPECT_EQ(MissingTypes({}, m, "error: 'DTYPE_X' was not declared"),
              "DTYPE_X is the element type of x, which the build gives: pass --dtype x=half (in Python dtypes={\"x\": "
              "\"half\"})");
    EXPECT_EQ(MissingTypes({}, m, "error: something else"), "");
    m.types["X"].own = true;
    EXPECT_EQ(MissingTypes({}, m, "error: 'DTYPE_X' was not declared"), "");
}

TEST_F(BuildDefinesTest, TypesByDefineAreTold) {
    CompileOptions by_hand;
    by_hand.defines = {{"COUNT", "4"}, {"DTYPE_X", "float16"}};
    const std::string told =
        "DTYPE_X comes from the element type of x, with what belongs to it: instead of -D DTYPE_X pass --dtype x=half "
        "(in "
        "Python dtypes={\"x\": \"half\"})";
    EXPECT_EQ(MissingTypes(by_hand, {}, "error: 'float16' was not declared"), told);
    EXPECT_EQ(MissingTypes(by_hand, {}, "note: in expansion of macro 'DTYPE_X'"), told);
    EXPECT_EQ(MissingTypes(by_hand, {}, "error: 'n' was not declared"), "");
    by_hand.defines = {{"ORIG_DTYPE_X", ""}};
    EXPECT_NE(MissingTypes(by_hand, {}, "error: ORIG_DTYPE_X").find("instead of -D ORIG_DTYPE_X pass --dtype x=half"),
              std::string::npos);
}

}  // namespace
}  // namespace sfumato::jit
