// SPDX-License-Identifier: Apache-2.0
// Fill of global memory: a piece of UB that holds the value, and moves of it (framework.md 3.9).
#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/framework.h"
#include "sfumato/ascendc/issue_copy.h"
#include "sfumato/round_up.h"

namespace sfumato::ascendc {
namespace {

using AscendC::HardEvent;

constexpr uint64_t kPieceBytes = 32 * 1024;

bool CheckFill(runtime::Core& core, const char* call, const GlobalView& gm, DataType type, uint64_t count,
               Where where) {
    const soc::Chip& chip = core.chip();
    const auto has = [](const soc::Chip& other) { return other.fill_global != 0; };
    if (!RequireChip(core, call, where, has, Rule::kInstructionUnsupported, "does not have the instruction",
                     "move a tensor that Duplicate filled"))
        return false;
    if (((chip.fill_global >> static_cast<int>(type)) & 1) == 0) {
        return Refuse(
            core, call, where,
            {Rule::kTypeUnsupported, "value", fmt::format("the element type is not supported on {}", chip.name),
             CName(type), soc::TypeList(chip.fill_global, isa::Api::kAscendC), "fill as integers of 16 or 32 bits"});
    }
    isa::Operand operand;
    if (!ToOperand(core, call, "gm", gm, type, where, &operand)) return false;
    const uint64_t most = gm.size != 0 ? gm.size : (operand.limit - operand.offset) * 8 / BitsOf(type);
    if (count <= most) return true;
    return Refuse(core, call, where,
                  {Rule::kCountExceedsTensor, "size", "the size is larger than the tensor", fmt::format("{}", count),
                   fmt::format("0..{}", most), "the size counts elements, not bytes"});
}

void Duplicate(const LocalView& piece, DataType type, uint64_t value, Where where) {
    VectorCall call;
    call.dst = {&piece, 1, type};
    call.mask[0] = piece.size;
    call.scalar = value;
    call.where = where;
    vector_dup(call);
}

}  // namespace

void FillGlobal(const char* name, const GlobalView& gm, DataType type, uint64_t count, uint64_t value, Where where) {
    runtime::Core& core = ThisCore(name);
    if (!CheckFill(core, name, gm, type, count, where) || count == 0) return;
    Framework& framework = Framework::Of(core);
    const uint64_t block = BytesOf(type, 1) == 0 ? 1 : 32 / BytesOf(type, 1);
    LocalView piece = framework.Rest(AscendC::TPosition::VECCALC, type, name, where);
    const uint64_t room = std::min<uint64_t>(piece.size, kPieceBytes / BytesOf(type, 1)) / block * block;
    if (room == 0) return;
    const runtime::CallScope scope(core, name, where);
    piece.size = static_cast<uint32_t>(std::min(room, RoundUpTo(count, block)));
    framework.Order(HardEvent::MTE3_V, where);
    Duplicate(piece, type, value, where);
    framework.Order(HardEvent::V_MTE3, where);
    uint64_t done = 0;
    const auto move = [&](uint64_t elements, void (*issue)(const MoveCall&), bool by_count) {
        MoveCall call{Between(nullptr, &piece, type, where, Advance(gm, type, done, where))};
        call.by_count = by_count;
        call.block_len = by_count ? elements : BytesOf(type, elements);
        issue(call);
        done += elements;
    };
    while (count - done >= block) move(std::min<uint64_t>(piece.size, (count - done) / block * block), data_move, true);
    if (done == count) return framework.Order(HardEvent::MTE3_V, where);
    if (core.chip().Has(isa::Api::kAscendC, isa::Opcode::data_move_pad, type)) {
        move(count - done, data_move_pad, false);
        framework.Order(HardEvent::MTE3_V, where);
    } else {
        framework.Order(HardEvent::MTE3_S, where);
        for (; done < count; ++done) {
            StoreGlobal(gm, type, done, value, where);
            core.scalar().Clean(gm.address + BytesOf(type, done), "Fill", where);
        }
        framework.Order(HardEvent::S_MTE3, where);
    }
}

}  // namespace sfumato::ascendc
