// SPDX-License-Identifier: Apache-2.0
// Which of the functions that were inlined into one another is the user's.
#include "runtime/code/source_lines.h"

#include <gtest/gtest.h>

namespace sfumato::runtime {
namespace {

TEST(UserFrame, HeadersOfCompilersAreNobodys) {
    for (const char* header : {"/usr/include/c++/12/bits/stl_algobase.h", "/opt/gcc-13/include/c++/13.2.0/bits/move.h",
                               "/home/me/conda/lib/gcc/x86_64-conda-linux-gnu/13/include/emmintrin.h",
                               "/opt/llvm/lib/clang/17/include/avxintrin.h", "/opt/llvm/bin/../include/c++/v1/vector",
                               "/usr/lib/gcc-cross/aarch64-linux-gnu/12/include/arm_neon.h"}) {
        const CodeFrame frame =
            UserFrame({{"copy", header, 7}, {"Process", "/work/kernel.cpp", 12}}, "/work/kernel.cpp");
        EXPECT_EQ(frame.file, "/work/kernel.cpp") << header;
        EXPECT_EQ(frame.line, 12u) << header;
        EXPECT_EQ(UserFrame({{"copy", header, 7}}, "/work/kernel.cpp").file, "") << header;
    }
    for (const char* header : {"/home/me/include/tiles.h", "/opt/mine/c++/tiles.h"})
        EXPECT_EQ(UserFrame({{"copy", header, 7}}, "/work/kernel.cpp").file, header);
}

TEST(UserFrame, OwnHeadersEndTheSearch) {
    bool in_own = false;
    EXPECT_EQ(UserFrame({{"Add", "/opt/sfumato/include/a.h", 7}, {"Process", "/work/kernel.cpp", 12}},
                        "/work/kernel.cpp", "/opt/other:/opt/sfumato/include", &in_own)
                  .file,
              "");
    EXPECT_TRUE(in_own);
}

}  // namespace
}  // namespace sfumato::runtime
