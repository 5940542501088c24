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

}  // namespace sfumato::ascendc

namespace AscendC {

#define SFUMATO_ADV_UNARY(Head, Name, count_default, high_precision, types)                                        \
    template <SFUMATO_ONLY Head>                                                                                   \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const sfumato::ascendc::Lent& sharedTmpBuffer, \
              int64_t calCount SFUMATO_ONLY count_default, Where where = Where::Here()) {                          \
        static_assert(sfumato::ascendc::kAdv##types<T>, #Name ": the element types are those of " #types);         \
        auto call = sfumato::ascendc::AdvUnary(dst, src, sharedTmpBuffer, calCount, where);                        \
        call.in_float = high_precision;                                                                            \
        sfumato::ascendc::AdvElementwise(sfumato::ascendc::AdvFunction::k##Name, call);                            \
    }                                                                                                              \
    template <SFUMATO_ONLY Head>                                                                                   \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, int64_t calCount SFUMATO_ONLY count_default,   \
              Where where = Where::Here()) {                                                                       \
        static_assert(sfumato::ascendc::kAdv##types<T>, #Name ": the element types are those of " #types);         \
        auto call = sfumato::ascendc::AdvUnary(dst, src, {}, calCount, where);                                     \
        call.in_float = high_precision;                                                                            \
        sfumato::ascendc::AdvElementwise(sfumato::ascendc::AdvFunction::k##Name, call);                            \
    }

// (dst, src, [sharedTmpBuffer], [calCount]).
#define SFUMATO_ADV_Usual(Name, types)                                                                                 \
    SFUMATO_ADV_UNARY((class T, bool isReuseSource = false), Name, (= sfumato::ascendc::AdvCall::kWholeSource), false, \
                      types)
// (dst, src, [sharedTmpBuffer], dataSize); half data in float with highPrecision.
#define SFUMATO_ADV_Size(Name, types)                                                                               \
    SFUMATO_ADV_UNARY((class T, bool highPrecision = false, bool highPerformance = false), Name, (), highPrecision, \
                      types)

#define SFUMATO_ADV(Name, form, temporaries, live, policy, overlap, types, source) SFUMATO_ADV_##form(Name, types)
#include "sfumato/ascendc/adv/elementwise.inc"
#undef SFUMATO_ADV
#undef SFUMATO_ADV_Usual
#undef SFUMATO_ADV_Size
#undef SFUMATO_ADV_UNARY

}  // namespace AscendC
