// SPDX-License-Identifier: Apache-2.0
// Select with a byte mask and DropOut (adv.md 9).
#include "frontends/adv/in_ub.h"

namespace sfumato::adv_test {
namespace {

template <class U>
std::vector<U> Masks(uint64_t count) {
    std::mt19937 random(11);
    std::vector<U> values;
    for (uint64_t i = 0; i < count; ++i) {
        const uint32_t r = random();
        values.push_back(static_cast<U>(r % 3 == 0 ? 0 : r % 3 == 1 ? 1 : r >> 3));
    }
    return values;
}

template <class T, class U>
void CheckSelect(uint32_t rows, uint32_t width, uint32_t mask_width, uint32_t tmp_bytes) {
    const std::vector<T> values = Numbers<T>(uint64_t{rows} * width, 8);
    const std::vector<U> masks = Masks<U>(uint64_t{rows} * mask_width);
    const T number(-2.5f);
    for (const char* chip : kChips) {
        for (const bool scalar_first : {false, true}) {
            const std::string name = std::string(chip) + " " + std::to_string(rows) + " x " + std::to_string(width) +
                                     " mask " + std::to_string(mask_width) + " tmp " + std::to_string(tmp_bytes);
            const LaunchResult result = OnChip(chip, [&] {
                InUb ub;
                auto src = ub.Of(values);
                auto mask = ub.Of(masks);
                auto dst = ub.Room<T>(values.size());
                auto tmp = ub.Room<uint8_t>(tmp_bytes);
                const SelectWithBytesMaskShapeInfo info{rows, width, mask_width};
                ub.Before();
                if (scalar_first) {
                    Select(dst, number, src, mask, tmp, info);
                } else {
                    SelectWithBytesMask<T, U, false>(dst, src, number, mask, tmp, info);
                }
                ub.After();
                std::vector<T> want;
                for (uint32_t i = 0; i < values.size(); ++i) {
                    const bool first = masks[i / width * mask_width + i % width] == 0;
                    want.push_back(first != scalar_first ? values[i] : number);
                }
                ExpectElements(name.c_str(), dst, want);
            });
            ExpectNoFindings(name.c_str(), result);
        }
    }
}

TEST(SelectWithBytesMask, EveryType) {
    const auto data = [](auto zero) {
        using T = decltype(zero);
        for (const uint32_t tmp : {3072u, 8192u}) {
            CheckSelect<T, uint8_t>(4, 64, 64, tmp);
            CheckSelect<T, bool>(3, 48, 64, tmp);
            CheckSelect<T, int8_t>(5, 32, 96, tmp);
            CheckSelect<T, int16_t>(5, 32, 48, tmp);
            CheckSelect<T, uint16_t>(2, 32, 32, tmp);
            CheckSelect<T, int32_t>(4, 16, 16, tmp);
            CheckSelect<T, uint32_t>(4, 16, 48, tmp);
            CheckSelect<T, uint8_t>(2, 1024, 1056, tmp);
        }
    };
    data(half());
    data(float());
    CheckSelect<float, uint8_t>(3, 8, 32, 4096);
    CheckSelect<float, uint8_t>(30, 24, 32, 4096);
}

template <class T, uint32_t mode, bool by_shape = false>
void CheckDropOut(uint32_t rows, uint32_t width, uint32_t mask_width) {
    const std::vector<T> values = Numbers<T>(uint64_t{rows} * width, 8);
    constexpr bool kBits = mode >= DROPOUT_MODE_BIT_ALIGN;
    std::vector<uint8_t> masks;
    std::mt19937 random(5);
    for (uint64_t i = 0; i < uint64_t{rows} * mask_width; ++i) masks.push_back(static_cast<uint8_t>(kBits ? random() : random() % 2));
    const float keep = 0.7f;
    const T factor(static_cast<float>(1.0 / static_cast<double>(keep)));
    for (const char* chip : kChips) {
        const std::string name = std::string(chip) + " mode " + std::to_string(mode);
        const LaunchResult result = OnChip(chip, [&] {
            TPipe pipe;
            TBuf<TPosition::VECCALC> all;
            pipe.InitBuffer(all, 64 * 1024);
            InUb ub;
            auto src = ub.Of(values);
            auto mask = ub.Of(masks);
            auto dst = ub.Room<T>(values.size());
            auto tmp = ub.Room<uint8_t>(4096);
            const DropOutShapeInfo info{rows, width, mask_width};
            ub.Before();
            DropOutBitModeInit(tmp);
            if (by_shape) {
                DropOut(dst, src, mask, keep, info);
            } else {
                DropOut<T, false, mode>(dst, src, mask, tmp, keep, info);
            }
            ub.After();
            for (uint32_t i = 0; i < values.size(); ++i) {
                const uint32_t r = i / width, c = i % width, bit = mode == DROPOUT_MODE_BIT_ALIGN ? i : r * mask_width * 8 + c;
                const bool kept = kBits ? masks[bit / 8] >> bit % 8 & 1 : masks[r * mask_width + c] != 0;
                const double product = static_cast<double>(static_cast<float>(values[i])) * static_cast<double>(static_cast<float>(factor));
                const T want = kept ? T(static_cast<float>(product)) : T(0.0f);
                ASSERT_EQ(static_cast<float>(dst.GetValue(i)), static_cast<float>(want)) << name << " " << i;
            }
        });
        ExpectNoFindings(name.c_str(), result);
    }
}

TEST(DropOut, EveryMode) {
    const auto data = [](auto zero) {
        using T = decltype(zero);
        CheckDropOut<T, DROPOUT_MODE_BYTE_MISALIGN>(4, 48, 64);
        CheckDropOut<T, DROPOUT_MODE_BYTE_ALIGN>(4, 64, 64);
        CheckDropOut<T, DROPOUT_MODE_BIT_ALIGN>(4, 256, 32);
        CheckDropOut<T, DROPOUT_MODE_BIT_MISALIGN>(3, 144, 32);
        CheckDropOut<T, DROPOUT_MODE_BYTE_MISALIGN, true>(4, 48, 64);
        CheckDropOut<T, DROPOUT_MODE_BYTE_ALIGN, true>(4, 48, 48);
        CheckDropOut<T, DROPOUT_MODE_BIT_ALIGN, true>(4, 256, 32);
        CheckDropOut<T, DROPOUT_MODE_BIT_MISALIGN, true>(3, 144, 32);
    };
    data(half());
    data(float());
}

}  // namespace
}  // namespace sfumato::adv_test
