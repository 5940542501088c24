// SPDX-License-Identifier: Apache-2.0
// A record as one readable line.
#include <fmt/format.h>

#include <cstring>
#include <iterator>

#include "isa/geometry.h"
#include "isa/record.h"

namespace sfumato::isa {
namespace {

using Out = std::back_insert_iterator<std::string>;

const char* TypeName(const Record& r, DataType t) { return r.api == Api::kTik ? NumpyName(t) : CName(t); }

void PrintOperand(Out out, const Record& r, int i, bool strides) {
    const Operand& o = r.operand[static_cast<size_t>(i)];
    fmt::format_to(out, " {}={}", OperandName(r, i), Name(o.memory));
    if (o.memory == Memory::kGm) fmt::format_to(out, "#{}", o.allocation);
    fmt::format_to(out, "+{}:{}", o.offset, TypeName(r, o.type));
    if (strides) fmt::format_to(out, "[{},{}]", o.block_stride, o.repeat_stride);
}

void PrintMask(Out out, const Record& r) {
    switch (r.mask.mode) {
        case MaskMode::kCount: fmt::format_to(out, " count={}", r.mask.count); return;
        case MaskMode::kCounter: fmt::format_to(out, " counter={}", r.mask.count); return;
        case MaskMode::kContinuous: fmt::format_to(out, " mask={}", r.mask.count); break;
        case MaskMode::kBits: fmt::format_to(out, " mask={{{:#x},{:#x}}}", r.mask.bits[0], r.mask.bits[1]); break;
    }
    fmt::format_to(out, " repeat={}", r.repeat);
}

void PrintVector(Out out, const Record& r, Form form) {
    for (int i = 0; i < r.operand_count; ++i) PrintOperand(out, r, i, r.mask.mode != MaskMode::kCount);
    PrintMask(out, r);
    if (form == Form::kScalar || form == Form::kFill) fmt::format_to(out, " value={:#x}", r.immediate);
    if (form != Form::kConvert) return;
    fmt::format_to(out, " {}", Name(r.rounding));
    if (r.half_block != HalfBlock::kDense)
        fmt::format_to(out, " half={}", r.half_block == HalfBlock::kHigh ? "high" : "low");
    constexpr const char* kDeq[] = {"", "half:", "word:", "vector at UB+"};
    if (r.control.deq == DeqScale::kVector) {
        fmt::format_to(out, " deqscale={}{}", kDeq[3], r.control.deq_word);
    } else if (r.control.deq != DeqScale::kNone) {
        fmt::format_to(out, " deqscale={}{:#x}", kDeq[static_cast<int>(r.control.deq)], r.control.deq_word);
    }
}

void PrintMove(Out out, const Record& r, Form form) {
    for (int i = 0; i < r.operand_count; ++i) PrintOperand(out, r, i, false);
    const MoveShape& m = r.move;
    fmt::format_to(out, " blocks={}x{}B pitch={},{}", m.block_count, m.block_bytes, m.dst_pitch, m.src_pitch);
    if (form != Form::kMovePad || (!m.is_pad && m.left == 0 && m.right == 0)) return;
    fmt::format_to(out, " pad={},{}", m.left, m.right);
    if (m.pad_defined) {
        fmt::format_to(out, " value={:#x}", m.pad_value);
    } else {
        fmt::format_to(out, " value=undefined");
    }
}

}  // namespace

std::string Print(const Record& r) {
    const InstructionInfo& info = Info(r.op);
    std::string line;
    const Out out(line);
    fmt::format_to(out, "#{} {:9} {}", r.index, Name(r.pipe), r.api == Api::kTik ? info.tik : info.ascendc);
    switch (info.form) {
        case Form::kFlag:
            fmt::format_to(out, " {}->{} id={}", Name(r.flag.from) + 5, Name(r.flag.to) + 5, r.flag.id);
            if (r.flag.token) fmt::format_to(out, " (queue, token {})", r.flag.token);
            break;
        case Form::kBarrier: break;
        case Form::kScalarStore:
            PrintOperand(out, r, 0, false);
            fmt::format_to(out, " value={:#x}", r.immediate);
            break;
        case Form::kMove:
        case Form::kMovePad: PrintMove(out, r, info.form); break;
        default: PrintVector(out, r, info.form); break;
    }
    if (r.where.file && *r.where.file) {
        const char* slash = std::strrchr(r.where.file, '/');
        fmt::format_to(out, "  {}:{}", slash ? slash + 1 : r.where.file, r.where.line);
    }
    return line;
}

}  // namespace sfumato::isa
