// SPDX-License-Identifier: Apache-2.0
// Tilings of TopK and of Transpose with all its shapes (adv.md 9, 10). What the fields hold is ours.
#include <algorithm>

#include "sfumato/tiling/call_sizes.h"
#include "tiling/vector_words.h"

namespace sfumato::tiling {
namespace {

int32_t I32(int64_t value) { return static_cast<int32_t>(value); }

void Check(const std::string& call, const TopKProblem& p, bool with_k) {
    CheckTypeSize(call, p.type_size, {2, 4});
    if (p.outter < 1) Refuse("{}: outter is {}; it is at least 1", call, p.outter);
    if (p.small ? p.inner != 32 : p.inner < 32 || p.inner > 4096 || p.inner % 32) {
        Refuse("{}: inner is {}; {}", call, p.inner,
               p.small ? "in mode TOPK_NSMALL it is 32" : "it is a multiple of 32 up to 4096");
    }
    if (p.proposals && p.type_size == 2 && p.inner > 2048) {
        Refuse("{}: inner is {}; of half on Ascend310P it is at most 2048", call, p.inner);
    }
    if (with_k && (p.k < 1 || p.k > p.inner)) Refuse("{}: k is {}; legal are 1 to inner {}", call, p.k, p.inner);
}

}  // namespace

uint32_t SortTmp(const std::string& call, uint32_t elements, uint32_t type_size, bool proposals) {
    CheckTypeSize(call, type_size, {2, 4});
    const uint32_t unit = proposals ? 16 : 32;
    if (!elements || elements % unit) Refuse("{}: {} elements; it is a multiple of {}", call, elements, unit);
    return elements * (proposals ? 8 * type_size : 8);
}

TmpSizes TopKTmp(const std::string& call, const TopKProblem& p) {
    Check(call, p, false);
    const auto inner = static_cast<uint64_t>(p.inner), outter = static_cast<uint64_t>(p.outter);
    const auto rows = [&](uint64_t n) {
        const uint64_t bytes =
            p.small ? TopKSmallBytes(n, p.type_size, p.proposals) : TopKBytes(inner, p.type_size, p.proposals);
        return U32(bytes);
    };
    return {rows(outter), rows(std::min(outter, kTopKSmallRows))};
}

AscendC::tiling::TopkTiling PlanTopK(const std::string& call, const TopKProblem& p) {
    Check(call, p, true);
    AscendC::tiling::TopkTiling t;
    t.tmpLocalSize = I32(TopKTmp(call, p).min / p.type_size);
    t.allDataSize = I32(int64_t{p.inner} * p.outter);
    t.innerDataSize = p.inner;
    t.sortRepeat = U32(p.inner / 32);
    t.mrgSortRepeat = p.inner / 32;
    t.kAlignFourBytes = I32(RoundUpTo(p.k, 8));
    t.kAlignTwoBytes = I32(RoundUpTo(p.k, 16));
    t.maskOffset = I32(int64_t{p.k} * p.outter);
    t.srcIndexOffset = I32(p.inner * 16 / p.type_size);
    t.copyUbToUbBlockCount = U32(p.inner * static_cast<int64_t>(p.type_size) / 32);
    return t;
}

namespace {

constexpr uint32_t kTransposePlane = 7;  // TRANSPOSE_ND2ND_ONLY

void CheckTranspose(const std::string& call, const Dimensions& shape, uint32_t type_size, uint32_t type) {
    CheckTypeSize(call, type_size, {2, 4});
    if (type < 1 || type > kTransposePlane) Refuse("{}: TransposeType {}; legal are 1 to 7", call, type);
    const size_t axes = type == kTransposePlane ? 2 : 4;
    Elements(call, shape, axes, axes);
    // Fractals are 16 x 16: the axes that a matrix in NZ has, and both of a plane.
    const auto multiple = [&](size_t axis, const char* name) {
        if (shape[axis] % 16) {
            Refuse("{}: {} is {}; of TransposeType {} it is a multiple of 16", call, name, shape[axis], type);
        }
    };
    if (type == kTransposePlane) {
        multiple(0, "H"), multiple(1, "W");
    } else {
        multiple(2, "S");
        if (type <= 2) multiple(3, "H / N");
        if (type > 2 && shape[1] * shape[3] % 16) {
            Refuse("{}: H is {} x {}; of TransposeType {} it is a multiple of 16", call, shape[1], shape[3], type);
        }
    }
}

}  // namespace

TmpSizes TransposeTmp(const std::string& call, const Dimensions& shape, uint32_t type_size, uint32_t type) {
    CheckTranspose(call, shape, type_size, type);
    const uint32_t two_fractals = 2 * 16 * 16 * type_size;
    const uint64_t all = Elements(call, shape, 2, 4) * type_size;
    return {std::max(U32(all), two_fractals), two_fractals};
}

AscendC::tiling::ConfusionTransposeTiling PlanTranspose(const std::string& call, const Dimensions& shape,
                                                        uint32_t workspace, uint32_t type_size, uint32_t type) {
    const TmpSizes sizes = TransposeTmp(call, shape, type_size, type);
    if (workspace < sizes.min) {
        Refuse("{}: a temporary buffer of {} bytes; two fractals need {}", call, workspace, sizes.min);
    }
    AscendC::tiling::ConfusionTransposeTiling t;
    t.axis0 = U32(shape[0]), t.axis1 = U32(shape[1]);
    if (shape.size() == 4) t.axis2 = U32(shape[2]), t.axis3 = U32(shape[3]);
    t.transposeType = type, t.typeSize = type_size, t.stackBufferSize = workspace;
    return t;
}

}  // namespace sfumato::tiling
