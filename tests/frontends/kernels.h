// SPDX-License-Identifier: Apache-2.0
// Ascend C programs as users write them, each with the bytes it must leave in global memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "kernel_operator.h"
#include "sfumato/launch.h"

namespace sfumato::frontends_test {

using Bytes = std::vector<uint8_t>;

constexpr uint8_t kFill = 0xFE;   // what global memory and on-chip memory hold before anything is written
constexpr uint64_t kMargin = 96;  // bytes after every output that no program may touch

struct Argument {
    Bytes before, after;
};

struct Program {
    std::string name;
    std::vector<std::string> chips;
    std::vector<Argument> arguments;
    std::function<void(uint8_t* const* gm)> kernel;
    bool auto_sync = true;  // false: the program synchronises everything itself, and must give the same with it on
    CoreChoice core = CoreChoice::kDefault;
};

// A correct program with one step of synchronisation removed; `schedule` is the one that shows it.
struct BrokenProgram {
    std::string missing;
    const char* schedule;
    Program program;
};

struct Outcome {
    LaunchResult result;
    std::vector<Bytes> memory;
};

Outcome Execute(const Program& program, const std::string& chip, const std::string& schedule, uint32_t blocks,
                bool auto_sync, const char* check = "");
// "" when the memory is what the program must leave; else the first byte that differs.
std::string Difference(const Program& program, const Outcome& outcome);
bool Quiet(const LaunchResult& result);  // notes at most

std::vector<Program> QueuePrograms();
std::vector<Program> FlagPrograms();
std::vector<Program> MovePrograms();
std::vector<Program> MaskPrograms();
std::vector<Program> ConvertPrograms();
std::vector<Program> CubeProductPrograms();
std::vector<Program> CubeChainPrograms();
std::vector<BrokenProgram> BrokenPrograms();
std::vector<BrokenProgram> BrokenCubeProductPrograms();
std::vector<BrokenProgram> BrokenCubeChainPrograms();

inline const std::vector<std::string> kAllChips = {"Ascend910", "Ascend310P", "Ascend910B", "Ascend310B"};
inline const std::vector<std::string> kNot910 = {"Ascend310P", "Ascend910B", "Ascend310B"};
inline const std::vector<std::string> kWithPad = {"Ascend910B", "Ascend310B"};
inline const std::vector<std::string> kWithDeq = {"Ascend310P", "Ascend910B"};

template <class T>
Bytes ToBytes(const std::vector<T>& values, uint64_t margin = 0) {
    const auto* first = reinterpret_cast<const uint8_t*>(values.data());
    Bytes bytes(first, first + values.size() * sizeof(T));
    bytes.insert(bytes.end(), margin, kFill);
    return bytes;
}
template <class T>
Argument In(const std::vector<T>& values) {
    return {ToBytes(values), ToBytes(values)};
}
template <class T>
Argument Out(const std::vector<T>& values) {
    const Bytes after = ToBytes(values, kMargin);
    return {Bytes(after.size(), kFill), after};
}

// The nearest number of a small binary format, ties to even, as its bits; what overflows becomes the largest finite
// number. Plain double arithmetic, so that it shares nothing with what it checks.
inline uint16_t SmallFloatBits(double v, int mantissa_bits, int exponent_bits) {
    const uint16_t sign = std::signbit(v) ? 0x8000 : 0;
    const double magnitude = std::fabs(v);
    if (magnitude == 0) return sign;
    const int bias = (1 << (exponent_bits - 1)) - 1;
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    exponent = std::max(exponent - 1, 1 - bias);
    const double steps = std::nearbyint(std::ldexp(magnitude, mantissa_bits - exponent));
    const auto bits = static_cast<int64_t>(exponent + bias - 1) * (1 << mantissa_bits) + static_cast<int64_t>(steps);
    const int64_t largest = (int64_t{(1 << exponent_bits) - 1} << mantissa_bits) - 1;
    return static_cast<uint16_t>(sign | std::min(bits, largest));
}
inline uint16_t HalfBits(double v) { return SmallFloatBits(v, 10, 5); }
inline double HalfValue(uint16_t bits) {
    const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
    const double magnitude = exponent ? std::ldexp(1024 + mantissa, exponent - 25) : std::ldexp(mantissa, -24);
    return bits & 0x8000 ? -magnitude : magnitude;
}

// Reproducible values in [low, high].
class Values {
public:
    explicit Values(uint64_t seed) : state_(seed * 2654435761u + 1) {}
    int64_t Integer(int64_t low, int64_t high) {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return low + static_cast<int64_t>((state_ >> 33) % static_cast<uint64_t>(high - low + 1));
    }

private:
    uint64_t state_;
};
template <class T>
std::vector<T> Integers(size_t n, int64_t low, int64_t high, uint64_t seed) {
    Values values(seed);
    std::vector<T> result(n);
    for (T& v : result) v = static_cast<T>(values.Integer(low, high));
    return result;
}
// Multiples of `unit` as half bits.
inline std::vector<uint16_t> Halves(size_t n, int64_t low, int64_t high, double unit, uint64_t seed) {
    Values values(seed);
    std::vector<uint16_t> result(n);
    for (uint16_t& v : result) v = HalfBits(static_cast<double>(values.Integer(low, high)) * unit);
    return result;
}
inline std::vector<float> Floats(size_t n, int64_t low, int64_t high, double unit, uint64_t seed) {
    Values values(seed);
    std::vector<float> result(n);
    for (float& v : result) v = static_cast<float>(static_cast<double>(values.Integer(low, high)) * unit);
    return result;
}

// This block's share of `total` elements: a double-buffered copy in, compute, copy out over tiles of `tile` inputs,
// each giving out_tile outputs. compute(out, in) or compute(out, in, a work buffer as large as in).
template <class In, class Out, class Compute>
__aicore__ inline void OverTiles(GM_ADDR x, GM_ADDR y, uint32_t total, uint32_t tile, uint32_t out_tile,
                                 const Compute& compute) {
    using namespace AscendC;
    const uint32_t tiles = total / tile / static_cast<uint32_t>(GetBlockNum());
    const uint64_t first = static_cast<uint64_t>(GetBlockIdx()) * tiles;
    GlobalTensor<In> xg;
    GlobalTensor<Out> yg;
    xg.SetGlobalBuffer((__gm__ In*)x + first * tile, uint64_t{tiles} * tile);
    yg.SetGlobalBuffer((__gm__ Out*)y + first * out_tile, uint64_t{tiles} * out_tile);
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in_queue;
    TQue<TPosition::VECOUT, 2> out_queue;
    pipe.InitBuffer(in_queue, 2, tile * sizeof(In));
    pipe.InitBuffer(out_queue, 2, out_tile * sizeof(Out));
    TBuf<> work_buffer;
    pipe.InitBuffer(work_buffer, tile * sizeof(In));
    for (uint32_t i = 0; i < tiles; ++i) {
        LocalTensor<In> in = in_queue.AllocTensor<In>();
        DataCopy(in, xg[i * tile], tile);
        in_queue.EnQue(in);
        in = in_queue.DeQue<In>();
        LocalTensor<Out> out = out_queue.AllocTensor<Out>();
        if constexpr (std::is_invocable_v<Compute, LocalTensor<Out>&, LocalTensor<In>&, TBuf<>&>) {
            compute(out, in, work_buffer);
        } else {
            compute(out, in);
        }
        out_queue.EnQue(out);
        in_queue.FreeTensor(in);
        out = out_queue.DeQue<Out>();
        DataCopy(yg[i * out_tile], out, out_tile);
        out_queue.FreeTensor(out);
    }
}

}  // namespace sfumato::frontends_test
