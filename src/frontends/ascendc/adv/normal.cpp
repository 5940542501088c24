// SPDX-License-Identifier: Apache-2.0
// LayerNorm and its variants, row by row in float: half data are widened and narrowed once (adv.md 7).
#include "sfumato/ascendc/adv/normal.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "frontends/ascendc/adv/rows.h"
#include "sfumato/tiling/call_sizes.h"

namespace sfumato::ascendc {
namespace {

using namespace adv;

// Operands as the pages spell them.
struct Names {
    const char *dst = "output", *src = "inputX", *gamma = "gamma", *beta = "beta";
    const char *mean = "outputMean", *variance = "outputVariance";
};
const Names& NamesOf(NormKind kind) {
    static constexpr Names kLayer;
    static constexpr Names kDeep = {"dstLocal", "srcLocal", "gammaLocal", "betaLocal", "meanLocal", "rstdLocal"};
    static constexpr Names kGiven = {"output", "inputX", "gamma", "beta", "inputMean", "inputVariance"};
    return kind == NormKind::kDeepNorm ? kDeep : kind == NormKind::kNormalize ? kGiven : kLayer;
}

class Norm : RowSteps {
public:
    Norm(const Caller& at, const NormCall& call)
        : RowSteps(at.core, call.where), at_(at), call_(call), widens_(call.dst.type != DataType::kFloat) {}
    void Run();

private:
    bool Check();
    bool CheckKind();
    bool Grouped() const { return call_.kind == NormKind::kGroupNorm; }
    // Whether output and inputX may be one tensor.
    bool InPlace() const {
        return call_.kind != NormKind::kNormalize && (call_.kind != NormKind::kDeepNorm || call_.reuses);
    }
    void Pass(uint32_t first, uint32_t n, Space space);
    void Centre(const Rows& x, uint32_t first);
    Vec Moments(const Rows& x, uint32_t first);
    void Factors(const Rows& out, uint32_t first);
    void Sum(const Rows& t, const Vec& blocks);
    Vec InFloat(const VectorOperand& row, Space* space);

    const Caller& at_;
    const NormCall& call_;
    const bool widens_;
    Vec gamma_, beta_;
    Vec factors_, factor_values_;  // of the channels of a group
    // Temporaries of a pass.
    uint32_t n_ = 0;
    std::optional<Space> levels_;
    SideRoom room_;
    Vec x_, product_, mean_, spread_;
};

bool Norm::Check() {
    if (call_.columns == 0 || call_.columns > call_.pitch) {
        return at_.Refuse("tiling", "the length of a row is out of range",
                          fmt::format("{} of {}", call_.columns, call_.pitch), "1 to the length with padding", "");
    }
    if (!at_.CheckRow("tiling", call_.src.type, call_.pitch) || !CheckKind()) return false;
    const uint64_t all = uint64_t{call_.rows} * call_.pitch;
    const uint64_t factors = Grouped() ? uint64_t{call_.groups} * call_.channels : call_.columns;
    const bool puts = call_.kind != NormKind::kNormalize;  // mean and variance
    const Names& names = NamesOf(call_.kind);
    return at_.CheckNeeds({{names.dst, &call_.dst, all},
                           {names.src, &call_.src, all, InPlace() ? &call_.dst : nullptr},
                           {names.gamma, &call_.gamma, factors},
                           {names.beta, &call_.beta, factors},
                           {names.mean, &call_.mean, call_.rows, nullptr, puts},
                           {names.variance, &call_.variance, call_.rows, nullptr, puts},
                           {"gxLocal", &call_.added, all},
                           {"outputRstd", &call_.rstd, call_.rows, nullptr, true}});
}

// What the variants ask besides.
bool Norm::CheckKind() {
    const auto refuse = [&](const char* operand, const char* message, uint64_t found, const std::string& legal) {
        return at_.Refuse(operand, message, fmt::format("{}", found), legal, "");
    };
    if (call_.kind == NormKind::kDeepNorm) {
        if (call_.pitch > tiling::kDeepNormColumns) {
            return refuse("tiling", "the rows are too long", call_.pitch,
                          fmt::format("H of at most {}", tiling::kDeepNormColumns));
        }
        return !call_.basic_block ||
               at_.CheckBasicBlock("tiling", call_.rows, call_.pitch,
                                   call_.rows % 8 == 0 && call_.pitch % 64 == 0 && call_.columns == call_.pitch,
                                   "H a multiple of 64, at most 2040, without padding; B x S a multiple of 8");
    }
    if (Grouped()) {
        return at_.RequireFact(&soc::Chip::group_norm, "call LayerNorm of each group") &&
               at_.CheckRow("tiling", call_.src.type, call_.columns / call_.channels);
    }
    const bool promised = call_.rows_of_config >= 0;
    if (promised && static_cast<uint32_t>(call_.rows_of_config) != call_.rows) {
        return refuse("para", "aLength is not that of the configuration", call_.rows,
                      fmt::format("{}", call_.rows_of_config));
    }
    return true;
}

// gamma or beta as a row in float.
Vec Norm::InFloat(const VectorOperand& row, Space* space) {
    const Vec whole = Part(VecOf(row), 0, std::min<uint64_t>(row.tensor->size, call_.pitch));
    if (row.type == DataType::kFloat) return whole;
    const Vec wide = space->Take(DataType::kFloat, call_.pitch);
    Cast(Part(wide, 0, whole.size()), whole, Rounding::kNone);
    return wide;
}

void Norm::Run() {
    if (!Check() || call_.rows == 0) return;
    Space space(at_);
    const auto widened = [](const VectorOperand& row) { return row.tensor && row.type != DataType::kFloat; };
    const RowNeed need = Grouped() ? tiling::GroupNormNeed(call_.pitch, widens_, call_.channels)
                                   : tiling::NormNeed(call_.pitch, widens_, call_.kind == NormKind::kRmsNorm,
                                                      uint32_t{widened(call_.gamma)} + widened(call_.beta));
    const uint32_t at_once = RowsAtOnce(at_, space.bytes(), need, call_.rows);
    if (at_once == 0) return;
    if (Grouped()) {
        factors_ = space.Take(DataType::kFloat, BlocksRoom(call_.channels));
        factor_values_ = space.Take(DataType::kFloat, ValuesRoom(call_.channels));
    } else {
        if (call_.gamma.tensor) gamma_ = InFloat(call_.gamma, &space);
        if (call_.beta.tensor) beta_ = InFloat(call_.beta, &space);
    }
    for (uint32_t first = 0; first < call_.rows; first += at_once) {
        Pass(first, std::min(at_once, call_.rows - first), space);
    }
    ResetMask();
}

// Of each row. LayerNorm with para: what is past the largest power of two onto the head, neighbouring 256 bytes of the
// head onto each other until one is left; rows shorter than two blocks by the tree alone.
void Norm::Sum(const Rows& t, const Vec& blocks) {
    Rows head = t;
    if (call_.kind == NormKind::kLayerNormRstd && t.columns >= 16) {
        const uint32_t lanes = RepeatElements(DataType::kFloat);
        head.columns = std::bit_floor(t.columns);
        const uint64_t tail = t.columns - head.columns;
        if (tail != 0) Add(t.Columns(0, tail), t.Columns(0, tail), t.Columns(head.columns, tail));
        for (; head.columns > lanes; head.columns /= 2) {
            for (uint32_t c = 0; c < head.columns / 2; c += lanes) {
                Add(t.Columns(c, lanes), t.Columns(2 * c, lanes), t.Columns(2 * c + lanes, lanes));
            }
        }
    }
    Reduce(adv::Fold::kSum, room_.values, head, *levels_);
    Broadcast(blocks, room_.values, n_);
}

// mean_, and in x_ the rows without it; in spread_ the variance.
void Norm::Centre(const Rows& x, uint32_t first) {
    const float share = 1.0F / static_cast<float>(call_.columns);
    const Rows centred{x_, n_, call_.columns, call_.pitch}, product{product_, n_, call_.columns, call_.pitch};
    Muls(product.Whole(), x.Whole(), share);
    Sum(product, mean_);
    Sub(centred, x, BlockEach(mean_));
    Mul(product.Whole(), centred.Whole(), centred.Whole());
    Muls(product.Whole(), product.Whole(), share);
    Sum(product, spread_);
    const uint64_t blocks = uint64_t{n_} * 8;
    if (call_.mean.tensor) Put(VecOf(call_.mean), first, true, Part(mean_, 0, blocks), n_, room_);
    if (call_.variance.tensor && call_.kind != NormKind::kLayerNormRstd) {
        Put(VecOf(call_.variance), first, true, Part(spread_, 0, blocks), n_, room_);
    }
}

// The rows centred in x_ (of RmsNorm in place), and what the square root is taken of.
Vec Norm::Moments(const Rows& x, uint32_t first) {
    if (call_.kind == NormKind::kNormalize) {
        Sub({x_, n_, call_.columns, call_.pitch}, x, BlockEach(Get(VecOf(call_.mean), first, n_, mean_, room_.values)));
        return Get(VecOf(call_.variance), first, n_, spread_, room_.values);
    }
    if (call_.kind == NormKind::kRmsNorm) {
        const Rows product{product_, n_, call_.columns, call_.pitch};
        Mul(product.Whole(), x.Whole(), x.Whole());
        Muls(product.Whole(), product.Whole(), 1.0F / static_cast<float>(call_.columns));
        Sum(product, spread_);
    } else {
        Centre(x, first);
    }
    return Part(spread_, 0, uint64_t{n_} * 8);
}

// gamma and beta: one for each column, or for each channel of a group.
void Norm::Factors(const Rows& out, uint32_t first) {
    if (!Grouped()) {
        if (call_.gamma.tensor) Mul(out, out, OneRow(gamma_));
        if (call_.beta.tensor) Add(out, out, OneRow(beta_));
        return;
    }
    const uint32_t width = call_.columns / call_.channels;
    for (uint32_t r = 0; r < n_; ++r) {
        const Rows channels{From(out.vec, uint64_t{r} * call_.pitch), call_.channels, width, width};
        const uint32_t channel = (first + r) % call_.groups * call_.channels;
        const auto of = [&](const VectorOperand& row) {
            return BlockEach(Get(VecOf(row), channel, call_.channels, factors_, factor_values_));
        };
        Mul(channels, channels, of(call_.gamma));
        Add(channels, channels, of(call_.beta));
    }
}

void Norm::Pass(uint32_t first, uint32_t n, Space space) {
    n_ = n;
    const uint64_t wide = uint64_t{n} * call_.pitch, eights = RoundUpTo(n, 8) * 8;
    const bool rms = call_.kind == NormKind::kRmsNorm;
    if (!rms || widens_) x_ = space.Take(DataType::kFloat, wide);
    product_ = space.Take(DataType::kFloat, wide);
    room_.values = space.Take(DataType::kFloat, eights / 8 + 8);
    room_.narrow_values = space.Take(DataType::kHalf, eights / 8);
    mean_ = space.Take(DataType::kFloat, eights);
    spread_ = space.Take(DataType::kFloat, eights);
    room_.narrow_blocks = space.Take(DataType::kHalf, eights * 2);
    levels_ = space;
    if (n % 8 != 0) Duplicate(room_.values, 0);  // Broadcast reads eight at a time
    if (n % 8 != 0) Duplicate(room_.narrow_values, 0);

    const auto rows = [&](const VectorOperand& operand) {
        return Rows{From(VecOf(operand), uint64_t{first} * call_.pitch), n, call_.columns, call_.pitch};
    };
    const Rows dst = rows(call_.dst), product{product_, n, call_.columns, call_.pitch};
    const Rows own{x_, n, call_.columns, call_.pitch};
    Rows x = rows(call_.src);
    if (widens_) {
        Cast(own.Whole(), x.Whole(), Rounding::kNone);
        x = own;
    }
    if (call_.added.tensor) {
        Muls(own.Whole(), x.Whole(), call_.alpha);
        Rows added = rows(call_.added);
        if (widens_) {
            Cast(product.Whole(), added.Whole(), Rounding::kNone);
            added = product;
        }
        Add(own.Whole(), own.Whole(), added.Whole());
        x = own;
    }
    const Vec spread = Moments(x, first), ones = Part(mean_, 0, spread.size());
    if (!rms) x = own;
    Adds(spread, spread, call_.epsilon);
    Sqrt(spread, spread);
    if (!Grouped()) Duplicate(ones, 1);
    if (!Grouped()) Div(spread, ones, spread);
    const VectorOperand& told = call_.kind == NormKind::kLayerNormRstd ? call_.variance : call_.rstd;
    if (told.tensor) Put(VecOf(told), first, true, spread, n, room_);
    const Rows out = widens_ ? product : dst;
    Grouped() ? Div(out, x, BlockEach(spread)) : Mul(out, x, BlockEach(spread));
    Factors(out, first);
    for (uint32_t r = 0; widens_ && r < n; ++r) {
        Cast(Part(dst.vec, uint64_t{r} * call_.pitch, call_.columns),
             Part(out.vec, uint64_t{r} * call_.pitch, call_.columns), Rounding::kRint);
    }
}

}  // namespace

void NormalizeRows(const NormCall& call) {
    constexpr const char* kNames[] = {"LayerNorm", "RmsNorm", "LayerNorm", "DeepNorm", "Normalize", "GroupNorm"};
    const Caller at(kNames[static_cast<size_t>(call.kind)], call.tmp, call.where);
    Norm(at, call).Run();
    if (call.reuses) at.TellReused(call.dst, call.src, uint64_t{call.rows} * call.pitch);
}

}  // namespace sfumato::ascendc
