// SPDX-License-Identifier: Apache-2.0
// BroadCast: every form, type and width (adv.md 9).
#include "frontends/adv/in_ub.h"

namespace sfumato::adv_test {
namespace {

template <class T, int32_t dim, int32_t axis>
void Check(uint32_t m, uint32_t n, uint32_t tmp_bytes) {
    const uint64_t sources = dim == 1 ? 1 : axis == 0 ? n : m;
    const std::vector<T> values = Numbers<T>(sources, m + n);
    std::vector<T> want;
    for (uint32_t r = 0; r < m; ++r) {
        for (uint32_t c = 0; c < n; ++c) want.push_back(values[dim == 1 ? 0 : axis == 0 ? c : r]);
    }
    const uint32_t to[] = {dim == 1 ? n : m, n}, from[] = {dim == 1 || axis == 0 ? 1 : m, axis == 0 ? n : 1};
    const std::string name = "[" + std::to_string(m) + ", " + std::to_string(n) + "] axis " + std::to_string(axis) +
                             " of " + std::to_string(sizeof(T)) + " bytes, tmp " + std::to_string(tmp_bytes);
    for (const char* chip : kChips) {
        const LaunchResult result = OnChip(chip, [&] {
            TPipe pipe;
            TBuf<TPosition::VECCALC> all;
            pipe.InitBuffer(all, 150 * 1024);
            InUb ub;
            auto src = ub.Of(values);
            auto dst = ub.Of(std::vector<T>(want.size() + 4, T(7.0f)));
            dst.SetSize(static_cast<uint32_t>(want.size()));
            auto tmp = ub.Room<uint8_t>(tmp_bytes);
            ub.Before();
            if (tmp_bytes == 0) {
                Broadcast<T, dim, axis>(dst, src, to, from);
            } else {
                BroadCast<T, dim, axis>(dst, src, to, from, tmp);
            }
            ub.After();
            ExpectElements(name.c_str(), dst, want);
            dst.SetSize(static_cast<uint32_t>(want.size() + 4));
            for (uint32_t i = 0; i < 4; ++i) {
                ASSERT_EQ(static_cast<float>(dst.GetValue(static_cast<uint32_t>(want.size()) + i)), 7) << name;
            }
        });
        ExpectNoFindings(name.c_str(), result);
    }
}

template <class T>
void CheckType() {
    const uint32_t block = 32 / sizeof(T);
    for (const uint32_t tmp : {0u, 2048u, 8192u}) {
        Check<T, 2, 0>(5, 2 * block, tmp);
        Check<T, 2, 0>(1, block, tmp);
        Check<T, 2, 1>(16, 3 * block, tmp);
        Check<T, 2, 1>(64, block, tmp);
        Check<T, 2, 1>(32, 7, tmp);
        Check<T, 2, 1>(48, 101, tmp);
        Check<T, 2, 1>(16, 1, tmp);
        Check<T, 1, 0>(1, 333, tmp);
        Check<T, 1, 0>(1, 1, tmp);
    }
}

TEST(Broadcast, Float) { CheckType<float>(); }
TEST(Broadcast, Half) { CheckType<half>(); }
TEST(Broadcast, Int8) { CheckType<int8_t>(); }
TEST(Broadcast, Uint8) { CheckType<uint8_t>(); }
// Rows that are no multiple of 8: Brcb reads on in the block of the last ones.
TEST(Broadcast, AnyNumberOfRows) {
    for (const uint32_t rows : {1u, 2u, 3u, 9u, 17u, 100u}) {
        Check<float, 2, 1>(rows, 8, 1024);
        Check<half, 2, 1>(rows, 48, 1024);
        Check<half, 2, 1>(rows, 5, 1024);
        Check<float, 2, 1>(rows, 5, 1024);
    }
}

}  // namespace
}  // namespace sfumato::adv_test
