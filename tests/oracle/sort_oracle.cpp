// SPDX-License-Identifier: Apache-2.0
// Records as lists of bytes with a score as a number. A group is sorted by inserting each record behind all that are
// not smaller; a merge takes what a sort of the queues' heads puts first.
#include "oracle/sort_oracle.h"

#include <cmath>
#include <limits>

#include "oracle/mmad_oracle.h"

namespace sfumato::oracle {
namespace {

using isa::Opcode;
using isa::Record;

struct Entry {
    Bytes bytes;
    float score;
};
using Entries = std::vector<Entry>;

// A NaN is above infinity; one number stands for every NaN.
float ScoreOf(DataType type, uint64_t bits) {
    const float value = FloatOfBits(type, bits);
    return std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : value;
}
bool IsAbove(float a, float b) { return std::isnan(a) ? !std::isnan(b) : !std::isnan(b) && a > b; }

uint64_t SizeOf(DataType type) { return type == DataType::kHalf ? 2 : 4; }

Bytes Part(const Bytes& image, uint64_t at, uint64_t count) {
    Bytes part;
    for (uint64_t i = 0; i < count; ++i) part.push_back(image.at(at + i));
    return part;
}
void Write(Bytes& image, uint64_t at, const Bytes& bytes) {
    for (uint64_t i = 0; i < bytes.size(); ++i) image.at(at + i) = bytes[i];
}

// The record that starts at byte `at`: 8 elements whose fifth is the score, or a score and an index in 8 bytes.
Entry EntryAt(const Bytes& image, uint64_t at, DataType type, bool pair) {
    const uint32_t bits = static_cast<uint32_t>(8 * SizeOf(type));
    return {Part(image, at, pair ? 8 : 8 * SizeOf(type)), ScoreOf(type, Get(image, at, pair ? 0 : 4, bits))};
}

void Insert(Entries* sorted, const Entry& entry) {
    size_t at = 0;
    while (at < sorted->size() && !IsAbove(entry.score, (*sorted)[at].score)) ++at;
    sorted->insert(sorted->begin() + static_cast<long>(at), entry);
}

}  // namespace

void ExpectProposalField(const Record& r, const ReduceMemory& memory) {
    const auto& s = r.As<isa::ProposalField>();
    const uint32_t bits = BitsOf(r.dst().type);
    for (uint64_t i = 0; i < uint64_t{16} * s.repeats; ++i) {
        const uint64_t field = 8 * i + s.field;
        if (r.op == Opcode::vconcat) {
            Put(memory.expected, r.dst().offset, field, bits, Get(memory.ub, r.src0().offset, i, bits));
        } else {
            Put(memory.expected, r.dst().offset, i, bits, Get(memory.ub, r.src0().offset, field, bits));
        }
    }
}

void ExpectSortGroups(const Record& r, const ReduceMemory& memory) {
    const DataType type = r.dst().type;
    const bool pairs = r.op == Opcode::vsort32;
    const uint64_t n = pairs ? 32 : 16, size = SizeOf(type);
    uint64_t to = r.dst().offset;
    for (uint64_t repeat = 0; repeat < r.As<isa::SortGroups>().repeats; ++repeat) {
        Entries sorted;
        for (uint64_t i = repeat * n; i < (repeat + 1) * n; ++i) {
            if (!pairs) {
                Insert(&sorted, EntryAt(memory.ub, r.src0().offset + i * 8 * size, type, false));
                continue;
            }
            const Bytes score = Part(memory.ub, r.src0().offset + i * size, size);
            Bytes bytes = score;
            bytes.resize(4);  // what a half leaves of 4 bytes is 0
            for (const uint8_t b : Part(memory.ub, r.src1().offset + i * 4, 4)) bytes.push_back(b);
            Insert(&sorted, EntryAt(bytes, 0, type, true));
        }
        for (const Entry& entry : sorted) {
            Write(memory.expected, to, entry.bytes);
            to += entry.bytes.size();
        }
    }
}

void ExpectMergeQueues(const Record& r, const ReduceMemory& memory) {
    const auto& s = r.As<isa::MergeQueues>();
    const bool pairs = r.op == Opcode::vmrgsort;
    const uint64_t bytes = pairs ? 8 : 8 * SizeOf(r.dst().type), queues = s.valid == 3 ? 2 : s.valid == 7 ? 3 : 4;
    uint64_t taken[4] = {}, to = r.dst().offset;
    for (uint64_t repeat = 0; repeat < s.repeats; ++repeat) {
        std::vector<Entries> lists(queues);
        for (uint64_t i = 0; i < queues; ++i) {
            taken[i] = 0;
            for (uint64_t k = 0; k < s.lengths[i]; ++k) {
                // All queues together make one repeat.
                const uint64_t at = r.operand[i + 1].offset + (repeat * 4 * s.lengths[0] + k) * bytes;
                lists[i].push_back(EntryAt(memory.ub, at, r.dst().type, pairs));
            }
        }
        for (;;) {
            Entries heads;
            uint64_t from = 0, empty = 0;
            for (uint64_t i = 0; i < queues; ++i) {
                if (taken[i] == lists[i].size()) {
                    ++empty;
                    continue;
                }
                const Entry& head = lists[i][taken[i]];
                if (heads.empty() || IsAbove(head.score, heads[0].score)) from = i;
                Insert(&heads, head);
            }
            if (empty == queues || (empty > 0 && s.suspend)) break;
            Write(memory.expected, to, heads[0].bytes);
            to += bytes;
            ++taken[from];
        }
    }
    // VMS4_SR: 16 bits a queue.
    for (uint64_t i = 0; i < 4; ++i) Put(memory.registers, 40, i, 16, i < queues ? taken[i] : 0);
}

}  // namespace sfumato::oracle
