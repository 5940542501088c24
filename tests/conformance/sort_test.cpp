// SPDX-License-Identifier: Apache-2.0
// Sorts, merges and moves of a field against the oracle: random legal records, the whole UB and the registers compared.
#include "oracle/sort_oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "conformance/cube_data.h"
#include "conformance/expect.h"
#include "conformance/vector_runner.h"
#include "oracle/mmad_oracle.h"

namespace sfumato::conformance {
namespace {

using isa::Opcode;
using enum DataType;

struct Kind {
    Opcode op;
    DataType type;
};
std::string NameOf(const Kind& kind) { return std::string(Info(kind.op).opcode) + "_" + CName(kind.type); }

class Sorts : public testing::TestWithParam<Kind> {
protected:
    isa::Record Record(const isa::Parameters& shape, std::initializer_list<DataType> types) {
        isa::Record r;
        r.Become(GetParam().op);
        r.Set(shape);
        for (const DataType type : types) r.operand[r.operand_count++] = runner_.Operand(type, 0);
        return r;
    }
    // Some of the scores equal each other; all kinds of numbers.
    uint64_t Score() {
        if (random_.Chance(40)) {
            const bool half = GetParam().type == kHalf;
            // Zeros of both signs, small numbers, infinities, NaNs of both signs.
            return half ? random_.Pick<uint64_t>({0, 0x8000, 0x3C00, 0xBC00, 0x0001, 0x7C00, 0xFC00, 0x7E00, 0xFE01})
                        : random_.Pick<uint64_t>({0, 0x80000000, 0x3F800000, 0xBF800000, 1, 0x7F800000, 0xFF800000,
                                                  0x7FC00000, 0xFFC00001});
        }
        return DrawElement(random_, GetParam().type, data_);
    }
    uint32_t Bits() const { return BitsOf(GetParam().type); }
    uint64_t Bytes() const { return Bits() / 8; }
    // Room behind what was placed before.
    void Place(isa::Record* r, int operand, uint64_t bytes, uint64_t unit) {
        begin_ = (begin_ + unit - 1) / unit * unit + unit * random_.Number(0, 20);
        r->operand[static_cast<size_t>(operand)].offset = begin_;
        begin_ += bytes;
    }
    void Check(uint64_t cases, const std::function<void()>& one) {
        ExpectNoDifference(runner_.RunCases(NameOf(GetParam()), cases, [&] {
            begin_ = 0;
            data_ = DrawData(random_);
            one();
        }));
    }

    VectorRunner runner_;
    Random& random_ = runner_.random();
    Data data_ = Data::kOrdinary;
    uint64_t begin_ = 0;
};

std::string NameOfCase(const testing::TestParamInfo<Kind>& info) { return NameOf(info.param); }

using Fields = Sorts;
TEST_P(Fields, AgreeWithTheOracle) {
    Check(200, [&] {
        const isa::ProposalField shape{random_.Stratum(0, 60), random_.Number(0, 5)};
        isa::Record r = Record(shape, {GetParam().type, GetParam().type});
        const uint64_t elements = uint64_t{shape.repeats} * 16 * Bytes();
        Place(&r, 0, r.op == Opcode::vconcat ? 8 * elements : elements, 32);
        Place(&r, 1, r.op == Opcode::vconcat ? elements : 8 * elements, 32);
        // Onto their own proposals, or before them.
        if (r.op == Opcode::vextract && random_.Chance(30)) {
            r.operand[0].offset = r.src0().offset - std::min<uint64_t>(r.src0().offset, 32 * random_.Number(0, 8));
        }
        runner_.Run(r, [&](const oracle::ReduceMemory& m) { return oracle::ExpectProposalField(r, m), false; });
    });
}
INSTANTIATE_TEST_SUITE_P(Sort, Fields,
                         testing::Values(Kind{Opcode::vconcat, kHalf}, Kind{Opcode::vconcat, kFloat},
                                         Kind{Opcode::vextract, kHalf}, Kind{Opcode::vextract, kFloat}),
                         NameOfCase);

using Groups = Sorts;
TEST_P(Groups, AgreeWithTheOracle) {
    Check(200, [&] {
        const isa::SortGroups shape{random_.Stratum(0, 60)};
        const bool pairs = GetParam().op == Opcode::vsort32;
        isa::Record r = pairs ? Record(shape, {GetParam().type, GetParam().type, kUint32})
                              : Record(shape, {GetParam().type, GetParam().type});
        const uint64_t n = uint64_t{shape.repeats} * (pairs ? 32 : 16);
        Place(&r, 0, n * (pairs ? 8 : 8 * Bytes()), 32);
        Place(&r, 1, n * (pairs ? 1 : 8) * Bytes(), 32);
        if (pairs) Place(&r, 2, n * 4, 32);
        if (!pairs && random_.Chance(30)) r.operand[1].offset = r.operand[0].offset;
        for (uint64_t i = 0; i < n; ++i) {
            oracle::Put(runner_.Before(), r.src0().offset, pairs ? i : 8 * i + 4, Bits(), Score());
        }
        runner_.Run(r, [&](const oracle::ReduceMemory& m) { return oracle::ExpectSortGroups(r, m), false; });
    });
}
INSTANTIATE_TEST_SUITE_P(Sort, Groups,
                         testing::Values(Kind{Opcode::vrpsort16, kHalf}, Kind{Opcode::vrpsort16, kFloat},
                                         Kind{Opcode::vsort32, kHalf}, Kind{Opcode::vsort32, kFloat}),
                         NameOfCase);

// Queues as programs have them, in order, and queues in any order: a merge only looks at the heads.
using Merges = Sorts;
TEST_P(Merges, AgreeWithTheOracle) {
    Check(300, [&] {
        isa::MergeQueues shape;
        shape.valid = random_.Pick<uint32_t>({3, 7, 15, 15});
        const uint32_t queues = shape.valid == 3 ? 2 : shape.valid == 7 ? 3 : 4;
        const bool repeated = queues == 4 && random_.Chance(30), pairs = GetParam().op == Opcode::vmrgsort;
        shape.repeats = repeated ? random_.Number(1, 6) : 1;
        shape.suspend = !repeated && random_.Chance(40);
        for (uint32_t& length : shape.lengths) length = random_.Stratum(0, 60);
        if (repeated) shape.lengths.fill(shape.lengths[0]);
        const uint64_t unit = pairs ? 8 : 8 * Bytes();
        isa::Record r = Record(shape, {GetParam().type});
        Place(&r, 0, uint64_t{shape.repeats} * 240 * unit, 32);
        for (uint32_t i = 0; i < queues; ++i) {
            r.operand[r.operand_count++] = runner_.Operand(GetParam().type, 0);
            if (repeated && i > 0) {
                r.operand[i + 1].offset = r.operand[i].offset + shape.lengths[0] * unit;
            } else {
                Place(&r, static_cast<int>(i + 1), uint64_t{shape.repeats} * 240 * unit, unit);
            }
        }
        const bool sorted = random_.Chance(80);
        for (uint32_t i = 0; i < queues; ++i) {
            for (uint64_t repeat = 0; repeat < shape.repeats; ++repeat) {
                std::vector<uint64_t> scores(shape.lengths[i]);
                for (uint64_t& score : scores) score = Score();
                const auto value = [&](uint64_t bits) { return oracle::FloatOfBits(GetParam().type, bits); };
                if (sorted) {
                    const auto numbers = std::partition(scores.begin(), scores.end(),
                                                        [&](uint64_t bits) { return std::isnan(value(bits)); });
                    std::sort(numbers, scores.end(), [&](uint64_t a, uint64_t b) { return value(a) > value(b); });
                }
                for (uint64_t k = 0; k < scores.size(); ++k) {
                    const uint64_t record = repeat * 4 * shape.lengths[0] + k;
                    oracle::Put(runner_.Before(), r.operand[i + 1].offset + record * unit, pairs ? 0 : 4, Bits(),
                                scores[k]);
                }
            }
        }
        runner_.Run(r, [&](const oracle::ReduceMemory& m) { return oracle::ExpectMergeQueues(r, m), false; });
    });
}
INSTANTIATE_TEST_SUITE_P(Sort, Merges,
                         testing::Values(Kind{Opcode::vmrgsort4, kHalf}, Kind{Opcode::vmrgsort4, kFloat},
                                         Kind{Opcode::vmrgsort, kHalf}, Kind{Opcode::vmrgsort, kFloat}),
                         NameOfCase);

}  // namespace
}  // namespace sfumato::conformance
