// SPDX-License-Identifier: Apache-2.0
// Moves of blocks, and the stores of the scalar unit (framework.md 3).
#include "isa/parts.h"

namespace sfumato::isa {

Span SpanIn(const Record& r, const Blocks& m, int operand) {
    const Operand& o = OperandOf(r, operand);
    if (m.block_count == 0 || m.block_bytes == 0) return Nothing(o);
    const uint64_t filler = operand == 0 ? CompactFiller(r, m) : 0;
    return At(
        o, 0,
        (m.block_count - 1) * (operand == 0 ? m.dst_pitch : m.src_pitch) + MoveBlockBytes(r, m, operand) + filler);
}

void RunsIn(const Record& r, const Blocks& m, int operand, const uint8_t*, Runs& runs) {
    if (m.block_bytes == 0) return;
    const uint64_t bytes = MoveBlockBytes(r, m, operand), pitch = operand == 0 ? m.dst_pitch : m.src_pitch;
    for (uint64_t i = 0; i < m.block_count; ++i) runs.Add(i * pitch, bytes);
    if (operand == 0 && m.block_count != 0) runs.Add((m.block_count - 1) * pitch + bytes, CompactFiller(r, m));
}

void PrintIn(Out out, const Record& r, const Blocks& m) {
    fmt::format_to(out, " blocks={}x{}B pitch={},{}", m.block_count, m.block_bytes, m.dst_pitch, m.src_pitch);
    const auto* p = r.If<MovePad>();
    if (p && p->compact) fmt::format_to(out, " compact");
    if (!p || (!p->is_pad && p->left == 0 && p->right == 0)) return;
    fmt::format_to(out, " pad={},{}", p->left, p->right);
    if (p->pad_defined) {
        fmt::format_to(out, " value={:#x}", p->pad_value);
    } else {
        fmt::format_to(out, " value=undefined");
    }
}

Span SpanIn(const Record& r, const ScalarStore&, int operand) {
    const Operand& o = OperandOf(r, operand);
    return At(o, 0, BytesOf(o.type, 1));
}

void RunsIn(const Record& r, const ScalarStore& s, int operand, const uint8_t*, Runs& runs) {
    AddSpan(SpanIn(r, s, operand), runs);
}

void PrintIn(Out out, const Record& r, const ScalarStore&) { PrintValue(out, r); }

}  // namespace sfumato::isa
