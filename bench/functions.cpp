// SPDX-License-Identifier: Apache-2.0
// Functions of float on a tensor in UB: correctly rounded ones against SLEEF's within 1 unit in the last place,
// estimates against a look-up in the same table.
#include <bit>
#include <random>

#include "kernel_operator.h"
#include "numeric/estimates.h"
#include "pairs.h"
#include "sleef_twins.h"

namespace sfumato::bench {
namespace {

constexpr uint32_t kElements = 16 * 1024;
constexpr int kCalls = 16;

using Tensor = AscendC::LocalTensor<float>;

// Of positive normal numbers with a normal result.
void ReciprocalTable(const float* in, float* out, size_t n) {
    static constexpr auto kTable = numeric::ReciprocalEstimates();
    for (size_t i = 0; i < n; ++i) {
        const uint32_t bits = std::bit_cast<uint32_t>(in[i]);
        out[i] = std::bit_cast<float>(((253 - (bits >> 23)) << 23) | kTable[bits >> 15 & 255]);
    }
}
void RsqrtTable(const float* in, float* out, size_t n) {
    static constexpr auto kTable = numeric::RsqrtEstimates();
    for (size_t i = 0; i < n; ++i) {
        const uint32_t bits = std::bit_cast<uint32_t>(in[i]);
        out[i] = std::bit_cast<float>(((380 - (bits >> 23)) / 2 << 23) | kTable[(bits >> 16 & 255) ^ 128]);
    }
}

using Twin = void (*)(const float* in, float* out, size_t n);

void Function(benchmark::State& state, Twin twin, double low, double high, double bound,
              void (*function)(const Tensor& dst, const Tensor& src)) {
    GlobalMemory memory;
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
                          for (int i = 0; i < kCalls; ++i) twin(in, out, kElements);
                      },
                      kElements},
                     kCalls);
    });
}

[[maybe_unused]] const bool registered = [] {
    const auto add_twin = [](const char* name, Twin twin, double low, double high, double bound,
                             void (*function)(const Tensor& dst, const Tensor& src)) {
        benchmark::RegisterBenchmark((std::string(name) + "_float").c_str(),
                                     [=](benchmark::State& s) { Function(s, twin, low, high, bound, function); })
            ->UseManualTime()
            ->MinTime(0.3);
    };
    const auto add = [&](const char* name, double low, double high, double bound,
                         void (*function)(const Tensor& dst, const Tensor& src)) {
        const SleefTwin* twin = FindSleef(name);
        add_twin(name, twin ? twin->run : nullptr, low, high, bound, function);
    };
    add_twin("reciprocal", ReciprocalTable, 0.01, 1000, 0.5,
             [](const Tensor& dst, const Tensor& src) { AscendC::Reciprocal(dst, src, kElements); });
    add_twin("rsqrt", RsqrtTable, 0.01, 1000, 0.5,
             [](const Tensor& dst, const Tensor& src) { AscendC::Rsqrt(dst, src, kElements); });
    add("tanh", -5, 5, 0.4, [](const Tensor& dst, const Tensor& src) { AscendC::Tanh(dst, src, kElements); });
    add("sin", -100, 100, kNoBound, [](const Tensor& dst, const Tensor& src) { AscendC::Sin(dst, src, kElements); });
    add("log2", 0.01, 1000, kNoBound, [](const Tensor& dst, const Tensor& src) { AscendC::Log2(dst, src, kElements); });
    add("exp", -20, 20, 0.4, [](const Tensor& dst, const Tensor& src) { AscendC::Exp(dst, src, kElements); });
    add("gelu", -5, 5, 0.4, [](const Tensor& dst, const Tensor& src) { AscendC::Gelu(dst, src, kElements); });
    return true;
}();

}  // namespace
}  // namespace sfumato::bench
