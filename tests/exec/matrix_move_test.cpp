// SPDX-License-Identifier: Apache-2.0
// L0C to UB and back: block modes, gaps and conversions of cube.md 5.4; whole memories are compared, on every target.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <functional>
#include <vector>

#include "exec/exec.h"
#include "numeric/convert.h"

namespace sfumato::testing {
namespace {

using isa::MatrixMove;
using isa::Memory;
using Deq = MatrixMove::Deq;

constexpr uint8_t kGuard = 0xA5;
constexpr size_t kBytes = 64 * 1024;
constexpr size_t kUbAt = 8192, kL0cAt = 2048, kWordsAt = 512;

class MatrixMoveTest : public ::testing::Test {
protected:
    MatrixMoveTest() : l0c_(kBytes, kGuard), ub_(kBytes, kGuard) {
        memory_.base[static_cast<int>(Memory::kL0C)] = l0c_.data();
        memory_.base[static_cast<int>(Memory::kUb)] = ub_.data();
    }
    ~MatrixMoveTest() override { exec::ForceTarget(""); }

    static isa::Record Record(DataType src, DataType dst, const MatrixMove& shape, bool out = true) {
        isa::Record r;
        r.Become(isa::Opcode::tensor_mov);
        r.operand_count = 2;
        r.operand[0].memory = out ? Memory::kUb : Memory::kL0C;
        r.operand[1].memory = out ? Memory::kL0C : Memory::kUb;
        r.operand[0].offset = out ? kUbAt : kL0cAt;
        r.operand[1].offset = out ? kL0cAt : kUbAt;
        r.operand[0].type = dst;
        r.operand[1].type = src;
        r.Set(shape);
        return r;
    }

    // Elements 0, 1, 2 ... of L0C from kL0cAt on.
    template <typename T>
    void Fill(std::vector<uint8_t>& memory, size_t at, size_t n, const std::function<T(size_t)>& value) {
        for (size_t i = 0; i < n; ++i) {
            const T v = value(i);
            std::memcpy(&memory[at + i * sizeof(T)], &v, sizeof(T));
        }
    }

    // `place` returns the byte of UB (past kUbAt) a column of a row of a fractal of a block goes to; element: its bits.
    void Check(const isa::Record& r, const std::function<size_t(size_t, size_t, size_t, size_t)>& place,
               const std::function<uint64_t(uint64_t, size_t, size_t)>& element, bool changed = false) {
        const auto& move = r.As<MatrixMove>();
        const size_t from = BytesOf(r.operand[1].type, 1), to = BytesOf(r.operand[0].type, 1);
        const size_t rows = move.block == MatrixMove::Block::kMatrix ? 16 : 1;
        std::vector<uint8_t> expected = ub_;
        for (size_t b = 0; b < move.block_count; ++b) {
            for (size_t f = 0; f < move.block_len; ++f) {
                for (size_t i = 0; i < rows * 16; ++i) {
                    const size_t fractal = b * (move.block_len + move.src_gap) + f;
                    uint64_t bits = 0;
                    std::memcpy(&bits, &l0c_[kL0cAt + (fractal * 256 + i) * from], from);
                    const uint64_t value = element(bits, b, i % 16);
                    std::memcpy(&expected.at(kUbAt + place(b, f, i / 16, i % 16)), &value, to);
                }
            }
        }
        const std::vector<uint8_t> before = ub_, l0c = l0c_;
        for (const std::string& target : exec::Targets()) {
            ASSERT_TRUE(exec::ForceTarget(target));
            ASSERT_EQ(exec::Execute(r, memory_), changed) << target;
            ASSERT_TRUE(ub_ == expected) << target;
            ASSERT_TRUE(l0c_ == l0c) << target;
            std::copy(before.begin(), before.end(), ub_.begin());
        }
    }

    std::vector<uint8_t> l0c_, ub_;
    exec::MemoryMap memory_;
};

MatrixMove Shape(MatrixMove::Block block, Deq deq = Deq::kNone) {
    MatrixMove m;
    m.block = block;
    m.block_count = 3;
    m.block_len = 3;
    m.src_gap = 2;
    m.dst_gap = 5;
    m.deq = deq;
    return m;
}

// Blocks packed but for the gap, rows of 16 elements.
auto Dense(const MatrixMove& m, size_t element) {
    const size_t unit = (m.block == MatrixMove::Block::kMatrix ? 16 : 1) * 16 * element;
    return [=](size_t b, size_t f, size_t row, size_t column) {
        return b * (m.block_len * unit + m.dst_gap * 32) + f * unit + (row * 16 + column) * element;
    };
}

constexpr MatrixMove::Block kBlocks[] = {MatrixMove::Block::kMatrix, MatrixMove::Block::kVector};

TEST_F(MatrixMoveTest, CopiesFractalsAndFirstRows) {
    Fill<uint32_t>(l0c_, kL0cAt, 15 * 256, [](size_t i) { return static_cast<uint32_t>(i * 0x10003); });
    for (auto block : kBlocks) {
        const MatrixMove m = Shape(block);
        for (DataType type : {DataType::kFloat, DataType::kInt32, DataType::kUint32, DataType::kHalf}) {
            Check(Record(type, type, m), Dense(m, BytesOf(type, 1)),
                  [](uint64_t bits, size_t, size_t) { return bits; });
            ASSERT_FALSE(HasFatalFailure()) << CName(type);
        }
    }
}

TEST_F(MatrixMoveTest, NarrowsFloats) {
    Fill<float>(l0c_, kL0cAt, 15 * 256, [](size_t i) { return static_cast<float>(i) * 0.37f - 700; });
    for (auto block : kBlocks) {
        for (bool relu : {false, true}) {
            MatrixMove m = Shape(block);
            m.relu = relu;
            Check(Record(DataType::kFloat, DataType::kHalf, m), Dense(m, 2), [&](uint64_t bits, size_t, size_t) {
                const bool negative = bits >> 31;
                return relu && negative ? 0
                                        : numeric::Convert(DataType::kFloat, DataType::kHalf, Rounding::kRint,
                                                           Overflow::kSaturate, bits)
                                              .bits;
            });
            ASSERT_FALSE(HasFatalFailure());
        }
    }
}

TEST_F(MatrixMoveTest, ReluOfTheSameType) {
    Fill<uint16_t>(l0c_, kL0cAt, 15 * 256, [](size_t i) { return static_cast<uint16_t>(i % 0x7C00 | i % 2 << 15); });
    MatrixMove m = Shape(MatrixMove::Block::kMatrix);
    m.relu = true;
    Check(Record(DataType::kHalf, DataType::kHalf, m), Dense(m, 2),
          [](uint64_t bits, size_t, size_t) { return bits >> 15 ? 0 : bits; });
    Fill<int32_t>(l0c_, kL0cAt, 15 * 256, [](size_t i) { return static_cast<int32_t>(i * 0x9E3779B1); });
    Check(Record(DataType::kInt32, DataType::kInt32, m), Dense(m, 4),
          [](uint64_t bits, size_t, size_t) { return bits >> 31 ? 0 : bits; });
}

TEST_F(MatrixMoveTest, HalfScales) {
    constexpr uint16_t kScales[4] = {0x3800, 0xBC00, 0x4200, 0x3C01};  // 0.5, -1, 3, 1 + 2^-10
    for (size_t i = 0; i < 48; ++i) std::memcpy(&ub_[kWordsAt + 2 * i], &kScales[(i + i / 16) % 4], 2);
    Fill<int32_t>(l0c_, kL0cAt, 15 * 256, [](size_t i) { return static_cast<int32_t>(i * 7) - 9000; });
    for (bool relu : {false, true}) {
        for (Deq deq : {Deq::kDeq, Deq::kVDeq}) {
            MatrixMove m = Shape(MatrixMove::Block::kMatrix, deq);
            m.relu = relu;
            m.word = deq == Deq::kVDeq ? kWordsAt : kScales[3];
            Check(Record(DataType::kInt32, DataType::kHalf, m), Dense(m, 2), [&](uint64_t bits, size_t b, size_t c) {
                const uint16_t scale = kScales[deq == Deq::kVDeq ? (b + c) % 4 : 3];
                const auto v = static_cast<int32_t>(bits);
                const uint64_t half = numeric::ConvertInt32ToHalf(v, scale, Overflow::kSaturate).bits;
                return relu && half >> 15 ? 0 : half;
            });
            ASSERT_FALSE(HasFatalFailure());
        }
    }
    // 0x4000 is 2: times 0.5, -1, 3 and 1 + 2^-10.
    Fill<uint16_t>(l0c_, kL0cAt, 15 * 256, [](size_t) { return uint16_t{0x4000}; });
    MatrixMove m = Shape(MatrixMove::Block::kVector, Deq::kVDeq);
    m.word = kWordsAt;
    Check(Record(DataType::kHalf, DataType::kHalf, m), Dense(m, 2), [](uint64_t, size_t b, size_t c) {
        constexpr uint64_t kProducts[4] = {0x3C00, 0xC000, 0x4600, 0x4001};
        return kProducts[(b + c) % 4];
    });
    m.deq = Deq::kDeq;
    m.word = 0x7BFF;  // 2 x 65504
    Check(
        Record(DataType::kHalf, DataType::kHalf, m), Dense(m, 2),
        [](uint64_t, size_t, size_t) { return uint64_t{0x7BFF}; }, true);
}

// Words a lane and block apart: scales, offsets, shifts, ReLU.
uint64_t TestWord(size_t i) {
    uint64_t word = 0;
    EXPECT_TRUE(
        numeric::PackDeqWord(0.01 * static_cast<double>(i % 7) + 0.003, static_cast<int>(i % 11) - 5, true, &word));
    if (i % 3 == 1) word |= uint64_t{1} << 36 | (i % 16) << 32;
    if (i % 5 == 2) word |= uint64_t{1} << 47;
    return word;
}

TEST_F(MatrixMoveTest, Words) {
    for (size_t i = 0; i < 48; ++i) {
        const uint64_t word = TestWord(i);
        std::memcpy(&ub_[kWordsAt + 8 * i], &word, 8);
    }
    Fill<int32_t>(l0c_, kL0cAt, 15 * 256, [](size_t i) { return static_cast<int32_t>(i * 250) - 90000; });
    for (auto block : kBlocks) {
        for (DataType dst : {DataType::kHalf, DataType::kInt16, DataType::kInt8, DataType::kUint8}) {
            const bool byte = BitsOf(dst) == 8;
            for (bool vector : {false, true}) {
                for (uint8_t mode = 0; mode < (byte ? 3 : 1); ++mode) {
                    for (bool relu : {false, true}) {
                        MatrixMove m = Shape(block, byte     ? vector ? Deq::kVDeq8 : Deq::kDeq8
                                                    : vector ? Deq::kVDeq16
                                                             : Deq::kDeq16);
                        m.word = vector ? kWordsAt : TestWord(7);
                        m.sid_store_mode = mode;
                        m.relu = relu;
                        const size_t rows = block == MatrixMove::Block::kMatrix ? 16 : 1;
                        const auto halves = [&](size_t b, size_t f, size_t row, size_t column) {
                            // Mode 2 pairs the first two fractals of three; the last keeps rows of 16 bytes.
                            if (mode == 2) {
                                const size_t at = b * (3 * rows * 16 + m.dst_gap * 32) + column;
                                return at + (f == 2 ? 2 * rows * 16 + row * 16 : row * 32 + f * 16);
                            }
                            const size_t at = b * (3 * rows * 32 + m.dst_gap * 32) + row * 32 + column;
                            return at + f * rows * 32 + mode * 16;
                        };
                        const auto element = [&](uint64_t bits, size_t b, size_t c) {
                            const uint64_t word = TestWord(vector ? b * 16 + c : 7);
                            const bool zero = relu || (byte && word >> 47);
                            return numeric::ConvertAccumulator(DataType::kInt32, dst, bits, word, zero,
                                                               Overflow::kSaturate)
                                .bits;
                        };
                        const isa::Record r = Record(DataType::kInt32, dst, m);
                        if (byte) {
                            Check(r, halves, element);
                        } else {
                            Check(r, Dense(m, 2), element);
                        }
                        ASSERT_FALSE(HasFatalFailure()) << CName(dst) << " mode " << int{mode} << " vector " << vector;
                    }
                }
            }
        }
    }
}

TEST_F(MatrixMoveTest, ToL0C) {
    Fill<uint16_t>(ub_, kUbAt, 8192, [](size_t i) { return static_cast<uint16_t>(i % 0x7C00); });
    for (auto block : kBlocks) {
        for (const auto& [src, dst] : {std::pair{DataType::kFloat, DataType::kFloat},
                                       {DataType::kHalf, DataType::kHalf},
                                       {DataType::kInt32, DataType::kInt32},
                                       {DataType::kHalf, DataType::kFloat}}) {
            MatrixMove m = Shape(block);
            std::swap(m.src_gap, m.dst_gap);
            const size_t from = BytesOf(src, 1), to = BytesOf(dst, 1),
                         rows = block == MatrixMove::Block::kMatrix ? 16 : 1;
            std::vector<uint8_t> expected = l0c_;
            for (size_t b = 0; b < m.block_count; ++b) {
                for (size_t f = 0; f < m.block_len; ++f) {
                    for (size_t i = 0; i < rows * 16; ++i) {
                        uint64_t bits = 0;
                        const size_t at =
                            b * (m.block_len * rows * 16 * from + m.src_gap * 32) + (f * rows * 16 + i) * from;
                        std::memcpy(&bits, &ub_[kUbAt + at], from);
                        if (src != dst)
                            bits = numeric::Convert(src, dst, Rounding::kRint, Overflow::kSaturate, bits).bits;
                        const size_t fractal = b * (m.block_len + m.dst_gap) + f;
                        std::memcpy(&expected[kL0cAt + (fractal * 256 + i) * to], &bits, to);
                    }
                }
            }
            const std::vector<uint8_t> before = l0c_;
            for (const std::string& target : exec::Targets()) {
                ASSERT_TRUE(exec::ForceTarget(target));
                EXPECT_FALSE(exec::Execute(Record(src, dst, m, false), memory_));
                EXPECT_TRUE(l0c_ == expected) << CName(src) << " " << CName(dst) << " " << target;
                std::copy(before.begin(), before.end(), l0c_.begin());
            }
        }
    }
}

TEST_F(MatrixMoveTest, RefusesTypesWithoutAWay) {
    const auto refused = [&](DataType src, DataType dst, Deq deq) {
        EXPECT_THROW(exec::Execute(Record(src, dst, Shape(MatrixMove::Block::kMatrix, deq)), memory_),
                     std::logic_error);
    };
    refused(DataType::kInt32, DataType::kHalf, Deq::kNone);
    refused(DataType::kFloat, DataType::kHalf, Deq::kDeq);
    refused(DataType::kFloat, DataType::kInt8, Deq::kDeq8);
    refused(DataType::kInt32, DataType::kHalf, Deq::kDeq8);
    refused(DataType::kInt32, DataType::kInt8, Deq::kDeq16);
}

}  // namespace
}  // namespace sfumato::testing
