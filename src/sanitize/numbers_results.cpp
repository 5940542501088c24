// SPDX-License-Identifier: Apache-2.0
// Form by form: which elements make which result.
#include "sanitize/numbers_results.h"

#include <algorithm>

#include "exec/scan.h"
#include "isa/reductions.h"
#include "isa/spans.h"
#include "isa/touched.h"
#include "sanitize/numbers_lanes.h"
#include "sanitize/numbers_products.h"
#include "sanitize/numbers_values.h"

namespace sfumato::sanitize {
namespace {

using isa::Floats;
using isa::MadeOf;
using isa::Record;

MadeOf MadeOfWhat(const Record& r) { return Info(r.form()).made_of; }

// What a visit of results needs.
struct Task {
    const Record& record;
    const Before& before;
    const Bytes& results;
    const uint8_t* ub;
    const Wanted& wanted;
    const Visit& visit;

    DataType type() const { return record.dst().type; }
    uint64_t size() const { return BytesOf(type(), 1); }
    // The bits of a result if they are wanted.
    bool Wants(uint64_t offset, uint64_t* bits) const {
        *bits = BitsAt(type(), results.At(offset));
        return wanted(*bits);
    }
    void Add(int operand, uint64_t offset, Sources* sources) const {
        const DataType t = record.operand[static_cast<size_t>(operand)].type;
        sources->Add(operand, t, before.Bits(record, operand, offset));
    }
};

// Every source makes every result: where repeats gather in one place, and for forms without a rule of their own.
void VisitAsWhole(const Task& task) {
    Sources all;
    for (int i = isa::Has(task.record.op, isa::kReadsDst) || isa::IsAtomic(task.record) ? 0 : 1;
         i < task.record.operand_count; ++i) {
        const uint64_t size = BytesOf(task.record.operand[static_cast<size_t>(i)].type, 1);
        isa::ForEachRun(task.record, i, task.ub, [&](const isa::Span& run) {
            for (uint64_t at = run.begin; at + size <= run.end; at += size) task.Add(i, at, &all);
        });
    }
    isa::ForEachRun(task.record, 0, task.ub, [&](const isa::Span& run) {
        uint64_t bits;
        for (uint64_t at = run.begin; at + task.size() <= run.end; at += task.size()) {
            if (task.Wants(at, &bits)) task.visit(at, bits, all);
        }
    });
}

void VisitLanes(const Task& task) {
    const Record& r = task.record;
    ScalarOperand scalar{};
    const bool has_scalar = ScalarOf(r, &scalar);
    const int first_source = isa::Has(r.op, isa::kReadsDst) ? 0 : 1;
    ForEachStretch(r, [&](const Stretch& s) {
        uint64_t bits;
        for (uint64_t i = 0; i < s.lanes; ++i) {
            const uint64_t at = s.at[0] + i * task.size();
            if (!task.Wants(at, &bits)) continue;
            Sources sources;
            for (int o = 1; o < r.operand_count; ++o) {
                const auto k = static_cast<size_t>(o);
                task.Add(o, s.at[k] + BytesOf(r.operand[k].type, i), &sources);
            }
            if (has_scalar) sources.Add(-1, scalar.type, scalar.bits);
            if (first_source == 0) task.Add(0, at, &sources);
            task.visit(at, bits, sources);
        }
    });
}

// The k-th element of dst from the k-th of src: conversions on the way, and atomic stores.
void VisitInStep(const Task& task) {
    const Record& r = task.record;
    const uint64_t size = BytesOf(r.src0().type, 1);
    std::vector<uint64_t> from;
    isa::ForEachRun(r, 1, task.ub, [&](const isa::Span& run) {
        for (uint64_t at = run.begin; at + size <= run.end; at += size) from.push_back(at);
    });
    uint64_t k = 0, bits;
    isa::ForEachRun(r, 0, task.ub, [&](const isa::Span& run) {
        for (uint64_t at = run.begin; at + task.size() <= run.end; at += task.size(), ++k) {
            if (k >= from.size() || !task.Wants(at, &bits)) continue;
            Sources sources;
            task.Add(1, from[k], &sources);
            if (isa::IsAtomic(r)) task.Add(0, at, &sources);
            task.visit(at, bits, sources);
        }
    });
}

// The active lanes of a repeat's group `g` of 2^group lanes; of everything, with a group of 64.
void AddGroup(const Task& task, uint64_t repeat, uint64_t g, uint32_t group, Sources* sources) {
    const Record& r = task.record;
    const uint32_t shift = isa::LanesShift(r);
    const isa::Walk walk = isa::WalkOf(r, 1, shift);
    isa::ForEachLaneRun(r, isa::LanesOf(r, shift), [&](uint64_t at, uint32_t first, uint32_t end) {
        if (group < 64 && at != repeat) return;
        for (uint32_t lane = first; lane < end; ++lane) {
            if (group == 64 || lane >> group == g)
                task.Add(1, walk.start + at * walk.repeat_pitch + walk.LaneBegin(lane), sources);
        }
    });
}

void VisitResults(const Task& task, const isa::ReduceTensor&) {
    uint64_t bits;
    if (!task.Wants(task.record.dst().offset, &bits)) return;
    Sources sources;
    AddGroup(task, 0, 0, 64, &sources);
    task.visit(task.record.dst().offset, bits, sources);
}

void VisitResults(const Task& task, const isa::Reduce& shape) {
    const Record& r = task.record;
    uint64_t bits;
    // Where it stands beside the index of the largest; alone, an index is no result of arithmetic.
    uint64_t value = 0;
    if (isa::ReductionOf(r.op) != isa::Reduction::kSum) {
        if (shape.order == isa::ReduceOrder::kOnlyIndex) return;
        if (shape.order == isa::ReduceOrder::kIndexValue) value = task.size();
    }
    const isa::Lanes lanes = isa::LanesOf(r, isa::LanesShift(r));
    const uint32_t group = isa::WidthShift(isa::WidthOf(r.op), isa::Log2Bits(r.src0().type));
    const uint64_t pitch = r.dst().repeat_stride * isa::ResultsOf(r).unit;
    for (uint64_t repeat = 0; repeat < lanes.repeats; ++repeat) {
        const uint64_t stored = isa::StoredResults(r, repeat + 1 == lanes.repeats ? lanes.last_end : lanes.end);
        for (uint64_t g = 0; g < isa::ResultCount(r); ++g) {
            const uint64_t at = r.dst().offset + repeat * pitch + g * task.size() + value;
            if (!((stored >> g) & 1) || !task.Wants(at, &bits)) continue;
            Sources sources;
            AddGroup(task, repeat, g, group, &sources);
            task.visit(at, bits, sources);
        }
    }
}

void VisitResults(const Task& task, const isa::Matmul& s) {
    const Record& r = task.record;
    // Of each row of A and column of B, made when first asked for.
    std::vector<Sources> rows(s.m), columns(s.n);
    const auto factors = [&](std::vector<Sources>& all, int operand, uint64_t i) -> const Sources& {
        const uint64_t start = r.operand[static_cast<size_t>(operand)].offset;
        for (uint64_t k = 0; all[i].count < s.k; ++k) task.Add(operand, start + FactorAt(r, s, operand, i, k), &all[i]);
        return all[i];
    };
    ForEachProduct(r, [&](const Product& at) {
        uint64_t bits;
        if (!task.Wants(at.offset, &bits)) return;
        const Sources &a = factors(rows, 1, at.row), &b = factors(columns, 2, at.column);
        Sources sources;
        AddInitial(r, task.before, at, &sources);
        sources.count += 2 * s.k;
        sources.finite = sources.finite && a.finite && b.finite;
        task.visit(at.offset, bits, sources);
    });
}

bool Revisits(const Record& r) {
    const bool several = isa::LanesOf(r, isa::LanesShift(r)).repeats > 1;
    return r.mask.mode != isa::MaskMode::kCount &&
           ((several && r.dst().repeat_stride == 0) || r.dst().block_stride == 0);
}

void VisitResults(const Task& task, const isa::Elementwise&) {
    Revisits(task.record) ? VisitAsWhole(task) : VisitLanes(task);
}
void VisitResults(const Task& task, const isa::Blocks&) { VisitInStep(task); }
void VisitResults(const Task& task, const isa::Fixpipe&) { VisitInStep(task); }
void VisitResults(const Task& task, const isa::MatrixMove& s) {
    s.block == isa::MatrixMove::Block::kMatrix ? VisitInStep(task) : VisitAsWhole(task);
}
void VisitResults(const Task& task, const isa::Nz2Nd&) { VisitAsWhole(task); }
void VisitResults(const Task& task, const isa::Interpolate&) { VisitAsWhole(task); }
// What has no results of arithmetic.
static_assert(std::ranges::all_of(isa::kInstructions, [](const isa::InstructionInfo& info) {
    return info.makes.floats == Floats::kNone || !isa::Keeps(isa::Info(info.form).made_of);
}));
template <class P>
requires(isa::Keeps(isa::kMadeOf<P>)) void VisitResults(const Task&, const P&) {}

// What lies around the results of an elementwise record in pieces, unless most of it is not of them: one scan of all is
// faster than many short ones. Empty for others, and in global memory, where other cores write beside them.
isa::Span DenseHull(const Record& r) {
    if (!IsByLane(MadeOfWhat(r)) || r.dst().memory == isa::Memory::kGm) return {};
    const isa::Lanes lanes = isa::LanesOf(r, isa::LanesShift(r));
    const isa::Span hull = isa::SpanOf(r, 0);
    const bool dense = hull.end - hull.begin <= 4 * BytesOf(r.dst().type, lanes.repeats * (lanes.end - lanes.first));
    return dense ? hull : isa::Span{};
}

}  // namespace

void Sources::Add(int operand, DataType type, uint64_t bits) {
    if (count < kShown) terms[count] = {operand, bits};
    ++count;
    finite = finite && IsFinite(type, bits);
}

bool ScalarOf(const Record& r, ScalarOperand* scalar) {
    if (MadeOfWhat(r) != MadeOf::kLaneAndScalar) return false;
    scalar->type = r.operand_count > 1 ? r.src0().type : r.dst().type;
    scalar->bits = r.immediate;
    return true;
}

bool ComputesFloats(const Record& r) {
    if (r.operand_count == 0 || !IsFloating(r.dst().type)) return false;
    if (isa::IsAtomic(r)) return r.control.atomic == isa::Atomic::kAdd && r.control.atomic_type == r.dst().type;
    switch (MakesOf(r).floats) {
        case Floats::kNone: return false;
        case Floats::kConverted:
        case Floats::kUnloaded: return r.src0().type != r.dst().type;  // of one type on both sides they move
        case Floats::kFunction:
        case Floats::kProduct:
        case Floats::kQuotient:
        case Floats::kReciprocal:
        case Floats::kRoot:
        case Floats::kInverseRoot:
        case Floats::kLogarithm:
        case Floats::kExponential: return true;
    }
    __builtin_unreachable();
}

bool BearsNonFinite(const Record& r) {
    const bool exact = MakesOf(r).floats == Floats::kConverted && r.dst().type == DataType::kFloat;
    const bool of_vectors = IsByLane(MadeOfWhat(r)) || MadeOfWhat(r) == MadeOf::kGroup;
    const bool limited = of_vectors && BitsOf(r.dst().type) == 16;
    return !(exact && r.control.deq == isa::DeqScale::kNone) && !(limited && r.control.overflow == Overflow::kSaturate);
}

void ForEachResult(const Record& r, const Before& before, const Bytes& results, const uint8_t* ub, const Wanted& wanted,
                   const Visit& visit) {
    const Task task{r, before, results, ub, wanted, visit};
    VisitForm(r, [&](const auto& parameters) { VisitResults(task, parameters); });
}

bool AnyOutside(const Record& r, const Bytes& results, const uint8_t* ub, Magnitudes inside) {
    const DataType type = r.dst().type;
    const auto any = [&](uint64_t at, uint64_t n) {
        return exec::AnyOutside({type, results.At(at), inside.first, inside.end}, n);
    };
    if (r.packed) return any(r.dst().offset, r.mask.count);
    if (const isa::Span hull = DenseHull(r); hull.begin < hull.end) {
        if (!any(hull.begin, (hull.end - hull.begin) / BytesOf(type, 1))) return false;
    }
    bool found = false;
    const auto look = [&](const isa::Span& run) {
        found = found || any(run.begin, (run.end - run.begin) / BytesOf(type, 1));
    };
    if (MadeOfWhat(r) == MadeOf::kProduct) {
        ForEachProductRun(r, look);
    } else if (IsByLane(MadeOfWhat(r))) {
        ForEachStretch(r, [&](const Stretch& s) { found = found || any(s.at[0], s.lanes); });
    } else {
        isa::ForEachRun(r, 0, ub, look);
    }
    return found;
}

bool AnyOutsideOfInside(const Record& r, const Before& before, const Bytes& results, const uint8_t* ub,
                        Magnitudes inside, SourceMagnitudes of_source) {
    if (!IsByLane(MadeOfWhat(r)) || Revisits(r)) return AnyOutside(r, results, ub, inside);
    ScalarOperand scalar{};
    if (ScalarOf(r, &scalar) && IsFloating(scalar.type)) {
        const Magnitudes wanted = of_source(r, -1, scalar.type);
        const uint64_t magnitude = scalar.bits & MagnitudeOf(scalar.type);
        if (magnitude < wanted.first || magnitude >= wanted.end) return false;
    }
    bool found = false;
    ForEachStretch(r, [&](const Stretch& s) {
        std::array<exec::Elements, 5> sources;
        size_t count = 0;
        for (int o = isa::Has(r.op, isa::kReadsDst) ? 0 : 1; !found && o < r.operand_count; ++o) {
            const DataType type = r.operand[static_cast<size_t>(o)].type;
            if (!IsFloating(type)) continue;
            const uint64_t at = s.at[static_cast<size_t>(o)];
            const uint8_t* old = before.Whole(r, o, {at, at + BytesOf(type, s.lanes)});
            const Magnitudes wanted = of_source(r, o, type);
            if (old) sources[count++] = {type, old, wanted.first, wanted.end};
        }
        const exec::Elements result{r.dst().type, results.At(s.at[0]), inside.first, inside.end};
        found = found || exec::AnyOutsideOfInside(result, sources.data(), count, s.lanes);
    });
    return found;
}

}  // namespace sfumato::sanitize
