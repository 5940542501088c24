// SPDX-License-Identifier: Apache-2.0
// Loads of fractals and of squares (cube.md 3.1, 3.2).
#include "isa/parts.h"

namespace sfumato::isa {
namespace {

// A source of pieces of `unit` bytes whose address rises or falls. One that falls below 0 begins at 0: Fall tells.
template <class Load>
Span Walked(const Operand& o, const Load& s, uint64_t unit) {
    const uint64_t step = (uint64_t{s.repeats} - 1) * s.src_stride;
    if (!s.decrement) return At(o, s.start * unit, (s.start + step + 1) * unit);
    const uint64_t first = o.offset + s.start * unit;
    return {first - std::min(first, step * unit), first + unit};
}

}  // namespace

Span SpanIn(const Record& r, const Load2D& s, int operand) {
    const Operand& o = OperandOf(r, operand);
    if (s.repeats == 0) return Nothing(o);
    if (operand != 0) return Walked(o, s, kFractalBytes);
    return At(o, 0, ((uint64_t{s.repeats} - 1) * (uint64_t{s.dst_gap} + 1) + 1) * kFractalBytes);
}

void RunsIn(const Record&, const Load2D& s, int operand, const uint8_t*, Runs& runs) {
    for (uint64_t i = 0; i < s.repeats; ++i) {
        const uint64_t step = i * s.src_stride, src = s.decrement ? s.start - step : s.start + step;
        runs.Add((operand == 0 ? i * (uint64_t{s.dst_gap} + 1) : src) * kFractalBytes, kFractalBytes);
    }
}

void PrintIn(Out out, const Record&, const Load2D& s) {
    fmt::format_to(out, " start={} repeat={} stride={} gap={}{}{}", s.start, s.repeats, s.src_stride, s.dst_gap,
                   s.transpose ? " transpose" : "", s.decrement ? " falling" : "");
}

Span SpanIn(const Record& r, const LoadTransposed& s, int operand) {
    const Operand& o = OperandOf(r, operand);
    if (s.repeats == 0) return Nothing(o);
    const uint64_t fractals = SquareFractals(r.dst().type);
    if (operand != 0) return Walked(o, s, fractals * kFractalBytes);
    const uint64_t last =
        (uint64_t{s.repeats} - 1) * (uint64_t{s.dst_gap} + 1) + (fractals - 1) * (uint64_t{s.dst_fractal_gap} + 1);
    return At(o, 0, (last + 1) * kFractalBytes);
}

void RunsIn(const Record& r, const LoadTransposed& s, int operand, const uint8_t*, Runs& runs) {
    const uint64_t fractals = SquareFractals(r.dst().type);
    for (uint64_t i = 0; i < s.repeats; ++i) {
        const uint64_t step = i * s.src_stride, src = s.decrement ? s.start - step : s.start + step;
        if (operand != 0) {
            runs.Add(src * fractals * kFractalBytes, fractals * kFractalBytes);
            continue;
        }
        const uint64_t first = i * (uint64_t{s.dst_gap} + 1);
        for (uint64_t j = 0; j < fractals; ++j) {
            runs.Add((first + j * (uint64_t{s.dst_fractal_gap} + 1)) * kFractalBytes, kFractalBytes);
        }
    }
}

void PrintIn(Out out, const Record&, const LoadTransposed& s) {
    fmt::format_to(out, " start={} repeat={} stride={} gap={} fractalgap={}{}", s.start, s.repeats, s.src_stride,
                   s.dst_gap, s.dst_fractal_gap, s.decrement ? " falling" : "");
}

}  // namespace sfumato::isa
