// SPDX-License-Identifier: Apache-2.0
// Bits of Compare and Select in tensors of any type of whole bytes, against bits set one by one
// (vector_instructions.md 2.1, 3.1).
#include <gtest/gtest.h>

#include <vector>

#include "../on_chip.h"

namespace sfumato::names_test {
namespace {

using namespace AscendC;

constexpr uint32_t kCount = 256, kBits = 4096, kA = 0, kB = 1024, kOut = 2048;

float A(uint32_t i) { return static_cast<float>(i * 5 % 17); }
float B(uint32_t i) { return static_cast<float>(i * 3 % 13); }

template <class M>
LocalTensor<M> Bits() {
    return Ub<M>(kBits, 64 / sizeof(M));
}

void Fill() {
    for (uint32_t i = 0; i < kCount; ++i) {
        Ub<float>(kA, kCount).SetValue(i, A(i));
        Ub<float>(kB, kCount).SetValue(i, B(i));
    }
    for (uint32_t i = 0; i < 64; ++i) Bits<uint8_t>().SetValue(i, uint8_t{0x5a});
    PipeBarrier<PIPE_ALL>();
}

template <class Store>
void ExpectBits(const char* what, const Store& store, const std::function<bool(uint32_t)>& bit) {
    for (const char* chip : {"Ascend910B1", "Ascend310P3"}) {
        const LaunchResult result = OnChip(chip, [&] {
            Fill();
            store();
            PipeBarrier<PIPE_ALL>();
            for (uint32_t i = 0; i < kCount; ++i)
                EXPECT_EQ(Bits<uint8_t>().GetValue(i / 8) >> i % 8 & 1, bit(i)) << what << " on " << chip << ", " << i;
            for (uint32_t at = kCount / 8; at < 64; ++at) EXPECT_EQ(Bits<uint8_t>().GetValue(at), 0x5a) << what;
        });
        EXPECT_TRUE(result.findings.empty())
            << what << ": " << (result.findings.empty() ? "" : result.findings[0].Text());
    }
}

template <class M>
void ExpectOf(const char* name) {
    const auto a = [] { return Ub<float>(kA, kCount); };
    const auto b = [] { return Ub<float>(kB, kCount); };
    ExpectBits(
        name, [&] { Compare(Bits<M>(), a(), b(), CMPMODE::LT, kCount); }, [](uint32_t i) { return A(i) < B(i); });
    ExpectBits(
        name,
        [&] {
            Compare(Bits<M>(), a(), b(), CMPMODE::EQ, 64, 4, {1, 1, 1, 8, 8, 8});
        },
        [](uint32_t i) { return A(i) == B(i); });
    ExpectBits(
        name, [&] { Compares(Bits<M>(), a(), 6.0f, CMPMODE::GE, kCount); }, [](uint32_t i) { return A(i) >= 6; });
    ExpectBits(
        name,
        [&] {
            CompareScalar(Bits<M>(), a(), 6.0f, CMPMODE::NE, 64, 4, {1, 1, 8, 8});
        },
        [](uint32_t i) { return A(i) != 6; });
    for (const SELMODE mode :
         {SELMODE::VSEL_TENSOR_TENSOR_MODE, SELMODE::VSEL_CMPMASK_SPR, SELMODE::VSEL_TENSOR_SCALAR_MODE}) {
        for (const char* chip : {"Ascend910B1", "Ascend310P3"}) {
            const LaunchResult result = OnChip(chip, [&] {
                Fill();
                for (uint32_t i = 0; i < 32; ++i) Bits<uint8_t>().SetValue(i, static_cast<uint8_t>(i * 29 + 3));
                PipeBarrier<PIPE_ALL>();
                const auto out = Ub<float>(kOut, kCount);
                const bool scalar = mode == SELMODE::VSEL_TENSOR_SCALAR_MODE;
                if (scalar) Select(out, Bits<M>(), a(), -1.0f, mode, kCount);
                if (!scalar) Select(out, Bits<M>(), a(), b(), mode, 64, 4, {1, 1, 1, 8, 8, 8});
                PipeBarrier<PIPE_ALL>();
                for (uint32_t i = 0; i < kCount; ++i) {
                    const uint32_t at = mode == SELMODE::VSEL_CMPMASK_SPR ? i % 64 : i;
                    const bool first = static_cast<uint8_t>(at / 8 * 29 + 3) >> at % 8 & 1;
                    EXPECT_EQ(out.GetValue(i), first ? A(i) : scalar ? -1.0f : B(i)) << name << ", element " << i;
                }
            });
            EXPECT_TRUE(result.findings.empty()) << name << (result.findings.empty() ? "" : result.findings[0].Text());
        }
    }
}

TEST(Masks, OfEveryTypeOfWholeBytes) {
    ExpectOf<uint8_t>("uint8_t");
    ExpectOf<int8_t>("int8_t");
    ExpectOf<uint16_t>("uint16_t");
    ExpectOf<int16_t>("int16_t");
    ExpectOf<half>("half");
    ExpectOf<uint32_t>("uint32_t");
    ExpectOf<int32_t>("int32_t");
    ExpectOf<float>("float");
    ExpectOf<uint64_t>("uint64_t");
}

// The tensor's end is that of its bytes.
TEST(Masks, TooShortATensorIsSeen) {
    const auto rules = [](const auto& bits) {
        const LaunchResult result = OnChip("Ascend910B1", [&] {
            Fill();
            Compare(bits(), Ub<float>(kA, kCount), Ub<float>(kB, kCount), CMPMODE::LT, kCount);
        });
        return result.findings.empty() ? std::string() : std::string(Name(result.findings[0].rule));
    };
    EXPECT_EQ(rules([] { return Ub<uint16_t>(kBits, 16); }), "");
    EXPECT_EQ(rules([] { return Ub<uint16_t>(kBits, 15); }), rules([] { return Ub<uint8_t>(kBits, 30); }));
    EXPECT_NE(rules([] { return Ub<uint16_t>(kBits, 15); }), "");
}

}  // namespace
}  // namespace sfumato::names_test
