// SPDX-License-Identifier: Apache-2.0
// Sum, Mean, the reductions with a pattern, CumSum, ReduceXorSum (adv.md 5 and 6): checks of types, and a plain struct
// for the library.
#pragma once

#include <type_traits>

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
    SFUMATO_TYPES(T, "Sum, Mean: the elements are half or float", std::is_same_v<T, half> || std::is_same_v<T, float>);
    return {function,     Operand(dst), Operand(src), tmp,    params.outter, params.n,
            params.inner, false,        true,         reuses, where};
}
template <class T, class Pattern>
ReductionCall PatternReduction(RowFunction function, const AscendC::LocalTensor<T>& dst,
                               const AscendC::LocalTensor<T>& src, const Lent& tmp, const uint32_t* shape, bool padded,
                               bool reuses, Where where) {
    using namespace AscendC::Pattern::Reduce;
    static_assert(std::is_same_v<Pattern, AR> || std::is_same_v<Pattern, RA>, "reductions: the pattern is AR or RA");
    constexpr uint32_t kBlock = 32 / sizeof(T);
    const uint32_t pitch = (shape[1] + kBlock - 1) / kBlock * kBlock;
    constexpr bool kDown = std::is_same_v<Pattern, RA>;
    return {function, Operand(dst), Operand(src), tmp, shape[0], shape[1], pitch, kDown, padded, reuses, where};
}

template <class T>
inline constexpr bool kReducesFloat = std::is_same_v<T, float>;
template <class T>
inline constexpr bool kReducesHalfFloat = std::is_same_v<T, half> || std::is_same_v<T, float>;
template <class T>
inline constexpr bool kReducesLogical = std::is_same_v<T, uint8_t> || std::is_same_v<T, float>;

}  // namespace sfumato::ascendc

namespace AscendC {

#define SFUMATO_REDUCTION_SUM(Tmp, tmp)                                                                             \
    template <class T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>               \
    void Sum(const LocalTensor<T>& dst, const LocalTensor<T>& src, SFUMATO_ONLY Tmp const SumParams& sumParams,     \
             SFUMATO_AT) {                                                                                          \
        static_assert(reduceDim == -1, "Sum: reduceDim is -1, the last axis");                                      \
        sfumato_::ReduceRows(                                                                                       \
            sfumato_::RowReduction(sfumato_::RowFunction::kSum, dst, src, tmp, sumParams, isReuseSource, where));   \
    }                                                                                                               \
    template <class T, class accType = T, bool isReuseSource = false, bool isBasicBlock = false,                    \
              int32_t reduceDim = -1>                                                                               \
    void Mean(const LocalTensor<T>& dst, const LocalTensor<T>& src, SFUMATO_ONLY Tmp const MeanParams& meanParams,  \
              SFUMATO_AT) {                                                                                         \
        static_assert(reduceDim == -1, "Mean: reduceDim is -1, the last axis");                                     \
        sfumato_::ReduceRows(                                                                                       \
            sfumato_::RowReduction(sfumato_::RowFunction::kMean, dst, src, tmp, meanParams, isReuseSource, where)); \
    }
SFUMATO_LENT(SFUMATO_REDUCTION_SUM)
#undef SFUMATO_REDUCTION_SUM

// types: a list of element types, by the name of its condition above; in words:
#define SFUMATO_REDUCES_Float "float"
#define SFUMATO_REDUCES_HalfFloat "half, float"
#define SFUMATO_REDUCES_Logical "float, uint8_t"
#define SFUMATO_REDUCTION_PATTERN(Name, types, Tmp, tmp)                                                             \
    template <class T, class pattern, bool isReuseSource = false>                                                    \
    requires(!std::is_same_v<pattern, void>) void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,         \
                                                       SFUMATO_ONLY Tmp const uint32_t srcShape[], bool srcInnerPad, \
                                                       SFUMATO_AT) {                                                 \
        SFUMATO_TYPES(T, #Name ": the element types are " SFUMATO_REDUCES_##types, sfumato_::kReduces##types<T>);    \
        sfumato_::ReduceRows(sfumato_::PatternReduction<T, pattern>(sfumato_::RowFunction::k##Name, dst, src, tmp,   \
                                                                    srcShape, srcInnerPad, isReuseSource, where));   \
    }
#define SFUMATO_REDUCTION_PATTERNS(Name, types)                                                              \
    SFUMATO_REDUCTION_PATTERN(Name, types, (const LocalTensor<uint8_t>& sharedTmpBuffer, ), sharedTmpBuffer) \
    SFUMATO_REDUCTION_PATTERN(Name, types, (), {})
SFUMATO_REDUCTION_PATTERNS(ReduceSum, Float)
SFUMATO_REDUCTION_PATTERNS(ReduceMean, Float)
SFUMATO_REDUCTION_PATTERNS(ReduceMax, HalfFloat)
SFUMATO_REDUCTION_PATTERNS(ReduceMin, HalfFloat)
SFUMATO_REDUCTION_PATTERNS(ReduceProd, Float)
SFUMATO_REDUCTION_PATTERNS(ReduceAny, Logical)
SFUMATO_REDUCTION_PATTERNS(ReduceAll, Logical)
#undef SFUMATO_REDUCTION_PATTERNS
#undef SFUMATO_REDUCTION_PATTERN
#undef SFUMATO_REDUCES_Float
#undef SFUMATO_REDUCES_HalfFloat
#undef SFUMATO_REDUCES_Logical

#define SFUMATO_REDUCTION_CUMSUM(Tmp, lent)                                                                            \
    template <class T, CumSumConfig config = defaultCumSumConfig>                                                      \
    void CumSum(const LocalTensor<T>& dst, const LocalTensor<T>& lastRow, const LocalTensor<T>& src,                   \
                SFUMATO_ONLY Tmp const CumSumInfo& cumSumInfo, SFUMATO_AT) {                                           \
        SFUMATO_TYPES(T, "CumSum: the elements are half or float",                                                     \
                      std::is_same_v<T, half> || std::is_same_v<T, float>);                                            \
        static_assert(config.algorithm == CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE,                                \
                      "CumSum: the algorithm SKLANSKY is one of Ascend950");                                           \
        sfumato_::CumulateRows({sfumato_::Operand(dst), sfumato_::Operand(src),                                        \
                                config.outputLastRow ? sfumato_::Operand(lastRow) : sfumato_::VectorOperand{}, lent,   \
                                cumSumInfo.outter, cumSumInfo.inner, config.isLastAxis, config.isReuseSource, where}); \
    }
SFUMATO_LENT(SFUMATO_REDUCTION_CUMSUM)
#undef SFUMATO_REDUCTION_CUMSUM

// dst[0] = the sum of src0[i] xor src1[i] for i < calCount, cut to int16_t.
#define SFUMATO_REDUCE_XOR_SUM(Tmp, tmp)                                                                           \
    template <class T, bool isReuseSource = false>                                                                 \
    void ReduceXorSum(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,           \
                      SFUMATO_ONLY Tmp uint32_t calCount, SFUMATO_AT) {                                            \
        SFUMATO_TYPES(T, "ReduceXorSum: the elements are int16_t", std::is_same_v<T, int16_t>);                    \
        sfumato_::SumXor({sfumato_::Operand(dst), sfumato_::Operand(src0), sfumato_::Operand(src1), tmp, calCount, \
                          where, isReuseSource});                                                                  \
    }
SFUMATO_LENT(SFUMATO_REDUCE_XOR_SUM)
#undef SFUMATO_REDUCE_XOR_SUM

}  // namespace AscendC
