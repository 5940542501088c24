// SPDX-License-Identifier: Apache-2.0
// The errors of both compilers about names that the headers do not declare, as they print them, and what becomes of
// them.
#include "jit/missing_names.h"

#include <gtest/gtest.h>

namespace sfumato::jit {
namespace {

TEST(MissingNames, OneSentenceAName) {
    EXPECT_EQ(
        ExplainMissingNames("k.cpp: In function ‘void k(uint8_t*)’:\n"
                            "k.cpp:5:14: error: ‘MmadImpl’ is not a member of ‘AscendC’; did you mean ‘Mmad’?\n"
                            "    5 |     AscendC::MmadImpl(a, b, 64);\n"
                            "      |              ^~~~\n"
                            "k.cpp:6:14: error: ‘MmadImpl’ is not a member of ‘AscendC’\n"
                            "k.cpp:7:14: error: ‘Conv3DBackpropInput’ is not a member of ‘AscendC’\n"
                            "k.cpp:7:22: error: expected primary-expression before ‘float’\n"),
        "k.cpp:5: MmadImpl: a name of the toolkit's implementation, which no public page describes: call Mmad\n"
        "k.cpp:7: Conv3DBackpropInput: a class of convolutions (adv/conv), which Sfumato does not model: write the "
        "convolution with Mmad and LoadData");
    EXPECT_EQ(ExplainMissingNames("k.cpp:5:14: error: no member named 'MmadImpl' in namespace 'AscendC'\n"
                                  "    AscendC::MmadImpl(a, b, 64);\n"
                                  "    ~~~~~~~~~^\n"
                                  "k.cpp:8:1: error: unknown type name 'GetScalarBitcodeValue'\n"
                                  "2 errors generated.\n"),
              "k.cpp:5: MmadImpl: a name of the toolkit's implementation, which no public page describes: call Mmad\n"
              "k.cpp:8: GetScalarBitcodeValue: no public page describes it: copy the bits with "
              "*reinterpret_cast<uint32_t*>(&value)");
}

// Unqualified in a template, below `using namespace AscendC`, as a type, of a class, of an enumeration.
TEST(MissingNames, Wordings) {
    const std::pair<const char*, const char*> cases[] = {
        {"k.cpp:6:21: error: ‘MmadImpl’ was not declared in this scope, and no declarations were found by "
         "argument-dependent "
         "lookup at the point of instantiation [-fpermissive]",
         "k.cpp:6: MmadImpl: a name of the toolkit's implementation, which no public page describes: call Mmad"},
        {"k.cpp:6:21: error: there are no arguments to ‘MmadImpl’ that depend on a template parameter, so a "
         "declaration of "
         "‘MmadImpl’ must be available [-fpermissive]",
         "k.cpp:6: MmadImpl: a name of the toolkit's implementation, which no public page describes: call Mmad"},
        {"k.cpp:3:14: error: ‘TCubeTiling’ in namespace ‘AscendC’ does not name a type",
         "k.cpp:3: TCubeTiling: include lib/matmul_intf.h, which declares it"},
        {"k.cpp:3:5: error: ‘TCubeTiling’ does not name a type",
         "k.cpp:3: TCubeTiling: include lib/matmul_intf.h, which declares it"},
        {"k.cpp:3:14: error: no template named 'MatmulImpl' in namespace 'AscendC'",
         "k.cpp:3: MatmulImpl: include lib/matmul_intf.h, which declares it"},
        {"k.cpp:3:3: error: use of undeclared identifier 'MmadImpl'",
         "k.cpp:3: MmadImpl: a name of the toolkit's implementation, which no public page describes: call Mmad"},
        {"k.cpp:3:3: error: call to function 'MmadImpl' that is neither visible in the template definition nor found "
         "by "
         "argument-dependent lookup",
         "k.cpp:3: MmadImpl: a name of the toolkit's implementation, which no public page describes: call Mmad"},
        {"k.cpp:9:3: error: use of undeclared identifier 'MmadImpl'",
         "k.cpp:9: MmadImpl: a name of the toolkit's implementation, which no public page describes: call Mmad"},
        {"k.cpp:9:3: error: use of undeclared identifier 'vgather'",
         "k.cpp:9: vgather: takes addresses of UB in 32 bits, which pointers here are not: call AscendC::Gather"},
        {"k.cpp:6:70: error: ‘class AscendC::LocalTensor<float>’ has no member named ‘Foo’",
         "k.cpp:6: Foo: no name of AscendC::LocalTensor<float> that public kernels use"},
        {"k.cpp:6:70: error: no member named 'GetSizes' in 'AscendC::LocalTensor<float>'",
         "k.cpp:6: GetSizes: no name of AscendC::LocalTensor<float> that public kernels use; did you mean GetSize, "
         "SetSize?"},
        {"k.cpp:2:3: error: ‘V_MTE9’ is not a member of ‘AscendC::HardEvent’",
         "k.cpp:2: V_MTE9: no name of AscendC::HardEvent that public kernels use; did you mean V_MTE3, V_MTE2?"},
        {"k.cpp:4:14: error: ‘Rint’ is not a member of ‘AscendC’",
         "k.cpp:4: Rint: its page has it for a chip after Ascend910B and Ascend310P alone: use Round, or Cast with "
         "CAST_RINT"},
        {"k.cpp:2:3: error: ‘Adss’ is not a member of ‘AscendC’; did you mean ‘Adds’?",
         "k.cpp:2: Adss: no name of AscendC that public kernels use; did you mean Adds?"},
        {"k.cpp:2:54: error: no template named 'LocalTensor'; did you mean 'AscendC::LocalTensor'?",
         "k.cpp:2: LocalTensor: stands in AscendC: write AscendC::LocalTensor"},
        {"k.cpp:1:10: fatal error: lib/foo/bar.h: No such file or directory",
         "k.cpp:1: lib/foo/bar.h: a header of the toolkit that is not known here; what is supported is in "
         "kernel_operator.h"},
        {"k.cpp:1:10: fatal error: 'adv_api/foo.h' file not found",
         "k.cpp:1: adv_api/foo.h: a header of the toolkit that is not known here; what is supported is in "
         "kernel_operator.h"},
    };
    for (const auto& [message, sentence] : cases) EXPECT_EQ(ExplainMissingNames(message), sentence) << message;
}

// A name of the program's own: the first error alone, and public names that are close.
TEST(MissingNames, UnknownNames) {
    EXPECT_EQ(
        ExplainMissingNames("k.cpp: In function ‘void k(uint8_t*)’:\n"
                            "k.cpp:4:12: error: ‘lenght’ was not declared in this scope; did you mean ‘length’?\n"
                            "    4 |     x[0] = lenght;\n"
                            "      |            ^~~~~~\n"
                            "      |            length\n"
                            "k.cpp:9:12: error: ‘lenght’ was not declared in this scope; did you mean ‘length’?\n"),
        "k.cpp:4:12: error: ‘lenght’ was not declared in this scope; did you mean ‘length’?\n"
        "    4 |     x[0] = lenght;\n"
        "      |            ^~~~~~\n"
        "      |            length");
    EXPECT_EQ(ExplainMissingNames("k.cpp:4:5: error: use of undeclared identifier 'GetBlokIdx'\n"
                                  "    GetBlokIdx();\n"
                                  "    ^\n"
                                  "1 error generated.\n"),
              "k.cpp:4:5: error: use of undeclared identifier 'GetBlokIdx'\n"
              "    GetBlokIdx();\n"
              "    ^\n"
              "k.cpp:4: GetBlokIdx: no such name; did you mean GetBlockIdx?");
    EXPECT_EQ(ExplainMissingNames("k.cpp:1:10: fatal error: own.h: No such file or directory\n"
                                  "    1 | #include \"own.h\"\n"
                                  "compilation terminated.\n"),
              "k.cpp:1:10: fatal error: own.h: No such file or directory\n"
              "    1 | #include \"own.h\"");
}

// Whatever else is wrong keeps the compiler's words.
TEST(MissingNames, OtherErrors) {
    EXPECT_EQ(ExplainMissingNames("k.cpp:2:97: error: no matching function for call to ‘Add(int)’\n"), std::nullopt);
    EXPECT_EQ(ExplainMissingNames("k.cpp:2:97: error: expected ‘;’ before ‘x’\n"
                                  "k.cpp:3:1: error: ‘x’ was not declared in this scope\n"),
              std::nullopt);
    // The program's own Sum, whose definition does not compile.
    EXPECT_EQ(ExplainMissingNames("k.cpp:2:9: error: expected ‘;’ after class definition\n"
                                  "k.cpp:3:1: error: ‘Sum’ does not name a type\n"),
              std::nullopt);
    EXPECT_EQ(ExplainMissingNames(""), std::nullopt);
}

}  // namespace
}  // namespace sfumato::jit
