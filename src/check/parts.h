// SPDX-License-Identifier: Apache-2.0
// The parts of CheckRecord. Each returns true when the record may still be executed; it reports what it finds.
// Checks are a few compares; whatever formats text is a cold function of its own.
#pragma once

#include <algorithm>
#include <string>

#include "check/check.h"
#include "isa/spans.h"
#include "report/finding.h"

#define SFUMATO_COLD [[gnu::noinline, gnu::cold]]

namespace sfumato::check {

// Gives the finding to the sink. True: not a fault, go on.
SFUMATO_COLD bool Tell(const isa::Record& record, const Context& context, Finding finding);

// The type as the user of the record's front end spells it.
const char* TypeName(const isa::Record& record, DataType type);
// The parameter as the user of the record's front end spells it.
inline const char* Spelling(const isa::Record& r, const char* ascendc, const char* tik) {
    return r.api == isa::Api::kTik && tik ? tik : ascendc;
}
// "byte offset 20 in UB", "byte offset 64 of src in GM".
std::string PlaceText(const isa::Operand& operand, const Context& context);

// "Ascend310P, Ascend910B": the families other than the record's that fit, or "".
template <class Fits>
std::string OtherChips(const Context& c, const Fits& fits) {
    return soc::FamilyList([&](const soc::Chip& chip) { return chip.name != c.chip->name && fits(chip); });
}
// The hint for what is there on `chips`, a list of OtherChips. `instead` is said when it is empty.
std::string ChooseChip(const std::string& chips, const char* what,
                       const char* instead = "convert to a legal type first");

// The rules of a form. The checks of a record are those of its parameters.
#define SFUMATO_FORM(form, family, ...) \
    bool Check(const isa::Record& record, const isa::family& parameters, const Context& context);
#include "isa/forms.inc"
#undef SFUMATO_FORM

// types.cpp: element types, conversions, round modes, dequantisation.
bool CheckTypes(const isa::Record& record, const Context& context);
bool CheckConversion(const isa::Record& record, const Context& context);
bool CheckShift(const isa::Record& record, const Context& context);
// Of one operand; and that it has the type of another.
bool CheckTypeOf(const isa::Record& record, const Context& context, int operand);
bool CheckSameType(const isa::Record& record, const Context& context, int operand, int like);
SFUMATO_COLD bool WrongType(const isa::Record& record, const Context& context, int operand, DataType wanted);
SFUMATO_COLD bool InstructionUnsupported(const isa::Record& record, const Context& context, const std::string& chips);
// The type is there on the chip, but not in this place: `where` ends "the element type ...".
SFUMATO_COLD bool TypeNotHere(const isa::Record& record, const Context& context, const char* where,
                              const std::string& legal);
// Bit 46 of a word for results of 8 bits.
SFUMATO_COLD bool DeqSign(const isa::Record& record, const Context& context, const char* operand);
SFUMATO_COLD bool DeqAddress(const isa::Record& record, const Context& context, isa::Span words);

// memory.cpp: which memories, alignment.
bool CheckPath(const isa::Record& record, const Context& context);
bool CheckOperandMemory(const isa::Record& record, const Context& context, int operand);
// "UB (VECIN, VECCALC, VECOUT)", "UB (tik.scope_ubuf)": a memory and how the user asks for it.
std::string HomeText(const isa::Record& record, isa::Memory memory);
SFUMATO_COLD bool WrongMemory(const isa::Record& record, const Context& context, int operand, std::string legal,
                              std::string hint);
// The operand lies elsewhere than in `wanted`; TIK's hint is made of the scope.
SFUMATO_COLD bool WrongMemory(const isa::Record& record, const Context& context, int operand, isa::Memory wanted,
                              const char* ascendc_hint);
bool CheckScalarMemory(const isa::Record& record, const Context& context);
SFUMATO_COLD bool VectorMemoryFault(const isa::Record& record, const Context& context);

// True: the vector unit can use the record's first n operands.
inline bool CheckVectorMemory(const isa::Record& r, const Context& c, int n) {
    bool legal = r.core_kind != isa::CoreKind::kCube;
    for (int i = 0; i < n; ++i) {
        const isa::Operand& o = r.operand[static_cast<size_t>(i)];
        legal &= o.memory == isa::Memory::kUb && o.offset % isa::kBlockBytes == 0;
    }
    return legal || VectorMemoryFault(r, c);
}

// domain.cpp: the elements that a function takes; for CheckContents.
bool CheckDomain(const isa::Record& record, const Context& context, const uint8_t* ub);

// range.cpp: what an operand reaches. OutOfRange decides which rule is broken, if any.
SFUMATO_COLD bool OutOfRange(const isa::Record& record, const Context& context, int operand, isa::Span span);

inline bool CheckRange(const isa::Record& r, const Context& c, int operand, isa::Span span) {
    const isa::Operand& o = r.operand[static_cast<size_t>(operand)];
    const uint64_t room =
        o.memory == isa::Memory::kGm ? c.gm[o.allocation].bytes : std::min(o.limit, c.chip->Bytes(o.memory));
    const bool inside = std::max(span.end, o.offset) <= room;
    const bool in_tensor = o.elements == 0 || span.end - o.offset <= (o.elements << isa::Log2Bits(o.type)) / 8;
    return (inside && in_tensor) || OutOfRange(r, c, operand, span);
}

// The count is larger than the operand's tensor.
SFUMATO_COLD bool CountExceeds(const isa::Record& record, const Context& context, int operand);

// All operands.
inline bool CheckRanges(const isa::Record& r, const Context& c) {
    for (int i = 0; i < r.operand_count; ++i) {
        if (!CheckRange(r, c, i, isa::SpanOf(r, i))) return false;
    }
    return true;
}

// mask.cpp: repeat, strides and mask of the first n operands; shift is isa::LanesShift(record). `nothing` is set when
// the record has nothing to do.
bool CheckMask(const isa::Record& record, const Context& context, int n, uint32_t shift, bool* nothing);

// overlap.cpp: dst and source `operand`, whose spans overlap.
bool OverlapOf(const isa::Record& record, const Context& context, int operand, uint32_t shift, const isa::Lanes& lanes);
bool CheckMoveOverlap(const isa::Record& record, const isa::Blocks& move, const Context& context);

bool CheckAtomic(const isa::Record& record, const Context& context);

// The operand lies in UB, aligned.
bool CheckUbOperand(const isa::Record& record, const Context& context, int operand);
// The two operands, which touch these bytes, have none in common.
bool CheckApart(const isa::Record& record, const Context& context, int operand, isa::Span bytes, int other,
                isa::Span other_bytes);
inline bool CheckApart(const isa::Record& r, const Context& c, int operand, int other) {
    return CheckApart(r, c, operand, isa::SpanOf(r, operand), other, isa::SpanOf(r, other));
}
// An operand of `count` elements; with a count, its tensor is at least as large.
bool CheckLaneRange(const isa::Record& record, const Context& context, int operand);

// The results of an instruction that reads each repeat before it stores lie where a later repeat reads.
SFUMATO_COLD bool ReadsEarlier(const isa::Record& record, const Context& context, int target, uint64_t repeat,
                               const isa::Span& bytes);

}  // namespace sfumato::check
