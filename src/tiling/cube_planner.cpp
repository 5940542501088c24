// SPDX-License-Identifier: Apache-2.0
// The setters of the tiling classes of Matmul (adv.md 3.3): what each takes, and what it refuses at once.
#include <algorithm>

#include "tiling/cube_words.h"

namespace sfumato::tiling {
namespace {

void Size(const char* call, const char* name, int32_t value, bool optional = false) {
    if (value >= 1 || (optional && value == -1)) return;
    Refuse("{}: {} is {}; it is at least 1{}", call, name, value, optional ? ", or -1 for none" : "");
}
void Sizes(const char* call, const CubeSizes& sizes, const char* m = "m", const char* n = "n", const char* k = "k") {
    Size(call, m, sizes.m, true), Size(call, n, sizes.n, true), Size(call, k, sizes.k, true);
}
void Range(const char* call, const CubeSizes& most, const CubeSizes& least) {
    Sizes(call, most, "maxM", "maxN", "maxK");
    Sizes(call, least, "minM", "minN", "minK");
    const auto order = [call](const char* axis, int32_t high, int32_t low) {
        if (high > 0 && low > high) Refuse("{}: min{} is {}, max{} is {}", call, axis, low, axis, high);
    };
    order("M", most.m, least.m), order("N", most.n, least.n), order("K", most.k, least.k);
}

}  // namespace

void CubePlanner::SetShape(int32_t m, int32_t n, int32_t k) {
    Size("SetShape", "m", m), Size("SetShape", "n", n), Size("SetShape", "k", k);
    shape_ = {m, n, k};
}

void CubePlanner::SetOrgShape(int32_t m, int32_t n, int32_t ka, int32_t kb) {
    Size("SetOrgShape", "orgM", m), Size("SetOrgShape", "orgN", n);
    Size("SetOrgShape", "orgKa", ka), Size("SetOrgShape", "orgKb", kb);
    org_m_ = m, org_n_ = n, org_ka_ = ka, org_kb_ = kb;
}

void CubePlanner::SetSingleShape(CubeSizes sizes) {
    if (scope_ == CubeScope::kOneCore) {
        Refuse("SetSingleShape: MatmulApiTiling plans one core, whose sizes SetShape gives");
    }
    Sizes("SetSingleShape", sizes, "singleM", "singleN", "singleK");
    single_ = sizes;
}

void CubePlanner::SetSingleRange(CubeSizes most, CubeSizes least) {
    Range("SetSingleRange", most, least);
    most_ = most, least_ = least;
}

void CubePlanner::SetAlignSplit(CubeSizes units) {
    Sizes("SetAlignSplit", units, "alignM", "alignN", "alignK");
    units_ = units;
}

void CubePlanner::SetDim(int32_t dim) {
    const auto cores = static_cast<int64_t>(machine_.Cores());
    if (dim < 1 || dim > cores) {
        Refuse("SetDim: {} cores; on {} legal are 1 to {}", dim, machine_.chip, cores);
    }
    dim_ = dim;
}

void CubePlanner::SetFixSplit(CubeSizes base) {
    Sizes("SetFixSplit", base, "baseM", "baseN", "baseK");
    if (base.k != -1) Refuse("SetFixSplit: baseK is {}; legal is -1: it cannot be fixed", base.k);
    const auto multiple = [](const char* name, int32_t value) {
        if (value > 0 && value % kFractal)
            Refuse("SetFixSplit: {} is {}; it is a multiple of {}", name, value, kFractal);
    };
    multiple("baseM", base.m), multiple("baseN", base.n);
    base_ = base;
}

void CubePlanner::SetSplitRange(CubeSizes most, CubeSizes least) { Range("SetSplitRange", most, least); }

void CubePlanner::SetBufferSpace(int32_t l1, int32_t l0c, int32_t ub, int32_t bt) {
    const int32_t asked[] = {l1, l0c, ub, bt};
    const uint64_t room[] = {machine_.l1, machine_.l0c, machine_.ub, machine_.bt};
    constexpr const char* kNames[] = {"L1", "L0C", "UB", "the bias table"};
    for (int i = 0; i < 4; ++i) {
        if (asked[i] >= -1 && (asked[i] < 0 || static_cast<uint64_t>(asked[i]) <= room[i])) continue;
        Refuse("SetBufferSpace: {} bytes of {}; on {} legal are 0 to {}, or -1 for all", asked[i], kNames[i],
               machine_.chip, room[i]);
    }
    std::copy(asked, asked + 4, space_);
}

void CubePlanner::SetTraverse(int32_t traverse) {
    if (traverse < 0 || traverse > 2) {
        Refuse("SetTraverse: {}; legal are NOSET 0, FIRSTM 1, FIRSTN 2", traverse);
    }
    n_first_ = traverse == 2;
}

void CubePlanner::SetConfigType(int32_t type) {
    if (type != 0 && type != 1) Refuse("SetMatmulConfigParams: type {}; legal are 0 (Norm) and 1 (MDL)", type);
}

void CubePlanner::SetLayout(CubeOperand operand, CubeLayout layout) {
    constexpr const char* kCalls[] = {"SetALayout", "SetBLayout", "SetCLayout"};
    const char* call = kCalls[static_cast<int>(operand)];
    Size(call, "b", layout.b), Size(call, "s", layout.s), Size(call, "n", layout.n);
    Size(call, "g", layout.g), Size(call, "d", layout.d);
    layout.given = true;
    layout_[static_cast<int>(operand)] = layout;
}

void CubePlanner::SetBatchNum(int32_t number) {
    Size("SetBatchNum", "batch", number);
    batches_ = number;
}

// NORMAL: a matrix of M x K for each batch of A, K x N of B; the smaller count divides the larger (adv.md 3.3).
void CubePlanner::SetBatchInfoForNormal(int32_t batch_a, int32_t batch_b, int32_t m, int32_t n, int32_t k) {
    constexpr const char* kCall = "SetBatchInfoForNormal";
    Size(kCall, "batchA", batch_a), Size(kCall, "batchB", batch_b);
    Size(kCall, "m", m), Size(kCall, "n", n), Size(kCall, "k", k);
    const int32_t more = std::max(batch_a, batch_b), fewer = std::min(batch_a, batch_b);
    if (more % fewer) Refuse("{}: batchA {} and batchB {}; the smaller divides the larger", kCall, batch_a, batch_b);
    layout_[0] = {true, batch_a, m, 1, 1, k};
    layout_[1] = {true, batch_b, n, 1, 1, k};
    layout_[2] = {true, more, m, 1, 1, n};
    batches_ = more;
}

void CubePlanner::SetSparse(bool sparse) const {
    if (sparse) Refuse("SetSparse: sparse matrices (SetSparseIndex in kernels) do not exist here");
}

const TCubeTiling& CubePlanner::Planned(const char* call) const {
    if (!planned_) Refuse("{}: there is no plan yet: call GetTiling first, and look at what it returns", call);
    return plan_;
}

}  // namespace sfumato::tiling
