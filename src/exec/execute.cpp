// SPDX-License-Identifier: Apache-2.0
// The meaning of every instruction: one function a row of the table, so that a row without one does not link.
#include <cstring>
#include <stdexcept>

#include "exec/cube.h"
#include "exec/exec.h"
#include "exec/move.h"
#include "exec/refuse.h"
#include "exec/runs.h"
#include "exec/vector.h"

namespace sfumato::exec {

using isa::Record;

namespace meaning {
#define SFUMATO_INSTRUCTION(opcode, ascendc, tik, form, pipe) \
    bool opcode(const Record& record, const MemoryMap& memory);
#include "isa/instructions.inc"
#undef SFUMATO_INSTRUCTION
}  // namespace meaning

void Refuse(const Record& record, const std::string& why) {
    throw std::logic_error(std::string("sfumato::exec::Execute: ") + isa::Info(record.op).ascendc + " (" +
                           isa::Info(record.op).opcode + ") " + why);
}

namespace {

bool Elementwise(const Record& record, const MemoryMap& memory) {
    const RunFn run = FindRun(record.op, record.dst().type);
    if (run == nullptr) {
        Refuse(record, std::string("has no meaning for elements of type ") + CName(record.dst().type) + ".");
    }
    RunArgs args;
    args.scalar = record.immediate;
    args.overflow = record.control.overflow;
    return RunVector(record, memory, run, args);
}

bool Conversions(const Record& record, const MemoryMap& memory) {
    const isa::Control& control = record.control;
    Conversion conversion;
    conversion.src = record.src0().type;
    conversion.dst = record.dst().type;
    conversion.rounding = record.rounding;
    conversion.overflow = control.overflow;
    conversion.deq = control.deq;
    const RunFn run = ConvertRun(conversion);
    if (run == nullptr) {
        Refuse(record, std::string("has no conversion from ") + CName(conversion.src) + " to " + CName(conversion.dst) +
                           (control.deq == isa::DeqScale::kNone ? " without" : " with") + " a dequantisation scale.");
    }
    RunArgs args;
    args.overflow = control.overflow;
    uint64_t words[16];
    if (control.deq == isa::DeqScale::kVector) {
        // A copy: dst may lie on the words.
        std::memcpy(words, memory.base[static_cast<int>(isa::Memory::kUb)] + control.deq_word, sizeof(words));
        args.deq_words = words;
    } else {
        args.deq_word = control.deq_word;
    }
    return RunVector(record, memory, run, args);
}

bool NotData(const Record& record) { Refuse(record, "moves no data: the pipes execute it."); }

}  // namespace

namespace meaning {

bool vadd(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vsub(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vmul(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vmax(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vmin(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vadds(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vmuls(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vector_dup(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vconv(const Record& r, const MemoryMap& m) { return Conversions(r, m); }
bool vconv_deq(const Record& r, const MemoryMap& m) { return Conversions(r, m); }
bool data_move(const Record& r, const MemoryMap& m) { return Move(r, m); }
bool data_move_pad(const Record& r, const MemoryMap& m) { return MovePad(r, m); }
bool nd2nz(const Record& r, const MemoryMap& m) { return MoveNd2Nz(r, m), false; }
bool nz2nd(const Record& r, const MemoryMap& m) { return MoveNz2Nd(r, m); }
bool tensor_mov(const Record& r, const MemoryMap& m) { return MoveMatrix(r, m); }
bool fill(const Record& r, const MemoryMap& m) { return FillBlocks(r, m), false; }
bool load2d(const Record& r, const MemoryMap& m) { return LoadFractals(r, m), false; }
bool load2d_transpose(const Record& r, const MemoryMap& m) { return LoadTransposedSquares(r, m), false; }
bool load3dv1(const Record& r, const MemoryMap& m) { return LoadImageV1(r, m), false; }
bool load3dv2(const Record& r, const MemoryMap& m) { return LoadImageV2(r, m), false; }
bool mmad(const Record& r, const MemoryMap& m) { return MultiplyAccumulate(r, m); }
bool fixpipe(const Record& r, const MemoryMap& m) { return MoveFixpipe(r, m); }
bool scalar_store(const Record& r, const MemoryMap& m) {
    if (BitsOf(r.dst().type) < 8) Refuse(r, "stores whole bytes; int4b_t elements are half a byte.");
    std::memcpy(m.Address(r.dst()), &r.immediate, BytesOf(r.dst().type, 1));
    return false;
}
bool set_flag(const Record& r, const MemoryMap&) { return NotData(r); }
bool wait_flag(const Record& r, const MemoryMap&) { return NotData(r); }
bool pipe_barrier(const Record& r, const MemoryMap&) { return NotData(r); }

}  // namespace meaning

bool Execute(const Record& record, const MemoryMap& memory) {
    using Meaning = bool (*)(const Record&, const MemoryMap&);
    static constexpr Meaning kMeanings[isa::kOpcodeCount] = {
#define SFUMATO_INSTRUCTION(opcode, ascendc, tik, form, pipe) meaning::opcode,
#include "isa/instructions.inc"
#undef SFUMATO_INSTRUCTION
    };
    return kMeanings[static_cast<int>(record.op)](record, memory);
}

}  // namespace sfumato::exec
