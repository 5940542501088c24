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
    static_assert(sfumato::ascendc::kAdv##types<T>, #Name ": the element types are " SFUMATO_ADV_TYPES_##types)
#define SFUMATO_ADV_UNARY(Head, Name, count_default, high_precision, in_place, types)                              \
    template <SFUMATO_ONLY Head>                                                                                   \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const sfumato::ascendc::Lent& sharedTmpBuffer, \
              int64_t calCount SFUMATO_ONLY count_default, SFUMATO_AT) {                                           \
        SFUMATO_ADV_OF(Name, types);                                                                               \
        auto call = sfumato::ascendc::AdvUnary(dst, src, sharedTmpBuffer, calCount, where);                        \
        call.in_float = high_precision, call.reuses = in_place;                                                    \
        sfumato::ascendc::AdvElementwise(sfumato::ascendc::AdvFunction::k##Name, call);                            \
    }                                                                                                              \
    template <SFUMATO_ONLY Head>                                                                                   \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, int64_t calCount SFUMATO_ONLY count_default,   \
              SFUMATO_AT) {                                                                                        \
        SFUMATO_ADV_OF(Name, types);                                                                               \
        auto call = sfumato::ascendc::AdvUnary(dst, src, {}, calCount, where);                                     \
        call.in_float = high_precision, call.reuses = in_place;                                                    \
        sfumato::ascendc::AdvElementwise(sfumato::ascendc::AdvFunction::k##Name, call);                            \
    }

// (dst, src, [sharedTmpBuffer], [calCount]).
#define SFUMATO_ADV_Usual(Name, types)                                                                                 \
    SFUMATO_ADV_UNARY((class T, bool isReuseSource = false), Name, (= sfumato::ascendc::AdvCall::kWholeSource), false, \
                      isReuseSource, types)
// (dst, src, [sharedTmpBuffer], dataSize); half data in float with highPrecision.
#define SFUMATO_ADV_Size(Name, types)                                                                               \
    SFUMATO_ADV_UNARY((class T, bool highPrecision = false, bool highPerformance = false), Name, (), highPrecision, \
                      false, types)

// (dst, src, [calCount]).
#define SFUMATO_ADV_NoTmp(Name, types)                                                                            \
    template <class T, bool isReuseSource = false>                                                                \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                                               \
              int64_t calCount = sfumato::ascendc::AdvCall::kWholeSource, SFUMATO_AT) {                           \
        SFUMATO_ADV_OF(Name, types);                                                                              \
        sfumato::ascendc::AdvElementwise(                                                                         \
            sfumato::ascendc::AdvFunction::k##Name,                                                               \
            sfumato::ascendc::Reusing<isReuseSource>(sfumato::ascendc::AdvUnary(dst, src, {}, calCount, where))); \
    }
// A call of three operands, with and without sharedTmpBuffer: Make names its maker, which takes the operands' names.
#define SFUMATO_ADV_THREE(Name, types, A, a, B, b, C, c, Make)                                                    \
    template <class T, bool isReuseSource = false>                                                                \
    void Name(A a, B b, C c, const sfumato::ascendc::Lent& sharedTmpBuffer,                                       \
              int64_t calCount = sfumato::ascendc::AdvCall::kWholeSource, SFUMATO_AT) {                           \
        SFUMATO_ADV_OF(Name, types);                                                                              \
        sfumato::ascendc::AdvElementwise(sfumato::ascendc::AdvFunction::k##Name,                                  \
                                         sfumato::ascendc::Reusing<isReuseSource>(                                \
                                             sfumato::ascendc::Make(a, b, c, sharedTmpBuffer, calCount, where))); \
    }                                                                                                             \
    template <class T, bool isReuseSource = false>                                                                \
    void Name(A a, B b, C c, int64_t calCount = sfumato::ascendc::AdvCall::kWholeSource, SFUMATO_AT) {            \
        SFUMATO_ADV_OF(Name, types);                                                                              \
        sfumato::ascendc::AdvElementwise(                                                                         \
            sfumato::ascendc::AdvFunction::k##Name,                                                               \
            sfumato::ascendc::Reusing<isReuseSource>(sfumato::ascendc::Make(a, b, c, {}, calCount, where)));      \
    }
#define SFUMATO_ADV_TENSOR const LocalTensor<T>&
#define SFUMATO_ADV_SCALAR const std::type_identity_t<T>&
// (dst, src0, src1, [sharedTmpBuffer], [calCount]).
#define SFUMATO_ADV_Two(Name, types)                                                                            \
    SFUMATO_ADV_THREE(Name, types, SFUMATO_ADV_TENSOR, dst, SFUMATO_ADV_TENSOR, src0, SFUMATO_ADV_TENSOR, src1, \
                      AdvBinary)
// (dst0, dst1, src, [sharedTmpBuffer], count): SinCos alone.
#define SFUMATO_ADV_TwoResults(Name, types)                                                                     \
    template <const SinCosConfig& config = DEFAULT_SINCOS_CONFIG, class T>                                      \
    void Name(const LocalTensor<T>& dst0, const LocalTensor<T>& dst1, const LocalTensor<T>& src,                \
              const sfumato::ascendc::Lent& sharedTmpBuffer, int64_t count, SFUMATO_AT) {                       \
        SFUMATO_ADV_OF(Name, types);                                                                            \
        sfumato::ascendc::AdvElementwise(                                                                       \
            sfumato::ascendc::AdvFunction::k##Name,                                                             \
            sfumato::ascendc::Reusing<config.isReuseSource>(                                                    \
                sfumato::ascendc::AdvTwoResults(dst0, dst1, src, sharedTmpBuffer, count, where)));              \
    }                                                                                                           \
    template <const SinCosConfig& config = DEFAULT_SINCOS_CONFIG, class T>                                      \
    void Name(const LocalTensor<T>& dst0, const LocalTensor<T>& dst1, const LocalTensor<T>& src, int64_t count, \
              SFUMATO_AT) {                                                                                     \
        Name<config, T>(dst0, dst1, src, sfumato::ascendc::Lent(), count, where);                               \
    }
// The same as Two, where one source may be a scalar.
#define SFUMATO_ADV_Power(Name, types)                                                                                \
    SFUMATO_ADV_Two(Name, types) SFUMATO_ADV_THREE(Name, types, SFUMATO_ADV_TENSOR, dst, SFUMATO_ADV_TENSOR, src0,    \
                                                   SFUMATO_ADV_SCALAR, scalar, AdvWithScalar)                         \
        SFUMATO_ADV_THREE(Name, types, SFUMATO_ADV_TENSOR, dst, SFUMATO_ADV_SCALAR, scalar, SFUMATO_ADV_TENSOR, src1, \
                          AdvOfScalar)

// (dst, src, [sharedTmpBuffer], calCount).
#define SFUMATO_ADV_Counted(Name, types) \
    SFUMATO_ADV_UNARY((class T, bool isReuseSource = false), Name, (), false, isReuseSource, types)
// (dst, src, dataSize), and the same with the scalar of the formula.
#define SFUMATO_ADV_DataSize(Name, types)                                                                         \
    template <class T, bool isReuseSource = false>                                                                \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t dataSize, SFUMATO_AT) {              \
        SFUMATO_ADV_OF(Name, types);                                                                              \
        sfumato::ascendc::AdvElementwise(                                                                         \
            sfumato::ascendc::AdvFunction::k##Name,                                                               \
            sfumato::ascendc::Reusing<isReuseSource>(sfumato::ascendc::AdvUnary(dst, src, {}, dataSize, where))); \
    }
#define SFUMATO_ADV_DataSizeScalar(Name, types)                                                                    \
    template <class T, bool isReuseSource = false>                                                                 \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t dataSize,                             \
              const std::type_identity_t<T>& scalarValue, SFUMATO_AT) {                                            \
        SFUMATO_ADV_OF(Name, types);                                                                               \
        sfumato::ascendc::AdvElementwise(sfumato::ascendc::AdvFunction::k##Name,                                   \
                                         sfumato::ascendc::Reusing<isReuseSource>(sfumato::ascendc::AdvWithScalar( \
                                             dst, src, scalarValue, {}, dataSize, where)));                        \
    }
// (dst, src, [sharedTmpBuffer], scalar, calCount).
#define SFUMATO_ADV_ScalarCounted(Name, types)                                                                         \
    template <class T, bool isReuseSource = false>                                                                     \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,       \
              const std::type_identity_t<T>& scalar, uint32_t calCount, SFUMATO_AT) {                                  \
        SFUMATO_ADV_OF(Name, types);                                                                                   \
        sfumato::ascendc::AdvElementwise(sfumato::ascendc::AdvFunction::k##Name,                                       \
                                         sfumato::ascendc::Reusing<isReuseSource>(sfumato::ascendc::AdvWithScalar(     \
                                             dst, src, scalar, sharedTmpBuffer, calCount, where)));                    \
    }                                                                                                                  \
    template <class T, bool isReuseSource = false>                                                                     \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const std::type_identity_t<T>& scalar,             \
              uint32_t calCount, SFUMATO_AT) {                                                                         \
        SFUMATO_ADV_OF(Name, types);                                                                                   \
        sfumato::ascendc::AdvElementwise(sfumato::ascendc::AdvFunction::k##Name,                                       \
                                         sfumato::ascendc::Reusing<isReuseSource>(                                     \
                                             sfumato::ascendc::AdvWithScalar(dst, src, scalar, {}, calCount, where))); \
    }
// (dst, src0, src1, scalar, [sharedTmpBuffer], [calCount]).
#define SFUMATO_ADV_TwoScalar(Name, types)                                                                          \
    template <class T, bool isReuseSource = false>                                                                  \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const float& beta, \
              const sfumato::ascendc::Lent& sharedTmpBuffer,                                                        \
              int64_t calCount = sfumato::ascendc::AdvCall::kWholeSource, SFUMATO_AT) {                             \
        SFUMATO_ADV_OF(Name, types);                                                                                \
        auto call = sfumato::ascendc::AdvBinary(dst, src0, src1, sharedTmpBuffer, calCount, where);                 \
        call.scalar = beta, call.reuses = isReuseSource;                                                            \
        sfumato::ascendc::AdvElementwise(sfumato::ascendc::AdvFunction::k##Name, call);                             \
    }                                                                                                               \
    template <class T, bool isReuseSource = false>                                                                  \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const float& beta, \
              int64_t calCount = sfumato::ascendc::AdvCall::kWholeSource, SFUMATO_AT) {                             \
        SFUMATO_ADV_OF(Name, types);                                                                                \
        auto call = sfumato::ascendc::AdvBinary(dst, src0, src1, {}, calCount, where);                              \
        call.scalar = beta, call.reuses = isReuseSource;                                                            \
        sfumato::ascendc::AdvElementwise(sfumato::ascendc::AdvFunction::k##Name, call);                             \
    }
// (dst, src, [sharedTmpBuffer], calCount) with the level as a number: a bool there is isSetMask of the instruction.
#define SFUMATO_ADV_Taylor(Name, types)                                                                              \
    template <class T, auto taylorExpandLevel, bool isReuseSource = false>                                           \
    requires(!std::is_same_v<decltype(taylorExpandLevel), bool>) void Name(                                          \
        const LocalTensor<T>& dst, const LocalTensor<T>& src, const sfumato::ascendc::Lent& sharedTmpBuffer,         \
        uint32_t calCount, SFUMATO_AT) {                                                                             \
        SFUMATO_ADV_OF(Name, types);                                                                                 \
        static_assert(taylorExpandLevel >= 0 && taylorExpandLevel <= 255, #Name ": taylorExpandLevel is a uint8_t"); \
        auto call = sfumato::ascendc::AdvUnary(dst, src, sharedTmpBuffer, calCount, where);                          \
        call.scalar = taylorExpandLevel, call.reuses = isReuseSource;                                                \
        sfumato::ascendc::AdvElementwise(sfumato::ascendc::AdvFunction::k##Name, call);                              \
    }                                                                                                                \
    template <class T, auto taylorExpandLevel, bool isReuseSource = false>                                           \
    requires(!std::is_same_v<decltype(taylorExpandLevel), bool>) void Name(                                          \
        const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t calCount, SFUMATO_AT) {                       \
        Name<T, taylorExpandLevel, isReuseSource>(dst, src, sfumato::ascendc::Lent(), calCount, where);              \
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
#undef SFUMATO_ADV_TENSOR
#undef SFUMATO_ADV_SCALAR
#undef SFUMATO_ADV_UNARY
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
