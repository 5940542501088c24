// SPDX-License-Identifier: Apache-2.0
// A constant table of the kernel's module: read as global memory, never written (framework.md 3.1).
#include <gtest/gtest.h>

#include <cstring>

#include "kernel_operator.h"
#include "sfumato/ascendc/kernel_marks.h"
#include "sfumato/launch.h"
#include "support/golden.h"
#include "support/raised.h"
#include "support/tensor_at.h"

namespace sfumato::names_test {
namespace {

using namespace AscendC;

const int32_t kSquares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
[[maybe_unused]] const bool kNoted = entry::NoteConstantTable(&kNoted, "kSquares");

GlobalTensor<int32_t> Squares() {
    GlobalTensor<int32_t> tensor;
    tensor.SetGlobalBuffer(const_cast<int32_t*>(kSquares), 8);
    return tensor;
}
LocalTensor<int32_t> InUb() {
    return TensorAt<int32_t>(TPosition::VECCALC, 0, 8);
}

void Reads(GM_ADDR y) {
    GlobalTensor<int32_t> to;
    to.SetGlobalBuffer(reinterpret_cast<int32_t*>(y), 8);
    DataCopy(InUb(), Squares(), 8);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, InUb(), 8);
}
void Writes(GM_ADDR) { DataCopy(Squares(), InUb(), 8); }
void Stores(GM_ADDR) { Squares().SetValue(1, 2); }

LaunchResult LaunchOf(void (*kernel)(GM_ADDR), int32_t* numbers) {
    GlobalMemory memory;
    LaunchOptions options;
    options.chip = "Ascend910B1";
    auto* y = memory.Allocate(32, "y", numbers);
    const LaunchResult result = Launch(options, 1, memory, kernel, y);
    std::memcpy(numbers, y, 32);
    return result;
}

TEST(Constants, AreReadAndNeverWritten) {
    int32_t numbers[8] = {};
    EXPECT_TRUE(LaunchOf(Reads, numbers).findings.empty());
    EXPECT_EQ(std::memcmp(numbers, kSquares, 32), 0);
    for (const auto kernel : {Writes, Stores}) {
        const LaunchResult result = LaunchOf(kernel, numbers);
        ASSERT_EQ(result.findings.size(), 1u);
        EXPECT_EQ(result.findings[0].rule, "gm-constant");
        Raised(result.findings[0].rule);
        ExpectReports(__FILE__, NameOfTest(), result.findings);
    }
}

}  // namespace
}  // namespace sfumato::names_test
