// SPDX-License-Identifier: Apache-2.0
// BatchNorm, sample after sample in float: half data are widened and narrowed once (adv.md 7).
#include <algorithm>

#include "frontends/ascendc/adv/rows.h"
#include "sfumato/ascendc/adv/normal.h"
#include "sfumato/tiling/call_sizes.h"

namespace sfumato::ascendc {
namespace {

using namespace adv;

using tiling::kBatchFactors;

class Batch : RowSteps {
public:
    Batch(const Caller& at, const BatchNormCall& call, Space space)
        : RowSteps(at.core, call.where),
          call_(call),
          t_(space.Take(DataType::kFloat, call.columns)),
          mean_(space.Take(DataType::kFloat, call.columns)),
          spread_(space.Take(DataType::kFloat, call.columns)),
          gamma_(space.Take(DataType::kFloat, BlocksRoom(kBatchFactors))),
          beta_(space.Take(DataType::kFloat, BlocksRoom(kBatchFactors))),
          values_(space.Take(DataType::kFloat, ValuesRoom(kBatchFactors))) {}

    void Run() {
        const float share = 1.0F / static_cast<float>(call_.rows);
        for (uint32_t b = 0; b < call_.rows; ++b) Gather(mean_, b, [&] { Muls(t_, Sample(b), share); });
        for (uint32_t b = 0; b < call_.rows; ++b) {
            Gather(spread_, b, [&] {
                Sub(t_, Sample(b), mean_);
                Mul(t_, t_, t_);
                Muls(t_, t_, share);
            });
        }
        Narrow(call_.mean, 0, mean_);
        Narrow(call_.variance, 0, spread_);
        Adds(spread_, spread_, call_.epsilon);
        Sqrt(spread_, spread_);
        Duplicate(t_, 1);
        Div(spread_, t_, spread_);
        for (uint32_t b = 0; b < call_.rows; b += kBatchFactors) {
            const uint32_t n = std::min(kBatchFactors, call_.rows - b);
            const Vec gamma = Get(VecOf(call_.gamma), b, n, gamma_, values_);
            const Vec beta = Get(VecOf(call_.beta), b, n, beta_, values_);
            for (uint32_t i = 0; i < n; ++i) Out(b + i, Part(gamma, 8 * i, 8), Part(beta, 8 * i, 8));
        }
        ResetMask();
    }

private:
    // Sample b in float: as it is, or widened into t_.
    Vec Sample(uint32_t b) {
        const Vec row = Part(VecOf(call_.src), uint64_t{b} * call_.columns, call_.columns);
        if (row.type == DataType::kFloat) return row;
        Cast(t_, row, Rounding::kNone);
        return t_;
    }
    // t_, once `step` has made it of sample b, onto the sum of those before.
    template <class Step>
    void Gather(const Vec& sum, uint32_t b, Step step) {
        step();
        b == 0 ? Copy(sum, t_) : Add(sum, sum, t_);
    }
    void Narrow(const VectorOperand& to, uint32_t row, const Vec& from) {
        const Vec part = Part(VecOf(to), uint64_t{row} * call_.columns, call_.columns);
        part.type == from.type ? Copy(part, from) : Cast(part, from, Rounding::kRint);
    }
    void Out(uint32_t b, const Vec& gamma, const Vec& beta) {
        const Rows row{t_, 1, call_.columns, call_.columns};
        Sub(t_, Sample(b), mean_);
        Mul(t_, t_, spread_);
        Mul(row, row, BlockEach(gamma));
        Add(row, row, BlockEach(beta));
        Narrow(call_.dst, b, t_);
    }

    const BatchNormCall& call_;
    const Vec t_, mean_, spread_, gamma_, beta_, values_;
};

}  // namespace

void NormalizeBatch(const BatchNormCall& call) {
    const Caller at("BatchNorm", call.tmp, call.where);
    const uint64_t all = uint64_t{call.rows} * call.columns;
    if (!at.CheckRow("tiling", call.src.type, call.columns) ||
        !at.CheckNeeds({{"output", &call.dst, all},
                        {"inputX", &call.src, all, &call.dst},
                        {"gamm", &call.gamma, call.rows},
                        {"beta", &call.beta, call.rows},
                        {"outputMean", &call.mean, call.columns, nullptr, true},
                        {"outputVariance", &call.variance, call.columns, nullptr, true}}) ||
        (call.basic_block && !at.CheckBasicBlock("tiling", call.rows, call.columns,
                                                 call.rows % 8 == 0 && call.columns % 64 == 0 && call.columns < 2048,
                                                 "B a multiple of 8; S x H below 2048, a multiple of 64")) ||
        call.rows == 0) {
        return;
    }
    const Space space(at);
    const uint64_t needed = tiling::BatchNormNeed(call.columns).Bytes(1);
    if (!at.CheckSpace(space.bytes(), needed)) return;
    Batch(at, call, space).Run();
    if (call.reuses) at.TellReused(call.dst, call.src, all);
}

}  // namespace sfumato::ascendc
