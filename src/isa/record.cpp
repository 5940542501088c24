// SPDX-License-Identifier: Apache-2.0
// Names, lanes and spans of records.
#include "isa/record.h"

#include "isa/geometry.h"
#include "isa/spans.h"

namespace sfumato::isa {

const char* Name(Pipe pipe) {
    constexpr const char* kNames[] = {"PIPE_S",    "PIPE_V",   "PIPE_M", "PIPE_MTE1", "PIPE_MTE2",
                                      "PIPE_MTE3", "PIPE_FIX", "?",      "PIPE_ALL",  "?"};
    return pipe <= Pipe::kByOperands ? kNames[static_cast<int>(pipe)] : "?";
}

const char* Name(Memory memory) {
    constexpr const char* kNames[] = {"none", "GM", "UB", "L1", "L0A", "L0B", "L0C", "BT", "FB", "register"};
    return memory < Memory::kCount ? kNames[static_cast<int>(memory)] : "?";
}

uint32_t LanesPerRepeat(const Record& record) { return 1u << LanesShift(record); }

Span SpanOf(const Record& record, int operand) {
    const Operand& o = record.operand[static_cast<size_t>(operand)];
    const Form form = Info(record.op).form;
    if (operand >= record.operand_count) return {o.offset, o.offset};
    if (IsVector(form)) {
        const uint32_t shift = LanesShift(record);
        return OperandSpan(record, operand, shift, LanesOf(record, shift));
    }
    if (HasShape(form)) return ShapeSpan(record, operand);
    if (form == Form::kScalarStore) return {o.offset, o.offset + BytesOf(o.type, 1)};
    if (!IsMove(form) || record.move.block_count == 0 || record.move.block_bytes == 0) return {o.offset, o.offset};
    const uint64_t pitch = operand == 0 ? record.move.dst_pitch : record.move.src_pitch;
    return {o.offset, o.offset + (record.move.block_count - 1) * pitch + MoveBlockBytes(record, operand)};
}

}  // namespace sfumato::isa
