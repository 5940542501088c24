// SPDX-License-Identifier: Apache-2.0
// Functions of float on a tensor in UB, correctly rounded, against SLEEF's within 1 unit in the last place.
#include <random>

#include "kernel_operator.h"
#include "pairs.h"
#include "sleef_twins.h"

namespace sfumato::bench {
namespace {

constexpr uint32_t kElements = 16 * 1024;
constexpr int kCalls = 16;

using Tensor = AscendC::LocalTensor<float>;

void Function(benchmark::State& state, const char* name, double low, double high, double bound,
              void (*function)(const Tensor& dst, const Tensor& src)) {
    GlobalMemory memory;
    const SleefTwin* twin = FindSleef(name);
    if (twin == nullptr) return state.SkipWithError("the twin needs AVX2");
    LaunchOrFail(state, 1, memory, [&] {
        AscendC::TPipe pipe;
        AscendC::TBuf<> buffer;
        pipe.InitBuffer(buffer, 2 * kElements * sizeof(float));
        const auto dst = buffer.GetWithOffset<float>(kElements, 0),
                   src = buffer.GetWithOffset<float>(kElements, kElements * sizeof(float));
        auto* in = reinterpret_cast<float*>(src.GetPhyAddr());
        auto* out = reinterpret_cast<float*>(dst.GetPhyAddr());
        std::mt19937 random(1);
        std::uniform_real_distribution<float> number(static_cast<float>(low), static_cast<float>(high));
        for (uint32_t i = 0; i < kElements; ++i) in[i] = number(random);
        MeasurePairs(state, {Measure::kSpeed, bound}, Clock::kThread,
                     {[&] {
                          for (int i = 0; i < kCalls; ++i) function(dst, src);
                      },
                      kElements},
                     {[&] {
                          for (int i = 0; i < kCalls; ++i) twin->run(in, out, kElements);
                      },
                      kElements},
                     kCalls);
    });
}

[[maybe_unused]] const bool registered = [] {
    const auto add = [](const char* name, double low, double high, double bound,
                        void (*function)(const Tensor& dst, const Tensor& src)) {
        benchmark::RegisterBenchmark((std::string(name) + "_float").c_str(),
                                     [=](benchmark::State& s) { Function(s, name, low, high, bound, function); })
            ->UseManualTime()
            ->MinTime(0.3);
    };
    add("tanh", -5, 5, 0.4, [](const Tensor& dst, const Tensor& src) { AscendC::Tanh(dst, src, kElements); });
    add("sin", -100, 100, kNoBound, [](const Tensor& dst, const Tensor& src) { AscendC::Sin(dst, src, kElements); });
    add("log2", 0.01, 1000, kNoBound, [](const Tensor& dst, const Tensor& src) { AscendC::Log2(dst, src, kElements); });
    add("exp", -20, 20, 0.4, [](const Tensor& dst, const Tensor& src) { AscendC::Exp(dst, src, kElements); });
    add("gelu", -5, 5, 0.4, [](const Tensor& dst, const Tensor& src) { AscendC::Gelu(dst, src, kElements); });
    return true;
}();

}  // namespace
}  // namespace sfumato::bench
