// SPDX-License-Identifier: Apache-2.0
// Enumerations and parameter structs of reductions and transposes, and the calls that turn them into records.
#pragma once

#include "sfumato/ascendc/issue.h"

namespace AscendC {

enum class ReduceOrder { ORDER_VALUE_INDEX = 0, ORDER_INDEX_VALUE, ORDER_ONLY_VALUE, ORDER_ONLY_INDEX };
enum class ReduceType : uint8_t { SUM = 0, MAX, MIN };

constexpr int32_t NCHW_CONV_ADDR_LIST_SIZE = 16;

struct TransDataTo5HDParams {
    TransDataTo5HDParams() = default;
    TransDataTo5HDParams(bool dst_high_half, bool src_high_half, uint8_t repeat_times, uint16_t dst_rep_stride,
                         uint16_t src_rep_stride)
        : dstHighHalf(dst_high_half),
          srcHighHalf(src_high_half),
          repeatTimes(repeat_times),
          dstRepStride(dst_rep_stride),
          srcRepStride(src_rep_stride) {}
    bool dstHighHalf = false;
    bool srcHighHalf = false;
    uint8_t repeatTimes = 1;
    uint16_t dstRepStride = 0;
    uint16_t srcRepStride = 0;
};

enum class TransposeType : uint8_t {
    TRANSPOSE_TYPE_NONE,
    TRANSPOSE_NZ2ND_0213,
    TRANSPOSE_NZ2NZ_0213,
    TRANSPOSE_NZ2NZ_012_WITH_N,
    TRANSPOSE_NZ2ND_012_WITH_N,
    TRANSPOSE_NZ2ND_012_WITHOUT_N,
    TRANSPOSE_NZ2NZ_012_WITHOUT_N,
    TRANSPOSE_ND2ND_ONLY,
    TRANSPOSE_ND_UB_GM,
    TRANSPOSE_GRAD_ND_UB_GM,
    TRANSPOSE_ND2ND_B16,
    TRANSPOSE_NCHW2NHWC,
    TRANSPOSE_NHWC2NCHW
};

struct TransposeParamsExt {
    TransposeParamsExt() = default;
    TransposeParamsExt(uint16_t n, uint16_t c, uint16_t h, uint16_t w, TransposeType type)
        : nSize(n), cSize(c), hSize(h), wSize(w), transposeType(type) {}
    uint16_t nSize = 0;
    uint16_t cSize = 0;
    uint16_t hSize = 0;
    uint16_t wSize = 0;
    TransposeType transposeType = TransposeType::TRANSPOSE_ND2ND_B16;
};

}  // namespace AscendC

namespace sfumato::ascendc {

// name: as the program spells it. order: of sums, none.
struct ReduceCall : VectorCall {
    const char* name = nullptr;
    AscendC::ReduceOrder order = AscendC::ReduceOrder::ORDER_VALUE_INDEX;
};
SFUMATO_API void vcadd(const ReduceCall& call);
// vcadd with the sum of all repeats in the register alone.
SFUMATO_API void AccumulateSum(const ReduceCall& call);
SFUMATO_API void vcmax(const ReduceCall& call);
SFUMATO_API void vcmin(const ReduceCall& call);
SFUMATO_API void vcgadd(const ReduceCall& call);
SFUMATO_API void vcgmax(const ReduceCall& call);
SFUMATO_API void vcgmin(const ReduceCall& call);
SFUMATO_API void vcpadd(const ReduceCall& call);

// work: sharedTmpBuffer. dst has no strides.
struct ReduceTensorCall : VectorCall {
    VectorOperand work;
    bool index = false;
};
SFUMATO_API void vec_reduce_add(const ReduceTensorCall& call);
SFUMATO_API void vec_reduce_max(const ReduceTensorCall& call);
SFUMATO_API void vec_reduce_min(const ReduceTensorCall& call);

// The bit pattern ReduceSum, WholeReduceMax ... left. index may be null.
SFUMATO_API uint64_t ReducedSum(DataType type, Where where);
SFUMATO_API uint64_t ReducedExtreme(DataType type, uint64_t* index, Where where);

struct TransposeCall {
    VectorOperand dst, src, work;                         // work: null for the form without
    const AscendC::TransposeParamsExt* params = nullptr;  // null: 16 x 16
    Where where;
};
SFUMATO_API void Transpose(const TransposeCall& call);

// Blocks as addresses, and what each one's tensor has room for from there on (~0: not known).
struct BlockList {
    uint64_t address[AscendC::NCHW_CONV_ADDR_LIST_SIZE];
    uint64_t room[AscendC::NCHW_CONV_ADDR_LIST_SIZE];
};
SFUMATO_API void vnchwconv(const BlockList& dst, const BlockList& src, DataType type,
                           const AscendC::TransDataTo5HDParams& params, Where where);
// The addresses a tensor of uint64_t holds: the scalar unit reads them.
SFUMATO_API BlockList BlocksIn(const LocalView& list, Where where);

}  // namespace sfumato::ascendc
