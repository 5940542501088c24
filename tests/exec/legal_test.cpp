// SPDX-License-Identifier: Apache-2.0
// Every elementwise row has a meaning for every element type that a chip says is legal.
#include <gtest/gtest.h>

#include "exec/exec.h"
#include "soc/chip.h"

namespace sfumato::testing {
namespace {

using isa::Api;
using isa::Opcode;

// Two elements in UB.
void ExpectMeaning(const soc::Chip& chip, Api api, Opcode op, DataType dst, DataType src,
                   isa::DeqScale deq = isa::DeqScale::kNone) {
    isa::Record r(op);
    r.api = api;
    r.operand_count = static_cast<uint8_t>(Info(r.form()).operands);
    for (uint32_t i = 0; i < r.operand_count; ++i) {
        r.operand[i].memory = isa::Memory::kUb;
        r.operand[i].type = i == 0 ? dst : src;
        r.operand[i].offset = 64 * i;
    }
    r.mask.count = 2;
    r.rounding = Rounding::kRint;
    r.control.deq = deq;
    alignas(64) uint8_t ub[1024] = {};
    exec::MemoryMap memory;
    memory.base[static_cast<int>(isa::Memory::kUb)] = ub;
    EXPECT_NO_THROW(exec::Execute(r, memory))
        << Info(op).opcode << " of " << CName(src) << " to " << CName(dst) << " on " << chip.name;
}

void ExpectMeanings(const soc::Chip& chip, Api api, Opcode op, const std::vector<soc::ConversionRow>& rows) {
    for (const soc::ConversionRow& row : rows) {
        if (row.api != api) continue;
        const isa::DeqScale deq = row.deq == soc::DeqKind::kWord        ? isa::DeqScale::kWord
                                  : row.deq == soc::DeqKind::kHalfScale ? isa::DeqScale::kHalf
                                                                        : isa::DeqScale::kNone;
        ExpectMeaning(chip, api, op, row.dst, row.src, deq);
    }
}

TEST(Elementwise, LegalTypesHaveAMeaning) {
    for (const soc::Chip& chip : soc::Families()) {
        for (const Api api : {Api::kAscendC, Api::kTik}) {
            for (int i = 0; i < isa::kOpcodeCount; ++i) {
                const Opcode op = static_cast<Opcode>(i);
                const isa::Record r(op);
                if (!r.If<isa::Elementwise>()) continue;
                if (isa::Converts(r.form())) {
                    ExpectMeanings(chip, api, op, op == Opcode::vconv ? chip.conversions : chip.Own(api, op));
                    continue;
                }
                for (int t = 0; t < kDataTypeCount; ++t) {
                    const DataType type = static_cast<DataType>(t);
                    if (chip.Has(api, op, type)) ExpectMeaning(chip, api, op, type, type);
                }
                if (chip.widens[static_cast<size_t>(api)][static_cast<size_t>(op)]) {
                    ExpectMeaning(chip, api, op, DataType::kFloat, DataType::kHalf);
                }
            }
        }
    }
}

}  // namespace
}  // namespace sfumato::testing
