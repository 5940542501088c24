// SPDX-License-Identifier: Apache-2.0
// Raw kernels of moves, atomic stores and the scalar unit.
#include "frontends/kernels_raw.h"

namespace sfumato::frontends_test {
namespace {

using namespace AscendC;

const std::vector<std::string> kA2 = {"Ascend910B"};

// Bursts of 20 bytes with two pads in front, which count elements of 16 bits.
__global__ __aicore__ void padded(GM_ADDR x, GM_ADDR y) {
    set_mov_pad_val(7);
    for (int64_t tile = get_block_idx(); tile < kTiles; tile += get_block_num()) {
        copy_gm_to_ubuf_align_b16(Ub<uint16_t>(kOut), x + tile * 40, 0, 2, 20, 2, 4, 0, 0);
        set_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
        wait_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
        copy_ubuf_to_gm_align_b8(y + tile * 64, Ub<uint16_t>(kOut), 0, 1, 64, 0, 0, 0, 0);
        set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
        wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
    }
}

// All tiles of all blocks added to one; the type is told before the operation, or behind it.
__global__ __aicore__ void added(GM_ADDR x, GM_ADDR y) {
    set_atomic_s32();
    set_atomic_add();
    for (int64_t tile = get_block_idx(); tile < kTiles; tile += get_block_num()) {
        copy_gm_to_ubuf(Ub<void>(0), x + tile * 64, 0, 1, 2, 0, 0);
        set_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
        wait_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
        copy_ubuf_to_gm(y, Ub<void>(0), 0, 1, 2, 0, 0);
        set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
        wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
    }
    set_atomic_none();
}
__global__ __aicore__ void largest(GM_ADDR x, GM_ADDR y) {
    set_atomic_max();
    set_atomic_f32();
    for (int64_t tile = get_block_idx(); tile < kTiles; tile += get_block_num()) {
        copy_gm_to_ubuf(Ub<void>(0), x + tile * 64, 0, 1, 2, 0, 0);
        set_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
        wait_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
        copy_ubuf_to_gm_align_b32((__gm__ float*)y, Ub<void>(0), 0, 1, 64, 0, 0, 0, 0);
        set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
        wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
    }
    set_atomic_none();
}

// Words by the scalar unit past its cache, and what it counts of them.
__global__ __aicore__ void scalars(GM_ADDR x, GM_ADDR y) {
    preload(16);
    icache_preload(8);
    for (int64_t tile = get_block_idx(); tile < kTiles; tile += get_block_num()) {
        const auto word = ld_dev((__gm__ uint32_t*)x, static_cast<int16_t>(4 * tile));
        auto* line = (__gm__ int32_t*)(y + 64 * tile);
        st_dev(static_cast<int32_t>(clz(word)), line, 0);
        st_dev(static_cast<int32_t>(sbitset1(word, 40) >> 40), line, 4);
        dsb((mem_dsb_t)0);
        dcci(line, SINGLE_CACHE_LINE, CACHELINE_OUT);
    }
}

RawProgram Padded() {
    const auto x = Integers<uint16_t>(20 * kTiles, 0, 60000, 13);
    std::vector<uint16_t> y;
    for (uint32_t burst = 0; burst < 2 * kTiles; ++burst) {
        y.insert(y.end(), 2, 7);
        y.insert(y.end(), x.begin() + 10 * burst, x.begin() + 10 * burst + 10);
        y.insert(y.end(), 4, 7);
    }
    return Tiles("raw_padded", kA2, In(x), Out(y), padded);
}

RawProgram Added() {
    const auto x = Integers<int32_t>(16 * kTiles, -90000, 90000, 14);
    std::vector<int32_t> y(16);
    for (uint32_t i = 0; i < x.size(); ++i) y[i % 16] += x[i];
    Argument out = Out(y);
    std::fill_n(out.before.begin(), 64, 0);
    return Tiles("raw_added", kA2, In(x), out, added);
}
RawProgram Largest() {
    const std::vector<float> x = Floats(16 * kTiles, -90000, 90000, 0.5, 15);
    std::vector<float> y(16, -1e9f);
    const Bytes before = ToBytes(y);
    for (uint32_t i = 0; i < x.size(); ++i) y[i % 16] = std::max(y[i % 16], x[i]);
    Argument out = Out(y);
    std::copy(before.begin(), before.end(), out.before.begin());
    return Tiles("raw_largest", kA2, In(x), out, largest);
}

RawProgram Scalars() {
    const auto x = Integers<uint32_t>(kTiles, 1, 1 << 30, 16);
    std::vector<int32_t> y;
    int32_t fill = 0;
    std::memset(&fill, kFill, sizeof(fill));
    for (const uint32_t v : x) {
        y.push_back(__builtin_clzll(v)), y.push_back(1);
        y.insert(y.end(), 14, fill);
    }
    return Tiles("raw_scalars", kA2, In(x), Out(y), scalars);
}

}  // namespace

std::vector<RawProgram> RawMemoryPrograms() { return {Padded(), Added(), Largest(), Scalars()}; }

}  // namespace sfumato::frontends_test
