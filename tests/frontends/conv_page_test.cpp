// SPDX-License-Identifier: Apache-2.0
// The convolution of the LoadData page: the page's own kernel, or the example with its parameters where the page is not
// beside the project.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontends/convolution.h"

#ifdef SFUMATO_LOAD_PAGE_KERNEL
#include SFUMATO_LOAD_PAGE_KERNEL
#endif

namespace sfumato::frontends_test {
namespace {

constexpr uint64_t kInputs = 100;

Program PageProgram(uint64_t input) {
#ifdef SFUMATO_LOAD_PAGE_KERNEL
    return ConvolutionProgram(kPageConvolution, input, load_data_simple_kernel);
#else
    return ConvolutionProgram(kPageConvolution, input, [](uint8_t* fm, uint8_t* we, uint8_t* dst) {
        RunConv2d(kPageConvolution, fm, we, dst);
    });
#endif
}

void ExpectRight(uint64_t input, const std::string& schedule) {
    EXPECT_EQ(ConvolutionFailure(PageProgram(input), schedule, 1), "") << "input " << input << " under " << schedule;
}

TEST(ConvPage, EveryInputUnderTheNamedSchedules) {
    for (uint64_t input = 0; input < kInputs; ++input) {
        for (const char* schedule : {"eager", "late", "ahead"}) ExpectRight(input, schedule);
    }
}

TEST(ConvPage, TwentySeeds) {
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        for (uint64_t i = 0; i < 10; ++i) ExpectRight((seed * 10 + i) % kInputs, fmt::format("seed:{}", seed));
    }
}

}  // namespace
}  // namespace sfumato::frontends_test
