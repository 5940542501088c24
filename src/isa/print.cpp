// SPDX-License-Identifier: Apache-2.0
// A record as one readable line.
#include <cstring>

#include "isa/parts.h"
#include "isa/print.h"

namespace sfumato::isa {
namespace {

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

// Operands with their strides, and the mask, of forms that have them.
void PrintOperands(Out out, const Record& r) {
    const FormInfo& info = Info(r.form());
    const bool lanes = info.lanes != LanesOfForm::kNone;
    for (int i = 0; i < std::min<int>(r.operand_count, info.operands); ++i) {
        PrintOperand(out, r, i, lanes && i < info.strided && r.mask.mode != MaskMode::kCount);
    }
    if (lanes) PrintMask(out, r);
}

}  // namespace

void PrintDetails(std::string& line, const Record& r) {
    const Out out(line);
    PrintOperands(out, r);
    VisitForm(r, [&](const auto& parameters) { PrintIn(out, r, parameters); });
    if (IsAtomic(r)) {
        constexpr const char* kAtomic[] = {"", "add", "max", "min"};
        fmt::format_to(out, " atomic={}:{}", kAtomic[static_cast<int>(r.control.atomic)],
                       TypeName(r, r.control.atomic_type));
    }
}

std::string Print(const Record& r) {
    const InstructionInfo& info = Info(r.op);
    std::string line;
    const Out out(line);
    fmt::format_to(out, "#{} {:9} {}", r.index, Name(r.pipe), r.api == Api::kTik ? info.tik : info.ascendc);
    PrintDetails(line, r);
    if (r.where.file && *r.where.file) {
        const char* slash = std::strrchr(r.where.file, '/');
        fmt::format_to(out, "  {}:{}", slash ? slash + 1 : r.where.file, r.where.line);
    }
    return line;
}

}  // namespace sfumato::isa
