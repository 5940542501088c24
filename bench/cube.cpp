// SPDX-License-Identifier: Apache-2.0
// Single instructions of the cube core on data that stays in the caches: the windows of a 3x3 convolution by Load3Dv2
// and rows to fractals, against memcpy of the bytes they write; the smallest Mmad, against sgemm of its size; Mmad on
// data that saturates, against Mmad on numbers.
#include <array>
#include <cstring>
#include <random>

#include "kernel_operator.h"
#include "pairs.h"
#include "sgemm.h"

namespace sfumato::bench {
namespace {

using AscendC::LocalTensor;
using AscendC::TPosition;

constexpr uint32_t kC0 = 16, kFractal = 256;  // elements of half
constexpr uint32_t kL0Elements = 64 * 1024 / sizeof(half);

template <TPosition position>
LocalTensor<half> Whole(AscendC::TPipe& pipe, AscendC::TBuf<position>& buffer, uint32_t elements) {
    pipe.InitBuffer(buffer, elements * sizeof(half));
    const LocalTensor<half> tensor = buffer.template Get<half>();
    std::mt19937 random(1);
    auto* data = reinterpret_cast<half*>(tensor.GetPhyAddr());
    for (uint32_t i = 0; i < elements; ++i) data[i] = static_cast<half>(static_cast<int>(random() % 9) - 4);
    return tensor;
}

// 32 x 32 pixels of 64 channels, filter 3x3, padding 1: a matrix of 1024 x 576, in tiles that fill L0A.
void Convolution(benchmark::State& state) {
    static constexpr uint16_t kSide = 32, kChannels = 64;
    static constexpr uint32_t kRows = kSide * kSide, kColumns = 9 * kChannels, kTileRows = 128, kTileColumns = 256;
    static_assert(kTileRows * kTileColumns == kL0Elements && kRows % kTileRows == 0 && kColumns % kC0 == 0);
    GlobalMemory memory;
    LaunchOrFail(state, 1, memory, [&] {
        KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
        AscendC::TPipe pipe;
        AscendC::TBuf<TPosition::A1> a1_buffer;
        AscendC::TBuf<TPosition::A2> a2_buffer;
        const auto a1 = Whole(pipe, a1_buffer, kRows * kChannels), a2 = Whole(pipe, a2_buffer, kL0Elements);
        const auto for_tiles = [](const auto& body) {
            for (uint32_t m = 0; m < kRows; m += kTileRows) {
                for (uint32_t k = 0; k < kColumns; k += kTileColumns) {
                    body(m, k, kColumns - k < kTileColumns ? kColumns - k : kTileColumns);
                }
            }
        };
        const auto ours = [&] {
            const uint8_t pads[4] = {1, 1, 1, 1};
            for_tiles([&](uint32_t m, uint32_t k, uint32_t columns) {
                const auto u16 = [](uint32_t v) { return static_cast<uint16_t>(v); };
                AscendC::LoadData(
                    a2, a1,
                    AscendC::LoadData3DParamsV2<half>(pads, kSide, kSide, kChannels, u16(columns), u16(kTileRows),
                                                      u16(k), u16(m), 1, 1, 3, 3, 1, 1, false, false, half(0)));
            });
        };
        const auto native = [to = a2.GetPhyAddr(), from = a1.GetPhyAddr(), for_tiles] {
            for_tiles([&](uint32_t, uint32_t, uint32_t columns) {
                std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from),
                            kTileRows * columns * sizeof(half));
            });
        };
        MeasurePairs(state, {Measure::kSpeed, 0.5}, Clock::kThread, {ours, 1}, {native, 1}, 1);
    });
}

// A block of A of a matmul: 128 rows of 512 out of rows of 1024.
void RowsToFractals(benchmark::State& state) {
    constexpr uint16_t kRows = 128, kColumns = 512, kRow = 1024;
    static constexpr uint32_t kElements = uint32_t{kRows} * kColumns;
    GlobalMemory memory;
    uint8_t* const gm = memory.Allocate(uint64_t{kRows} * kRow * sizeof(half), "src");
    LaunchOrFail(state, 1, memory, [&] {
        KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
        AscendC::TPipe pipe;
        AscendC::TBuf<TPosition::A1> buffer;
        const auto a1 = Whole(pipe, buffer, kElements);
        AscendC::GlobalTensor<half> src;
        src.SetGlobalBuffer(reinterpret_cast<half*>(gm), uint64_t{kRows} * kRow);
        const auto ours = [&] {
            AscendC::DataCopy(a1, src, AscendC::Nd2NzParams(1, kRows, kColumns, 0, kRow, kRows, 1, 0));
        };
        const auto native = [gm, to = a1.GetPhyAddr()] {
            std::memcpy(reinterpret_cast<void*>(to), gm, kElements * sizeof(half));
        };
        MeasurePairs(state, {Measure::kSpeed, kNoBound}, Clock::kThread, {ours, 1}, {native, 1}, 1);
    });
}

void SmallProduct(benchmark::State& state) {
    constexpr int kCalls = 500;
    constexpr uint16_t kSide = 16;
    GlobalMemory memory;
    LaunchOrFail(state, 1, memory, [&] {
        KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
        AscendC::TPipe pipe;
        AscendC::TBuf<TPosition::A2> a2_buffer;
        AscendC::TBuf<TPosition::B2> b2_buffer;
        AscendC::TBuf<TPosition::CO1> co1_buffer;
        const auto a2 = Whole(pipe, a2_buffer, kFractal), b2 = Whole(pipe, b2_buffer, kFractal);
        pipe.InitBuffer(co1_buffer, kFractal * sizeof(float));
        const auto co1 = co1_buffer.Get<float>();
        const AscendC::MmadParams params(kSide, kSide, kSide, 0, false, true);
        const float a[kFractal] = {}, b[kFractal] = {};
        float c[kFractal];
        const auto ours = [&] {
            for (int i = 0; i < kCalls; ++i) AscendC::Mmad(co1, a2, b2, params);
        };
        const auto native = [&] {
            for (int i = 0; i < kCalls; ++i) MultiplySquares(kSide, a, b, c);
        };
        MeasurePairs(state, {Measure::kSpeed, kNoBound}, Clock::kThread, {ours, 1}, {native, 1}, kCalls);
    });
}

// A product full of NaN or of infinities, under the policy `saturate`, over the same of numbers.
void SpecialProduct(benchmark::State& state, std::array<uint16_t, 4> specials) {
    constexpr int kCalls = 20;
    static constexpr uint16_t kSide = 128;
    static constexpr uint32_t kElements = kSide * kSide;
    GlobalMemory memory;
    LaunchOrFail(state, 1, memory, [&] {
        KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
        AscendC::TPipe pipe;
        AscendC::TBuf<TPosition::A2> a2_buffer;
        AscendC::TBuf<TPosition::B2> b2_buffer;
        AscendC::TBuf<TPosition::CO1> co1_buffer;
        const auto a2 = Whole(pipe, a2_buffer, 2 * kElements), b2 = Whole(pipe, b2_buffer, 2 * kElements);
        pipe.InitBuffer(co1_buffer, kElements * sizeof(float));
        const auto co1 = co1_buffer.Get<float>();
        std::mt19937 random(1);
        for (const LocalTensor<half>& tensor : {a2, b2}) {
            auto* bits = reinterpret_cast<uint16_t*>(tensor.GetPhyAddr());
            for (uint32_t i = 0; i < kElements; ++i) bits[i] = specials[random() % specials.size()];
        }
        const AscendC::MmadParams params(kSide, kSide, kSide, 0, false, true);
        const auto multiply = [&](uint32_t first) {
            for (int i = 0; i < kCalls; ++i) AscendC::Mmad(co1, a2[first], b2[first], params);
        };
        MeasurePairs(state, {Measure::kCost, 2}, Clock::kThread, {[&] { multiply(0); }, 1},
                     {[&] { multiply(kElements); }, 1}, kCalls);
    });
}

constexpr uint16_t kNan = 0x7E00, kInfinity = 0x7C00, kMinusInfinity = 0xFC00;
BENCHMARK_CAPTURE(SpecialProduct, nan, {kNan, kNan, kNan, kNan})->Name("mmad_nan")->UseManualTime()->MinTime(0.3);
BENCHMARK_CAPTURE(SpecialProduct, infinity, {kInfinity, kInfinity, kMinusInfinity, kMinusInfinity})
    ->Name("mmad_infinity")
    ->UseManualTime()
    ->MinTime(0.3);
BENCHMARK(Convolution)->Name("load3dv2_3x3")->UseManualTime()->MinTime(0.3);
BENCHMARK(RowsToFractals)->Name("nd2nz")->UseManualTime()->MinTime(0.3);
[[maybe_unused]] const bool registered = [] {
    if (kHaveSgemm) benchmark::RegisterBenchmark("mmad_16x16x16", SmallProduct)->UseManualTime()->MinTime(0.3);
    return true;
}();

}  // namespace
}  // namespace sfumato::bench
