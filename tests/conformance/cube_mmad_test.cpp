// SPDX-License-Identifier: Apache-2.0
// Mmad against the oracle: every triple of types, random shapes with tails, real data, every SIMD target.
#include <gtest/gtest.h>

#include "conformance/cube_data.h"
#include "conformance/expect.h"
#include "oracle/mmad_oracle.h"

namespace sfumato::conformance {
namespace {

using isa::Matmul;
using isa::Memory;

constexpr uint64_t kCases = 300;

struct Types {
    DataType a, b, c;
};

class Mmad : public testing::TestWithParam<Types> {
protected:
    uint32_t Length(uint32_t most) {
        return std::min(most, random_.Pick<uint32_t>({1, 2, 15, 16, 17, 32, 48, random_.Number(1, 40),
                                                      random_.Number(1, 200), random_.Number(1, 4095), 4095}));
    }

    // Lengths whose operands fit into the memories and whose products number at most `most`.
    bool DrawLengths(Matmul& p, uint64_t most) {
        const uint32_t bits = BitsOf(GetParam().a), k0 = 256 / bits;
        const bool gemv = random_.Chance(20);
        p.m = gemv ? 1 : Length(4095);
        p.n = Length(static_cast<uint32_t>(std::min<uint64_t>(4095, most / p.m)));
        if (p.n == 0) return false;
        p.k = Length(static_cast<uint32_t>(std::min<uint64_t>(4095, most / (uint64_t{p.m} * p.n))));
        if (bits == 4) p.k = p.k / 2 * 2;
        if (p.k == 0) return false;
        p.vector_a = p.m == 1 && random_.Chance(60);
        p.k_direction_align = bits == 32 && random_.Chance(30);
        const uint64_t k_blocks = p.k_direction_align ? 2 * oracle::CeilDiv(p.k, 16) : oracle::CeilDiv(p.k, k0);
        a_bytes_ = p.vector_a ? oracle::CeilTo(p.k * bits / 8 + 1, 512) : oracle::CeilDiv(p.m, 16) * k_blocks * 512;
        b_bytes_ = oracle::CeilDiv(p.n, 16) * oracle::CeilDiv(p.k, k0) * 512;
        c_bytes_ = oracle::CeilDiv(p.m, 16) * oracle::CeilDiv(p.n, 16) * 256 * BitsOf(GetParam().c) / 8;
        return a_bytes_ <= runner_.Size(Memory::kL0A) && b_bytes_ <= runner_.Size(Memory::kL0B) &&
               c_bytes_ + 65536 <= runner_.Size(Memory::kL0C);
    }

    // Random bytes where the operand lies, so that the lanes the instruction ignores hold anything.
    void Garbage(const isa::Operand& o, uint64_t bytes) {
        oracle::Bytes& image = runner_.Before(o.memory);
        for (uint64_t i = 0; i < bytes; i += 8) {
            const uint64_t value = random_.Bits();
            for (uint64_t b = 0; b < 8; ++b) image[o.offset + i + b] = static_cast<uint8_t>(value >> (8 * b));
        }
    }

    void FillOperands(const Matmul& p, const isa::Record& r) {
        const Data data = DrawData(random_), other = random_.Chance(70) ? data : DrawData(random_);
        const uint32_t bits = BitsOf(GetParam().a);
        Garbage(r.src0(), a_bytes_);
        Garbage(r.src1(), b_bytes_);
        for (uint64_t k = 0; k < p.k; ++k) {
            for (uint64_t m = 0; m < p.m; ++m) {
                oracle::Put(runner_.Before(Memory::kL0A), r.src0().offset, oracle::ElementOfA(p, bits, m, k), bits,
                            DrawElement(random_, GetParam().a, data));
            }
            for (uint64_t n = 0; n < p.n; ++n) {
                oracle::Put(runner_.Before(Memory::kL0B), r.src1().offset, oracle::ElementOfB(p, bits, k, n), bits,
                            DrawElement(random_, GetParam().b, other));
            }
        }
        const uint32_t c_bits = BitsOf(GetParam().c);
        for (uint64_t e = 0; e < c_bytes_ * 8 / c_bits; ++e) {
            oracle::Put(runner_.Before(Memory::kL0C), r.dst().offset, e, c_bits,
                        DrawElement(random_, GetParam().c, data));
        }
        if (r.operand_count < 4) return;
        const isa::Operand& bias = r.operand[3];
        for (uint64_t n = 0; n < p.n; ++n) {
            const uint64_t element = bias.memory == Memory::kL0C ? n / 16 * 256 + n % 16 : n;
            oracle::Put(runner_.Before(bias.memory), bias.offset, element, c_bits,
                        DrawElement(random_, GetParam().c, data));
        }
    }

    void DrawBias(Matmul& p, isa::Record& r) {
        const uint32_t c_bits = BitsOf(GetParam().c);
        const uint64_t entries = uint64_t{p.n} * 4;
        const uint64_t fractals = oracle::CeilDiv(p.n, 16) * 256 * c_bits / 8;
        p.initial = Matmul::Initial::kBias;
        r.operand_count = 4;
        if (c_bits == 32 && entries <= runner_.Size(Memory::kBt) && random_.Chance(70)) {
            r.operand[3] = runner_.Operand(Memory::kBt, GetParam().c, runner_.Place(Memory::kBt, entries, 64));
        } else {  // below or above C
            const uint64_t end = r.dst().offset + c_bytes_, room = runner_.Size(Memory::kL0C);
            const uint64_t at = end + fractals <= room ? end : 0;
            if (at == 0 && fractals > r.dst().offset) {
                p.initial = Matmul::Initial::kZero;
                r.operand_count = 3;
                return;
            }
            r.operand[3] = runner_.Operand(Memory::kL0C, GetParam().c, at);
        }
    }

    void One() {
        const Types& t = GetParam();
        Matmul p;
        using Kind = isa::Accumulation::Kind;
        p.order.kind = IsFloating(t.a) && random_.Chance(25) ? Kind::kK0Block : Kind::kSequential;
        const uint64_t most = random_.Pick<uint64_t>({2000, 2000, 20000, 20000, 150000});
        if (!DrawLengths(p, p.order.kind == Kind::kK0Block ? std::min<uint64_t>(most, 10000) : most)) return;
        if (t.a == DataType::kFloat) {
            p.hf32 = random_.Pick(
                {Matmul::Hf32::kOff, Matmul::Hf32::kOff, Matmul::Hf32::kNearestEven, Matmul::Hf32::kNearestAway});
        }
        p.initial = random_.Pick({Matmul::Initial::kZero, Matmul::Initial::kAccumulate});
        p.unit_flag = random_.Pick<uint8_t>({0, 2, 3});
        isa::Record r;
        r.Become(isa::Opcode::mmad);
        r.operand_count = 3;
        r.control.overflow = random_.Pick({Overflow::kSaturate, Overflow::kInfNan});
        r.operand[0] = runner_.Operand(Memory::kL0C, t.c, runner_.Place(Memory::kL0C, c_bytes_, 1024));
        r.operand[1] = runner_.Operand(Memory::kL0A, t.a, runner_.Place(Memory::kL0A, a_bytes_, 512));
        r.operand[2] = runner_.Operand(Memory::kL0B, t.b, runner_.Place(Memory::kL0B, b_bytes_, 512));
        if (t.a != DataType::kInt4 && random_.Chance(35)) DrawBias(p, r);
        if (random_.Chance(2)) *random_.Pick({&p.m, &p.n, &p.k}) = 0;
        FillOperands(p, r);
        r.Set(p);

        oracle::MatmulCase c;
        c.shape = p;
        c.c = {t.c, r.dst().offset}, c.a = {t.a, r.src0().offset}, c.b = {t.b, r.src1().offset};
        c.overflow = r.control.overflow;
        if (r.operand_count == 4) {
            c.bias_image = &runner_.Before(r.operand[3].memory);
            c.bias_at = r.operand[3].offset;
            c.bias_in_l0c = r.operand[3].memory == Memory::kL0C;
        }
        runner_.Run(r, [&] {
            return oracle::ExpectMatmul(c, runner_.Before(Memory::kL0A), runner_.Before(Memory::kL0B),
                                        runner_.To(r.dst()).image);
        });
    }

    CubeRunner runner_;
    Random& random_ = runner_.random();
    uint64_t a_bytes_ = 0, b_bytes_ = 0, c_bytes_ = 0;
};

std::string TripleName(const Types& t) { return std::string(CName(t.a)) + "_" + CName(t.b) + "_" + CName(t.c); }

TEST_P(Mmad, AgreesWithTheOracle) {
    ExpectNoDifference(RunCases(runner_, "Mmad " + TripleName(GetParam()), kCases, [&] { One(); }));
}

using enum DataType;
INSTANTIATE_TEST_SUITE_P(Cube, Mmad,
                         testing::Values(Types{kHalf, kHalf, kFloat}, Types{kHalf, kHalf, kHalf},
                                         Types{kBfloat16, kBfloat16, kFloat}, Types{kFloat, kFloat, kFloat},
                                         Types{kInt8, kInt8, kInt32}, Types{kUint8, kUint8, kInt32},
                                         Types{kUint8, kUint8, kUint32}, Types{kUint8, kInt8, kInt32},
                                         Types{kInt4, kInt4, kInt32}),
                         [](const auto& parameter) { return TripleName(parameter.param); });

}  // namespace
}  // namespace sfumato::conformance
