// SPDX-License-Identifier: Apache-2.0
// Small builders of records, and a sink that keeps what it is told.
#pragma once

#include <vector>

#include "check/check.h"
#include "report/rules.h"
#include "isa/record.h"
#include "soc/chip.h"

namespace sfumato::check {

using isa::Memory;
using isa::Opcode;

inline constexpr GmRange kGm[] = {
    {4096, "src"}, {100, "tail", 28}, {.bytes = 4096, .name = "window of rank 1", .window = true}};

inline isa::Operand Ub(DataType type, uint64_t offset, uint64_t limit = 65536) {
    isa::Operand o;
    o.memory = Memory::kUb;
    o.type = type;
    o.offset = offset;
    o.limit = limit;
    return o;
}

inline isa::Operand Gm(DataType type, uint64_t offset, uint32_t allocation = 0) {
    isa::Operand o;
    o.memory = Memory::kGm;
    o.type = type;
    o.allocation = allocation;
    o.offset = offset;
    o.limit = kGm[allocation].bytes;
    return o;
}

// An operand in a memory of the core.
inline isa::Operand At(Memory memory, DataType type, uint64_t offset = 0, uint64_t limit = 1 << 20) {
    isa::Operand o = Ub(type, offset, limit);
    o.memory = memory;
    return o;
}

inline isa::Record Make(Opcode op, std::initializer_list<isa::Operand> operands) {
    isa::Record r;
    r.Become(op);
    r.where = {"kernel.cpp", 12};
    for (const isa::Operand& o : operands) r.operand[r.operand_count++] = o;
    r.mask.mode = isa::MaskMode::kContinuous;
    r.mask.count = 64;
    return r;
}

inline isa::Record Make(Opcode op, std::initializer_list<isa::Operand> operands, const isa::Parameters& shape) {
    isa::Record r = Make(op, operands);
    r.Set(shape);
    return r;
}

inline isa::Record WithCount(isa::Record r, uint64_t count) {
    r.mask.mode = isa::MaskMode::kCount;
    r.mask.count = count;
    return r;
}

inline isa::Record WithMask(isa::Record r, uint64_t count, uint32_t repeat) {
    r.mask.count = count;
    r.repeat = repeat;
    return r;
}

inline isa::Record WithBits(isa::Record r, uint64_t low, uint64_t high, uint32_t repeat = 1) {
    r.mask.mode = isa::MaskMode::kBits;
    r.mask.bits = {low, high};
    r.repeat = repeat;
    return r;
}

inline isa::Record WithRounding(isa::Record r, Rounding rounding) {
    r.rounding = rounding;
    return r;
}

inline isa::Record ByTik(isa::Record r) {
    r.api = isa::Api::kTik;
    return r;
}

// A move of `count` blocks that lie end to end on both sides.
inline isa::Record Move(Opcode op, const isa::Operand& dst, const isa::Operand& src, uint32_t count, uint64_t bytes) {
    isa::Record r = Make(op, {dst, src});
    r.As<isa::Blocks>().block_count = count;
    r.As<isa::Blocks>().block_bytes = bytes;
    r.As<isa::Blocks>().src_pitch = r.As<isa::Blocks>().dst_pitch = bytes;
    return r;
}

class KeepingSink final : public Sink {
public:
    void Find(const isa::Record&, Report report) override { reports.push_back(std::move(report)); }
    std::vector<Report> reports;
};

struct Outcome {
    bool ok;
    std::vector<Report> reports;
};

inline Outcome Check(const isa::Record& r, const soc::Chip& chip, bool strict = false) {
    KeepingSink sink;
    const Context context{&chip, kGm, &sink, strict};
    const bool ok = CheckRecord(r, context);
    return {ok, std::move(sink.reports)};
}

inline const soc::Chip& ChipNamed(std::string_view name) {
    for (const soc::Chip& chip : soc::Families()) {
        if (chip.name == name) return chip;
    }
    throw std::out_of_range(std::string(name));
}

}  // namespace sfumato::check
