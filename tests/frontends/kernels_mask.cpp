// SPDX-License-Identifier: Apache-2.0
// Programs that choose elements: continuous, bitwise and counter masks, strides, and the mask register.
#include "frontends/kernels.h"

namespace sfumato::frontends_test {
namespace {

using namespace AscendC;

constexpr uint32_t kTotal = 2048, kTile = 256;  // floats; a tile is 4 repeats of 64
constexpr uint64_t kBits = 0xF0F0'0000'FFFF'1234;
constexpr int kFirst = 40, kCounted = 150;

// Every second block of out gets in + 1 in the first 40 lanes of a repeat; the rest keeps -1.
__global__ __aicore__ void mask_continuous(GM_ADDR x, GM_ADDR y) {
    OverTiles<float, float>(x, y, kTotal, kTile, 2 * kTile, [](LocalTensor<float>& out, LocalTensor<float>& in) {
        Duplicate(out, -1.0f, static_cast<int32_t>(2 * kTile));
        UnaryRepeatParams params(2, 1, 16, 8);
        Adds(out, in, 1.0f, kFirst, kTile / 64, params);
    });
}

__global__ __aicore__ void mask_bitwise(GM_ADDR x, GM_ADDR y) {
    OverTiles<float, float>(x, y, kTotal, kTile, kTile, [](LocalTensor<float>& out, LocalTensor<float>& in) {
        uint64_t mask[2] = {kBits, 0};
        Duplicate(out, -1.0f, static_cast<int32_t>(kTile));
        Add(out, in, in, mask, kTile / 64, {1, 1, 1, 8, 8, 8});
    });
}

// 128 lanes of half: both words of the mask.
__global__ __aicore__ void mask_bitwise_half(GM_ADDR x, GM_ADDR y) {
    OverTiles<half, half>(x, y, kTotal, kTile, kTile, [](LocalTensor<half>& out, LocalTensor<half>& in) {
        uint64_t mask[2] = {kBits, ~kBits};
        Duplicate(out, static_cast<half>(-1), static_cast<int32_t>(kTile));
        Muls(out, in, static_cast<half>(2), mask, kTile / 128, {1, 1, 8, 8});
    });
}

__global__ __aicore__ void mask_counter(GM_ADDR x, GM_ADDR y) {
    OverTiles<float, float>(x, y, kTotal, kTile, kTile, [](LocalTensor<float>& out, LocalTensor<float>& in) {
        Duplicate(out, -1.0f, static_cast<int32_t>(kTile));
        SetMaskCount();
        SetVectorMask<float, MaskMode::COUNTER>(kCounted);
        Add<float, false>(out, in, in, MASK_PLACEHOLDER, 1, {1, 1, 1, 8, 8, 8});
        SetMaskNorm();
        ResetMask();
    });
}

// A mask set once serves instructions of two types until it is reset.
__global__ __aicore__ void mask_register(GM_ADDR x, GM_ADDR y) {
    OverTiles<float, float>(x, y, kTotal, kTile, kTile, [](LocalTensor<float>& out, LocalTensor<float>& in) {
        Duplicate(out, -1.0f, static_cast<int32_t>(kTile));
        SetMaskNorm();
        SetVectorMask<float, MaskMode::NORMAL>(0, kBits);
        Add<float, false>(out, in, in, MASK_PLACEHOLDER, kTile / 64, {1, 1, 1, 8, 8, 8});
        SetVectorMask<float, MaskMode::NORMAL>(kFirst);
        Muls<float, false>(out, out, 2.0f, MASK_PLACEHOLDER, kTile / 64, {1, 1, 8, 8});
        ResetMask();
    });
}

// A masked call leaves its mask behind; a calCount call leaves a full one.
__global__ __aicore__ void mask_left_behind(GM_ADDR x, GM_ADDR y) {
    OverTiles<float, float>(x, y, kTotal, kTile, kTile, [](LocalTensor<float>& out, LocalTensor<float>& in) {
        Duplicate(out, -1.0f, static_cast<int32_t>(kTile));
        Adds(out, in, 1.0f, kFirst, kTile / 64, {1, 1, 8, 8});
        Muls<float, false>(out, out, 2.0f, MASK_PLACEHOLDER, kTile / 64, {1, 1, 8, 8});
        Adds(out, out, 0.0f, static_cast<int32_t>(kTile));
        Muls<float, false>(out, out, 2.0f, MASK_PLACEHOLDER, kTile / 64, {1, 1, 8, 8});
    });
}

// One register: what is written in one mode is read in the other, and the mode named by SetVectorMask does not matter.
__global__ __aicore__ void mask_one_register(GM_ADDR x, GM_ADDR y) {
    OverTiles<float, float>(x, y, kTotal, kTile, kTile, [](LocalTensor<float>& out, LocalTensor<float>& in) {
        Duplicate(out, -1.0f, static_cast<int32_t>(kTile));
        SetMaskCount();
        SetVectorMask<float>(0, kCounted);
        Adds<float, false>(out, in, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
        SetVectorMask<float>(kFirst);  // counts in this mode
        Muls<float, false>(out, out, 2.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
        SetMaskNorm();  // the bits of 40 are 3 and 5
        Muls<float, false>(out, out, 8.0f, MASK_PLACEHOLDER, kTile / 64, {1, 1, 8, 8});
        SetVectorMask<float, MaskMode::COUNTER>(0, kCounted);
        SetMaskCount();
        Muls<float, false>(out, out, 4.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
        Adds(out, out, 0.0f, uint64_t{kFirst}, 1, {1, 1, 8, 8});  // leaves its mask in counter mode
        Muls<float, false>(out, out, 0.5f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
        SetMaskNorm();
        ResetMask();
    });
}

float OneRegister(float x, size_t i) {
    float y = i < kCounted ? x + 1 : -1.0f;
    if (i < kFirst) y *= 2.0f;
    if (i % 64 == 3 || i % 64 == 5) y *= 8.0f;
    if (i < kCounted) y *= 4.0f;
    return i < kFirst ? y * 0.5f : y;
}

// isSetMask = false: the mask argument is ignored, whatever it is.
__global__ __aicore__ void mask_argument_ignored(GM_ADDR x, GM_ADDR y) {
    OverTiles<float, float>(x, y, kTotal, kTile, kTile, [](LocalTensor<float>& out, LocalTensor<float>& in) {
        Duplicate(out, -1.0f, static_cast<int32_t>(kTile));
        SetVectorMask<float>(kFirst);
        Adds<float, false>(out, in, 1.0f, uint64_t{64}, kTile / 64, {1, 1, 8, 8});
        const uint64_t* nothing = nullptr;
        Muls<float, false>(out, out, 2.0f, nothing, kTile / 64, {1, 1, 8, 8});
        Muls<float, false>(out, out, 2.0f, uint64_t{1000}, kTile / 64, {1, 1, 8, 8});
        ResetMask();
    });
}

using Kernel = void (*)(GM_ADDR, GM_ADDR);
bool Bit(uint64_t word, size_t i) { return (word >> i) & 1; }

// meaning: of element i of a tile (0..255) with input x.
Program FloatProgram(std::string name, std::vector<std::string> chips, Kernel kernel,
                     float (*meaning)(float x, size_t i)) {
    const auto x = Floats(kTotal, -500, 500, 0.5, 41);
    std::vector<float> y;
    for (size_t i = 0; i < kTotal; ++i) y.push_back(meaning(x[i], i % kTile));
    return {std::move(name), std::move(chips), {In(x), Out(y)}, [kernel](uint8_t* const* gm) { kernel(gm[0], gm[1]); }};
}

}  // namespace

std::vector<Program> MaskPrograms() {
    const auto floats = Floats(kTotal, -500, 500, 0.5, 42);
    std::vector<float> spread(2 * kTotal, -1.0f);
    for (size_t i = 0; i < kTotal; ++i) {
        const size_t block = i / 8;
        if (i % 64 < kFirst) spread[2 * block * 8 + i % 8] = floats[i] + 1;
    }
    const auto halves = Halves(kTotal, -500, 500, 0.5, 43);
    std::vector<uint16_t> doubled;
    for (size_t i = 0; i < kTotal; ++i) {
        const size_t lane = i % 128;
        doubled.push_back(HalfBits(Bit(lane < 64 ? kBits : ~kBits, lane % 64) ? 2 * HalfValue(halves[i]) : -1));
    }
    return {
        {"mask_continuous",
         kAllChips,
         {In(floats), Out(spread)},
         [](uint8_t* const* gm) { mask_continuous(gm[0], gm[1]); }},
        {"mask_bitwise_half",
         kAllChips,
         {In(halves), Out(doubled)},
         [](uint8_t* const* gm) { mask_bitwise_half(gm[0], gm[1]); }},
        FloatProgram("mask_bitwise", kAllChips, mask_bitwise,
                     [](float x, size_t i) { return Bit(kBits, i % 64) ? x + x : -1.0f; }),
        FloatProgram("mask_counter", kNot910, mask_counter,
                     [](float x, size_t i) { return i < kCounted ? x + x : -1.0f; }),
        FloatProgram("mask_one_register", kNot910, mask_one_register, OneRegister),
        FloatProgram("mask_argument_ignored", kAllChips, mask_argument_ignored,
                     [](float x, size_t i) { return i % 64 < kFirst ? (x + 1) * 4 : -1.0f; }),
        FloatProgram(
            "mask_register", kAllChips, mask_register,
            [](float x, size_t i) { return (Bit(kBits, i % 64) ? x + x : -1.0f) * (i % 64 < kFirst ? 2.0f : 1.0f); }),
        FloatProgram("mask_left_behind", kAllChips, mask_left_behind,
                     [](float x, size_t i) { return i % 64 < kFirst ? (x + 1) * 4 : -2.0f; }),
    };
}

}  // namespace sfumato::frontends_test
