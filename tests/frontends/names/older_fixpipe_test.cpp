// SPDX-License-Identifier: Apache-2.0
// Fixpipe with its older struct, against elements placed by hand (cube.md 5.1).
#include <gtest/gtest.h>

#include <vector>

#include "../on_chip.h"

namespace sfumato::names_test {
namespace {

using namespace AscendC;

// Row i, column j of the matrix in L0C: whole numbers that half holds.
float At(uint32_t i, uint32_t j) { return static_cast<float>((i * 31 + j * 7) % 512); }

const char* const kChips[] = {"Ascend910B1", "Ascend310B1"};

struct Shape {
    uint32_t m, n, gap;  // gap: fractals between two blocks of columns in L0C
};

// What `store` leaves in `count` elements of D, from a matrix of T in L0C.
template <class T, class D, class Store>
std::vector<D> Stored(const char* chip, const Shape& s, size_t count, const Store& store) {
    GlobalMemory memory;
    LaunchOptions options;
    options.chip = chip;
    if (std::string(chip) == "Ascend910B1") options.core = CoreChoice::kCube;
    std::vector<D> out(count, D(-1));
    auto* gm = memory.Allocate(count * sizeof(D), "out", out.data());
    const LaunchResult result = Launch(options, 1, memory, [&] {
        const uint32_t rows = (s.m + 15) / 16 * 16, pitch = rows * 16 + s.gap * 256;
        const LocalTensor<T> l0c(TPosition::CO1, 0, (s.n + 15) / 16 * pitch);
        auto* at = reinterpret_cast<T*>(l0c.GetPhyAddr());
        for (uint32_t j = 0; j < s.n; ++j) {
            for (uint32_t i = 0; i < s.m; ++i) at[j / 16 * pitch + i * 16 + j % 16] = static_cast<T>(At(i, j));
        }
        GlobalTensor<D> tensor;
        tensor.SetGlobalBuffer(reinterpret_cast<D*>(gm), count);
        store(tensor, l0c);
    });
    EXPECT_TRUE(result.ok()) << (result.findings.empty() ? "" : result.findings[0].Text());
    std::memcpy(static_cast<void*>(out.data()), gm, count * sizeof(D));
    return out;
}

template <class T, class D>
void ExpectRows(const Shape& s, uint32_t pitch, QuantMode_t quant) {
    for (const char* chip : kChips) {
        const auto found = Stored<T, D>(chip, s, s.m * pitch, [&](const auto& gm, const auto& l0c) {
            FixpipeParams<T> params;
            params.cburstNum = static_cast<uint16_t>((s.n + 15) / 16);
            params.burstLen = static_cast<uint16_t>(s.m * 16 * sizeof(T) / 32);
            params.srcStride = static_cast<uint16_t>(s.gap);
            params.dstStride = pitch;
            params.quantParams = {quant};
            params.nz2ndParams.nz2ndEn = true;
            params.nz2ndParams.originalNSize = static_cast<uint16_t>(s.n);
            Fixpipe(gm, l0c, params);
        });
        for (uint32_t i = 0; i < s.m; ++i) {
            for (uint32_t j = 0; j < pitch; ++j)
                EXPECT_EQ(static_cast<float>(found[i * pitch + j]), j < s.n ? At(i, j) : -1.0f) << i << ", " << j;
        }
    }
}

TEST(OlderFixpipe, Rows) {
    ExpectRows<float, float>({16, 16, 0}, 16, NoQuant);
    ExpectRows<float, float>({20, 35, 0}, 48, NoQuant);
    ExpectRows<float, half>({17, 32, 0}, 32, F322F16);
    ExpectRows<float, float>({16, 48, 2}, 48, NoQuant);
    ExpectRows<int32_t, int32_t>({33, 20, 1}, 24, NoQuant);
}

// dstStride counts what lies between two blocks of columns.
template <class T, class D>
void ExpectBlocks(const Shape& s, uint32_t gap, QuantMode_t quant) {
    for (const char* chip : kChips) {
        const uint32_t per_block = 32 / sizeof(D), pitch = s.m * 16 + gap * per_block, blocks = s.n / 16;
        const auto found = Stored<T, D>(chip, s, blocks * pitch, [&](const auto& gm, const auto& l0c) {
            FixpipeParams<T> params(static_cast<uint16_t>(blocks), static_cast<uint16_t>(s.m * 16 * sizeof(T) / 32),
                                    static_cast<uint16_t>(s.gap), gap);
            params.quantParams.quantPre = quant;
            params.reluEn = true;
            Fixpipe(gm, l0c, params);
        });
        for (uint32_t b = 0; b < blocks; ++b) {
            for (uint32_t at = 0; at < pitch; ++at) {
                const float expected = at < s.m * 16 ? At(at / 16, b * 16 + at % 16) : -1.0f;
                EXPECT_EQ(static_cast<float>(found[b * pitch + at]), expected) << b << ", " << at;
            }
        }
    }
}

TEST(OlderFixpipe, Fractals) {
    ExpectBlocks<float, float>({16, 32, 0}, 0, NoQuant);
    ExpectBlocks<float, float>({24, 48, 0}, 4, NoQuant);
    ExpectBlocks<float, half>({16, 48, 1}, 3, F322F16);
    ExpectBlocks<int32_t, int32_t>({32, 32, 0}, 0, NoQuant);
}

// Of 8 bits two blocks of columns lie side by side, and the gap is between such pairs.
TEST(OlderFixpipe, PairsOfFractals) {
    const Shape s{16, 64, 0};
    constexpr uint32_t kGap = 2, kPitch = (16 + kGap) * 32;
    for (const char* chip : kChips) {
        const auto found = Stored<float, int8_t>(chip, s, 2 * kPitch, [&](const auto& gm, const auto& l0c) {
            FixpipeParams<float> params(4, 16 * 16 * 4 / 32, 0, kGap);
            params.quantParams = {QF322B8_PRE, uint64_t{0x3f800000} | uint64_t{1} << 46};  // times 1, signed
            Fixpipe(gm, l0c, params);
        });
        for (uint32_t at = 0; at < 2 * kPitch; ++at) {
            const uint32_t pair = at / kPitch, row = at % kPitch / 32, column = at % 32;
            const float expected = row < 16 ? std::min(At(row, pair * 32 + column), 127.0f) : -1.0f;
            EXPECT_EQ(found[at], static_cast<int8_t>(expected)) << chip << ", " << at;
        }
    }
}

// Every overload: to L1, and with the words of a vector mode.
TEST(OlderFixpipe, Overloads) {
    using Global = void (*)(const GlobalTensor<half>&, const LocalTensor<int32_t>&, const LocalTensor<uint64_t>&,
                            const FixpipeParams<int32_t>&, CallSite);
    using Local = void (*)(const LocalTensor<half>&, const LocalTensor<float>&, const FixpipeParams<float>&, CallSite);
    EXPECT_NE((static_cast<Global>(&Fixpipe<half, int32_t>)), nullptr);
    EXPECT_NE((static_cast<Local>(&Fixpipe<half, float>)), nullptr);
}

}  // namespace
}  // namespace sfumato::names_test
