// SPDX-License-Identifier: Apache-2.0
// Reductions over ranks: blocks of elements of one rank after the other.
#include "numeric/collective.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include "sfumato/half.h"

namespace sfumato::numeric {
namespace {

constexpr size_t kBlock = 512;  // elements at a time: they stay in the cache

template <class T>
constexpr bool kIsFloat = std::is_floating_point_v<T> || detail::kIsSmallFloat<T>;

template <class T>
struct WiderOf {
    using Type = T;
};
template <>
struct WiderOf<half> {
    using Type = float;
};
template <>
struct WiderOf<bfloat16_t> {
    using Type = float;
};
template <>
struct WiderOf<float> {
    using Type = double;
};

// What has no payload: a processor's NaN depends on the order of its operands, and inf - inf is a negative one.
template <class T>
T Clean(T value) {
    if constexpr (std::is_floating_point_v<T>) {
        return value == value ? value : std::numeric_limits<T>::quiet_NaN();
    } else {
        return value;  // integers; the 16-bit floats are rounded so
    }
}

template <class T>
bool IsNegative(T value) {
    if constexpr (std::is_floating_point_v<T>) {
        return __builtin_signbit(value);
    } else {
        return value.bits() >> 15;
    }
}

template <class T>
T Extreme(bool max, T a, T b) {
    if constexpr (kIsFloat<T>) {
        using Compute = detail::ComputeType<T>;
        const Compute x = a, y = b;
        if (x != x || y != y) return std::numeric_limits<T>::quiet_NaN();
        if (x == y) return IsNegative(a) == max ? b : a;
        return (x < y) == max ? b : a;
    } else {
        return (a < b) == max ? b : a;
    }
}

template <CollectiveOp kOp, class T>
T Step(T a, T b) {
    if constexpr (kOp == CollectiveOp::kMax || kOp == CollectiveOp::kMin) {
        return Extreme(kOp == CollectiveOp::kMax, a, b);
    } else if constexpr (kIsFloat<T>) {
        return Clean(static_cast<T>(kOp == CollectiveOp::kSum ? a + b : a * b));
    } else {
        const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
        return static_cast<T>(kOp == CollectiveOp::kSum ? x + y : x * y);
    }
}

// T: of the elements in memory; Acc: what the steps compute in.
template <CollectiveOp kOp, class T, class Acc>
class Reduction {
public:
    Reduction(std::span<const uint8_t* const> of_ranks, bool tree) : of_ranks_(of_ranks), tree_(tree) {}

    // Elements first .. first + count, in the order of `ranks`.
    void Run(std::span<const uint32_t> ranks, uint64_t first, uint64_t count, uint8_t* out) const {
        for (const uint64_t end = first + count; first < end; first += kBlock) {
            const size_t n = std::min<uint64_t>(kBlock, end - first);
            std::array<Acc, kBlock> sum;
            Fold(ranks, first, n, sum.data());
            std::array<T, kBlock> rounded;
            for (size_t i = 0; i < n; ++i) rounded[i] = Clean(static_cast<T>(sum[i]));
            std::memcpy(out + first * sizeof(T), rounded.data(), n * sizeof(T));
        }
    }

private:
    void Load(uint32_t rank, uint64_t first, size_t n, Acc* to) const {
        std::array<T, kBlock> read;
        std::memcpy(read.data(), of_ranks_[rank] + first * sizeof(T), n * sizeof(T));
        for (size_t i = 0; i < n; ++i) to[i] = static_cast<Acc>(read[i]);
    }

    void Fold(std::span<const uint32_t> ranks, uint64_t first, size_t n, Acc* sum) const {
        std::array<Acc, kBlock> next;
        const size_t half = tree_ ? (ranks.size() + 1) / 2 : 1;
        if (tree_ && ranks.size() > 1) {
            Fold(ranks.subspan(0, half), first, n, sum);
            Fold(ranks.subspan(half), first, n, next.data());
            for (size_t i = 0; i < n; ++i) sum[i] = Step<kOp>(sum[i], next[i]);
            return;
        }
        Load(ranks[0], first, n, sum);
        for (const uint32_t rank : ranks.subspan(1)) {
            Load(rank, first, n, next.data());
            for (size_t i = 0; i < n; ++i) sum[i] = Step<kOp>(sum[i], next[i]);
        }
    }

    const std::span<const uint8_t* const> of_ranks_;
    const bool tree_;
};

struct Call {
    std::span<const uint8_t* const> of_ranks;
    uint8_t* out;
    uint64_t count;
    CollectiveOrder order;
    std::optional<uint32_t> chunk;
};

template <CollectiveOp kOp, class T, class Acc>
void RunAll(const Call& call) {
    const Reduction<kOp, T, Acc> reduction(call.of_ranks, call.order == CollectiveOrder::kTree);
    const size_t n = call.of_ranks.size();
    std::vector<uint32_t> ranks(n);
    std::iota(ranks.begin(), ranks.end(), 0);
    if (call.order == CollectiveOrder::kReverse) std::ranges::reverse(ranks);
    if (call.order != CollectiveOrder::kRing) return reduction.Run(ranks, 0, call.count, call.out);
    for (size_t chunk = 0; chunk < n; ++chunk) {
        std::ranges::rotate(ranks, ranks.begin() + 1);  // from chunk + 1 on
        if (call.chunk && *call.chunk != chunk) continue;
        const uint64_t begin = call.chunk ? 0 : call.count * chunk / n;
        const uint64_t end = call.chunk ? call.count : call.count * (chunk + 1) / n;
        reduction.Run(ranks, begin, end - begin, call.out);
    }
}

template <class T>
void RunType(CollectiveOp op, const Call& call) {
    using Wide = typename WiderOf<T>::Type;
    const bool wide = call.order == CollectiveOrder::kWide;
    switch (op) {
        case CollectiveOp::kSum:
            return wide ? RunAll<CollectiveOp::kSum, T, Wide>(call) : RunAll<CollectiveOp::kSum, T, T>(call);
        case CollectiveOp::kProd:
            return wide ? RunAll<CollectiveOp::kProd, T, Wide>(call) : RunAll<CollectiveOp::kProd, T, T>(call);
        case CollectiveOp::kMax: return RunAll<CollectiveOp::kMax, T, T>(call);
        case CollectiveOp::kMin: return RunAll<CollectiveOp::kMin, T, T>(call);
    }
}

}  // namespace

std::optional<CollectiveOrder> CollectiveOrderNamed(const char* name) {
    constexpr const char* kNames[] = {"rank", "reverse", "ring", "tree", "wide"};
    for (size_t i = 0; i < std::size(kNames); ++i) {
        if (std::strcmp(name, kNames[i]) == 0) return static_cast<CollectiveOrder>(i);
    }
    return std::nullopt;
}

bool HasType(CollectiveOp op, CollectiveType type) {
    switch (type) {
        case DataType::kInt8:
        case DataType::kInt32:
        case DataType::kInt64:
        case DataType::kHalf:
        case DataType::kFloat: return true;
        case DataType::kInt16:
        case DataType::kBfloat16: return op != CollectiveOp::kProd;
        default: return false;
    }
}

void Collect(CollectiveOp op, CollectiveType type, std::span<const uint8_t* const> of_ranks, uint8_t* out,
             uint64_t count, CollectiveOrder order, std::optional<uint32_t> chunk) {
    if (of_ranks.size() == 1) {
        std::memmove(out, of_ranks[0], BytesOf(type, count));
        return;
    }
    const Call call{of_ranks, out, count, order, chunk};
    switch (type) {
        case DataType::kInt8: return RunType<int8_t>(op, call);
        case DataType::kInt16: return RunType<int16_t>(op, call);
        case DataType::kInt32: return RunType<int32_t>(op, call);
        case DataType::kInt64: return RunType<int64_t>(op, call);
        case DataType::kHalf: return RunType<half>(op, call);
        case DataType::kBfloat16: return RunType<bfloat16_t>(op, call);
        case DataType::kFloat: return RunType<float>(op, call);
        default: return;
    }
}

}  // namespace sfumato::numeric
