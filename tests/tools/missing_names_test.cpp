// SPDX-License-Identifier: Apache-2.0
// The errors of both compilers about names that the headers do not declare, as they print them, and what becomes of
// them.
#include "jit/missing_names.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sfumato::jit {
namespace {

const std::vector<std::string> kNoFiles;

std::optional<std::string> Explain(std::string_view messages,
                                   std::string_view text = "#include \"kernel_operator.h\"\n") {
    return ExplainMissingNames(messages, {text, kNoFiles});
}

// A name that is refused has one sentence; what else is wrong keeps the compiler's words.
TEST(MissingNames, OneSentenceAName) {
    EXPECT_EQ(
        Explain("k.cpp: In function ‘void k(uint8_t*)’:\n"
                "k.cpp:5:14: error: ‘MmadImpl’ is not a member of ‘AscendC’; did you mean ‘Mmad’?\n"
                "    5 |     AscendC::MmadImpl(a, b, 64);\n"
                "      |              ^~~~\n"
                "k.cpp:6:14: error: ‘MmadImpl’ is not a member of ‘AscendC’\n"
                "k.cpp:7:14: error: ‘Conv3DBackpropInput’ is not a member of ‘AscendC’\n"
                "k.cpp:7:22: error: expected primary-expression before ‘float’\n"
                "    7 |     AscendC::Conv3DBackpropInput<float> c;\n"
                "k.cpp:9:5: warning: unused variable ‘n’\n"),
        "k.cpp:5: MmadImpl: a name of the toolkit's implementation, which no public page describes: call Mmad\n"
        "k.cpp:7: Conv3DBackpropInput: a class of convolutions (adv/conv), which Sfumato does not model: write the "
        "convolution with Mmad and LoadData\n"
        "k.cpp:7:22: error: expected primary-expression before ‘float’\n"
        "    7 |     AscendC::Conv3DBackpropInput<float> c;\n"
        "k.cpp:9:5: warning: unused variable ‘n’");
    EXPECT_EQ(Explain("k.cpp:5:14: error: no member named 'MmadImpl' in namespace 'AscendC'\n"
                      "    AscendC::MmadImpl(a, b, 64);\n"
                      "    ~~~~~~~~~^\n"
                      "k.cpp:8:1: error: unknown type name 'KernelType'\n"
                      "2 errors generated.\n"),
              "k.cpp:5: MmadImpl: a name of the toolkit's implementation, which no public page describes: call Mmad\n"
              "k.cpp:8: KernelType: no public page describes it");
}

// Unqualified in a template, below `using namespace AscendC`, as a type, of a class, of an enumeration: the sentence of
// a name that is refused, or the note below the compiler's words.
TEST(MissingNames, Wordings) {
    constexpr const char* kMmad =
        "k.cpp:6: MmadImpl: a name of the toolkit's implementation, which no public page describes: call Mmad";
    const std::pair<const char*, const char*> refused[] = {
        {"k.cpp:6:21: error: ‘MmadImpl’ was not declared in this scope, and no declarations were found by "
         "argument-dependent lookup at the point of instantiation [-fpermissive]",
         kMmad},
        {"k.cpp:6:21: error: there are no arguments to ‘MmadImpl’ that depend on a template parameter, so a "
         "declaration of ‘MmadImpl’ must be available [-fpermissive]",
         kMmad},
        {"k.cpp:6:3: error: use of undeclared identifier 'MmadImpl'", kMmad},
        {"\x1B[01m\x1B[Kk.cpp:6:3:\x1B[m\x1B[K \x1B[01;31m\x1B[Kerror: "
         "\x1B[m\x1B[K‘\x1B[01m\x1B[KMmadImpl\x1B[m\x1B[K’ was "
         "not declared in this scope",
         kMmad},
        {"k.cpp:6:3: error: call to function 'MmadImpl' that is neither visible in the template definition nor found "
         "by argument-dependent lookup",
         kMmad},
        {"k.cpp:9:3: error: use of undeclared identifier 'get_para_base'",
         "k.cpp:9: get_para_base: no public page describes it"},
        {"k.cpp:4:14: error: ‘Rint’ is not a member of ‘AscendC’",
         "k.cpp:4: Rint: its page has it for a chip after Ascend910B and Ascend310P alone: use Round, or Cast with "
         "CAST_RINT"},
        {"k.cpp:1:10: fatal error: lib/foo/bar.h: No such file or directory",
         "k.cpp:1: lib/foo/bar.h: a header of the toolkit that is not known here; what is supported is in "
         "kernel_operator.h"},
        {"k.cpp:1:10: fatal error: 'adv_api/foo.h' file not found",
         "k.cpp:1: adv_api/foo.h: a header of the toolkit that is not known here; what is supported is in "
         "kernel_operator.h"},
    };
    for (const auto& [message, sentence] : refused) EXPECT_EQ(Explain(message), sentence) << message;
    const std::pair<const char*, const char*> noted[] = {
        {"k.cpp:3:14: error: ‘TCubeTiling’ in namespace ‘AscendC’ does not name a type",
         "TCubeTiling: include lib/matmul_intf.h, which declares it"},
        {"k.cpp:3:5: error: ‘TCubeTiling’ does not name a type",
         "TCubeTiling: include lib/matmul_intf.h, which declares it"},
        {"k.cpp:3:14: error: no template named 'MatmulImpl' in namespace 'AscendC'",
         "MatmulImpl: include lib/matmul_intf.h, which declares it"},
        {"k.cpp:3:70: error: ‘class AscendC::LocalTensor<float>’ has no member named ‘Foo’",
         "Foo: no name of AscendC::LocalTensor<float> that public kernels use"},
        {"k.cpp:3:70: error: no member named 'GetSizes' in 'AscendC::LocalTensor<float>'",
         "GetSizes: no name of AscendC::LocalTensor<float> that public kernels use; did you mean GetSize, SetSize?"},
        {"k.cpp:3:3: error: ‘V_MTE9’ is not a member of ‘AscendC::HardEvent’",
         "V_MTE9: no name of AscendC::HardEvent that public kernels use; did you mean V_MTE3, V_MTE2?"},
        // What the compiler asks is not asked again.
        {"k.cpp:3:3: error: ‘Adss’ is not a member of ‘AscendC’; did you mean ‘Adds’?",
         "Adss: no name of AscendC that public kernels use"},
        {"k.cpp:3:54: error: no template named 'LocalTensor'; did you mean 'AscendC::LocalTensor'?",
         "LocalTensor: stands in AscendC: write AscendC::LocalTensor"},
        // Enumerators, unqualified and of another scope; methods without an object and of another class.
        {"k.cpp:3:16: error: ‘CAST_RINT’ was not declared in this scope",
         "CAST_RINT: stands in AscendC::RoundMode: write AscendC::RoundMode::CAST_RINT"},
        {"k.cpp:3:16: error: use of undeclared identifier 'VECIN'",
         "VECIN: stands in AscendC::TPosition: write AscendC::TPosition::VECIN"},
        {"k.cpp:3:16: error: ‘MTE2_V’ is not a member of ‘AscendC’",
         "MTE2_V: stands in AscendC::HardEvent: write AscendC::HardEvent::MTE2_V"},
        {"k.cpp:3:16: error: ‘LT’ is not a member of ‘AscendC::HardEvent’",
         "LT: stands in AscendC::CMPMODE: write AscendC::CMPMODE::LT"},
        {"k.cpp:3:16: error: ‘half’ is not a member of ‘AscendC’", "half: stands in no namespace: write half"},
        {"k.cpp:3:5: error: ‘EnQue’ was not declared in this scope",
         "EnQue: a method of AscendC::TQue: call it on one"},
        {"k.cpp:3:5: error: ‘class AscendC::TBuf<AscendC::TPosition::VECCALC>’ has no member named ‘EnQue’",
         "EnQue: a method of AscendC::TQue; AscendC::TBuf has none"},
        {"k.cpp:3:5: error: ‘class AscendC::LocalTensor<float>’ has no member named ‘Add’",
         "Add: stands in AscendC: write AscendC::Add"},
    };
    for (const auto& [message, note] : noted)
        EXPECT_EQ(Explain(message), std::string(message) + "\nk.cpp:3: note: " + note) << message;
}

// Nobody is told to write what stands there.
TEST(MissingNames, WhatTheSourceHas) {
    constexpr const char* kMatmul = "k.cpp:3:5: error: ‘TCubeTiling’ does not name a type\n";
    EXPECT_EQ(
        Explain(kMatmul, "#include \"kernel_operator.h\"\n#include \"lib/matmul_intf.h\"\nusing namespace AscendC;"),
        std::nullopt);
    const std::vector<std::string> files = {"/x/kernel_operator.h", "/x/lib/matmul_intf.h"};
    EXPECT_EQ(ExplainMissingNames(kMatmul, {"", files}),
              std::string(kMatmul) + "k.cpp:3: note: TCubeTiling: stands in AscendC: write AscendC::TCubeTiling");
    constexpr const char* kAdd = "k.cpp:3:5: error: ‘Add’ was not declared in this scope\n";
    EXPECT_EQ(Explain(kAdd, "void f();"),
              std::string(kAdd) + "k.cpp:3: note: Add: include kernel_operator.h, which declares it");
    EXPECT_EQ(Explain(kAdd, "#include \"kernel_operator.h\"\nusing namespace AscendC;"), std::nullopt);
    EXPECT_EQ(Explain("k.cpp:3:5: error: ‘half’ does not name a type\n"), std::nullopt);
}

// The note once a name, the compiler's words each time.
TEST(MissingNames, UnknownNames) {
    EXPECT_EQ(Explain("k.cpp: In function ‘void k(uint8_t*)’:\n"
                      "k.cpp:4:12: error: ‘lenght’ was not declared in this scope; did you mean ‘length’?\n"
                      "    4 |     x[0] = lenght;\n"),
              std::nullopt);
    EXPECT_EQ(Explain("k.cpp:4:5: error: use of undeclared identifier 'GetBlokIdx'\n"
                      "    GetBlokIdx();\n"
                      "    ^\n"
                      "k.cpp:6:5: error: use of undeclared identifier 'GetBlokIdx'\n"
                      "2 errors generated.\n"),
              "k.cpp:4:5: error: use of undeclared identifier 'GetBlokIdx'\n"
              "    GetBlokIdx();\n"
              "    ^\n"
              "k.cpp:4: note: GetBlokIdx: no such name; did you mean GetBlockIdx?\n"
              "k.cpp:6:5: error: use of undeclared identifier 'GetBlokIdx'");
    EXPECT_EQ(Explain("k.cpp:1:10: fatal error: own.h: No such file or directory\n"
                      "    1 | #include \"own.h\"\n"
                      "compilation terminated.\n"),
              std::nullopt);
}

// Whatever else is wrong first keeps the compiler's words.
TEST(MissingNames, OtherErrors) {
    EXPECT_EQ(Explain("k.cpp:2:97: error: no matching function for call to ‘Add(int)’\n"), std::nullopt);
    EXPECT_EQ(Explain("k.cpp:2:97: error: expected ‘;’ before ‘x’\n"
                      "k.cpp:3:1: error: ‘x’ was not declared in this scope\n"),
              std::nullopt);
    // The program's own Sum, whose definition does not compile.
    EXPECT_EQ(Explain("k.cpp:2:9: error: expected ‘;’ after class definition\n"
                      "k.cpp:3:1: error: ‘Sum’ does not name a type\n"),
              std::nullopt);
    EXPECT_EQ(Explain(""), std::nullopt);
}

TEST(MissingNames, OperatorsOfTheLibrary) {
    const auto note = [](const std::string& name) {
        return "sfumato: note: " + name +
               ": libopapi and aclnnop/ have the operators of reference-operators.md alone; register another as a "
               "project with its name: its package, by sfumato build-op, has the header aclnn_<op>.h and the "
               "functions\n";
    };
    EXPECT_EQ(NoteMissingOperators("h.cpp:1:10: fatal error: aclnnop/level2/aclnn_a.h: No such file or directory\n"),
              note("aclnnop/level2/aclnn_a.h"));
    EXPECT_EQ(NoteMissingOperators("h.cpp:1:10: fatal error: 'aclnnop/aclnn_a.h' file not found\n"),
              note("aclnnop/aclnn_a.h"));
    // Both phases are of one operator.
    EXPECT_EQ(NoteMissingOperators("ld: h.cpp:(.text+0xa): undefined reference to `aclnnConvGetWorkspaceSize'\n"
                                   "ld: h.cpp:(.text+0x1a): undefined reference to `aclnnConv'\n"
                                   "ld: h.cpp:(.text+0x2a): undefined reference to `aclnnErf'\n"),
              note("aclnnConv") + note("aclnnErf"));
    EXPECT_EQ(NoteMissingOperators("h.cpp:2:3: error: use of undeclared identifier 'aclnnConv'\n"), note("aclnnConv"));
    EXPECT_EQ(NoteMissingOperators("h.cpp:2:3: error: no matching function for call to 'aclnnAdd'\n"
                                   "h.cpp:3:3: fatal error: aclnn_own.h: No such file or directory\n"
                                   "undefined reference to `own_aclnn'\n"),
              "");
}

TEST(MissingNames, TheFirstError) {
    EXPECT_EQ(FirstError("In file included from a.cpp:1:\n"
                         "a.h:3:5: error: ‘foo’ was not declared in this scope\n"
                         "    3 |     foo();\n"
                         "a.h:2:1: note: candidate: bar\n"
                         "a.h:4:5: error: ‘foo’ was not declared in this scope\n"
                         "a.h:5:5: error: expected ‘;’\n"),
              "In file included from a.cpp:1:\n"
              "a.h:3:5: error: ‘foo’ was not declared in this scope\n"
              "    3 |     foo();\n"
              "and 2 more errors\n");
    EXPECT_EQ(FirstError("collect2: ld returned 1\n"), "collect2: ld returned 1\n");
}

}  // namespace
}  // namespace sfumato::jit
