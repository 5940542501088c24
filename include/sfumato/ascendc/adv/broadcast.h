// SPDX-License-Identifier: Apache-2.0
// BroadCast, of late Broadcast (adv.md 9).
#pragma once

#include "sfumato/ascendc/adv/call.h"

namespace sfumato::ascendc {

struct BroadcastCall {
    VectorOperand dst, src;
    const uint32_t *dst_shape = nullptr, *src_shape = nullptr;
    int32_t dim = 0, axis = 0;
    Lent tmp;
    const char* name = "";  // as the program spells it
    Where where;
    bool reuses = false;  // isReuseSource: src may be overwritten
};
SFUMATO_API void BroadcastTo(const BroadcastCall& call);

template <class T>
inline constexpr bool kBroadcastable =
    std::is_same_v<T, int8_t> || std::is_same_v<T, uint8_t> || std::is_same_v<T, half> || std::is_same_v<T, float>;

}  // namespace sfumato::ascendc

namespace AscendC {

// dst of dstShape = src of srcShape, whose size along axis is 1: dim 1 one value, dim 2 a row (axis 0) or a column
// (axis 1). dst is dense.
#define SFUMATO_BROADCAST(Tmp, tmp, Name)                                                                          \
    template <class T, int32_t dim, int32_t axis, bool isReuseSource = false>                                      \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t dstShape[dim],                  \
              const uint32_t srcShape[dim], SFUMATO_ONLY Tmp SFUMATO_AT) {                                         \
        SFUMATO_TYPES(T, #Name ": the element types are int8_t, uint8_t, half and float",                          \
                      sfumato_::kBroadcastable<T>);                                                                \
        static_assert(dim == 1 || dim == 2, #Name ": dim is 1 or 2");                                              \
        static_assert(axis == 0 || axis == 1, #Name ": axis is 0 or 1");                                           \
        sfumato_::BroadcastTo({sfumato_::Operand(dst), sfumato_::Operand(src), dstShape, srcShape, dim, axis, tmp, \
                               #Name, where, isReuseSource});                                                      \
    }
SFUMATO_LENT(SFUMATO_BROADCAST, BroadCast)
SFUMATO_LENT(SFUMATO_BROADCAST, Broadcast)
#undef SFUMATO_BROADCAST

}  // namespace AscendC
