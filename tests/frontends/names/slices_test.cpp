// SPDX-License-Identifier: Apache-2.0
// DataCopy of slices, both ways, against coordinates taken one by one (framework.md 3.5).
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "../on_chip.h"

namespace sfumato::names_test {
namespace {

using namespace AscendC;

// The elements that slices choose, in order: every coordinate of the tensor is asked whether it is one of them.
std::vector<uint64_t> Chosen(const std::vector<SliceInfo>& slices, uint64_t block) {
    std::vector<uint64_t> chosen;
    uint64_t whole = 1;
    for (const SliceInfo& s : slices) whole *= s.shapeValue;
    for (uint64_t element = 0; element < whole; ++element) {
        uint64_t rest = element;
        bool in = true;
        for (size_t dim = 0; dim < slices.size(); ++dim) {
            const SliceInfo& s = slices[dim];
            const uint64_t at = rest % s.shapeValue, length = dim == 0 ? s.burstLen * block : 1;
            rest /= s.shapeValue;
            in = in && at >= s.startIndex && at <= s.endIndex && (at - s.startIndex) % (length + s.stride) < length;
        }
        if (in) chosen.push_back(element);
    }
    return chosen;
}

uint64_t Elements(const std::vector<SliceInfo>& slices) {
    uint64_t n = 1;
    for (const SliceInfo& s : slices) n *= s.shapeValue;
    return n;
}

// Random lists of both sides with the same slices; the one in UB keeps to blocks of 32 bytes.
struct Lists {
    std::vector<SliceInfo> gm, ub;
};
Lists Draw(std::mt19937& random, uint32_t dims, uint32_t block) {
    const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    Lists lists;
    for (uint32_t dim = 0; dim < dims; ++dim) {
        const uint32_t count = 1 + below(3), burst = dim == 0 ? 1 + below(3) : 1;
        const auto side = [&](uint32_t unit) {
            const uint32_t length = dim == 0 ? burst * block : 1, stride = below(3) * unit, start = below(3) * unit;
            const uint32_t end = start + count * length + (count - 1) * stride - 1;
            const uint32_t more = below(3) * unit;
            return SliceInfo(start, end, stride, burst, end + 1 + more);
        };
        lists.gm.push_back(side(dim == 0 ? 1 + below(5) : 1));
        lists.ub.push_back(side(dim == 0 ? block : 1));
    }
    return lists;
}

template <class T>
void ExpectBothWays(const char* chip, const Lists& lists) {
    constexpr uint64_t kBlock = 32 / sizeof(T);
    const std::vector<uint64_t> gm_at = Chosen(lists.gm, kBlock), ub_at = Chosen(lists.ub, kBlock);
    ASSERT_EQ(gm_at.size(), ub_at.size());
    const uint64_t gm_count = Elements(lists.gm), ub_count = Elements(lists.ub);
    const auto dims = static_cast<uint32_t>(lists.gm.size());
    const auto value = [](uint64_t i) { return static_cast<uint8_t>(i * 37 + 11); };
    for (const bool in : {true, false}) {
        GlobalMemory memory;
        LaunchOptions options;
        options.chip = chip;
        std::vector<uint8_t> gm_bytes(gm_count * sizeof(T)), ub_bytes((ub_count * sizeof(T) + 31) / 32 * 32);
        for (size_t i = 0; i < gm_bytes.size(); ++i) gm_bytes[i] = value(i);
        for (size_t i = 0; i < ub_bytes.size(); ++i) ub_bytes[i] = static_cast<uint8_t>(~value(i));
        auto* gm = memory.Allocate(gm_bytes.size(), "gm", gm_bytes.data());
        std::vector<uint8_t> found = ub_bytes;
        const LaunchResult result = Launch(options, 1, memory, [&] {
            GlobalTensor<T> tensor;
            tensor.SetGlobalBuffer(reinterpret_cast<T*>(gm), gm_count);
            const LocalTensor<T> local(TPosition::VECCALC, 0, static_cast<uint32_t>(ub_bytes.size() / sizeof(T)));
            auto* ub = reinterpret_cast<uint8_t*>(local.GetPhyAddr());
            std::memcpy(ub, ub_bytes.data(), ub_bytes.size());
            if (in) DataCopy(local, tensor, lists.ub.data(), lists.gm.data(), dims);
            if (!in) DataCopy(tensor, local, lists.gm.data(), lists.ub.data(), dims);
            PipeBarrier<PIPE_ALL>();
            std::memcpy(found.data(), ub, found.size());
        });
        ASSERT_TRUE(result.ok()) << (result.findings.empty() ? "" : result.findings[0].Text());
        std::vector<uint8_t> expected = in ? ub_bytes : gm_bytes;
        const std::vector<uint8_t>& from = in ? gm_bytes : ub_bytes;
        for (size_t i = 0; i < gm_at.size(); ++i) {
            std::copy_n(&from[(in ? gm_at : ub_at)[i] * sizeof(T)], sizeof(T),
                        &expected[(in ? ub_at : gm_at)[i] * sizeof(T)]);
        }
        if (!in) found.assign(gm, gm + gm_bytes.size());
        EXPECT_EQ(found, expected) << chip << ", " << dims << " dimensions of " << sizeof(T) << " bytes";
    }
}

template <class... Ts>
void ExpectRandom(const char* chip) {
    std::mt19937 random(7);
    for (uint32_t dims = 1; dims <= 4; ++dims) {
        for (int i = 0; i < 4; ++i) (ExpectBothWays<Ts>(chip, Draw(random, dims, 32 / sizeof(Ts))), ...);
    }
}

TEST(Slices, OfEveryTypeAndManyShapes) {
    ExpectRandom<int8_t, uint8_t, int16_t, uint16_t, half, int32_t, uint32_t, float, bfloat16_t, int64_t, uint64_t>(
        "Ascend910B1");
    ExpectRandom<int8_t, uint8_t, int16_t, uint16_t, half, int32_t, uint32_t, float>("Ascend310P3");
}

// The example of the page: two runs of 24 elements of rows 0 and 2, packed as 2 x 48.
TEST(Slices, OfThePage) {
    ExpectBothWays<float>("Ascend910B1", {{{16, 70, 7, 3, 87}, {0, 2, 1, 1, 3}}, {{0, 47, 0, 3, 48}, {0, 1, 0, 1, 2}}});
}

TEST(Slices, OfEightDimensions) {
    Lists lists{{{8, 15, 0, 1, 24}}, {{0, 7, 0, 1, 8}}};
    for (int dim = 1; dim < 8; ++dim) {
        lists.gm.emplace_back(0, dim % 2, 0, 1, 2);
        lists.ub.emplace_back(0, dim % 2, 0, 1, 1 + dim % 2);
    }
    ExpectBothWays<float>("Ascend310P3", lists);
}

TEST(Slices, OnTheChipsThatHaveThem) {
    for (const char* chip : {"Ascend910A", "Ascend310B1"}) {
        GlobalMemory memory;
        auto* gm = memory.Allocate(64, "gm");
        LaunchOptions options;
        options.chip = chip;
        const LaunchResult result = Launch(options, 1, memory, [gm] {
            GlobalTensor<float> tensor;
            tensor.SetGlobalBuffer(reinterpret_cast<float*>(gm), 16);
            const SliceInfo slices[] = {{0, 7, 0, 1, 8}};
            DataCopy(Ub<float>(0, 8), tensor, slices, slices);
        });
        ASSERT_FALSE(result.ok()) << chip;
        EXPECT_EQ(result.findings[0].Text().find("fault [instruction-unsupported] DataCopy"), 0u);
    }
}

}  // namespace
}  // namespace sfumato::names_test
