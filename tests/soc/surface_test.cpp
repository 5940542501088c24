// SPDX-License-Identifier: Apache-2.0
// Tables of calls: what a table declares and what it defines, and what it may not say.
#include "surface.h"

#include <gtest/gtest.h>

namespace sfumato::tablegen {
namespace {

constexpr std::string_view kHead =
    "// SPDX-License-Identifier: Apache-2.0\n// Calls.\n"
    "// Generated from src/frontends/ascendc/calls/a.txt. Do not edit.\n";

std::string Header(const std::string& calls) {
    const std::string text = SurfaceHeader("// Calls.\n\nnamespace\n" + calls, "a.txt");
    const std::string head = std::string(kHead) + "#pragma once\n\n";
    EXPECT_TRUE(text.starts_with(head)) << text;
    return text.substr(head.size());
}

std::string Definitions(const std::string& calls) {
    const std::string text = SurfaceDefinitions("// Calls.\ninclude b.h\n\nnamespace\n" + calls, "a.txt");
    EXPECT_TRUE(text.starts_with(kHead)) << text;
    return text.substr(kHead.size());
}

TEST(Surface, StridesStandAsTheyAreAndInAWord) {
    const std::string calls =
        "// Twice.\n"
        "vabs(raw dst; uint32_t repeat, uint16_t block; bool round = false) declared config\n"
        "    Issue(\"{call}\", @Make(dst, {strides}), round, @vabs);\n";
    EXPECT_EQ(Header(calls),
              "\n// Twice.\n"
              "SFUMATO_API void vabs(sfumato::ascendc::RawPointer dst, uint32_t repeat, uint16_t block, "
              "bool round = false,\n        SFUMATO_AT);\n"
              "SFUMATO_API void vabs(sfumato::ascendc::RawPointer dst, uint64_t config, SFUMATO_AT);\n");
    EXPECT_EQ(Definitions(calls),
              "\nvoid vabs(RawPointer dst, uint32_t repeat, uint16_t block, bool round, sfumato::CallSite) {\n"
              "    Issue(\"vabs\", Make(dst, repeat, block), round, sfumato::ascendc::vabs);\n"
              "}\n"
              "void vabs(RawPointer dst, uint64_t config, sfumato::CallSite where) {\n"
              "    constexpr bool round = false;\n"
              "    Issue(\"vabs\", Make(dst, config, \"vabs\", where), round, sfumato::ascendc::vabs);\n"
              "}\n");
}

TEST(Surface, ADeclaredCallIsDefinedWhereItHasABody) {
    const std::string calls =
        "forms declared\n"
        "by_hand(int* x)\n"
        "kept(const int* x, uint8_t sid, int y = 3) nowhere = Keep(x, y)\n"
        "here(int x) inline = There(x)\n";
    EXPECT_EQ(Definitions(calls), "\nvoid kept(const int* x, uint8_t, int y) {\n    Keep(x, y);\n}\n");
    EXPECT_EQ(Header(calls),
              "\nSFUMATO_API void by_hand(int* x, SFUMATO_AT);\n"
              "\nSFUMATO_API void kept(const int* x, uint8_t sid, int y = 3);\n"
              "\ninline void here(int x, SFUMATO_AT) {\n    There(x);\n}\n");
}

TEST(Surface, RowsOfTwoForsAreEachWithEach) {
    EXPECT_EQ(Header("for a, b: (x, 1) (y, 2)\nfor c: 8 16\ncall_{a}{c}() nowhere = F({b})\n"
                     "for a: z\ncall_{a}() nowhere = F()\n"),
              "\ninline void call_x8() {\n    F(1);\n}\n\ninline void call_x16() {\n    F(1);\n}\n"
              "\ninline void call_y8() {\n    F(2);\n}\n\ninline void call_y16() {\n    F(2);\n}\n"
              "\ninline void call_z() {\n    F();\n}\n");
}

TEST(Surface, ConversionsAreThoseOfTheChips) {
    const std::string text = Header("for conversions\n{name}({T}* dst, const {U}* src) nowhere = F({mode})\n");
    for (const char* call : {"vconv_f322f16r(sfumato::half* dst, const float* src) {\n    F(CAST_RINT);",
                             "vconv_f162s4z(void* dst, const sfumato::half* src) {\n    F(CAST_TRUNC);",
                             "vconv_s42f16(sfumato::half* dst, const void* src) {\n    F(CAST_NONE);"})
        EXPECT_NE(text.find(call), std::string::npos) << call;
}

TEST(Surface, WhatIsWrongIsToldWithItsLine) {
    const auto told = [](const std::string& calls) {
        try {
            Header(calls);
        } catch (const SurfaceError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(told("call() each\n"),
              "a.txt:4: this is no form of a call: each; there are count, repeat, both, config, "
              "declared, inline, nowhere");
    EXPECT_EQ(told("for a, b: (1, 2) (3)\n"), "a.txt:4: a row of `for` has not one value for each name: 3");
    EXPECT_EQ(told("call($ALL)\n"), "a.txt:4: no `let` has said what this is: $ALL)");
    EXPECT_EQ(told("for rows NONE\n"), "a.txt:4: no row has this form: rows NONE");
}

TEST(Surface, ACountAndRepeatsAreTwoOverloads) {
    const std::string text = SurfaceHeader(
        "// Calls.\n\nnamespace AscendC\n"
        "Cast<T, U, mask>(T[] dst, U[] src; UnaryRepeatParams params) both\n"
        "    types Cast<T, U>\n    -> vconv: Unary(dst, src, where, params)\n",
        "a.txt");
    EXPECT_TRUE(
        text.ends_with("\nnamespace AscendC {\n\n"
                       "template <class T, class U>\n"
                       "void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, int64_t count, SFUMATO_AT) {\n"
                       "    sfumato_::RequireTypeCast<T, U>();\n"
                       "    constexpr UnaryRepeatParams params;\n"
                       "    auto call = sfumato_::Unary(dst, src, where, params);\n"
                       "    SetCount(&call, count);\n"
                       "    sfumato_::vconv(call);\n}\n"
                       "template <class T, class U, bool isSetMask = true>\n"
                       "void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const sfumato_::Mask& mask, "
                       "uint32_t repeatTimes,\n"
                       "        const UnaryRepeatParams& params, SFUMATO_AT) {\n"
                       "    sfumato_::RequireTypeCast<T, U>();\n"
                       "    auto call = sfumato_::Unary(dst, src, where, params);\n"
                       "    SetMask(&call, isSetMask, mask, repeatTimes);\n"
                       "    sfumato_::vconv(call);\n}\n\n}  // namespace AscendC\n"))
        << text;
}

TEST(Surface, ABufferThatMayBeLentMakesTwoOverloads) {
    EXPECT_EQ(
        Header("Sum<T, reuses?>(T[] dst, ~, int n)\n    -> Add: SumCall .dst=dst .tmp=tmp .n=n\n"),
        "\ntemplate <class T, bool reuses = false>\n"
        "void Sum(const LocalTensor<T>& dst, const sfumato::ascendc::Lent& sharedTmpBuffer, int n, SFUMATO_AT) {\n"
        "    sfumato::ascendc::SumCall call;\n"
        "    call.dst = sfumato::ascendc::Operand(dst);\n"
        "    call.tmp = sharedTmpBuffer;\n    call.n = n;\n    call.where = where;\n"
        "    sfumato::ascendc::Add(call);\n}\n"
        "template <class T, bool reuses = false>\n"
        "void Sum(const LocalTensor<T>& dst, int n, SFUMATO_AT) {\n"
        "    sfumato::ascendc::SumCall call;\n"
        "    call.dst = sfumato::ascendc::Operand(dst);\n"
        "    call.tmp = sfumato::ascendc::Lent();\n    call.n = n;\n    call.where = where;\n"
        "    sfumato::ascendc::Add(call);\n}\n");
}

TEST(Surface, AStructHasAConstructorForEachList) {
    EXPECT_EQ(Header("struct Gap<T>(b, a = 2) (b)\n    uint8_t a = 1\n    // elements\n    T b\n"),
              "\ntemplate <class T>\nstruct Gap {\n    constexpr Gap() = default;\n"
              "    constexpr Gap(T bIn, uint8_t aIn = 2)\n        : a(aIn), b(bIn) {}\n"
              "    constexpr Gap(T bIn)\n        : b(bIn) {}\n"
              "    uint8_t a = 1;\n    // elements\n    T b = T();\n};\n");
    EXPECT_THROW(SurfaceHeader("// Calls.\nnamespace\nstruct Gap(b)\n    int a\n", "a.txt"), SurfaceError);
}

}  // namespace
}  // namespace sfumato::tablegen
