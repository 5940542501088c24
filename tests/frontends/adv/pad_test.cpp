// SPDX-License-Identifier: Apache-2.0
// Pad and UnPad against the plain definition, on both chips (adv.md 9).
#include "frontends/adv/in_ub.h"

namespace sfumato::adv_test {
namespace {

struct Case {
    uint32_t rows, columns, left, right, tmp;  // tmp 0: what InitBuffer left
};

template <class T>
void CheckPad(const Case& c, const char* chip) {
    constexpr uint32_t kBlock = 32 / sizeof(T);
    const uint32_t to = (c.columns + kBlock - 1) / kBlock * kBlock;
    const auto x = Numbers<T>(uint64_t{c.rows} * c.columns, c.rows);
    std::vector<T> want(uint64_t{c.rows} * to, static_cast<T>(321));
    const uint32_t kept = to == c.columns ? c.columns - c.right : c.columns;
    for (uint32_t r = 0; r < c.rows; ++r) {
        for (uint32_t i = 0; i < kept; ++i) want[r * to + c.left + i] = x[r * c.columns + i];
    }
    const auto pad = [&](InUb& ub) {
        auto src = ub.Of(x), dst = ub.Room<T>(want.size());
        auto tmp = ub.Tmp(c.tmp);
        PadTiling tiling;
        tiling.srcHeight = c.rows, tiling.srcWidth = c.columns, tiling.srcOriWidth = kept;
        PadParams params{static_cast<uint16_t>(c.left), static_cast<uint16_t>(c.right), 321};
        ub.Before();
        c.tmp == 0 ? Pad(dst, src, params, tiling) : Pad(dst, src, params, tmp, tiling);
        ub.After();
        ExpectElements("Pad", dst, want);
        ExpectElements("the source of Pad", src, x);
    };
    OnCore("Pad", pad, chip);
}

template <class T>
void CheckUnPad(const Case& c, const char* chip) {
    const uint32_t to = c.columns - c.right;
    const auto x = Numbers<T>(uint64_t{c.rows} * c.columns, c.rows);
    std::vector<T> want(uint64_t{c.rows} * to);
    for (uint32_t r = 0; r < c.rows; ++r) {
        for (uint32_t i = 0; i < to; ++i) want[r * to + i] = x[r * c.columns + i];
    }
    const auto unpad = [&](InUb& ub) {
        auto src = ub.Of(x), dst = ub.Room<T>(want.size());
        auto tmp = ub.Tmp(c.tmp);
        UnPadTiling tiling;
        tiling.srcHeight = c.rows, tiling.srcWidth = c.columns;
        UnPadParams params{0, static_cast<uint16_t>(c.right)};
        ub.Before();
        c.tmp == 0 ? UnPad(dst, src, params, tiling) : UnPad(dst, src, params, tmp, tiling);
        ub.After();
        ExpectElements("UnPad", dst, want);
        ExpectElements("the source of UnPad", src, x);
    };
    OnCore("UnPad", unpad, chip);
}

TEST(Pad, SixteenBits) {
    for (const char* chip : kChips) {
        CheckPad<half>({16, 15, 0, 1, 0}, chip);
        CheckPad<half>({32, 61, 2, 1, 512}, chip);
        CheckPad<int16_t>({16, 5, 3, 8, 256}, chip);
        CheckPad<uint16_t>({320, 63, 1, 0, 4096}, chip);
        CheckPad<half>({300, 32, 0, 2, 512}, chip);
        CheckPad<half>({16, 9, 2, 1, 0}, chip);  // fewer columns of padding than there is room for
    }
}

TEST(Pad, ThirtyTwoBits) {
    for (const char* chip : kChips) {
        CheckPad<float>({8, 7, 0, 1, 0}, chip);
        CheckPad<int32_t>({24, 27, 3, 2, 1024}, chip);
        CheckPad<uint32_t>({5, 16, 0, 7, 256}, chip);
    }
}

TEST(UnPad, AllTypes) {
    for (const char* chip : kChips) {
        CheckUnPad<half>({16, 16, 0, 1, 0}, chip);
        CheckUnPad<int16_t>({320, 64, 0, 1, 2048}, chip);
        CheckUnPad<uint16_t>({7, 48, 0, 15, 512}, chip);
        CheckUnPad<float>({33, 24, 0, 5, 512}, chip);
        CheckUnPad<int32_t>({1, 8, 0, 7, 256}, chip);
        CheckUnPad<uint32_t>({100, 104, 0, 3, 0}, chip);
    }
}

}  // namespace
}  // namespace sfumato::adv_test
