// SPDX-License-Identifier: Apache-2.0
// The bytes sorts, merges and moves of a field touch, record by record from vector_instructions.md 8, and random
// records of these forms, mostly legal. Written without isa/sorts.h.
#pragma once

#include "check/touched.h"

namespace sfumato::isa {

template <class AddBytes>
void TouchLanes(const Record& r, const ProposalField& s, int operand, const AddBytes& add) {
    const uint64_t size = BitsOf(r.dst().type) / 8;
    const bool proposals = operand == (r.op == Opcode::vconcat ? 0 : 1);
    for (uint64_t i = 0; i < uint64_t{16} * s.repeats; ++i) add((proposals ? 8 * i + s.field : i) * size, size);
}

template <class AddBytes>
void TouchLanes(const Record& r, const SortGroups& s, int operand, const AddBytes& add) {
    const uint64_t size = BitsOf(r.dst().type) / 8;
    if (r.op == Opcode::vrpsort16) return add(0, uint64_t{s.repeats} * 16 * 8 * size);
    add(0, uint64_t{s.repeats} * 32 * (operand == 0 ? 8 : operand == 1 ? size : 4));
}

template <class AddBytes>
void TouchLanes(const Record& r, const MergeQueues& s, int operand, const AddBytes& add) {
    const uint64_t bytes = r.op == Opcode::vmrgsort ? 8 : BitsOf(r.dst().type);  // 8 elements
    const uint32_t queues = s.valid == 3 ? 2 : s.valid == 7 ? 3 : 4;
    uint64_t total = 0, least = ~uint64_t{0};
    for (uint32_t i = 0; i < queues; ++i) {
        total += s.lengths[i];
        least = std::min<uint64_t>(least, s.lengths[i]);
    }
    // With suspension one record of every other queue stays at least.
    const uint64_t written = !s.suspend ? total : least == 0 ? 0 : total - (queues - 1);
    for (uint64_t repeat = 0; repeat < s.repeats; ++repeat) {
        add(repeat * total * bytes, (operand == 0 ? written : s.lengths[static_cast<size_t>(operand - 1)]) * bytes);
    }
}

// A random record of one of these forms; small, so that enumeration stays quick.
inline Record RandomSort(RandomRecords& random) {
    using T = DataType;
    const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random.Below(n)); };
    Record r;
    r.Become(random.Pick(
        {Opcode::vconcat, Opcode::vextract, Opcode::vrpsort16, Opcode::vsort32, Opcode::vmrgsort4, Opcode::vmrgsort}));
    const T type = random.Pick({T::kHalf, T::kHalf, T::kFloat});
    const auto add = [&](T t, uint64_t unit = 32) {
        Operand& o = r.operand[r.operand_count++];
        o.memory = Memory::kUb;
        o.type = t;
        o.offset = uint64_t{r.operand_count} * 12288 + below(40) * unit;
        o.limit = o.offset + 10000;
    };
    add(type);
    switch (Info(r.op).form) {
        case Form::kProposalField:
            add(type);
            r.Set(ProposalField{below(6), below(16) ? below(6) : 6});
            break;
        case Form::kSortGroups:
            add(type);
            if (r.op == Opcode::vsort32) add(T::kUint32);
            if (r.op == Opcode::vrpsort16 && below(3) == 0) r.operand[1] = r.operand[0];
            r.Set(SortGroups{below(6)});
            break;
        default: {
            MergeQueues s;
            s.valid = random.Pick<uint32_t>({3, 7, 15, 15});
            s.suspend = below(4) == 0;
            for (uint32_t& length : s.lengths) length = below(40);
            const uint64_t bytes = r.op == Opcode::vmrgsort ? 8 : BitsOf(type);
            for (uint32_t i = 0; i < (s.valid == 3 ? 2u : s.valid == 7 ? 3u : 4u); ++i) add(type, bytes);
            if (below(3) == 0) {
                // Queues of one length, end to end, several times.
                s.repeats = 1 + below(4);
                s.suspend = false;
                for (uint32_t i = 0; i < r.operand_count - 1u; ++i) {
                    s.lengths[i] = s.lengths[0];
                    r.operand[i + 1].offset = r.operand[1].offset + i * s.lengths[0] * bytes;
                }
            }
            r.Set(s);
            break;
        }
    }
    return r;
}

}  // namespace sfumato::isa
