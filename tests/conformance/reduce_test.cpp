// SPDX-License-Identifier: Apache-2.0
// Reductions and transposes against the oracle: random legal records, the whole UB and the registers compared, every
// SIMD target.
#include "oracle/reduce_oracle.h"

#include <gtest/gtest.h>

#include "conformance/cube_data.h"
#include "conformance/expect.h"
#include "conformance/vector_runner.h"
#include "isa/reductions.h"
#include "isa/spans.h"

namespace sfumato::conformance {
namespace {

using isa::MaskMode;
using isa::Memory;
using isa::Opcode;
using enum DataType;

constexpr uint64_t kCases = 400;

struct Kind {
    Opcode op;
    DataType type;
};
std::string NameOf(const Kind& kind) { return std::string(Info(kind.op).opcode) + "_" + CName(kind.type); }

class Reductions : public testing::Test {
protected:
    isa::Record Record(const Kind& kind, const isa::Parameters& shape) {
        isa::Record r;
        r.Become(kind.op);
        r.operand_count = 2;
        r.control.overflow = random_.Pick({Overflow::kSaturate, Overflow::kInfNan});
        r.Set(shape);
        for (isa::Operand& o : r.operand) o = runner_.Operand(kind.type, 0);
        return r;
    }
    // A mask, repeats and strides of the source; the source begins anywhere.
    void DrawSource(isa::Record* r, uint32_t most_repeats, bool counts) {
        const uint32_t lanes = 2048 / BitsOf(r->src0().type);
        r->repeat = random_.Pick<uint32_t>({1, 2, 17, random_.Number(1, most_repeats)});
        switch (random_.Number(0, 3)) {
            case 0:
                r->mask = {MaskMode::kBits, 0, {random_.Bits(), lanes == 128 ? random_.Bits() : 0}};
                if (random_.Chance(40)) r->mask.bits[0] &= random_.Bits() & random_.Bits() & random_.Bits();
                if (random_.Chance(40)) r->mask.bits[1] &= random_.Bits() & random_.Bits() & random_.Bits();
                if (!(r->mask.bits[0] | r->mask.bits[1])) r->mask.bits[0] = 1;
                break;
            case 1:
                r->mask = {counts ? MaskMode::kCount : MaskMode::kCounter, random_.Number(1, lanes * r->repeat), {}};
                break;
            default: r->mask = {MaskMode::kContinuous, random_.Stratum(1, lanes), {}}; break;
        }
        r->operand[1].block_stride = counts ? 1 : random_.Pick<uint32_t>({1, 1, 0, 2, random_.Number(0, 20)});
        r->operand[1].repeat_stride = random_.Pick<uint32_t>({8, 8, 0, 1, random_.Number(0, 40)});
    }
    // Room in UB for each operand, apart from each other; false when there is none.
    bool Place(isa::Record* r, const uint64_t* alignments) {
        uint64_t begin = 0;
        for (int i = 0; i < r->operand_count; ++i) {
            isa::Operand& o = r->operand[static_cast<size_t>(i)];
            o.offset = 0;
            const uint64_t bytes = isa::SpanOf(*r, i).end;
            begin = (begin + alignments[i] - 1) / alignments[i] * alignments[i];
            begin += alignments[i] * random_.Number(0, 40);
            if (begin + bytes > runner_.Bytes()) return false;
            o.offset = begin;
            begin += bytes;
        }
        return true;
    }
    void FillSource(const isa::Record& r) {
        const Data data = DrawData(random_);
        const uint32_t bits = BitsOf(r.src0().type);
        const isa::Span span = isa::SpanOf(r, 1);
        for (uint64_t e = 0; e < (span.end - r.src0().offset) * 8 / bits; ++e) {
            oracle::Put(runner_.Before(), r.src0().offset, e, bits, DrawElement(random_, r.src0().type, data));
        }
    }

    VectorRunner runner_;
    Random& random_ = runner_.random();
};

class OfRepeats : public Reductions, public testing::WithParamInterface<Kind> {};

TEST_P(OfRepeats, AgreeWithTheOracle) {
    const Kind kind = GetParam();
    ExpectNoDifference(runner_.RunCases(NameOf(kind), kCases, [&] {
        isa::Reduce shape;
        if (kind.op == Opcode::vcmax || kind.op == Opcode::vcmin) {
            shape.order = static_cast<isa::ReduceOrder>(random_.Number(0, kind.type == kInt16 ? 1 : 3));
        }
        const bool pieces = isa::WidthOf(kind.op) != isa::ReduceWidth::kRepeat;
        shape.fill_masked = pieces && random_.Chance(30);
        isa::Record r = Record(kind, shape);
        DrawSource(&r, 60, false);
        if (random_.Chance(20)) {  // rows of less than a repeat, one behind the other
            const uint32_t blocks = random_.Pick<uint32_t>({1, 2, 4});
            r.mask = {MaskMode::kContinuous, blocks * 256 / BitsOf(kind.type), {}};
            r.operand[1].block_stride = 1;
            r.operand[1].repeat_stride = blocks;
        }
        r.operand[0].repeat_stride = random_.Pick<uint32_t>({1, 1, 0, 2, random_.Number(0, 30)});
        const uint64_t alignments[] = {isa::ResultsOf(r).alignment, 32};
        if (!Place(&r, alignments)) return;
        FillSource(r);
        runner_.Run(r, [&](const oracle::ReduceMemory& memory) { return oracle::ExpectReduce(r, memory); });
    }));
}

INSTANTIATE_TEST_SUITE_P(Reduce, OfRepeats,
                         testing::Values(Kind{Opcode::vcadd, kHalf}, Kind{Opcode::vcadd, kFloat},
                                         Kind{Opcode::vcmax, kHalf}, Kind{Opcode::vcmax, kFloat},
                                         Kind{Opcode::vcmax, kInt16}, Kind{Opcode::vcmin, kHalf},
                                         Kind{Opcode::vcmin, kFloat}, Kind{Opcode::vcmin, kInt16},
                                         Kind{Opcode::vcgadd, kHalf}, Kind{Opcode::vcgadd, kFloat},
                                         Kind{Opcode::vcgmax, kHalf}, Kind{Opcode::vcgmax, kFloat},
                                         Kind{Opcode::vcgmin, kHalf}, Kind{Opcode::vcgmin, kFloat},
                                         Kind{Opcode::vcpadd, kHalf}, Kind{Opcode::vcpadd, kFloat}),
                         [](const auto& parameter) { return NameOf(parameter.param); });

class OfTensors : public Reductions, public testing::WithParamInterface<Kind> {};

TEST_P(OfTensors, AgreeWithTheOracle) {
    const Kind kind = GetParam();
    ExpectNoDifference(runner_.RunCases(NameOf(kind), kCases / 2, [&] {
        isa::ReduceTensor shape;
        shape.index = kind.op != Opcode::vec_reduce_add && random_.Chance(50);
        if (kind.op == Opcode::vec_reduce_add) shape.group = random_.Pick<uint32_t>({1, 1, 0, 3, 255});
        isa::Record r = Record(kind, shape);
        DrawSource(&r, 300, true);
        r.operand_count = isa::WorkElements(r) ? 3 : 2;
        const uint64_t alignments[] = {shape.index ? uint64_t{8} : 4, 32, 32};
        if (!Place(&r, alignments)) return;
        FillSource(r);
        runner_.Run(r, [&](const oracle::ReduceMemory& memory) { return oracle::ExpectReduceTensor(r, memory); });
    }));
}

INSTANTIATE_TEST_SUITE_P(Reduce, OfTensors,
                         testing::Values(Kind{Opcode::vec_reduce_add, kHalf}, Kind{Opcode::vec_reduce_add, kFloat},
                                         Kind{Opcode::vec_reduce_max, kHalf}, Kind{Opcode::vec_reduce_max, kFloat},
                                         Kind{Opcode::vec_reduce_min, kHalf}, Kind{Opcode::vec_reduce_min, kFloat},
                                         Kind{Opcode::vec_reduce_max, kInt16}),
                         [](const auto& parameter) { return NameOf(parameter.param); });

using Transposes = Reductions;

TEST_F(Transposes, OfSquaresAgreeWithTheOracle) {
    constexpr uint64_t kAlignments[] = {32, 32};
    ExpectNoDifference(runner_.RunCases("vtranspose", 60, [&] {
        isa::TransposeSquares p{random_.Pick<uint32_t>({1, 1, random_.Number(0, 30)}), random_.Number(0, 3),
                                random_.Number(0, 3)};
        isa::Record r = Record({Opcode::vtranspose, random_.Pick({kHalf, kInt16, kUint16})}, p);
        if (!Place(&r, kAlignments)) return;
        if (p.dst_stride == p.src_stride && random_.Chance(30)) r.operand[1].offset = r.operand[0].offset;
        runner_.Run(r, [&](const oracle::ReduceMemory& memory) {
            oracle::ExpectTransposeSquares(r, memory);
            return false;
        });
    }));
}

TEST_F(Transposes, OfBlocksAgreeWithTheOracle) {
    ExpectNoDifference(runner_.RunCases("vnchwconv", 90, [&] {
        isa::TransposeBlocks p;
        p.repeats = random_.Pick<uint32_t>({1, 1, 2, random_.Number(0, 20)});
        p.dst_stride = random_.Pick<uint32_t>({0, 1, 16, random_.Number(0, 40)});
        p.src_stride = random_.Pick<uint32_t>({0, 1, 16, random_.Number(0, 40)});
        p.dst_high = random_.Chance(50);
        p.src_high = random_.Chance(50);
        // Sources in the lower half of UB, destinations in the upper.
        const uint32_t half = static_cast<uint32_t>(runner_.Bytes() / 2), last = half - 32 * 40 * 21;
        for (uint32_t& at : p.src) at = random_.Number(0, last / 32) * 32;
        for (uint32_t& at : p.dst) at = half + random_.Number(0, last / 32) * 32;
        isa::Record r = Record({Opcode::vnchwconv, random_.Pick({kInt8, kUint8, kHalf, kInt16, kFloat, kInt32})}, p);
        runner_.Run(r, [&](const oracle::ReduceMemory& memory) {
            oracle::ExpectTransposeBlocks(r, memory);
            return false;
        });
    }));
}

TEST_F(Transposes, OfChannelsAgreeWithTheOracle) {
    constexpr uint64_t kAlignments[] = {32, 32};
    ExpectNoDifference(runner_.RunCases("v4dtrans", 90, [&] {
        isa::TransposeChannels p{random_.Chance(50), random_.Number(0, 3), random_.Number(0, 40),
                                 random_.Pick<uint32_t>({32, 64, 96, random_.Number(0, 40)})};
        isa::Record r = Record({Opcode::v4dtrans, random_.Pick({kInt8, kUint16, kFloat})}, p);
        if (!Place(&r, kAlignments)) return;
        runner_.Run(r, [&](const oracle::ReduceMemory& memory) {
            oracle::ExpectTransposeChannels(r, memory);
            return false;
        });
    }));
}

}  // namespace
}  // namespace sfumato::conformance
