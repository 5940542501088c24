// SPDX-License-Identifier: Apache-2.0
#include "frontends/ascendc/adv/operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace sfumato::ascendc::adv {
namespace {

// Bytes of UB under a name.
struct Named {
    const char* name;
    const uint8_t* begin;
    uint64_t bytes;
};
Named BytesOfNeed(const Need& need) {
    return {need.name, need.operand->tensor->address, BytesOf(need.operand->type, need.elements)};
}
bool There(const Need& need) { return need.operand && need.operand->tensor; }

// V3 and V4: no common byte; `same`: or the same start. operand: whose report it is.
bool CheckApart(const Caller& c, const Named& a, const Named& b, bool same, const char* operand, const char* hint) {
    const bool meet = a.begin < b.begin + b.bytes && b.begin < a.begin + a.bytes;
    if (!meet || (same && a.begin == b.begin)) return true;
    return c.Find({Rule::kOperandsShare, operand, fmt::format("{} and {} overlap", a.name, b.name),
                   fmt::format("{} bytes of {}, {} of {}, {} apart", a.bytes, a.name, b.bytes, b.name,
                               std::abs(a.begin - b.begin)),
                   same ? "the same tensor, or no common byte" : "no common byte", hint});
}

}  // namespace

bool Caller::InUb(const char* operand_name, const VectorOperand& operand) const {
    isa::Operand at;
    if (!ToOperand(core, name, operand_name, *operand.tensor, operand.type, where, &at)) return false;
    if (at.memory != isa::Memory::kUb) {
        return Refuse({Rule::kMemoryPath, operand_name, "the call works on tensors in UB", isa::Name(at.memory),
                       "VECIN, VECCALC or VECOUT", "move the data to UB first"});
    }
    if (at.offset % isa::kBlockBytes == 0) return true;
    return Refuse({Rule::kUbAlignment, operand_name, "the tensor does not start at a multiple of 32 bytes",
                   fmt::format("UB byte {}", at.offset), "multiples of 32", "start the tensor at a whole block"});
}

bool Caller::CheckNeeds(std::initializer_list<Need> needs) const {
    for (const Need& need : needs) {
        if (There(need) && !InUb(need.name, *need.operand)) return false;
    }
    for (const Need& need : needs) {
        if (!There(need) || need.elements <= need.operand->tensor->size) continue;
        return Refuse({Rule::kCountExceedsTensor, need.name, "the call uses more elements than the tensor has",
                       fmt::format("{} elements", static_cast<int64_t>(need.elements)),
                       fmt::format("0 to {}", need.operand->tensor->size), need.hint});
    }
    for (const Need* a = needs.begin(); a != needs.end(); ++a) {
        if (!There(*a) || (a != needs.begin() && !a->written)) continue;
        for (const Need* b = needs.begin(); b != needs.end(); ++b) {
            const bool before = b < a && (b == needs.begin() || b->written);  // that pair was looked at
            if (a == b || before || !There(*b)) continue;
            const bool same = a->may_be == b->operand || b->may_be == a->operand;
            if (!CheckApart(*this, BytesOfNeed(*a), BytesOfNeed(*b), same, b->name, "use another destination")) {
                return false;
            }
        }
    }
    if (!tmp.given) return true;
    const Named lent{"sharedTmpBuffer", tmp.view.address, std::min(tmp.view.size, tmp.view.room)};
    for (const Need& need : needs) {
        if (There(need) &&
            !CheckApart(*this, lent, BytesOfNeed(need), false, "sharedTmpBuffer", "lend another buffer")) {
            return false;
        }
    }
    return true;
}

bool Caller::CheckSpace(uint64_t found, uint64_t needed, uint64_t minimum) const {
    const char* operand = tmp.given ? "sharedTmpBuffer" : "";
    const std::string bytes = fmt::format("{} bytes", found);
    if (found < needed) {
        return Refuse({Rule::kWorkSize, operand,
                       tmp.given ? "the temporary buffer is too small" : "InitBuffer left too little of UB", bytes,
                       fmt::format("{} bytes or more", std::max(minimum, needed)),
                       tmp.given ? "the host function of the call for MaxMinTmpSize gives the bytes"
                                 : "lend the call a buffer as sharedTmpBuffer, or make buffers smaller"});
    }
    if (!tmp.given || found >= minimum) return true;
    return Find({Rule::kTmpSize, operand, "the temporary buffer is smaller than the call's minimum", bytes,
                 fmt::format("{} bytes or more", minimum),
                 "the host function of the call for MaxMinTmpSize gives the bytes; here the result is the same"});
}

bool Caller::CheckRow(const char* parameter, DataType type, uint64_t elements) const {
    const uint64_t bytes = BytesOf(type, elements);
    if (elements != 0 && bytes % isa::kBlockBytes == 0) return true;
    return Refuse({Rule::kParameterAlignment, parameter, "a row is no whole number of blocks",
                   fmt::format("{} elements, {} bytes", elements, bytes), "a multiple of 32 bytes", "pad the rows"});
}

bool Caller::CheckBasicBlock(const char* parameter, uint64_t rows, uint64_t columns, bool kept,
                             const char* legal) const {
    return kept || Find({Rule::kBasicBlock, parameter, "isBasicBlock promises a shape that is not given",
                         fmt::format("{} x {}", rows, columns), legal,
                         "leave isBasicBlock false; here the result is the same"});
}

void Caller::TellReused(const VectorOperand& dst, const VectorOperand& src, uint64_t elements) const {
    if (!src.tensor || !src.tensor->address || !core.told().Hears<events::Marked>(true)) return;
    const uint8_t *base = core.MemoryBase(isa::Memory::kUb), *from = src.tensor->address;
    const uint64_t bytes = BytesOf(src.type, elements);
    const uint64_t results = dst.tensor ? std::min<uint64_t>(elements, dst.tensor->size) : 0;
    const bool in_place =
        dst.tensor && dst.tensor->address < from + bytes && from < dst.tensor->address + BytesOf(dst.type, results);
    if (in_place || from < base || from + bytes > base + core.chip().Bytes(isa::Memory::kUb)) return;
    const auto begin = static_cast<uint64_t>(from - base);
    core.Marks({.as = events::Marked::As::kRenewed,
                .memory = isa::Memory::kUb,
                .bytes = {begin, begin + bytes},
                .call = events::kReusedSource,
                .where = where});
}

}  // namespace sfumato::ascendc::adv
