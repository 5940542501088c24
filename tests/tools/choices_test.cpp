// SPDX-License-Identifier: Apache-2.0
// Tests of `c ? x : 1.0f` with a 16-bit float, which compilers refuse.
#include "jit/choices.h"

#include <gtest/gtest.h>

namespace sfumato::jit {
namespace {

constexpr const char* kGcc =
    "In file included from k.cpp:1:\n"
    "inc/../k.h:7:20: error: operands to ‘?:’ have different types ‘const float’ and ‘sfumato::half’\n"
    "    7 |     T y = up ? 1.0f : x;\n"
    "k.h:9:5: error: ‘z’ was not declared in this scope\n";

TEST(Choices, Lines) {
    EXPECT_EQ(ChoiceLines(kGcc), (LinesOfFiles{{"k.h", {7}}}));
    EXPECT_EQ(ChoiceLines("k.cpp:3:9: error: operands to ?: have different types ‘sfumato::bfloat16_t’ and ‘int’\n"),
              (LinesOfFiles{{"k.cpp", {3}}}));
    EXPECT_EQ(ChoiceLines("k.cpp:4:1: error: conditional expression is ambiguous; 'float' can be converted to "
                          "'sfumato::half' and vice versa\n"),
              (LinesOfFiles{{"k.cpp", {4}}}));
    EXPECT_TRUE(ChoiceLines("k.cpp:3:9: error: operands to ‘?:’ have different types ‘A’ and ‘B’\n").empty());
}

// Lines are those of the markers of the preprocessor.
std::string Changed(const std::string& line) {
    const std::string before = "# 1 \"other.h\"\nint a = b ? c : d;\n# 12 \"k.h\" 2\n\n";
    const std::string text = WithCommonTypes(before + line + "\nint a = b ? c : d;\n", {{"k.h", {13}}});
    EXPECT_TRUE(text.starts_with(before)) << text;
    EXPECT_TRUE(text.ends_with("\nint a = b ? c : d;\n")) << text;
    return text.substr(before.size(), text.size() - before.size() - 20);
}

std::string Chosen(const std::string& operand, const std::string& other) {
    return "::sfumato::detail::Chosen<decltype(" + other + ")>(" + operand + ")";
}

TEST(Choices, BothOperandsAreWrapped) {
    EXPECT_EQ(Changed("f(up ? 1.0f : x, 2);"), "f(up ? " + Chosen("1.0f", "x") + " : " + Chosen("x", "1.0f") + ", 2);");
    EXPECT_EQ(Changed("y = A::B<int, 4>(g[i ? 1 : 0], 1) ? s::x : t(1, 2);"),
              "y = A::B<int, 4>(g[i ? " + Chosen("1", "0") + " : " + Chosen("0", "1") + "], 1) ? " +
                  Chosen("s::x", "t ( 1 , 2 )") + " : " + Chosen("t(1, 2)", "s :: x") + ";");
    EXPECT_EQ(Changed("y = c ? max<half, 2>(x) : a < b;"), "y = c ? " + Chosen("max<half, 2>(x)", "a < b") + " : " +
                                                               Chosen("a < b", "max < half , 2 > ( x )") + ";");
}

TEST(Choices, OthersStay) {
    for (const char* line : {"y = a ? b : c ? d : e;", "y = a ?: b;", "y = a;", "const char* s = \"a ? b : c\";"}) {
        const std::string changed = Changed(line);
        if (std::string(line).find("c ?") == std::string::npos) {
            EXPECT_EQ(changed, line);
        } else {
            EXPECT_EQ(changed, "y = a ? b : c ? " + Chosen("d", "e") + " : " + Chosen("e", "d") + ";");
        }
    }
}

}  // namespace
}  // namespace sfumato::jit
