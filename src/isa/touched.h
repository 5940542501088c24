// SPDX-License-Identifier: Apache-2.0
// Exactly which bytes a record touches, as runs; SpanOf says their hull.
#pragma once

#include <variant>

#include "isa/spans.h"

namespace sfumato::isa {

// Receives the bytes of one operand and hands on those that follow each other as one run.
class Runs {
public:
    template <class Visit>
    Runs(const Operand& operand, const Visit& visit)
        : start_(operand.offset),
          to_(&visit),
          call_([](const void* to, const Span& run) { (*static_cast<const Visit*>(to))(run); }) {}
    ~Runs() { Flush(); }
    Runs(const Runs&) = delete;
    Runs& operator=(const Runs&) = delete;

    // `bytes` bytes from byte `at` of the memory, or of the operand, on.
    void AddAt(uint64_t at, uint64_t bytes) {
        if (bytes == 0) return;
        if (at != run_.end) {
            Flush();
            run_.begin = at;
        }
        run_.end = at + bytes;
    }
    void Add(uint64_t from_start, uint64_t bytes) { AddAt(start_ + from_start, bytes); }

private:
    void Flush() {
        if (run_.begin != run_.end) call_(to_, run_);
        run_.begin = run_.end;
    }

    uint64_t start_;
    const void* to_;
    void (*call_)(const void* to, const Span& run);
    Span run_;
};

// The runs of an operand of a record with these parameters. `ub` as in ForEachRun.
#define SFUMATO_FORM(form, family, ...) \
    void RunsIn(const Record& record, const family& parameters, int operand, const uint8_t* ub, Runs& runs);
#include "isa/forms.inc"
#undef SFUMATO_FORM

// A move of one block, as most are: each of its operands is one run. nullptr: something else.
inline const Move* OneBlock(const Record& record) {
    const auto* move = std::get_if<Move>(&record.parameters());
    return move && move->block_count == 1 ? move : nullptr;
}

// Calls visit(run) for the bytes an operand reads or writes, mask and strides heeded; a byte may come more than once.
// `ub` holds the bytes of UB as they stand when the record executes: offsets, and bits that choose, are read there.
// Without it, what they may reach counts as touched.
template <class Visit>
void ForEachRun(const Record& record, int operand, const uint8_t* ub, const Visit& visit) {
    if (operand >= record.operand_count) return;
    if (const Move* move = OneBlock(record)) {
        const uint64_t begin = record.operand[static_cast<size_t>(operand)].offset;
        const uint64_t bytes = MoveBlockBytes(record, *move, operand);
        if (bytes != 0) visit(Span{begin, begin + bytes});
        return;
    }
    Runs runs(record.operand[static_cast<size_t>(operand)], visit);
    VisitForm(record, [&](const auto& parameters) { RunsIn(record, parameters, operand, ub, runs); });
}

// Calls visit(run) for the rows of C, without what lies in its fractals beyond m and n (cube.md 4). False: it is no
// Mmad.
template <class Visit>
bool ForEachProductRow(const Record& r, const Visit& visit) {
    const auto* s = r.If<Matmul>();
    if (!s) return false;
    const uint64_t rows = RoundUpTo(s->m, kFractalRows), size = BytesOf(r.dst().type, 1);
    for (uint64_t n = 0; n < s->n; n += kL0CColumns) {
        for (uint64_t m = 0; m < s->m; ++m) {
            const uint64_t at = r.dst().offset + (n * rows + m * kL0CColumns) * size;
            visit(Span{at, at + std::min<uint64_t>(kL0CColumns, s->n - n) * size});
        }
    }
    return true;
}

}  // namespace sfumato::isa
