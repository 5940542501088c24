// SPDX-License-Identifier: Apache-2.0
// Load2D, LoadDataWithTranspose, Nd2Nz, Nz2Nd and Fill against the oracle, every SIMD target.
#include <gtest/gtest.h>

#include "conformance/cube_runner.h"
#include "conformance/expect.h"

namespace sfumato::conformance {
namespace {

using isa::Memory;

constexpr uint64_t kCases = 400;

std::string TypeName(const testing::TestParamInfo<DataType>& parameter) { return CName(parameter.param); }

class CubeMoves : public testing::TestWithParam<DataType> {
protected:
    static isa::Record Record(isa::Opcode op, const isa::Operand& dst, const isa::Operand& src) {
        isa::Record record;
        record.Become(op);
        record.operand_count = 2;
        record.operand[0] = dst;
        record.operand[1] = src;
        return record;
    }
    void Finish(const char* name, const std::function<void()>& one, uint64_t cases = kCases) {
        ExpectNoDifference(RunCases(runner_, std::string(name) + " " + CName(GetParam()), cases, one));
    }

    const uint32_t bits_ = BitsOf(GetParam());
    CubeRunner runner_;
    Random& random_ = runner_.random();
};

class Load2D : public CubeMoves {};

TEST_P(Load2D, AgreesWithTheOracle) {
    Finish("Load2D", [&] {
        isa::Load2D p;
        const bool from_gm = random_.Chance(40);
        const Memory dst = random_.Pick({Memory::kL0A, Memory::kL0B, from_gm ? Memory::kL1 : Memory::kL0A});
        const uint32_t src_fractals = 2048 - (from_gm ? 1 : 0);
        const uint32_t dst_fractals = static_cast<uint32_t>(runner_.Size(dst) / 512);
        p.repeats = random_.Stratum(0, std::min(255u, dst_fractals));
        p.src_stride = random_.Pick<uint32_t>({0, 1, 1, 2, random_.Stratum(0, 2047), 65535});
        const uint32_t steps = p.repeats > 1 ? p.repeats - 1 : 0;
        if (steps == 0 && random_.Chance(50)) p.dst_gap = random_.Stratum(0, 65535);
        if (steps > 0)
            p.dst_gap = random_.Pick<uint32_t>({0, 0, random_.Stratum(0, (dst_fractals - p.repeats) / steps)});
        if (steps > 0 && uint64_t{p.src_stride} * steps >= src_fractals)
            p.src_stride = random_.Stratum(0, (src_fractals - 1) / steps);
        const uint32_t reach = p.src_stride * steps;
        p.decrement = from_gm && dst == Memory::kL1 && random_.Chance(40);
        p.start = p.decrement ? random_.Stratum(reach, src_fractals - 1) : random_.Stratum(0, src_fractals - 1 - reach);
        p.transpose = !from_gm && bits_ == 16 && random_.Chance(40);
        const uint64_t src_bytes = 512 * (uint64_t{p.start} + (p.decrement ? 0 : reach) + 1);
        const uint64_t dst_bytes = 512 * (uint64_t{p.repeats} + steps * uint64_t{p.dst_gap});
        const Memory src = from_gm ? Memory::kGm : Memory::kL1;
        isa::Record record =
            Record(isa::Opcode::load2d,
                   runner_.Operand(dst, GetParam(), runner_.Place(dst, dst_bytes, dst == Memory::kL1 ? 32 : 512)),
                   runner_.Operand(src, GetParam(), runner_.Place(src, src_bytes, from_gm ? 1 : 32)));
        record.Set(p);
        runner_.Run(record, [&] {
            oracle::ExpectLoad2D(p, bits_, runner_.From(record.src0()), runner_.To(record.dst()));
            return false;
        });
    });
}

INSTANTIATE_TEST_SUITE_P(Cube, Load2D,
                         testing::Values(DataType::kInt4, DataType::kInt8, DataType::kUint8, DataType::kInt16,
                                         DataType::kUint16, DataType::kHalf, DataType::kBfloat16, DataType::kInt32,
                                         DataType::kUint32, DataType::kFloat),
                         TypeName);

class LoadTransposed : public CubeMoves {};

TEST_P(LoadTransposed, AgreesWithTheOracle) {
    Finish("LoadDataWithTranspose", [&] {
        isa::LoadTransposed p;
        const uint32_t fractals = bits_ == 4 ? 4 : bits_ == 16 ? 1 : 2;
        const uint32_t squares = 2048 / fractals;
        const Memory dst = bits_ == 4 ? Memory::kL0B : random_.Pick({Memory::kL0A, Memory::kL0B});
        p.repeats = random_.Stratum(0, 128 / fractals);
        const uint32_t steps = p.repeats > 1 ? p.repeats - 1 : 0;
        p.src_stride = random_.Pick<uint32_t>({0, 1, 1, 2, 65535, random_.Stratum(0, squares - 1)});
        if (steps > 0 && uint64_t{p.src_stride} * steps >= squares)
            p.src_stride = random_.Stratum(0, (squares - 1) / steps);
        const uint32_t reach = p.src_stride * steps;
        p.decrement = random_.Chance(25);
        p.start = p.decrement ? random_.Stratum(reach, squares - 1) : random_.Stratum(0, squares - 1 - reach);
        // Dense, overlapping (the later repeat wins), or with gaps; interleaved when the fractals of a square lie
        // apart.
        if (fractals > 1)
            p.dst_fractal_gap =
                random_.Pick<uint32_t>({0, 0, 1, p.repeats > 0 ? p.repeats - 1 : 0, random_.Stratum(0, 100)});
        p.dst_gap = random_.Pick<uint32_t>({0, fractals - 1, fractals, random_.Stratum(0, 127)});
        const uint64_t dst_bytes =
            512 * (steps * (1 + uint64_t{p.dst_gap}) + (fractals - 1) * (1 + uint64_t{p.dst_fractal_gap}) + 1);
        if (dst_bytes > 65536) return;
        isa::Record record = Record(
            isa::Opcode::load2d_transpose, runner_.Operand(dst, GetParam(), runner_.Place(dst, dst_bytes, 512)),
            runner_.Operand(
                Memory::kL1, GetParam(),
                runner_.Place(Memory::kL1, 512 * uint64_t{fractals} * (p.start + (p.decrement ? 0 : reach) + 1), 32)));
        record.Set(p);
        runner_.Run(record, [&] {
            oracle::ExpectLoadTransposed(p, bits_, runner_.From(record.src0()), runner_.To(record.dst()));
            return false;
        });
    });
}

INSTANTIATE_TEST_SUITE_P(Cube, LoadTransposed,
                         testing::Values(DataType::kInt4, DataType::kInt8, DataType::kUint8, DataType::kHalf,
                                         DataType::kBfloat16, DataType::kInt32, DataType::kUint32, DataType::kFloat),
                         TypeName);

class Nd2Nz : public CubeMoves {};

TEST_P(Nd2Nz, AgreesWithTheOracle) {
    Finish("Nd2Nz", [&] {
        isa::Nd2Nz p;
        const uint32_t c0 = 256 / bits_, size = bits_ / 8;
        p.nd_count = random_.Pick<uint32_t>({1, 1, 2, random_.Number(0, 6)});
        p.n = random_.Pick<uint32_t>({1, 15, 16, 17, random_.Number(0, 100), random_.Number(0, 2000)});
        p.d = random_.Pick<uint32_t>({1, c0 - 1, c0, c0 + 1, 4 * c0, random_.Number(0, 300), random_.Number(0, 3000)});
        const uint32_t columns = (p.d + c0 - 1) / c0;
        p.src_d = random_.Pick<uint32_t>({std::max(p.d, 1u), p.d + 1, random_.Stratum(1, 2 * p.d + 10)});
        p.src_nd_stride = random_.Pick<uint32_t>({0, std::min(p.n * p.src_d, 65535u), random_.Number(0, 3000)});
        // Column after column, or row after row; anything else overlaps.
        if (random_.Chance(75)) {
            p.dst_n_stride = random_.Pick<uint32_t>({1, 1, 1, 2, 3});
            p.dst_c0_stride =
                std::max(1u, p.n * p.dst_n_stride + random_.Pick<uint32_t>({0, (16 - p.n % 16) % 16, 1, 7}));
        } else {
            p.dst_c0_stride = random_.Pick<uint32_t>({1, 1, 2});
            p.dst_n_stride = std::max(1u, columns * p.dst_c0_stride + random_.Pick<uint32_t>({0, 0, 1}));
        }
        const uint32_t matrix = std::max(p.dst_c0_stride * columns, p.dst_n_stride * p.n) * c0;
        p.dst_nd_stride = p.nd_count < 2 ? random_.Number(0, 100) * c0 : matrix;
        if (p.dst_c0_stride > 16384 || p.dst_n_stride > 16384) return;
        const uint64_t src_bytes = (uint64_t{p.nd_count} * p.src_nd_stride + uint64_t{p.n} * p.src_d + p.d) * size;
        const uint64_t dst_bytes = uint64_t{std::max(p.nd_count, 1u)} * matrix * size;
        isa::Record record = Record(
            isa::Opcode::nd2nz, runner_.Operand(Memory::kL1, GetParam(), runner_.Place(Memory::kL1, dst_bytes, 32)),
            runner_.Operand(Memory::kGm, GetParam(),
                            runner_.Place(Memory::kGm, src_bytes, random_.Pick<uint64_t>({1, size, 32}))));
        record.Set(p);
        runner_.Run(record, [&] {
            oracle::ExpectNd2Nz(p, bits_, runner_.From(record.src0()), runner_.To(record.dst()));
            return false;
        });
    });
}

INSTANTIATE_TEST_SUITE_P(Cube, Nd2Nz,
                         testing::Values(DataType::kInt8, DataType::kUint8, DataType::kHalf, DataType::kBfloat16,
                                         DataType::kInt32, DataType::kFloat),
                         TypeName);

class Nz2Nd : public CubeMoves {};

TEST_P(Nz2Nd, AgreesWithTheOracle) {
    Finish("Nz2Nd", [&] {
        isa::Nz2Nd p;
        const uint32_t size = bits_ / 8;
        p.nd_count = random_.Pick<uint32_t>({1, 1, 2, random_.Number(0, 5)});
        p.n = random_.Pick<uint32_t>({1, 15, 16, 17, random_.Number(1, 200), random_.Number(1, 2000)});
        p.d = 16 * random_.Pick<uint32_t>({1, 2, 3, random_.Number(1, 20), random_.Number(1, 100)});
        p.src_n_stride = random_.Pick<uint32_t>({p.n, (p.n + 15) / 16 * 16, p.n + 3, random_.Stratum(0, 4096)});
        p.src_nd_stride = random_.Stratum(1, 40);
        p.dst_d_stride = random_.Pick<uint32_t>({p.d, p.d + 1, p.d + random_.Number(0, 200)});
        p.dst_nd_stride = std::min(65535u, p.n * p.dst_d_stride + random_.Number(0, 9));
        if (p.nd_count > 1 && p.dst_nd_stride < p.n * p.dst_d_stride) return;
        const uint64_t dst_bytes = (uint64_t{p.nd_count} * p.dst_nd_stride + uint64_t{p.n} * p.dst_d_stride) * size;
        isa::Record record =
            Record(isa::Opcode::nz2nd,
                   runner_.Operand(Memory::kGm, GetParam(),
                                   runner_.Place(Memory::kGm, dst_bytes, random_.Pick<uint64_t>({1, size, 32}))),
                   runner_.Operand(Memory::kUb, GetParam(), 32 * static_cast<uint64_t>(random_.Number(0, 100))));
        record.Set(p);
        oracle::AtomicMode mode;
        if (random_.Chance(30)) {
            record.control.overflow = random_.Pick({Overflow::kSaturate, Overflow::kInfNan});
            record.control.atomic = random_.Pick({isa::Atomic::kAdd, isa::Atomic::kMax, isa::Atomic::kMin});
            record.control.atomic_type = GetParam();
            mode = {static_cast<oracle::AtomicMode::Kind>(record.control.atomic), GetParam(), record.control.overflow};
        }
        runner_.Run(record, [&] {
            return oracle::ExpectNz2Nd(p, bits_, mode, runner_.From(record.src0()), runner_.To(record.dst()));
        });
    });
}

INSTANTIATE_TEST_SUITE_P(Cube, Nz2Nd,
                         testing::Values(DataType::kInt16, DataType::kHalf, DataType::kBfloat16, DataType::kInt32,
                                         DataType::kFloat),
                         TypeName);

class BlockFill : public CubeMoves {};

TEST_P(BlockFill, AgreesWithTheOracle) {
    Finish("Fill", [&] {
        isa::BlockFill p;
        const Memory memory = random_.Pick({Memory::kL1, Memory::kL0A, Memory::kL0B});
        const uint32_t unit = memory == Memory::kL1 ? 32 : 512;
        const uint32_t room = static_cast<uint32_t>(runner_.Size(memory) / unit);
        p.blocks = random_.Pick<uint32_t>({0, 1, 2, random_.Number(1, 20), random_.Stratum(1, std::min(room, 32767u))});
        p.dst_gap = random_.Pick<uint32_t>({0, 0, 1, random_.Stratum(0, 100)});
        const uint32_t pitch = std::max(1u, p.blocks + p.dst_gap);
        p.repeats = random_.Stratum(0, std::min(32767u, (room + p.dst_gap) / pitch));
        isa::Record record = Record(
            isa::Opcode::fill,
            runner_.Operand(memory, GetParam(), runner_.Place(memory, uint64_t{p.repeats} * pitch * unit, unit)), {});
        record.operand_count = 1;
        record.immediate = random_.Bits() & ((uint64_t{1} << bits_) - 1);
        record.Set(p);
        runner_.Run(record, [&] {
            oracle::ExpectBlockFill(p, bits_, record.immediate, unit, runner_.To(record.dst()));
            return false;
        });
    });
}

INSTANTIATE_TEST_SUITE_P(Cube, BlockFill,
                         testing::Values(DataType::kInt16, DataType::kUint16, DataType::kHalf, DataType::kBfloat16,
                                         DataType::kInt32, DataType::kUint32, DataType::kFloat),
                         TypeName);

}  // namespace
}  // namespace sfumato::conformance
