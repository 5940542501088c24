// SPDX-License-Identifier: Apache-2.0
// What a Matmul may be and do where one core has both units, and where its results pass UB (adv.md 2.12).
#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/matmul/checks.h"
#include "frontends/ascendc/matmul/place.h"
#include "sfumato/round_up.h"
#include "tiling/cube_words.h"

namespace sfumato::ascendc::mm {

using AscendC::CubeFormat;

namespace {

bool Legal(runtime::Core& core, Rule rule, const char* operand, const char* message, std::string found,
           std::string legal, const char* hint, Where where) {
    return Refuse(core, "Init", where, {rule, operand, message, std::move(found), std::move(legal), hint});
}

// Where matrices may lie and how (the table of MatmulType): in global memory, and in UB where C passes it; as ND or NZ,
// and there C as ND_ALIGN, too.
bool CheckSides(runtime::Core& core, const Object& o, bool through_ub, Where where) {
    const Kind& kind = *o.kind;
    const struct {
        const char* name;
        const Side& side;
        bool there;
    } sides[] = {
        {"A", kind.a, true}, {"B", kind.b, true}, {"C", kind.c, true}, {"bias", kind.bias, o.tiling.isBias != 0}};
    for (const auto& [name, side, there] : sides) {
        const bool in_ub = core.chip().position[static_cast<size_t>(side.pos)] == isa::Memory::kUb;
        if (there && side.pos != AscendC::TPosition::GM && !(through_ub && in_ub)) {
            return Legal(
                core, Rule::kMatmulRefused, name,
                through_ub ? "all matrices lie in global memory or UB here" : "all matrices lie in global memory here",
                Name(side.pos), through_ub ? "GM, VECOUT; of C GM, VECIN" : "GM",
                "move it to global memory, or write the product with Mmad", where);
        }
        const bool filled = through_ub && &side == &kind.c && side.format == CubeFormat::ND_ALIGN;
        // The type of the bias is that of C where the program names none.
        const bool plain = side.format == CubeFormat::ND || side.format == CubeFormat::NZ || &side == &kind.bias;
        if (!plain && !filled) {
            return Legal(core, Rule::kMatmulRefused, name, "the matrix has no such format here",
                         tiling::FormatName(side.format), through_ub ? "ND, NZ; of C ND_ALIGN, too" : "ND, NZ",
                         "use one of these: a vector is a matrix of one row, and rows may be padded", where);
        }
    }
    return true;
}

bool CheckCoupledKind(runtime::Core& core, const Object& o, Where where) {
    const Kind& kind = *o.kind;
    const DataType a = kind.a.type, c = kind.c.type;
    const std::string on = fmt::format("not on {}", core.chip().name);
    if (a != DataType::kHalf && a != DataType::kInt8) {
        return Legal(core, Rule::kMatmulTypes, "A, B", "the cube unit does not multiply the type", CName(a),
                     "half, int8_t", "convert A and B to half", where);
    }
    const bool whole = a == DataType::kInt8;
    if (whole ? c == DataType::kBfloat16 : c != DataType::kFloat && c != DataType::kHalf) {
        return Legal(core, Rule::kMatmulTypes, "C", "the product does not leave L0C in the type", CName(c),
                     "float, half", "take float, and convert in UB", where);
    }
    if (o.tiling.isBias && kind.bias.type == DataType::kHalf) {
        return Legal(core, Rule::kMatmulTypes, "bias", "without a bias table nothing widens the bias", "half", "float",
                     "convert the bias to float", where);
    }
    if (kind.a.may_transpose && whole) {
        return Legal(core, Rule::kMatmulTranspose, "A", "the fractals of A in 8 bits cannot be turned", "ISTRANS true",
                     "false", "store A as M rows of K", where);
    }
    if (kind.copy_a || kind.copy_b || kind.copy_out) {
        return Legal(core, Rule::kMatmulRefused, "MM_CB", "the pages of callbacks leave the chip out",
                     "callbacks, " + on, "none", "let Matmul move the blocks", where);
    }
    if (kind.a.layout > AscendC::LayoutMode::NORMAL) {
        return Legal(core, Rule::kMatmulRefused, "LAYOUT", "this part of Matmul is out of scope",
                     "a layout of attention, " + on, "NONE, NORMAL", "call IterateAll for each product", where);
    }
    return true;
}

// C leaves by Fixpipe on a core of both kinds: the plainest Matmul of all.
bool CheckPlainKind(runtime::Core& core, const Object& o, Where where) {
    const Kind& kind = *o.kind;
    const auto& config = *kind.config;
    const bool bias = o.tiling.isBias != 0, whole = kind.a.type == DataType::kInt8;
    const DataType a = kind.a.type, c = kind.c.type;
    if (a == DataType::kInt4 || (whole ? c != DataType::kInt32 && c != DataType::kHalf : c == DataType::kInt8)) {
        return Legal(core, Rule::kMatmulTypes, a == DataType::kInt4 ? "A, B" : "C", "the page does not have the types",
                     fmt::format("{} products to {}", CName(a), CName(c)),
                     "float, half, bfloat16_t to float, half, bfloat16_t; int8_t to int32_t, half",
                     "take another type, and convert", where);
    }
    const bool half_bias = bias && kind.bias.type == DataType::kHalf;
    if (half_bias && (a == DataType::kBfloat16 || (a == DataType::kHalf && c == DataType::kHalf))) {
        return Legal(core, Rule::kMatmulTypes, "bias", "the page does not have the types",
                     fmt::format("half on {} products to {}", CName(a), CName(c)), "float", "convert the bias to float",
                     where);
    }
    if (config.doMultiDataLoad || config.doSpecialMDL || config.doBasicBlock || config.doSpecialBasicBlock)
        return HasForm(core, Form::kTemplate, "Init", where);
    if (kind.copy_a || kind.copy_b || kind.copy_out) {
        return Legal(core, Rule::kMatmulRefused, "MM_CB", "the pages of callbacks leave the chip out", "callbacks",
                     "none", "let Matmul move the blocks", where);
    }
    return kind.a.layout == AscendC::LayoutMode::NONE || HasForm(core, Form::kBatch, "Init", where);
}

}  // namespace

bool HasForm(runtime::Core& core, Form form, const char* call, Where where) {
    static constexpr struct {
        const char *found, *legal;
        bool through_ub;  // there where C passes UB
    } kForms[] = {
        {"a call that is not awaited", "sync true", false},
        {"SetHF32", "float products as they are", false},
        {"SetWorkspace", "Iterate that is awaited, which needs none", false},
        {"IBSHARE", "IBSHARE false", false},
        {"a scalar as a matrix", "a tensor", false},
        {"data for callbacks, which it does not call", "none", false},
        {"a row of bias for all products", "isBiasBatch true, a row for each", false},
        {"enPartialSum", "enPartialSum false", true},
        {"enSequentialWrite", "enSequentialWrite false", true},
        {"batches", "a product each, by IterateAll", true},
        {"a LocalTensor", "a GlobalTensor", true},
        {"a template of MatmulConfig that is not Norm", "CFG_NORM, GetNormalConfig", true},
    };
    const auto& row = kForms[static_cast<size_t>(form)];
    const soc::Chip& chip = core.chip();
    if (chip.split_cores || (row.through_ub && chip.fixpipe.empty())) return true;
    return Refuse(core, call, where,
                  {Rule::kMatmulRefused, "", fmt::format("Matmul on {} has no such form", chip.name), row.found,
                   row.legal, "use the form that it has"});
}

bool CheckOneCore(runtime::Core& core, const Object& o, Where where) {
    if ((o.kind->a.shared || o.kind->b.shared || o.kind->config->doIBShareNorm) &&
        !HasForm(core, Form::kShared, "Init", where)) {
        return false;
    }
    const bool through_ub = core.chip().fixpipe.empty();
    return CheckSides(core, o, through_ub, where) &&
           (through_ub ? CheckCoupledKind(core, o, where) : CheckPlainKind(core, o, where));
}

bool CheckCoupledProduct(runtime::Core& core, const Object& o, const char* call, Where where) {
    const auto fault = [&](const char* operand, const char* message, std::string found, const char* legal,
                           const char* hint) {
        return Refuse(core, call, where, {Rule::kMatmulRange, operand, message, std::move(found), legal, hint});
    };
    if (o.quant_words.from == Input::From::kLocal)
        return fault("quantTensor", "the words of the scales lie in global memory here", "a LocalTensor",
                     "a GlobalTensor", "pass the words in global memory");
    if (!core.chip().fixpipe.empty()) return true;
    if (Widens(*o.kind) && o.b.from != Input::From::kGlobal)
        return fault("B", "a B of int8_t beside an A of half is widened on its way from global memory", "a LocalTensor",
                     "a GlobalTensor", "keep B in global memory");
    if (Widens(*o.kind) && o.scale.from == Input::From::kNone)
        return fault("B", "half x int8_t needs an offset and a scale",
                     "no SetAntiQuantScalar and no SetAntiQuantVector", "one of them before it",
                     "SetAntiQuantScalar(0, 1) takes B as it is");
    for (const bool is_a : {true, false}) {
        const Input& input = is_a ? o.a : o.b;
        const Side& side = is_a ? o.kind->a : o.kind->b;
        const char* name = is_a ? "A" : "B";
        if (input.from != Input::From::kLocal || !InUb(core, input.local)) continue;
        const bool k_rows = is_a == input.transposed;
        const auto outer = static_cast<uint64_t>(is_a ? o.m : o.n), k = static_cast<uint64_t>(o.k);
        uint64_t rows = k_rows ? k : outer, columns = k_rows ? outer : k;
        if (side.format == CubeFormat::NZ)
            rows = RoundUpTo(rows, 16), columns = RoundUpTo(columns, 256 / BitsOf(side.type));
        const uint64_t row = BytesOf(side.type, columns), all = rows * row;
        if (row % 32 != 0) {
            return fault(name, "rows of a matrix in UB do not begin at 32 bytes", fmt::format("{} bytes in a row", row),
                         "a multiple of 32 bytes", "pad the rows, or keep the matrix in global memory");
        }
        if (all > input.local.room) {
            return fault(name, "the piece reads past the tensor", fmt::format("{} bytes", input.local.room),
                         fmt::format("{} bytes", all).c_str(), "give the buffer behind it as many in InitBuffer");
        }
    }
    return true;
}

bool CheckCoupledOutput(runtime::Core& core, const Object& o, const Output& output, const char* call, Where where) {
    const DataType type = o.kind->c.type;
    const bool nz = o.kind->c.format == CubeFormat::NZ;
    const auto fault = [&](const char* message, std::string found, const char* legal, const char* hint) {
        return Refuse(core, call, where, {Rule::kMatmulDestination, "C", message, std::move(found), legal, hint});
    };
    const Kind& kind = *o.kind;
    const auto in_fractals = [](const Side& side) { return side.format == CubeFormat::NZ; };
    const bool passes_ub = !output.to_local || !nz || !in_fractals(kind.a) || !in_fractals(kind.b) ||
                           (o.bias_on && kind.bias.pos == AscendC::TPosition::GM);
    if (passes_ub && !o.scratch.address) {
        return Refuse(core, call, where,
                      {Rule::kMatmulScratch, "", "matrices pass UB, and Matmul has no place of its own there",
                       "no SetLocalWorkspace before it", "SetLocalWorkspace first",
                       "give it the bytes of UB that MatmulGetTmpBufSize says"});
    }
    if (output.to_local && !nz)
        return fault("results in UB are NZ here", "CubeFormat::ND", "CubeFormat::NZ",
                     "use NZ for C, or a GlobalTensor");
    if (output.to_local || nz) return true;
    // Rows of the matrix and of the last block across; ND_ALIGN fills those that end with the matrix.
    const int32_t whole = o.org_kc ? o.org_kc : o.org_n, base = o.tiling.baseN;
    const bool sequential = output.layout == Layout::kSequential;
    const bool fills = o.kind->c.format == CubeFormat::ND_ALIGN && !sequential && o.n == whole;
    const int32_t last = o.n % base ? o.n % base : base;
    for (const int32_t columns : {sequential ? base
                                  : fills    ? 0
                                             : whole,
                                  fills && o.n < base ? 0 : std::min(o.n, base), fills ? 0 : last}) {
        const uint64_t row = BytesOf(type, static_cast<uint64_t>(columns));
        if (row % 32 == 0) continue;
        return fault("rows of the result do not begin and end at 32 bytes", fmt::format("{} bytes in a row", row),
                     "a multiple of 32 bytes; in CubeFormat::ND_ALIGN the last block of a row may be shorter",
                     "use ND_ALIGN for C, another N, or pad the rows of C");
    }
    return true;
}

}  // namespace sfumato::ascendc::mm
