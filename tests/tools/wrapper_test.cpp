// SPDX-License-Identifier: Apache-2.0
// Tests of how the wrapper's traces leave the compiler's messages.
#include "jit/wrapper.h"

#include <gtest/gtest.h>

namespace sfumato::jit {
namespace {

TEST(Wrapper, MessagesOfGcc) {
    EXPECT_EQ(FilterMessages("In file included from <stdin>:1:\na.cpp:4:9: error: x\n", "a.cpp"),
              "a.cpp:4:9: error: x");
    EXPECT_EQ(FilterMessages(
                  "In file included from b.h:2,\n                 from a.cpp:1,\n                 from <stdin>:1:\n"
                  "c.h:4:9: error: x\n",
                  "a.cpp"),
              "In file included from b.h:2,\n                 from a.cpp:1:\nc.h:4:9: error: x");
    EXPECT_EQ(FilterMessages("<stdin>:6:5:   required from here\n", "a.cpp"),
              "(export of the kernels):6:5:   required from here");
}

TEST(Wrapper, MessagesOfClang) {
    EXPECT_EQ(FilterMessages("In file included from <stdin>:1:\n./a.cpp:4:9: error: x\n", "a.cpp"),
              "a.cpp:4:9: error: x");
    EXPECT_EQ(FilterMessages("../a.cpp:4:9: error: x\n", "a.cpp"), "../a.cpp:4:9: error: x");
    EXPECT_EQ(FilterMessages("no newline", "a.cpp"), "no newline");
    EXPECT_EQ(FilterMessages("", "a.cpp"), "");
}

TEST(Wrapper, ExportsOnceWithEveryDeclaration) {
    const auto kernels =
        FindKernels("__global__ void f(int);\n__global__ void f(int n) {}\ntemplate <int N> __global__ void t() {}");
    const std::string text = WriteWrapper("dir/a.cpp", kernels, {"t<3>"}, {}, {"tiling.h"});
    EXPECT_TRUE(
        text.starts_with("#define SFUMATO_NAMED_TILING_STRUCTS\n#include \"sfumato/kernel_entry.h\"\n#include "
                         "\"tiling.h\"\n#include \"dir/a.cpp\"\n"))
        << text;
    EXPECT_NE(text.find("SFUMATO_EXPORT_KERNEL(::f, \"f\", \"1\\tint\\t\\n2\\tint\\tn\\n\", -1)"), std::string::npos)
        << text;
    EXPECT_NE(text.find("SFUMATO_EXPORT_KERNEL((t<3>), \"t<3>\", \"3\\n\", -1)"), std::string::npos) << text;
    EXPECT_EQ(text.find("::t,"), std::string::npos) << text;
}

TEST(Wrapper, AnInstanceTakesTypesAndValues) {
    const auto kernels =
        FindKernels("namespace n { template <typename T, std::array<int, 2> A, bool B> __global__ void t() {} }");
    const std::string text = WriteWrapper("a.cpp", kernels, {}, {"MODE=3", std::nullopt}, {});
    EXPECT_NE(text.find("&::n::t<typename Instance::template Type<0>, Instance::template kValue<1>, Instance::template "
                        "kValue<2>>"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("Asked::kWords, 0ULL, \"MODE=3\""), std::string::npos) << text;
}

}  // namespace
}  // namespace sfumato::jit
