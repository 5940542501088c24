// SPDX-License-Identifier: Apache-2.0
// Kernels without a TPipe: buffers, flags and the state of the core by hand (static.md 2).
#include "sanitize/pairs/cube_tiles.h"
#include "sanitize/pairs/tiles.h"

namespace sfumato::pairs {
namespace {

constexpr uint32_t kTileBytes = kTile * sizeof(float);
const UnaryRepeatParams kOneRepeat;

// Two tensors of UB one behind the other, x and z; the state of the core is set.
struct Placed {
    explicit __aicore__ Placed(GM_ADDR* gm, uint32_t tiles = 1)
        : a(TPosition::VECIN, 0, kTile),
          b(TPosition::VECOUT, kTileBytes, kTile),
          x(Gm<float>(gm[0], tiles * kTile)),
          z(Gm<float>(gm[1], tiles * kTile)) {
        InitSocState();
    }
    // a to b to z.
    __aicore__ void Out() {
        Sync<HardEvent::MTE2_V>(EVENT_ID0);
        Adds(b, a, 1.0f, kTile);
        Store(b);
    }
    __aicore__ void Store(const LocalTensor<float>& from) {
        Sync<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(z, from, kTile);
        PipeBarrier<PIPE_ALL>();
    }
    LocalTensor<float> a, b;
    GlobalTensor<float> x, z;
};

std::vector<Memory> TwoTiles() { return {Input<float>("x", 2 * kTile), Output<float>("z", 2 * kTile)}; }

// Flags

__aicore__ void reverse_flag_of_a_static_buffer(GM_ADDR* gm, bool wrong) {
    Placed p(gm, 2);
    for (uint32_t i = 0; i < 2; ++i) {
        if (!wrong && i == 1) Sync<HardEvent::V_MTE2>(EVENT_ID0);
        DataCopy(p.a, p.x[i * kTile], kTile);
        Sync<HardEvent::MTE2_V>(EVENT_ID0);
        Adds(p.b, p.a, 1.0f, kTile);
        Sync<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(p.z[i * kTile], p.b, kTile);
        Sync<HardEvent::MTE3_V>(EVENT_ID0);
    }
    PipeBarrier<PIPE_ALL>();
}

__aicore__ void static_buffers_with_one_id(GM_ADDR* gm, bool wrong) {
    Placed p(gm, 2);
    const event_t pong = wrong ? EVENT_ID0 : EVENT_ID1;
    DataCopy(p.a, p.x, kTile);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    DataCopy(p.b, p.x[kTile], kTile);
    SetFlag<HardEvent::MTE2_V>(pong);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Adds(p.a, p.a, 1.0f, kTile);
    WaitFlag<HardEvent::MTE2_V>(pong);
    Adds(p.b, p.b, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(p.z, p.a, kTile);
    DataCopy(p.z[kTile], p.b, kTile);
    PipeBarrier<PIPE_ALL>();
}

__aicore__ void static_flag_never_set(GM_ADDR* gm, bool wrong) {
    Placed p(gm);
    // The way back, before the first turn.
    if (!wrong) SetFlag<HardEvent::V_MTE2>(EVENT_ID1);
    WaitFlag<HardEvent::V_MTE2>(EVENT_ID1);
    DataCopy(p.a, p.x, kTile);
    p.Out();
}

__aicore__ void static_flag_left_set(GM_ADDR* gm, bool wrong) {
    Placed p(gm);
    SetFlag<HardEvent::V_MTE2>(EVENT_ID1);
    WaitFlag<HardEvent::V_MTE2>(EVENT_ID1);
    DataCopy(p.a, p.x, kTile);
    Sync<HardEvent::MTE2_V>(EVENT_ID0);
    Adds(p.b, p.a, 1.0f, kTile);
    SetFlag<HardEvent::V_MTE2>(EVENT_ID1);
    if (!wrong) WaitFlag<HardEvent::V_MTE2>(EVENT_ID1);
    p.Store(p.b);
}

__aicore__ void static_flag_of_the_library(GM_ADDR* gm, bool wrong) {
    Placed p(gm);
    DataCopy(p.a, p.x, kTile);
    Sync<HardEvent::MTE2_V>(wrong ? EVENT_ID7 : EVENT_ID5);
    Adds(p.b, p.a, 1.0f, kTile);
    p.Store(p.b);
}

// Addresses

__aicore__ void static_tensors_overlap(GM_ADDR* gm, bool wrong) {
    Placed p(gm);
    LocalTensor<float> c(TPosition::VECIN, wrong ? kTileBytes / 2 : 2 * kTileBytes, kTile);
    DataCopy(p.a, p.x, kTile);
    DataCopy(c, p.x, kTile);
    Sync<HardEvent::MTE2_V>(EVENT_ID0);
    LocalTensor<float> d(TPosition::VECOUT, 4 * kTileBytes, kTile);
    Add(d, p.a, c, kTile);
    p.Store(d);
}

__aicore__ void static_tensor_too_small(GM_ADDR* gm, bool wrong) {
    Placed p(gm);
    LocalTensor<float> c(TPosition::VECOUT, 2 * kTileBytes, wrong ? kTile - 8 : kTile);
    DataCopy(p.a, p.x, kTile);
    Sync<HardEvent::MTE2_V>(EVENT_ID0);
    Adds(c, p.a, 1.0f, kTile);
    p.Store(c);
}

__aicore__ void static_tensor_off_its_block(GM_ADDR* gm, bool wrong) {
    Placed p(gm);
    DataCopy(p.a, p.x, kTile);
    Sync<HardEvent::MTE2_V>(EVENT_ID0);
    LocalTensor<float> c(TPosition::VECOUT, 2 * kTileBytes + (wrong ? 4 : 32), kTile);
    Adds(c, p.a, 1.0f, kTile);
    p.Store(c);
}

__aicore__ void static_tensor_past_the_end_of_ub(GM_ADDR* gm, bool wrong) {
    Placed p(gm);
    DataCopy(p.a, p.x, kTile);
    Sync<HardEvent::MTE2_V>(EVENT_ID0);
    LocalTensor<float> c(TPosition::VECOUT, 192 * 1024 - (wrong ? kTileBytes / 2 : kTileBytes), kTile);
    Adds(c, p.a, 1.0f, kTile);
    p.Store(c);
}

__aicore__ void static_tensor_never_written(GM_ADDR* gm, bool wrong) {
    Placed p(gm);
    LocalTensor<float> c(TPosition::VECIN, 2 * kTileBytes, kTile), d(TPosition::VECOUT, 3 * kTileBytes, kTile);
    DataCopy(p.a, p.x, kTile);
    if (!wrong) DataCopy(c, p.x, kTile);
    Sync<HardEvent::MTE2_V>(EVENT_ID0);
    Add(d, p.a, c, kTile);
    p.Store(d);
}

__aicore__ void allocated_tensor_never_written(GM_ADDR* gm, bool wrong) {
    InitSocState();
    const auto x = Gm<float>(gm[0], kTile), z = Gm<float>(gm[1], kTile);
    LocalMemAllocator ub;
    const auto a = ub.Alloc<float, kTile>(), b = ub.Alloc<float, kTile>();
    DataCopy(a, x, kTile);
    Sync<HardEvent::MTE2_V>(EVENT_ID0);
    if (!wrong) Adds(b, a, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(z, b, kTile);
    PipeBarrier<PIPE_ALL>();
}

// Allocators

// Behind a second object the sum reads the input where the first object put it.
__aicore__ void second_allocator(GM_ADDR* gm, bool wrong) {
    InitSocState();
    const auto x = Gm<float>(gm[0], kTile), z = Gm<float>(gm[1], kTile);
    LocalMemAllocator first, second;
    const auto a = first.Alloc<float, kTile>();
    DataCopy(a, x, kTile);
    Sync<HardEvent::MTE2_V>(EVENT_ID0);
    const auto b = (wrong ? second : first).Alloc<float, kTile>();
    Adds(b, a, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(z, b, kTile);
    PipeBarrier<PIPE_ALL>();
}

__aicore__ void allocator_past_the_end(GM_ADDR* gm, bool wrong) {
    Placed p(gm);
    LocalMemAllocator ub;
    DataCopy(p.a, p.x, kTile);
    Sync<HardEvent::MTE2_V>(EVENT_ID0);
    ub.Alloc<uint8_t>(192 * 1024 - 256 - (wrong ? kTileBytes / 2 : kTileBytes));
    const auto c = ub.Alloc<float, kTile>();
    Adds(c, p.a, 1.0f, kTile);
    p.Store(c);
}

__aicore__ void allocated_end_of_ub_and_a_select(GM_ADDR* gm, bool wrong) {
    Placed p(gm);
    LocalMemAllocator ub;
    ub.Alloc<uint8_t>(192 * 1024 - 16 * 1024);
    const auto zero = ub.Alloc<float, kTile>(), out = ub.Alloc<float, kTile>();
    const auto bits = ub.Alloc<uint8_t, 32>();
    if (wrong) ub.Alloc<uint8_t, 12 * 1024>();
    DataCopy(p.a, p.x, kTile);
    Duplicate(zero, 2.0f, kTile);
    Sync<HardEvent::MTE2_V>(EVENT_ID0);
    Compare(bits, p.a, zero, CMPMODE::GT, kTile);
    Select(out, bits, p.a, zero, SELMODE::VSEL_TENSOR_TENSOR_MODE, kTile);
    p.Store(out);
}

__aicore__ void allocator_and_a_pipe(GM_ADDR* gm, bool wrong) {
    const auto x = Gm<float>(gm[0], kTile), z = Gm<float>(gm[1], kTile);
    LocalMemAllocator ub;
    LocalTensor<float> b(TPosition::VECOUT, 4096, kTile);
    if (wrong) b = ub.Alloc<float, kTile>();
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, kTileBytes);
    auto a = buffer.Get<float>();
    DataCopy(a, x, kTile);
    Sync<HardEvent::MTE2_V>();
    Adds(b, a, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(z, b, kTile);
}

// State and calls

__aicore__ void state_of_the_core_not_set(GM_ADDR* gm, bool wrong) {
    if (!wrong) InitSocState();
    const auto x = Gm<float>(gm[0], kTile), z = Gm<float>(gm[1], kTile);
    LocalTensor<float> a(TPosition::VECIN, 0, kTile), b(TPosition::VECOUT, kTileBytes, kTile);
    DataCopy(a, x, kTile);
    Sync<HardEvent::MTE2_V>(EVENT_ID0);
    Adds<float, false>(b, a, 1.0f, MASK_PLACEHOLDER, 1, kOneRepeat);
    Sync<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(z, b, kTile);
    PipeBarrier<PIPE_ALL>();
}

__aicore__ void call_of_the_library_without_a_pipe(GM_ADDR* gm, bool wrong) {
    Placed p(gm);
    LocalTensor<float> work(TPosition::VECCALC, 4 * kTileBytes, kTile);
    DataCopy(p.a, p.x, kTile);
    Sync<HardEvent::MTE2_V>(EVENT_ID0);
    Duplicate(p.b, 0.0f, kTile);
    if (wrong) ReduceSum(p.b, p.a, work, kTile);
    if (!wrong) WholeReduceSum(p.b, p.a, kTile, 1, 1, 1, 8);
    p.Store(p.b);
}

// The cube unit

__aicore__ void static_tensor_off_its_fractal(GM_ADDR* gm, bool wrong) {
    InitSocState();
    const auto x = Gm<half>(gm[0], kFractal), y = Gm<half>(gm[1], kFractal);
    const auto z = Gm<float>(gm[2], kFractal);
    LocalTensor<half> a1(TPosition::A1, 0, kFractal), b1(TPosition::B1, 512, kFractal);
    LocalTensor<half> a2(TPosition::A2, wrong ? 256 : 512, kFractal), b2(TPosition::B2, 0, kFractal);
    LocalTensor<float> c(TPosition::CO1, 0, kFractal);
    DataCopy(a1, x, kFractal);
    DataCopy(b1, y, kFractal);
    Sync<HardEvent::MTE2_MTE1>(EVENT_ID0);
    LoadData(a2, a1, kOneFractal);
    LoadData(b2, b1, kOneFractal);
    Sync<HardEvent::MTE1_M>(EVENT_ID0);
    Mmad(c, a2, b2, kProduct);
    Sync<HardEvent::M_FIX>(EVENT_ID0);
    Fixpipe(z, c, kToRows);
    PipeBarrier<PIPE_ALL>();
}

__aicore__ void reverse_flag_of_static_l0(GM_ADDR* gm, bool wrong) {
    InitSocState();
    const auto x = Gm<half>(gm[0], 2 * kFractal), y = Gm<half>(gm[1], kFractal);
    const auto z = Gm<float>(gm[2], 2 * kFractal);
    LocalMemAllocator<Hardware::L1> l1;
    LocalMemAllocator<Hardware::L0A> l0a;
    LocalMemAllocator<Hardware::L0B> l0b;
    LocalMemAllocator<Hardware::L0C> l0c;
    const auto a1 = l1.Alloc<half, 2 * kFractal>(), b1 = l1.Alloc<TPosition::B1, half, kFractal>();
    const auto a2 = l0a.Alloc<half, kFractal>(), b2 = l0b.Alloc<half, kFractal>();
    const auto c = l0c.Alloc<float, 2 * kFractal>();
    DataCopy(a1, x, 2 * kFractal);
    DataCopy(b1, y, kFractal);
    Sync<HardEvent::MTE2_MTE1>(EVENT_ID0);
    LoadData(b2, b1, kOneFractal);
    for (uint32_t i = 0; i < 2; ++i) {
        if (!wrong && i == 1) Sync<HardEvent::M_MTE1>(EVENT_ID0);
        LoadData(a2, a1[i * kFractal], kOneFractal);
        Sync<HardEvent::MTE1_M>(EVENT_ID0);
        Mmad(c[i * kFractal], a2, b2, kProduct);
    }
    Sync<HardEvent::M_FIX>(EVENT_ID0);
    for (uint32_t i = 0; i < 2; ++i) Fixpipe(z[i * kFractal], c[i * kFractal], kToRows);
    PipeBarrier<PIPE_ALL>();
}

// Stores of the scalar unit

constexpr uint32_t kWords = 32;  // more than a poll reads

std::vector<Memory> Mailbox() {
    return {Output<int32_t>("z", kWords), Workspace<int32_t>("data", kWords), Zeroed(InOut<int32_t>("flag", 16))};
}

// The second block takes the words once it has seen the flag.
__aicore__ void TakeWords(GM_ADDR* gm) {
    LocalTensor<int32_t> words(TPosition::VECIN, 0, kWords);
    while (ReadGmByPassDCache(reinterpret_cast<__gm__ int32_t*>(gm[2])) == 0) {
    }
    DataCopy(words, Gm<int32_t>(gm[1], kWords), kWords);
    Sync<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(Gm<int32_t>(gm[0], kWords), words, kWords);
    PipeBarrier<PIPE_ALL>();
}

__aicore__ void flag_past_the_cache_overtakes_its_data(GM_ADDR* gm, bool wrong) {
    InitSocState();
    if (GetBlockIdx() == 1) return TakeWords(gm);
    auto* data = reinterpret_cast<__gm__ int32_t*>(gm[1]);
    for (uint32_t i = 0; i < kWords; ++i) WriteGmByPassDCache(data + i, static_cast<int32_t>(i));
    if (!wrong) DataSyncBarrier<MemDsbT::DDR>();
    WriteGmByPassDCache(reinterpret_cast<__gm__ int32_t*>(gm[2]), 1);
}

__aicore__ void flag_overtakes_a_cleaned_line(GM_ADDR* gm, bool wrong) {
    InitSocState();
    if (GetBlockIdx() == 1) return TakeWords(gm);
    auto data = Gm<int32_t>(gm[1], kWords), flag = Gm<int32_t>(gm[2], 16);
    for (uint32_t i = 0; i < kWords; ++i) data.SetValue(i, static_cast<int32_t>(i));
    DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(data);
    if (!wrong) DataSyncBarrier<MemDsbT::ALL>();
    flag.SetValue(0, 1);
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(flag);
}

}  // namespace

std::vector<Pair> StaticTensorPairs() {
    return Together({
        {
            Pair("reverse_flag_of_a_static_buffer", "race", reverse_flag_of_a_static_buffer, TwoTiles()),
            Pair("static_buffers_with_one_id", "flag-set-twice", static_buffers_with_one_id, TwoTiles()),
            Pair("static_flag_never_set", "wait-never-satisfied", static_flag_never_set),
            Pair("static_flag_left_set", "flag-left-set", static_flag_left_set),
            Pair("static_flag_of_the_library", "event-id-held", static_flag_of_the_library),
            Pair("static_tensors_overlap", "race", static_tensors_overlap),
            Pair("static_tensor_too_small", "count-exceeds-tensor", static_tensor_too_small),
            Pair("static_tensor_off_its_block", "static-tensor", static_tensor_off_its_block),
            Pair("static_tensor_past_the_end_of_ub", "static-tensor", static_tensor_past_the_end_of_ub),
            Pair("static_tensor_never_written", "uninitialised-read", static_tensor_never_written),
            Pair("allocated_tensor_never_written", "uninitialised-read", allocated_tensor_never_written),
            Pair("second_allocator", "allocator-twice", second_allocator),
            Pair("allocator_past_the_end", "allocator-full", allocator_past_the_end),
            Pair("allocated_end_of_ub_and_a_select", "reserved-memory", allocated_end_of_ub_and_a_select),
            Pair("allocator_and_a_pipe", "allocator-twice", allocator_and_a_pipe),
            Pair("state_of_the_core_not_set", "soc-state-unset", state_of_the_core_not_set),
            Pair("call_of_the_library_without_a_pipe", "static-tensor-call", call_of_the_library_without_a_pipe),
        },
        OnCube({
            Pair("static_tensor_off_its_fractal", "l0-alignment", static_tensor_off_its_fractal, Matrices()),
            Pair("reverse_flag_of_static_l0", "race", reverse_flag_of_static_l0, Matrices(2, 2)),
        }),
        {
            Pair("flag_past_the_cache_overtakes_its_data", "race-cores", flag_past_the_cache_overtakes_its_data,
                 {.gm = Mailbox(), .blocks = 2}),
            Pair("flag_overtakes_a_cleaned_line", "race-cores", flag_overtakes_a_cleaned_line,
                 {.gm = Mailbox(), .blocks = 2}),
        },
    });
}

}  // namespace sfumato::pairs
