// SPDX-License-Identifier: Apache-2.0
// Programs with hand-written flags and barriers, and the same with one of them left out.
#include "frontends/kernels.h"

namespace sfumato::frontends_test {
namespace {

using namespace AscendC;

// The one step a program leaves out.
enum class Omit {
    kNothing,
    kMte2V,
    kVMte3,
    kVMte2,
    kMte3V,
    kBarrierV,
    kBarrierMte2,
    kBarrierMte3,
    kBarrierAllIn,
    kBarrierAllOut,
    kSV,
    kVS,
    kMte2S,
    kMte3Mte2,
    kInQueue,
    kOutQueue,
    kFree
};

constexpr uint32_t kTotal = 4096, kTile = 128;

template <class T>
__aicore__ inline GlobalTensor<T> Share(GM_ADDR p, uint32_t total) {
    const uint32_t length = total / static_cast<uint32_t>(GetBlockNum());
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer((__gm__ T*)p + length * GetBlockIdx(), length);
    return tensor;
}
template <HardEvent event>
__aicore__ inline void Sync() {
    const TEventID id = GetTPipePtr()->FetchEventID<event>();
    SetFlag<event>(id);
    WaitFlag<event>(id);
}

// y = 3 x: one buffer on either side, flags forward and reverse.
template <Omit omit>
__global__ __aicore__ void flag_loop(GM_ADDR x, GM_ADDR y) {
    GlobalTensor<half> xg = Share<half>(x, kTotal), yg = Share<half>(y, kTotal);
    TPipe pipe;
    TBuf<TPosition::VECIN> in_buffer;
    TBuf<TPosition::VECOUT> out_buffer;
    pipe.InitBuffer(in_buffer, kTile * sizeof(half));
    pipe.InitBuffer(out_buffer, kTile * sizeof(half));
    LocalTensor<half> in = in_buffer.Get<half>(), out = out_buffer.Get<half>();
    const TEventID loaded = pipe.AllocEventID<HardEvent::MTE2_V>(), read = pipe.AllocEventID<HardEvent::V_MTE2>();
    const TEventID computed = pipe.AllocEventID<HardEvent::V_MTE3>(), stored = pipe.AllocEventID<HardEvent::MTE3_V>();
    if (omit != Omit::kVMte2) SetFlag<HardEvent::V_MTE2>(read);
    if (omit != Omit::kMte3V) SetFlag<HardEvent::MTE3_V>(stored);
    for (uint32_t at = 0; at < xg.GetSize(); at += kTile) {
        if (omit != Omit::kVMte2) WaitFlag<HardEvent::V_MTE2>(read);
        DataCopy(in, xg[at], kTile);
        if (omit != Omit::kMte2V) SetFlag<HardEvent::MTE2_V>(loaded);
        if (omit != Omit::kMte2V) WaitFlag<HardEvent::MTE2_V>(loaded);
        if (omit != Omit::kMte3V) WaitFlag<HardEvent::MTE3_V>(stored);
        Muls(out, in, static_cast<half>(3), kTile);
        if (omit != Omit::kVMte2) SetFlag<HardEvent::V_MTE2>(read);
        if (omit != Omit::kVMte3) SetFlag<HardEvent::V_MTE3>(computed);
        if (omit != Omit::kVMte3) WaitFlag<HardEvent::V_MTE3>(computed);
        DataCopy(yg[at], out, kTile);
        if (omit != Omit::kMte3V) SetFlag<HardEvent::MTE3_V>(stored);
    }
    if (omit != Omit::kVMte2) WaitFlag<HardEvent::V_MTE2>(read);
    if (omit != Omit::kMte3V) WaitFlag<HardEvent::MTE3_V>(stored);
    pipe.ReleaseEventID<HardEvent::MTE2_V>(loaded);
    pipe.ReleaseEventID<HardEvent::V_MTE2>(read);
    pipe.ReleaseEventID<HardEvent::V_MTE3>(computed);
    pipe.ReleaseEventID<HardEvent::MTE3_V>(stored);
}

// y = 3 x in place, two buffers in turn, an event id for each; raw calls of the C layer.
__global__ __aicore__ void ping_pong(GM_ADDR x, GM_ADDR y) {
    GlobalTensor<half> xg = Share<half>(x, kTotal), yg = Share<half>(y, kTotal);
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 2 * kTile * sizeof(half));
    set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
    set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID1);
    uint32_t turn = 0;
    for (uint32_t at = 0; at < xg.GetSize(); at += kTile, turn = 1 - turn) {
        const event_t id = turn ? EVENT_ID1 : EVENT_ID0;
        LocalTensor<half> tile = buffer.GetWithOffset<half>(kTile, turn * kTile * sizeof(half));
        wait_flag(PIPE_MTE3, PIPE_MTE2, id);
        DataCopy(tile, xg[at], kTile);
        set_flag(PIPE_MTE2, PIPE_V, id);
        wait_flag(PIPE_MTE2, PIPE_V, id);
        Muls(tile, tile, static_cast<half>(3), kTile);
        set_flag(PIPE_V, PIPE_MTE3, id);
        wait_flag(PIPE_V, PIPE_MTE3, id);
        DataCopy(yg[at], tile, kTile);
        set_flag(PIPE_MTE3, PIPE_MTE2, id);
    }
    wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
    wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID1);
}

// y = 2 (x + 1) where the second quarter of each tile is loaded and stored twice: moves of one pipe that overlap.
template <Omit omit>
__global__ __aicore__ void barriers(GM_ADDR x, GM_ADDR y) {
    GlobalTensor<half> xg = Share<half>(x, kTotal), yg = Share<half>(y, kTotal);
    TPipe pipe;
    TBuf<> in_buffer, out_buffer;
    pipe.InitBuffer(in_buffer, kTile * sizeof(half));
    pipe.InitBuffer(out_buffer, kTile * sizeof(half));
    LocalTensor<half> in = in_buffer.Get<half>(), out = out_buffer.Get<half>();
    for (uint32_t at = 0; at < xg.GetSize(); at += kTile) {
        DataCopy(in, xg[at], kTile);
        if (omit != Omit::kBarrierMte2) PipeBarrier<PIPE_MTE2>();
        DataCopy(in[kTile / 4], xg[at], kTile / 4);
        Sync<HardEvent::MTE2_V>();
        Adds(out, in, static_cast<half>(1), kTile);
        if (omit != Omit::kBarrierV) PipeBarrier<PIPE_V>();
        Muls(out, out, static_cast<half>(2), kTile);
        Sync<HardEvent::V_MTE3>();
        DataCopy(yg[at], out, kTile);
        if (omit != Omit::kBarrierMte3) PipeBarrier<PIPE_MTE3>();
        DataCopy(yg[at + kTile / 2], out, kTile / 4);
        Sync<HardEvent::MTE3_V>();
        Sync<HardEvent::V_MTE2>();
    }
}

template <Omit omit>
__global__ __aicore__ void barrier_all(GM_ADDR x, GM_ADDR y) {
    GlobalTensor<half> xg = Share<half>(x, kTotal), yg = Share<half>(y, kTotal);
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, kTile * sizeof(half));
    LocalTensor<half> tile = buffer.Get<half>();
    for (uint32_t at = 0; at < xg.GetSize(); at += kTile) {
        DataCopy(tile, xg[at], kTile);
        if (omit != Omit::kBarrierAllIn) PipeBarrier<PIPE_ALL>();
        Muls(tile, tile, static_cast<half>(3), kTile);
        if (omit != Omit::kBarrierAllOut) pipe_barrier(PIPE_ALL);
        DataCopy(yg[at], tile, kTile);
        PipeBarrier<PIPE_ALL>();
    }
}

// Each tile is multiplied by its own first element; then element 1 of the sum becomes 9, and the tile gets element 2
// added.
template <Omit omit>
__global__ __aicore__ void scalar_flags(GM_ADDR x, GM_ADDR y) {
    GlobalTensor<float> xg = Share<float>(x, kTotal), yg = Share<float>(y, kTotal);
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, kTile * sizeof(float));
    LocalTensor<float> tile = buffer.Get<float>();
    for (uint32_t at = 0; at < xg.GetSize(); at += kTile) {
        DataCopy(tile, xg[at], kTile);
        Sync<HardEvent::MTE2_V>();
        if (omit != Omit::kMte2S) Sync<HardEvent::MTE2_S>();
        const float first = tile.GetValue(0);
        Sync<HardEvent::S_V>();
        Muls(tile, tile, first, kTile);
        if (omit != Omit::kVS) Sync<HardEvent::V_S>();
        const float third = tile(2);
        tile.SetValue(1, 9);
        if (omit != Omit::kSV) Sync<HardEvent::S_V>();
        Adds(tile, tile, third, kTile);
        Sync<HardEvent::V_MTE3>();
        DataCopy(yg[at], tile, kTile);
        Sync<HardEvent::MTE3_S>();
        Sync<HardEvent::MTE3_MTE2>();
    }
}

// The same arithmetic relying on what the compiler inserts between S and the other pipes.
__global__ __aicore__ void scalar_between(GM_ADDR x, GM_ADDR y) {
    OverTiles<float, float>(x, y, kTotal, kTile, kTile, [](LocalTensor<float>& out, LocalTensor<float>& in) {
        const float first = in.GetValue(0);
        Muls(out, in, first, kTile);
        const float third = out.GetValue(2);
        out.SetValue(1, 9);
        Adds(out, out, third, kTile);
    });
}

// y holds x + 1 for a moment, is read back and becomes 2 (x + 1).
template <Omit omit>
__global__ __aicore__ void round_trip(GM_ADDR x, GM_ADDR y) {
    GlobalTensor<half> xg = Share<half>(x, kTotal), yg = Share<half>(y, kTotal);
    TPipe pipe;
    TBuf<> first_buffer, second_buffer;
    pipe.InitBuffer(first_buffer, kTile * sizeof(half));
    pipe.InitBuffer(second_buffer, kTile * sizeof(half));
    LocalTensor<half> first = first_buffer.Get<half>(), second = second_buffer.Get<half>();
    for (uint32_t at = 0; at < xg.GetSize(); at += kTile) {
        DataCopy(first, xg[at], kTile);
        Sync<HardEvent::MTE2_V>();
        Adds(first, first, static_cast<half>(1), kTile);
        Sync<HardEvent::V_MTE3>();
        DataCopy(yg[at], first, kTile);
        if (omit != Omit::kMte3Mte2) Sync<HardEvent::MTE3_MTE2>();
        DataCopy(second, yg[at], kTile);
        Sync<HardEvent::MTE2_V>();
        Muls(second, second, static_cast<half>(2), kTile);
        Sync<HardEvent::V_MTE3>();
        DataCopy(yg[at], second, kTile);
        Sync<HardEvent::MTE3_MTE2>();
    }
}

// y = 3 x with queues.
template <Omit omit>
__global__ __aicore__ void queue_steps(GM_ADDR x, GM_ADDR y) {
    GlobalTensor<half> xg = Share<half>(x, kTotal), yg = Share<half>(y, kTotal);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in_queue;
    TQue<TPosition::VECOUT, 1> out_queue;
    pipe.InitBuffer(in_queue, 1, kTile * sizeof(half));
    pipe.InitBuffer(out_queue, 1, kTile * sizeof(half));
    LocalTensor<half> in = in_queue.AllocTensor<half>();
    for (uint32_t at = 0; at < xg.GetSize(); at += kTile) {
        DataCopy(in, xg[at], kTile);
        if (omit != Omit::kInQueue) in_queue.EnQue(in);
        if (omit != Omit::kInQueue) in = in_queue.DeQue<half>();
        LocalTensor<half> out = out_queue.AllocTensor<half>();
        Muls(out, in, static_cast<half>(3), kTile);
        if (omit != Omit::kFree) in_queue.FreeTensor(in);
        if (omit != Omit::kFree) in = in_queue.AllocTensor<half>();
        if (omit != Omit::kOutQueue) out_queue.EnQue(out);
        if (omit != Omit::kOutQueue) out = out_queue.DeQue<half>();
        DataCopy(yg[at], out, kTile);
        out_queue.FreeTensor(out);
    }
    in_queue.FreeTensor(in);
}

// y = 3 x where the result goes through a TBuf: its flag to MTE3 is the program's.
template <Omit omit>
__global__ __aicore__ void queue_and_buffer(GM_ADDR x, GM_ADDR y) {
    GlobalTensor<half> xg = Share<half>(x, kTotal), yg = Share<half>(y, kTotal);
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in_queue;
    TBuf<TPosition::VECOUT> out_buffer;
    pipe.InitBuffer(in_queue, 2, kTile * sizeof(half));
    pipe.InitBuffer(out_buffer, kTile * sizeof(half));
    LocalTensor<half> out = out_buffer.Get<half>();
    for (uint32_t at = 0; at < xg.GetSize(); at += kTile) {
        LocalTensor<half> in = in_queue.AllocTensor<half>();
        DataCopy(in, xg[at], kTile);
        in_queue.EnQue(in);
        in = in_queue.DeQue<half>();
        Muls(out, in, static_cast<half>(3), kTile);
        in_queue.FreeTensor(in);
        if (omit != Omit::kVMte3) Sync<HardEvent::V_MTE3>();
        DataCopy(yg[at], out, kTile);
        if (omit != Omit::kMte3V) Sync<HardEvent::MTE3_V>();
    }
}

using Kernel = void (*)(GM_ADDR, GM_ADDR);

Program HalfProgram(std::string name, Kernel kernel, double (*meaning)(const std::vector<double>& x, size_t i),
                    bool auto_sync = true) {
    const auto bits = Halves(kTotal, -2000, 2000, 0.25, 21);
    std::vector<double> x;
    for (const uint16_t b : bits) x.push_back(HalfValue(b));
    std::vector<uint16_t> y;
    for (size_t i = 0; i < x.size(); ++i) y.push_back(HalfBits(meaning(x, i)));
    return {std::move(name),
            kAllChips,
            {In(bits), Out(y)},
            [kernel](uint8_t* const* gm) { kernel(gm[0], gm[1]); },
            auto_sync};
}
double Tripled(const std::vector<double>& x, size_t i) { return 3 * x[i]; }
double Doubled(const std::vector<double>& x, size_t i) { return 2 * HalfValue(HalfBits(x[i] + 1)); }
Program Triple(std::string name, Kernel kernel) { return HalfProgram(std::move(name), kernel, Tripled); }
Program Barriers(std::string name, Kernel kernel) {
    return HalfProgram(
        std::move(name), kernel,
        [](const std::vector<double>& x, size_t i) {
            const size_t at =
                i % kTile;  // the second quarter repeats the first's data, the third is stored again from the first
            const size_t from = at >= kTile / 4 && at < kTile / 2       ? i - kTile / 4
                                : at >= kTile / 2 && at < 3 * kTile / 4 ? i - kTile / 2
                                                                        : i;
            return Doubled(x, from);
        },
        false);
}
Program Scalars(std::string name, Kernel kernel, bool auto_sync) {
    const auto x = Floats(kTotal, -500, 500, 0.5, 22);
    std::vector<float> y(x);
    for (size_t tile = 0; tile < kTotal; tile += kTile) {
        const float first = x[tile];
        for (size_t i = 0; i < kTile; ++i) y[tile + i] = x[tile + i] * first;
        const float third = y[tile + 2];
        y[tile + 1] = 9;
        for (size_t i = 0; i < kTile; ++i) y[tile + i] += third;
    }
    return {
        std::move(name), kAllChips, {In(x), Out(y)}, [kernel](uint8_t* const* gm) { kernel(gm[0], gm[1]); }, auto_sync};
}

}  // namespace

std::vector<Program> FlagPrograms() {
    return {Triple("flag_loop", flag_loop<Omit::kNothing>),
            Triple("ping_pong", ping_pong),
            Barriers("barriers", barriers<Omit::kNothing>),
            Triple("barrier_all", barrier_all<Omit::kNothing>),
            Scalars("scalar_flags", scalar_flags<Omit::kNothing>, false),
            Scalars("scalar_between", scalar_between, true),
            HalfProgram("round_trip", round_trip<Omit::kNothing>, Doubled),
            Triple("queue_steps", queue_steps<Omit::kNothing>),
            Triple("queue_and_buffer", queue_and_buffer<Omit::kNothing>)};
}

std::vector<BrokenProgram> BrokenPrograms() {
    return {
        // the data is not there yet
        {"flag MTE2_V", "late", Triple("flag_loop", flag_loop<Omit::kMte2V>)},
        {"flag V_MTE3", "late", Triple("flag_loop", flag_loop<Omit::kVMte3>)},
        {"flag V_MTE3 after a TBuf", "late", Triple("queue_and_buffer", queue_and_buffer<Omit::kVMte3>)},
        {"flag MTE3_MTE2 through global memory", "ahead",
         HalfProgram("round_trip", round_trip<Omit::kMte3Mte2>, Doubled)},
        {"PIPE_ALL after the load", "late", Triple("barrier_all", barrier_all<Omit::kBarrierAllIn>)},
        {"PIPE_ALL before the store", "late", Triple("barrier_all", barrier_all<Omit::kBarrierAllOut>)},
        {"flag S_V", "late", Scalars("scalar_flags", scalar_flags<Omit::kSV>, false)},
        {"flag V_S", "late", Scalars("scalar_flags", scalar_flags<Omit::kVS>, false)},
        {"flag MTE2_S", "late", Scalars("scalar_flags", scalar_flags<Omit::kMte2S>, false)},
        {"EnQue and DeQue of VECIN", "late", Triple("queue_steps", queue_steps<Omit::kInQueue>)},
        {"EnQue and DeQue of VECOUT", "late", Triple("queue_steps", queue_steps<Omit::kOutQueue>)},
        // two instructions of one pipe
        {"PIPE_V barrier", "late", Barriers("barriers", barriers<Omit::kBarrierV>)},
        {"PIPE_MTE2 barrier", "late", Barriers("barriers", barriers<Omit::kBarrierMte2>)},
        {"PIPE_MTE3 barrier", "late", Barriers("barriers", barriers<Omit::kBarrierMte3>)},
        // the buffer is used again too early
        {"flag V_MTE2", "ahead", Triple("flag_loop", flag_loop<Omit::kVMte2>)},
        {"flag MTE3_V", "ahead", Triple("flag_loop", flag_loop<Omit::kMte3V>)},
        {"flag MTE3_V after a TBuf", "ahead", Triple("queue_and_buffer", queue_and_buffer<Omit::kMte3V>)},
        {"FreeTensor and AllocTensor of VECIN", "ahead", Triple("queue_steps", queue_steps<Omit::kFree>)},
    };
}

}  // namespace sfumato::frontends_test
