// SPDX-License-Identifier: Apache-2.0
// Programs without a TPipe whose lanes move: reductions, conversions, gathers, transposes, sorts.
#include <numeric>

#include "frontends/static_kernels.h"

namespace sfumato::frontends_test {
namespace {

using namespace AscendC;

constexpr uint32_t kTiles = 4, kTile = 256;

// The sum of 256 integers: 4 repeats, then the 4 sums.
__global__ __aicore__ void sum_of_tiles(GM_ADDR x, GM_ADDR y) {
    InitSocState();
    LocalMemAllocator ub;
    const auto in = ub.Alloc<float, kTile>(), sums = ub.Alloc<float, 8>(), out = ub.Alloc<float, 8>();
    Duplicate(out, 0.0f, 8);
    PipeBarrier<PIPE_V>();
    EachTile(Pieces<float>(x, kTiles, kTile), Pieces<float>(y, kTiles, 8), in, out, [&]() __aicore__ {
        WholeReduceSum(sums, in, 64, 4, 1, 1, 8);
        PipeBarrier<PIPE_V>();
        WholeReduceSum(out, sums, 4, 1, 1, 1, 8);
    });
}

// The largest of each block of 16.
__global__ __aicore__ void largest_of_blocks(GM_ADDR x, GM_ADDR y) {
    InitSocState();
    LocalMemAllocator ub;
    const auto in = ub.Alloc<half, kTile>(), out = ub.Alloc<half, kTile / 16>();
    EachTile(Pieces<half>(x, kTiles, kTile), Pieces<half>(y, kTiles, kTile / 16), in, out,
             [&]() __aicore__ { BlockReduceMax(out, in, 2, 128, 1, 1, 8); });
}

// int32_t to float to half to int32_t, rounded away from half a unit in three ways.
__global__ __aicore__ void casts(GM_ADDR x, GM_ADDR y) {
    InitSocState();
    LocalMemAllocator ub;
    const auto in = ub.Alloc<int32_t, kTile>(), out = ub.Alloc<int32_t, kTile>();
    const auto wide = ub.Alloc<float, kTile>();
    EachTile(Pieces<int32_t>(x, kTiles, kTile), Pieces<int32_t>(y, kTiles, kTile), in, out, [&]() __aicore__ {
        Cast(wide, in, RoundMode::CAST_NONE, kTile);
        PipeBarrier<PIPE_V>();
        Muls(wide, wide, 0.5f, kTile);
        PipeBarrier<PIPE_V>();
        Cast(out, wide, RoundMode::CAST_RINT, 64);
        Cast(out[64], wide[64], RoundMode::CAST_FLOOR, 64);
        Cast(out[128], wide[128], RoundMode::CAST_CEIL, 64);
        Cast(out[192], wide[192], RoundMode::CAST_TRUNC, 64);
    });
}

// The elements backwards, by offsets that the host gave.
__global__ __aicore__ void backwards(GM_ADDR x, GM_ADDR offsets, GM_ADDR y) {
    InitSocState();
    LocalMemAllocator ub;
    const auto in = ub.Alloc<float, 64>(), out = ub.Alloc<float, 64>();
    const auto where = ub.Alloc<TPosition::VECIN, uint32_t, 64>();
    GlobalTensor<uint32_t> og;
    og.SetGlobalBuffer((__gm__ uint32_t*)offsets, 64);
    DataCopy(where, og, 64);
    EachTile(Pieces<float>(x, kTiles, 64), Pieces<float>(y, kTiles, 64), in, out,
             [&]() __aicore__ { Gather(out, in, where, 0, 64); });
}

__global__ __aicore__ void transpose(GM_ADDR x, GM_ADDR y) {
    InitSocState();
    LocalMemAllocator ub;
    const auto in = ub.Alloc<half, 256>(), out = ub.Alloc<half, 256>();
    EachTile(Pieces<half>(x, kTiles, 256), Pieces<half>(y, kTiles, 256), in, out,
             [&]() __aicore__ { Transpose(out, in); });
}

// Each of 8 elements 8 times.
__global__ __aicore__ void broadcast(GM_ADDR x, GM_ADDR y) {
    InitSocState();
    LocalMemAllocator ub;
    const auto in = ub.Alloc<float, 8>(), out = ub.Alloc<float, 64>();
    EachTile(Pieces<float>(x, kTiles, 8), Pieces<float>(y, kTiles, 64), in, out,
             [&]() __aicore__ { Brcb(out, in, 1, {1, 8}); });
}

// The larger of two by the bits of a comparison; the tensors stay away from the end of UB.
__global__ __aicore__ void larger(GM_ADDR x, GM_ADDR y) {
    InitSocState();
    LocalMemAllocator ub;
    const auto in = ub.Alloc<float, 64>(), out = ub.Alloc<float, 64>(), zero = ub.Alloc<float, 64>();
    const auto bits = ub.Alloc<uint8_t, 32>();
    Duplicate(zero, 0.0f, 64);
    PipeBarrier<PIPE_V>();
    EachTile(Pieces<float>(x, kTiles, 64), Pieces<float>(y, kTiles, 64), in, out, [&]() __aicore__ {
        Compare(bits, in, zero, CMPMODE::GT, 64);
        PipeBarrier<PIPE_V>();
        Select(out, bits, in, zero, SELMODE::VSEL_TENSOR_TENSOR_MODE, 64);
    });
}

// The elements at even places, one behind the other.
__global__ __aicore__ void even_places(GM_ADDR x, GM_ADDR y) {
    InitSocState();
    LocalMemAllocator ub;
    const auto in = ub.Alloc<int32_t, 64>(), out = ub.Alloc<int32_t, 32>();
    EachTile(Pieces<int32_t>(x, kTiles, 64), Pieces<int32_t>(y, kTiles, 32), in, out, [&]() __aicore__ {
        uint64_t kept = 0;
        GatherMask(out, in, 1, false, 0, {1, 1, 8, 8}, kept);
    });
}

// Scores with their places, largest first.
__global__ __aicore__ void sorted(GM_ADDR x, GM_ADDR y) {
    InitSocState();
    LocalMemAllocator ub;
    const auto in = ub.Alloc<float, 32>(), out = ub.Alloc<float, 64>();
    const auto places = ub.Alloc<int32_t, 32>();
    for (int32_t i = 0; i < 32; ++i) places.SetValue(static_cast<uint32_t>(i), i);
    Sync<HardEvent::S_V>();
    EachTile(Pieces<float>(x, kTiles, 32), Pieces<float>(y, kTiles, 64), in, out, [&]() __aicore__ {
        Sort32<float>(out, in, places.ReinterpretCast<uint32_t>(), 1);
    });
}

// 13 elements in and out, not a whole block.
__global__ __aicore__ void tails(GM_ADDR x, GM_ADDR y) {
    InitSocState();
    LocalMemAllocator ub;
    const auto a = ub.Alloc<half>(16), b = ub.Alloc<half>(16);
    const Pieces<half> xg(x, kTiles, 16), yg(y, kTiles, 16);
    const DataCopyExtParams bytes(1, 26, 0, 0, 0);
    for (uint32_t i = 0; i < xg.count; ++i) {
        DataCopyPad(a, xg[i], bytes, DataCopyPadExtParams<half>(false, 0, 0, half(0)));
        Sync<HardEvent::MTE2_V>();
        Adds(b, a, half(1), 13);
        Sync<HardEvent::V_MTE3>();
        DataCopyPad(yg[i], b, bytes);
        PipeBarrier<PIPE_ALL>();
    }
}

// Words past the cache of the scalar unit, each behind the one before.
__global__ __aicore__ void words_in_order(GM_ADDR x, GM_ADDR y) {
    InitSocState();
    auto* from = (__gm__ int32_t*)x + GetBlockIdx() * 64;
    auto* to = (__gm__ int32_t*)y + GetBlockIdx() * 64;
    for (int64_t i = 0; i < 64; i += 16) {
        WriteGmByPassDCache(to + i, ReadGmByPassDCache(from + i) + 1);
        DataSyncBarrier<MemDsbT::DDR>();
    }
    PipeBarrier<PIPE_ALL>();
}

template <class T>
std::vector<T> Reversed(const std::vector<T>& values, size_t tile) {
    std::vector<T> out = values;
    for (size_t i = 0; i < out.size(); i += tile)
        std::reverse(out.begin() + static_cast<std::ptrdiff_t>(i), out.begin() + static_cast<std::ptrdiff_t>(i + tile));
    return out;
}

// Scores and their places, by falling score.
std::vector<float> Ranked(const std::vector<float>& scores) {
    std::vector<float> out;
    for (size_t tile = 0; tile < scores.size(); tile += 32) {
        std::vector<uint32_t> places(32);
        std::iota(places.begin(), places.end(), 0u);
        std::stable_sort(places.begin(), places.end(),
                         [&](uint32_t a, uint32_t b) { return scores[tile + a] > scores[tile + b]; });
        for (const uint32_t place : places) {
            float bits;
            std::memcpy(&bits, &place, sizeof(bits));
            out.insert(out.end(), {scores[tile + place], bits});
        }
    }
    return out;
}

}  // namespace

std::vector<StaticProgram> StaticLanePrograms() {
    const auto x = Floats(kTiles * kTile, -1000, 1000, 1, 11);
    std::vector<float> sums(kTiles * 8), rows(x.begin(), x.begin() + kTiles * 64), eights(x.begin(), x.begin() + kTiles * 8);
    std::vector<float> spread, positive;
    for (size_t i = 0; i < x.size(); ++i) sums[i / kTile * 8] += x[i];
    for (const float v : eights) spread.insert(spread.end(), 8, v);
    for (const float v : rows) positive.push_back(v > 0 ? v : 0);
    const auto halves = Halves(kTiles * kTile, -500, 500, 1, 12);
    std::vector<uint16_t> largest, turned(halves.size()), tailed(kTiles * 16, 0xFEFE);
    for (size_t i = 0; i < halves.size(); i += 16) {
        largest.push_back(*std::max_element(halves.begin() + static_cast<std::ptrdiff_t>(i),
                                            halves.begin() + static_cast<std::ptrdiff_t>(i + 16),
                                            [](uint16_t a, uint16_t b) { return HalfValue(a) < HalfValue(b); }));
        for (size_t j = 0; j < 16; ++j) turned[i / 256 * 256 + j * 16 + i % 256 / 16] = halves[i + j];
    }
    const std::vector<uint16_t> few(halves.begin(), halves.begin() + kTiles * 16);
    for (size_t i = 0; i < few.size(); ++i)
        if (i % 16 < 13) tailed[i] = HalfBits(HalfValue(few[i]) + 1);
    const auto words = Integers<int32_t>(kTiles * kTile, -2001, 2001, 13);
    std::vector<int32_t> rounded(words.size()), evens, marked(kTiles * 64 / 4 * 4, static_cast<int32_t>(0xFEFEFEFE));
    for (size_t i = 0; i < words.size(); ++i) {
        const double v = words[i] / 2.0;
        const size_t part = i % kTile / 64;
        rounded[i] = static_cast<int32_t>(part == 0   ? std::nearbyint(v)
                                          : part == 1 ? std::floor(v)
                                          : part == 2 ? std::ceil(v)
                                                      : std::trunc(v));
    }
    const std::vector<int32_t> quarter(words.begin(), words.begin() + kTiles * 64);
    for (size_t i = 0; i < quarter.size(); i += 2) evens.push_back(quarter[i]);
    for (size_t i = 0; i < marked.size(); i += 16) marked[i] = quarter[i] + 1;
    std::vector<uint32_t> offsets(64);
    for (uint32_t i = 0; i < 64; ++i) offsets[i] = (63 - i) * 4;
    const std::vector<float> scores(x.begin(), x.begin() + kTiles * 32);

    const auto on = [](const char* name, const std::vector<std::string>& chips, std::vector<Argument> arguments,
                       std::function<void(uint8_t* const*)> kernel) {
        return StaticProgram{{name, chips, std::move(arguments), std::move(kernel), false}};
    };
    StaticProgram in_order = on("static_words_in_order", kSeparate, {In(quarter), Out(marked)},
                                [](auto gm) { words_in_order(gm[0], gm[1]); });
    in_order.blocks = {4u};
    return {
        on("static_sum_of_tiles", kWithStatic, {In(x), Out(sums)}, [](auto gm) { sum_of_tiles(gm[0], gm[1]); }),
        on("static_largest_of_blocks", kWithStatic, {In(halves), Out(largest)}, [](auto gm) { largest_of_blocks(gm[0], gm[1]); }),
        on("static_casts", kWithStatic, {In(words), Out(rounded)}, [](auto gm) { casts(gm[0], gm[1]); }),
        on("static_backwards", kWithStatic, {In(rows), In(offsets), Out(Reversed(rows, 64))}, [](auto gm) { backwards(gm[0], gm[1], gm[2]); }),
        on("static_transpose", kWithStatic, {In(halves), Out(turned)}, [](auto gm) { transpose(gm[0], gm[1]); }),
        on("static_broadcast", kWithStatic, {In(eights), Out(spread)}, [](auto gm) { broadcast(gm[0], gm[1]); }),
        on("static_larger", kWithStatic, {In(rows), Out(positive)}, [](auto gm) { larger(gm[0], gm[1]); }),
        on("static_even_places", kSeparate, {In(quarter), Out(evens)}, [](auto gm) { even_places(gm[0], gm[1]); }),
        on("static_sorted", kSeparate, {In(scores), Out(Ranked(scores))}, [](auto gm) { sorted(gm[0], gm[1]); }),
        on("static_tails", kSeparate, {In(few), Out(tailed)}, [](auto gm) { tails(gm[0], gm[1]); }),
        std::move(in_order),
    };
}

}  // namespace sfumato::frontends_test
