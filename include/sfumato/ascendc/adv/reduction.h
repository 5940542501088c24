// SPDX-License-Identifier: Apache-2.0
// Sum, Mean, the reductions with a pattern, CumSum, ReduceXorSum (adv.md 5 and 6): what their calls
// (calls/reduction.txt) hand to the library.
#pragma once

#include "sfumato/ascendc/adv/call.h"

namespace AscendC {

struct SumParams {
    uint32_t outter = 1, inner = 0, n = 0;
};
struct MeanParams {
    uint32_t outter = 1, inner = 0, n = 0;
};
namespace Pattern::Reduce {
struct AR {};  // along the rows
struct RA {};  // down the columns
}  // namespace Pattern::Reduce

enum class CumSumAlgorithm { CUMSUM_ALGORITHM_LINEBYLINE = 0, CUMSUM_ALGORITHM_SKLANSKY = 1 };
struct CumSumConfig {
    bool isLastAxis = true, isReuseSource = false, outputLastRow = false;
    CumSumAlgorithm algorithm = CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE;
};
inline constexpr CumSumConfig defaultCumSumConfig = {};
struct CumSumInfo {
    uint32_t outter = 0, inner = 0;
};

}  // namespace AscendC

namespace sfumato::ascendc {

enum class RowFunction : uint8_t {
    kSum,
    kMean,
    kReduceSum,
    kReduceMean,
    kReduceMax,
    kReduceMin,
    kReduceProd,
    kReduceAny,
    kReduceAll
};
// rows of `columns` elements, `pitch` apart, to a value each; or, `down`, columns to a value each.
struct ReductionCall {
    RowFunction function = RowFunction::kSum;
    VectorOperand dst, src;
    Lent tmp;
    uint32_t rows = 0, columns = 0, pitch = 0;
    bool down = false, padded = true;
    bool reuses = false;  // isReuseSource: src may be overwritten
    Where where;
};
SFUMATO_API void ReduceRows(const ReductionCall& call);

struct CumSumCall {
    VectorOperand dst, src, last;  // last: not written when null
    Lent tmp;
    uint32_t rows = 0, columns = 0;
    bool along = true;    // the rows, not down the columns
    bool reuses = false;  // isReuseSource: src may be overwritten
    Where where;
};
SFUMATO_API void CumulateRows(const CumSumCall& call);

struct XorSumCall {
    VectorOperand dst, src0, src1;
    Lent tmp;
    uint32_t count = 0;
    Where where;
    bool reuses = false;  // isReuseSource: src0 and src1 may be overwritten
};
SFUMATO_API void SumXor(const XorSumCall& call);

template <class T, class Params>
ReductionCall RowReduction(RowFunction function, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
                           const Lent& tmp, const Params& params, bool reuses, Where where) {
    SFUMATO_TYPES(T, "Sum, Mean: the elements are half or float", kOneOf<T, half, float>);
    return {function,     Operand(dst), Operand(src), tmp,    params.outter, params.n,
            params.inner, false,        true,         reuses, where};
}
template <class T, class Pattern>
ReductionCall PatternReduction(RowFunction function, const AscendC::LocalTensor<T>& dst,
                               const AscendC::LocalTensor<T>& src, const Lent& tmp, const uint32_t* shape, bool padded,
                               bool reuses, Where where) {
    using namespace AscendC::Pattern::Reduce;
    static_assert(kOneOf<Pattern, AR, RA>, "reductions: the pattern is AR or RA");
    constexpr uint32_t kBlock = 32 / sizeof(T);
    const uint32_t pitch = (shape[1] + kBlock - 1) / kBlock * kBlock;
    constexpr bool kDown = std::is_same_v<Pattern, RA>;
    return {function, Operand(dst), Operand(src), tmp, shape[0], shape[1], pitch, kDown, padded, reuses, where};
}

}  // namespace sfumato::ascendc

#include "sfumato/ascendc/calls/reduction.h"
