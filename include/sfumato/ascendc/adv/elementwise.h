// SPDX-License-Identifier: Apache-2.0
// Elementwise high-level calls: here a macro is a set of overloads; elementwise.inc calls it for each call.
#pragma once

#include <type_traits>

#include "sfumato/ascendc/adv/call.h"

namespace sfumato::ascendc {

enum class AdvFunction : uint8_t {
#define SFUMATO_ADV(Name, ...) k##Name,
#include "sfumato/ascendc/adv/elementwise.inc"
#undef SFUMATO_ADV
};
SFUMATO_API void AdvElementwise(AdvFunction function, const AdvCall& call);

template <class T>
inline constexpr bool kAdvHalfFloat = std::is_same_v<T, half> || std::is_same_v<T, float>;
template <class T>
inline constexpr bool kAdvPower = kAdvHalfFloat<T> || std::is_same_v<T, int32_t>;
template <class T>
inline constexpr bool kAdvWord = std::is_same_v<T, int16_t> || std::is_same_v<T, uint16_t>;

}  // namespace sfumato::ascendc

namespace AscendC {

struct SinCosConfig {
    bool isReuseSource;
};
inline constexpr SinCosConfig DEFAULT_SINCOS_CONFIG = {false};

// The lists of types in words.
#define SFUMATO_ADV_TYPES_HalfFloat "half, float"
#define SFUMATO_ADV_TYPES_Power "half, float, int32_t"
#define SFUMATO_ADV_TYPES_Word "int16_t, uint16_t"
#define SFUMATO_ADV_OF(Name, types) \
    SFUMATO_TYPES(T, #Name ": the element types are " SFUMATO_ADV_TYPES_##types, sfumato_::kAdv##types<T>)
// One overload. Lists stand in parentheses: parameters of the template, its own, what Set says of the call besides.
#define SFUMATO_ADV_FORM(Head, Name, types, Parameters, Make, Set)      \
    template <SFUMATO_ONLY Head>                                        \
    void Name(SFUMATO_ONLY Parameters, SFUMATO_AT) {                    \
        SFUMATO_ADV_OF(Name, types);                                    \
        auto call = sfumato_::Make;                                     \
        SFUMATO_ONLY Set;                                               \
        sfumato_::AdvElementwise(sfumato_::AdvFunction::k##Name, call); \
    }
// Two overloads, the first lent a buffer between Before and Behind. Make takes the operands, the buffer and the count.
#define SFUMATO_ADV_BOTH(Head, Name, types, Before, Behind, Make, operands, count, Set)                 \
    SFUMATO_ADV_FORM(Head, Name, types,                                                                 \
                     (SFUMATO_ONLY Before, const sfumato_::Lent& sharedTmpBuffer, SFUMATO_ONLY Behind), \
                     Make(SFUMATO_ONLY operands, sharedTmpBuffer, count, where), Set)                   \
    SFUMATO_ADV_FORM(Head, Name, types, (SFUMATO_ONLY Before, SFUMATO_ONLY Behind),                     \
                     Make(SFUMATO_ONLY operands, {}, count, where), Set)
#define SFUMATO_ADV_HEAD (class T, bool isReuseSource = false)
#define SFUMATO_ADV_REUSE (call.reuses = isReuseSource)
#define SFUMATO_ADV_TENSOR const LocalTensor<T>&
#define SFUMATO_ADV_SCALAR const std::type_identity_t<T>&
#define SFUMATO_ADV_ONE (SFUMATO_ADV_TENSOR dst, SFUMATO_ADV_TENSOR src)
#define SFUMATO_ADV_WHOLE (int64_t calCount = sfumato_::AdvCall::kWholeSource)

// (dst, src, [sharedTmpBuffer], [calCount]).
#define SFUMATO_ADV_Usual(Name, types)                                                                        \
    SFUMATO_ADV_BOTH(SFUMATO_ADV_HEAD, Name, types, SFUMATO_ADV_ONE, SFUMATO_ADV_WHOLE, AdvUnary, (dst, src), \
                     calCount, SFUMATO_ADV_REUSE)
// (dst, src, [sharedTmpBuffer], dataSize); half data in float with highPrecision.
#define SFUMATO_ADV_Size(Name, types)                                                                  \
    SFUMATO_ADV_BOTH((class T, bool highPrecision = false, bool highPerformance = false), Name, types, \
                     SFUMATO_ADV_ONE, (int64_t calCount), AdvUnary, (dst, src), calCount,              \
                     (call.in_float = highPrecision))
// (dst, src, [calCount]).
#define SFUMATO_ADV_NoTmp(Name, types)                                                                              \
    SFUMATO_ADV_FORM(SFUMATO_ADV_HEAD, Name, types, (SFUMATO_ONLY SFUMATO_ADV_ONE, SFUMATO_ONLY SFUMATO_ADV_WHOLE), \
                     AdvUnary(dst, src, {}, calCount, where), SFUMATO_ADV_REUSE)
// A call of three operands, [sharedTmpBuffer], [calCount].
#define SFUMATO_ADV_THREE(Name, types, A, a, B, b, C, c, Make)                                                     \
    SFUMATO_ADV_BOTH(SFUMATO_ADV_HEAD, Name, types, (A a, B b, C c), SFUMATO_ADV_WHOLE, Make, (a, b, c), calCount, \
                     SFUMATO_ADV_REUSE)
// (dst, src0, src1, [sharedTmpBuffer], [calCount]).
#define SFUMATO_ADV_Two(Name, types)                                                                            \
    SFUMATO_ADV_THREE(Name, types, SFUMATO_ADV_TENSOR, dst, SFUMATO_ADV_TENSOR, src0, SFUMATO_ADV_TENSOR, src1, \
                      AdvBinary)
// (dst0, dst1, src, [sharedTmpBuffer], count): SinCos alone.
#define SFUMATO_ADV_TwoResults(Name, types)                                                                       \
    SFUMATO_ADV_BOTH((SinCosConfig config = DEFAULT_SINCOS_CONFIG, class T), Name, types,                         \
                     (SFUMATO_ADV_TENSOR dst0, SFUMATO_ADV_TENSOR dst1, SFUMATO_ADV_TENSOR src), (int64_t count), \
                     AdvTwoResults, (dst0, dst1, src), count, (call.reuses = config.isReuseSource))
// The same as Two, where one source may be a scalar.
#define SFUMATO_ADV_Power(Name, types)                                                                                \
    SFUMATO_ADV_Two(Name, types) SFUMATO_ADV_THREE(Name, types, SFUMATO_ADV_TENSOR, dst, SFUMATO_ADV_TENSOR, src0,    \
                                                   SFUMATO_ADV_SCALAR, scalar, AdvWithScalar)                         \
        SFUMATO_ADV_THREE(Name, types, SFUMATO_ADV_TENSOR, dst, SFUMATO_ADV_SCALAR, scalar, SFUMATO_ADV_TENSOR, src1, \
                          AdvOfScalar)
// (dst, src, [sharedTmpBuffer], calCount).
#define SFUMATO_ADV_Counted(Name, types)                                                                       \
    SFUMATO_ADV_BOTH(SFUMATO_ADV_HEAD, Name, types, SFUMATO_ADV_ONE, (int64_t calCount), AdvUnary, (dst, src), \
                     calCount, SFUMATO_ADV_REUSE)
// (dst, src, dataSize), and the same with the scalar of the formula.
#define SFUMATO_ADV_DataSize(Name, types)                                                              \
    SFUMATO_ADV_FORM(SFUMATO_ADV_HEAD, Name, types, (SFUMATO_ONLY SFUMATO_ADV_ONE, uint32_t dataSize), \
                     AdvUnary(dst, src, {}, dataSize, where), SFUMATO_ADV_REUSE)
#define SFUMATO_ADV_DataSizeScalar(Name, types)                                                         \
    SFUMATO_ADV_FORM(SFUMATO_ADV_HEAD, Name, types,                                                     \
                     (SFUMATO_ONLY SFUMATO_ADV_ONE, uint32_t dataSize, SFUMATO_ADV_SCALAR scalarValue), \
                     AdvWithScalar(dst, src, scalarValue, {}, dataSize, where), SFUMATO_ADV_REUSE)
// (dst, src, [sharedTmpBuffer], scalar, calCount).
#define SFUMATO_ADV_ScalarCounted(Name, types)                                                                       \
    SFUMATO_ADV_BOTH(SFUMATO_ADV_HEAD, Name, types, SFUMATO_ADV_ONE, (SFUMATO_ADV_SCALAR scalar, uint32_t calCount), \
                     AdvWithScalar, (dst, src, scalar), calCount, SFUMATO_ADV_REUSE)
// (dst, src0, src1, scalar, [sharedTmpBuffer], [calCount]).
#define SFUMATO_ADV_TwoScalar(Name, types)                                                                          \
    SFUMATO_ADV_BOTH(SFUMATO_ADV_HEAD, Name, types,                                                                 \
                     (SFUMATO_ADV_TENSOR dst, SFUMATO_ADV_TENSOR src0, SFUMATO_ADV_TENSOR src1, const float& beta), \
                     SFUMATO_ADV_WHOLE, AdvBinary, (dst, src0, src1), calCount,                                     \
                     (call.scalar = beta, call.reuses = isReuseSource))
// (dst, src, [sharedTmpBuffer], calCount) with the level as a number: a bool there is isSetMask of the instruction.
#define SFUMATO_ADV_Taylor(Name, types)                                                                              \
    template <class T, auto taylorExpandLevel, bool isReuseSource = false>                                           \
    requires(!std::is_same_v<decltype(taylorExpandLevel), bool>) void Name(                                          \
        const LocalTensor<T>& dst, const LocalTensor<T>& src, const sfumato_::Lent& sharedTmpBuffer,                 \
        uint32_t calCount, SFUMATO_AT) {                                                                             \
        SFUMATO_ADV_OF(Name, types);                                                                                 \
        static_assert(taylorExpandLevel >= 0 && taylorExpandLevel <= 255, #Name ": taylorExpandLevel is a uint8_t"); \
        auto call = sfumato_::AdvUnary(dst, src, sharedTmpBuffer, calCount, where);                                  \
        call.scalar = taylorExpandLevel, call.reuses = isReuseSource;                                                \
        sfumato_::AdvElementwise(sfumato_::AdvFunction::k##Name, call);                                              \
    }                                                                                                                \
    template <class T, auto taylorExpandLevel, bool isReuseSource = false>                                           \
    requires(!std::is_same_v<decltype(taylorExpandLevel), bool>) void Name(                                          \
        const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t calCount, SFUMATO_AT) {                       \
        Name<T, taylorExpandLevel, isReuseSource>(dst, src, sfumato_::Lent(), calCount, where);                      \
    }

#define SFUMATO_ADV(Name, form, temporaries, sizes, policy, overlap, types, source) SFUMATO_ADV_##form(Name, types)
#include "sfumato/ascendc/adv/elementwise.inc"
#undef SFUMATO_ADV
#undef SFUMATO_ADV_Usual
#undef SFUMATO_ADV_Size
#undef SFUMATO_ADV_NoTmp
#undef SFUMATO_ADV_Two
#undef SFUMATO_ADV_TwoResults
#undef SFUMATO_ADV_Power
#undef SFUMATO_ADV_Counted
#undef SFUMATO_ADV_DataSize
#undef SFUMATO_ADV_DataSizeScalar
#undef SFUMATO_ADV_ScalarCounted
#undef SFUMATO_ADV_TwoScalar
#undef SFUMATO_ADV_Taylor
#undef SFUMATO_ADV_THREE
#undef SFUMATO_ADV_WHOLE
#undef SFUMATO_ADV_ONE
#undef SFUMATO_ADV_SCALAR
#undef SFUMATO_ADV_TENSOR
#undef SFUMATO_ADV_REUSE
#undef SFUMATO_ADV_HEAD
#undef SFUMATO_ADV_BOTH
#undef SFUMATO_ADV_FORM
#undef SFUMATO_ADV_OF
#undef SFUMATO_ADV_TYPES_HalfFloat
#undef SFUMATO_ADV_TYPES_Power

// The basic instruction, with a buffer that it does not need.
template <class T, class U, bool isReuseSource = false>
void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const std::type_identity_t<U>& scalarValue,
          const LocalTensor<uint8_t>&, uint32_t calCount, SFUMATO_AT) {
    Axpy(dst, src, scalarValue, static_cast<int32_t>(calCount), where);
}

}  // namespace AscendC
