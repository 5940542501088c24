// SPDX-License-Identifier: Apache-2.0
// Opcodes, forms and pipes, derived from instructions.inc and forms.inc.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "isa/makes.h"

namespace sfumato::isa {

// What operands and parameters an instruction has: the rows of forms.inc.
enum class Form : uint8_t {
#define SFUMATO_FORM(form, ...) k##form,
#include "isa/forms.inc"
#undef SFUMATO_FORM
    kCount
};
constexpr int kFormCount = static_cast<int>(Form::kCount);

// The queues of a core (framework.md 2.1). kAll is a pseudo pipe of barriers.
enum class Pipe : uint8_t { kS, kV, kM, kMte1, kMte2, kMte3, kFix, kCount, kAll, kByOperands };
constexpr int kPipeCount = static_cast<int>(Pipe::kCount);

enum class Opcode : uint8_t {
#define SFUMATO_INSTRUCTION(opcode, ...) opcode,
#include "isa/instructions.inc"
#undef SFUMATO_INSTRUCTION
    kCount
};
constexpr int kOpcodeCount = static_cast<int>(Opcode::kCount);

// What one instruction does differently from others of its form.
enum Trait : uint32_t {
    kReadsDst = 1 << 0,     // adds to, or multiplies, what dst holds; where types mix, half sources go into a float dst
    kAccumulates = 1 << 1,  // may gather its repeats in one dst, which is src1 too
    kTotalCount = 1 << 2,   // TIK's call takes the number of all elements where the chip has a counter mode
    kShifts = 1 << 3,       // the immediate is a distance
    kCasts = 1 << 4,        // converts as the chip's table of Cast says; others have rows of their own
    kCastsInTik = 1 << 5,   // the same in TIK alone
    kTakesMax = 1 << 6,     // a reduction: else to the sum
    kTakesMin = 1 << 7,
    kOfBlocks = 1 << 8,  // a reduction of each block, or of each pair: else of each repeat
    kOfPairs = 1 << 9,
    kSortsPairs = 1 << 10,    // records are pairs of score and index: else region proposals
    kRounds = 1 << 11,        // the call says whether the result is rounded (roundEn)
    kEachRepeat = 1 << 12,    // the counter mode counts the elements of each repeat, and strides reach further (4.5)
    kMovesLastBit = 1 << 14,  // no page settles its last bit (docs/last-bits.md)
    kHighLevel = 1 << 13,     // a step of high-level calls alone: no call of its own
    kComposed = 1 << 15,      // no instruction of the hardware's: several
    kWaits = 1 << 16,         // waits for a flag: else sets one
    kWritesField = 1 << 17    // into region proposals: else out of them
};

struct InstructionInfo {
    const char* opcode;   // "vconv"
    const char* ascendc;  // "Cast"
    const char* tik;      // "vec_conv"
    Form form;
    Pipe pipe;
    Makes makes;
    uint32_t traits;
};

inline constexpr InstructionInfo kInstructions[kOpcodeCount] = {
#define SFUMATO_INSTRUCTION(opcode, ascendc, tik, form, pipe, what, ...) \
    {#opcode, ascendc, tik, Form::form, Pipe::pipe, makes::what, 0 __VA_OPT__(| (__VA_ARGS__))},
#include "isa/instructions.inc"
#undef SFUMATO_INSTRUCTION
};

constexpr const InstructionInfo& Info(Opcode op) { return kInstructions[static_cast<int>(op)]; }

constexpr bool Converts(Form form) { return form == Form::kConvert || form == Form::kConvertTwo; }
constexpr bool Has(Opcode op, uint32_t traits) { return (Info(op).traits & traits) != 0; }

// Whose elements are the lanes of a repeat.
enum class LanesOfForm : uint8_t { kNone, kWidest, kDestination, kSource };

struct FormInfo {
    static constexpr int kMostOperands = 5;
    using Names = std::array<std::array<const char*, kMostOperands>, 2>;  // by Api

    MadeOf made_of;
    Rest rest;
    LanesOfForm lanes;
    uint8_t strided, most_lanes_log2;  // operands that have strides, and log2 of the most lanes of a repeat
    uint8_t operands;
    std::array<uint32_t, 2> repeats;  // the most, by Api
    uint32_t repeat_stride;           // the largest
    Names names, fewer;               // of the operands; of a record with one operand less
};

namespace rows {
constexpr FormInfo::Names Same(std::array<const char*, FormInfo::kMostOperands> names) { return {names, names}; }
struct LanesColumn {
    LanesOfForm lanes = LanesOfForm::kNone;
    uint8_t strided = FormInfo::kMostOperands, most_log2 = 8;
};
struct LimitsColumn {
    uint32_t ascendc, tik, repeat_stride;
};
constexpr FormInfo Row(MadeOf made_of, Rest rest, LanesColumn l, LimitsColumn m, const FormInfo::Names& names,
                       const FormInfo::Names& fewer) {
    const auto operands = std::find(names[0].begin(), names[0].end(), nullptr) - names[0].begin();
    return {made_of,         rest,  l.lanes, l.strided, l.most_log2, static_cast<uint8_t>(operands), {m.ascendc, m.tik},
            m.repeat_stride, names, fewer};
}
}  // namespace rows

#define SFUMATO_LIST(...) \
    std::array<const char*, FormInfo::kMostOperands> { __VA_ARGS__ }
#define SFUMATO_NAMES(...) rows::Same({__VA_ARGS__})
#define SFUMATO_BOTH(ascendc, tik) \
    FormInfo::Names { ascendc, tik }
#define SFUMATO_LANES(lanes, ...) \
    rows::LanesColumn { LanesOfForm::lanes __VA_OPT__(, ) __VA_ARGS__ }
#define SFUMATO_NO_LANES \
    rows::LanesColumn {}
#define SFUMATO_LIMITS(ascendc, tik, stride) \
    rows::LimitsColumn { ascendc, tik, stride }
#define SFUMATO_USUAL SFUMATO_LIMITS(255, 255, 255)
inline constexpr FormInfo kForms[kFormCount] = {
#define SFUMATO_FORM(form, family, made_of, rest, lanes, limits, names, fewer) \
    rows::Row(MadeOf::made_of, Rest::rest, lanes, limits, names, fewer),
#include "isa/forms.inc"
#undef SFUMATO_FORM
};
#undef SFUMATO_LIST
#undef SFUMATO_NAMES
#undef SFUMATO_BOTH
#undef SFUMATO_LANES
#undef SFUMATO_NO_LANES
#undef SFUMATO_LIMITS
#undef SFUMATO_USUAL

constexpr const FormInfo& Info(Form form) { return kForms[static_cast<int>(form)]; }

// A bit for each form made of this: faster to ask than the table.
constexpr uint64_t FormsMadeOf(MadeOf made_of) {
    uint64_t forms = 0;
    for (int form = 0; form < kFormCount; ++form) forms |= uint64_t{kForms[form].made_of == made_of} << form;
    return forms;
}
static_assert(kFormCount <= 64);

// Where the instructions of a form run.
constexpr Pipe PipeOf(Form form) {
    const auto* row = std::find_if(std::begin(kInstructions), std::end(kInstructions),
                                   [form](const InstructionInfo& info) { return info.form == form; });
    return row->pipe;
}

// The names chip data, behaviours and pages know the rows by: a row's name, or its opcode when an earlier row has that
// name. Made by the compiler: the readers of chip data compare with all of them.
using Keys = std::array<std::string_view, kOpcodeCount>;
constexpr Keys MakeKeys(const char* InstructionInfo::*field) {
    Keys keys;
    for (int op = 0; op < kOpcodeCount; ++op) {
        keys[static_cast<size_t>(op)] = kInstructions[op].*field;
        for (int i = 0; i < op; ++i) {
            if (std::string_view(kInstructions[i].*field) != kInstructions[op].*field) continue;
            keys[static_cast<size_t>(op)] = *(kInstructions[op].*field) ? kInstructions[op].opcode : "";
        }
    }
    return keys;
}
inline constexpr Keys kAscendCKeys = MakeKeys(&InstructionInfo::ascendc);
inline constexpr Keys kTikKeys = MakeKeys(&InstructionInfo::tik);

// By Ascend C; the opcode when the front end has no such call.
constexpr std::string_view AscendCKey(Opcode op) {
    return *Info(op).ascendc ? kAscendCKeys[static_cast<size_t>(op)] : Info(op).opcode;
}
constexpr std::string_view TikKey(Opcode op) { return kTikKeys[static_cast<size_t>(op)]; }

// "PIPE_V", "PIPE_MTE2" ...
const char* Name(Pipe pipe);

}  // namespace sfumato::isa
