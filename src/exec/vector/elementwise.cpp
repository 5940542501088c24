// SPDX-License-Identifier: Apache-2.0
// Elementwise instructions and conversions: the run of the record's types, and what it needs beside its operands.
#include <cstring>

#include "exec/meaning.h"
#include "exec/runs.h"
#include "exec/vector/last_bits.h"
#include "exec/vector/vector.h"

namespace sfumato::exec {

using isa::Record;

namespace {

[[noreturn, gnu::noinline, gnu::cold]] void RefuseType(const Record& record, DataType dst) {
    Refuse(record, std::string("has no meaning for elements of type ") + CName(dst) + ".");
}

// Other last bits than a board's. Apart, as it would cost every instruction.
[[gnu::noinline, gnu::cold]] bool RunOtherBits(const Record& record, const MemoryMap& memory, RunFn run,
                                               RunArgs& args) {
    const bool from_table = record.last_bits.base == isa::LastBits::Base::kTable;
    if (from_table) run = LookUp;
    const Moved moved{run, record.op, record.dst().type, record.last_bits,
                      from_table ? memory.half_tables->at(record.op) : nullptr};
    args.exact = record.last_bits.base == isa::LastBits::Base::kExact;
    args.moved = &moved;
    return RunVector(record, memory, record.last_bits.move == isa::LastBits::Move::kNone ? run : RunMoved, args);
}

}  // namespace

bool Execute(const Record& record, const isa::Elementwise&, const MemoryMap& memory) {
    const DataType dst = record.dst().type;
    const DataType src = record.operand_count > 1 ? record.src0().type : dst;
    const RunFn run =
        isa::Converts(record.form()) ? FindConvertingRun(record.op, dst, src) : FindRun(record.op, dst, src);
    if (run == nullptr) RefuseType(record, dst);
    RunArgs args;
    args.scalar = record.immediate;
    args.rounds = record.rounding == Rounding::kRound;
    args.overflow = record.control.overflow;
    args.deq_word = record.control.deq_word;
    if ((record.last_bits.base != isa::LastBits::Base::kBoard) | (record.last_bits.move != isa::LastBits::Move::kNone))
        [[unlikely]]
        return RunOtherBits(record, memory, run, args);
    return RunVector(record, memory, run, args);
}

bool Execute(const Record& record, const isa::Convert& parameters, const MemoryMap& memory) {
    if (!Has(record.op, isa::kCasts | isa::kCastsInTik)) {
        return Execute(record, static_cast<const isa::Elementwise&>(parameters), memory);
    }
    const isa::Control& control = record.control;
    Conversion conversion;
    conversion.src = record.src0().type;
    conversion.dst = record.dst().type;
    conversion.rounding = record.rounding;
    conversion.overflow = control.overflow;
    conversion.deq = control.deq;
    const RunFn run = ConvertRun(conversion);
    if (run == nullptr) {
        Refuse(record, std::string("has no conversion from ") + CName(conversion.src) + " to " + CName(conversion.dst) +
                           (control.deq == isa::DeqScale::kNone ? " without" : " with") + " a dequantisation scale.");
    }
    RunArgs args;
    args.overflow = control.overflow;
    uint64_t words[16];
    if (control.deq == isa::DeqScale::kVector) {
        // A copy: dst may lie on the words.
        std::memcpy(words, memory.base[static_cast<int>(isa::Memory::kUb)] + control.deq_word, sizeof(words));
        args.deq_words = words;
    } else {
        args.deq_word = control.deq_word;
    }
    return RunVector(record, memory, run, args);
}

}  // namespace sfumato::exec
