// SPDX-License-Identifier: Apache-2.0
// Tests of what is tried after a compiler has refused a source.
#include "jit/second_try.h"

#include <gtest/gtest.h>

namespace sfumato::jit {
namespace {

using Options = std::vector<std::string>;

constexpr const char* kType =
    "k.cpp: In instantiation of 'void Work() [with T = signed char]':\n"
    "k.cpp:9:11:   required from 'void Work() [with T = signed char]'\n"
    "k.cpp:12:3:   required from here\n"
    "/i/cast_pairs.h:5:9: error: static assertion failed: Mul: no chip has this type; it takes half, float "
    "[type-unsupported]\n"
    "    5 | SFUMATO_LISTED(\n";
constexpr const char* kTypeOfClang =
    "/i/cast_pairs.h:5:9: error: static assertion failed due to requirement '(kTypes >> 1) & 1': Mul: no chip has "
    "this type; it takes half, float [type-unsupported]\n"
    "k.cpp:9:11: note: in instantiation of function template specialization 'AscendC::Mul<signed char>' requested "
    "here\n";

// Constants that the headers declare for sources without one of their own.
TEST(SecondTry, LentConstants) {
    EXPECT_EQ(TryAgain("k.cpp:3:1: error: ‘CACHE_LINE_SIZE’ is not a member of ‘AscendC’\n"
                       "k.cpp:4:1: error: ‘CACHE_LINE_SIZE’ was not declared in this scope\n"
                       "k.cpp:5:1: error: use of undeclared identifier 'TOTAL_VEC_LOCAL_SIZE'\n",
                       {})
                  .options,
              (Options{"-DSFUMATO_DECLARES_CACHE_LINE_SIZE", "-DSFUMATO_DECLARES_TOTAL_VEC_LOCAL_SIZE"}));
    EXPECT_TRUE(TryAgain("k.cpp:3:1: error: ‘TMP_UB_OFFSET’ was not declared in this scope\n", {}).options.empty());
    EXPECT_TRUE(TryAgain("k.cpp:3:1: error: ‘CACHE_LINE_SIZE’ was not declared in this scope\n",
                         {"-O1", "-DSFUMATO_DECLARES_CACHE_LINE_SIZE"})
                    .options.empty())
        << "what was tried helps no more";
}

// The warning stands where the program makes the call.
TEST(SecondTry, ElementTypes) {
    for (const char* messages : {kType, kTypeOfClang}) {
        const SecondTry again = TryAgain(messages, {});
        EXPECT_EQ(again.options, Options{"-DSFUMATO_ANY_TYPE"});
        EXPECT_EQ(again.warnings,
                  "k.cpp:9:11: warning: Mul: no chip has this type; it takes half, float: a fault when it runs "
                  "(without this warning: -DSFUMATO_ANY_TYPE) [type-unsupported]\n");
        EXPECT_TRUE(TryAgain(messages, {"-DSFUMATO_ANY_TYPE"}).options.empty());
    }
    EXPECT_TRUE(TryAgain(std::string(kType) + "k.cpp:20:1: error: expected ‘;’\n", {}).options.empty())
        << "another error stops the compiler, too";
    EXPECT_TRUE(TryAgain("", {}).options.empty());
}

}  // namespace
}  // namespace sfumato::jit
