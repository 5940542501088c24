// SPDX-License-Identifier: Apache-2.0
// Opcodes, forms and pipes, derived from instructions.inc.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace sfumato::isa {

// Operand shapes. A form of its own means a file of its own in exec.
enum class Form : uint8_t {
    kBinary,       // dst, src0, src1 of one type; dst is read too where ReadsDst
    kUnary,        // dst, src0 of one type
    kScalar,       // dst, src0 and an immediate of one type; dst is read too where ReadsDst
    kFill,         // dst and an immediate
    kConvert,      // dst, src0 of two types
    kConvertTwo,   // dst of one type, src0 and src1 of another
    kMove,         // blocks of 32 bytes between memories
    kMovePad,      // blocks of bytes between GM and UB, padded
    kScalarStore,  // one element written by the scalar unit
    kLoad2D,       // forms from here to kMergeQueues: parameters in Record::shape
    kLoadTransposed,
    kLoad3Dv1,
    kLoad3Dv2,
    kMatmul,
    kFixpipe,
    kMatrixMove,  // L0C and UB
    kNd2Nz,
    kNz2Nd,
    kBlockFill,
    kReduce,            // dst, src: results of repeats, blocks or pairs
    kReduceTensor,      // dst, src, work: one result for all repeats
    kTransposeSquares,  // 16 x 16 elements of 16 bits
    kTransposeBlocks,   // lists of 16 blocks
    kTransposeChannels,
    kProposalField,  // an element of region proposals
    kSortGroups,
    kMergeQueues,
    kCompare,  // bits from elements; from here to kGatherMask: lanes, and parameters in Record::shape too
    kSelect,
    kRegisterMove,  // CMPMASK and UB
    kBroadcast,
    kGather,      // by byte offsets, or to them
    kInterpolate,  // weighted sums of blocks gathered by byte offsets
    kGatherMask,   // elements chosen by bits, packed
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

constexpr bool Converts(Form form) { return form == Form::kConvert || form == Form::kConvertTwo; }

// The multiply-add forms add to, or multiply, what dst holds. Those that mix types take half sources for a float dst.
constexpr bool ReadsDst(Opcode op) {
    return op == Opcode::vaxpy || op == Opcode::vmla || op == Opcode::vmadd || op == Opcode::vmaddrelu;
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
