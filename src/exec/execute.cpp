// SPDX-License-Identifier: Apache-2.0
// The meaning of every instruction: one function a row of the table, so that a row without one does not link.
#include <cstring>
#include <stdexcept>

#include "exec/cube.h"
#include "exec/exec.h"
#include "exec/lanes.h"
#include "exec/move.h"
#include "exec/reduce.h"
#include "exec/refuse.h"
#include "exec/runs.h"
#include "exec/sort.h"
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
    const DataType dst = record.dst().type;
    const DataType src = record.operand_count > 1 ? record.src0().type : dst;
    const RunFn run = isa::Converts(isa::Info(record.op).form) ? FindConvertingRun(record.op, dst, src)
                                                               : FindRun(record.op, dst, src);
    if (run == nullptr) {
        Refuse(record, std::string("has no meaning for elements of type ") + CName(dst) + ".");
    }
    RunArgs args;
    args.scalar = record.immediate;
    args.rounds = record.rounding == Rounding::kRound;
    args.overflow = record.control.overflow;
    args.deq_word = record.control.deq_word;
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
bool vmaxs(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vmins(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vabs(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vexp(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vln(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vrec(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vsqrt(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vrsqrt(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vrelu(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vlrelu(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vnot(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vand(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vor(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vshl(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vshr(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vdiv(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vaxpy(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vmla(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vmadd(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vmaddrelu(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vaddrelu(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vsubrelu(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vector_dup(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vexpm1(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vcopy(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vcbd(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vmulconv(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vadddeqrelu(const Record& r, const MemoryMap& m) { return Elementwise(r, m); }
bool vconv(const Record& r, const MemoryMap& m) { return Conversions(r, m); }
bool vconv_deq(const Record& r, const MemoryMap& m) { return Conversions(r, m); }
bool vcmpv(const Record& r, const MemoryMap& m) { return CompareElements(r, m), false; }
bool vcmpvs(const Record& r, const MemoryMap& m) { return CompareElements(r, m), false; }
bool vcmp(const Record& r, const MemoryMap& m) { return CompareElements(r, m), false; }
bool vsel(const Record& r, const MemoryMap& m) { return SelectElements(r, m), false; }
bool set_cmpmask(const Record& r, const MemoryMap& m) { return MoveCmpMask(r, m), false; }
bool get_cmpmask(const Record& r, const MemoryMap& m) { return MoveCmpMask(r, m), false; }
bool vbcb(const Record& r, const MemoryMap& m) { return BroadcastElements(r, m), false; }
bool vci(const Record& r, const MemoryMap& m) { return FillIndices(r, m); }
bool vgather(const Record& r, const MemoryMap& m) { return GatherElements(r, m), false; }
bool vgatherb(const Record& r, const MemoryMap& m) { return GatherBlocks(r, m), false; }
bool vscatter(const Record& r, const MemoryMap& m) { return ScatterElements(r, m), false; }
bool vbi(const Record& r, const MemoryMap& m) { return InterpolateBlocks(r, m); }
bool vreduce(const Record& r, const MemoryMap& m) { return SqueezeElements(r, m), false; }
bool data_move(const Record& r, const MemoryMap& m) { return Move(r, m); }
bool data_move_pad(const Record& r, const MemoryMap& m) { return MovePad(r, m); }
bool nd2nz(const Record& r, const MemoryMap& m) { return MoveNd2Nz(r, m), false; }
bool nz2nd(const Record& r, const MemoryMap& m) { return MoveNz2Nd(r, m); }
bool tensor_mov(const Record& r, const MemoryMap& m) { return MoveMatrix(r, m); }
bool broadcast_ub_to_l0c(const Record& r, const MemoryMap& m) { return BroadcastRows(r, m), false; }
bool fill(const Record& r, const MemoryMap& m) { return FillBlocks(r, m), false; }
bool load2d(const Record& r, const MemoryMap& m) { return LoadFractals(r, m), false; }
bool load2d_transpose(const Record& r, const MemoryMap& m) { return LoadTransposedSquares(r, m), false; }
bool load3dv1(const Record& r, const MemoryMap& m) { return LoadImageV1(r, m), false; }
bool load3dv2(const Record& r, const MemoryMap& m) { return LoadImageV2(r, m), false; }
bool mmad(const Record& r, const MemoryMap& m) { return MultiplyAccumulate(r, m); }
bool fixpipe(const Record& r, const MemoryMap& m) { return MoveFixpipe(r, m); }
bool vcadd(const Record& r, const MemoryMap& m) { return ReduceRepeats(r, m); }
bool vcmax(const Record& r, const MemoryMap& m) { return ReduceRepeats(r, m); }
bool vcmin(const Record& r, const MemoryMap& m) { return ReduceRepeats(r, m); }
bool vcgadd(const Record& r, const MemoryMap& m) { return ReduceRepeats(r, m); }
bool vcgmax(const Record& r, const MemoryMap& m) { return ReduceRepeats(r, m); }
bool vcgmin(const Record& r, const MemoryMap& m) { return ReduceRepeats(r, m); }
bool vcpadd(const Record& r, const MemoryMap& m) { return ReduceRepeats(r, m); }
bool vec_reduce_add(const Record& r, const MemoryMap& m) { return ReduceWhole(r, m); }
bool vec_reduce_max(const Record& r, const MemoryMap& m) { return ReduceWhole(r, m); }
bool vec_reduce_min(const Record& r, const MemoryMap& m) { return ReduceWhole(r, m); }
bool vtranspose(const Record& r, const MemoryMap& m) { return TransposeSixteen(r, m), false; }
bool vnchwconv(const Record& r, const MemoryMap& m) { return TransposeLists(r, m), false; }
bool v4dtrans(const Record& r, const MemoryMap& m) { return TransposeImages(r, m), false; }
bool vconcat(const Record& r, const MemoryMap& m) { return MoveField(r, m), false; }
bool vextract(const Record& r, const MemoryMap& m) { return MoveField(r, m), false; }
bool vrpsort16(const Record& r, const MemoryMap& m) { return SortRecords(r, m), false; }
bool vsort32(const Record& r, const MemoryMap& m) { return SortRecords(r, m), false; }
bool vmrgsort4(const Record& r, const MemoryMap& m) { return MergeRecords(r, m), false; }
bool vmrgsort(const Record& r, const MemoryMap& m) { return MergeRecords(r, m), false; }
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
