// SPDX-License-Identifier: Apache-2.0
// Records move as bits; only their scores are looked at. Descending, equal scores in their order.
#include "exec/meaning.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "isa/sorts.h"
#include "isa/vector_registers.h"

namespace sfumato::exec {
namespace {

using isa::MergeQueues;
using isa::Record;

// Integers that order scores: a NaN is above everything, the zeros are equal.
int32_t RankOf(DataType type, const uint8_t* score) {
    uint32_t bits = 0, infinity = 0x7F800000, sign = 0x80000000;
    if (type == DataType::kHalf) {
        infinity = 0x7C00;
        sign = 0x8000;
        std::memcpy(&bits, score, 2);
    } else {
        std::memcpy(&bits, score, 4);
    }
    const uint32_t magnitude = bits & (sign - 1);
    if (magnitude > infinity) return INT32_MAX;
    return bits & sign ? -static_cast<int32_t>(magnitude) : static_cast<int32_t>(magnitude);
}

}  // namespace

bool Execute(const isa::Record& r, const isa::ProposalField& shape, const MemoryMap& memory) {
    const bool concat = r.op == isa::Opcode::vconcat;
    const size_t size = BytesOf(r.dst().type, 1), pitch = isa::kProposalElements * size;
    uint8_t* dst = memory.Address(r.dst()) + (concat ? shape.field * size : 0);
    const uint8_t* src = memory.Address(r.src0()) + (concat ? 0 : shape.field * size);
    const size_t dst_pitch = concat ? pitch : size, src_pitch = concat ? size : pitch;
    for (uint32_t repeat = 0; repeat < shape.repeats; ++repeat) {
        uint32_t fields[isa::kProposalsPerRepeat];  // a repeat is read before it is written
        for (uint32_t& field : fields) {
            std::memcpy(&field, src, size);
            src += src_pitch;
        }
        for (const uint32_t& field : fields) {
            std::memcpy(dst, &field, size);
            dst += dst_pitch;
        }
    }
    return false;
}

bool Execute(const isa::Record& r, const isa::SortGroups& p, const MemoryMap& memory) {
    constexpr size_t kMostRecords = isa::kPairsPerRepeat, kMostBytes = 512;  // of a group
    const DataType type = r.dst().type;
    const size_t size = BytesOf(type, 1), bytes = isa::RecordBytes(r.op, type), count = isa::RecordsPerRepeat(r.op);
    const bool pairs = isa::SortsPairs(r.op);
    uint8_t* dst = memory.Address(r.dst());
    const uint8_t* src = memory.Address(r.src0());
    const uint8_t* indices = pairs ? memory.Address(r.src1()) : nullptr;
    for (uint32_t repeat = 0; repeat < p.repeats; ++repeat, dst += count * bytes) {
        // A copy: proposals may be sorted in place.
        uint8_t records[kMostBytes] = {};
        if (pairs) {
            for (size_t i = 0; i < count; ++i, src += size, indices += sizeof(uint32_t)) {
                std::memcpy(records + i * bytes, src, size);
                std::memcpy(records + i * bytes + isa::kPairIndexAt, indices, sizeof(uint32_t));
            }
        } else {
            std::memcpy(records, src, count * bytes);
            src += count * bytes;
        }
        int32_t ranks[kMostRecords];
        for (size_t i = 0; i < count; ++i) ranks[i] = RankOf(type, records + i * bytes + isa::ScoreAt(r.op, type));
        uint32_t order[kMostRecords];
        std::iota(order, order + count, 0u);
        std::stable_sort(order, order + count, [&](uint32_t a, uint32_t b) { return ranks[a] > ranks[b]; });
        for (size_t i = 0; i < count; ++i) std::memcpy(dst + i * bytes, records + order[i] * bytes, bytes);
    }
    return false;
}

bool Execute(const isa::Record& r, const isa::MergeQueues& shape, const MemoryMap& memory) {
    const DataType type = r.dst().type;
    const size_t bytes = isa::RecordBytes(r.op, type), score = isa::ScoreAt(r.op, type);
    const uint32_t queues = isa::QueuesOf(shape.valid);
    const uint64_t total = isa::MergedRecords(shape).total;
    uint16_t taken[MergeQueues::kMost] = {};
    for (uint64_t repeat = 0; repeat < shape.repeats; ++repeat) {
        uint8_t* dst = memory.Address(r.dst()) + repeat * total * bytes;
        std::fill(std::begin(taken), std::end(taken), uint16_t{0});
        for (;;) {
            uint32_t best = queues;
            int32_t best_rank = 0;
            bool ended = false;
            for (uint32_t i = 0; i < queues; ++i) {
                if (taken[i] == shape.lengths[i]) {
                    ended = true;
                    continue;
                }
                const uint8_t* head = memory.Address(r.operand[i + 1]) + (repeat * total + taken[i]) * bytes;
                const int32_t rank = RankOf(type, head + score);
                if (best != queues && rank <= best_rank) continue;
                best = i;
                best_rank = rank;
            }
            if (best == queues || (ended && shape.suspend)) break;
            std::memcpy(dst, memory.Address(r.operand[best + 1]) + (repeat * total + taken[best]) * bytes, bytes);
            dst += bytes;
            ++taken[best];
        }
    }
    static_assert(sizeof(taken) == isa::kMergeCounts.bytes);
    std::memcpy(memory.base[static_cast<int>(isa::Memory::kRegister)] + isa::kMergeCounts.at, taken, sizeof(taken));
    return false;
}

}  // namespace sfumato::exec
