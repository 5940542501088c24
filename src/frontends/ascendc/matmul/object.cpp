// SPDX-License-Identifier: Apache-2.0
// Matmul's setters: the state of an object, and what they refuse (adv.md 2.5, 2.6).
#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/matmul/checks.h"
#include "runtime/launch/launch_state.h"
#include "tiling/cube_machine.h"

namespace sfumato::ascendc::mm {

using runtime::Core;

bool Removed(Core& core, const char* call, bool there, const char* field, Where where) {
    return there || Find(core, call, where,
                         {Rule::kMatmulRemoved, "", "the MatmulConfig removes the call", fmt::format("{} false", field),
                          fmt::format("{} true", field), "leave the field at its default, or the call out"});
}

namespace {

// The constants of a static tiling win where they are not 0, and agree with what is passed (adv.md 2.3.4).
bool TakeTiling(Core& core, Object* o, const TCubeTiling* tiling, Where where) {
    const TCubeTiling* constants = o->kind->constants;
    const bool full = constants && constants->singleCoreM && constants->baseM;
    if (!tiling && !full) {
        return Refuse(
            core, "Init", where,
            {Rule::kMatmulUnset, "tiling", "the tiling is a null pointer",
             "no tiling, and no static one with all sizes", "a TCubeTiling", "pass the tiling the host computed"});
    }
    o->tiling = tiling ? *tiling : *constants;
    if (!constants) return true;
    bool good = true;
#define SFUMATO_FIELD(field)                                                                      \
    if (good && constants->field != 0) {                                                          \
        if (tiling && tiling->field != 0 && tiling->field != constants->field) {                  \
            good = Find(core, "Init", where,                                                      \
                        {Rule::kMatmulStatic, #field, "the constant is not what the tiling says", \
                         fmt::format("{}", tiling->field), fmt::format("{}", constants->field),   \
                         "let the host compute the tiling from the same sizes"});                 \
        }                                                                                         \
        o->tiling.field = constants->field;                                                       \
    }
    SFUMATO_CUBE_TILING_FIELDS(SFUMATO_FIELD)
#undef SFUMATO_FIELD
    return good;
}

// adv.md 3.2, as host code judges it.
bool CheckTiling(Core& core, const Object& o, Where where) {
    const auto matrix = [](const Side& side) {
        return tiling::CubeMatrix{true, side.pos, side.format, side.type, side.may_transpose};
    };
    const Kind& kind = *o.kind;
    const tiling::CubeLimit broken =
        tiling::BrokenCubeLimit(o.tiling, {matrix(kind.a), matrix(kind.b), matrix(kind.c), matrix(kind.bias)},
                                tiling::CubeMachineOf(core.chip()));
    return !broken || Find(core, "Init", where,
                           {Rule::kMatmulTiling, "tiling", "the tiling breaks a constraint", broken.found, broken.legal,
                            "let the host's GetTiling compute it; check what SetFixSplit was given"});
}

// What adv.md 15 leaves out, and chips whose cube unit is no core of its own.
bool CheckScope(Core& core, const Object& o, Where where) {
    const AscendC::MatmulConfig& c = *o.kind->config;
    const struct {
        bool asked;
        const char *what, *instead;
    } parts[] = {
        {c.enableMixDualMaster, "enableMixDualMaster", "use ASCENDC_CUBE_ONLY, or leave the field false"},
        {c.enableKdimReorderLoad, "enableKdimReorderLoad", "leave the field false: k ascends on every core"},
        {c.intraBlockPartSum, "intraBlockPartSum", "add the two results with enAtomic 1"},
        {o.kind->a.layout == AscendC::LayoutMode::NONE && c.isNBatch, "isNBatch", "call IterateBatch in a loop"},
    };
    for (const auto& part : parts) {
        if (part.asked && !Find(core, "Init", where,
                                {Rule::kMatmulRefused, part.what, "this part of Matmul is out of scope",
                                 fmt::format("{} true", part.what), "false", part.instead}))
            return false;
    }
    if (o.kind->a.type != o.kind->b.type && !(Widens(*o.kind) && core.chip().fixpipe.empty())) {
        return Refuse(core, "Init", where,
                      {Rule::kMatmulRefused, "A, B", "this part of Matmul is out of scope",
                       fmt::format("{} x {}", CName(o.kind->a.type), CName(o.kind->b.type)), "one type of A and B",
                       "convert B to half before the product"});
    }
    // C leaves L0C by Fixpipe, or UB reaches L0C and L1.
    const auto has = [](const soc::Chip& chip) {
        using enum isa::Memory;
        return !chip.fixpipe.empty() || chip.HasPath(isa::Api::kAscendC, isa::Opcode::broadcast_ub_to_l0c, kUb, kL0C);
    };
    return has(core.chip()) ||
           Refuse(core, "Init", where,
                  {Rule::kMatmulRefused, "", fmt::format("Matmul does not run on {}", core.chip().name),
                   core.chip().name, AscendCFamilies(has), "write the product with LoadData, Mmad and DataCopy"});
}

}  // namespace

void Init(Object* o, const TCubeTiling* tiling, Where where) {
    Core& core = ThisCore("Init");
    if (!Removed(core, "Init", o->kind->config->enableInit, "enableInit", where)) return;
    const Kind* kind = o->kind;
    *o = {};
    o->kind = kind;
    o->self = o;
    if (!CheckScope(core, *o, where) || !TakeTiling(core, o, tiling, where) || !CheckTiling(core, *o, where)) return;
    if (!core.chip().split_cores && !CheckOneCore(core, *o, where)) return;
    o->client = core.place().kind == isa::CoreKind::kVector && !kind->direct;
    const TCubeTiling& t = o->tiling;
    o->org_m = t.M, o->org_n = t.N, o->org_ka = t.Ka, o->org_kb = t.Kb;
    o->m = t.singleCoreM, o->n = t.singleCoreN, o->k = t.singleCoreK;
    o->bias_on = t.isBias != 0 && kind->config->enableSetBias;
    o->ready = true;
    CheckCores(core, *o, where);
}

void SetOrgShape(Object* o, int m, int n, int ka, int kb, int kc, Where where) {
    Core& core = ThisCore("SetOrgShape");
    if (!Removed(core, "SetOrgShape", o->kind->config->enableSetOrgShape, "enableSetOrgShape", where)) return;
    if (o->moved) {
        Find(core, "SetOrgShape", where,
             {Rule::kMatmulOrder, "", "SetOrgShape stands behind the tensors it is for",
              "SetTensorA or SetTensorB before it", "SetOrgShape, then the tensors", "move it up"});
    }
    o->org_m = m, o->org_n = n, o->org_ka = ka, o->org_kb = kb, o->org_kc = kc;
}

void SetSingleShape(Object* o, int m, int n, int k, const char* call, Where where) {
    Core& core = ThisCore(call);
    if (!Removed(core, call, o->kind->config->enableSetTail, "enableSetTail", where)) return;
    if (m != -1) o->m = m;
    if (n != -1) o->n = n;
    if (k != -1) o->k = k;
}

namespace {
// Blocks of one round leave with one scale.
void CheckRound(Core& core, const Object& o, const char* call, Where where) {
    if (o.next == 0 || o.ended) return;
    Find(core, call, where,
         {Rule::kMatmulOrder, "", fmt::format("{} stands in a round of Iterate", call),
          fmt::format("{} blocks before it", o.next), "before the first Iterate",
          "move it up, or begin another round with SetTensorA"});
}
}  // namespace

void SetInput(Object* o, Which which, const Input& input, Where where) {
    constexpr const char* kCalls[] = {"SetTensorA", "SetTensorB", "SetBias", "SetQuantVector"};
    const char* call = kCalls[static_cast<int>(which)];
    Core& core = ThisCore(call);
    switch (which) {
        case Which::kA:
        case Which::kB: {
            if (input.from == Input::From::kScalar && !HasForm(core, Form::kScalar, call, where)) return;
            const Side& side = which == Which::kA ? o->kind->a : o->kind->b;
            const bool wide = side.type == DataType::kHalf || side.type == DataType::kBfloat16;
            const bool never = side.type == DataType::kInt4 && which == Which::kA;
            const bool wrong = input.transposed ? !side.may_transpose || never : side.may_transpose && !wide;
            if (wrong && input.from != Input::From::kScalar &&
                !Find(core, call, where,
                      {Rule::kMatmulTranspose, which == Which::kA ? "isTransposeA" : "isTransposeB",
                       never ? "a matrix of int4b_t is never transposed as A"
                             : "the flag is not what ISTRANS of MatmulType says",
                       fmt::format("{}, ISTRANS {}", input.transposed, side.may_transpose),
                       never  ? "false"
                       : wide ? "false, or ISTRANS true"
                              : "the same in both: only half and bfloat16_t may differ",
                       "set ISTRANS of MatmulType, and the host's SetAType or SetBType"}))
                return;
            (which == Which::kA ? o->a : o->b) = input;
            o->next = 0;
            o->ended = o->in_flight = false;
            o->moved = true;
            return;
        }
        case Which::kBias:
            if (o->ready && o->tiling.isBias == 0 && !o->kind->constants &&
                !Find(core, call, where,
                      {Rule::kMatmulBias, "", "the tiling has no bias", "isBias 0", "isBias 1",
                       "call EnableBias(true) on the host before GetTiling"}))
                return;
            o->bias = input;
            o->bias_on = o->kind->config->enableSetBias;
            return;
        case Which::kQuant:
            if (!Removed(core, call, o->kind->config->enableQuantVector, "enableQuantVector", where)) return;
            CheckRound(core, *o, call, where);
            o->quant = Object::Quant::kVector;
            o->quant_words = input;
            return;
    }
}

void DisableBias(Object* o, const char* call, Where where) {
    static_cast<void>(ThisCore(call)), static_cast<void>(where);
    o->bias_on = false;
    o->bias = {};
}

void SetQuantWord(Object* o, uint64_t word, Where where) {
    CheckRound(ThisCore("SetQuantScalar"), *o, "SetQuantScalar", where);
    o->quant = Object::Quant::kScalar;
    o->quant_word = word;
}

namespace {
bool OnCube(Core& core, const Object& o, const char* call, Where where) {
    if (!o.client && core.place().kind != isa::CoreKind::kVector) return true;
    return Refuse(core, call, where,
                  {Rule::kMatmulCubeOnly, "", "the call exists on the cube core only", core.place().name,
                   "a cube core, under ASCENDC_CUBE_ONLY", "define ASCENDC_CUBE_ONLY before the include"});
}
}  // namespace

void SetHf32(Object* o, bool enable, int32_t mode, Where where) {
    Core& core = ThisCore("SetHF32");
    if (!HasForm(core, Form::kHf32, "SetHF32", where) || !OnCube(core, *o, "SetHF32", where)) return;
    const runtime::CallScope scope(core, "SetHF32", where);
    ascendc::SetHf32(enable, where);
    SetHf32Rounding(mode == 1, where);
}

void SetAntiQuant(Object* o, const Input& offset, const Input& scale, const char* call, Where where) {
    Core& core = ThisCore(call);
    if (!core.chip().fixpipe.empty()) return OutOfScope(call, "convert B to half before the product", where);
    if (!Widens(*o->kind)) {
        Refuse(core, call, where,
               {Rule::kMatmulTypes, "A, B", "the call is for a B of int8_t beside an A of half",
                fmt::format("{} x {}", CName(o->kind->a.type), CName(o->kind->b.type)), "half x int8_t",
                "leave the call out"});
        return;
    }
    for (const Input* row : {&offset, &scale}) {
        const auto n = static_cast<uint64_t>(o->org_n);
        if (row->from != Input::From::kLocal || row->local.size >= n) continue;
        Refuse(core, call, where,
               {Rule::kMatmulRange, row == &offset ? "offsetTensor" : "scaleTensor",
                "the row has not an element for each column", fmt::format("{} elements", row->local.size),
                fmt::format("{} elements", n), "give it N elements"});
        return;
    }
    o->offset = offset, o->scale = scale;
}

void SetInfo(Object* o, uint64_t tiling, Where where) {
    if (HasForm(ThisCore("SetUserDefInfo"), Form::kCallbackData, "SetUserDefInfo", where)) o->user_info = tiling;
}

void SetData(Object* o, uint64_t data, Where where) {
    Core& core = ThisCore("SetSelfDefineData");
    if (!HasForm(core, Form::kCallbackData, "SetSelfDefineData", where)) return;
    if (!Removed(core, "SetSelfDefineData", o->kind->config->enableSetDefineData, "enableSetDefineData", where)) return;
    if (o->moved) {
        Find(core, "SetSelfDefineData", where,
             {Rule::kMatmulOrder, "", "SetSelfDefineData stands behind the tensors",
              "SetTensorA or SetTensorB before it", "SetSelfDefineData, then the tensors", "move it up"});
    }
    o->self_data = data;
}

void SetWorkspace(Object* o, const GlobalView& gm, Where where) {
    if (HasForm(ThisCore("SetWorkspace"), Form::kWorkspace, "SetWorkspace", where)) o->workspace = gm;
}

void SetBatchNum(Object* o, uint32_t a, uint32_t b, Where where) {
    if (OnCube(ThisCore("SetBatchNum"), *o, "SetBatchNum", where)) o->batch.a = a, o->batch.b = b;
}

void OutOfScope(const char* call, const char* why, Where where) {
    Find(ThisCore(call), call, where,
         {Rule::kMatmulRefused, "", "this part of Matmul is out of scope", call, "the other calls of Matmul", why});
}

}  // namespace sfumato::ascendc::mm
