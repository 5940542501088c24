// SPDX-License-Identifier: Apache-2.0
// What the tests of the ways out of L0C and into GM share: values, parameter words, atomic modes.
#pragma once

#include <gtest/gtest.h>

#include "conformance/cube_data.h"
#include "conformance/expect.h"
#include "oracle/mmad_oracle.h"
#include "oracle/out_oracle.h"

namespace sfumato::conformance {

class Out : public testing::Test {
protected:
    // Sets the record's atomic mode; what the oracle has to know of it.
    oracle::AtomicMode DrawAtomic(isa::Record& r) {
        r.control.atomic = random_.Pick({isa::Atomic::kAdd, isa::Atomic::kMax, isa::Atomic::kMin});
        r.control.atomic_type = r.dst().type;
        return {static_cast<oracle::AtomicMode::Kind>(r.control.atomic), r.dst().type, r.control.overflow};
    }

    // A parameter word with a legal scale; bits without a meaning hold anything.
    uint64_t DrawWord(DataType dst, bool relu, bool shifts) {
        const uint32_t exponent = random_.Pick<uint32_t>({127, 127, random_.Number(100, 140), random_.Number(1, 254)});
        const bool negative = !relu && random_.Chance(15);
        uint64_t word = (negative ? uint64_t{1} << 31 : 0) | uint64_t{exponent} << 23 | (random_.Bits() & 0x7FFFFF);
        if (random_.Chance(30)) word &= 0xFF800000u;  // a power of two: exact ties
        const uint64_t offset =
            random_.Pick<uint64_t>({0, 0, 255, 256, 511, random_.Bits() & 511, random_.Bits() & 511});
        word |= (random_.Bits() & 15) << 32 | uint64_t{shifts && random_.Chance(50)} << 36 | offset << 37;
        return word | uint64_t{dst == DataType::kInt8} << 46;
    }

    // Values that meet the ends and the ties of the narrow types.
    uint64_t DrawValue(DataType type, Data data) {
        if (random_.Chance(50)) return DrawElement(random_, type, data);
        const int64_t quarters = random_.Between(-1200, 1200);
        if (type == DataType::kInt32) return static_cast<uint64_t>(quarters) & 0xFFFFFFFFu;
        bool ignored = false;
        return oracle::BitsOfFloat(type, static_cast<float>(quarters) / 4, Overflow::kInfNan, &ignored);
    }

    void FillL0C(DataType type, uint64_t at, uint64_t bytes) {
        const Data data = DrawData(random_);
        oracle::Bytes& image = runner_.Before(isa::Memory::kL0C);
        for (uint64_t e = 0; e < bytes * 8 / BitsOf(type); ++e) {
            oracle::Put(image, at, e, BitsOf(type), DrawValue(type, data));
        }
    }

    isa::Record Record(isa::Opcode op, const isa::Operand& dst, const isa::Operand& src) {
        isa::Record r;
        r.Become(op);
        r.operand_count = 2;
        r.operand[0] = dst;
        r.operand[1] = src;
        r.control.overflow = random_.Pick({Overflow::kSaturate, Overflow::kInfNan});
        return r;
    }

    CubeRunner runner_;
    Random& random_ = runner_.random();
};

}  // namespace sfumato::conformance
