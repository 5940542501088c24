// SPDX-License-Identifier: Apache-2.0
// Fixpipe, DataCopy from CO1 through the same engine, and its registers (cube.md 5.1 to 5.3).
#include <fmt/format.h>

#include "frontends/ascendc/context.h"
#include "sfumato/ascendc/issue_copy.h"

namespace sfumato::ascendc {
namespace {

using isa::Quant;
using isa::Record;

static_assert(static_cast<int>(Quant::kF322BF16) == F322BF16 && static_cast<int>(Quant::kQF322B8) == QF322B8_PRE &&
              static_cast<int>(Quant::kVReq8) == VREQ8);

// A value outside the enumeration becomes kCount, which the checks refuse.
Quant ToQuant(QuantMode_t mode) { return mode >= NoQuant && mode <= VREQ8 ? static_cast<Quant>(mode) : Quant::kCount; }

bool Begin(runtime::Core& core, const char* call, const Ends& ends, Record* r) {
    r->Become(isa::Opcode::fixpipe);
    if (!SetEnds(core, call, ends, r)) return false;
    r->pipe = isa::Pipe::kFix;
    r->control = core.registers().control;
    return true;
}

bool RequireFixpipe(runtime::Core& core, const char* call, Where where) {
    return RequireChip(
        core, call, where, [](const soc::Chip& chip) { return !chip.fixpipe.empty(); }, Rule::kRegisterUnsupported,
        "has no Fixpipe and no register for it", "here DataCopy with DataCopyEnhancedParams takes CO1 to CO2");
}

// Fields of DataCopyCO12DstParams that name what no page describes.
bool CheckFields(runtime::Core& core, const AscendC::DataCopyCO12DstParams& p, Where where) {
    const struct {
        const char* name;
        uint32_t value, most;
    } fields[] = {{"reluPre", p.reluPre, 1},
                  {"clipReluPre", p.clipReluPre, core.chip().fixpipe_clip ? 1u : 0u},
                  {"eltWiseOp", p.eltWiseOp, 0}};
    for (const auto& field : fields) {
        if (field.value <= field.most) continue;
        return Refuse(core, "DataCopy", where,
                      {Rule::kFixpipeField, field.name,
                       "this field of DataCopyCO12DstParams has no documented meaning for the value",
                       fmt::format("{}", field.value), field.most ? "0, or 1 for ReLU" : "0",
                       "clip and add with vector instructions"});
    }
    return true;
}

// The bound of what ReLU gives, for results that a half can bound.
bool TakeClip(runtime::Core& core, const AscendC::DataCopyCO12DstParams& p, const Record& r, isa::Fixpipe* shape,
              Where where) {
    if (p.clipReluPre == 0) return true;
    const DataType type = r.dst().type;
    if (type != DataType::kHalf && type != DataType::kFloat) {
        return Refuse(
            core, "DataCopy", where,
            {Rule::kFixpipeField, "clipReluPre", "the bound of ReLU is a half, and the result is no such number",
             CName(type), "half, float", "clip with vector instructions"});
    }
    if (core.registers().fixpipe_clip == 0) {
        return Refuse(core, "DataCopy", where,
                      {Rule::kFixpipeField, "clipReluPre", "nothing says what bounds ReLU", "1 without a bound",
                       "SetFixPipeClipRelu before it", "call SetFixPipeClipRelu with the bits of a half"});
    }
    shape->relu = true;
    shape->clip = core.registers().fixpipe_clip;
    return true;
}

}  // namespace

void fixpipe(const Ends& ends, const LocalView* words, const AscendC::FixpipeParamsV220& p, AscendC::CO2Layout layout) {
    runtime::Core& core = ThisCore("Fixpipe");
    Record r;
    if (!Begin(core, "Fixpipe", ends, &r)) return;
    if (layout == AscendC::CO2Layout::COLUMN_MAJOR) {
        Find(core, "Fixpipe", ends.where,
             {Rule::kFixpipeLayout, "config", fmt::format("{} does not write columns", core.chip().name),
              "CO2Layout::COLUMN_MAJOR", "CFG_ROW_MAJOR, CFG_NZ", "swap A and B to get the transposed matrix"});
        return;
    }
    if (words) {
        if (!ToOperand(core, "Fixpipe", "cbufWorkspace", *words, DataType::kUint64, ends.where, &r.operand[2])) return;
        r.operand_count = 3;
    }
    isa::Fixpipe shape;
    shape.n = p.nSize;
    shape.m = p.mSize;
    shape.src_stride = p.srcStride;
    shape.dst_stride = p.dstStride;
    shape.row_major = layout == AscendC::CO2Layout::ROW_MAJOR;
    shape.channel_split = p.isChannelSplit;
    shape.relu = p.reluEn;
    shape.quant = ToQuant(p.quantPre);
    shape.word = p.deqScalar;
    // Matrices are a matter of the row-major layout.
    shape.nd_count = shape.row_major ? p.ndNum : 1;
    shape.src_nd_stride = p.srcNdStride;
    shape.dst_nd_stride = p.dstNdStride;
    shape.unit_flag = p.unitFlag;
    r.Set(shape);
    core.Issue(r);
}

void fixpipe(const Ends& ends, const AscendC::DataCopyCO12DstParams& p) {
    runtime::Core& core = ThisCore("DataCopy");
    Record r;
    if (!Begin(core, "DataCopy", ends, &r) || !CheckFields(core, p, ends.where)) return;
    const runtime::Registers& regs = core.registers();
    isa::Fixpipe shape;
    shape.n = p.nSize;
    shape.m = p.mSize;
    shape.src_stride = p.srcStride;
    shape.dst_stride = p.dstStride;
    shape.row_major = p.nz2ndEn;
    shape.channel_split = p.channelSplit;
    shape.relu = p.reluPre != 0;
    shape.quant = ToQuant(p.quantPre);
    shape.word = regs.fixpipe_quant;
    if (!TakeClip(core, p, r, &shape, ends.where)) return;
    if (p.nz2ndEn) {
        shape.nd_count = regs.fixpipe_nd.count;
        shape.src_nd_stride = regs.fixpipe_nd.src_stride;
        shape.dst_nd_stride = regs.fixpipe_nd.dst_stride;
    }
    shape.unit_flag = p.unitFlag;
    if (isa::IsVectorQuant(shape.quant) && regs.fixpipe_words.memory != isa::Memory::kNone) {
        r.operand[2] = regs.fixpipe_words;
        r.operand_count = 3;
    }
    r.Set(shape);
    core.Issue(r);
}

void SetFixpipeMatrices(uint16_t count, uint16_t src_stride, uint16_t dst_stride, Where where) {
    runtime::Core& core = ThisCore("SetFixpipeNz2ndFlag");
    if (RequireFixpipe(core, "SetFixpipeNz2ndFlag", where)) {
        core.registers().fixpipe_nd = {count, src_stride, dst_stride};
    }
}

void SetFixpipeScalar(uint64_t word, Where where) {
    runtime::Core& core = ThisCore("SetFixpipePreQuantFlag");
    if (RequireFixpipe(core, "SetFixpipePreQuantFlag", where)) core.registers().fixpipe_quant = word;
}

void SetFixpipeClip(uint64_t bound, Where where) {
    constexpr const char* kCall = "SetFixPipeClipRelu";
    runtime::Core& core = ThisCore(kCall);
    if (!RequireFact(core, kCall, &soc::Chip::fixpipe_clip, "clip with Mins", where)) return;
    const auto bits = static_cast<uint16_t>(bound);
    if (bits == 0 || bits >= 0x7C00) {
        Find(core, kCall, where,
             {Rule::kFixpipeField, "config", "the bound of ReLU is no number above 0", fmt::format("{:#06x}", bits),
              "bits 0 to 15: a half from 0x0001 to 0x7bff", "put the bits of a half into the low 16 bits"});
        return;
    }
    core.registers().fixpipe_clip = bits;
}

void SetFixpipeWords(const LocalView* relu, const LocalView& words, bool clears_unit_flags, Where where) {
    constexpr const char* kCall = "SetFixPipeConfig";
    runtime::Core& core = ThisCore(kCall);
    if (!RequireFixpipe(core, kCall, where)) return;
    if (clears_unit_flags) core.ClearUnitFlags();
    if (relu && relu->address) {
        Find(core, kCall, where,
             {Rule::kFixpipeField, "reluPre", "the tensor for ReLU is reserved",
              fmt::format("a tensor of {} elements", relu->size), "an empty LocalTensor",
              "use reluPre 1 of DataCopyCO12DstParams for ReLU"});
        return;
    }
    isa::Operand operand;
    if (!ToOperand(core, kCall, "quantPre", words, DataType::kUint64, where, &operand)) return;
    if (operand.memory != isa::Memory::kFb) {
        Find(core, kCall, where,
             {Rule::kFixpipeWords, "quantPre", "the words do not lie in the Fixpipe buffer",
              fmt::format("a tensor in {} ({})", Name(words.position), isa::Name(operand.memory)),
              "a tensor in C2PIPE2GM", "DataCopy the words from L1 to a C2PIPE2GM tensor first"});
        return;
    }
    core.registers().fixpipe_words = operand;
}

}  // namespace sfumato::ascendc
