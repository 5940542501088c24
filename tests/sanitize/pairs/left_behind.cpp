// SPDX-License-Identifier: Apache-2.0
// What a call or a phase leaves to the next: masks and modes, memory that was given back, sources that were given up,
// flags that are not yet taken.
#include "sanitize/pairs/tiles.h"

namespace sfumato::pairs {
namespace {

// Loads a tile; what follows is V's.
__aicore__ inline void Load(Tiles<float>& t) {
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
}
__aicore__ inline void Store(Tiles<float>& t, const LocalTensor<float>& tile) {
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, tile, kTile);
}

__aicore__ void counter_mode_at_the_end(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    Load(t);
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(0, kTile);
    Muls<float, false>(t.b, t.a, 2.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    if (!wrong) SetMaskNorm();
    ResetMask();
    Store(t, t.b);
}
__aicore__ void mask_at_the_end(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    Load(t);
    Duplicate(t.b, 0.0f, kTile);
    SetVectorMask<float, MaskMode::NORMAL>(0, 0xFF);
    Exp<float, false>(t.b, t.a, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    if (!wrong) ResetMask();
    Store(t, t.b);
}
__aicore__ void count_read_as_bits(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    Load(t);
    Duplicate(t.b, 0.0f, kTile);
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(0, 40);
    Adds<float, false>(t.b, t.a, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    SetMaskNorm();
    if (!wrong) ResetMask();
    Muls<float, false>(t.b, t.b, 2.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    ResetMask();
    Store(t, t.b);
}
__aicore__ void counter_mode_in_a_masked_call(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    Load(t);
    Duplicate(t.b, 0.0f, kTile);
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(0, kTile);
    Adds<float, false>(t.b, t.a, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    if (!wrong) SetMaskNorm();
    // Four elements of each of two half repeats.
    Muls(t.b, t.b, 2.0f, 4, 2, {1, 1, 4, 4});
    SetMaskNorm();
    ResetMask();
    Store(t, t.b);
}

// A TBuf of the first phase, whose memory the second phase takes.
__aicore__ void table_of_the_first_phase(GM_ADDR* gm, bool wrong) {
    TPipe pipe;
    TBuf<> first;
    TBuf<> second[2];
    pipe.InitBuffer(first, kTile * sizeof(float));
    LocalTensor<float> table = first.Get<float>();
    Duplicate(table, 3.0f, kTile);
    PipeBarrier<PIPE_ALL>();
    pipe.Reset();
    if (!wrong) pipe.InitBuffer(first, kTile * sizeof(float));
    for (TBuf<>& buffer : second) pipe.InitBuffer(buffer, kTile * sizeof(float));
    if (!wrong) table = first.Get<float>();
    LocalTensor<float> a = second[0].Get<float>(), b = second[1].Get<float>();
    DataCopy(a, Gm<float>(gm[0], kTile), kTile);
    Sync<HardEvent::MTE2_V>();
    if (!wrong) Duplicate(table, 3.0f, kTile);
    Mul(b, a, table, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(gm[1], kTile), b, kTile);
}
__aicore__ void slice_of_a_pipe_that_ended(GM_ADDR* gm, bool wrong) {
    LocalTensor<float> rest;
    {
        TPipe pipe;
        TBuf<> first;
        pipe.InitBuffer(first, 2 * kTile * sizeof(float));
        rest = first.Get<float>(kTile)[kTile];
        Duplicate(rest, 3.0f, kTile);
    }
    TPipe pipe;
    TBuf<> buffers[3];
    for (TBuf<>& buffer : buffers) pipe.InitBuffer(buffer, kTile * sizeof(float));
    LocalTensor<float> a = buffers[0].Get<float>(), b = buffers[2].Get<float>();
    DataCopy(a, Gm<float>(gm[0], kTile), kTile);
    Sync<HardEvent::MTE2_V>();
    if (!wrong) rest = buffers[1].Get<float>();
    if (!wrong) Duplicate(rest, 3.0f, kTile);
    Max(b, a, rest, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(gm[1], kTile), b, kTile);
}

// The same where a pool is reset, and another one that shares its memory takes over.
__aicore__ void table_of_a_pool_that_was_reset(GM_ADDR* gm, bool wrong) {
    TPipe pipe;
    TBufPool<TPosition::VECCALC, 4> pool;
    TBuf<> first, second[2];
    pipe.InitBufPool(pool, 4 * kTile * sizeof(float));
    pool.InitBuffer(first, kTile * sizeof(float));
    LocalTensor<float> table = first.Get<float>();
    Duplicate(table, 3.0f, kTile);
    PipeBarrier<PIPE_ALL>();
    pool.Reset();
    for (TBuf<>& buffer : second) pool.InitBuffer(buffer, kTile * sizeof(float));
    if (!wrong) pool.InitBuffer(first, kTile * sizeof(float));
    if (!wrong) table = first.Get<float>();
    LocalTensor<float> a = second[0].Get<float>(), b = second[1].Get<float>();
    DataCopy(a, Gm<float>(gm[0], kTile), kTile);
    Sync<HardEvent::MTE2_V>();
    if (!wrong) Duplicate(table, 3.0f, kTile);
    Mul(b, a, table, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(gm[1], kTile), b, kTile);
}
__aicore__ void tile_of_a_pool_that_shares_its_memory(GM_ADDR* gm, bool wrong) {
    TPipe pipe;
    TBufPool<TPosition::VECCALC, 4> first, second;
    TQue<TPosition::VECIN, 1> in;
    TBuf<> result;
    pipe.InitBufPool(first, 2 * kTile * sizeof(float));
    pipe.InitBufPool(second, 2 * kTile * sizeof(float), first);
    first.InitBuffer(in, 1, kTile * sizeof(float));
    auto a = in.AllocTensor<float>();
    DataCopy(a, Gm<float>(gm[0], kTile), kTile);
    in.EnQue(a);
    a = in.DeQue<float>();
    if (!wrong) in.FreeTensor(a);
    PipeBarrier<PIPE_ALL>();
    first.Reset();
    second.InitBuffer(result, kTile * sizeof(float));
    LocalTensor<float> b = result.Get<float>();
    wrong ? Adds(b, a, 1.0f, kTile) : Duplicate(b, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(gm[1], kTile), b, kTile);
}

// The source of a call that may overwrite it is read once more.
__aicore__ void source_of_tanh(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    Load(t);
    if (wrong) Tanh<float, true>(t.b, t.a, kTile);
    if (!wrong) Tanh<float, false>(t.b, t.a, kTile);
    Add(t.b, t.b, t.a, kTile);
    Store(t, t.b);
}
__aicore__ void second_source_of_power(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    Load(t);
    Duplicate(t.b, 2.0f, kTile);
    if (wrong) Power<float, true>(t.c, t.a, t.b, kTile);
    if (!wrong) Power<float, false>(t.c, t.a, t.b, kTile);
    Mul(t.c, t.c, t.b, kTile);
    Store(t, t.c);
}
__aicore__ void source_of_sum(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    Load(t);
    Duplicate(t.b, 0.0f, kTile);
    if (wrong) Sum<float, -1, true>(t.b, t.a, SumParams{1, kTile, kTile});
    if (!wrong) Sum<float, -1, false>(t.b, t.a, SumParams{1, kTile, kTile});
    Add(t.b, t.b, t.a, kTile);
    Store(t, t.b);
}

// One flag for two buffers that are filled in turn.
template <HardEvent event>
__aicore__ void SetInTurn(GM_ADDR* gm, bool wrong, bool compute) {
    constexpr uint32_t kPart = kTile / 4;
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 2, kPart * sizeof(float));
    for (int32_t i = 0; i < 4; ++i) {
        const int32_t id = wrong ? 0 : i % 2;
        auto tile = queue.AllocTensor<float>();
        DataCopy(tile, Gm<float>(gm[0], kTile)[i * kPart], kPart);
        queue.EnQue(tile);
        tile = queue.DeQue<float>();
        if (compute) {
            SetFlag<HardEvent::MTE2_V>(i % 2);
            WaitFlag<HardEvent::MTE2_V>(i % 2);
            Adds(tile, tile, 1.0f, kPart);
        }
        SetFlag<event>(id);
        WaitFlag<event>(id);
        DataCopy(Gm<float>(gm[1], kTile)[i * kPart], tile, kPart);
        queue.FreeTensor(tile);
    }
}
__aicore__ void result_flag_of_two_buffers(GM_ADDR* gm, bool wrong) { SetInTurn<HardEvent::V_MTE3>(gm, wrong, true); }
__aicore__ void copy_flag_of_two_buffers(GM_ADDR* gm, bool wrong) { SetInTurn<HardEvent::MTE2_MTE3>(gm, wrong, false); }

std::vector<Pair> Modes() {
    return {{"counter_mode_at_the_end", "mask-left", counter_mode_at_the_end},
            {"count_read_as_bits", "mask-left", count_read_as_bits},
            {"counter_mode_in_a_masked_call", "mask-left", counter_mode_in_a_masked_call}};
}
std::vector<Pair> Others() {
    return {{"mask_at_the_end", "mask-left", mask_at_the_end},
            {"table_of_the_first_phase", "tensor-freed", table_of_the_first_phase},
            {"slice_of_a_pipe_that_ended", "tensor-freed", slice_of_a_pipe_that_ended},
            {"table_of_a_pool_that_was_reset", "tensor-freed", table_of_a_pool_that_was_reset},
            {"tile_of_a_pool_that_shares_its_memory", "tensor-freed", tile_of_a_pool_that_shares_its_memory},
            {"source_of_tanh", "source-reused", source_of_tanh},
            {"result_flag_of_two_buffers", "flag-set-twice", result_flag_of_two_buffers},
            {"copy_flag_of_two_buffers", "flag-set-twice", copy_flag_of_two_buffers}};
}

}  // namespace

std::vector<Pair> LeftBehindPairs() {
    return Together({Modes(),
                     Others(),
                     {{"second_source_of_power", "source-reused", second_source_of_power},
                      {"source_of_sum", "source-reused", source_of_sum}},
                     On("Ascend310P3", Modes()),
                     On("Ascend310P3", Others())});
}

}  // namespace sfumato::pairs
