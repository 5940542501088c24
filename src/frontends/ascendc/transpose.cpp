// SPDX-License-Identifier: Apache-2.0
// Transposes to records (vector_instructions.md 6).
#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/context.h"
#include "isa/reductions.h"
#include "sfumato/ascendc/reduce_types.h"

namespace sfumato::ascendc {
namespace {

using isa::Record;

constexpr const char* kTranspose = "Transpose";

bool TypeUnsupported(runtime::Core& core, AscendC::TransposeType type, Where where) {
    return Refuse(core, kTranspose, where,
                  {Rule::kTransposeType, "transposeType", "the transpose type is not supported",
                   fmt::format("{}", static_cast<int>(type)),
                   "TRANSPOSE_ND2ND_B16, TRANSPOSE_NCHW2NHWC, TRANSPOSE_NHWC2NCHW; TRANSPOSE_TYPE_NONE does "
                   "nothing",
                   "move the data with DataCopy and its strides"});
}

// The temporary tensor of images, in bytes (vector_instructions.md 6.2); 0: none is needed.
uint64_t WorkBytes(const soc::Chip& chip, const isa::TransposeChannels& p, const TransposeCall& call) {
    if (!chip.reduce.channels_work) return 0;
    const uint64_t size = BytesOf(call.dst.type, 1), rows = size == 1 ? 32 : 16, columns = 32 / size;
    return (p.to_last ? p.channels + 2 : 2 * p.channels + 1) * rows * columns * size;
}

bool CheckWork(runtime::Core& core, const isa::TransposeChannels& p, const TransposeCall& call) {
    const uint64_t needed = WorkBytes(core.chip(), p, call);
    if (needed == 0 || (call.work.tensor->address && call.work.tensor->room >= needed)) return true;
    return Refuse(core, kTranspose, call.where,
                  {Rule::kWorkSize, "sharedTmpBuffer", "the tensor for intermediate results is too small",
                   fmt::format("{} bytes", call.work.tensor->room), fmt::format("{} bytes or more", needed),
                   "make the tensor larger"});
}

// One list of blocks as offsets in UB; false when an address lies elsewhere.
bool ToOffsets(runtime::Core& core, const BlockList& list, const char* name, Where where,
               std::array<uint32_t, isa::TransposeBlocks::kBlocks>* offsets, uint32_t* room) {
    const auto base = reinterpret_cast<uint64_t>(core.MemoryBase(isa::Memory::kUb));
    const uint64_t bytes = core.chip().Bytes(isa::Memory::kUb);
    for (size_t k = 0; k < offsets->size(); ++k) {
        const uint64_t at = list.address[k];
        if (at < base || at - base >= bytes) {
            return Refuse(
                core, "TransDataTo5HD", where,
                {Rule::kBlockAddress, fmt::format("{}[{}]", name, k), "the address of a block lies outside UB",
                 fmt::format("{:#x}", at), "an address from GetPhyAddr of a tensor in VECIN, VECCALC or VECOUT",
                 "fill all 16 entries of the list"});
        }
        (*offsets)[k] = static_cast<uint32_t>(at - base);
        *room = static_cast<uint32_t>(std::min<uint64_t>({*room, list.room[k], bytes - (at - base)}));
    }
    return true;
}

}  // namespace

void Transpose(const TransposeCall& call) {
    runtime::Core& core = ThisCore(kTranspose);
    Record record(isa::Opcode::vtranspose);
    record.where = call.where;
    record.operand_count = 2;
    if (!ToOperand(core, kTranspose, "dst", *call.dst.tensor, call.dst.type, call.where, &record.operand[0]) ||
        !ToOperand(core, kTranspose, "src", *call.src.tensor, call.src.type, call.where, &record.operand[1])) {
        return;
    }
    using enum AscendC::TransposeType;
    const AscendC::TransposeType type = call.params ? call.params->transposeType : TRANSPOSE_ND2ND_B16;
    switch (type) {
        case TRANSPOSE_TYPE_NONE: return;
        case TRANSPOSE_ND2ND_B16: record.Set(isa::TransposeSquares{}); break;
        case TRANSPOSE_NCHW2NHWC:
        case TRANSPOSE_NHWC2NCHW: {
            const isa::TransposeChannels p{type == TRANSPOSE_NCHW2NHWC, call.params->nSize, call.params->cSize,
                                           uint32_t{call.params->hSize} * call.params->wSize};
            if (!CheckWork(core, p, call)) return;
            record.Become(isa::Opcode::v4dtrans);
            record.Set(p);
            break;
        }
        default: TypeUnsupported(core, type, call.where); return;
    }
    core.Issue(record);
}

void vnchwconv(const BlockList& dst, const BlockList& src, DataType type, const AscendC::TransDataTo5HDParams& params,
               Where where) {
    runtime::Core& core = ThisCore("TransDataTo5HD");
    isa::TransposeBlocks p;
    if (!ToOffsets(core, dst, "dstList", where, &p.dst, &p.dst_room) ||
        !ToOffsets(core, src, "srcList", where, &p.src, &p.src_room)) {
        return;
    }
    p.repeats = params.repeatTimes;
    p.dst_stride = params.dstRepStride;
    p.src_stride = params.srcRepStride;
    p.dst_high = params.dstHighHalf;
    p.src_high = params.srcHighHalf;
    Record record(isa::Opcode::vnchwconv);
    record.where = where;
    record.operand_count = 2;
    for (int i = 0; i < 2; ++i) {
        isa::Operand& o = record.operand[static_cast<size_t>(i)];
        const auto& list = i == 0 ? p.dst : p.src;
        o.memory = isa::Memory::kUb;
        o.type = type;
        o.offset = *std::min_element(list.begin(), list.end());
        o.limit = core.chip().Bytes(isa::Memory::kUb);
    }
    // The blocks are checked one by one: the operand begins at a block even where that one is misaligned.
    for (int i = 0; i < 2; ++i) record.operand[static_cast<size_t>(i)].offset &= ~uint64_t{isa::kBlockBytes - 1};
    record.Set(p);
    core.Issue(record);
}

BlockList BlocksIn(const LocalView& list, Where where) {
    BlockList blocks;
    for (uint64_t k = 0; k < std::size(blocks.address); ++k) {
        blocks.address[k] = LoadLocal(list, DataType::kUint64, k, "TransDataTo5HD", where);
        blocks.room[k] = ~uint64_t{0};
    }
    return blocks;
}

}  // namespace sfumato::ascendc
