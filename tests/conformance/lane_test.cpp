// SPDX-License-Identifier: Apache-2.0
// Compares, selects, fills from elements and gathers against the oracle: random legal records, the whole UB and the
// registers compared, every SIMD target.
#include <gtest/gtest.h>

#include "conformance/cube_data.h"
#include "conformance/expect.h"
#include "conformance/vector_runner.h"
#include "isa/spans.h"
#include "isa/vector_registers.h"
#include "oracle/lane_oracle.h"

namespace sfumato::conformance {
namespace {

using isa::MaskMode;
using isa::Opcode;
using enum DataType;

constexpr uint64_t kCases = 400;

struct Kind {
    Opcode op;
    DataType type;
};
std::string NameOf(const testing::TestParamInfo<Kind>& info) {
    return std::string(Info(info.param.op).opcode) + "_" + CName(info.param.type);
}

class Lanes : public testing::TestWithParam<Kind> {
protected:
    isa::Record Record(const isa::Parameters& shape, std::initializer_list<DataType> types) {
        isa::Record r;
        r.Become(GetParam().op);
        r.Set(shape);
        r.control.overflow = random_.Pick({Overflow::kSaturate, Overflow::kInfNan});
        for (DataType type : types) r.operand[r.operand_count++] = runner_.Operand(type, 0);
        return r;
    }
    uint32_t PerRepeat() const {
        const bool gather = Info(Info(GetParam().op).form).most_lanes_log2 == 7;
        return std::min(2048 / BitsOf(GetParam().type), gather ? 128u : 256u);
    }
    void DrawStrides(isa::Operand* o, bool destination) {
        o->block_stride = random_.Pick<uint32_t>({1, 1, 2, destination ? 1u : 0u, random_.Number(1, 20)});
        o->repeat_stride = random_.Pick<uint32_t>({8, 8, 0, 1, random_.Number(0, 60)});
    }
    void DrawMask(isa::Record* r) {
        const uint32_t lanes = PerRepeat();
        r->repeat = random_.Pick<uint32_t>({1, 2, 9, random_.Number(0, 40)});
        switch (random_.Number(0, 4)) {
            case 0:
                r->mask = {MaskMode::kBits, 0, {random_.Bits(), lanes > 64 ? random_.Bits() : 0}};
                if (random_.Chance(30)) r->mask.bits = {uint64_t{1} << random_.Number(0, 63), 0};
                break;
            case 1: r->mask = {MaskMode::kCount, random_.Number(0, lanes * 12), {}}; break;
            case 2: r->mask = {MaskMode::kCounter, random_.Number(1, lanes * 12), {}}; break;
            default: r->mask = {MaskMode::kContinuous, random_.Stratum(1, lanes), {}}; break;
        }
    }
    // The operands of UB one behind the other, with gaps; of one of them another number of bytes than the record
    // touches. False: no room.
    bool Place(isa::Record* r, size_t other = 4, uint64_t other_bytes = 0) {
        for (int i = 0; i < r->operand_count; ++i) r->operand[static_cast<size_t>(i)].offset = 0;
        std::array<uint64_t, 5> bytes{};
        for (int i = 0; i < r->operand_count; ++i) bytes[static_cast<size_t>(i)] = isa::SpanOf(*r, i).end;
        bytes[other] = other_bytes;
        uint64_t begin = 0;
        for (size_t i = 0; i < r->operand_count; ++i) {
            isa::Operand& o = r->operand[i];
            if (o.memory != isa::Memory::kUb) continue;
            begin = (begin + 31) / 32 * 32 + 32 * random_.Number(0, 30);
            o.offset = begin;
            begin += bytes[i];
        }
        return begin <= runner_.Bytes();
    }
    // Elements that reach the corners of the type, pairs of equal ones among them.
    void FillElements(const isa::Record& r, int operand, int like = -1) {
        const isa::Operand& o = r.operand[static_cast<size_t>(operand)];
        const Data data = DrawData(random_);
        const uint32_t bits = BitsOf(o.type);
        const isa::Span span = isa::SpanOf(r, operand);
        for (uint64_t e = 0; e < (span.end - o.offset) * 8 / bits; ++e) {
            const bool same = like >= 0 && random_.Chance(40);
            const uint64_t other = same ? r.operand[static_cast<size_t>(like)].offset : 0;
            const bool inside = same && other + (e + 1) * bits / 8 <= runner_.Bytes();
            oracle::Put(runner_.Before(), o.offset, e, bits,
                        inside ? oracle::Get(runner_.Before(), other, e, bits) : DrawElement(random_, o.type, data));
        }
    }
    void FillBits(const isa::Operand& o, uint64_t bytes) {
        const uint32_t kind = random_.Number(0, 3);
        for (uint64_t i = 0; i < bytes; ++i) {
            runner_.Before().at(o.offset + i) = static_cast<uint8_t>(kind == 0 ? 0 : kind == 1 ? 0xFF : random_.Bits());
        }
    }
    uint64_t Immediate(DataType type) { return DrawElement(random_, type, DrawData(random_)); }
    void Run(const isa::Record& r) {
        runner_.Run(r, [&](const oracle::ReduceMemory& m) {
            return oracle::ExpectLanes(r, {m.ub, m.expected, m.registers});
        });
    }
    void Finish(const std::function<void()>& one) {
        ExpectNoDifference(
            runner_.RunCases(std::string(Info(GetParam().op).opcode) + " " + CName(GetParam().type), kCases, one));
    }
    isa::Operand CmpMask() const { return isa::RegisterOperand(isa::kCmpMask); }

    VectorRunner runner_;
    Random& random_ = runner_.random();
};

class Compares : public Lanes {};

TEST_P(Compares, AgreeWithTheOracle) {
    const DataType type = GetParam().type;
    Finish([&] {
        isa::Record r = Record(isa::Compare{static_cast<isa::Compare::Mode>(random_.Number(0, 5))}, {kUint8, type});
        if (r.op == Opcode::vcmpvs) {
            r.immediate = Immediate(type);
        } else {
            r.operand[r.operand_count++] = runner_.Operand(type, 0);
        }
        DrawMask(&r);
        if (r.op == Opcode::vcmp) {
            r.operand[0] = CmpMask();
            r.repeat = 1;
            if (r.mask.mode != MaskMode::kBits) r.mask = {MaskMode::kContinuous, random_.Stratum(1, PerRepeat()), {}};
        }
        for (int i = 1; i < r.operand_count; ++i) DrawStrides(&r.operand[static_cast<size_t>(i)], false);
        if (!Place(&r)) return;
        FillElements(r, 1);
        if (r.operand_count > 2) FillElements(r, 2, 1);
        // In place, where the packed bits never reach a repeat that is still to be read.
        if (r.op == Opcode::vcmpv && random_.Chance(20)) {
            r.operand[1].block_stride = r.operand[2].block_stride = 1;
            r.operand[1].repeat_stride = r.operand[2].repeat_stride = 8;
            if (r.repeat > 40 || !Place(&r)) return;
            r.operand[0].offset = r.operand[1].offset;
        }
        Run(r);
    });
}

INSTANTIATE_TEST_SUITE_P(Vector, Compares,
                         testing::Values(Kind{Opcode::vcmpv, kHalf}, Kind{Opcode::vcmpv, kFloat},
                                         Kind{Opcode::vcmpv, kInt32}, Kind{Opcode::vcmpv, kInt8},
                                         Kind{Opcode::vcmpv, kUint8}, Kind{Opcode::vcmpvs, kHalf},
                                         Kind{Opcode::vcmpvs, kFloat}, Kind{Opcode::vcmpvs, kInt16},
                                         Kind{Opcode::vcmpvs, kUint16}, Kind{Opcode::vcmpvs, kInt32},
                                         Kind{Opcode::vcmpvs, kUint32}, Kind{Opcode::vcmpvs, kInt8},
                                         Kind{Opcode::vcmp, kHalf}, Kind{Opcode::vcmp, kFloat},
                                         Kind{Opcode::vcmp, kInt16}, Kind{Opcode::vcmp, kUint8}),
                         NameOf);

class Selects : public Lanes {};

TEST_P(Selects, AgreeWithTheOracle) {
    const DataType type = GetParam().type;
    Finish([&] {
        using Mode = isa::Select::Mode;
        const Mode mode = random_.Pick({Mode::kCmpMask, Mode::kTensorScalar, Mode::kTensorTensor});
        isa::Record r = Record(isa::Select{mode}, {type, type});
        if (mode == Mode::kTensorScalar || (mode == Mode::kCmpMask && random_.Chance(20))) {
            r.immediate = Immediate(type);
        } else {
            r.operand[r.operand_count++] = runner_.Operand(type, 0);
        }
        const auto elements = static_cast<int>(r.operand_count);
        r.operand[r.operand_count++] = runner_.Operand(random_.Pick({kUint8, kUint16, kUint64}), 0);
        if (mode == Mode::kCmpMask && random_.Chance(50)) r.operand[static_cast<size_t>(elements)] = CmpMask();
        DrawMask(&r);
        if (PerRepeat() == 256 && r.mask.mode == MaskMode::kBits) r.mask.bits[1] = random_.Bits();
        for (int i = 0; i < elements; ++i) DrawStrides(&r.operand[static_cast<size_t>(i)], i == 0);
        if (!Place(&r)) return;
        const isa::Operand& sel = r.operand[static_cast<size_t>(elements)];
        if (sel.memory == isa::Memory::kUb) FillBits(sel, isa::SpanOf(r, elements).end - sel.offset);
        if (random_.Chance(20)) {
            r.operand[0].block_stride = r.operand[1].block_stride = 1;
            r.operand[0].repeat_stride = r.operand[1].repeat_stride = 8;
            if (!Place(&r)) return;
            r.operand[0].offset = r.operand[1].offset;
        }
        Run(r);
    });
}

INSTANTIATE_TEST_SUITE_P(Vector, Selects,
                         testing::Values(Kind{Opcode::vsel, kHalf}, Kind{Opcode::vsel, kFloat},
                                         Kind{Opcode::vsel, kInt8}, Kind{Opcode::vsel, kUint8}),
                         NameOf);

class CmpMaskMoves : public Lanes {};

TEST_P(CmpMaskMoves, AgreeWithTheOracle) {
    Finish([&] {
        isa::Record r = Record(isa::RegisterMove{}, {GetParam().type, GetParam().type});
        r.operand[r.op == Opcode::get_cmpmask ? 1 : 0] = CmpMask();
        r.operand[r.op == Opcode::get_cmpmask ? 0 : 1].offset = 16 * random_.Number(0, 1000);
        if (r.op == Opcode::set_cmpmask && random_.Chance(30)) r.operand_count = 1, r.immediate = random_.Bits();
        Run(r);
    });
}

INSTANTIATE_TEST_SUITE_P(Vector, CmpMaskMoves,
                         testing::Values(Kind{Opcode::set_cmpmask, kUint8}, Kind{Opcode::get_cmpmask, kFloat}), NameOf);

class Fills : public Lanes {};

TEST_P(Fills, AgreeWithTheOracle) {
    const DataType type = GetParam().type;
    Finish([&] {
        const bool brcb = GetParam().op == Opcode::vbcb;
        isa::Record r = brcb ? Record(isa::Broadcast{}, {type, type}) : Record(isa::Index{}, {type});
        DrawMask(&r);
        if (brcb) {
            r.mask = {MaskMode::kContinuous, PerRepeat(), {}};
            r.repeat = random_.Stratum(0, 60);
        } else {
            r.immediate = Immediate(type);
        }
        DrawStrides(&r.operand[0], true);
        if (brcb && random_.Chance(20)) r.operand[0].block_stride = 0;
        if (Place(&r)) Run(r);
    });
}

INSTANTIATE_TEST_SUITE_P(Vector, Fills,
                         testing::Values(Kind{Opcode::vbcb, kHalf}, Kind{Opcode::vbcb, kUint32},
                                         Kind{Opcode::vci, kHalf}, Kind{Opcode::vci, kInt16}, Kind{Opcode::vci, kInt32},
                                         Kind{Opcode::vci, kFloat}),
                         NameOf);

class Paddings : public Lanes {};

TEST_P(Paddings, AgreeWithTheOracle) {
    const DataType type = GetParam().type;
    Finish([&] {
        isa::Record r = Record(isa::Padding{random_.Number(0, 2), random_.Chance(50)}, {type, type});
        DrawMask(&r);
        DrawStrides(&r.operand[0], true);
        DrawStrides(&r.operand[1], false);
        if (random_.Chance(30)) {
            r.operand[0].block_stride = r.operand[1].block_stride = 1;
            r.operand[0].repeat_stride = r.operand[1].repeat_stride = 8;
            if (!Place(&r)) return;
            r.operand[0].offset = r.operand[1].offset;
        } else if (!Place(&r)) {
            return;
        }
        FillElements(r, 1);
        Run(r);
    });
}

INSTANTIATE_TEST_SUITE_P(Vector, Paddings,
                         testing::Values(Kind{Opcode::vpadding, kHalf}, Kind{Opcode::vpadding, kUint32}), NameOf);

class Gathers : public Lanes {};

TEST_P(Gathers, AgreeWithTheOracle) {
    const auto [op, type] = GetParam();
    Finish([&, op = op, type = type] {
        const bool blocks = op == Opcode::vgatherb, scatter = op == Opcode::vscatter;
        const uint64_t piece = blocks ? 32 : BitsOf(type) / 8;
        isa::Record r = Record(isa::Record(op).parameters(), {type, type, kUint32});
        auto& shape = r.As<isa::Offsets>();
        if (!blocks) shape.base = piece * random_.Pick<uint64_t>({0, 0, random_.Number(0, 200)});
        DrawMask(&r);
        if (blocks) r.mask = {MaskMode::kContinuous, PerRepeat(), {}};
        isa::Operand& walked = r.operand[scatter ? 1 : 0];
        DrawStrides(&walked, true);
        if (!blocks) walked.block_stride = 1;
        if (blocks && random_.Chance(20)) walked.block_stride = 0;
        // What offsets reach: a piece of memory of its own.
        const size_t reached = scatter ? 0 : 1;
        const uint64_t room = shape.base + piece * random_.Number(1, 900);
        if (!Place(&r, reached, room)) return;
        r.operand[reached].limit = r.operand[reached].offset + room;
        const isa::Span offsets = isa::SpanOf(r, 2);
        for (uint64_t i = 0; i < (offsets.end - r.src1().offset) / 4; ++i) {
            const auto most = static_cast<uint32_t>((room - shape.base) / piece - 1);
            oracle::Put(runner_.Before(), r.src1().offset, i, 32, piece * random_.Stratum(0, most));
        }
        Run(r);
    });
}

INSTANTIATE_TEST_SUITE_P(Vector, Gathers,
                         testing::Values(Kind{Opcode::vgather, kHalf}, Kind{Opcode::vgather, kFloat},
                                         Kind{Opcode::vgather, kUint8}, Kind{Opcode::vgatherb, kUint16},
                                         Kind{Opcode::vgatherb, kUint32}, Kind{Opcode::vgatherb, kInt64},
                                         Kind{Opcode::vscatter, kHalf}, Kind{Opcode::vscatter, kFloat},
                                         Kind{Opcode::vscatter, kInt8}),
                         NameOf);

class Interpolations : public Lanes {};

TEST_P(Interpolations, AgreeWithTheOracle) {
    const DataType type = GetParam().type;
    Finish([&] {
        isa::Interpolate shape;
        shape.horizontal = random_.Pick<uint32_t>({1, 2, random_.Number(1, 7)});
        shape.block_weights = random_.Number(0, 1);
        isa::Record r = Record(shape, {type, type, kUint32, type});
        DrawMask(&r);
        r.repeat = random_.Number(1, 8);
        if (r.mask.mode == MaskMode::kCount) r.mask = {MaskMode::kContinuous, PerRepeat(), {}};
        r.operand[0].block_stride = random_.Pick<uint32_t>({1, 1, 2, random_.Number(1, 20)});
        r.operand[0].repeat_stride = random_.Pick<uint32_t>({8, 9, random_.Number(8, 60)});
        const uint64_t blocks = random_.Number(1, 200);
        if (!Place(&r, 1, 32 * blocks)) return;
        r.operand[1].limit = r.src0().offset + 32 * blocks;
        FillElements(r, 1);
        FillElements(r, 3);
        for (uint64_t i = 0; i < (isa::SpanOf(r, 2).end - r.src1().offset) / 4; ++i) {
            oracle::Put(runner_.Before(), r.src1().offset, i, 32,
                        32 * uint64_t{random_.Stratum(0, static_cast<uint32_t>(blocks - 1))});
        }
        Run(r);
    });
}

INSTANTIATE_TEST_SUITE_P(Vector, Interpolations, testing::Values(Kind{Opcode::vbi, kHalf}, Kind{Opcode::vbi, kFloat}),
                         NameOf);

class GatherMasks : public Lanes {};

TEST_P(GatherMasks, AgreeWithTheOracle) {
    const DataType type = GetParam().type;
    Finish([&] {
        isa::GatherMask shape;
        shape.pattern = static_cast<uint8_t>(random_.Number(0, 7));
        isa::Record r = Record(shape, {type, type});
        if (shape.pattern == 0)
            r.operand[r.operand_count++] = runner_.Operand(BitsOf(type) == 16 ? kUint16 : kUint32, 0);
        r.repeat = random_.Pick<uint32_t>({1, 2, 9, random_.Number(1, 40)});
        const uint32_t per_repeat = 2048 / BitsOf(type);
        switch (random_.Number(0, 2)) {
            case 0: r.mask = {MaskMode::kContinuous, per_repeat, {}}; break;
            case 1: r.mask = {MaskMode::kContinuous, random_.Number(1, 5 * per_repeat), {}}; break;
            default: r.mask = {MaskMode::kCounter, random_.Number(1, 9 * per_repeat), {}}; break;
        }
        DrawStrides(&r.operand[1], false);
        if (shape.pattern == 0) r.operand[2].repeat_stride = random_.Pick<uint32_t>({0, 1, 2, 8});
        const isa::Squeeze squeeze = isa::SqueezeOf(r);
        if (!Place(&r, 0, BytesOf(type, squeeze.repeats * squeeze.lanes))) return;
        if (shape.pattern == 0) FillBits(r.src1(), isa::SpanOf(r, 2).end - r.src1().offset);
        const uint64_t blocks = isa::CeilDiv(BytesOf(type, squeeze.lanes), 32);
        if (random_.Chance(30) && r.src0().block_stride == 1 && r.src0().repeat_stride >= blocks) {
            r.operand[0].offset = r.src0().offset;
        }
        Run(r);
    });
}

INSTANTIATE_TEST_SUITE_P(Vector, GatherMasks,
                         testing::Values(Kind{Opcode::vreduce, kHalf}, Kind{Opcode::vreduce, kUint16},
                                         Kind{Opcode::vreduce, kFloat}, Kind{Opcode::vreduce, kInt32},
                                         Kind{Opcode::vreduce, kUint8}),
                         NameOf);

}  // namespace
}  // namespace sfumato::conformance
