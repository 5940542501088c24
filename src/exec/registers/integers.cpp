// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic on registers (arch950.md 2.7). Results wrap; where CTRL[53] is set, those of up to 32 bits are
// limited to their type. The operations on 64 bits are made of others that wrap.
#include "exec/registers/table.h"
#include "exec/targets.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/registers/integers.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "exec/half-inl.h"

#include "exec/format-inl.h"
#include "exec/registers/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {
namespace {

__extension__ using ExactInteger = __int128;

struct IntegerSum {
    static constexpr Takes kTakes = Takes::kTwo;
    template <class W>
    static W Of(W a, W b) {
        return a + b;
    }
};
struct IntegerDifference {
    static constexpr Takes kTakes = Takes::kTwo;
    template <class W>
    static W Of(W a, W b) {
        return a - b;
    }
};
struct IntegerProduct {
    static constexpr Takes kTakes = Takes::kTwo;
    template <class W>
    static W Of(W a, W b) {
        return a * b;
    }
};
struct IntegerMulAdd {
    static constexpr Takes kTakes = Takes::kThree;
    template <class W>
    static W Of(W a, W b, W c) {
        return a * b + c;
    }
};

// Of the type's width or more, where wrapping is defined.
template <class T>
using Wrapping = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

template <class T, class Op>
uint32_t RunIntegers(const RegisterCall& call, const RegisterControl& control) {
    if (sizeof(T) < 8 && control.clamps) {
        EachElement<T, Op::kTakes>(call, [](auto... v) {
            constexpr ExactInteger kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max();
            const ExactInteger exact = Op::Of(static_cast<ExactInteger>(v)...);
            return static_cast<T>(exact < kLow ? kLow : exact > kHigh ? kHigh : exact);
        });
    } else {
        EachElement<T, Op::kTakes>(call,
                                   [](auto... v) { return static_cast<T>(Op::Of(static_cast<Wrapping<T>>(v)...)); });
    }
    return 0;
}

// What cannot leave the type, or wraps whatever CTRL says.
struct LargerInteger {
    static constexpr Takes kTakes = Takes::kTwo;
    template <class T>
    T operator()(T a, T b) const {
        return a < b ? b : a;
    }
};
struct SmallerInteger {
    static constexpr Takes kTakes = Takes::kTwo;
    template <class T>
    T operator()(T a, T b) const {
        return b < a ? b : a;
    }
};
// Toward zero; of a division by zero, 0, which the caller reports.
struct IntegerQuotient {
    static constexpr Takes kTakes = Takes::kTwo;
    template <class T>
    T operator()(T a, T b) const {
        if (b == 0) return 0;
        if (std::is_signed_v<T> && b == static_cast<T>(-1)) return static_cast<T>(-static_cast<Wrapping<T>>(a));
        return static_cast<T>(a / b);
    }
};
struct IntegerNegative {
    static constexpr Takes kTakes = Takes::kOne;
    template <class T>
    T operator()(T a) const {
        return static_cast<T>(-static_cast<Wrapping<T>>(a));
    }
};
struct IntegerMagnitude {
    static constexpr Takes kTakes = Takes::kOne;
    template <class T>
    T operator()(T a) const {
        return a < 0 ? IntegerNegative()(a) : a;
    }
};
struct IntegerDistance {
    static constexpr Takes kTakes = Takes::kTwo;
    template <class T>
    T operator()(T a, T b) const {
        return IntegerMagnitude()(static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b)));
    }
};
struct PositiveInteger {
    static constexpr Takes kTakes = Takes::kOne;
    template <class T>
    T operator()(T a) const {
        return a < 0 ? T{0} : a;
    }
};

template <class T, class Op>
uint32_t RunWithin(const RegisterCall& call, const RegisterControl&) {
    EachElement<T, Op::kTakes>(call, Op());
    return 0;
}
// A quotient that CTRL[53] limits: the one of the lowest number and -1.
template <class T>
uint32_t RunQuotient(const RegisterCall& call, const RegisterControl& control) {
    if (std::is_signed_v<T> && sizeof(T) < 8 && control.clamps) {
        EachElement<T, Takes::kTwo>(call, [](T a, T b) {
            const bool beyond = a == std::numeric_limits<T>::min() && b == static_cast<T>(-1);
            return beyond ? std::numeric_limits<T>::max() : IntegerQuotient()(a, b);
        });
        return 0;
    }
    return RunWithin<T, IntegerQuotient>(call, control);
}

// x + y + carry, or x + ~y + carry, as unsigned numbers. Without a mask of carries it is 0, or 1.
template <bool kSubtract>
uint32_t RunCarry(const RegisterCall& call, const RegisterControl&) {
    constexpr size_t kLanes = kRegisterBytes / 4;
    alignas(64) uint32_t out[kLanes], carries[kLanes] = {};
    alignas(64) static constexpr auto kOnes = [] {
        std::array<uint32_t, kLanes> ones;
        ones.fill(1);
        return ones;
    }();
    if (call.carry || kSubtract) Blend(reinterpret_cast<uint8_t*>(carries), kOnes.data(), OnOf<4>(call.carry));
    const SecondSource<uint32_t> second(call);
    const auto* x = LanesIn<uint32_t>(call.src0);
    for (size_t i = 0; i < kLanes; ++i) {
        const uint32_t y = kSubtract ? ~second.lanes[i] : second.lanes[i];
        const uint32_t sum = x[i] + y, all = sum + carries[i];
        out[i] = all;
        carries[i] = (sum < y) | (all < sum) ? ~uint32_t{0} : 0;
    }
    const OnBytes on = OnOf<4>(call.mask);
    const auto bits = SignsOfBytes(carries);
    WriteLanes(*call.dst, out, WholeElements<4>(KnownOf<Takes::kTwo>(call)), on, false);
    if (!call.result) return 0;
    for (size_t i = 0; i < 4; ++i) call.result->bits[i] = bits[i] & on.words[i] & LowestBits(4);
    call.result->set = true;
    return 0;
}

template <class T, class Wide>
uint32_t RunWideProduct(const RegisterCall& call, const RegisterControl&) {
    constexpr size_t kLanes = kRegisterBytes / 4;
    alignas(64) uint32_t low[kLanes], high[kLanes];
    const SecondSource<T> second(call);
    const auto* x = LanesIn<T>(call.src0);
    for (size_t i = 0; i < kLanes; ++i) {
        const auto product = static_cast<uint64_t>(static_cast<Wide>(x[i]) * static_cast<Wide>(second.lanes[i]));
        low[i] = static_cast<uint32_t>(product);
        high[i] = static_cast<uint32_t>(product >> 32);
    }
    const OnBytes on = OnOf<4>(call.mask);
    const KnownBytes known = WholeElements<4>(KnownOf<Takes::kTwo>(call));
    WriteLanes(*call.dst, low, known, on, false);
    WriteLanes(*call.dst1, high, known, on, false);
    return 0;
}

template <class T>
void AddIntegersOf(RegisterTable& table, DataType type) {
    using enum RegisterOp;
    table.At(kAdd, type) = RunIntegers<T, IntegerSum>;
    table.At(kSub, type) = RunIntegers<T, IntegerDifference>;
    table.At(kMax, type) = RunWithin<T, LargerInteger>;
    table.At(kMin, type) = RunWithin<T, SmallerInteger>;
    if constexpr (sizeof(T) > 1) {
        table.At(kMul, type) = RunIntegers<T, IntegerProduct>;
        table.At(kMulAddDst, type) = RunIntegers<T, IntegerMulAdd>;
        table.At(kDiv, type) = RunQuotient<T>;
    }
    if constexpr (sizeof(T) == 8) table.At(kAxpy, type) = RunIntegers<T, IntegerMulAdd>;
    if constexpr (std::is_signed_v<T>) {
        table.At(kAbs, type) = RunWithin<T, IntegerMagnitude>;
        table.At(kNeg, type) = RunWithin<T, IntegerNegative>;
        if constexpr (sizeof(T) >= 4) table.At(kRelu, type) = RunWithin<T, PositiveInteger>;
        if constexpr (sizeof(T) == 8) table.At(kAbsSub, type) = RunWithin<T, IntegerDistance>;
    }
}

void RegisterIntegers(RegisterTable& table) {
    AddIntegersOf<int8_t>(table, DataType::kInt8);
    AddIntegersOf<uint8_t>(table, DataType::kUint8);
    AddIntegersOf<int16_t>(table, DataType::kInt16);
    AddIntegersOf<uint16_t>(table, DataType::kUint16);
    AddIntegersOf<int32_t>(table, DataType::kInt32);
    AddIntegersOf<uint32_t>(table, DataType::kUint32);
    AddIntegersOf<int64_t>(table, DataType::kInt64);
    AddIntegersOf<uint64_t>(table, DataType::kUint64);
    using enum RegisterOp;
    for (const DataType type : {DataType::kInt32, DataType::kUint32}) {
        table.At(kAddCarry, type) = RunCarry<false>;
        table.At(kSubCarry, type) = RunCarry<true>;
    }
    table.At(kMull, DataType::kInt32) = RunWideProduct<int32_t, int64_t>;
    table.At(kMull, DataType::kUint32) = RunWideProduct<uint32_t, uint64_t>;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {
void AddIntegers(RegisterTable& table) { SFUMATO_FOR_TARGET(RegisterIntegers)(table); }
}  // namespace sfumato::exec
#endif
