// SPDX-License-Identifier: Apache-2.0
// Whole memories for the tests of matrix loads: distinct source bytes, guarded destinations, elements by number.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "exec/exec.h"

namespace sfumato::testing {

constexpr uint8_t kUntouched = 0xA5;
constexpr uint8_t kUndefined = 0xFE;

// Element n of packed elements; two int4 a byte, the even one low.
inline uint64_t ElementAt(const std::vector<uint8_t>& bytes, DataType type, uint64_t n) {
    if (type == DataType::kInt4) return (bytes.at(n / 2) >> (n % 2 * 4)) & 15;
    uint64_t value = 0;
    for (uint64_t b = BytesOf(type, 1); b-- > 0;) value = value << 8 | bytes.at(n * BytesOf(type, 1) + b);
    return value;
}
inline void PutElement(std::vector<uint8_t>& bytes, DataType type, uint64_t n, uint64_t value) {
    if (type == DataType::kInt4) {
        uint8_t& both = bytes.at(n / 2);
        both = static_cast<uint8_t>(n % 2 ? (both & 15) | value << 4 : (both & 0xF0) | (value & 15));
        return;
    }
    for (uint64_t b = 0; b < BytesOf(type, 1); ++b) {
        bytes.at(n * BytesOf(type, 1) + b) = static_cast<uint8_t>(value >> (8 * b));
    }
}
// What element n holds where every byte is kUndefined.
inline uint64_t UndefinedElement(DataType type, uint64_t n) {
    if (type == DataType::kInt4) return n % 2 ? kUndefined >> 4 : kUndefined & 15;
    return kUndefined * (0x0101010101010101ull >> (64 - BitsOf(type)));
}

class Loads : public ::testing::Test {
protected:
    static constexpr size_t kBytes = 65536;

    Loads() : src_(kBytes), dst_(kBytes, kUntouched), expected_(dst_) {
        std::mt19937 random(7);
        for (uint8_t& byte : src_) byte = static_cast<uint8_t>(random());
        allocations_[1] = src_.data();
        memory_.gm = allocations_;
    }

    isa::Record Record(isa::Opcode op, DataType type, isa::Memory from, isa::Memory to, uint64_t from_offset = 0) {
        isa::Record r;
        r.Become(op);
        r.operand_count = 2;
        r.operand[0].memory = to;
        r.operand[1].memory = from;
        r.operand[0].type = r.operand[1].type = type;
        r.operand[1].offset = from_offset;
        r.operand[0].allocation = r.operand[1].allocation = 1;
        return r;
    }

    // Executes on a fresh destination and compares all of it with expected_; then forgets both.
    void Check(const isa::Record& record) {
        memory_.base[static_cast<int>(record.src0().memory)] = src_.data();
        memory_.base[static_cast<int>(record.dst().memory)] = dst_.data();
        uint8_t* out[2] = {nullptr, dst_.data()};
        if (record.dst().memory == isa::Memory::kGm) memory_.gm = out;
        EXPECT_FALSE(exec::Execute(record, memory_));
        memory_.gm = allocations_;
        EXPECT_EQ(dst_, expected_);
        dst_.assign(kBytes, kUntouched);
        expected_ = dst_;
    }

    std::vector<uint8_t> src_, dst_, expected_;
    uint8_t* allocations_[2] = {};
    exec::MemoryMap memory_;
};

}  // namespace sfumato::testing
