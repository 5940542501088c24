// SPDX-License-Identifier: Apache-2.0
// Calls of the scalar unit on plain values, under their older and newer names (language.md 1).
#pragma once

#include "sfumato/ascendc/vector_call.h"

namespace sfumato::ascendc {

enum class ScalarCall : uint8_t { kBits, kBfloat16 };
// Reports a chip that does not have the call.
SFUMATO_API void RequireScalarCall(ScalarCall kind, const char* call, Where where);

// float to half or int32_t as Cast converts; the overflow policy is the launch's. The result's bits.
SFUMATO_API uint64_t ConvertScalar(float value, DataType type, Rounding rounding, Where where);

}  // namespace sfumato::ascendc

namespace AscendC {

// Bits of valueIn that are countValue.
#define SFUMATO_SCALAR_COUNT(Name)                                                         \
    template <int countValue>                                                              \
    int64_t Name(uint64_t valueIn, SFUMATO_AT) {                                           \
        static_assert(countValue == 0 || countValue == 1, #Name ": countValue is 0 or 1"); \
        sfumato_::RequireScalarCall(sfumato_::ScalarCall::kBits, #Name, where);            \
        return __builtin_popcountll(countValue ? valueIn : ~valueIn);                      \
    }
// Number of the lowest bit that is countValue; -1 when there is none.
#define SFUMATO_SCALAR_FIND(Name)                                                          \
    template <int countValue>                                                              \
    int64_t Name(uint64_t valueIn, SFUMATO_AT) {                                           \
        static_assert(countValue == 0 || countValue == 1, #Name ": countValue is 0 or 1"); \
        sfumato_::RequireScalarCall(sfumato_::ScalarCall::kBits, #Name, where);            \
        const uint64_t bits = countValue ? valueIn : ~valueIn;                             \
        return bits == 0 ? -1 : __builtin_ctzll(bits);                                     \
    }
// Zeros above the highest one.
#define SFUMATO_SCALAR_ZEROS(Name)                                              \
    inline int64_t Name(uint64_t valueIn, SFUMATO_AT) {                         \
        sfumato_::RequireScalarCall(sfumato_::ScalarCall::kBits, #Name, where); \
        return valueIn == 0 ? 64 : __builtin_clzll(valueIn);                    \
    }
// T is float; U half with CAST_ODD, or int32_t with CAST_ROUND, CAST_CEIL, CAST_FLOOR, CAST_RINT.
#define SFUMATO_SCALAR_CAST(Name)                                                                                      \
    template <class T, class U, RoundMode roundMode>                                                                   \
    U Name(T valueIn, SFUMATO_AT) {                                                                                    \
        constexpr bool to_half = std::is_same_v<U, half> && roundMode == RoundMode::CAST_ODD;                          \
        constexpr bool to_word =                                                                                       \
            std::is_same_v<U, int32_t> && (roundMode == RoundMode::CAST_ROUND || roundMode == RoundMode::CAST_CEIL ||  \
                                           roundMode == RoundMode::CAST_FLOOR || roundMode == RoundMode::CAST_RINT);   \
        static_assert(std::is_same_v<T, float> && (to_half || to_word), #Name                                          \
                      ": float to half with CAST_ODD, or float to int32_t with CAST_ROUND, CAST_CEIL, "                \
                      "CAST_FLOOR or CAST_RINT");                                                                      \
        sfumato_::RequireScalarCall(sfumato_::ScalarCall::kBits, #Name, where);                                        \
        return sfumato_::FromBits<U>(                                                                                  \
            sfumato_::ConvertScalar(valueIn, sfumato_::kTypeOf<U>, static_cast<sfumato::Rounding>(roundMode), where)); \
    }
SFUMATO_SCALAR_COUNT(ScalarGetCountOfValue)
SFUMATO_SCALAR_COUNT(GetBitCount)
SFUMATO_SCALAR_FIND(ScalarGetSFFValue)
SFUMATO_SCALAR_FIND(GetSFFValue)
SFUMATO_SCALAR_ZEROS(ScalarCountLeadingZero)
SFUMATO_SCALAR_ZEROS(CountLeadingZero)
SFUMATO_SCALAR_CAST(ScalarCast)
SFUMATO_SCALAR_CAST(Cast)
#undef SFUMATO_SCALAR_COUNT
#undef SFUMATO_SCALAR_FIND
#undef SFUMATO_SCALAR_ZEROS
#undef SFUMATO_SCALAR_CAST

// Bits below the sign that equal it without a gap; -1 of 0 and of -1.
inline int64_t CountBitsCntSameAsSignBit(int64_t valueIn, SFUMATO_AT) {
    sfumato_::RequireScalarCall(sfumato_::ScalarCall::kBits, "CountBitsCntSameAsSignBit", where);
    const auto differing = static_cast<uint64_t>(valueIn < 0 ? ~valueIn : valueIn);
    return differing == 0 ? -1 : __builtin_clzll(differing) - 1;
}

// To the nearest, ties to even.
inline bfloat16_t ToBfloat16(const float& fVal, SFUMATO_AT) {
    sfumato_::RequireScalarCall(sfumato_::ScalarCall::kBfloat16, "ToBfloat16", where);
    return bfloat16_t(fVal);
}
inline float ToFloat(const bfloat16_t& bVal, SFUMATO_AT) {
    sfumato_::RequireScalarCall(sfumato_::ScalarCall::kBfloat16, "ToFloat", where);
    return static_cast<float>(bVal);
}
inline bfloat16_t Cast(const float& fVal, SFUMATO_AT) { return ToBfloat16(fVal, where); }
inline float Cast(const bfloat16_t& bVal, SFUMATO_AT) { return ToFloat(bVal, where); }

}  // namespace AscendC
