// SPDX-License-Identifier: Apache-2.0
// The bytes a record touches, by enumeration, and random records. Written without isa/geometry.h: it is what the tests
// compare that with.
#pragma once

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "isa/record.h"

namespace sfumato::isa {

using Bytes = std::set<uint64_t>;

// Bytes of one operand, one set per repeat (vector) or per block (move).
inline std::vector<Bytes> Touched(const Record& r, int operand) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    const Form form = Info(r.op).form;
    std::vector<Bytes> result;
    const auto add = [&](uint64_t begin, uint64_t bytes) {
        for (uint64_t i = 0; i < bytes; ++i) result.back().insert(begin + i);
    };
    if (form == Form::kScalarStore) {
        result.emplace_back();
        add(o.offset, BitsOf(o.type) / 8);
        return result;
    }
    if (form == Form::kMove || form == Form::kMovePad) {
        const uint64_t size = BitsOf(o.type) / 8;
        const auto& m = r.As<Blocks>();
        uint64_t bytes = m.block_bytes;
        if (form == Form::kMovePad && operand == 0 && o.memory == Memory::kUb) {
            bytes += (r.As<MovePad>().left + r.As<MovePad>().right) * size;
            while (bytes % 32 && !r.As<MovePad>().compact) ++bytes;
        }
        for (uint64_t i = 0; i < m.block_count; ++i) {
            result.emplace_back();
            add(o.offset + i * (operand == 0 ? m.dst_pitch : m.src_pitch), bytes);
        }
        if (form == Form::kMovePad && operand == 0 && o.memory == Memory::kUb && r.As<MovePad>().compact)
            add(o.offset, (m.block_count * bytes + 31) / 32 * 32);
        return result;
    }
    uint32_t widest = 0;
    for (int i = 0; i < r.operand_count; ++i) widest = std::max(widest, BitsOf(r.operand[static_cast<size_t>(i)].type));
    const uint64_t lanes = 2048 / widest, bits = BitsOf(o.type);
    const bool half = operand == 0 && r.half_block != HalfBlock::kDense, counted = r.mask.mode == MaskMode::kCount;
    const bool total = counted || r.mask.mode == MaskMode::kCounter;
    const uint64_t repeats = total ? (r.mask.count + lanes - 1) / lanes : r.repeat;
    const uint64_t per_block = half ? 128 / bits : 256 / bits;
    for (uint64_t repeat = 0; repeat < repeats; ++repeat) {
        result.emplace_back();
        for (uint64_t lane = 0; lane < lanes; ++lane) {
            if (total && repeat * lanes + lane >= r.mask.count) continue;
            if (r.mask.mode == MaskMode::kContinuous && lane >= r.mask.count) continue;
            if (r.mask.mode == MaskMode::kBits && (lane >= 128 || !((r.mask.bits[lane / 64] >> (lane % 64)) & 1)))
                continue;
            uint64_t at = o.offset + (r.half_block == HalfBlock::kHigh && half ? 16 : 0);
            if (counted) {
                const uint64_t e = repeat * lanes + lane;
                at += half ? e / per_block * 32 + e % per_block * bits / 8 : e * bits / 8;
            } else {
                at += repeat * o.repeat_stride * 32 + lane / per_block * o.block_stride * 32 +
                      lane % per_block * bits / 8;
            }
            add(at, std::max<uint64_t>(bits / 8, 1));
        }
    }
    return result;
}

// Random vector records whose operands lie close together, mostly legal.
class RandomRecords {
public:
    explicit RandomRecords(uint64_t seed) : random_(seed) {}

    uint64_t Below(uint64_t n) { return std::uniform_int_distribution<uint64_t>(0, n - 1)(random_); }
    template <class T>
    T Pick(std::initializer_list<T> values) {
        return *(values.begin() + Below(values.size()));
    }

    Record Vector() {
        Record r;
        r.Become(Pick({Opcode::vadd, Opcode::vsub, Opcode::vadds, Opcode::vmuls, Opcode::vector_dup, Opcode::vconv,
                       Opcode::vconv, Opcode::vconv, Opcode::vconv_deq, Opcode::vexp, Opcode::vaxpy, Opcode::vmla,
                       Opcode::vmulconv, Opcode::vadddeqrelu}));
        const Form form = Info(r.op).form;
        r.operand_count = static_cast<uint8_t>(Info(form).operands);
        const DataType type = Pick({DataType::kHalf, DataType::kFloat, DataType::kInt32});
        for (Operand& o : r.operand) {
            o.memory = Memory::kUb;
            o.type = form == Form::kConvert ? Type() : type;
            o.offset = Below(3) ? Below(40) * 32 : 1024;
            o.limit = 65536;
            o.block_stride = static_cast<uint32_t>(Below(4) ? 1 : Below(4));
            o.repeat_stride = static_cast<uint32_t>(Below(3) ? Pick({8, 4, 2}) : Below(12));
        }
        if (r.op == Opcode::vconv_deq || Below(8) == 0) {
            r.operand[0].type = Pick({DataType::kInt8, DataType::kUint8});
            if (form == Form::kConvert) {
                r.operand[1].type = DataType::kInt16;
                r.half_block = Pick({HalfBlock::kLow, HalfBlock::kHigh});
                r.api = r.op == Opcode::vconv ? Api::kTik : Api::kAscendC;
            }
        }
        if (form == Form::kConvertTwo) {
            const bool sum = r.op == Opcode::vadddeqrelu;
            r.api = Api::kTik;
            r.operand[0].type = sum ? DataType::kHalf : Pick({DataType::kInt8, DataType::kUint8});
            r.operand[1].type = r.operand[2].type = sum ? DataType::kInt32 : DataType::kHalf;
        }
        if (Below(2)) r.operand[1].offset = r.operand[0].offset;
        if (Below(4) == 0) r.operand[2] = r.operand[0];
        r.control.deq = Pick({DeqScale::kHalf, DeqScale::kWord});
        r.control.deq_word = Below(2) << 46;
        r.rounding = Pick({Rounding::kNone, Rounding::kRint, Rounding::kCeil});
        r.repeat = static_cast<uint32_t>(1 + Below(5));
        Mask(&r);
        return r;
    }

private:
    DataType Type() { return static_cast<DataType>(Below(kDataTypeCount)); }

    void Mask(Record* r) {
        uint32_t widest = 0;
        for (int i = 0; i < r->operand_count; ++i)
            widest = std::max(widest, BitsOf(r->operand[static_cast<size_t>(i)].type));
        const uint64_t lanes = std::min<uint64_t>(2048 / widest, 128);
        r->mask.mode = static_cast<MaskMode>(Below(4));
        const bool total = r->mask.mode == MaskMode::kCount || r->mask.mode == MaskMode::kCounter;
        r->mask.count = total ? 1 + Below(lanes * 4) : Below(2) ? lanes : 1 + Below(lanes);
        if (Below(2)) r->mask.count += r->mask.count % 2;
        uint64_t low = random_(), high = random_();
        if (Below(2)) low &= random_(), high &= random_();
        if (Below(4) == 0) low = high = 0xFF0000;
        if (lanes <= 64) high = 0;
        if (lanes < 64) low &= 0xFFFFFFFF;
        if (Below(3) == 0) low |= low << 1, high |= high << 1;
        r->mask.bits = {low, high};
    }

    std::mt19937_64 random_;
};

}  // namespace sfumato::isa
