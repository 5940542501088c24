// SPDX-License-Identifier: Apache-2.0
// Sum, Mean, the reductions with a pattern, CumSum (adv.md 5 and 6).
#include "sfumato/ascendc/adv/reduction.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/adv/rows.h"
#include "sfumato/tiling/call_sizes.h"

namespace sfumato::ascendc {
namespace {

using namespace adv;

constexpr const char* kReductionNames[] = {"Sum",       "Mean",       "ReduceSum", "ReduceMean", "ReduceMax",
                                           "ReduceMin", "ReduceProd", "ReduceAny", "ReduceAll"};

bool Check(const Caller& at, const ReductionCall& call) {
    const bool along = call.function == RowFunction::kSum || call.function == RowFunction::kMean;
    if (call.function == RowFunction::kReduceSum &&
        !at.RequireFact(&soc::Chip::reduce_sum_pattern, "call Sum on the rows")) {
        return false;
    }
    if (!call.padded) {
        return at.Refuse("srcInnerPad", "this chip takes rows padded to blocks only", "false", "true",
                         "let each row begin at a multiple of 32 bytes");
    }
    if (!at.CheckRow(along ? "inner" : "srcShape", call.src.type, call.pitch)) return false;
    if (call.columns < 1 || call.columns > call.pitch) {
        return at.Refuse("n", "the elements of a row are out of range", fmt::format("{}", call.columns),
                         fmt::format("1 to inner, {}", call.pitch), "");
    }
    const uint64_t all = call.rows == 0 ? 0 : uint64_t{call.rows - 1} * call.pitch + call.columns;
    return at.CheckNeeds({{"dst", &call.dst, call.down ? call.columns : call.rows}, {"src", &call.src, all}});
}

class Reduction : RowSteps {
public:
    Reduction(const Caller& at, const ReductionCall& call) : RowSteps(at.core, call.where), at_(at), call_(call) {}

    void Run() {
        if (call_.rows == 0) return;
        const Space space(at_);
        if (call_.function == RowFunction::kReduceProd && !call_.down) return Products(space);
        Whole(space);
    }

private:
    bool Logical() const {
        return call_.function == RowFunction::kReduceAny || call_.function == RowFunction::kReduceAll;
    }
    // Half data of Mean are computed in float; bytes are truth values in half.
    DataType Working() const {
        if (call_.function == RowFunction::kMean) return DataType::kFloat;
        return call_.src.type == DataType::kUint8 ? DataType::kHalf : call_.src.type;
    }
    adv::Fold Folding() const {
        switch (call_.function) {
            case RowFunction::kReduceMax:
            case RowFunction::kReduceAny: return adv::Fold::kMax;
            case RowFunction::kReduceMin:
            case RowFunction::kReduceAll: return adv::Fold::kMin;
            default: return adv::Fold::kSum;
        }
    }
    bool Mean() const { return call_.function == RowFunction::kMean || call_.function == RowFunction::kReduceMean; }
    void Whole(Space space);
    void Products(Space space);
    Rows Prepared(const Rows& rows, const Vec& room);
    void Down(const Vec& results, const Rows& rows, bool first);

    const Caller& at_;
    const ReductionCall& call_;
};

// Rows in the type of the steps; of truth values, 0 or 1.
Rows Reduction::Prepared(const Rows& rows, const Vec& room) {
    if (rows.vec.type == Working() && !Logical()) return rows;
    const Rows to{room, rows.rows, rows.columns, rows.pitch};
    Cast(to.Whole(), rows.Whole(), Rounding::kNone);
    if (!Logical()) return to;
    Abs(to.Whole(), rows.vec.type == Working() ? rows.Whole() : to.Whole());
    const DataType integer = Working() == DataType::kHalf ? DataType::kInt16 : DataType::kInt32;
    const Vec bits = As(to.Whole(), integer);
    Mins(bits, bits, 1);
    Cast(to.Whole(), bits, Rounding::kRint);
    return to;
}

// Row after row onto the results, or, of the first rows, the first row as it is.
void Reduction::Down(const Vec& results, const Rows& rows, bool first) {
    for (uint32_t r = 0; r < rows.rows; ++r) {
        const Vec row = Part(rows.vec, uint64_t{r} * rows.pitch, rows.columns);
        if (first && r == 0) {
            Copy(results, row);
        } else if (call_.function == RowFunction::kReduceProd) {
            Mul(results, results, row);
        } else if (Folding() == adv::Fold::kSum) {
            Add(results, results, row);
        } else {
            Folding() == adv::Fold::kMax ? Max(results, results, row) : Min(results, results, row);
        }
    }
}

// Results of another type than the steps' are converted a part at a time, which begins at a whole block.
void Reduction::Whole(Space space) {
    const DataType type = Working();
    const uint32_t results = call_.down ? call_.columns : call_.rows;
    const bool copies = type != call_.src.type || Logical(), own = type != call_.dst.type;
    const auto size = static_cast<uint32_t>(BytesOf(type, 1));
    const bool extreme = Folding() != adv::Fold::kSum && !call_.down;
    const RowNeed need = tiling::ReductionNeed(size, call_.pitch, copies, own, call_.down, extreme);
    const uint32_t at_once = RowsAtOnce(at_, space.bytes(), need, call_.rows);
    if (at_once == 0) return;
    const uint32_t part = own && !call_.down ? static_cast<uint32_t>(tiling::kResultBytes) / size : results;
    const Vec dst = Part(VecOf(call_.dst), 0, results);
    const Vec own_results = own ? space.Take(type, part) : Vec{};
    const Vec room = copies ? space.Take(type, uint64_t{at_once} * call_.pitch) : Vec{};
    const Vec pairs = extreme ? space.Take(type, tiling::kPairBytes / size) : Vec{};
    const auto finish = [&](const Vec& into, const Vec& from) {
        if (Mean()) Muls(from, from, 1.0F / static_cast<float>(call_.down ? call_.rows : call_.columns));
        Cast(into, from, Rounding::kRint);
    };
    const auto rows_from = [&](uint32_t r, uint32_t n) {
        return Prepared({From(VecOf(call_.src), uint64_t{r} * call_.pitch), n, call_.columns, call_.pitch}, room);
    };
    if (call_.down) {
        const Vec to = own ? own_results : dst;
        for (uint32_t r = 0; r < call_.rows; r += at_once) {
            Down(to, rows_from(r, std::min(at_once, call_.rows - r)), r == 0);
        }
        return finish(dst, to);
    }
    for (uint32_t first = 0; first < results; first += part) {
        const uint32_t last = std::min(first + part, results);
        const Vec to = own ? Part(own_results, 0, last - first) : dst;
        for (uint32_t r = first; r < last; r += at_once) {
            Reduce(Folding(), From(to, own ? r - first : r), rows_from(r, std::min(at_once, last - r)), space, pairs);
        }
        finish(Part(dst, first, last - first), to);
    }
}

// Element after element of all rows at once: gathered, for no instruction begins inside a block.
void Reduction::Products(Space space) {
    const uint32_t rows = call_.rows;
    const uint64_t needed = tiling::ProductBytes(rows);
    if (!at_.CheckSpace(space.bytes(), needed)) return;
    const Vec offsets = space.Take(DataType::kInt32, rows), column = space.Take(DataType::kFloat, rows);
    const Vec dst = Part(VecOf(call_.dst), 0, rows), src = VecOf(call_.src);
    Progression(offsets, 0, BytesOf(DataType::kFloat, call_.pitch));
    Gather(dst, src, offsets, 0);
    for (uint32_t c = 1; c < call_.columns; ++c) {
        Gather(column, src, offsets, BytesOf(DataType::kFloat, c));
        Mul(dst, dst, column);
    }
}

// CumSum: half data in float, the running sum too (adv.md 5).
class CumSum : RowSteps {
public:
    CumSum(const Caller& at, const CumSumCall& call) : RowSteps(at.core, call.where), at_(at), call_(call) {}
    void Run() {
        if (!Check() || call_.rows == 0) return;
        call_.along ? Along() : Down();
    }

private:
    bool Check();
    void Down();
    void Along();
    Vec Row(const VectorOperand& operand, uint32_t r) const {
        return Part(VecOf(operand), uint64_t{r} * call_.columns, call_.columns);
    }
    const Caller& at_;
    const CumSumCall& call_;
};

bool CumSum::Check() {
    const uint64_t all = uint64_t{call_.rows} * call_.columns;
    return at_.CheckRow("inner", call_.src.type, call_.columns) &&
           at_.CheckNeeds({{"dst", &call_.dst, all},
                           {"src", &call_.src, all},
                           {"lastRow", &call_.last, call_.along ? call_.rows : call_.columns, nullptr, true}});
}

void CumSum::Down() {
    const bool widens = call_.src.type != DataType::kFloat;
    Space space(at_);
    const uint64_t needed = tiling::CumSumDownBytes(call_.columns, widens);
    if (!at_.CheckSpace(space.bytes(), needed)) return;
    const Vec sum = widens ? space.Take(DataType::kFloat, call_.columns) : Vec{};
    const Vec wide = widens ? space.Take(DataType::kFloat, call_.columns) : Vec{};
    for (uint32_t r = 0; r < call_.rows; ++r) {
        if (widens) {
            Cast(r == 0 ? sum : wide, Row(call_.src, r), Rounding::kNone);
            if (r != 0) Add(sum, sum, wide);
            Cast(Row(call_.dst, r), sum, Rounding::kRint);
        } else if (r == 0) {
            Copy(Row(call_.dst, 0), Row(call_.src, 0));
        } else {
            Add(Row(call_.dst, r), Row(call_.dst, r - 1), Row(call_.src, r));
        }
    }
    if (call_.last.tensor) Copy(Part(VecOf(call_.last), 0, call_.columns), Row(call_.dst, call_.rows - 1));
}

// Columns as rows of a matrix of `rows` elements each, one added to the next, and back.
void CumSum::Along() {
    Space space(at_);
    const bool widens = call_.src.type != DataType::kFloat;
    const uint32_t columns = call_.columns;
    const auto bytes = [&](uint32_t rows) {
        return tiling::CumSumAlongBytes(rows, call_.rows, columns, widens, call_.last.tensor);
    };
    if (!at_.CheckSpace(space.bytes(), bytes(1))) return;
    uint32_t at_once = call_.rows;
    while (bytes(at_once) > space.bytes()) at_once = at_once > 8 ? (at_once - 1) / 8 * 8 : at_once - 1;
    const auto pitch = static_cast<uint32_t>(RoundUpTo(at_once, 8));
    const Vec turned = space.Take(DataType::kFloat, uint64_t{pitch} * columns);
    const Vec down = space.Take(DataType::kInt32, pitch), across = space.Take(DataType::kInt32, columns);
    const Vec ends = call_.last.tensor ? space.Take(DataType::kInt32, call_.rows) : Vec{};
    const Vec wide = space.Take(DataType::kFloat, widens ? uint64_t{at_once} * columns : columns);
    Progression(down, 0, BytesOf(DataType::kFloat, columns));
    Progression(across, 0, BytesOf(DataType::kFloat, pitch));
    for (uint32_t first = 0; first < call_.rows; first += at_once) {
        const uint32_t n = std::min(at_once, call_.rows - first);
        Vec src = From(VecOf(call_.src), uint64_t{first} * columns);
        if (widens) {
            Cast(Part(wide, 0, uint64_t{n} * columns), Part(src, 0, uint64_t{n} * columns), Rounding::kNone);
            src = wide;
        }
        const auto column = [&](uint32_t c) { return Part(turned, uint64_t{c} * pitch, n); };
        for (uint32_t c = 0; c < columns; ++c) {
            Gather(column(c), src, Part(down, 0, n), BytesOf(DataType::kFloat, c));
            if (c != 0) Add(column(c), column(c - 1), column(c));
        }
        for (uint32_t r = 0; r < n; ++r) {
            const Vec row = Row(call_.dst, first + r), to = widens ? Part(wide, 0, columns) : row;
            Gather(to, turned, across, BytesOf(DataType::kFloat, r));
            Cast(row, to, Rounding::kRint);
        }
    }
    if (!call_.last.tensor) return;
    const uint64_t size = BytesOf(call_.dst.type, 1);
    Progression(ends, (columns - 1) * size, columns * size);
    Gather(Part(VecOf(call_.last), 0, call_.rows), VecOf(call_.dst), ends, 0);
}

}  // namespace

void ReduceRows(const ReductionCall& call) {
    const Caller at(kReductionNames[static_cast<size_t>(call.function)], call.tmp, call.where);
    if (!Check(at, call)) return;
    Reduction(at, call).Run();
    if (call.reuses) at.TellReused(call.dst, call.src, uint64_t{call.rows} * call.pitch);
}

void CumulateRows(const CumSumCall& call) {
    const Caller at("CumSum", call.tmp, call.where);
    CumSum(at, call).Run();
    if (call.reuses) at.TellReused(call.dst, call.src, uint64_t{call.rows} * call.columns);
}

}  // namespace sfumato::ascendc
