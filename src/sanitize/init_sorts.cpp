// SPDX-License-Identifier: Apache-2.0
// Undefined bits through sorts: a score decides where every record of its group goes, the other bytes only go along.
#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "isa/sorts.h"
#include "isa/spans.h"
#include "isa/vector_registers.h"
#include "sanitize/init_flow.h"

namespace sfumato::sanitize {
namespace {

using isa::Record;

constexpr uint64_t kMostRecordBytes = 32;

// What the records of one group have undefined, byte by byte of a record.
class Group {
public:
    explicit Group(const Record& r)
        : bytes_(RecordBytes(r.op, r.dst().type)),
          score_(ScoreAt(r.op, r.dst().type)),
          size_(BytesOf(r.dst().type, 1)) {}

    // `n` fields of `size` bytes, `pitch` apart, that stand at byte `at` of their records.
    void Add(const uint8_t* shadow, uint64_t n, uint64_t pitch, uint64_t at, uint64_t size) {
        for (uint64_t i = 0; i < n; ++i) {
            for (uint64_t k = 0; k < size; ++k) undefined_[at + k] = undefined_[at + k] | shadow[i * pitch + k];
        }
    }
    void AddRecords(const uint8_t* shadow, uint64_t n) { Add(shadow, n, bytes_, 0, bytes_); }
    bool OrderUndefined() const {
        const auto* score = undefined_.data() + score_;
        return std::any_of(score, score + size_, [](uint8_t byte) { return byte != 0; });
    }
    void Store(uint8_t* shadow, uint64_t n) const {
        if (OrderUndefined()) {
            std::memset(shadow, 0xFF, n * bytes_);
            return;
        }
        for (uint64_t i = 0; i < n; ++i) std::memcpy(shadow + i * bytes_, undefined_.data(), bytes_);
    }

private:
    uint64_t bytes_, score_, size_;
    std::array<uint8_t, kMostRecordBytes> undefined_{};
};

// Records that a merge took from its queues, which the register says once it has run.
uint64_t Taken(const Flow& flow) {
    std::array<uint16_t, isa::MergeQueues::kMost> counts;
    std::memcpy(counts.data(), flow.data.base[static_cast<int>(isa::Memory::kRegister)] + isa::kMergeCounts.at,
                sizeof(counts));
    return std::accumulate(counts.begin(), counts.end(), uint64_t{0});
}

}  // namespace

void Flows(const Flow& flow, const isa::SortGroups& s) {
    const Record& r = flow.record;
    const uint64_t n = isa::RecordsPerRepeat(r.op), bytes = RecordBytes(r.op, r.dst().type);
    const uint64_t score = BytesOf(r.dst().type, 1), index = sizeof(uint32_t);
    for (uint64_t repeat = 0; repeat < s.repeats; ++repeat) {
        Group group(r);
        if (r.operand_count == 3) {
            group.Add(flow.Bits(1) + repeat * n * score, n, score, 0, score);
            group.Add(flow.Bits(2) + repeat * n * index, n, index, isa::kPairIndexAt, index);
        } else {
            group.AddRecords(flow.Bits(1) + repeat * n * bytes, n);
        }
        group.Store(flow.Bits(0) + repeat * n * bytes, n);
    }
}

void Flows(const Flow& flow, const isa::MergeQueues& s) {
    const Record& r = flow.record;
    const isa::Merged merged = MergedRecords(s);
    const uint64_t bytes = RecordBytes(r.op, r.dst().type);
    bool counts_undefined = false;
    for (uint64_t repeat = 0; repeat < s.repeats; ++repeat) {
        Group group(r);
        const uint64_t at = repeat * merged.total * bytes;
        for (int queue = 1; queue < r.operand_count; ++queue) {
            group.AddRecords(flow.Bits(queue) + at, s.lengths[static_cast<size_t>(queue - 1)]);
        }
        group.Store(flow.Bits(0) + at, s.suspend && !group.OrderUndefined() ? Taken(flow) : merged.written);
        counts_undefined = s.suspend && group.OrderUndefined();
    }
    std::memset(flow.Register(isa::kMergeCounts.at), counts_undefined ? 0xFF : 0, isa::kMergeCounts.bytes);
}

}  // namespace sfumato::sanitize
