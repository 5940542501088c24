// SPDX-License-Identifier: Apache-2.0
// Whatever a front end may get wrong: the checker never crashes, and a record it lets pass stays inside its buffers.
#include <gtest/gtest.h>

#include "check/records.h"
#include "check/touched.h"

namespace sfumato::check {
namespace {

using isa::Record;

// Makes some fields wild, some only wrong.
Record Wild(isa::RandomRecords& random) {
    Record r = random.Vector();
    const auto wild = [&] {
        return random.Pick<uint64_t>({0, 1, 31, 32, 255, 256, 4095, 4096, 65535, 65536, 0xFFFFFFFF, ~uint64_t{0}});
    };
    if (random.Below(2)) {
        r.op = static_cast<Opcode>(random.Below(isa::kOpcodeCount));
        const isa::Form form = Info(r.op).form;
        constexpr uint8_t kOperands[] = {3, 2, 1, 2, 2, 2, 1, 0, 0};
        r.operand_count = kOperands[static_cast<int>(form)];
        if (form >= isa::Form::kMove) {
            for (isa::Operand& o : r.operand) o.type = r.operand[0].type;
            r.operand[random.Below(2)].memory = Memory::kGm;
            if (random.Below(2)) r.operand[0].offset = random.Below(200);
        }
        r.move.block_count = static_cast<uint32_t>(random.Below(5));
        r.move.block_bytes = random.Below(2) ? random.Below(8) * 32 : random.Below(80);
        r.move.src_pitch = r.move.block_bytes + random.Below(3) * 32;
        r.move.dst_pitch = (r.move.block_bytes + 31) / 32 * 32 + random.Below(3) * 32;
        r.move.left = static_cast<uint8_t>(random.Below(4) ? 0 : random.Below(40));
        r.move.is_pad = random.Below(2);
        r.flag.id = static_cast<int8_t>(random.Below(20)) - 5;
    }
    for (isa::Operand& o : r.operand) {
        o.allocation = static_cast<uint32_t>(random.Below(2));
        if (random.Below(4) == 0) o.limit = random.Below(6000);
        if (random.Below(8) == 0) o.elements = random.Below(600);
    }
    switch (random.Below(24)) {
        case 0: r.operand[0].offset = wild(); break;
        case 1: r.operand[1].offset = wild(); break;
        case 2: r.operand[0].limit = wild(); break;
        case 3: r.mask.count = wild(); break;
        case 4: r.repeat = static_cast<uint32_t>(wild()); break;
        case 5: r.operand[1].block_stride = static_cast<uint32_t>(wild()); break;
        case 6: r.operand[0].repeat_stride = static_cast<uint32_t>(wild()); break;
        case 7: r.move.block_bytes = wild(); break;
        case 8: r.move.dst_pitch = wild(); break;
        case 9: r.move.src_pitch = wild(); break;
        case 10: r.move.block_count = static_cast<uint32_t>(wild()); break;
        case 11: r.operand[0].memory = static_cast<Memory>(random.Below(isa::kMemoryCount)); break;
        case 12: r.operand[1].type = static_cast<DataType>(random.Below(kDataTypeCount)); break;
        case 13: r.half_block = static_cast<isa::HalfBlock>(random.Below(3)); break;
        case 14: r.rounding = static_cast<Rounding>(random.Below(8)); break;
        case 15: r.core_kind = static_cast<isa::CoreKind>(random.Below(3)); break;
        case 16: r.control = {Overflow::kSaturate, static_cast<isa::DeqScale>(random.Below(4)), wild()}; break;
        case 17: r.api = isa::Api::kTik; break;
        default: break;
    }
    return r;
}

TEST(Fuzz, WhatPassesStaysInside) {
    isa::RandomRecords random(99);
    int passed = 0, refused = 0, moved = 0;
    for (int n = 0; n < 400000; ++n) {
        const Record r = Wild(random);
        const soc::Chip& chip = soc::Families()[random.Below(soc::Families().size())];
        const Outcome outcome = Check(r, chip);
        for (const Report& report : outcome.reports) {
            ASSERT_FALSE(report.rule.empty() || report.message.empty() || report.found.empty() || report.legal.empty())
                << report.rule << ": " << report.message << " / " << report.found << " / " << report.legal;
        }
        if (!outcome.ok) {
            ASSERT_FALSE(outcome.reports.empty()) << "refused in silence: " << isa::Print(r);
            ++refused;
            continue;
        }
        ++passed;
        moved += isa::Info(r.op).form == isa::Form::kMove;
        if (isa::Info(r.op).form > isa::Form::kScalarStore) continue;
        for (int i = 0; i < r.operand_count; ++i) {
            const isa::Operand& o = r.operand[static_cast<size_t>(i)];
            // A read of whole blocks may pass the end of an allocation by 31 bytes, with a warning.
            const bool edge = !outcome.reports.empty() && i != 0 && r.op == Opcode::data_move;
            const uint64_t limit = o.memory == Memory::kGm ? kGm[o.allocation].bytes + (edge ? 31 : 0)
                                                           : std::min(o.limit, chip.Bytes(o.memory));
            for (const isa::Bytes& repeat : isa::Touched(r, i)) {
                if (repeat.empty()) continue;
                ASSERT_LT(*repeat.rbegin(), limit) << isa::Print(r);
                ASSERT_GE(*repeat.begin(), o.offset) << isa::Print(r);
            }
        }
    }
    EXPECT_GT(passed, 5000);
    EXPECT_GT(moved, 500);
    EXPECT_GT(refused, 5000);
}

}  // namespace
}  // namespace sfumato::check
