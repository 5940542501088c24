// SPDX-License-Identifier: Apache-2.0
// The trees under every reduction (vector_instructions.md 7): repeats as rows of whole lanes, reduced level by level.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "exec/reduce/reduce.h"
#include "exec/meaning.h"
#include "isa/reductions.h"

namespace sfumato::exec {

constexpr uint64_t kBatch = 16;  // repeats in hand
constexpr size_t kRoom = kBatch * isa::kRepeatBytes;
constexpr uint64_t kResultBatch = kRoom / 4;  // that take no room but for a result

inline uint64_t ReadBits(const uint8_t* from, size_t bytes) {
    uint64_t bits = 0;
    std::memcpy(&bits, from, bytes);
    return bits;
}

// Elements as their keys (ToKeysFn) and back.
struct Keys {
    bool integers, min;
    int64_t largest;    // key; of a NaN where the elements are floats
    uint64_t inf, nan;  // bits

    Keys(DataType type, bool is_min) : integers(type == DataType::kInt16), min(is_min) {
        const bool narrow = BitsOf(type) == 16;
        largest = narrow ? INT16_MAX : INT32_MAX;
        inf = narrow ? 0x7C00 : 0x7F800000;
        nan = narrow ? 0x7E00 : 0x7FC00000;
    }
    // The key no element is below.
    int64_t lowest() const { return ~largest; }
    int64_t Load(const uint8_t* from) const {
        return largest == INT16_MAX ? static_cast<int16_t>(ReadBits(from, 2)) : static_cast<int32_t>(ReadBits(from, 4));
    }
    uint64_t Bits(int64_t key) const {
        if (integers) return static_cast<uint16_t>(min ? ~key : key);
        if (key == largest) return nan;
        const int64_t order = min ? ~key : key;
        const int64_t bits = order < 0 ? order ^ largest : order;
        return static_cast<uint64_t>(bits) & (static_cast<uint64_t>(largest) * 2 + 1);
    }
    int64_t Key(uint64_t bits) const {
        const int64_t value = largest == INT16_MAX ? static_cast<int16_t>(bits) : static_cast<int32_t>(bits);
        if (integers) return min ? ~value : value;
        if ((bits & static_cast<uint64_t>(largest)) > inf) return largest;
        const int64_t order = value < 0 ? value ^ largest : value;
        return min ? ~order : order;
    }
};

// Repeats of the source as rows of whole lanes, the lanes that are not active filled. A row is a repeat; where one
// result is asked of it and its last lanes are not active, the least power of two of its blocks that holds those that
// are.
class Rows {
public:
    Rows(const isa::Record& r, const MemoryMap& memory)
        : record_(r), shift_(isa::LanesShift(r)), lanes_(isa::LanesOf(r, shift_)), walk_(isa::WalkOf(r, 1, shift_)) {
        at_ = memory.Address(r.src0());
        size_ = BytesOf(r.src0().type, 1);
        row_shift_ = shift_;
        const uint32_t end = std::max(lanes_.end, lanes_.last_end);
        const bool shrinks = isa::WidthOf(r.op) == isa::ReduceWidth::kRepeat && r.form() == isa::Form::kReduce;
        while (shrinks && size_ << row_shift_ > isa::kBlockBytes && end <= 1u << (row_shift_ - 1)) --row_shift_;
        Idle(lanes_.end, &idle_, &idle_count_);
        Idle(lanes_.last_end, &last_idle_, &last_idle_count_);
        packed_ = !HasIdle() && walk_.block_pitch == isa::kBlockBytes && walk_.repeat_pitch == row_bytes();
    }
    uint32_t row_shift() const { return row_shift_; }
    size_t row_bytes() const { return size_ << row_shift_; }
    // All of them lie in place.
    bool packed() const { return packed_; }
    const isa::Lanes& lanes() const { return lanes_; }
    const isa::Walk& walk() const { return walk_; }
    uint32_t shift() const { return shift_; }
    size_t size() const { return size_; }

    // `count` repeats from `first` on: in place, or copied to `buffer`.
    const uint8_t* Load(uint64_t first, uint64_t count, uint8_t* buffer) const {
        if (packed_) return at_ + first * row_bytes();
        for (uint64_t i = 0; i < count; ++i) {
            const uint64_t repeat = first + i;
            const uint32_t end = repeat + 1 == lanes_.repeats ? lanes_.last_end : lanes_.end;
            const uint8_t* from = at_ + repeat * walk_.repeat_pitch;
            const uint32_t blocks = ((end - 1) >> walk_.lane_shift) + 1;
            for (uint32_t b = 0; b < blocks; ++b) {
                std::memcpy(buffer + i * row_bytes() + b * isa::kBlockBytes, from + b * walk_.block_pitch,
                            isa::kBlockBytes);
            }
        }
        return buffer;
    }
    bool HasIdle() const { return idle_count_ != 0 || last_idle_count_ != 0; }
    // Puts `bits` into the lanes of loaded rows that are not active.
    void Fill(uint64_t first, uint64_t count, uint64_t bits, uint8_t* rows) const {
        size_ == 2 ? FillAs<uint16_t>(first, count, bits, rows) : FillAs<uint32_t>(first, count, bits, rows);
    }
    bool IsActive(uint64_t repeat, uint32_t lane) const {
        const uint32_t end = repeat + 1 == lanes_.repeats ? lanes_.last_end : lanes_.end;
        if (lane >= end) return false;
        return record_.mask.mode != isa::MaskMode::kBits || ((record_.mask.bits[lane / 64] >> (lane % 64)) & 1);
    }

private:
    template <typename T>
    void FillAs(uint64_t first, uint64_t count, uint64_t bits, uint8_t* rows) const {
        const T value = static_cast<T>(bits);
        for (uint64_t i = 0; i < count; ++i) {
            const bool last = first + i + 1 == lanes_.repeats;
            const uint8_t* idle = last ? last_idle_.data() : idle_.data();
            const uint32_t idle_count = last ? last_idle_count_ : idle_count_;
            uint8_t* const row = rows + i * row_bytes();
            for (uint32_t k = 0; k < idle_count; ++k) std::memcpy(row + idle[k] * sizeof(T), &value, sizeof(T));
        }
    }
    void Idle(uint32_t end, std::array<uint8_t, 128>* idle, uint32_t* count) {
        const bool bits = record_.mask.mode == isa::MaskMode::kBits;
        if (lanes_.repeats == 0 || (!bits && end == 1u << row_shift_)) return;
        for (uint32_t lane = 0; lane < 1u << row_shift_; ++lane) {
            const bool active = lane < end && (!bits || ((record_.mask.bits[lane / 64] >> (lane % 64)) & 1));
            if (!active) (*idle)[(*count)++] = static_cast<uint8_t>(lane);
        }
    }

    const isa::Record& record_;
    uint32_t shift_, row_shift_;
    isa::Lanes lanes_;
    isa::Walk walk_;
    const uint8_t* at_;
    size_t size_;
    bool packed_;
    std::array<uint8_t, 128> idle_, last_idle_;
    uint32_t idle_count_ = 0, last_idle_count_ = 0;
};

// Reduces rows group by group, a batch at a time.
class Trees {
public:
    Trees(const isa::Record& r, const MemoryMap& memory)
        : rows_(r, memory),
          kernels_(KernelsOf(r.src0().type)),
          reduction_(isa::ReductionOf(r.op)),
          overflow_(r.control.overflow),
          keys_(r.src0().type, reduction_ == isa::Reduction::kMin),
          levels_(rows_.row_shift() == rows_.shift() ? isa::WidthShift(isa::WidthOf(r.op), isa::Log2Bits(r.src0().type))
                                                     : rows_.row_shift()),
          minus_zero_(uint64_t{1} << (BitsOf(r.src0().type) - 1)) {
        if (kernels_.pair_max == nullptr || (reduction_ == isa::Reduction::kSum && kernels_.pair_sum == nullptr)) {
            Refuse(r, std::string("has no meaning for elements of type ") + CName(r.src0().type) + ".");
        }
    }
    const Rows& rows() const { return rows_; }
    const Keys& keys() const { return keys_; }
    uint64_t minus_zero() const { return minus_zero_; }

    // Nobody asks for the keys of lanes: where the rows lie in place and dst elsewhere, Reduce makes results in one go.
    void LeaveNoKeys(const isa::Record& r, const MemoryMap& memory) {
        const uint64_t repeats = rows_.lanes().repeats;
        if (levels_ != rows_.row_shift() || !rows_.packed() || repeats == 0) return;
        const uint8_t *src = rows_.Load(0, repeats, raw_), *dst = memory.Address(r.dst());
        const isa::Results results = isa::ResultsOf(r);
        const uint64_t written = (repeats - 1) * r.dst().repeat_stride * results.unit + results.bytes;
        if (dst < src + repeats * rows_.row_bytes() && src < dst + written) return;
        at_once_ = reduction_ == isa::Reduction::kSum   ? kernels_.row_sums
                   : reduction_ == isa::Reduction::kMax ? kernels_.row_max_keys
                                                        : kernels_.row_min_keys;
    }
    bool at_once() const { return at_once_ != nullptr; }
    // An infinite or NaN result changes, or counts as changed.
    bool HasPolicy() const { return !keys_.integers && rows_.size() == 2 && overflow_ == Overflow::kSaturate; }
    // The repeats that Reduce takes at most.
    uint64_t batch() const { return at_once() ? kResultBatch : kBatch; }

    // The groups' sums, or keys, of some repeats: as many bytes a repeat as a row has, >> levels.
    const uint8_t* Reduce(uint64_t first, uint64_t count, bool* changed) {
        if (at_once()) {
            at_once_(rows_.Load(first, count, raw_), result_[0], count, levels_);
            return result_[0];
        }
        const uint8_t* from = rows_.Load(first, count, raw_);
        size_t n = count << rows_.row_shift();
        if (reduction_ == isa::Reduction::kSum) {
            if (from == raw_ && rows_.HasIdle()) rows_.Fill(first, count, minus_zero_, raw_);
        } else {
            MakeKeys(from, first, count);
            from = key_;
        }
        for (uint32_t level = 0; level < levels_; ++level) {
            n /= 2;
            from = Level(from, result_[level % 2], n, changed);
        }
        return from;
    }
    // n results of neighbours.
    const uint8_t* Level(const uint8_t* from, uint8_t* to, size_t n, bool* changed) {
        if (reduction_ == isa::Reduction::kSum) {
            *changed |= kernels_.pair_sum(from, to, n, overflow_);
        } else {
            kernels_.pair_max(from, to, n);
        }
        return to;
    }
    uint64_t Sum(uint64_t a, uint64_t b, bool* changed) {
        const size_t size = rows_.size();
        uint8_t pair[8], sum[4];
        std::memcpy(pair, &a, size);
        std::memcpy(pair + size, &b, size);
        *changed |= kernels_.pair_sum(pair, sum, 1, overflow_);
        return ReadBits(sum, size);
    }
    // The same of one repeat after LeaveNoKeys.
    uint32_t LaneOf(uint64_t repeat, int64_t key) {
        MakeKeys(rows_.Load(repeat, 1, raw_), repeat, 1);
        return LaneOf(repeat, 0, key);
    }
    // The first active lane with this key; `i` counts from the start of the batch, whose keys still stand.
    uint32_t LaneOf(uint64_t first, uint64_t i, int64_t key) const {
        const uint8_t* row = key_ + i * rows_.row_bytes();
        for (uint32_t lane = 0;; ++lane) {
            if (keys_.Load(row + lane * rows_.size()) == key && rows_.IsActive(first + i, lane)) return lane;
        }
    }
    size_t FirstMost(const uint8_t* keys, uint64_t n) const { return kernels_.first_most(keys, n); }
    // The elements of the keys that Reduce gave, without a policy.
    const uint8_t* Values(const uint8_t* keys, uint64_t n) {
        (reduction_ == isa::Reduction::kMin ? kernels_.from_min_keys : kernels_.from_max_keys)(keys, result_[1], n);
        return result_[1];
    }
    // The element of a key under the policy.
    uint64_t Value(int64_t key, bool* changed) const {
        const uint64_t bits = keys_.Bits(key);
        if (!HasPolicy() || (bits & 0x7FFF) < 0x7C00) return bits;
        *changed = true;
        return (bits & 0x7FFF) > 0x7C00 ? 0 : (bits & 0x8000) | 0x7BFF;
    }

private:
    void MakeKeys(const uint8_t* from, uint64_t first, uint64_t count) {
        const ToKeysFn to_keys = reduction_ == isa::Reduction::kMin ? kernels_.to_min_keys : kernels_.to_max_keys;
        to_keys(from, key_, count << rows_.row_shift());
        if (rows_.HasIdle()) rows_.Fill(first, count, static_cast<uint64_t>(keys_.lowest()), key_);
    }

    Rows rows_;
    const ReduceKernels& kernels_;
    isa::Reduction reduction_;
    Overflow overflow_;
    Keys keys_;
    uint32_t levels_;
    uint64_t minus_zero_;
    RowsFn at_once_ = nullptr;
    alignas(64) uint8_t raw_[kRoom];
    alignas(64) uint8_t key_[kRoom];
    alignas(64) uint8_t result_[2][kRoom];
};

}  // namespace sfumato::exec
