// SPDX-License-Identifier: Apache-2.0
// Which sources must be compiled once for each kind of core, and the qualifiers of kernels.
#include "jit/core_kinds.h"

#include <gtest/gtest.h>

#include "jit/kernel_finder.h"

namespace sfumato::jit {
namespace {

using Words = std::vector<std::string>;

TEST(CoreKinds, SourcesThatOnlyACompilerCanAnswer) {
    for (const char* source : {
             "#if __DAV_C220_CUBE__\n#endif",
             "#  ifdef __DAV_C220_VEC__\n#endif",
             "#if defined(X) && \\\n  defined(__DAV_CUBE__)\n#endif",
             "#ifndef __DAV_VEC__\n#endif",
             "constexpr bool cube = __DAV_C310_CUBE__;",
             "void f() { if constexpr (g_coreType == AscendC::AIC) {} }",
             "void f() { if constexpr (ASCEND_IS_AIC) {} }",
             "constexpr int kRows = ASCEND_IS_AIV ? 2 : 1;",
             "static_assert(g_coreType != AscendC::MIX);",
             "#define IF_CUBE if constexpr (ASCEND_IS_AIC)\n",
         }) {
        EXPECT_TRUE(ChoosesByKind(source)) << source;
        EXPECT_TRUE(MentionsKind(source)) << source;
    }
}

TEST(CoreKinds, SourcesThatAskAtRunTime) {
    for (const char* source : {
             "",
             "void f() {}",
             "#if __DAV_C220__\n#endif",
             "void f() { if ASCEND_IS_AIC { g(); } }",
             "void f() { constexpr int n = 2; if (g_coreType == AscendC::AIV) g(n); }",
             "void f() { if constexpr (true) { if (ASCEND_IS_AIV) g(); } }",
             "// __DAV_C220_CUBE__\nconst char* s = \"__DAV_C220_VEC__\"; /* constexpr g_coreType */",
             "#define CUBE ASCEND_IS_AIC\nconstexpr int n = 1;",
         }) {
        EXPECT_FALSE(ChoosesByKind(source)) << source;
    }
    EXPECT_TRUE(MentionsKind("template <int = g_coreType> void f();")) << "tried when it does not compile";
    EXPECT_FALSE(MentionsKind("void f() {}"));
}

TEST(CoreKinds, Macros) {
    const soc::Chip split = soc::FindChip("Ascend910B"), coupled = soc::FindChip("Ascend310P");
    EXPECT_EQ(KindMacros(split, CodeFor::kBoth), Words());
    EXPECT_EQ(KindMacros(split, CodeFor::kCube),
              (Words{"SFUMATO_CORE_KIND=1", "__DAV_CUBE__=1", "__DAV_C220_CUBE__=1"}));
    EXPECT_EQ(KindMacros(split, CodeFor::kVector),
              (Words{"SFUMATO_CORE_KIND=2", "__DAV_VEC__=1", "__DAV_C220_VEC__=1"}));
    EXPECT_EQ(KindMacros(coupled, CodeFor::kBoth), Words{"SFUMATO_CORE_KIND=0"});
}

TEST(CoreKinds, Qualifiers) {
    const struct {
        const char* declaration;
        const char* qualifier;
    } kCases[] = {
        {"__global__ __aicore__ void f(GM_ADDR x) {}", ""},
        {"extern \"C\" __global__ __vector__ void f(GM_ADDR x) {}", "__vector__"},
        {"__cube__ __global__ void f() {}", "__cube__"},
        {"__global__ __mix__(1,2) __aicore__ void f(int a) {}", "__mix__(1, 2)"},
        {"__mix__( 1 , /* none */ 0 ) __global__ void f();", "__mix__(1, 0)"},
        {"__global__ __vector__ __schedmode__(1) void f();", "__vector__"},
        {"__global__ __schedmode__(0) void f();", ""},
        {"__global__ __vector__ __vector__ void f();", "__vector__"},
        {"__global__ __schedmode__(2) void f();", "__schedmode__(2)"},
        {"__global__ __mix__(2, 1) void f();", "__mix__(2, 1)"},
        {"__global__ __mix__ void f();", "__mix__"},
        {"__global__ __cube__ __vector__ void f();", "__cube__ __vector__"},
        {"__vector__ void g(); __global__ void f();", ""},
    };
    for (const auto& c : kCases) {
        const std::vector<FoundKernel> found = FindKernels(c.declaration);
        ASSERT_EQ(found.size(), 1u) << c.declaration;
        EXPECT_EQ(found[0].qualifier, c.qualifier) << c.declaration;
    }
}

}  // namespace
}  // namespace sfumato::jit
