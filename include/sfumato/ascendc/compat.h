// SPDX-License-Identifier: Apache-2.0
// Helpers of the language that programs take for granted (language.md 3 and 6). Templates end in a pack that stays
// empty: a function of the same name that the program has itself is the better match.
#pragma once

#include "sfumato/ascendc/constants.h"
#include "sfumato/ascendc/macros.h"
#include "sfumato/ascendc/print.h"
#include "sfumato/ascendc/queue.h"
#include "sfumato/ascendc/services.h"
#include "sfumato/ascendc/std.h"
#include "sfumato/ascendc/system.h"
#include "sfumato/ascendc/vector.h"
#include "sfumato/small_float_types.h"
#include "sfumato/tiling/mc2_tiling.h"

// A global name, too: programs that declare it themselves mean float as well.
using float32_t = float;

// Types of later chips: for comparing types, no tensor holds them.
#define SFUMATO_LATER_TYPE(Name) \
    struct Name {                \
        uint8_t storage;         \
    };
SFUMATO_LATER_TYPE(int2b_t)
SFUMATO_LATER_TYPE(uint1b_t)
SFUMATO_LATER_TYPE(uint2b_t)
SFUMATO_LATER_TYPE(uint4b_t)
#undef SFUMATO_LATER_TYPE

namespace sfumato::ascendc {

template <class T>
concept Number = std::is_arithmetic_v<T> || sfumato::detail::kIsSmallFloat<T>;
template <class T>
concept Integer = std::is_integral_v<T>;

// The address that stands for the context of a communication domain of one rank.
SFUMATO_API uint8_t* HcclContext(uint32_t index, Where where);

}  // namespace sfumato::ascendc

namespace AscendC {

using TEventID = ::TEventID;
using ::fp4x2_e1m2_t;
using ::fp4x2_e2m1_t;
using ::fp8_e4m3fn_t;
using ::fp8_e5m2_t;
using ::fp8_e8m0_t;
using ::hifloat8_t;
using ::int2b_t;
using ::uint1b_t;

// Of float16_t programs have other types of their own, in no namespace: there it is lent, as constants are
// (constants.h).
using float16_t = half;
using ::float32_t;

// Of the communication libraries of programs, which look into them by their own structs: names alone.
struct IbVerbsData;
struct MemDetails;

using TrueType = std::true_type;
using FalseType = std::false_type;
template <class A, class B>
using IsSameType = std::is_same<A, B>;
template <bool condition, class A, class B>
using Conditional = std::conditional<condition, A, B>;

// The quotient, rounded up. Dividing by zero is the fault of any integer division.
#define SFUMATO_ROUND_UP(Name, value)                                                           \
    template <sfumato_::Integer A, sfumato_::Integer B, class... None>                          \
    requires(sizeof...(None) == 0) constexpr std::common_type_t<A, B> Name(A a, B b, None...) { \
        using T = std::common_type_t<A, B>;                                                     \
        const T n = static_cast<T>(a), d = static_cast<T>(b);                                   \
        return static_cast<T>(value);                                                           \
    }
SFUMATO_ROUND_UP(Ceil, (n + d - 1) / d)
SFUMATO_ROUND_UP(CeilDiv, (n + d - 1) / d)
SFUMATO_ROUND_UP(DivCeil, (n + d - 1) / d)
SFUMATO_ROUND_UP(CeilDivision, (n + d - 1) / d)
SFUMATO_ROUND_UP(AlignUp, (n + d - 1) / d * d)
#undef SFUMATO_ROUND_UP

// Where the core's part begins in a buffer of `count` elements for each core (language.md 3).
template <class T, class... None>
requires(sizeof...(None) == 0) GM_ADDR ParamOffset(GM_ADDR buffer, uint64_t count, None...) {
    return buffer + static_cast<uint64_t>(GetBlockIdx()) * count * sizeof(T);
}

// Context of the communication domain index, of one rank: what Hccl takes; nothing can be read there.
template <uint32_t index>
GM_ADDR GetHcclContext(SFUMATO_AT) {
    static_assert(index < 2, "GetHcclContext: the communication domain is 0 or 1");
    return sfumato_::HcclContext(index, where);
}

// fn(args...) on the cores of one kind.
template <EngineType engine, auto funPtr, class... Args>
void Async(Args&&... args) {
    sfumato_::RequireService(sfumato_::Service::kServices, "Async", sfumato::Where::Here());
    if constexpr (engine == EngineType::AIC) {
        if (ASCEND_IS_AIC) funPtr(static_cast<Args&&>(args)...);
    } else {
        if (ASCEND_IS_AIV) funPtr(static_cast<Args&&>(args)...);
    }
}

// Loads instructions ahead: speed only.
inline void ICachePreLoad(int64_t) {}

class AscendCUtils {
public:
    // No page has it: whether results that overflow stay inf and NaN, as SetCtrlSpr<48, 48> (assumed).
    static void SetOverflow(uint64_t ctrlValue, SFUMATO_AT) { sfumato_::SetCtrl(48, 48, ctrlValue != 0, where); }
    template <class T, bool isSetMask = true>
    static void SetMask(uint64_t maskHigh, uint64_t maskLow, SFUMATO_AT) {
        if (isSetMask) SetVectorMask<T>(maskHigh, maskLow, where);
    }
    template <class T, bool isSetMask = true>
    static void SetMask(int32_t len, SFUMATO_AT) {
        if (isSetMask) SetVectorMask<T>(len, where);
    }
    static void ResetMask() { AscendC::ResetMask(); }
    static constexpr int32_t GetC0Size() { return DEFAULT_C0_SIZE; }
    // Elements of dtypeSize bytes in C0.
    static constexpr int32_t GetC0Count(int32_t dtypeSize) { return DEFAULT_C0_SIZE / dtypeSize; }
};

}  // namespace AscendC

#ifdef SFUMATO_DECLARES_float16_t
using AscendC::float16_t;
#endif

using AscendC::GetBlockIdx;
using AscendC::GetBlockNum;
using AscendC::GetSubBlockIdx;
using AscendC::GetTPipePtr;

// Compared in the type C++ computes a and b in.
template <sfumato::ascendc::Number A, sfumato::ascendc::Number B, class... None>
requires(sizeof...(None) == 0) constexpr std::common_type_t<A, B> min(A a, B b, None...) {
    using T = std::common_type_t<A, B>;
    return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a);
}
template <sfumato::ascendc::Number A, sfumato::ascendc::Number B, class... None>
requires(sizeof...(None) == 0) constexpr std::common_type_t<A, B> max(A a, B b, None...) {
    using T = std::common_type_t<A, B>;
    return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a);
}

// Of C's library, without its header: where a program includes it, its functions are the better match.
#define SFUMATO_MATH(name, builtin)                               \
    template <sfumato::ascendc::Number T, class... None>          \
    requires(sizeof...(None) == 0) auto name(T x, None...) {      \
        if constexpr (sizeof(T) <= 4 && !std::is_integral_v<T>) { \
            return __builtin_##builtin##f(static_cast<float>(x)); \
        } else {                                                  \
            return __builtin_##builtin(static_cast<double>(x));   \
        }                                                         \
    }                                                             \
    template <sfumato::ascendc::Number T, class... None>          \
    requires(sizeof...(None) == 0) float name##f(T x, None...) { return __builtin_##builtin##f(static_cast<float>(x)); }
SFUMATO_MATH(sqrt, sqrt)
SFUMATO_MATH(exp, exp)
SFUMATO_MATH(log, log)
SFUMATO_MATH(log2, log2)
SFUMATO_MATH(sin, sin)
SFUMATO_MATH(cos, cos)
SFUMATO_MATH(tanh, tanh)
SFUMATO_MATH(fabs, fabs)
SFUMATO_MATH(floor, floor)
SFUMATO_MATH(ceil, ceil)
SFUMATO_MATH(round, round)
SFUMATO_MATH(trunc, trunc)
#undef SFUMATO_MATH
template <sfumato::ascendc::Number T, class... None>
requires(sizeof...(None) == 0) constexpr T abs(T x, None...) {
    if constexpr (std::is_integral_v<T>) {
        return x < 0 ? static_cast<T>(-x) : x;
    } else {
        return static_cast<T>(__builtin_fabs(static_cast<double>(x)));
    }
}
template <sfumato::ascendc::Number A, sfumato::ascendc::Number B, class... None>
requires(sizeof...(None) == 0) double pow(A a, B b, None...) {
    return __builtin_pow(static_cast<double>(a), static_cast<double>(b));
}

#ifndef likely
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#endif
#define PRELOAD(...) static_cast<void>(0)
#define KERNEL_LOG(level, format, ...) ::AscendC::printf("[" #level "] " format "\n" __VA_OPT__(, ) __VA_ARGS__)
// Of CPU debug builds: a program for the chip never sees the condition, and may have one that does not compile.
#ifdef ASCENDC_CPU_DEBUG
#define ASCENDC_ASSERT(condition, ...)             \
    do {                                           \
        if (!(condition)) {                        \
            __VA_ARGS__;                           \
            SFUMATO_ASSERT(false && (#condition)); \
        }                                          \
    } while (0)
#else
#define ASCENDC_ASSERT(condition, ...) static_cast<void>(0)
#endif
