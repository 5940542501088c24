// SPDX-License-Identifier: Apache-2.0
// Whole operators as users of Ascend310B and Ascend310P write them: what the host plans, what the kernels share, and
// the arithmetic that says what they must leave in global memory.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <utility>

#include "frontends/kernels.h"
#include "lib/matmul_intf.h"
#include "tiling/tiling_api.h"

namespace sfumato::boards {

using namespace frontends_test;
using frontends_test::Argument;  // beside sfumato::Argument
using namespace AscendC;

// What a host asks the platform for, and what decides which calls its kernel takes.
struct Board {
    const char* chip;
    uint32_t cores;
    uint64_t ub;
    bool pads;  // has DataCopyPad, and Fixpipe to global memory; Ascend310P has neither
};
inline Board BoardOf(const char* chip) {
    fe::PlatFormInfos info{chip};
    const platform_ascendc::PlatformAscendC platform(&info);
    uint64_t ub = 0;
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub);
    return {chip, platform.GetCoreNumAic(), ub, platform.GetSocVersion() == platform_ascendc::SocVersion::ASCEND310B};
}

constexpr unsigned k310B = 1, k310P = 2, kBoth = 3;

enum class Blocks { kAny, kOne, kCores };  // that a host launches it with

// name, the boards that have what it calls, and the program that a board's host launches.
struct Operator {
    const char* name;
    unsigned boards;
    Program (*on)(const Board& board);
    Blocks blocks = Blocks::kAny;
    bool own_sync = false;  // it has every barrier itself, and is run without auto_sync, too
};

std::vector<Operator> ElementOperators();
std::vector<Operator> RowOperators();
std::vector<Operator> ImageOperators();
std::vector<Operator> MoveOperators();
std::vector<Operator> RankOperators();
std::vector<Operator> SumOperators();
std::vector<Operator> CubeOperators();
std::vector<Operator> ProductOperators();

constexpr uint32_t UpTo(uint32_t n, uint32_t unit) { return (n + unit - 1) / unit * unit; }

// --- kernels

template <class T>
__aicore__ inline GlobalTensor<T> Gm(GM_ADDR p, uint64_t count) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer((__gm__ T*)p, count);
    return tensor;
}

template <HardEvent event>
__aicore__ inline void Order(int32_t id = EVENT_ID0) {
    SetFlag<event>(id);
    WaitFlag<event>(id);
}

// A block's part of `total`: whole units, and the rest with the last block.
struct Part {
    uint32_t first, count;
};
__aicore__ inline Part PartOf(uint32_t total, uint32_t unit = 1) {
    const auto blocks = static_cast<uint32_t>(GetBlockNum()), index = static_cast<uint32_t>(GetBlockIdx());
    const uint32_t each = total / unit / blocks * unit;
    return {index * each, index + 1 == blocks ? total - index * each : each};
}

template <class T>
__aicore__ inline void Fetch(const LocalTensor<T>& dst, const GlobalTensor<T>& src, uint32_t count, bool pads) {
    if (!pads) return DataCopy(dst, src, count);
    DataCopyPad(dst, src, DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0},
                DataCopyPadExtParams<T>{false, 0, 0, T(0)});
}
template <class T>
__aicore__ inline void Store(const GlobalTensor<T>& dst, const LocalTensor<T>& src, uint32_t count, bool pads) {
    if (!pads) return DataCopy(dst, src, count);
    DataCopyPad(dst, src, DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0});
}

// Of elementwise operators; tile: elements of a tile, a multiple of 64.
struct ElementTiling {
    uint32_t total, tile;
    bool pads;
};

// Tiles of one output and some inputs, double buffered. Where nothing stores less than 32 bytes the last tile begins
// as much earlier as it is short, and writes some elements once more.
template <class Out, class... In>
class OverElements {
public:
    __aicore__ inline OverElements(TPipe& pipe, const ElementTiling& t, GM_ADDR out,
                                   const std::array<GM_ADDR, sizeof...(In)>& in)
        : t_(t), part_(PartOf(t.total, 64)), out_(Gm<Out>(out, t.total)) {
        auto next = in.begin();
        const auto of = [&](auto& tensor) { tensor.SetGlobalBuffer((decltype(tensor.GetPhyAddr()))*next++, t.total); };
        std::apply([&](auto&... tensors) { (of(tensors), ...); }, in_);
        size_t i = 0;
        pipe.InitBuffer(out_queue_, 2, t.tile * sizeof(Out));
        (pipe.InitBuffer(in_queues_[i++], 2, t.tile * sizeof(In)), ...);
    }
    // compute(out, in..., count)
    template <class Compute>
    __aicore__ inline void Process(const Compute& compute) {
        for (uint32_t at = 0; at < part_.count; at += t_.tile) {
            const uint32_t left = std::min(t_.tile, part_.count - at), count = t_.pads ? left : UpTo(left, 64);
            One(part_.first + at + left - count, count, compute, std::index_sequence_for<In...>());
        }
    }

private:
    template <class Compute, size_t... i>
    __aicore__ inline void One(uint32_t at, uint32_t count, const Compute& compute, std::index_sequence<i...>) {
        (CopyIn<In>(in_queues_[i], std::get<i>(in_)[at], count), ...);
        std::tuple<LocalTensor<In>...> in{in_queues_[i].template DeQue<In>()...};
        LocalTensor<Out> out = out_queue_.template AllocTensor<Out>();
        compute(out, std::get<i>(in)..., count);
        out_queue_.EnQue(out);
        (in_queues_[i].FreeTensor(std::get<i>(in)), ...);
        out = out_queue_.template DeQue<Out>();
        if (count < t_.tile) PipeBarrier<PIPE_MTE3>();
        Store(out_[at], out, count, t_.pads);
        out_queue_.FreeTensor(out);
    }
    template <class T>
    __aicore__ inline void CopyIn(TQue<TPosition::VECIN, 2>& queue, const GlobalTensor<T>& from, uint32_t count) {
        LocalTensor<T> tensor = queue.template AllocTensor<T>();
        Fetch(tensor, from, count, t_.pads);
        queue.EnQue(tensor);
    }

    const ElementTiling t_;
    const Part part_;
    GlobalTensor<Out> out_;
    std::tuple<GlobalTensor<In>...> in_;
    TQue<TPosition::VECIN, 2> in_queues_[sizeof...(In)];
    TQue<TPosition::VECOUT, 2> out_queue_;
};

// --- what they must give

// A number of a type; each step is done in double, which is exact or close enough, and rounded once more.
template <class T>
struct Number {
    double v;
    Number(double x = 0)  // NOLINT: constants stand beside numbers
        : v(std::is_same_v<T, half> ? HalfValue(HalfBits(x)) : static_cast<double>(static_cast<float>(x))) {}
    friend Number operator+(Number a, Number b) { return a.v + b.v; }
    friend Number operator-(Number a, Number b) { return a.v - b.v; }
    friend Number operator*(Number a, Number b) { return a.v * b.v; }
    friend Number operator/(Number a, Number b) { return a.v / b.v; }
    friend bool operator<(Number a, Number b) { return a.v < b.v; }
    auto Stored() const {
        if constexpr (std::is_same_v<T, half>)
            return HalfBits(v);
        else
            return static_cast<float>(v);
    }
};
using F = Number<float>;
using H = Number<half>;
template <class N>
N Exp(N x) {
    return std::exp(x.v);
}
inline double Value(uint16_t half_bits) { return HalfValue(half_bits); }
inline double Value(float v) { return static_cast<double>(v); }
inline double Value(int32_t v) { return v; }

// The sum of a row as the unit adds: neighbours in groups of 256 bytes, then the groups' sums (adv.md 4.0).
inline F TreeSum(std::vector<F> row) {
    while (row.size() > 1) {
        std::vector<F> sums;
        for (size_t first = 0; first < row.size(); first += 64) {
            std::vector<F> part(row.begin() + static_cast<long>(first),
                                row.begin() + static_cast<long>(std::min<size_t>(row.size(), first + 64)));
            while (part.size() > 1) {
                std::vector<F> pairs;
                for (size_t i = 0; i < part.size(); i += 2)
                    pairs.push_back(i + 1 == part.size() ? part[i] : part[i] + part[i + 1]);
                part = pairs;
            }
            sums.push_back(part[0]);
        }
        row = sums;
    }
    return row[0];
}

template <class T, class F1>
auto Made(size_t n, const F1& f) {
    std::vector<T> out(n);
    for (size_t i = 0; i < n; ++i) out[i] = static_cast<T>(f(i));
    return out;
}

// What no one compares.
inline Argument Workspace(size_t bytes) { return {Bytes(bytes, kFill), {}}; }

inline Program Made(const char* name, const Board& board, std::vector<Argument> arguments,
                    std::function<void(uint8_t* const*)> kernel) {
    return {name, {board.chip}, std::move(arguments), std::move(kernel)};
}

}  // namespace sfumato::boards
