// SPDX-License-Identifier: Apache-2.0
// Tilings and sizes of temporary buffers of the vector calls (adv.md 1.3, 4.1, 7, 9, 10). Shapes: outermost first.
// Everything throws Error with a text for people, which starts with `call`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sfumato/tiling/softmax_tiling.h"
#include "sfumato/tiling/tmp_factor.h"

namespace sfumato::tiling {

using Dimensions = std::vector<int64_t>;

// Bytes of a temporary buffer: at least `min` for a right result, more than `max` is of no use.
struct TmpSizes {
    uint32_t max = 0, min = 0;
};
// name: "Gelu". Throws for a name that tmp_sizes.inc does not have.
SFUMATO_API TmpFactor ElementwiseFactor(std::string_view name, const std::string& call, uint32_t type_size);
SFUMATO_API TmpSizes ElementwiseTmp(std::string_view name, const std::string& call, const Dimensions& shape,
                                    uint32_t type_size);
SFUMATO_API std::vector<std::string> ElementwiseNames();
// Pad and UnPad: a row at least, all rows at most; multiples of 256 bytes.
SFUMATO_API TmpSizes PadTmp(const std::string& call, const Dimensions& shape, uint32_t type_size);
// Of what a kernel takes, one row and all: multiples of 256 bytes.
SFUMATO_API TmpSizes NeedTmp(const std::string& call, uint64_t rows, const RowNeed& need);
SFUMATO_API TmpSizes SoftmaxTmp(const std::string& call, const Dimensions& shape, const SoftmaxUse& use);
// shape: the last axis is a row as it lies in memory.
SFUMATO_API TmpSizes NormTmp(const std::string& call, const Dimensions& shape, uint32_t type_size, bool rms);
// shape: rows, columns. down: the columns.
enum class ReductionKind : uint8_t { kSums, kExtremes, kTruths, kProducts };
struct ReductionProblem {
    Dimensions shape;
    uint32_t type_size = 4;
    bool down = false;
    ReductionKind kind = ReductionKind::kSums;
};
SFUMATO_API TmpSizes ReductionTmp(const std::string& call, const ReductionProblem& problem);
SFUMATO_API TmpSizes CumSumTmp(const std::string& call, const Dimensions& shape, uint32_t type_size, bool along);
SFUMATO_API TmpSizes BroadcastTmp(const std::string& call, const Dimensions& shape, uint32_t type_size);
// parameters: elements of scale. wide: the output is bfloat16_t.
SFUMATO_API TmpSizes AntiQuantTmp(const std::string& call, const Dimensions& shape, const Dimensions& parameters,
                                  bool transposed, bool wide);
// The nodes of n elements of any shape.
SFUMATO_API TmpSizes FlatTmp(const std::string& call, const Dimensions& shape, uint32_t type_size, uint32_t live,
                             uint32_t extra = 0);

// workspace: bytes of the temporary buffer. row_type_size: of the elements whose rows are checked, where the use does
// not tell.
SFUMATO_API AscendC::tiling::SoftMaxTiling PlanSoftMax(const std::string& call, const Dimensions& shape,
                                                       const SoftmaxUse& use, uint32_t workspace,
                                                       uint32_t row_type_size = 0);
// shape: B, S, H as it lies in memory, H before padding (adv.md 7).
SFUMATO_API AscendC::tiling::LayerNormTiling PlanLayerNorm(const std::string& call, const Dimensions& shape,
                                                           uint32_t workspace, uint32_t type_size);
// shape: A, R.
SFUMATO_API AscendC::tiling::LayerNormSeparateTiling PlanLayerNormSeparate(const std::string& call,
                                                                           const Dimensions& shape, uint32_t workspace,
                                                                           uint32_t type_size);
// shape, original: B, S, H as it lies in memory and before padding.
SFUMATO_API AscendC::tiling::RmsNormTiling PlanRmsNorm(const std::string& call, const Dimensions& shape,
                                                       const Dimensions& original, uint32_t workspace,
                                                       uint32_t type_size);

// Records of n elements: 8 bytes each, or proposals of eight elements (Ascend310P).
SFUMATO_API uint32_t SortTmp(const std::string& call, uint32_t elements, uint32_t type_size, bool proposals);

struct TopKProblem {
    int32_t inner = 0, outter = 1, k = 0;
    uint32_t type_size = 0;
    bool init_index = false, small = false;  // small: TOPK_NSMALL
    bool proposals = false;                  // records are, and indices of half data half: Ascend310P
};
SFUMATO_API TmpSizes TopKTmp(const std::string& call, const TopKProblem& problem);
SFUMATO_API AscendC::tiling::TopkTiling PlanTopK(const std::string& call, const TopKProblem& problem);

// type: TransposeType 1 to 7. shape: B, N, S, H / N; of 7: H, W.
SFUMATO_API TmpSizes TransposeTmp(const std::string& call, const Dimensions& shape, uint32_t type_size, uint32_t type);
SFUMATO_API AscendC::tiling::ConfusionTransposeTiling PlanTranspose(const std::string& call, const Dimensions& shape,
                                                                    uint32_t workspace, uint32_t type_size,
                                                                    uint32_t type);

// shape: height, width; original: before redundant columns.
SFUMATO_API AscendC::tiling::PadTiling PlanPad(const std::string& call, const Dimensions& shape,
                                               const Dimensions& original, uint32_t workspace, uint32_t type_size);
SFUMATO_API AscendC::tiling::UnPadTiling PlanUnPad(const std::string& call, const Dimensions& shape, uint32_t workspace,
                                                   uint32_t type_size);

// size: bytes of an element of all tensors.
SFUMATO_API AscendC::tiling::LogSoftMaxTiling PlanLogSoftMax(const std::string& call, const Dimensions& shape,
                                                             uint32_t size, uint32_t workspace);
// shape, original: B, S, H as it lies in memory and before padding.
SFUMATO_API AscendC::tiling::DeepNormTiling PlanDeepNorm(const std::string& call, const Dimensions& shape,
                                                         const Dimensions& original, uint32_t workspace,
                                                         uint32_t type_size);
// shape: N, C, H, W; groups divide C, and H x W is whole blocks.
SFUMATO_API TmpSizes GroupNormTmp(const std::string& call, const Dimensions& shape, uint32_t groups,
                                  uint32_t type_size);
SFUMATO_API AscendC::tiling::GroupNormTiling PlanGroupNorm(const std::string& call, const Dimensions& shape,
                                                           uint32_t groups, uint32_t workspace, uint32_t type_size);
// shape, original: B, S, H in memory and before padding; S x H is whole blocks.
SFUMATO_API TmpSizes BatchNormTmp(const std::string& call, const Dimensions& shape, uint32_t type_size);
SFUMATO_API AscendC::tiling::BatchNormTiling PlanBatchNorm(const std::string& call, const Dimensions& shape,
                                                           const Dimensions& original, uint32_t workspace,
                                                           uint32_t type_size);
// shape: B, S, H[, H before padding, the same]; elements: of the temporary buffer. beta: of LayerNormGradBeta.
SFUMATO_API TmpSizes NormGradientTmp(const std::string& call, const Dimensions& shape, uint32_t type_size, bool beta);
SFUMATO_API AscendC::tiling::LayerNormGradTiling PlanLayerNormGrad(const std::string& call, const Dimensions& shape,
                                                                   uint32_t elements, uint32_t type_size);
SFUMATO_API AscendC::tiling::LayerNormGradBetaTiling PlanLayerNormGradBeta(const std::string& call,
                                                                           const Dimensions& shape, uint32_t elements,
                                                                           uint32_t type_size);

}  // namespace sfumato::tiling
