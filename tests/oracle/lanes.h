// SPDX-License-Identifier: Apache-2.0
// Masks, strides, repeats and counter mode of a record (vector.md), read literally: which lanes are active, and where
// the element of each lies. Every oracle of vector records walks by it.
#pragma once

#include "isa/record.h"
#include "oracle/image.h"

namespace sfumato::oracle {

struct LaneWalk {
    const isa::Record& r;
    uint64_t lanes;  // of a repeat

    // A number of elements for the whole call.
    bool Total() const { return r.mask.mode == isa::MaskMode::kCount || r.mask.mode == isa::MaskMode::kCounter; }
    uint64_t Repeats() const { return Total() ? CeilDiv(r.mask.count, lanes) : r.repeat; }
    bool Active(uint64_t repeat, uint64_t lane) const {
        if (Total()) return repeat * lanes + lane < r.mask.count;
        if (r.mask.mode == isa::MaskMode::kContinuous) return lane < r.mask.count;
        return lane < 128 && ((r.mask.bits[lane / 64] >> (lane % 64)) & 1);
    }

    uint64_t Read(const Bytes& image, uint32_t operand, uint64_t repeat, uint64_t lane) const {
        const Place p = At(operand, repeat, lane);
        return Get(image, p.block, p.element, BitsOf(r.operand[operand].type));
    }
    void Write(Bytes& image, uint64_t repeat, uint64_t lane, uint64_t value) const {
        const Place p = At(0, repeat, lane);
        Put(image, p.block, p.element, BitsOf(r.operand[0].type), value);
    }
    // Of elements of whole bytes.
    uint64_t ByteOf(uint32_t operand, uint64_t repeat, uint64_t lane) const {
        const Place p = At(operand, repeat, lane);
        return p.block + p.element * BitsOf(r.operand[operand].type) / 8;
    }

private:
    struct Place {
        uint64_t block, element;  // byte of a block of 32 bytes, element in it
    };
    // A destination of half blocks has 16 elements in one half of each (conversions.md).
    Place At(uint32_t operand, uint64_t repeat, uint64_t lane) const {
        const isa::Operand& o = r.operand[operand];
        const bool half = operand == 0 && r.half_block != isa::HalfBlock::kDense;
        const uint64_t in_block = half ? 16 : 256 / BitsOf(o.type), block = lane / in_block;
        const uint64_t start = o.offset + (half && r.half_block == isa::HalfBlock::kHigh ? 16 : 0);
        const uint64_t blocks = r.mask.mode == isa::MaskMode::kCount
                                    ? repeat * (lanes / in_block) + block
                                    : repeat * o.repeat_stride + block * o.block_stride;
        return {start + blocks * 32, lane % in_block};
    }
};

}  // namespace sfumato::oracle
