// SPDX-License-Identifier: Apache-2.0
// Moves that change a layout, moves between CO1 and UB, and Fill (framework.md 3.5, 3.9, cube.md 5.4, 6).
#include <fmt/format.h>

#include "frontends/ascendc/context.h"
#include "frontends/ascendc/matmul/tscm.h"
#include "isa/path.h"
#include "sfumato/ascendc/issue_copy.h"

namespace sfumato::ascendc {
namespace {

using isa::Memory;
using isa::Record;
using Deq = isa::MatrixMove::Deq;

static_assert(static_cast<int>(Deq::kVDeq) == static_cast<int>(AscendC::DeqScale::VDEQ) &&
              static_cast<int>(Deq::kDeq8) == static_cast<int>(AscendC::DeqScale::DEQ8) &&
              static_cast<int>(Deq::kVDeq16) == static_cast<int>(AscendC::DeqScale::VDEQ16));

// The register SetDeqScale leaves the mode's parameter in.
isa::DeqScale RegisterOf(Deq deq) {
    if (isa::IsVectorDeq(deq)) return isa::DeqScale::kVector;
    return deq == Deq::kDeq ? isa::DeqScale::kHalf : isa::DeqScale::kWord;
}

bool BadDeqValue(runtime::Core& core, const char* message, uint64_t value, const char* legal, const char* hint,
                 Where where) {
    return Refuse(core, "DataCopy", where,
                  {Rule::kDeqvalue, "deqValue", message, fmt::format("{:#x}", value), legal, hint});
}

// deqValue, or what SetDeqScale left when it is 0. Of a vector mode: the byte offset of the parameters in UB.
bool FindDeqWord(runtime::Core& core, const AscendC::DataCopyEnhancedParams& p, Where where, isa::MatrixMove* shape) {
    if (shape->deq == Deq::kNone) return true;
    const isa::Control& control = core.registers().control;
    if (p.deqValue == 0) {
        if (control.deq == RegisterOf(shape->deq)) return shape->word = control.deq_word, true;
        return BadDeqValue(core, "the conversion has no parameter", p.deqValue,
                           "a deqValue other than 0, or a SetDeqScale of the same kind",
                           "set deqValue, or call SetDeqScale before", where);
    }
    shape->word = p.deqValue;
    if (!isa::IsVectorDeq(shape->deq)) return true;
    // What GetPhyAddr gave is an address of the host; an offset is taken as it is.
    const auto base = reinterpret_cast<uint64_t>(core.MemoryBase(Memory::kUb));
    if (shape->word >= base) shape->word -= base;
    const bool legal = shape->word < core.chip().Bytes(Memory::kUb) && shape->word % isa::kBlockBytes == 0;
    return legal || BadDeqValue(core, "deqValue is no place for parameters in UB", p.deqValue,
                                "GetPhyAddr() of a tensor in UB, 32-byte aligned",
                                "set deqValue to the GetPhyAddr() of the tensor with the parameters", where);
}

bool SetBlock(runtime::Core& core, AscendC::BlockMode mode, Where where, isa::MatrixMove* shape) {
    using Block = isa::MatrixMove::Block;
    if (mode == AscendC::BlockMode::BLOCK_MODE_MATRIX || mode == AscendC::BlockMode::BLOCK_MODE_VECTOR) {
        shape->block = mode == AscendC::BlockMode::BLOCK_MODE_MATRIX ? Block::kMatrix : Block::kVector;
        return true;
    }
    const auto number = static_cast<size_t>(mode);
    constexpr const char* kNames[] = {"BLOCK_MODE_NORMAL", "", "", "BLOCK_MODE_SMALL_CHANNEL", "BLOCK_MODE_DEPTHWISE"};
    return Refuse(core, "DataCopy", where,
                  {Rule::kBlockMode, "blockMode", "the block mode does not exist between CO1 and UB",
                   number < std::size(kNames) ? kNames[number] : fmt::format("{}", number),
                   "BLOCK_MODE_MATRIX, BLOCK_MODE_VECTOR",
                   "BLOCK_MODE_MATRIX moves fractals of 16 x 16; blockMode must be set, its default is NORMAL"});
}

}  // namespace

void tensor_mov(const Ends& ends, const AscendC::DataCopyParams& p, const AscendC::DataCopyEnhancedParams& enhanced) {
    runtime::Core& core = ThisCore("DataCopy");
    Record r(isa::Opcode::tensor_mov);
    if (!SetEnds(core, "DataCopy", ends, &r)) return;
    if (r.src0().memory != Memory::kL0C && r.dst().memory != Memory::kL0C) {
        MoveCall plain;
        static_cast<Ends&>(plain) = ends;
        plain.block_count = p.blockCount;
        plain.block_len = p.blockLen;
        plain.src_gap = p.srcGap;
        plain.dst_gap = p.dstGap;
        return data_move(plain);
    }
    isa::MatrixMove shape;
    shape.block_count = p.blockCount;
    shape.block_len = p.blockLen;
    shape.src_gap = p.srcGap;
    shape.dst_gap = p.dstGap;
    shape.deq = static_cast<Deq>(enhanced.deqScale);
    shape.relu = enhanced.isRelu;
    shape.sid_store_mode = enhanced.sidStoreMode;
    if (!SetBlock(core, enhanced.blockMode, ends.where, &shape)) return;
    if (!FindDeqWord(core, enhanced, ends.where, &shape)) return;
    r.control = core.registers().control;
    r.Set(shape);
    core.Issue(r);
}

void broadcast_ub_to_l0c(const Ends& ends, int32_t block_count, uint8_t block_len, uint8_t src_gap, uint8_t dst_gap) {
    runtime::Core& core = ThisCore("BroadCastVecToMM");
    Record r(isa::Opcode::broadcast_ub_to_l0c);
    if (!SetEnds(core, "BroadCastVecToMM", ends, &r)) return;
    r.Set(isa::MatrixMove{.block = isa::MatrixMove::Block::kBroadcast,
                          .block_count = static_cast<uint32_t>(block_count),
                          .block_len = block_len,
                          .src_gap = src_gap,
                          .dst_gap = dst_gap});
    core.Issue(r);
}

void nd2nz(const Ends& ends, const AscendC::Nd2NzParams& p) {
    runtime::Core& core = ThisCore("DataCopy");
    if (mm::IsTscm(ends) && mm::MovesToTscm(core, "DataCopy", ends, [p](const Ends& moved) { nd2nz(moved, p); }))
        return;
    Record r(isa::Opcode::nd2nz);
    if (!SetEnds(core, "DataCopy", ends, &r)) return;
    isa::Nd2Nz shape;
    shape.nd_count = p.ndNum;
    shape.n = p.nValue;
    shape.d = p.dValue;
    shape.src_nd_stride = p.srcNdMatrixStride;
    shape.src_d = p.srcDValue;
    shape.dst_c0_stride = p.dstNzC0Stride;
    shape.dst_n_stride = p.dstNzNStride;
    shape.dst_nd_stride = p.dstNzMatrixStride;
    r.Set(shape);
    core.Issue(r);
}

void nz2nd(const Ends& ends, const AscendC::Nz2NdParamsFull& p) {
    runtime::Core& core = ThisCore("DataCopy");
    Record r(isa::Opcode::nz2nd);
    if (!SetEnds(core, "DataCopy", ends, &r)) return;
    r.control = core.registers().control;
    isa::Nz2Nd shape;
    shape.nd_count = p.ndNum;
    shape.n = p.nValue;
    shape.d = p.dValue;
    shape.src_nd_stride = p.srcNdMatrixStride;
    shape.src_n_stride = p.srcNStride;
    shape.dst_d_stride = p.dstDStride;
    shape.dst_nd_stride = p.dstNdMatrixStride;
    r.Set(shape);
    core.Issue(r);
}

void fill(const FillCall& call) {
    runtime::Core& core = ThisCore("Fill");
    Record r(isa::Opcode::fill);
    r.operand_count = 1;
    r.where = call.where;
    if (!ToOperand(core, "Fill", "dst", *call.dst, call.type, call.where, &r.operand[0])) return;
    r.pipe = isa::PipeOfPath(Memory::kNone, r.dst().memory);
    r.immediate = call.value;
    isa::BlockFill shape{call.repeats, call.blocks, call.gap};
    if (!core.chip().fill_blocks) {
        if ((call.blocks != 0 || call.gap != 0) &&
            !Find(core, "Fill", call.where,
                  {Rule::kFillBlocksIgnored, "blockNum, dstGap",
                   fmt::format("{} knows no blocks and no gaps", core.chip().name),
                   fmt::format("blockNum {}, dstGap {}", call.blocks, call.gap),
                   "0 and 0: repeatTimes x 512 bytes are filled",
                   "construct InitConstValueParams with repeatTimes and the value alone"})) {
            return;
        }
        shape.blocks = r.dst().memory == Memory::kL1 ? 16 : 1;
        shape.dst_gap = 0;
    }
    r.Set(shape);
    core.Issue(r);
}

}  // namespace sfumato::ascendc
