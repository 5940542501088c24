// SPDX-License-Identifier: Apache-2.0
// The plan of a Matmul (adv.md 3.4, decided: the vendor's choice is not published): the piece of a core, the base
// block, what L1 holds. Each step proposes; BrokenCubeLimit judges the whole and names what cannot be met.
#include <algorithm>
#include <optional>
#include <tuple>

#include "tiling/cube_words.h"

namespace sfumato::tiling {

using AscendC::CubeFormat;

namespace {

int32_t Narrow(int64_t value) { return static_cast<int32_t>(value); }
int64_t Unit(int32_t asked, int64_t least) { return std::max<int64_t>(asked, least); }
bool Inside(int32_t value, int32_t least, int32_t most) { return value >= least && (most < 0 || value <= most); }

}  // namespace

CubePlanner::Buffers CubePlanner::Limits() const {
    const auto limit = [](int32_t asked, uint64_t all) { return asked < 0 ? all : static_cast<uint64_t>(asked); };
    return {limit(space_[0], machine_.l1), limit(space_[1], machine_.l0c), limit(space_[2], machine_.ub),
            limit(space_[3], machine_.bt)};
}

// A matrix in NZ has its inner axis in fractals of C0, C of int8_t in fractals of 32.
CubeSizes CubePlanner::Units() const {
    const auto inner = [](const CubeMatrix& matrix, bool is_inner) {
        return matrix.format == CubeFormat::NZ && is_inner ? std::max(kFractal, C0(matrix.type)) : kFractal;
    };
    const bool wide_c = types_.c.format == CubeFormat::NZ && types_.c.type == DataType::kInt8;
    const int64_t m = inner(types_.a, types_.a.transposed), n = inner(types_.b, !types_.b.transposed);
    return {Narrow(m), Narrow(std::max<int64_t>(n, wide_c ? 32 : kFractal)), -1};
}

CubeSizes CubePlanner::Whole() const {
    if (shape_.m > 0) return shape_;
    return {org_m_, org_n_, org_ka_};
}

void CubePlanner::CheckShapes() const {
    if (shape_.m < 0 && org_m_ < 0) Refuse("GetTiling: there are no sizes: call SetShape, SetOrgShape or both");
    const CubeSizes whole = Whole();
    const auto within = [](const char* axis, int32_t part, int32_t all) {
        if (all > 0 && part > all) Refuse("GetTiling: {} of SetShape is {}, of SetOrgShape {}", axis, part, all);
    };
    within("m", whole.m, org_m_), within("n", whole.n, org_n_);
    within("k", whole.k, org_ka_), within("k", whole.k, org_kb_);
    if (single_.m > whole.m) Refuse("GetTiling: singleM of SetSingleShape is {}, m {}", single_.m, whole.m);
    if (single_.n > whole.n) Refuse("GetTiling: singleN of SetSingleShape is {}, n {}", single_.n, whole.n);
    if (single_.k > whole.k) Refuse("GetTiling: singleK of SetSingleShape is {}, k {}", single_.k, whole.k);
    if (types_.a.type == DataType::kInt4) {
        const int32_t inner_b = types_.b.transposed ? whole.k : whole.n;
        if (whole.k % 2) Refuse("GetTiling: k is {}; the inner axis of A of int4b_t is even", whole.k);
        if (inner_b % 2) Refuse("GetTiling: n is {}; the inner axis of B of int4b_t is even", inner_b);
    }
    if (types_.a.format == CubeFormat::VECTOR && whole.m != 1) {
        Refuse("GetTiling: m is {}; A of format VECTOR has one row", whole.m);
    }
}

// The cores in rows and columns of pieces: the smallest largest piece; of equals fewer cores, then wider pieces.
void CubePlanner::SplitOverCores(const CubeSizes& whole, CubeSizes& piece) const {
    const int64_t unit_m = Unit(units_.m, Units().m), unit_n = Unit(units_.n, Units().n);
    // A piece has room for a base block that is fixed.
    const auto part = [](int64_t all, int64_t parts, int64_t unit, int64_t base) {
        return Narrow(std::min(all, std::max(RoundUpTo(Divided(all, parts), unit), base)));
    };
    using Score = std::tuple<int64_t, int64_t, int64_t>;
    std::optional<Score> best;
    for (int64_t rows = 1; rows <= dim_; ++rows) {
        for (int64_t columns = 1; rows * columns <= dim_; ++columns) {
            CubeSizes one = whole;
            one.m = single_.m > 0 ? single_.m : part(whole.m, rows, unit_m, base_.m);
            one.n = single_.n > 0 ? single_.n : part(whole.n, columns, unit_n, base_.n);
            const int64_t used = Divided(whole.m, one.m) * Divided(whole.n, one.n);
            if (used > dim_ || !Inside(one.m, least_.m, most_.m) || !Inside(one.n, least_.n, most_.n)) continue;
            const Score score{int64_t{one.m} * one.n, used, -one.n};
            if (best && *best <= score) continue;
            best = score;
            piece = one;
        }
    }
    if (best) return;
    if (single_.m > 0 || single_.n > 0) {
        const int64_t m = single_.m > 0 ? single_.m : whole.m, n = single_.n > 0 ? single_.n : whole.n;
        Refuse("GetTiling: pieces of {} x {} of {} x {} are {}; SetDim allows {} cores", m, n, whole.m, whole.n,
               Divided(whole.m, m) * Divided(whole.n, n), dim_);
    }
    Refuse("GetTiling: no piece of {} x {} for at most {} cores lies in SetSingleRange: M {} to {}, N {} to {}",
           whole.m, whole.n, dim_, least_.m, most_.m, least_.n, most_.n);
}

void CubePlanner::ChoosePiece(TCubeTiling& t) {
    const CubeSizes whole = Whole();
    t.M = org_m_ > 0 ? org_m_ : whole.m;
    t.N = org_n_ > 0 ? org_n_ : whole.n;
    t.Ka = org_ka_ > 0 ? org_ka_ : whole.k;
    t.Kb = org_kb_ > 0 ? org_kb_ : whole.k;
    CubeSizes piece = whole;
    int64_t parts = 1;
    if (scope_ == CubeScope::kManyCores) {
        SplitOverCores(whole, piece);
        const int64_t used = Divided(whole.m, piece.m) * Divided(whole.n, piece.n);
        piece.k = single_.k > 0 ? single_.k : whole.k;
        if (split_k_ && single_.k < 0 && used * 2 <= dim_) {
            const int64_t unit = Unit(units_.k, std::max(kFractal, C0(types_.a.type)));
            piece.k = Narrow(std::min<int64_t>(whole.k, RoundUpTo(Divided(whole.k, dim_ / used), unit)));
        }
        parts = Divided(whole.k, piece.k);
        if (parts > 1 && !split_k_) {
            Refuse("GetTiling: singleK is {} of k {}; K is split only after EnableMultiCoreSplitK(true)", piece.k,
                   whole.k);
        }
        if (used * parts > dim_) {
            Refuse("GetTiling: {} pieces of M and N in {} parts of K are {} cores; SetDim allows {}", used, parts,
                   used * parts, dim_);
        }
        if (!Inside(piece.k, least_.k, most_.k)) {
            Refuse("GetTiling: singleK is {}; SetSingleRange allows {} to {}", piece.k, least_.k, most_.k);
        }
    } else if (scope_ == CubeScope::kBatch) {
        if (single_.m > 0) piece.m = single_.m;
        if (single_.n > 0) piece.n = single_.n;
        if (single_.k > 0) piece.k = single_.k;
    }
    pieces_.m = scope_ == CubeScope::kManyCores ? Narrow(Divided(whole.m, piece.m)) : 1;
    pieces_.n = scope_ == CubeScope::kManyCores ? Narrow(Divided(whole.n, piece.n)) : 1;
    t.singleCoreM = piece.m, t.singleCoreN = piece.n, t.singleCoreK = piece.k;
    t.usedCoreNum = Narrow(int64_t{pieces_.m} * pieces_.n * parts);
}

void CubePlanner::ChooseBase(TCubeTiling& t) const {
    const Buffers room = Limits();
    const CubeSizes units = Units();
    const int64_t whole_m = RoundUpTo(t.singleCoreM, units.m), whole_n = RoundUpTo(t.singleCoreN, units.n);
    const auto fixed = [](const char* name, int64_t base, const char* single, int64_t most) {
        if (base > most) Refuse("GetTiling: {} of SetFixSplit is {}; {} rounded up is {}", name, base, single, most);
    };
    fixed("baseM", base_.m, "singleM", whole_m);
    fixed("baseN", base_.n, "singleN",
          std::max(whole_n, RoundUpTo(t.singleCoreN, std::max(kFractal, C0(types_.b.type)))));
    int64_t m = base_.m > 0 ? base_.m : std::min<int64_t>(128, whole_m);
    int64_t n = base_.n > 0 ? base_.n : std::min<int64_t>(256, whole_n);
    const auto fits = [&] {
        const bool table = !t.isBias || !machine_.bt || BitBytes(types_.bias.type, n) <= static_cast<int64_t>(room.bt);
        const bool staged = !machine_.through_ub || m * n * 4 <= static_cast<int64_t>(room.ub);
        return table && staged && m * n * 4 <= static_cast<int64_t>(room.l0c);
    };
    const auto halved = [](int64_t size, int64_t unit) { return RoundUpTo(size / 2, unit); };
    while (!fits()) {
        const bool can_m = base_.m < 0 && m > units.m, can_n = base_.n < 0 && n > units.n;
        if (can_n && (n >= m || !can_m)) {
            n = halved(n, units.n);
        } else if (can_m) {
            m = halved(m, units.m);
        } else {
            break;
        }
    }
    const int64_t unit = std::max(kFractal, C0(types_.a.type));
    const auto most = [&](uint64_t bytes, int64_t outer, DataType type) {
        return static_cast<int64_t>(bytes) * 8 / 2 / BitsOf(type) / outer / unit * unit;
    };
    const CubeTypes loaded = Loaded(types_);
    const int64_t k = std::min(
        {most(machine_.l0a, m, loaded.a.type), most(machine_.l0b, n, loaded.b.type), RoundUpTo(t.singleCoreK, unit)});
    t.baseM = Narrow(m), t.baseN = Narrow(n), t.baseK = Narrow(std::max(k, unit));
    ChooseBuffers(t, loaded, machine_.l0a, machine_.l0b, room.l0c);
    const bool turns = types_.b.type == DataType::kInt8 && (!types_.b.transposed || types_.a.type == DataType::kHalf);
    t.transLength = machine_.through_ub ? Narrow(std::max(m * n * 4, turns ? kTurnBytes : 0)) : 0;
}

void CubePlanner::CopyBatch(TCubeTiling& t) const {
    const CubeLayout &a = layout_[0], &b = layout_[1], &c = layout_[2];
    t.ALayoutInfoB = a.b, t.ALayoutInfoS = a.s, t.ALayoutInfoN = a.n, t.ALayoutInfoG = a.g, t.ALayoutInfoD = a.d;
    t.BLayoutInfoB = b.b, t.BLayoutInfoS = b.s, t.BLayoutInfoN = b.n, t.BLayoutInfoG = b.g, t.BLayoutInfoD = b.d;
    t.CLayoutInfoB = c.b, t.CLayoutInfoS1 = c.s, t.CLayoutInfoN = c.n, t.CLayoutInfoG = c.g, t.CLayoutInfoS2 = c.d;
    t.BatchNum = batches_;
}

TCubeTiling CubePlanner::Plan() {
    planned_ = false;
    CheckTypes();
    CheckShapes();
    TCubeTiling t;
    t.isBias = bias_;
    t.iterateOrder = n_first_;
    ChoosePiece(t);
    ChooseBase(t);
    if (const int64_t blocks = Divided(t.singleCoreK, t.baseK); three_buffers_ && blocks > 3)
        Refuse("GetTiling: N_BUFFER_33 holds at most 3 base blocks of K; K {} has {}", t.singleCoreK, blocks);
    ChooseDepth(t, Loaded(types_), Limits().l1, three_buffers_);
    CopyBatch(t);
    CubeMachine allowed = machine_;
    const Buffers room = Limits();
    allowed.l1 = room.l1, allowed.l0c = room.l0c, allowed.ub = room.ub;
    if (machine_.bt) allowed.bt = std::max<uint64_t>(room.bt, 1);  // 0 means no table
    if (const CubeLimit broken = BrokenCubeLimit(t, types_, allowed)) {
        Refuse("GetTiling: no tiling of {} x {} x {} fits {}: {}", t.singleCoreM, t.singleCoreN, t.singleCoreK,
               machine_.chip, broken.Text());
    }
    t.shareL1Size = Narrow(L1Of(t, types_).Sum());
    t.shareL0CSize = t.baseM * t.baseN * 4 * t.dbL0C;
    t.shareUbSize = t.transLength;
    planned_ = true;
    return plan_ = t;
}

}  // namespace sfumato::tiling
