// SPDX-License-Identifier: Apache-2.0
// Programs about registers of conversions: words of dequantisation, the overflow policy.
#include <algorithm>
#include <limits>

#include "frontends/kernels.h"

namespace sfumato::frontends_test {
namespace {

using namespace AscendC;

constexpr uint32_t kTotal = 4096, kTile = 512;

// One scale for all lanes. 16 results go to one half of each block of 32 bytes; the second call fills the other half.
template <class T>
__global__ __aicore__ void deq_word(GM_ADDR x, GM_ADDR y) {
    OverTiles<int16_t, T>(x, y, kTotal, kTile, kTile * 2, [](LocalTensor<T>& out, LocalTensor<int16_t>& in) {
        constexpr bool kSigned = std::is_signed_v<T>;
        SetDeqScale(0.37f, -12, kSigned);
        CastDeq<T, int16_t, true, false, true>(out, in, 128, kTile / 128, {1, 1, 8, 8});
        SetDeqScale(0.01f, 5, kSigned);
        CastDeq<T, int16_t, true, false, false>(out, in, 128, kTile / 128, {1, 1, 8, 8});
    });
}

// A scale and an offset for each of 16 lanes; the same tensor holds the next words while the vector unit may still
// work.
constexpr float kScale = 0.0625f;
__global__ __aicore__ void deq_vector(GM_ADDR x, GM_ADDR y) {
    OverTiles<int16_t, int8_t>(
        x, y, kTotal, kTile, kTile * 2, [](LocalTensor<int8_t>& out, LocalTensor<int16_t>& in, TBuf<>& words_buffer) {
            LocalTensor<uint64_t> words = words_buffer.Get<uint64_t>(VDEQ_TENSOR_SIZE);
            float scale[VDEQ_TENSOR_SIZE];
            int16_t offset[VDEQ_TENSOR_SIZE];
            bool sign[VDEQ_TENSOR_SIZE];
            for (int pass = 0; pass < 2; ++pass) {
                for (int lane = 0; lane < VDEQ_TENSOR_SIZE; ++lane) {
                    scale[lane] = kScale * static_cast<float>(lane + 1 + 20 * pass);
                    offset[lane] = static_cast<int16_t>(3 * lane - 20 * pass);
                    sign[lane] = true;
                }
                SetDeqScale(words, VdeqInfo(scale, offset, sign));
                if (pass == 0) CastDeq<int8_t, int16_t, true, true, true>(out, in, 128, kTile / 128, {1, 1, 8, 8});
                if (pass == 1) CastDeq<int8_t, int16_t, true, true, false>(out, in, 128, kTile / 128, {1, 1, 8, 8});
            }
        });
}

// The policy is a register each instruction carries with it: the calls around a switch keep their own.
__global__ __aicore__ void overflow_switch(GM_ADDR x, GM_ADDR y) {
    OverTiles<float, half>(x, y, kTotal, kTile, kTile, [](LocalTensor<half>& out, LocalTensor<float>& in) {
        constexpr uint32_t kPart = kTile / 4;
        Cast(out, in, RoundMode::CAST_RINT, kPart);
        SetCtrlSpr<48, 48>(1);
        Cast(out[kPart], in[kPart], RoundMode::CAST_RINT, kPart);
        SetSaturationFlag(true);
        Cast(out[2 * kPart], in[2 * kPart], RoundMode::CAST_RINT, kPart);
        SetSaturationFlag<SaturationMode::FLOAT>(false);
        if (GetCtrlSpr<48, 48>() == 1) Cast(out[3 * kPart], in[3 * kPart], RoundMode::CAST_TRUNC, kPart);
        ResetCtrlSpr<48, 48>();
    });
}

// What one lane of the int16 to 8-bit dequantisation gives (conversions.md, "Conversions that need more words").
template <class T>
T Dequantised(int16_t x, float scale, int offset) {
    uint32_t bits = 0;
    std::memcpy(&bits, &scale, sizeof bits);
    bits &= ~uint32_t{0x1FFF};
    std::memcpy(&scale, &bits, sizeof bits);
    const float product = static_cast<float>(static_cast<double>(x) * scale);
    const double rounded = std::clamp(std::nearbyint(static_cast<double>(product)), -256.0, 255.0) + offset;
    return static_cast<T>(std::clamp<double>(rounded, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}
// scale, offset: of a lane and the call (0 = the low half of the blocks).
template <class T, class ScaleOf, class OffsetOf>
std::vector<T> DequantisedBlocks(const std::vector<int16_t>& x, ScaleOf scale, OffsetOf offset) {
    std::vector<T> y(2 * x.size());
    for (size_t i = 0; i < x.size(); ++i) {
        const int lane = static_cast<int>(i % 16);
        for (int call = 0; call < 2; ++call) {
            y[i / 16 * 32 + static_cast<size_t>(16 * call + lane)] =
                Dequantised<T>(x[i], scale(lane, call), offset(lane, call));
        }
    }
    return y;
}
template <class T>
Program DeqWordProgram(std::string name, const std::vector<int16_t>& x) {
    const auto y = DequantisedBlocks<T>(
        x, [](int, int call) { return call ? 0.01f : 0.37f; }, [](int, int call) { return call ? 5 : -12; });
    return {std::move(name), kWithDeq, {In(x), Out(y)}, [](uint8_t* const* gm) { deq_word<T>(gm[0], gm[1]); }};
}

// part: quarter of a tile. The inputs are exact in half unless they overflow; only the second quarter shows inf,
// because truncation (the fourth) stops at the largest finite number.
uint16_t HalfOfOverflowing(float v, size_t part) {
    return part == 1 && std::fabs(v) >= 65520 ? (v < 0 ? 0xFC00 : 0x7C00) : HalfBits(v);
}

}  // namespace

std::vector<Program> ConvertPrograms() {
    std::vector<Program> programs;

    const auto words = Integers<int16_t>(kTotal, -1500, 1500, 52);
    programs.push_back(DeqWordProgram<int8_t>("deq_word_int8", words));
    programs.push_back(DeqWordProgram<uint8_t>("deq_word_uint8", words));
    const auto by_lane = DequantisedBlocks<int8_t>(
        words, [](int lane, int call) { return kScale * static_cast<float>(lane + 1 + 20 * call); },
        [](int lane, int call) { return 3 * lane - 20 * call; });
    programs.push_back(
        {"deq_vector", kWithDeq, {In(words), Out(by_lane)}, [](uint8_t* const* gm) { deq_vector(gm[0], gm[1]); }});

    // Multiples of 32 between -96000 and 96000: about a third overflows half, the rest is exact.
    const auto large = Floats(kTotal, -3000, 3000, 32, 55);
    std::vector<uint16_t> halves;
    for (size_t i = 0; i < kTotal; ++i) halves.push_back(HalfOfOverflowing(large[i], i % kTile / (kTile / 4)));
    programs.push_back({"overflow_switch", {"Ascend910B"}, {In(large), Out(halves)}, [](uint8_t* const* gm) {
                            overflow_switch(gm[0], gm[1]);
                        }});
    return programs;
}

}  // namespace sfumato::frontends_test
