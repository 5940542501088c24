// SPDX-License-Identifier: Apache-2.0
// Transposes (vector_instructions.md 6).
#include <fmt/ranges.h>

#include "isa/parts.h"

namespace sfumato::isa {

Span SpanIn(const Record& r, const TransposeSquares& s, int operand) {
    const Operand& o = OperandOf(r, operand);
    if (s.repeats == 0) return Nothing(o);
    const uint64_t stride = operand == 0 ? s.dst_stride : s.src_stride;
    return At(o, 0, ((s.repeats - 1) * stride + 1) * kFractalBytes);
}

void RunsIn(const Record&, const TransposeSquares& s, int operand, const uint8_t*, Runs& runs) {
    const uint64_t stride = operand == 0 ? s.dst_stride : s.src_stride;
    for (uint64_t i = 0; i < s.repeats; ++i) runs.Add(i * stride * kFractalBytes, kFractalBytes);
}

void PrintIn(Out out, const Record&, const TransposeSquares& s) {
    fmt::format_to(out, " repeat={} stride={},{}", s.repeats, s.dst_stride, s.src_stride);
}

Span SpanIn(const Record& r, const TransposeBlocks& s, int operand) {
    const Operand& o = OperandOf(r, operand);
    if (s.repeats == 0) return Nothing(o);
    const auto& list = operand == 0 ? s.dst : s.src;
    const auto [low, high] = std::minmax_element(list.begin(), list.end());
    const uint64_t stride = uint64_t{operand == 0 ? s.dst_stride : s.src_stride} * kBlockBytes;
    const bool half = BitsOf(o.type) == 8, upper = half && (operand == 0 ? s.dst_high : s.src_high);
    const uint64_t begin = upper ? kBlockBytes / 2 : 0, end = half && !upper ? kBlockBytes / 2 : kBlockBytes;
    const uint64_t first = s.FirstStep() * stride;
    return {*low + first + begin, *high + first + (s.repeats - 1) * stride + end};
}

void RunsIn(const Record& r, const TransposeBlocks& s, int operand, const uint8_t*, Runs& runs) {
    const bool half = BitsOf(r.dst().type) == 8, high = half && (operand == 0 ? s.dst_high : s.src_high);
    const uint64_t stride = uint64_t{operand == 0 ? s.dst_stride : s.src_stride} * kBlockBytes;
    for (uint64_t i = 0; i < s.repeats; ++i) {
        for (const uint32_t block : operand == 0 ? s.dst : s.src) {
            runs.AddAt(block + (s.FirstStep() + i) * stride + (high ? kBlockBytes / 2 : 0),
                       half ? kBlockBytes / 2 : kBlockBytes);
        }
    }
}

void PrintIn(Out out, const Record&, const TransposeBlocks& s) {
    fmt::format_to(out, " dstlist={} srclist={} repeat={} stride={},{}{}{}", fmt::join(s.dst, ","),
                   fmt::join(s.src, ","), s.repeats, s.dst_stride, s.src_stride, s.dst_high ? " dsthigh" : "",
                   s.src_high ? " srchigh" : "");
}

Span SpanIn(const Record& r, const TransposeChannels& s, int operand) {
    const Operand& o = OperandOf(r, operand);
    return At(o, 0, BytesOf(o.type, uint64_t{s.n} * s.channels * s.pixels));
}

void RunsIn(const Record& r, const TransposeChannels& s, int operand, const uint8_t*, Runs& runs) {
    AddSpan(SpanIn(r, s, operand), runs);
}

void PrintIn(Out out, const Record&, const TransposeChannels& s) {
    fmt::format_to(out, " n={} channels={} pixels={} {}", s.n, s.channels, s.pixels, s.to_last ? "tolast" : "tofirst");
}

}  // namespace sfumato::isa
