// SPDX-License-Identifier: Apache-2.0
// LayerNormGrad and LayerNormGradBeta, in float: half data are widened and narrowed once (adv.md 7).
#include "sfumato/ascendc/adv/normal.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/adv/rows.h"
#include "sfumato/tiling/call_sizes.h"

namespace sfumato::ascendc {
namespace {

using namespace adv;

class Gradient : RowSteps {
public:
    Gradient(const Caller& at, const NormGradientCall& call)
        : RowSteps(at.core, call.where), at_(at), call_(call), widens_(call.x.type != DataType::kFloat) {}

    void Run() {
        Space space(at_);
        const RowNeed need = tiling::NormGradientNeed(call_.columns, widens_);
        const uint32_t at_once = RowsAtOnce(at_, space.bytes(), need, call_.rows);
        if (at_once == 0) return;
        gamma_ = Part(VecOf(call_.gamma), 0, call_.columns);
        if (widens_) gamma_ = space.Take(DataType::kFloat, call_.columns);
        Cast(gamma_, Part(VecOf(call_.gamma), 0, call_.columns), Rounding::kNone);
        for (uint32_t r = 0; r < call_.rows; r += at_once) Pass(r, std::min(at_once, call_.rows - r), space);
        ResetMask();
    }

private:
    Rows RowsOf(const VectorOperand& operand) const {
        return {From(VecOf(operand), uint64_t{first_} * call_.columns), n_, call_.columns, call_.columns};
    }
    Rows Temporary(Space* space) const {
        return {space->Take(DataType::kFloat, uint64_t{n_} * call_.columns), n_, call_.columns, call_.columns};
    }
    // The rows of `operand` in float: as they are, or widened into `room`.
    Rows InFloat(const VectorOperand& operand, const Rows& room) {
        const Rows rows = RowsOf(operand);
        if (!widens_) return rows;
        Cast(room.Whole(), rows.Whole(), Rounding::kNone);
        return room;
    }
    void Narrow(const VectorOperand& to, const Rows& from) {
        const Rows rows = RowsOf(to);
        widens_ ? Cast(rows.Whole(), from.Whole(), Rounding::kRint) : Copy(rows.Whole(), from.Whole());
    }
    void Sum(const Vec& blocks, const Rows& t, const Vec& values, const Space& levels) {
        Reduce(Fold::kSum, values, t, levels);
        Broadcast(blocks, values, n_);
    }
    void Pass(uint32_t first, uint32_t n, Space space);

    const Caller& at_;
    const NormGradientCall& call_;
    const bool widens_;
    Vec gamma_;
    uint32_t first_ = 0, n_ = 0;
};

void Gradient::Pass(uint32_t first, uint32_t n, Space space) {
    first_ = first, n_ = n;
    const Rows x1 = Temporary(&space), x2 = Temporary(&space), t = Temporary(&space);
    const uint64_t eights = RoundUpTo(n, 8) * 8, blocks = uint64_t{n} * 8;
    const Vec values = space.Take(DataType::kFloat, eights / 8 + 8);
    const Vec whole[] = {space.Take(DataType::kFloat, eights), space.Take(DataType::kFloat, eights),
                         space.Take(DataType::kFloat, eights), space.Take(DataType::kFloat, eights)};
    if (n % 8 != 0) Duplicate(values, 0);  // Broadcast reads eight at a time
    const float back = 1.0F / static_cast<float>(call_.columns);

    Mul(x1, InFloat(call_.dy, x1), OneRow(gamma_));
    Sub(x2, InFloat(call_.x, x2), BlockEach(Get(VecOf(call_.mean), first, n, whole[0], values)));
    // 1 / sqrt(variance + epsilon), and its cube.
    const Vec root = Get(VecOf(call_.variance), first, n, whole[1], values);
    const Vec cube = Part(whole[0], 0, blocks), pd_var = Part(whole[2], 0, blocks), pd_mean = Part(whole[3], 0, blocks);
    Adds(root, root, call_.epsilon);
    Duplicate(cube, 1);
    Div(root, cube, root);
    Sqrt(root, root);
    Mul(cube, root, root);
    Mul(cube, cube, root);
    Muls(t.Whole(), x1.Whole(), -0.5);
    Mul(t.Whole(), t.Whole(), x2.Whole());
    Mul(t, t, BlockEach(cube));
    Sum(whole[2], t, values, space);
    Muls(t.Whole(), x1.Whole(), -1);
    Mul(t, t, BlockEach(root));
    Sum(whole[3], t, values, space);
    Muls(t.Whole(), x2.Whole(), -2);
    Sum(whole[0], t, values, space);  // cube has been used
    Mul(x1, x1, BlockEach(root));
    Mul(t, x2, BlockEach(root));
    Narrow(call_.res_for_gamma, t);
    const Vec rest = Part(t.vec, 0, blocks);
    Muls(rest, pd_var, back);
    Mul(rest, rest, Part(whole[0], 0, blocks));
    Add(pd_mean, pd_mean, rest);
    Muls(pd_var, pd_var, 2 * back);
    Mul(x2, x2, BlockEach(pd_var));
    Muls(pd_mean, pd_mean, back);
    Add(x2, x2, BlockEach(pd_mean));
    Add(x1.Whole(), x1.Whole(), x2.Whole());
    Narrow(call_.pd_x, x1);
}

// What both calls ask of the shape.
bool CheckShape(const Caller& at, const NormGradientCall& call) {
    if (call.format != AscendC::DataFormat::ND) {
        return at.Refuse("shapeInfo", "the data are in ND", fmt::format("DataFormat {}", static_cast<int>(call.format)),
                         "DataFormat::ND", "");
    }
    if (!at.CheckRow("tiling", call.dy.type, call.columns)) return false;
    if (call.before_padding == call.columns) return true;
    return at.Refuse("tiling", "H before padding is not H", fmt::format("{} of {}", call.before_padding, call.columns),
                     fmt::format("{}", call.columns), "rows of these calls have no padding");
}

// Which of two destinations a source may share its tensor with: either.
const VectorOperand* SharedWith(const VectorOperand& source, const VectorOperand& first, const VectorOperand& second) {
    return source.tensor->address == first.tensor->address ? &first : &second;
}

}  // namespace

void NormGradient(const NormGradientCall& call) {
    const Caller at("LayerNormGrad", call.tmp, call.where);
    const uint64_t all = uint64_t{call.rows} * call.columns;
    if (CheckShape(at, call) &&
        at.CheckNeeds({{"outputPdX", &call.pd_x, all},
                       {"resForGamma", &call.res_for_gamma, all, nullptr, true},
                       {"inputDy", &call.dy, all, SharedWith(call.dy, call.pd_x, call.res_for_gamma)},
                       {"inputX", &call.x, all, SharedWith(call.x, call.pd_x, call.res_for_gamma)},
                       {"inputVariance", &call.variance, call.rows},
                       {"inputMean", &call.mean, call.rows},
                       {"inputGamma", &call.gamma, call.columns}}) &&
        call.rows != 0) {
        Gradient(at, call).Run();
        if (call.reuses) at.TellReused(*SharedWith(call.x, call.pd_x, call.res_for_gamma), call.x, all);
    }
}

void NormGradientBeta(const NormGradientCall& call) {
    const Caller at("LayerNormGradBeta", call.tmp, call.where);
    const uint32_t columns = call.columns;
    const uint64_t all = uint64_t{call.rows} * columns;
    if (!CheckShape(at, call) ||
        !at.CheckNeeds(
            {{"outputPdGamma", &call.pd_gamma, columns},
             {"outputPdBeta", &call.pd_beta, columns, nullptr, true},
             {"resForGamma", &call.res_for_gamma, all, SharedWith(call.res_for_gamma, call.pd_gamma, call.pd_beta)},
             {"inputDy", &call.dy, all, SharedWith(call.dy, call.pd_gamma, call.pd_beta)}}) ||
        call.rows == 0) {
        return;
    }
    RowSteps s(at.core, call.where);
    Space space(at);
    const uint64_t needed = tiling::NormGradientBetaNeed(columns).Bytes(1);
    if (!at.CheckSpace(space.bytes(), needed)) return;
    const auto take = [&] { return space.Take(DataType::kFloat, columns); };
    const Vec gamma = take(), beta = take(), dy = take(), product = take();
    for (uint32_t r = 0; r < call.rows; ++r) {
        const auto row = [&](const VectorOperand& operand, const Vec& room) {
            const Vec part = Part(VecOf(operand), uint64_t{r} * columns, columns);
            s.Cast(room, part, Rounding::kNone);
            return part.type == DataType::kFloat ? part : room;
        };
        const Vec d = row(call.dy, dy), res = row(call.res_for_gamma, product);
        s.Mul(product, d, res);
        r == 0 ? s.Copy(gamma, product) : s.Add(gamma, gamma, product);
        r == 0 ? s.Copy(beta, d) : s.Add(beta, beta, d);
    }
    const auto narrow = [&](const VectorOperand& to, const Vec& from) {
        const Vec row = Part(VecOf(to), 0, columns);
        row.type == DataType::kFloat ? s.Copy(row, from) : s.Cast(row, from, Rounding::kRint);
    };
    narrow(call.pd_gamma, gamma);
    narrow(call.pd_beta, beta);
    ResetMask();
    if (!call.reuses) return;
    for (const VectorOperand* source : {&call.res_for_gamma, &call.dy})
        at.TellReused(*SharedWith(*source, call.pd_gamma, call.pd_beta), *source, all);
}

}  // namespace sfumato::ascendc
