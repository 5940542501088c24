// SPDX-License-Identifier: Apache-2.0
// Opcodes, forms and pipes, derived from instructions.inc.
#pragma once

#include <cstdint>
#include <string_view>

namespace sfumato::isa {

// Operand shapes. A form of its own means a file of its own in exec.
enum class Form : uint8_t {
    kBinary,       // dst, src0, src1 of one type
    kScalar,       // dst, src0 and an immediate of one type
    kFill,         // dst and an immediate
    kConvert,      // dst, src0 of two types
    kMove,         // blocks of 32 bytes between memories
    kMovePad,      // blocks of bytes between GM and UB, padded
    kScalarStore,  // one element written by the scalar unit
    kLoad2D,       // forms from here to kBlockFill: parameters in Record::shape
    kLoadTransposed,
    kLoad3Dv1,
    kLoad3Dv2,
    kMatmul,
    kFixpipe,
    kMatrixMove,  // L0C and UB
    kNd2Nz,
    kNz2Nd,
    kBlockFill,
    kFlag,  // set or wait of (event, id)
    kBarrier
};

// The queues of a core (framework.md 2.1). kAll is a pseudo pipe of barriers.
enum class Pipe : uint8_t { kS, kV, kM, kMte1, kMte2, kMte3, kFix, kCount, kAll, kByOperands };
constexpr int kPipeCount = static_cast<int>(Pipe::kCount);

enum class Opcode : uint8_t {
#define SFUMATO_INSTRUCTION(opcode, ascendc, tik, form, pipe) opcode,
#include "isa/instructions.inc"
#undef SFUMATO_INSTRUCTION
    kCount
};
constexpr int kOpcodeCount = static_cast<int>(Opcode::kCount);

struct InstructionInfo {
    const char* opcode;   // "vconv"
    const char* ascendc;  // "Cast"
    const char* tik;      // "vec_conv"
    Form form;
    Pipe pipe;
};

inline constexpr InstructionInfo kInstructions[kOpcodeCount] = {
#define SFUMATO_INSTRUCTION(opcode, ascendc, tik, form, pipe) {#opcode, ascendc, tik, Form::form, Pipe::pipe},
#include "isa/instructions.inc"
#undef SFUMATO_INSTRUCTION
};

constexpr const InstructionInfo& Info(Opcode op) { return kInstructions[static_cast<int>(op)]; }

// The name chip data, behaviours and pages know a row by: its name, or its opcode when an earlier row has that name.
constexpr std::string_view Key(std::string_view name, Opcode op, const char* InstructionInfo::*field) {
    for (int i = 0; i < static_cast<int>(op); ++i) {
        if (name == kInstructions[i].*field) return Info(op).opcode;
    }
    return name;
}
// By Ascend C; "" when the front end has no such call.
constexpr std::string_view AscendCKey(Opcode op) { return Key(Info(op).ascendc, op, &InstructionInfo::ascendc); }
constexpr std::string_view TikKey(Opcode op) {
    return *Info(op).tik ? Key(Info(op).tik, op, &InstructionInfo::tik) : std::string_view();
}

// "PIPE_V", "PIPE_MTE2" ...
const char* Name(Pipe pipe);

}  // namespace sfumato::isa
