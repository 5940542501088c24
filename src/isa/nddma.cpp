// SPDX-License-Identifier: Apache-2.0
// NDDMA: the elements that it reads, and the places of the padded box that it writes (arch950.md 1.3).
#include "isa/boxes.h"
#include "isa/parts.h"

namespace sfumato::isa {
namespace {

// More elements than any memory has, of which 8 bytes each still count: what larger sums stop at.
constexpr uint64_t kTooMany = uint64_t{1} << 60;

uint64_t ElementsOf(const NdDma& s, int operand) {
    uint64_t last = 0;
    for (uint32_t i = 0; i < s.count; ++i) {
        const NdDma::Loop& loop = s.loops[i];
        const uint64_t count = operand == 0 ? loop.places() : loop.size;
        const uint64_t stride = operand == 0 ? loop.dst_stride : loop.src_stride;
        if (count == 0) return 0;
        if (count > 1 && stride > kTooMany / (count - 1)) return kTooMany;
        last = std::min(last + (count - 1) * stride, kTooMany);
    }
    return std::min(last + 1, kTooMany);
}

}  // namespace

Span SpanIn(const Record& r, const NdDma& s, int operand) {
    const Operand& o = OperandOf(r, operand);
    return At(o, 0, BytesOf(o.type, ElementsOf(s, operand)));
}

void RunsIn(const Record& r, const NdDma& s, int operand, const uint8_t*, Runs& runs) {
    if (ElementsOf(s, 0) == 0 || ElementsOf(s, 1) == 0) return;
    const uint64_t element = BytesOf(OperandOf(r, operand).type, 1);
    const NdDma::Loop& inner = s.loops[0];
    const uint64_t stride = operand == 0 ? inner.dst_stride : inner.src_stride;
    const uint64_t count = stride == 0 ? 1 : operand == 0 ? inner.places() : inner.size;
    ForEachBoxRow(s, [&](const BoxRow& row) {
        // Rows among pads read nothing that other rows do not.
        if (operand != 0 && !row.inside) return true;
        const uint64_t first = operand == 0 ? row.dst : row.src;
        if (stride == 1) {
            runs.Add(first * element, count * element);
        } else {
            for (uint64_t i = 0; i < count; ++i) runs.Add((first + i * stride) * element, element);
        }
        return true;
    });
}

void PrintIn(Out out, const Record&, const NdDma& s) {
    fmt::format_to(out, " box=");
    for (uint32_t i = 0; i < s.count; ++i) {
        const NdDma::Loop& loop = s.loops[i];
        fmt::format_to(out, "{}{}+{}+{}:{},{}", i == 0 ? "" : " ", loop.before, loop.size, loop.behind, loop.dst_stride,
                       loop.src_stride);
    }
    s.nearest ? fmt::format_to(out, " pad=nearest") : fmt::format_to(out, " pad={:#x}", s.pad_value);
}

}  // namespace sfumato::isa
