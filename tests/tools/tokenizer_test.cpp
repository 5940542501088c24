// SPDX-License-Identifier: Apache-2.0
// Tests of the tokenizer.
#include "jit/tokenizer.h"

#include <gtest/gtest.h>

namespace sfumato::jit {
namespace {

std::vector<std::string> Texts(std::string_view source) {
    std::vector<std::string> texts;
    for (const Token& t : Tokenize(source)) texts.push_back(t.text);
    return texts;
}
using Strings = std::vector<std::string>;

TEST(Tokenizer, Words) {
    EXPECT_EQ(Texts("int a1=b::c;"), (Strings{"int", "a1", "=", "b", "::", "c", ";"}));
    EXPECT_EQ(Texts("a<b<3>>x"), (Strings{"a", "<", "b", "<", "3", ">", ">", "x"}));
    EXPECT_EQ(Texts(""), Strings{});
}

TEST(Tokenizer, Comments) {
    EXPECT_EQ(Texts("a // __global__ \n b"), (Strings{"a", "b"}));
    EXPECT_EQ(Texts("a /* __global__ ** / */ b"), (Strings{"a", "b"}));
    EXPECT_EQ(Texts("a // continued \\\n __global__\n b"), (Strings{"a", "b"}));
    EXPECT_EQ(Texts("a /\\\n/ hidden\nb"), (Strings{"a", "b"}));
    EXPECT_EQ(Texts("a /* never closed"), Strings{"a"});
    EXPECT_EQ(Texts("a / b"), (Strings{"a", "/", "b"}));
}

TEST(Tokenizer, Literals) {
    EXPECT_EQ(Texts(R"(f("a\"b // no", '\'', u8"x"))"),
              (Strings{"f", "(", R"("a\"b // no")", ",", R"('\'')", ",", "u8\"x\"", ")"}));
    EXPECT_EQ(Texts("R\"x(\" /* )\" )x\" b"), (Strings{"R\"x(\" /* )\" )x\"", "b"}));
    EXPECT_EQ(Texts("LR\"(a\nb)\" c"), (Strings{"LR\"(a\nb)\"", "c"}));
    EXPECT_EQ(Texts("1'000'000 0x1p-3f 1.5e+7 .5"), (Strings{"1'000'000", "0x1p-3f", "1.5e+7", ".5"}));
    EXPECT_EQ(Texts("\"never closed\nb"), (Strings{"\"never closed", "b"}));
    EXPECT_EQ(Texts("R\"never closed"), (Strings{"R\"never closed"}));
    EXPECT_EQ(Texts("FOOR\"(a)\""), (Strings{"FOOR", "\"(a)\""}));
}

TEST(Tokenizer, SplicesJoinWords) { EXPECT_EQ(Texts("__glo\\\nbal__ x"), (Strings{"__global__", "x"})); }

TEST(Tokenizer, Directives) {
    const auto tokens = Tokenize("#define A \\\n  B // c\nx\n  #  if 1 /* two\nlines */ + 1\ny # z");
    ASSERT_EQ(tokens.size(), 6u);
    EXPECT_EQ(tokens[0].kind, TokenKind::kDirective);
    EXPECT_EQ(tokens[0].text, "#define A   B  ");
    EXPECT_EQ(tokens[1].text, "x");
    EXPECT_EQ(tokens[1].line, 3u);
    EXPECT_EQ(tokens[2].kind, TokenKind::kDirective);
    EXPECT_EQ(tokens[3].text, "y");
    EXPECT_EQ(tokens[3].line, 6u);
    EXPECT_EQ(tokens[4].kind, TokenKind::kPunctuator);
}

TEST(Tokenizer, QuoteInDirectiveHidesNothing) {
    EXPECT_EQ(Texts("#define S \"/*\"\nx"), (Strings{"#define S \"/*\"", "x"}));
}

TEST(Tokenizer, LinesAreCounted) {
    const auto tokens = Tokenize("a\n/* \n\n*/ b R\"(\n)\"\nc \\\n d");
    ASSERT_EQ(tokens.size(), 5u);
    EXPECT_EQ(tokens[1].line, 4u);
    EXPECT_EQ(tokens[3].line, 6u);
    EXPECT_EQ(tokens[4].line, 7u);
}

TEST(Tokenizer, AnyPrefixOfASourceEnds) {
    const std::string source = "#if A\n/* c */ R\"d(x)d\" 'a' \"b\\\n\" 1'0 a::b \\\n__global__ // e \\\n f\n#endif";
    for (size_t n = 0; n <= source.size(); ++n) Tokenize(std::string_view(source).substr(0, n));
}

}  // namespace
}  // namespace sfumato::jit
