// SPDX-License-Identifier: Apache-2.0
// Loads of fractals, and the moves between rows and fractals, against their formulas (cube.md 3.1, 3.2 and 6).
#include <algorithm>
#include <cstring>

#include "exec/load_fixture.h"

namespace sfumato::testing {
namespace {

using isa::Memory;
using isa::Opcode;

void Copy(std::vector<uint8_t>& to, size_t at, const std::vector<uint8_t>& from, size_t begin, size_t bytes) {
    std::copy_n(from.begin() + static_cast<int64_t>(begin), bytes, to.begin() + static_cast<int64_t>(at));
}

TEST_F(Loads, FractalsWithStrideAndGap) {
    isa::Record r = Record(Opcode::load2d, DataType::kInt8, Memory::kL1, Memory::kL0A, 64);
    r.Set(isa::Load2D{.start = 2, .repeats = 3, .src_stride = 4, .dst_gap = 1});
    for (size_t i = 0; i < 3; ++i) Copy(expected_, 1024 * i, src_, 64 + 512 * (2 + 4 * i), 512);
    Check(r);
    r.Set(isa::Load2D{.start = 1, .repeats = 3, .src_stride = 1});
    Copy(expected_, 0, src_, 64 + 512, 1536);
    Check(r);
    r.Set(isa::Load2D{.start = 1, .repeats = 2, .src_stride = 0});
    for (size_t i = 0; i < 2; ++i) Copy(expected_, 512 * i, src_, 64 + 512, 512);
    Check(r);
    r.Set(isa::Load2D{.start = 1, .repeats = 0, .src_stride = 1});
    Check(r);
}

TEST_F(Loads, FractalsOfGmWithFallingAddresses) {
    isa::Record r = Record(Opcode::load2d, DataType::kHalf, Memory::kGm, Memory::kL1, 2);
    r.Set(isa::Load2D{.start = 9, .repeats = 4, .src_stride = 3, .decrement = true});
    for (size_t i = 0; i < 4; ++i) Copy(expected_, 512 * i, src_, 2 + 512 * (9 - 3 * i), 512);
    Check(r);
}

// Square `r` of LoadDataWithTranspose, element by element.
class TransposedLoads : public Loads, public ::testing::WithParamInterface<std::string> {
protected:
    void Expect(DataType type, const isa::LoadTransposed& p) {
        const uint64_t c0 = 256 / BitsOf(type);
        const uint64_t side = std::max<uint64_t>(c0, 16);
        const uint64_t fractals = side * side / (16 * c0);
        const uint64_t fractal = 16 * c0;
        for (uint64_t r = 0; r < p.repeats; ++r) {
            const uint64_t square = (p.decrement ? p.start - r * p.src_stride : p.start + r * p.src_stride);
            for (uint64_t i = 0; i < side; ++i) {
                for (uint64_t j = 0; j < side; ++j) {
                    // Two 32-bit fractals stand side by side; others are on top of each other.
                    const uint64_t from = BitsOf(type) == 32 ? j / c0 * fractal + i * c0 + j % c0 : i * c0 + j;
                    const uint64_t cut = BitsOf(type) == 32 ? i / c0 : j / 16;
                    const uint64_t inside = BitsOf(type) == 32 ? j * c0 + i % c0 : j % 16 * c0 + i;
                    const uint64_t place = r * (1 + p.dst_gap) + cut * (1 + p.dst_fractal_gap);
                    PutElement(expected_, type, place * fractal + inside,
                               ElementAt(src_, type, square * fractals * fractal + from));
                }
            }
        }
    }
};

TEST_P(TransposedLoads, SquaresOfEveryWidth) {
    ASSERT_TRUE(exec::ForceTarget(GetParam()));
    for (DataType type : {DataType::kInt4, DataType::kInt8, DataType::kHalf, DataType::kFloat}) {
        for (const isa::LoadTransposed& p :
             {isa::LoadTransposed{.start = 1, .repeats = 3, .src_stride = 2, .dst_gap = 4, .dst_fractal_gap = 0},
              isa::LoadTransposed{
                  .start = 8, .repeats = 5, .src_stride = 2, .dst_gap = 0, .dst_fractal_gap = 6, .decrement = true},
              // Each repeat writes over part of the one before.
              isa::LoadTransposed{.start = 0, .repeats = 4, .src_stride = 1, .dst_gap = 0, .dst_fractal_gap = 0}}) {
            isa::Record r = Record(Opcode::load2d_transpose, type, Memory::kL1, Memory::kL0B);
            r.Set(p);
            Expect(type, p);
            Check(r);
        }
    }
    exec::ForceTarget("");
}

TEST_P(TransposedLoads, FractalsOf16Bits) {
    ASSERT_TRUE(exec::ForceTarget(GetParam()));
    isa::Record r = Record(Opcode::load2d, DataType::kHalf, Memory::kL1, Memory::kL0B);
    r.Set(isa::Load2D{.start = 3, .repeats = 5, .src_stride = 2, .dst_gap = 1, .transpose = true});
    Expect(DataType::kHalf, {.start = 3, .repeats = 5, .src_stride = 2, .dst_gap = 1});
    Check(r);
    exec::ForceTarget("");
}

INSTANTIATE_TEST_SUITE_P(Targets, TransposedLoads, ::testing::ValuesIn(exec::Targets()),
                         [](const auto& target) { return target.param; });

TEST_F(Loads, RowsToFractals) {
    std::mt19937 random(3);
    for (DataType type : {DataType::kInt8, DataType::kHalf, DataType::kFloat}) {
        const uint64_t bytes = BytesOf(type, 1), c0 = 32 / bytes;
        for (uint32_t n : {1u, 15u, 16u, 37u}) {
            for (uint32_t d : {1u, 8u, 15u, 32u, 33u, 161u}) {
                isa::Nd2Nz p{.nd_count = 2, .n = n, .d = d};
                p.src_nd_stride = static_cast<uint32_t>(random() % 500);
                p.src_d = d + static_cast<uint32_t>(random() % 5);
                p.dst_n_stride = 1 + static_cast<uint32_t>(random() % 2);
                p.dst_c0_stride = n * p.dst_n_stride + static_cast<uint32_t>(random() % 3);
                p.dst_nd_stride = static_cast<uint32_t>(256 + random() % 4096) / 32 * 32;
                isa::Record r = Record(Opcode::nd2nz, type, Memory::kGm, Memory::kL1, 5);
                r.Set(p);
                for (uint64_t q = 0; q < 2; ++q) {
                    for (uint64_t row = 0; row < n; ++row) {
                        for (uint64_t i = 0; i < (d + c0 - 1) / c0 * c0; ++i) {
                            const uint64_t to = q * p.dst_nd_stride + i / c0 * p.dst_c0_stride * c0 +
                                                row * p.dst_n_stride * c0 + i % c0;
                            const uint64_t from = 5 + (q * p.src_nd_stride + row * p.src_d + i) * bytes;
                            if (i < d) {
                                Copy(expected_, to * bytes, src_, from, bytes);
                            } else {
                                PutElement(expected_, type, to, 0);
                            }
                        }
                    }
                }
                Check(r);
            }
        }
    }
}

TEST_F(Loads, FractalsToRows) {
    for (DataType type : {DataType::kHalf, DataType::kFloat}) {
        const uint64_t bytes = BytesOf(type, 1);
        isa::Record r = Record(Opcode::nz2nd, type, Memory::kUb, Memory::kGm, 32);
        const isa::Nz2Nd p{.nd_count = 2,
                           .n = 5,
                           .d = 48,
                           .src_nd_stride = 3,
                           .src_n_stride = 7,
                           .dst_d_stride = 50,
                           .dst_nd_stride = 300};
        r.Set(p);
        for (uint64_t q = 0; q < 2; ++q) {
            for (uint64_t n = 0; n < 5; ++n) {
                for (uint64_t d = 0; d < 48; ++d) {
                    const uint64_t from = q * 3 * 256 + d / 16 * 7 * 16 + n * 16 + d % 16;
                    Copy(expected_, (q * 300 + n * 50 + d) * bytes, src_, 32 + from * bytes, bytes);
                }
            }
        }
        Check(r);
    }
}

TEST_F(Loads, FillsBlocksAndFractals) {
    for (Memory memory : {Memory::kL1, Memory::kL0A, Memory::kL0B}) {
        isa::Record r = Record(Opcode::fill, DataType::kHalf, Memory::kNone, memory);
        r.operand_count = 1;
        r.operand[0].offset = 512;
        r.immediate = 0x1234;
        r.Set(isa::BlockFill{.repeats = 3, .blocks = 2, .dst_gap = 1});
        const size_t unit = memory == Memory::kL1 ? 32 : 512;
        for (size_t i = 0; i < 3; ++i) {
            for (size_t at = 0; at < 2 * unit; at += 2) {
                PutElement(expected_, DataType::kHalf, (512 + 3 * i * unit + at) / 2, 0x1234);
            }
        }
        Check(r);
    }
}

}  // namespace
}  // namespace sfumato::testing
