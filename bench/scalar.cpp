// SPDX-License-Identifier: Apache-2.0
// What a load and a store of the scalar unit cost with nothing pending, against those of an array.
#include "kernel_operator.h"
#include "pairs.h"

namespace sfumato::bench {
namespace {

constexpr int kElements = 1024;

// Each element becomes itself and the one before it: a load and a store of ours for a load and a store of the array.
void Elements(benchmark::State& state) {
    GlobalMemory memory;
    LaunchOrFail(state, 1, memory, [&] {
        AscendC::TPipe pipe;
        AscendC::TBuf<> buffer;
        pipe.InitBuffer(buffer, 8 * kElements);
        const auto data = buffer.Get<int32_t>(kElements),
                   twin = buffer.GetWithOffset<int32_t>(kElements, 4 * kElements);
        AscendC::Duplicate(data, 1, kElements);
        AscendC::Duplicate(twin, 1, kElements);
        const auto ours = [&] {
            for (uint32_t i = 1; i < kElements; ++i) data.SetValue(i, data.GetValue(i - 1) + 1);
        };
        auto* const at = reinterpret_cast<volatile int32_t*>(twin.GetPhyAddr());
        const auto native = [&] {
            for (uint32_t i = 1; i < kElements; ++i) at[i] = at[i - 1] + 1;
        };
        ours();
        native();
        if (data.GetValue(kElements - 1) != kElements || at[kElements - 1] != kElements)
            return state.SkipWithError("the native twin computes another function");
        MeasurePairs(state, {Measure::kSpeed, kNoBound}, Clock::kThread, {ours, 1}, {native, 1}, 2 * kElements);
    });
}
BENCHMARK(Elements)->Name("scalar_load_store")->UseManualTime()->MinTime(0.3);

}  // namespace
}  // namespace sfumato::bench
