// SPDX-License-Identifier: Apache-2.0
// Whatever a front end may get wrong: the checker never crashes, and a record it lets pass stays inside its buffers.
#include <gtest/gtest.h>

#include "check/records.h"
#include "check/touched_shapes.h"
#include "isa/geometry.h"

namespace sfumato::check {
namespace {

using isa::Record;

// Of the fuzz of shapes; the others have theirs from RandomRecords::Vector.
bool HasShape(isa::Form form) {
    using enum isa::Form;
    constexpr isa::Form kPlain[] = {kBinary, kUnary,   kScalar,      kFill, kIndex,   kConvert,   kConvertTwo,
                                    kMove,   kMovePad, kScalarStore, kFlag, kBarrier, kCrossFlag, kVectorFunction};
    return std::find(std::begin(kPlain), std::end(kPlain), form) == std::end(kPlain);
}

// Makes some fields wild, some only wrong.
Record Wild(isa::RandomRecords& random) {
    Record r = random.Vector();
    const auto wild = [&] {
        return random.Pick<uint64_t>({0, 1, 31, 32, 255, 256, 4095, 4096, 65535, 65536, 0xFFFFFFFF, ~uint64_t{0}});
    };
    if (random.Below(2)) {
        do r.Become(static_cast<Opcode>(random.Below(isa::kOpcodeCount)));
        while (HasShape(r.form()) || r.form() == isa::Form::kVectorFunction);  // its accesses are no operands
        if (random.Below(8) == 0) r.Become(Opcode::data_move);
        r.operand_count = static_cast<uint8_t>(Info(r.form()).operands);
        if (!r.If<isa::Elementwise>()) {
            for (isa::Operand& o : r.operand) o.type = r.operand[0].type;
            r.operand[random.Below(2)].memory = Memory::kGm;
            if (random.Below(2)) r.operand[0].offset = random.Below(200);
        }
        if (auto* m = r.If<isa::Blocks>()) {
            m->block_count = static_cast<uint32_t>(random.Below(5));
            m->block_bytes = random.Below(2) ? random.Below(8) * 32 : random.Below(80);
            m->src_pitch = m->block_bytes + random.Below(3) * 32;
            m->dst_pitch = (m->block_bytes + 31) / 32 * 32 + random.Below(3) * 32;
        }
        if (auto* padded = r.If<isa::MovePad>()) {
            padded->left = static_cast<uint8_t>(random.Below(4) ? 0 : random.Below(40));
            padded->is_pad = random.Below(2);
        }
        if (auto* flag = r.If<isa::Flag>()) flag->id = static_cast<int8_t>(random.Below(20)) - 5;
    }
    isa::Blocks none;
    isa::Blocks& move = r.If<isa::Blocks>() ? r.As<isa::Blocks>() : none;
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
        case 7: move.block_bytes = wild(); break;
        case 8: move.dst_pitch = wild(); break;
        case 9: move.src_pitch = wild(); break;
        case 10: move.block_count = static_cast<uint32_t>(wild()); break;
        case 11: r.operand[0].memory = static_cast<Memory>(random.Below(isa::kMemoryCount)); break;
        case 12: r.operand[1].type = static_cast<DataType>(random.Below(kDataTypeCount)); break;
        case 13: r.half_block = static_cast<isa::HalfBlock>(random.Below(3)); break;
        case 14: r.rounding = static_cast<Rounding>(random.Below(8)); break;
        case 15: r.core_kind = static_cast<isa::CoreKind>(random.Below(3)); break;
        case 16:
            r.control.deq = static_cast<isa::DeqScale>(random.Below(4));
            r.control.deq_word = wild();
            break;
        case 17: r.api = isa::Api::kTik; break;
        default: break;
    }
    return r;
}

// Puts a wild value into one field of a parameter struct.
template <class Shape>
void Upset(isa::RandomRecords& random, Shape* s, std::initializer_list<uint32_t Shape::*> fields) {
    s->*random.Pick(fields) = random.Pick<uint32_t>({0, 1, 15, 255, 256, 4095, 4096, 32768, 65535, 65536, ~0u});
}

void Upset(isa::RandomRecords& random, isa::Record* r) {
    using namespace isa;
    const auto wild = [&] { return random.Pick<uint32_t>({0, 1, 3, 63, 64, 255, 256, 512, 32767, 65536, ~0u}); };
    if (auto* s = r->If<Load2D>()) {
        Upset(random, s, {&Load2D::start, &Load2D::repeats, &Load2D::src_stride, &Load2D::dst_gap});
    } else if (auto* t = r->If<LoadTransposed>()) {
        Upset(random, t, {&LoadTransposed::start, &LoadTransposed::repeats, &LoadTransposed::dst_fractal_gap});
    } else if (auto* v1 = r->If<Load3Dv1>()) {
        v1->boundary = wild();
        Upset(random, v1, {&Load3Dv1::c1_index, &Load3Dv1::fetch_w, &Load3Dv1::jump_stride, &Load3Dv1::repeats});
        if (random.Below(2)) v1->filter.stride_w = wild();
        if (random.Below(2)) v1->filter.width = wild();
        if (random.Below(2)) v1->map.height = wild();
    } else if (auto* v2 = r->If<Load3Dv2>()) {
        v2->boundary = wild();
        Upset(random, v2,
              {&Load3Dv2::channels, &Load3Dv2::k_start, &Load3Dv2::m_start, &Load3Dv2::k_extension,
               &Load3Dv2::m_extension, &Load3Dv2::repeats, &Load3Dv2::repeat_stride});
        if (random.Below(2)) v2->filter.stride_h = wild();
        if (random.Below(2)) v2->filter.height = wild();
        if (random.Below(2)) v2->map.width = wild();
    } else if (auto* product = r->If<Matmul>()) {
        Upset(random, product, {&Matmul::m, &Matmul::n, &Matmul::k});
    } else if (auto* out = r->If<Fixpipe>()) {
        Upset(random, out,
              {&Fixpipe::n, &Fixpipe::m, &Fixpipe::src_stride, &Fixpipe::dst_stride, &Fixpipe::nd_count,
               &Fixpipe::src_nd_stride, &Fixpipe::dst_nd_stride});
    } else if (auto* move = r->If<MatrixMove>()) {
        Upset(random, move, {&MatrixMove::block_count, &MatrixMove::block_len, &MatrixMove::src_gap});
        move->word = wild();
    } else if (auto* rows = r->If<Nd2Nz>()) {
        Upset(random, rows, {&Nd2Nz::nd_count, &Nd2Nz::n, &Nd2Nz::d, &Nd2Nz::src_d, &Nd2Nz::dst_c0_stride});
    } else if (auto* columns = r->If<Dn2Nz>()) {
        Upset(random, columns, {&Dn2Nz::dn_count, &Dn2Nz::n, &Dn2Nz::d, &Dn2Nz::dst_c0_stride});
        if (random.Below(4) == 0) columns->src_d = random.Below(2) ? ~uint64_t{0} : uint64_t{1} << 39;
    } else if (auto* box = r->If<NdDma>()) {
        NdDma::Loop& loop = box->loops[random.Below(NdDma::kMostLoops)];
        Upset(random, &loop, {&NdDma::Loop::dst_stride, &NdDma::Loop::size});
        if (random.Below(4) == 0) loop.src_stride = random.Below(2) ? ~uint64_t{0} : uint64_t{1} << 39;
        if (random.Below(8) == 0) loop.before = static_cast<uint16_t>(wild());
        if (random.Below(16) == 0) box->count = wild();
    } else if (auto* fractals = r->If<Nz2Nd>()) {
        Upset(random, fractals, {&Nz2Nd::nd_count, &Nz2Nd::n, &Nz2Nd::d, &Nz2Nd::dst_d_stride});
    } else if (auto* fill = r->If<BlockFill>()) {
        Upset(random, fill, {&BlockFill::repeats, &BlockFill::blocks, &BlockFill::dst_gap});
    } else if (auto* sums = r->If<Interpolate>()) {
        Upset(random, sums,
              {&Interpolate::vertical, &Interpolate::horizontal, &Interpolate::block_weights,
               &Interpolate::vertical_offset});
    } else if (auto* field = r->If<ProposalField>()) {
        Upset(random, field, {&ProposalField::repeats, &ProposalField::field});
    } else if (auto* groups = r->If<SortGroups>()) {
        Upset(random, groups, {&SortGroups::repeats});
    } else if (auto* merge = r->If<MergeQueues>()) {
        Upset(random, merge, {&MergeQueues::valid, &MergeQueues::repeats});
        if (random.Below(2)) merge->lengths[random.Below(4)] = wild();
    }
}

// Where reads of L1 begin again at 0.
uint64_t Boundary(const Record& r) {
    const auto* v1 = r.If<isa::Load3Dv1>();
    const auto* v2 = r.If<isa::Load3Dv2>();
    const uint32_t boundary = v1 ? v1->boundary : v2 ? v2->boundary : 0;
    return boundary ? boundary : ~uint64_t{0};
}

// Nothing is refused in silence, nor said by halves.
void ExpectWords(const Outcome& outcome, const Record& r) {
    for (const Report& report : outcome.reports) {
        ASSERT_FALSE(report.message.empty() || report.found.empty() ||
                     (report.legal.empty() && report.severity != Severity::kNote))
            << Name(report.rule) << ": " << report.message << " / " << report.found << " / " << report.legal;
    }
    ASSERT_TRUE(outcome.ok || !outcome.reports.empty()) << "refused in silence: " << isa::Print(r);
}

TEST(Fuzz, WhatPassesOfShapesStaysInside) {
    isa::RandomRecords random(7);
    int passed[isa::kOpcodeCount] = {}, refused = 0;
    for (int n = 0; n < 70000; ++n) {
        Record r = random.Below(4) == 0   ? isa::RandomReduction(random)
                   : random.Below(4) == 0 ? isa::RandomLanes(random)
                   : random.Below(8) == 0 ? isa::RandomSort(random)
                                          : isa::RandomShaped(random);
        const bool upset = random.Below(2);
        if (upset) Upset(random, &r);
        for (isa::Operand& o : r.operand) {
            if (random.Below(4) == 0) o.limit = random.Below(20000);
            if (random.Below(8) == 0) o.elements = random.Below(6000);
            if (random.Below(32) == 0) o.memory = static_cast<Memory>(random.Below(isa::kMemoryCount));
            if (random.Below(32) == 0) o.type = static_cast<DataType>(random.Below(kDataTypeCount));
        }
        r.api = random.Below(4) ? isa::Api::kAscendC : isa::Api::kTik;
        if (upset && Info(r.form()).lanes >= isa::LanesOfForm::kDestination)
            r.repeat = static_cast<uint32_t>(random.Below(400));
        const soc::Chip& chip = soc::Families()[random.Below(soc::Families().size())];
        const Outcome outcome = Check(r, chip);
        ASSERT_NO_FATAL_FAILURE(ExpectWords(outcome, r));
        if (!outcome.ok) {
            ++refused;
            continue;
        }
        ++passed[static_cast<int>(r.op)];
        if (upset && random.Below(8) != 0) continue;  // enumerating large ones takes long
        for (int i = 0; i < r.operand_count; ++i) {
            const isa::Operand& o = r.operand[static_cast<size_t>(i)];
            if (o.memory == Memory::kRegister) continue;
            const uint64_t limit =
                o.memory == Memory::kGm ? kGm[o.allocation].bytes : std::min(o.limit, chip.Bytes(o.memory));
            const isa::Bytes bytes = isa::TouchedByShape(r, i);
            if (bytes.empty() || (i == 1 && *bytes.rbegin() >= Boundary(r))) continue;
            ASSERT_LT(*bytes.rbegin(), limit) << i << " of " << isa::Print(r);
            ASSERT_GE(*bytes.begin(), o.offset) << i << " of " << isa::Print(r);
        }
    }
    for (int op = 0; op < isa::kOpcodeCount; ++op) {
        const isa::Form form = isa::kInstructions[op].form;
        if (!HasShape(form) || form == isa::Form::kVectorFunction) continue;  // which has run before it is a record
        EXPECT_GT(passed[op], 20) << isa::kInstructions[op].opcode;
    }
    EXPECT_GT(refused, 20000);
}

TEST(Fuzz, WhatPassesStaysInside) {
    isa::RandomRecords random(99);
    int passed = 0, refused = 0, moved = 0;
    for (int n = 0; n < 400000; ++n) {
        const Record r = Wild(random);
        const soc::Chip& chip = soc::Families()[random.Below(soc::Families().size())];
        const Outcome outcome = Check(r, chip);
        ASSERT_NO_FATAL_FAILURE(ExpectWords(outcome, r));
        if (!outcome.ok) {
            ++refused;
            continue;
        }
        ++passed;
        moved += r.form() == isa::Form::kMove;
        if (isa::IsControl(r)) continue;
        if (r.mask.count > 1000000) continue;  // millions of repeats on one place: enumerating them takes long
        for (int i = 0; i < r.operand_count; ++i) {
            const isa::Operand& o = r.operand[static_cast<size_t>(i)];
            // Whole blocks may end with the block in which an allocation ends, read ones 31 bytes behind it, with a
            // warning.
            const bool edge = !outcome.reports.empty() && r.op == Opcode::data_move;
            const GmRange& gm = kGm[o.memory == Memory::kGm ? o.allocation : 0];
            const uint64_t past = gm.padding + (i != 0 ? 31 : 0);
            const uint64_t limit =
                o.memory == Memory::kGm ? gm.bytes + (edge ? past : 0) : std::min(o.limit, chip.Bytes(o.memory));
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
