// SPDX-License-Identifier: Apache-2.0
// The softmax family, row by row in float: half data are widened and narrowed once (adv.md 4.1 and 4.2).
#include "sfumato/ascendc/adv/softmax.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "frontends/ascendc/adv/rows.h"
#include "frontends/ascendc/framework.h"

namespace sfumato::ascendc {
namespace {

using namespace adv;

constexpr uint32_t kFractal = 16;  // columns of a column of fractals: NZ
constexpr const char* kSoftmaxNames[] = {"SoftMax",          "SimpleSoftMax", "SoftmaxFlash", "SoftmaxFlashV2",
                                         "SoftmaxGradFront", "SoftmaxGrad",   "LogSoftMax"};

bool Gradients(SoftmaxKind kind) { return kind == SoftmaxKind::kGrad || kind == SoftmaxKind::kGradFront; }
bool Wide(const VectorOperand& operand) { return operand.type == DataType::kFloat; }

// The rows of one pass: of a tensor, or of a temporary that holds nothing else.
struct Sheet {
    std::vector<Rows> grids;  // ND one; NZ one each 16 columns
    uint32_t valid = 0;       // columns before padding

    static Sheet Of(const Vec& whole, bool nz, uint32_t rows, uint32_t columns, uint32_t valid, uint32_t first,
                    uint32_t n) {
        Sheet sheet{{}, valid};
        const uint32_t width = nz ? kFractal : columns;
        for (uint32_t c = 0; c < columns; c += width) {
            sheet.grids.push_back({From(whole, uint64_t{c} * rows + uint64_t{first} * width), n, width, width});
        }
        return sheet;
    }
    // Columns of grid i that are no padding.
    uint32_t Valid(size_t i) const {
        const uint32_t width = grids[i].columns, before = static_cast<uint32_t>(i) * width;
        return valid <= before ? 0 : std::min(width, valid - before);
    }
};

class Softmax : RowSteps {
public:
    Softmax(const Caller& at, const SoftmaxCall& call)
        : RowSteps(at.core, call.where), at_(at), call_(call), widens_(!Wide(call.dst)) {}
    void Run();

private:
    bool Check();
    bool CheckTensors();
    RowNeed Need() const;
    void Pass(uint32_t first, uint32_t n, Space space);
    void Forward(const Sheet& x, const Sheet& out);
    void Gradient(const Sheet& x, const Sheet& grad, const Sheet& dst);
    void Narrow(const Sheet& dst, const Sheet& out);

    // A row's values of a tensor beside the data, in float, a block a row.
    Vec Get(const VectorOperand& side, Vec* room);
    void Put(const VectorOperand& side, const Vec& blocks);
    // A tensor beside the data that needs no temporary: it is made where it is asked for.
    bool StandsIn(const VectorOperand& side) const {
        return side.tensor && !call_.update && !call_.compact && !Gradients(call_.kind) && Wide(side) && n_ % 8 == 0;
    }
    Vec BlocksOf(const VectorOperand& side, const Vec& room) const {
        return StandsIn(side) ? Part(VecOf(side), uint64_t{first_} * 8, uint64_t{n_} * 8) : room;
    }
    void Fold(adv::Fold fold, const Sheet& sheet, const Vec& blocks);
    using Step = void (RowSteps::*)(const Rows&, const Rows&, const Rows&);
    void ByRow(Step step, const Sheet& dst, const Sheet& a, const Vec& blocks) {
        for (size_t i = 0; i < dst.grids.size(); ++i) (this->*step)(dst.grids[i], a.grids[i], BlockEach(blocks));
    }
    Sheet InFloat(const VectorOperand& operand, Vec* room);
    Sheet SheetOf(const VectorOperand& operand) const {
        return Sheet::Of(VecOf(operand), call_.nz, call_.shape.srcM, call_.shape.srcK, call_.shape.oriSrcK, first_, n_);
    }
    Sheet Temporary(const Vec& room) const {
        return Sheet::Of(room, call_.nz, n_, call_.shape.srcK, call_.shape.oriSrcK, 0, n_);
    }

    const Caller& at_;
    const SoftmaxCall& call_;
    const bool widens_;
    uint32_t first_ = 0, n_ = 0;
    // Temporaries of a pass.
    std::optional<Space> levels_;
    SideRoom room_;
    Vec fractal_;
    Vec max_, sum_, exp_max_, in_max_, in_sum_, wide_[3];
};

bool NarrowSides(const SoftmaxCall& call) { return call.dst.type == DataType::kHalf; }

RowNeed Softmax::Need() const {
    tiling::SoftmaxUse use;
    use.data_size = widens_ ? 2 : 4;
    use.side_size = call_.in_max.tensor && !Wide(call_.in_max) ? 2 : 4;
    use.gradient = Gradients(call_.kind);
    use.update = call_.update, use.reads = call_.kind == SoftmaxKind::kSimple;
    use.compact = call_.compact, use.nz = call_.nz;
    return tiling::SoftmaxNeed(call_.shape.srcK, use);
}

bool Softmax::Check() {
    const auto& shape = call_.shape;
    const bool forms = at_.core.chip().softmax_forms;
    if (!forms && (call_.nz || call_.compact)) {
        return at_.Refuse(call_.nz ? "isDataFormatNZ" : "config.mode",
                          fmt::format("{} does not have this form of the call", at_.core.chip().name),
                          call_.nz ? "true" : "SOFTMAX_OUTPUT_WITHOUT_BRC", call_.nz ? "false" : "SOFTMAX_NORMAL",
                          call_.nz ? "keep the data in ND" : "give each row of the sides a block of 32 bytes");
    }
    if (!at_.CheckRow("softmaxShapeInfo", call_.src.type, shape.srcK)) return false;
    if (call_.nz && shape.srcK % kFractal != 0) {
        return at_.Refuse("softmaxShapeInfo", "rows in NZ are whole fractals", fmt::format("srcK {}", shape.srcK),
                          "a multiple of 16", "pad the rows");
    }
    if (shape.oriSrcK > shape.srcK || shape.oriSrcM > shape.srcM) {
        return at_.Refuse("softmaxShapeInfo", "the shape before padding is larger than the padded one",
                          fmt::format("{} x {} of {} x {}", shape.oriSrcM, shape.oriSrcK, shape.srcM, shape.srcK),
                          fmt::format("at most {} x {}", shape.srcM, shape.srcK), "");
    }
    const uint64_t row_bytes = BytesOf(call_.src.type, shape.srcK);
    const bool basic = shape.srcK < 2048 && row_bytes >= 256 && shape.srcK % 64 == 0 && shape.srcM % 8 == 0;
    if (call_.basic_block && forms &&  // elsewhere the flag means nothing
        !at_.CheckBasicBlock("softmaxShapeInfo", shape.srcM, shape.srcK, basic,
                             "srcK below 2048, of 256 bytes or more, a multiple of 64; srcM a multiple of 8")) {
        return false;
    }
    return CheckTensors();
}

// The sides of an update are those of the elements before, which may be written in place.
bool Softmax::CheckTensors() {
    const bool front = call_.kind == SoftmaxKind::kGradFront,
               reads = call_.update || call_.kind == SoftmaxKind::kSimple,
               apart = front || call_.kind == SoftmaxKind::kLogSoftMax;
    const uint64_t all = uint64_t{call_.shape.srcM} * call_.shape.srcK;
    const char* hint =
        call_.compact ? kElementsNotBytes : "each row takes a block of 32 bytes, one value in all its elements";
    const auto side = [&](const char* name, const VectorOperand& operand, bool written,
                          const VectorOperand* may_be = nullptr) {
        const bool used = operand.tensor && (call_.update || &operand == &call_.sum || &operand == &call_.max ||
                                             &operand == &call_.dst || (reads && !written));
        const uint64_t each = call_.compact ? 1 : BlockElements(operand.type);
        return adv::Need{name, used ? &operand : nullptr, each * call_.shape.srcM, may_be, written, hint};
    };
    const adv::Need dst = front ? side("dst", call_.dst, true) : adv::Need{"dst", &call_.dst, all};
    return at_.CheckNeeds({dst,
                           {"src", &call_.src, all, apart ? nullptr : &call_.dst},
                           {"grad", &call_.grad, all},
                           side("sum", call_.sum, true, &call_.in_sum),
                           side("max", call_.max, true, &call_.in_max),
                           side("expMax", call_.exp_max, true),
                           side("outReduceMax", call_.reduce_max, true),
                           side("inSum", call_.in_sum, false),
                           side("inMax", call_.in_max, false)});
}

Sheet Softmax::InFloat(const VectorOperand& operand, Vec* room) {
    const Sheet here = SheetOf(operand);
    if (!widens_) return here;
    const Sheet wide = Temporary(*room);
    for (size_t i = 0; i < here.grids.size(); ++i) Cast(wide.grids[i].Whole(), here.grids[i].Whole(), Rounding::kNone);
    return wide;
}

void Softmax::Fold(adv::Fold fold, const Sheet& sheet, const Vec& blocks) {
    Rows all = sheet.grids[0];
    all.columns = sheet.Valid(0);
    if (sheet.Valid(0) < sheet.valid) {  // fractals one after another, then their lanes
        Rows sum{fractal_, n_, kFractal, kFractal};
        Copy(sum.Whole(), all.Whole());
        for (size_t i = 1; i < sheet.grids.size() && sheet.Valid(i) != 0; ++i) {
            const Rows next = sheet.grids[i], part = sum.Columns(0, sheet.Valid(i));
            fold == adv::Fold::kSum ? Add(part, part, next) : Max(part, part, next);
        }
        all = sum;
    }
    Reduce(fold, room_.values, all, *levels_, blocks);
    Broadcast(blocks, room_.values, n_);
}

Vec Softmax::Get(const VectorOperand& side, Vec* room) {
    const Vec whole = VecOf(side);
    const uint32_t block = BlockElements(side.type);
    if (!call_.compact) {
        const Vec part = Part(whole, uint64_t{first_} * block, uint64_t{n_} * block);
        if (Wide(side)) return part;
        CastBlocks(*room, part, n_, Rounding::kNone);
        return Part(*room, 0, uint64_t{n_} * 8);
    }
    return RowSteps::Get(whole, first_, n_, *room, room_.values);
}

void Softmax::Put(const VectorOperand& side, const Vec& blocks) {
    if (side.tensor && !StandsIn(side)) RowSteps::Put(VecOf(side), first_, call_.compact, blocks, n_, room_);
}

void Softmax::Forward(const Sheet& x, const Sheet& out) {
    const Vec max = Part(max_, 0, uint64_t{n_} * 8), sum = Part(sum_, 0, max.size());
    const bool simple = call_.kind == SoftmaxKind::kSimple, flash = call_.kind == SoftmaxKind::kFlash;
    Vec old_max, em;
    if (call_.update || simple) old_max = Get(call_.in_max, &in_max_);
    if (!simple) Fold(adv::Fold::kMax, x, max_);
    if (call_.update) {
        Put(call_.reduce_max, max);
        Max(max, old_max, max);
        em = Part(exp_max_, 0, max.size());
        Sub(em, old_max, max);
        Exp(em, em);
        if (!flash) Put(call_.exp_max, em);
    }
    ByRow(&RowSteps::Sub, out, x, simple ? old_max : max);
    for (const Rows& grid : out.grids) Exp(grid.Whole(), grid.Whole());
    if (simple) return ByRow(&RowSteps::Div, out, out, Get(call_.in_sum, &in_sum_));
    Fold(adv::Fold::kSum, out, sum_);
    if (call_.update) {
        Mul(em, em, Get(call_.in_sum, &in_sum_));
        Add(sum, em, sum);
        if (flash) {
            Div(em, em, sum);
            Put(call_.exp_max, em);
        }
    }
    Put(call_.max, max);
    Put(call_.sum, sum);
    if (call_.kind != SoftmaxKind::kFlashV2) ByRow(&RowSteps::Div, out, out, sum);
    if (call_.kind != SoftmaxKind::kLogSoftMax) return;
    for (const Rows& grid : out.grids) Function(isa::Opcode::vlog10, grid.Whole(), grid.Whole());
}

void Softmax::Narrow(const Sheet& dst, const Sheet& out) {
    for (size_t i = 0; widens_ && i < out.grids.size(); ++i) {
        Cast(dst.grids[i].Whole(), out.grids[i].Whole(), Rounding::kRint);
    }
}

void Softmax::Gradient(const Sheet& x, const Sheet& grad, const Sheet& dst) {
    const Sheet product = Temporary(wide_[2]);
    for (size_t i = 0; i < x.grids.size(); ++i) {
        Mul(product.grids[i].Whole(), grad.grids[i].Whole(), x.grids[i].Whole());
    }
    Fold(adv::Fold::kSum, product, sum_);
    if (call_.kind == SoftmaxKind::kGradFront) return Put(call_.dst, Part(sum_, 0, uint64_t{n_} * 8));
    ByRow(&RowSteps::Sub, product, grad, sum_);
    const Sheet& out = widens_ ? product : dst;
    for (size_t i = 0; i < x.grids.size(); ++i) {
        Mul(out.grids[i].Whole(), product.grids[i].Whole(), x.grids[i].Whole());
    }
    Narrow(dst, out);
}

void Softmax::Pass(uint32_t first, uint32_t n, Space space) {
    first_ = first, n_ = n;
    const RowNeed need = Need();
    const uint64_t wide = uint64_t{n} * need.columns, eights = RoundUpTo(n, 8) * 8;
    for (uint32_t i = 3 - need.wide; i < 3; ++i)
        wide_[Gradients(call_.kind) ? i : i - 2] = space.Take(DataType::kFloat, wide);
    room_.values = space.Take(DataType::kFloat, eights / 8 + 8);
    max_ = BlocksOf(call_.max, space.Take(DataType::kFloat, eights));
    sum_ = BlocksOf(call_.sum, space.Take(DataType::kFloat, eights));
    if (call_.update) exp_max_ = space.Take(DataType::kFloat, uint64_t{n} * 8);
    if (call_.nz) fractal_ = space.Take(DataType::kFloat, uint64_t{n} * kFractal);
    if (NarrowSides(call_)) {
        room_.narrow_values = space.Take(DataType::kHalf, eights / 8);
        room_.narrow_blocks = space.Take(DataType::kHalf, eights * 2);
    }
    if (need.eights >= 4) {
        in_max_ = space.Take(DataType::kFloat, eights);
        in_sum_ = space.Take(DataType::kFloat, eights);
    }
    levels_ = space;
    if (n % 8 != 0) Duplicate(room_.values, 0);  // Broadcast reads eight at a time
    if (n % 8 != 0 && NarrowSides(call_)) Duplicate(room_.narrow_values, 0);

    const Sheet x = InFloat(call_.src, &wide_[0]);
    const Sheet dst = call_.kind == SoftmaxKind::kGradFront ? Sheet{} : SheetOf(call_.dst);
    const Sheet out = widens_ && !Gradients(call_.kind) ? Temporary(wide_[0]) : dst;
    if (Gradients(call_.kind)) {
        Gradient(x, InFloat(call_.grad, &wide_[1]), dst);
    } else {
        Forward(x, out);
        Narrow(dst, out);
    }
}

void Softmax::Run() {
    if (!Check() || call_.shape.srcM == 0) return;
    if (call_.reduce_max.tensor && !call_.compact) {
        at_.Find({Rule::kCallIgnored, "outReduceMax", "with outReduceMax the call does nothing in this mode",
                  "SOFTMAX_NORMAL", "SOFTMAX_OUTPUT_WITHOUT_BRC", "set the mode in the SoftmaxConfig"});
        return;
    }
    const Space space(at_);
    const uint32_t rows = call_.shape.srcM;
    const uint32_t at_once = RowsAtOnce(at_, space.bytes(), Need(), rows);
    if (at_once == 0) return;
    for (uint32_t first = 0; first < rows; first += at_once) Pass(first, std::min(at_once, rows - first), space);
    ResetMask();
}

// The bits of element `index` of a tensor in UB, as the scalar unit reads it.
uint64_t ValueAt(const VectorOperand& operand, uint64_t index, const char* call, Where where) {
    return LoadLocal(*operand.tensor, operand.type, index, call, where);
}

}  // namespace

void SoftmaxRows(const SoftmaxCall& call) {
    const Caller at(kSoftmaxNames[static_cast<size_t>(call.kind)], call.tmp, call.where);
    Softmax(at, call).Run();
    if (call.reuses) at.TellReused(call.dst, call.src, uint64_t{call.shape.srcM} * call.shape.srcK);
}

bool AdjustRows(const AdjustCall& call) {
    const Caller at("AdjustSoftMaxRes", {}, call.where);
    const uint64_t each = call.compact ? 1 : BlockElements(call.max.type);
    if (!at.CheckNeeds({{"softMaxRes", &call.res, uint64_t{call.shape.srcM} * call.shape.srcK},
                        {"maxTensor", &call.max, each * call.shape.srcM}})) {
        return false;
    }
    RowSteps steps(at.core, call.where);
    const Vec res = VecOf(call.res);
    const auto& shape = call.shape;
    const uint64_t bits = call.max.type == DataType::kHalf ? call.from & 0xFFFF : call.from;
    bool found = false;
    // The scalar unit reads what vector instructions may still write, and they write what it has read.
    Framework::Of(at.core).Order(AscendC::HardEvent::V_S, call.where);
    for (uint32_t r = 0; r < shape.srcM; ++r) {
        const uint64_t index = each * r;
        if (ValueAt(call.max, index, at.name, call.where) != bits) continue;
        found = true;
        const Sheet row = Sheet::Of(res, call.nz, shape.srcM, shape.srcK, shape.srcK, r, 1);
        for (const Rows& grid : row.grids) steps.Fill(grid.Whole(), call.to);
    }
    return found;
}

}  // namespace sfumato::ascendc
