// SPDX-License-Identifier: Apache-2.0
// Checks before a product and before its result leaves (adv.md 2.11).
#include "frontends/ascendc/matmul/checks.h"

#include <fmt/format.h>

#include "frontends/ascendc/matmul/place.h"
#include "runtime/launch/launch_state.h"
#include "sfumato/round_up.h"

namespace sfumato::ascendc::mm {

using AscendC::CubeFormat;
using runtime::Core;

namespace {

// Where the product runs at all.
bool CheckPlace(Core& core, const Object& o, const char* call, Where where) {
    if (!o.ready) {
        return Refuse(core, call, where,
                      {Rule::kMatmulUnset, "", "the Matmul has no tiling", "no Init before it",
                       "REGIST_MATMUL_OBJ with a tiling, or Init", "pass the tiling to REGIST_MATMUL_OBJ"});
    }
    const runtime::Shape shape = runtime::ShapeOf(core.launch().task_type);
    const bool vector = core.place().kind == isa::CoreKind::kVector;
    if (vector && (shape.cube == 0 || o.kind->direct)) {
        return Refuse(core, call, where,
                      {Rule::kMatmulKernel, "",
                       shape.cube == 0 ? "the launch has no cube core that could multiply"
                                       : "the call runs where it is written, and a vector core has no cube unit",
                       core.place().name, "a cube core; AscendC::Matmul without ASCENDC_CUBE_ONLY on a vector core",
                       "guard the call with ASCEND_IS_AIC, or use Matmul in a KERNEL_TYPE_MIX_AIC_1_2"});
    }
    if (!vector && shape.vector != 0 && shape.cube != 0 && !o.kind->direct) {
        return Refuse(core, call, where,
                      {Rule::kMatmulCore, "", "in a kernel of both kinds the vector cores call Matmul",
                       core.place().name, "a vector core; a cube core under ASCENDC_CUBE_ONLY",
                       "register the object with REGIST_MATMUL_OBJ, which serves on the cube core"});
    }
    return true;
}

// One matrix: sizes in NZ, the inner axis, and what lies behind a GlobalTensor of known size.
bool CheckMatrix(Core& core, const Object& o, bool is_a, const char* call, Where where) {
    const Side& side = is_a ? o.kind->a : o.kind->b;
    const Input& input = is_a ? o.a : o.b;
    const char* name = is_a ? "A" : "B";
    if (input.from == Input::From::kNone) {
        return Refuse(core, call, where,
                      {Rule::kMatmulUnset, name, fmt::format("the matrix {} is not set", name),
                       fmt::format("no SetTensor{} before it", name), fmt::format("SetTensor{} first", name),
                       "set both matrices before the product"});
    }
    if (input.from == Input::From::kScalar) return true;
    const bool local = input.from == Input::From::kLocal;
    const bool k_rows = is_a == input.transposed;
    const int32_t outer = is_a ? o.m : o.n, org_outer = local ? outer : is_a ? o.org_m : o.org_n;
    const int32_t org_k = local ? o.k : is_a ? o.org_ka : o.org_kb;
    const int32_t rows = k_rows ? o.k : outer, columns = k_rows ? outer : o.k;
    const int32_t whole_rows = k_rows ? org_k : org_outer, whole_columns = k_rows ? org_outer : org_k;
    const auto c0 = static_cast<int32_t>(32 * 8 / BitsOf(side.type));
    if (side.format == CubeFormat::NZ && side.pos != AscendC::TPosition::TSCM) {
        const int32_t base_outer = is_a ? o.tiling.baseM : o.tiling.baseN;
        const char* outer_axis = is_a ? "M" : "N";
        const struct {
            const char* axis;
            int32_t size, unit;
        } axes[] = {{k_rows ? "K" : outer_axis, whole_rows, 16},
                    {k_rows ? outer_axis : "K", whole_columns, c0},
                    {k_rows ? (is_a ? "baseM" : "baseN") : "baseK", k_rows ? base_outer : o.tiling.baseK, c0}};
        for (const auto& axis : axes) {
            if (axis.size % axis.unit == 0) continue;
            return Refuse(
                core, call, where,
                {Rule::kMatmulNz, name, fmt::format("{} of {} in NZ is no multiple of its fractal", axis.axis, name),
                 fmt::format("{}", axis.size), fmt::format("a multiple of {}", axis.unit),
                 "pad the matrix, and pass the padded sizes to SetOrgShape"});
        }
    }
    if (local) return true;
    constexpr int32_t kMostInner = 65535;
    if (side.format != CubeFormat::NZ && whole_columns >= kMostInner && !o.kind->config->intrinsicsCheck &&
        !Find(core, call, where,
              {Rule::kMatmulInner, name, fmt::format("the inner axis of {} is too long for one move", name),
               fmt::format("{} elements", whole_columns), "below 65535, or intrinsicsCheck true in the MatmulConfig",
               "use GetNormalConfig(true) or GetMDLConfig(true)"}))
        return false;
    uint64_t end =
        static_cast<uint64_t>(rows - 1) * static_cast<uint64_t>(whole_columns) + static_cast<uint64_t>(columns);
    if (side.format == CubeFormat::NZ) {
        end = static_cast<uint64_t>((RoundUpTo(columns, c0) / c0 - 1) * RoundUpTo(whole_rows, 16) * c0 +
                                    int64_t{rows} * c0);
    }
    if (o.kind->a.layout == AscendC::LayoutMode::NONE && input.gm.size != 0 && end > input.gm.size &&
        !(is_a ? o.kind->copy_a : o.kind->copy_b)) {
        return Refuse(core, call, where,
                      {Rule::kMatmulRange, name, fmt::format("the piece of {} reads past the tensor", name),
                       fmt::format("element {} of {}", input.gm.size, input.gm.size),
                       fmt::format("a GlobalTensor of {} elements from the piece's first one", end),
                       "check SetOrgShape, SetTail, and the offset of the tensor"});
    }
    return true;
}

// Objects take turns: End stands between a product of one and the next of another (adv.md 2.5).
void CheckTurn(Core& core, const Object& o, const char* call, Where where) {
    auto& last = Framework::Of(core).product;
    if (last.object && last.object != o.self) {
        Find(
            core, call, where,
            {Rule::kMatmulEnd, "", "another Matmul has not ended",
             fmt::format("{} of the other at {}:{}, and no End behind it", last.call, last.where.file, last.where.line),
             "End between products of two objects", "call End of the other object behind its last result"});
    }
    last = {};
    if (o.kind->config->enableEnd) last = {o.self, call, where};
}

}  // namespace

void CheckCores(Core& core, const Object& o, Where where) {
    const runtime::LaunchState& launch = core.launch();
    const runtime::Shape shape = runtime::ShapeOf(launch.task_type);
    const uint32_t each = o.kind->direct || shape.vector == 0 ? std::max(shape.cube, 1U) : shape.vector;
    const uint64_t cores = uint64_t{launch.blocks} * each;
    const auto pieces = static_cast<uint64_t>(o.tiling.usedCoreNum);
    if (pieces <= cores) return;
    Find(core, "Init", where,
         {Rule::kMatmulCores, "tiling", "the launch has fewer cores that call Matmul than there are pieces",
          fmt::format("usedCoreNum {}, {} blocks of {}", pieces, launch.blocks, each),
          fmt::format("usedCoreNum up to {}, or {} blocks", cores, RoundUpTo(pieces, each) / each),
          "launch the blocks that the tiling asks for, or give SetDim the cores there are"});
}

bool Allowed(Core& core, const Object& o, AscendC::IterateMode mode, const char* call, Where where) {
    const auto only = o.kind->config->iterateMode;
    if (static_cast<int>(only) & static_cast<int>(mode)) return true;
    const auto name = [](AscendC::IterateMode m) {
        switch (m) {
            case AscendC::IterateMode::ITERATE_MODE_NORMAL: return "ITERATE_MODE_NORMAL";
            case AscendC::IterateMode::ITERATE_MODE_ALL: return "ITERATE_MODE_ALL";
            case AscendC::IterateMode::ITERATE_MODE_BATCH: return "ITERATE_MODE_BATCH";
            default: return "ITERATE_MODE_N_BATCH";
        }
    };
    return Find(
        core, call, where,
        {Rule::kMatmulRemoved, "", "the MatmulConfig removes the call", fmt::format("iterateMode {}", name(only)),
         fmt::format("{}, ITERATE_MODE_DEFAULT", name(mode)), "leave iterateMode at its default, or the call out"});
}

bool CheckProduct(Core& core, const Object& o, const char* call, Where where) {
    if (!CheckPlace(core, o, call, where)) return false;
    const bool local_a = o.a.from != Input::From::kGlobal, local_b = o.b.from != Input::From::kGlobal;
    const struct {
        const char* axis;
        int32_t single, org;
    } sizes[] = {{"M", o.m, local_a && o.a.transposed ? o.m : o.org_m},
                 {"N", o.n, o.org_n},
                 {"K", o.k, local_a ? o.k : o.org_ka},
                 {"K", o.k, local_b ? o.k : o.org_kb}};
    for (const auto& size : sizes) {
        if (size.single >= 1 && size.single <= size.org) continue;
        return Refuse(core, call, where,
                      {Rule::kMatmulRange, size.axis, fmt::format("{} of the piece is out of range", size.axis),
                       fmt::format("{}", size.single), fmt::format("1 to {}, the size of the whole", size.org),
                       "pass the sizes of the whole to SetOrgShape, those of the piece to SetSingleShape or SetTail"});
    }
    if (!CheckMatrix(core, o, true, call, where) || !CheckMatrix(core, o, false, call, where)) return false;
    if (!core.chip().split_cores && !CheckCoupledProduct(core, o, call, where)) return false;
    if (o.bias_on && o.bias.from == Input::From::kNone) {
        return Refuse(core, call, where,
                      {Rule::kMatmulBias, "", "the tiling has a bias, and nobody has set it", "isBias 1",
                       "SetBias or DisableBias before it", "call SetBias, or EnableBias(false) on the host"});
    }
    if (NeedsQuant(*o.kind) && o.quant == Object::Quant::kNone) {
        return Refuse(core, call, where,
                      {Rule::kMatmulTypes, "C",
                       fmt::format("{} of {} products needs a scale", CName(o.kind->c.type), CName(o.kind->a.type)),
                       "no SetQuantScalar and no SetQuantVector", "SetQuantScalar or SetQuantVector before it",
                       "set the word that the host computed"});
    }
    CheckTurn(core, o, call, where);
    return true;
}

bool CheckOutput(Core& core, const Object& o, const Output& output, uint64_t end, const char* call, Where where) {
    const DataType type = o.kind->c.type;
    const CubeFormat format = o.kind->c.format;
    const bool nz = format == CubeFormat::NZ;
    if (output.layout == Layout::kSequential && !HasForm(core, Form::kSequential, call, where)) return false;
    if (output.to_local && !HasForm(core, Form::kUb, call, where)) return false;
    if (core.chip().fixpipe.empty() && !CheckCoupledOutput(core, o, output, call, where)) return false;
    if (nz) {
        const auto columns = static_cast<int32_t>(FractalColumns(o));
        const int32_t m = output.to_gm ? o.org_m : o.m, n = output.to_gm ? o.org_n : o.n;
        for (const auto& [axis, size, unit] : {std::tuple{"M", m, 16}, {"N", n, columns}}) {
            if (size % unit == 0) continue;
            return Refuse(core, call, where,
                          {Rule::kMatmulNz, "C", fmt::format("{} of C in NZ is no multiple of its fractal", axis),
                           fmt::format("{}", size), fmt::format("a multiple of {}", unit),
                           "pad the matrix, and pass the padded sizes"});
        }
    }
    if (output.to_local) {
        const uint64_t row =
            BytesOf(type, static_cast<uint64_t>(output.layout == Layout::kSequential ? o.tiling.baseN : o.n));
        if (!nz && format != CubeFormat::ND_ALIGN && row % 32 != 0) {
            return Refuse(core, call, where,
                          {Rule::kMatmulDestination, "C", "rows of the result do not begin at 32 bytes",
                           fmt::format("{} bytes in a row", row), "a multiple of 32 bytes, or CubeFormat::ND_ALIGN",
                           "use ND_ALIGN for C, or another N"});
        }
        const uint64_t have = output.local.room / std::max<uint64_t>(1, BytesOf(type, 1));
        if (end > have) {
            return Refuse(
                core, call, where,
                {Rule::kMatmulDestination, "C", "the destination is too small", fmt::format("{} elements", have),
                 fmt::format("{} elements", end), "give the buffer behind it as many in InitBuffer"});
        }
    }
    if (output.to_gm && output.gm.size != 0 && end > output.gm.size) {
        return Refuse(core, call, where,
                      {Rule::kMatmulDestination, "C", "the destination is too small",
                       fmt::format("{} elements", output.gm.size), fmt::format("{} elements", end),
                       "check SetOrgShape and SetTail, or give SetGlobalBuffer the size it has"});
    }
    if (output.atomic > 3 || (output.atomic != 0 && output.to_local)) {
        return Refuse(core, call, where,
                      {Rule::kMatmulDestination, "enAtomic",
                       output.atomic > 3 ? "no such atomic mode" : "results in UB are not combined with what is there",
                       fmt::format("{}", output.atomic), output.atomic > 3 ? "0 none, 1 add, 2 max, 3 min" : "0",
                       "use a GlobalTensor, or add in UB"});
    }
    return true;
}

}  // namespace sfumato::ascendc::mm
