// SPDX-License-Identifier: Apache-2.0
// TopK (adv.md 10).
#pragma once

#include "sfumato/ascendc/adv/call.h"
#include "sfumato/tiling/topk_mode.h"
#include "sfumato/tiling/vector_tiling.h"

namespace sfumato::ascendc {

struct TopKCall {
    VectorOperand value, index, src, src_index, finish;
    Lent tmp;
    int32_t k = 0, outter = 1, inner = 0, n = 0;
    bool given_index = false, finishes = false, small = false, largest = true;
    Where where;
    bool reuses = false;  // isReuseSrc: src may be overwritten
};
SFUMATO_API void TakeTopK(const TopKCall& call);

}  // namespace sfumato::ascendc

namespace AscendC {

// outter rows of inner elements, of which the first n count.
struct TopKInfo {
    int32_t outter = 1;
    int32_t inner = 0;
    int32_t n = 0;
};

// The k largest (isLargest false: smallest) elements of each row, sorted, and their indices. The tiling's numbers
// follow from the shape, too.
#define SFUMATO_TOPK(Tmp, tmp)                                                                                         \
    template <class T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false,                    \
              TopKMode topkMode = TopKMode::TOPK_NORMAL>                                                               \
    void TopK(const LocalTensor<T>& dstValue, const LocalTensor<int32_t>& dstIndex, const LocalTensor<T>& src,         \
              const LocalTensor<int32_t>& srcIndex, const LocalTensor<bool>& finish, SFUMATO_ONLY Tmp const int32_t k, \
              const TopkTiling&, const TopKInfo& topKInfo, const bool isLargest = true, SFUMATO_AT) {                  \
        SFUMATO_TYPES(T, "TopK: the elements are of half or float",                                                    \
                      std::is_same_v<T, half> || std::is_same_v<T, float>);                                            \
        static_assert(!isHasfinish || topkMode == TopKMode::TOPK_NORMAL, "TopK: only TOPK_NORMAL has finished rows");  \
        sfumato_::TakeTopK({sfumato_::Operand(dstValue), sfumato_::Operand(dstIndex), sfumato_::Operand(src),          \
                            sfumato_::Operand(srcIndex), sfumato_::Operand(finish), tmp, k, topKInfo.outter,           \
                            topKInfo.inner, topKInfo.n, isInitIndex, isHasfinish, topkMode == TopKMode::TOPK_NSMALL,   \
                            isLargest, where, isReuseSrc});                                                            \
    }
SFUMATO_LENT(SFUMATO_TOPK)
#undef SFUMATO_TOPK

}  // namespace AscendC
