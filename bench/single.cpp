// SPDX-License-Identifier: Apache-2.0
// What one instruction costs: Adds of one element in place, through the whole front end and every check.
#include "kernel_operator.h"
#include "native.h"
#include "pairs.h"

namespace sfumato::bench {
namespace {

constexpr int kCalls = 2000;

void OneElement(benchmark::State& state) {
    GlobalMemory memory;
    LaunchOrFail(state, 1, memory, [&] {
        AscendC::TPipe pipe;
        AscendC::TBuf<> buffer;
        pipe.InitBuffer(buffer, 4096);
        const auto data = buffer.Get<float>(64), twin = buffer.GetWithOffset<float>(64, 256);
        AscendC::Duplicate(data, 0.0f, 64);
        AscendC::Duplicate(twin, 0.0f, 64);
        const AscendC::UnaryRepeatParams params(1, 1, 8, 8);
        const auto ours = [&] {
            for (int i = 0; i < kCalls; ++i) AscendC::Adds(data, data, 1.0f, uint64_t{1}, 1, params);
        };
        auto* const at = reinterpret_cast<float*>(twin.GetPhyAddr());
        const auto native = [&, adds = FindNative()->adds_masked] {
            for (int i = 0; i < kCalls; ++i) adds(at, 1.0f, at, 1);
        };
        ours();
        native();
        if (data.GetValue(0) != kCalls || at[0] != kCalls)
            return state.SkipWithError("the native twin computes another function");
        MeasurePairs(state, {Measure::kCost, 6}, Clock::kThread, {ours, 1}, {native, 1}, kCalls);
    });
}
BENCHMARK(OneElement)->Name("one_instruction")->UseManualTime()->MinTime(0.3);

}  // namespace
}  // namespace sfumato::bench
