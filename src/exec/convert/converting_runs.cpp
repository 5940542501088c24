// SPDX-License-Identifier: Apache-2.0
// Instructions that convert and are not Cast: vcbd, and sums and products with a conversion behind them
// (vector_instructions.md 9.2, 9.3), which are the runs of their steps over a small buffer.
#include <algorithm>
#include <cstring>
#include <limits>

#include "exec/runs.h"

namespace sfumato::exec {
namespace {

// Integers to integers of another width, saturated (tik.md 1.7). Plain loops, which compilers turn into vectors.
template <typename To, typename From>
bool ChangeDepth(const RunArgs& args) {
    const auto* src = static_cast<const uint8_t*>(args.src0);
    auto* dst = static_cast<uint8_t*>(args.dst);
    for (size_t i = 0; i < args.n; ++i) {
        From value;
        std::memcpy(&value, src + i * sizeof(From), sizeof(From));
        const To kept =
            static_cast<To>(std::clamp<int64_t>(value, std::numeric_limits<To>::min(), std::numeric_limits<To>::max()));
        std::memcpy(dst + i * sizeof(To), &kept, sizeof(To));
    }
    return false;
}

template <typename From>
RunFn DepthRunFrom(DataType dst) {
    switch (dst) {
        case DataType::kInt8: return ChangeDepth<int8_t, From>;
        case DataType::kUint8: return ChangeDepth<uint8_t, From>;
        case DataType::kInt16: return ChangeDepth<int16_t, From>;
        case DataType::kUint16: return ChangeDepth<uint16_t, From>;
        case DataType::kInt32: return ChangeDepth<int32_t, From>;
        case DataType::kUint32: return ChangeDepth<uint32_t, From>;
        default: return nullptr;
    }
}

RunFn DepthRun(DataType dst, DataType src) {
    switch (src) {
        case DataType::kInt8: return DepthRunFrom<int8_t>(dst);
        case DataType::kUint8: return DepthRunFrom<uint8_t>(dst);
        case DataType::kInt16: return DepthRunFrom<int16_t>(dst);
        case DataType::kUint16: return DepthRunFrom<uint16_t>(dst);
        case DataType::kInt32: return DepthRunFrom<int32_t>(dst);
        case DataType::kUint32: return DepthRunFrom<uint32_t>(dst);
        default: return nullptr;
    }
}

// kFirst of two sources of type kFrom into a buffer, its conversion to dst, and kLast on that.
template <isa::Opcode kFirst, DataType kFrom, DataType kTo, isa::DeqScale kDeq, isa::Opcode kLast = isa::Opcode::kCount>
bool Chain(const RunArgs& args) {
    constexpr size_t kChunk = 512, kFromBytes = BitsOf(kFrom) / 8, kToBytes = BitsOf(kTo) / 8;
    alignas(64) uint8_t between[kChunk * kFromBytes];
    const RunFn first = FindRun(kFirst, kFrom);
    const RunFn convert =
        IsFloating(kFrom) || kDeq != isa::DeqScale::kNone
            ? ConvertRun(
                  {.src = kFrom, .dst = kTo, .rounding = Rounding::kRint, .overflow = args.overflow, .deq = kDeq})
            : DepthRun(kTo, kFrom);
    bool changed = false;
    RunArgs part = args;
    for (size_t done = 0; done < args.n; done += part.n) {
        part.n = std::min(kChunk, args.n - done);
        part.dst = between;
        part.src0 = static_cast<const uint8_t*>(args.src0) + done * kFromBytes;
        if (!args.same_block) part.src1 = static_cast<const uint8_t*>(args.src1) + done * kFromBytes;
        changed |= first(part);
        part.src0 = between;
        part.dst = static_cast<uint8_t*>(args.dst) + done * kToBytes;
        changed |= convert(part);
        part.src0 = part.dst;
        if constexpr (kLast != isa::Opcode::kCount) changed |= FindRun(kLast, kTo)(part);
    }
    return changed;
}

// kFirst and a plain conversion.
template <isa::Opcode kFirst>
RunFn ChainRun(DataType dst, DataType src) {
    using enum DataType;
    constexpr auto kNoScale = isa::DeqScale::kNone;
    if (src == kHalf && dst == kInt8) return Chain<kFirst, kHalf, kInt8, kNoScale>;
    if (src == kHalf && dst == kUint8) return Chain<kFirst, kHalf, kUint8, kNoScale>;
    if (src == kFloat && dst == kHalf) return Chain<kFirst, kFloat, kHalf, kNoScale>;
    if (src == kInt16 && dst == kInt8) return Chain<kFirst, kInt16, kInt8, kNoScale>;
    return nullptr;
}

}  // namespace

RunFn FindConvertingRun(isa::Opcode op, DataType dst, DataType src) {
    using enum isa::Opcode;
    if (op == vcbd) return DepthRun(dst, src);
    if (op == vmulconv) return ChainRun<vmul>(dst, src);
    if (op == vaddreluconv) return ChainRun<vaddrelu>(dst, src);
    if (op == vsubreluconv) return ChainRun<vsubrelu>(dst, src);
    if (op == vadddeqrelu && src == DataType::kInt32 && dst == DataType::kHalf) {
        return Chain<vadd, DataType::kInt32, DataType::kHalf, isa::DeqScale::kHalf, vrelu>;
    }
    return nullptr;
}

}  // namespace sfumato::exec
