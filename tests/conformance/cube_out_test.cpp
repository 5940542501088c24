// SPDX-License-Identifier: Apache-2.0
// tensor_mov, the copy into the bias table and atomic moves against the oracle, every SIMD target.
#include "conformance/cube_out.h"

namespace sfumato::conformance {
namespace {

using isa::Memory;
using Deq = isa::MatrixMove::Deq;

constexpr uint64_t kCases = 400;

using enum DataType;

struct MoveTypes {
    DataType src, dst;
    Deq deq;
};

std::string Name(const MoveTypes& t) {
    constexpr const char* kNames[] = {"none", "deq", "vdeq", "deq8", "vdeq8", "deq16", "vdeq16"};
    return std::string(CName(t.src)) + "_" + CName(t.dst) + "_" + kNames[static_cast<int>(t.deq)];
}

class MatrixOut : public Out, public testing::WithParamInterface<MoveTypes> {
protected:
    void One() {
        const MoveTypes& t = GetParam();
        isa::MatrixMove p;
        p.block = random_.Pick({isa::MatrixMove::Block::kMatrix, isa::MatrixMove::Block::kVector});
        const uint32_t unit = p.block == isa::MatrixMove::Block::kMatrix ? 256 : 16;
        p.block_count = random_.Pick<uint32_t>({1, 2, random_.Number(0, 8)});
        p.block_len = random_.Pick<uint32_t>({1, 2, random_.Number(0, 20)});
        p.src_gap = random_.Pick<uint32_t>({0, 0, 1, random_.Number(0, 20)});
        p.dst_gap = random_.Pick<uint32_t>({0, 0, 1, random_.Number(0, 20)});
        p.deq = t.deq;
        p.relu = random_.Chance(35);
        if (BitsOf(t.dst) == 8) p.sid_store_mode = random_.Pick<uint8_t>({0, 1, 2});
        const uint64_t src_bytes = uint64_t{p.block_count} * (p.block_len + p.src_gap) * 32 * BitsOf(t.src);
        const uint64_t dst_bytes = uint64_t{p.block_count} * (p.block_len * unit * 4 + p.dst_gap * 32);  // or fewer
        const uint64_t words_bytes = uint64_t{p.block_count} * 128;
        if (src_bytes > runner_.Size(Memory::kL0C) || dst_bytes + words_bytes > runner_.Size(Memory::kUb)) return;
        const uint64_t words_at = runner_.Place(Memory::kUb, words_bytes + dst_bytes, 32);
        isa::Record r = Record(isa::Opcode::tensor_mov, runner_.Operand(Memory::kUb, t.dst, words_at + words_bytes),
                               runner_.Operand(Memory::kL0C, t.src, runner_.Place(Memory::kL0C, src_bytes, 64)));
        FillL0C(t.src, r.src0().offset, src_bytes);
        p.word = DrawParameter(p);
        const bool vector = t.deq == Deq::kVDeq || t.deq == Deq::kVDeq8 || t.deq == Deq::kVDeq16;
        if (vector) {
            const uint32_t bits = t.deq == Deq::kVDeq ? 16 : 64;
            for (uint64_t i = 0; i < words_bytes * 8 / bits; ++i) {
                oracle::Put(runner_.Before(Memory::kUb), words_at, i, bits, DrawParameter(p));
            }
            p.word = words_at;
        }
        const oracle::OutCase c{t.src, t.dst, r.control.overflow, {}, {runner_.Before(Memory::kUb), words_at}};
        r.Set(p);
        runner_.Run(r, [&] { return oracle::ExpectMatrixOut(p, c, runner_.From(r.src0()), runner_.To(r.dst())); });
    }

    uint64_t DrawParameter(const isa::MatrixMove& p) {
        if (p.deq == Deq::kDeq || p.deq == Deq::kVDeq) {
            return DrawElement(random_, DataType::kHalf, random_.Pick({Data::kOrdinary, Data::kSmallIntegers})) &
                   (p.relu ? 0x7FFFu : 0xFFFFu);
        }
        uint64_t word = DrawWord(GetParam().dst, true, true);
        // The relu of the word, whose offset is then -128 for int8 and 0 for uint8 (cube.md 5.4).
        const bool eight = p.deq == Deq::kDeq8 || p.deq == Deq::kVDeq8;
        if (eight && (p.relu || random_.Chance(30))) {
            word &= ~(uint64_t{511} << 37);
            word |= uint64_t{1} << 47 | (GetParam().dst == DataType::kInt8 ? uint64_t{512 - 128} << 37 : 0);
        }
        return word;
    }
};

TEST_P(MatrixOut, AgreesWithTheOracle) {
    ExpectNoDifference(RunCases(runner_, "tensor_mov " + Name(GetParam()), kCases, [&] { One(); }));
}

INSTANTIATE_TEST_SUITE_P(Cube, MatrixOut,
                         testing::Values(MoveTypes{kFloat, kFloat, Deq::kNone}, MoveTypes{kInt32, kInt32, Deq::kNone},
                                         MoveTypes{kHalf, kHalf, Deq::kNone}, MoveTypes{kFloat, kHalf, Deq::kNone},
                                         MoveTypes{kInt32, kHalf, Deq::kDeq}, MoveTypes{kInt32, kHalf, Deq::kVDeq},
                                         MoveTypes{kHalf, kHalf, Deq::kDeq}, MoveTypes{kHalf, kHalf, Deq::kVDeq},
                                         MoveTypes{kInt32, kHalf, Deq::kDeq16}, MoveTypes{kInt32, kHalf, Deq::kVDeq16},
                                         MoveTypes{kInt32, kInt16, Deq::kDeq16},
                                         MoveTypes{kInt32, kInt16, Deq::kVDeq16}, MoveTypes{kInt32, kInt8, Deq::kDeq8},
                                         MoveTypes{kInt32, kUint8, Deq::kDeq8}, MoveTypes{kInt32, kInt8, Deq::kVDeq8},
                                         MoveTypes{kInt32, kUint8, Deq::kVDeq8}),
                         [](const auto& parameter) { return Name(parameter.param); });

TEST_F(Out, MatrixInAgreesWithTheOracle) {
    ExpectNoDifference(RunCases(runner_, "tensor_mov into L0C", kCases, [&] {
        const MoveTypes t = random_.Pick<MoveTypes>({{kFloat, kFloat, Deq::kNone},
                                                     {kInt32, kInt32, Deq::kNone},
                                                     {kHalf, kHalf, Deq::kNone},
                                                     {kHalf, kFloat, Deq::kNone}});
        isa::MatrixMove p;
        p.block = random_.Pick({isa::MatrixMove::Block::kMatrix, isa::MatrixMove::Block::kVector});
        const uint32_t unit = p.block == isa::MatrixMove::Block::kMatrix ? 256 : 16;
        p.block_count = random_.Number(0, 6);
        p.block_len = random_.Number(0, 12);
        p.src_gap = random_.Pick<uint32_t>({0, 1, random_.Number(0, 20)});
        p.dst_gap = random_.Pick<uint32_t>({0, 1, random_.Number(0, 20)});
        const uint64_t src_bytes = uint64_t{p.block_count} * (p.block_len * unit * BitsOf(t.src) / 8 + p.src_gap * 32);
        const uint64_t dst_bytes = uint64_t{p.block_count} * (p.block_len + p.dst_gap) * 32 * BitsOf(t.dst);
        isa::Record r = Record(isa::Opcode::tensor_mov,
                               runner_.Operand(Memory::kL0C, t.dst, runner_.Place(Memory::kL0C, dst_bytes, 1024)),
                               runner_.Operand(Memory::kUb, t.src, runner_.Place(Memory::kUb, src_bytes, 32)));
        r.Set(p);
        const oracle::OutCase c{t.src, t.dst, r.control.overflow, {}, runner_.From(r.src0())};
        runner_.Run(r, [&] {
            oracle::ExpectMatrixIn(p, c, runner_.From(r.src0()), runner_.To(r.dst()));
            return false;
        });
    }));
}

TEST_F(Out, BroadcastAgreesWithTheOracle) {
    ExpectNoDifference(RunCases(runner_, "broadcast_ub_to_l0c", kCases, [&] {
        const DataType type = random_.Pick({kHalf, kInt32, kFloat});
        isa::MatrixMove p{.block = isa::MatrixMove::Block::kBroadcast};
        p.block_count = random_.Pick<uint32_t>({1, 2, random_.Number(0, 6)});
        p.block_len = random_.Pick<uint32_t>({1, 2, random_.Number(0, 12)});
        p.src_gap = random_.Pick<uint32_t>({0, 1, random_.Number(0, 20)});
        p.dst_gap = random_.Pick<uint32_t>({0, 1, random_.Number(0, 20)});
        const uint64_t src_bytes = uint64_t{p.block_count} * (p.block_len * 2 * BitsOf(type) + p.src_gap * 32);
        const uint64_t dst_bytes = uint64_t{p.block_count} * (p.block_len + p.dst_gap) * 32 * BitsOf(type);
        isa::Record r = Record(isa::Opcode::broadcast_ub_to_l0c,
                               runner_.Operand(Memory::kL0C, type, runner_.Place(Memory::kL0C, dst_bytes, 1024)),
                               runner_.Operand(Memory::kUb, type, runner_.Place(Memory::kUb, src_bytes, 32)));
        r.Set(p);
        runner_.Run(r, [&] {
            oracle::ExpectBroadcastIn(p, BitsOf(type), runner_.From(r.src0()), runner_.To(r.dst()));
            return false;
        });
    }));
}

TEST_F(Out, BiasTableAgreesWithTheOracle) {
    ExpectNoDifference(RunCases(runner_, "L1 to the bias table", kCases, [&] {
        const DataType src = random_.Pick({kHalf, kBfloat16, kFloat, kInt32});
        const DataType dst = BitsOf(src) == 16 ? kFloat : src;
        oracle::BiasMove p;
        const uint64_t entries = 16 * random_.Pick<uint64_t>({1, 2, random_.Number(1, 20)});
        p.blocks = random_.Pick<uint64_t>({1, 2, random_.Number(1, 6)});
        p.block_bytes = entries * BitsOf(src) / 8;
        p.src_pitch = p.block_bytes + 32 * random_.Pick<uint64_t>({0, 0, random_.Number(0, 9)});
        p.dst_pitch = entries * 4 + 64 * random_.Pick<uint64_t>({0, 0, random_.Number(0, 9)});
        isa::Record r =
            Record(isa::Opcode::data_move,
                   runner_.Operand(Memory::kBt, dst, runner_.Place(Memory::kBt, p.blocks * p.dst_pitch, 64)),
                   runner_.Operand(Memory::kL1, src, runner_.Place(Memory::kL1, p.blocks * p.src_pitch, 32)));
        r.As<isa::Blocks>().block_count = static_cast<uint32_t>(p.blocks);
        r.As<isa::Blocks>().block_bytes = p.block_bytes;
        r.As<isa::Blocks>().src_pitch = p.src_pitch;
        r.As<isa::Blocks>().dst_pitch = p.dst_pitch;
        runner_.Run(r, [&] {
            oracle::ExpectBiasMove(p, src, dst, runner_.From(r.src0()), runner_.To(r.dst()));
            return false;
        });
    }));
}

class AtomicMoves : public Out, public testing::WithParamInterface<DataType> {};

TEST_P(AtomicMoves, AgreeWithTheOracle) {
    const DataType type = GetParam();
    ExpectNoDifference(RunCases(runner_, std::string("atomic DataCopy ") + CName(type), kCases, [&] {
        const Memory from = random_.Pick({Memory::kUb, Memory::kL1});
        const uint64_t size = BitsOf(type) / 8;
        isa::Record r = Record(isa::Opcode::data_move, {}, {});
        r.As<isa::Blocks>().block_count = random_.Pick<uint32_t>({1, 2, random_.Number(1, 20)});
        r.As<isa::Blocks>().block_bytes = 32 * random_.Pick<uint64_t>({1, 2, random_.Number(1, 40)});
        r.As<isa::Blocks>().src_pitch =
            r.As<isa::Blocks>().block_bytes + 32 * random_.Pick<uint64_t>({0, 0, random_.Number(0, 9)});
        r.As<isa::Blocks>().dst_pitch =
            r.As<isa::Blocks>().block_bytes + 32 * random_.Pick<uint64_t>({0, 0, random_.Number(0, 9)});
        const uint64_t src_bytes = r.As<isa::Blocks>().block_count * r.As<isa::Blocks>().src_pitch;
        const uint64_t dst_bytes = r.As<isa::Blocks>().block_count * r.As<isa::Blocks>().dst_pitch;
        r.operand[0] = runner_.Operand(Memory::kGm, type, runner_.Place(Memory::kGm, dst_bytes, size));
        r.operand[1] = runner_.Operand(from, type, runner_.Place(from, src_bytes, 32));
        const oracle::AtomicMode mode = DrawAtomic(r);
        const Data data = DrawData(random_);
        for (const isa::Operand* o : {&r.operand[0], &r.operand[1]}) {
            const uint64_t bytes = o == &r.operand[0] ? dst_bytes : src_bytes;
            for (uint64_t e = 0; e < bytes / size; ++e) {
                oracle::Put(runner_.Before(o->memory), o->offset, e, BitsOf(type), DrawElement(random_, type, data));
            }
        }
        runner_.Run(r, [&] {
            bool replaced = false;
            for (uint64_t b = 0; b < r.As<isa::Blocks>().block_count; ++b) {
                for (uint64_t at = 0; at < r.As<isa::Blocks>().block_bytes; at += size) {
                    const uint64_t value =
                        oracle::Get(runner_.Before(from), r.src0().offset + b * r.As<isa::Blocks>().src_pitch + at, 0,
                                    BitsOf(type));
                    oracle::Store(mode, runner_.To(r.dst()).image,
                                  r.dst().offset + b * r.As<isa::Blocks>().dst_pitch + at, BitsOf(type), value,
                                  &replaced);
                }
            }
            return replaced;
        });
    }));
}

INSTANTIATE_TEST_SUITE_P(Cube, AtomicMoves, testing::Values(kInt8, kInt16, kHalf, kBfloat16, kInt32, kFloat),
                         [](const auto& parameter) { return CName(parameter.param); });

}  // namespace
}  // namespace sfumato::conformance
