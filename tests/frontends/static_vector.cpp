// SPDX-License-Identifier: Apache-2.0
// Vector programs without a TPipe: buffers and flags by hand. Inputs are such that plain arithmetic gives the exact bytes.
#include "frontends/static_kernels.h"

namespace sfumato::frontends_test {
namespace {

using namespace AscendC;

constexpr uint32_t kTiles = 8, kTile = 256;

__global__ __aicore__ void add_single(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    InitSocState();
    const Pieces<float> xg(x, kTiles, kTile), yg(y, kTiles, kTile), zg(z, kTiles, kTile);
    LocalTensor<float> a(TPosition::VECIN, 0, kTile), b(TPosition::VECIN, 1024, kTile), c(TPosition::VECOUT, 2048, kTile);
    for (uint32_t i = 0; i < zg.count; ++i) {
        DataCopy(a, xg[i], kTile);
        DataCopy(b, yg[i], kTile);
        Sync<HardEvent::MTE2_V>();
        Add(c, a, b, kTile);
        Sync<HardEvent::V_MTE3>();
        DataCopy(zg[i], c, kTile);
        Sync<HardEvent::MTE3_MTE2>();
    }
    PipeBarrier<PIPE_ALL>();
}

// Ping and pong: each half of the buffers has its id; the reverse flags are set before the first turn.
__global__ __aicore__ void add_double(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    InitSocState();
    const Pieces<float> xg(x, kTiles, kTile), yg(y, kTiles, kTile), zg(z, kTiles, kTile);
    LocalMemAllocator<Hardware::UB> ub;
    LocalTensor<float> a[2], b[2], c[2];
    for (int32_t id = 0; id < 2; ++id) {
        a[id] = ub.Alloc<TPosition::VECIN, float, kTile>();
        b[id] = ub.Alloc<TPosition::VECIN, float, kTile>();
        c[id] = ub.Alloc<TPosition::VECOUT, float>(kTile);
        SetFlag<HardEvent::V_MTE2>(id);
        SetFlag<HardEvent::MTE3_V>(id);
    }
    for (uint32_t i = 0; i < zg.count; ++i) {
        const event_t id = static_cast<event_t>(i % 2);
        WaitFlag<HardEvent::V_MTE2>(id);
        DataCopy(a[id], xg[i], kTile);
        DataCopy(b[id], yg[i], kTile);
        Sync<HardEvent::MTE2_V>(id);
        WaitFlag<HardEvent::MTE3_V>(id);
        Add(c[id], a[id], b[id], kTile);
        SetFlag<HardEvent::V_MTE2>(id);
        Sync<HardEvent::V_MTE3>(id);
        DataCopy(zg[i], c[id], kTile);
        SetFlag<HardEvent::MTE3_V>(id);
    }
    for (int32_t id = 0; id < 2; ++id) {
        WaitFlag<HardEvent::V_MTE2>(id);
        WaitFlag<HardEvent::MTE3_V>(id);
    }
    PipeBarrier<PIPE_ALL>();
}

// A mask of 40 of 64 lanes, every other repeat.
__global__ __aicore__ void adds_masked(GM_ADDR x, GM_ADDR y) {
    InitSocState();
    LocalMemAllocator ub;
    const auto a = ub.Alloc<float, kTile>(), b = ub.Alloc<float, kTile>();
    EachTile(Pieces<float>(x, kTiles, kTile), Pieces<float>(y, kTiles, kTile), a, b, [&]() __aicore__ {
        Duplicate(b, 0.0f, kTile);
        PipeBarrier<PIPE_V>();
        Adds(b, a, 3.0f, 40, 2, UnaryRepeatParams(1, 1, 16, 16));
    });
}

// Rows of 64 whose elements are 1000 apart: e^0 and e^-1000 are exact, and so is one part in a power of two.
__global__ __aicore__ void softmax(GM_ADDR x, GM_ADDR y) {
    InitSocState();
    constexpr uint32_t kRow = 64;
    LocalMemAllocator<> ub;
    const auto in = ub.Alloc<float, kRow>(), out = ub.Alloc<float, kRow>(), spread = ub.Alloc<float, kRow>();
    const auto one = ub.Alloc<float, 8>();
    const BinaryRepeatParams whole;
    EachTile(Pieces<float>(x, kTiles, kRow), Pieces<float>(y, kTiles, kRow), in, out, [&]() __aicore__ {
        WholeReduceMax(one, in, kRow, 1, 1, 1, 8);
        Sync<HardEvent::V_S>(EVENT_ID1);
        Duplicate(spread, one.GetValue(0), kRow);
        Sync<HardEvent::S_V>(EVENT_ID1);
        PipeBarrier<PIPE_V>();
        Sub(out, in, spread, kRow);
        PipeBarrier<PIPE_V>();
        Exp(out, out, kRow);
        PipeBarrier<PIPE_V>();
        WholeReduceSum(one, out, kRow, 1, 1, 1, 8);
        Sync<HardEvent::V_S>(EVENT_ID1);
        Duplicate(spread, one.GetValue(0), kRow);
        Sync<HardEvent::S_V>(EVENT_ID1);
        PipeBarrier<PIPE_V>();
        Div(out, out, spread, kRow, 1, whole);
    });
}

// float to int8_t: a scale, then half, which holds the products exactly.
__global__ __aicore__ void quantise(GM_ADDR x, GM_ADDR y) {
    InitSocState();
    LocalMemAllocator<Hardware::UB> ub;
    const auto in = ub.Alloc<TPosition::VECIN, float, kTile>();
    const auto scaled = ub.Alloc<float>(kTile);
    const auto halves = ub.Alloc<half>(kTile);
    const auto out = ub.Alloc<TPosition::VECOUT, int8_t>(kTile);
    EachTile(Pieces<float>(x, kTiles, kTile), Pieces<int8_t>(y, kTiles, kTile), in, out, [&]() __aicore__ {
        Muls(scaled, in, 0.5f, kTile);
        PipeBarrier<PIPE_V>();
        Cast(halves, scaled, RoundMode::CAST_NONE, kTile);
        PipeBarrier<PIPE_V>();
        Cast(out, halves, RoundMode::CAST_NONE, kTile);
    });
}

// The scalar unit writes and reads UB between instructions.
__global__ __aicore__ void scalar_elements(GM_ADDR x, GM_ADDR y) {
    InitSocState();
    LocalTensor<int32_t> a(TPosition::VECCALC, 4096, 64), b(TPosition::VECCALC, 0, 64);
    EachTile(Pieces<int32_t>(x, kTiles, 64), Pieces<int32_t>(y, kTiles, 64), a, b, [&]() __aicore__ {
        Sync<HardEvent::V_S>(EVENT_ID2);
        const int32_t last = a.GetValue(63);
        a.SetValue(0, last);
        Sync<HardEvent::S_V>(EVENT_ID2);
        Adds(b, a, 1, 64);
    });
}

// Addresses in turn, without an allocator: the work tensor lies on the input once that is used up.
__global__ __aicore__ void reused_address(GM_ADDR x, GM_ADDR y) {
    InitSocState();
    LocalTensor<half> in(TPosition::VECIN, 0, kTile), work(TPosition::VECCALC, 0, kTile);
    LocalTensor<half> other(TPosition::VECCALC, 512, kTile), out(TPosition::VECOUT, 1024, kTile);
    EachTile(Pieces<half>(x, kTiles, kTile), Pieces<half>(y, kTiles, kTile), in, out, [&]() __aicore__ {
        Adds(other, in, half(1), kTile);
        PipeBarrier<PIPE_V>();
        Muls(work, other, half(2), kTile);
        PipeBarrier<PIPE_V>();
        Sub(out, work, other, kTile);
    });
}

// All cores add to the same output.
__global__ __aicore__ void atomic_sum(GM_ADDR x, GM_ADDR y) {
    InitSocState();
    LocalMemAllocator ub;
    const auto a = ub.Alloc<float, kTile>();
    const Pieces<float> xg(x, kTiles, kTile);
    GlobalTensor<float> yg;
    yg.SetGlobalBuffer((__gm__ float*)y, kTile);
    SetAtomicAdd<float>();
    for (uint32_t i = 0; i < xg.count; ++i) {
        DataCopy(a, xg[i], kTile);
        Sync<HardEvent::MTE2_MTE3>();
        DataCopy(yg, a, kTile);
        Sync<HardEvent::MTE3_MTE2>();
    }
    DisableDmaAtomic();
    PipeBarrier<PIPE_ALL>();
}

// A queue of a TPipe in front, and a tensor at an address behind its buffers.
__global__ __aicore__ void beside_a_pipe(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> queue;
    pipe.InitBuffer(queue, 1, kTile * sizeof(float));
    LocalTensor<float> out(TPosition::VECOUT, 64 * 1024, kTile);
    const Pieces<float> xg(x, kTiles, kTile), yg(y, kTiles, kTile);
    for (uint32_t i = 0; i < xg.count; ++i) {
        auto in = queue.AllocTensor<float>();
        DataCopy(in, xg[i], kTile);
        queue.EnQue(in);
        in = queue.DeQue<float>();
        Adds(out, in, 1.0f, kTile);
        queue.FreeTensor(in);
        Sync<HardEvent::V_MTE3>(EVENT_ID6);
        DataCopy(yg[i], out, kTile);
        Sync<HardEvent::MTE3_V>(EVENT_ID6);
    }
}

Program On(const char* name, const std::vector<std::string>& chips, std::vector<Argument> arguments,
           std::function<void(uint8_t* const*)> kernel) {
    return {name, chips, std::move(arguments), std::move(kernel), false};
}

}  // namespace

std::vector<StaticProgram> StaticVectorPrograms() {
    constexpr size_t kAll = kTiles * kTile;
    const auto x = Floats(kAll, -1000, 1000, 0.25, 1), y = Floats(kAll, -1000, 1000, 0.25, 2);
    std::vector<float> sums, masked(kAll), rows(kTiles * 64), parts, total(kTile);
    for (size_t i = 0; i < kAll; ++i) {
        sums.push_back(x[i] + y[i]);
        const size_t lane = i % 64, repeat = i % kTile / 64;
        if (lane < 40 && repeat % 2 == 0) masked[i] = x[i] + 3;
        total[i % kTile] += x[i];
    }
    for (size_t i = 0; i < rows.size(); ++i) {
        const size_t most = size_t{1} << (i / 64 % 7);  // so many of the row share its maximum
        rows[i] = i % 64 < most ? 7.0f : -993.0f;
        parts.push_back(i % 64 < most ? 1.0f / static_cast<float>(most) : 0.0f);
    }
    const auto even = Each<float>(Integers<int>(kAll, -120, 120, 3), [](int v) { return 2 * v; });
    const auto halved = Each<int8_t>(even, [](float v) { return v / 2; });
    const auto words = Integers<int32_t>(kTiles * 64, -1000, 1000, 4);
    std::vector<int32_t> moved = words;
    for (size_t i = 0; i < moved.size(); ++i) moved[i] = words[i % 64 == 0 ? i + 63 : i] + 1;
    const auto halves = Halves(kAll, -100, 100, 1, 5);
    const auto up = Each<uint16_t>(halves, [](uint16_t v) { return HalfBits(HalfValue(v) + 1); });
    const auto plus = Each<float>(x, [](float v) { return v + 1; });
    Argument sum_of_all = Out(total);
    std::fill_n(sum_of_all.before.begin(), kTile * sizeof(float), uint8_t{0});

    const auto on = [](const char* name, std::vector<Argument> arguments, std::function<void(uint8_t* const*)> kernel) {
        return StaticProgram{On(name, kWithStatic, std::move(arguments), std::move(kernel))};
    };
    return {
        on("static_add_single", {In(x), In(y), Out(sums)}, [](auto gm) { add_single(gm[0], gm[1], gm[2]); }),
        on("static_add_double", {In(x), In(y), Out(sums)}, [](auto gm) { add_double(gm[0], gm[1], gm[2]); }),
        on("static_adds_masked", {In(x), Out(masked)}, [](auto gm) { adds_masked(gm[0], gm[1]); }),
        on("static_softmax", {In(rows), Out(parts)}, [](auto gm) { softmax(gm[0], gm[1]); }),
        on("static_quantise", {In(even), Out(halved)}, [](auto gm) { quantise(gm[0], gm[1]); }),
        on("static_scalar_elements", {In(words), Out(moved)}, [](auto gm) { scalar_elements(gm[0], gm[1]); }),
        on("static_reused_address", {In(halves), Out(up)}, [](auto gm) { reused_address(gm[0], gm[1]); }),
        on("static_atomic_sum", {In(x), sum_of_all}, [](auto gm) { atomic_sum(gm[0], gm[1]); }),
        on("static_beside_a_pipe", {In(x), Out(plus)}, [](auto gm) { beside_a_pipe(gm[0], gm[1]); }),
    };
}

}  // namespace sfumato::frontends_test
