// SPDX-License-Identifier: Apache-2.0
// Reductions of repeats, blocks, pairs and whole tensors (vector_instructions.md 7).
//
// A sum is a tree of neighbours. A lane that is not active counts as -0, the identity of addition, so the shape of the
// tree never changes. Maxima and minima are maxima of integer keys.
#include "exec/reduce/reduce.h"

#include <cstring>
#include <vector>

#include "exec/reduce/reduce_trees.h"
#include "isa/vector_registers.h"

namespace sfumato::exec {
namespace {

using isa::Record;
using isa::Reduction;

// What a group without active lanes stores where it stores anything (7.4).
uint64_t IdentityOf(Reduction reduction, DataType type) {
    if (reduction == Reduction::kSum) return 0;
    if (type == DataType::kHalf) return reduction == Reduction::kMax ? 0xFBFF : 0x7BFF;
    return reduction == Reduction::kMax ? 0xFF800000 : 0x7F800000;
}

uint8_t* RegisterAt(const MemoryMap& memory, const isa::VectorRegister& which) {
    return memory.base[static_cast<int>(isa::Memory::kRegister)] + which.at;
}

void LeaveExtreme(const MemoryMap& memory, uint64_t value, uint32_t index) {
    uint8_t* at = RegisterAt(memory, isa::kMaxMinCount);
    const auto low = static_cast<uint32_t>(value);
    std::memcpy(at, &low, 4);
    std::memcpy(at + 4, &index, 4);
}

// `count` elements, `pitch` bytes apart.
void StoreApart(uint8_t* dst, uint64_t pitch, const uint8_t* elements, size_t size, uint64_t count) {
    if (pitch == size) {
        std::memcpy(dst, elements, count * size);
        return;
    }
    for (uint64_t i = 0; i < count; ++i) std::memcpy(dst + i * pitch, elements + i * size, size);
}

// Values alone, with no policy in their way.
void ExtremesAtOnce(const Record& r, const MemoryMap& memory, Trees& trees) {
    const uint64_t repeats = trees.rows().lanes().repeats, pitch = r.dst().repeat_stride * isa::ResultsOf(r).unit;
    const size_t size = trees.rows().size();
    uint8_t* dst = memory.Address(r.dst());
    bool unused = false;
    int64_t best = trees.keys().lowest() - 1;
    uint64_t best_repeat = 0;
    for (uint64_t first = 0; first < repeats; first += trees.batch()) {
        const uint64_t count = std::min(trees.batch(), repeats - first);
        const uint8_t* keys = trees.Reduce(first, count, &unused);
        const size_t most = trees.FirstMost(keys, count);
        if (const int64_t key = trees.keys().Load(keys + most * size); key > best) {
            best = key;
            best_repeat = first + most;
        }
        StoreApart(dst + first * pitch, pitch, trees.Values(keys, count), size, count);
    }
    const uint64_t index = (best_repeat << trees.rows().shift()) + trees.LaneOf(best_repeat, best);
    LeaveExtreme(memory, trees.Value(best, &unused), static_cast<uint32_t>(index));
}

// vcmax and vcmin.
bool ReduceExtremes(const Record& r, const MemoryMap& memory) {
    using isa::ReduceOrder;
    Trees trees(r, memory);
    const isa::Lanes& lanes = trees.rows().lanes();
    const size_t size = trees.rows().size();
    const ReduceOrder order = r.As<isa::Reduce>().order;
    const uint64_t pitch = r.dst().repeat_stride * isa::ResultsOf(r).unit;
    uint8_t* dst = memory.Address(r.dst());
    const bool stores_lane = order != ReduceOrder::kOnlyValue;
    if (!stores_lane && !trees.HasPolicy()) trees.LeaveNoKeys(r, memory);
    if (trees.at_once()) {
        ExtremesAtOnce(r, memory, trees);
        return false;
    }
    bool changed = false;
    int64_t best = trees.keys().lowest() - 1;
    uint64_t best_value = 0;
    uint32_t best_index = 0;
    for (uint64_t first = 0; first < lanes.repeats; first += kBatch) {
        const uint64_t count = std::min(kBatch, lanes.repeats - first);
        const uint8_t* keys = trees.Reduce(first, count, &changed);
        for (uint64_t i = 0; i < count; ++i, dst += pitch) {
            const int64_t key = trees.keys().Load(keys + i * size);
            uint32_t lane = stores_lane ? trees.LaneOf(first, i, key) : 0;
            bool unused = false;
            const uint64_t value = trees.Value(key, order == ReduceOrder::kOnlyIndex ? &unused : &changed);
            if (order == ReduceOrder::kOnlyIndex) {
                std::memcpy(dst, &lane, 4);
            } else {
                std::memcpy(dst + (order == ReduceOrder::kIndexValue ? size : 0), &value, size);
                if (stores_lane) std::memcpy(dst + (order == ReduceOrder::kIndexValue ? 0 : size), &lane, size);
            }
            if (const int64_t kept = trees.keys().Key(value); kept > best) {
                if (!stores_lane) lane = trees.LaneOf(first, i, key);
                best = kept;
                best_value = value;
                best_index = static_cast<uint32_t>(((first + i) << trees.rows().shift()) + lane);
            }
        }
    }
    LeaveExtreme(memory, best_value, best_index);
    return changed;
}

// The sums of all repeats to one.
uint64_t CombineSums(Trees& trees, uint32_t group, std::vector<uint8_t>& sums, bool* changed) {
    const size_t size = trees.rows().size();
    size_t n = sums.size() / size;
    if (group != 1) {
        const size_t step = group == 0 ? n : group;
        size_t groups = 0;
        for (size_t i = 0; i < n; i += step, ++groups) {
            uint64_t sum = ReadBits(&sums[i * size], size);
            for (size_t k = i + 1; k < std::min(n, i + step); ++k) {
                sum = trees.Sum(sum, ReadBits(&sums[k * size], size), changed);
            }
            std::memcpy(&sums[groups * size], &sum, size);
        }
        n = groups;
    }
    std::vector<uint8_t> next;
    while (n > 1) {
        sums.resize((n + n % 2) * size);
        const uint64_t identity = trees.minus_zero();
        if (n % 2) std::memcpy(&sums[n * size], &identity, size);
        n = (n + 1) / 2;
        next.resize(n * size);
        trees.Level(sums.data(), next.data(), n, changed);
        sums.swap(next);
    }
    return ReadBits(sums.data(), size);
}

bool SumWhole(const Record& r, const MemoryMap& memory) {
    const auto& shape = r.As<isa::ReduceTensor>();
    Trees trees(r, memory);
    const uint64_t repeats = trees.rows().lanes().repeats;
    const size_t size = trees.rows().size();
    bool changed = false;
    std::vector<uint8_t> sums(repeats * size);
    for (uint64_t first = 0; first < repeats; first += kBatch) {
        const uint64_t count = std::min(kBatch, repeats - first);
        std::memcpy(&sums[first * size], trees.Reduce(first, count, &changed), count * size);
    }
    // The tree starts from the repeats' sums in the work tensor.
    if (shape.group == 1 && r.operand_count > 2) {
        std::memcpy(memory.Address(r.operand[2]), sums.data(), std::min(sums.size(), isa::WorkElements(r) * size));
    }
    const uint64_t sum = CombineSums(trees, shape.group, sums, &changed);
    std::memcpy(memory.Address(r.dst()), &sum, size);
    if (shape.group != 1) std::memcpy(RegisterAt(memory, isa::kAccVal), &sum, isa::kAccVal.bytes);
    return changed;
}

bool ExtremeWhole(const Record& r, const MemoryMap& memory) {
    const auto& shape = r.As<isa::ReduceTensor>();
    Trees trees(r, memory);
    const Rows& rows = trees.rows();
    const uint64_t repeats = rows.lanes().repeats;
    const size_t size = rows.size();
    bool changed = false;
    int64_t best = trees.keys().lowest() - 1;
    uint64_t best_value = 0, best_index = 0;
    std::vector<uint8_t> pairs(2 * repeats * size);
    for (uint64_t first = 0; first < repeats; first += kBatch) {
        const uint64_t count = std::min(kBatch, repeats - first);
        const uint8_t* keys = trees.Reduce(first, count, &changed);
        for (uint64_t i = 0; i < count; ++i) {
            const int64_t key = trees.keys().Load(keys + i * size);
            const uint32_t lane = trees.LaneOf(first, i, key);
            const uint64_t value = trees.Value(key, &changed);
            std::memcpy(&pairs[(first + i) * 2 * size], &value, size);
            std::memcpy(&pairs[((first + i) * 2 + 1) * size], &lane, size);
            if (const int64_t kept = trees.keys().Key(value); kept > best) {
                best = kept;
                best_value = value;
                best_index = ((first + i) * rows.walk().repeat_pitch + rows.walk().LaneBegin(lane)) / size;
            }
        }
    }
    // Each repeat's value and index, from which the later passes start.
    std::memcpy(memory.Address(r.operand[2]), pairs.data(), std::min(pairs.size(), isa::WorkElements(r) * size));
    uint8_t* dst = memory.Address(r.dst());
    std::memcpy(dst, &best_value, size);
    if (shape.index) std::memcpy(dst + size, &best_index, size);
    LeaveExtreme(memory, best_value, ~0u);
    return changed;
}

}  // namespace

bool Execute(const isa::Record& r, const isa::Reduce& p, const MemoryMap& memory) {
    const Reduction reduction = isa::ReductionOf(r.op);
    if (isa::WidthOf(r.op) == isa::ReduceWidth::kRepeat && reduction != Reduction::kSum) {
        return ReduceExtremes(r, memory);
    }
    Trees trees(r, memory);
    trees.LeaveNoKeys(r, memory);
    const isa::Lanes& lanes = trees.rows().lanes();
    if (lanes.repeats == 0) return false;
    const size_t size = trees.rows().size();
    const uint32_t results = isa::ResultCount(r);
    const uint64_t pitch = r.dst().repeat_stride * isa::ResultsOf(r).unit,
                   identity = IdentityOf(reduction, r.dst().type);
    const bool fill = p.fill_masked;
    uint64_t active = isa::ActiveResults(r, lanes.end);
    uint8_t* dst = memory.Address(r.dst());
    bool changed = false;
    for (uint64_t first = 0; first < lanes.repeats; first += trees.batch()) {
        const uint64_t count = std::min(trees.batch(), lanes.repeats - first);
        const uint8_t* from = trees.Reduce(first, count, &changed);
        if (trees.at_once()) {  // sums of active lanes
            StoreApart(dst + first * pitch, pitch, from, size, count);
            continue;
        }
        for (uint64_t i = 0; i < count; ++i, from += results * size, dst += pitch) {
            if (first + i + 1 == lanes.repeats) active = isa::ActiveResults(r, lanes.last_end);
            if (reduction == Reduction::kSum && active == isa::FirstResults(results)) {
                results* size == 4 ? std::memcpy(dst, from, 4) : std::memcpy(dst, from, results * size);
                continue;
            }
            for (uint32_t g = 0; g < results; ++g) {
                const bool has = (active >> g) & 1;
                if (!has && !fill) continue;
                uint64_t bits = identity;
                if (has) {
                    bits = reduction == Reduction::kSum ? ReadBits(from + g * size, size)
                                                        : trees.Value(trees.keys().Load(from + g * size), &changed);
                }
                std::memcpy(dst + g * size, &bits, size);
            }
        }
    }
    return changed;
}

bool Execute(const isa::Record& r, const isa::ReduceTensor&, const MemoryMap& memory) {
    if (isa::LanesOf(r, isa::LanesShift(r)).repeats == 0) return false;
    return isa::ReductionOf(r.op) == Reduction::kSum ? SumWhole(r, memory) : ExtremeWhole(r, memory);
}

}  // namespace sfumato::exec
