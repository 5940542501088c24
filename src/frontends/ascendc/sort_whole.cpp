// SPDX-License-Identifier: Apache-2.0
// Sort, Concat and Extract as the instructions they are made of (vector_instructions.md 8.6).
#include "sfumato/ascendc/sort.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/framework.h"
#include "frontends/ascendc/context.h"

namespace sfumato::ascendc {
namespace {

using isa::Opcode;

constexpr int32_t kScore = 4;  // the field of a proposal (vector_instructions.md 8.5)
constexpr uint32_t kConcatGroup = 16, kQueues = 4;

// A sorted record: a pair of 8 bytes, or a proposal of 8 elements, whose first 4 bytes hold the index.
struct Records {
    bool pairs;
    uint32_t group;     // records a repeat
    uint32_t elements;  // of the score's type, in a record
};
Records RecordsOf(const soc::Chip& chip, DataType type) {
    if (!chip.Has(isa::Api::kAscendC, Opcode::vmrgsort4, type)) return {true, 32, 64 / BitsOf(type)};
    return {false, 16, 8};
}

bool Begin(runtime::Core& core, const char* call, int32_t repeat, Where where) {
    if (!RequireFact(core, call, &soc::Chip::sort_whole, "sort with the instructions this chip has", where))
        return false;
    HighLevelCall(core, call, where);
    if (repeat >= 1 && repeat <= 255) return true;
    const bool none = repeat == 0;
    Find(core, call, where,
         {none ? Rule::kRepeatZero : Rule::kRepeatRange, "repeatTime",
          none ? "the repeat count is 0: the call does nothing" : "the repeat count is out of range",
          fmt::format("{}", repeat), "0..255", none ? "" : "split the call"});
    return false;
}

bool Holds(runtime::Core& core, const char* call, const char* name, const VectorOperand& operand, uint32_t elements,
           Where where) {
    if (!operand.tensor->address) return Unallocated(core, call, name, where);
    if (operand.tensor->size >= elements) return true;
    return Refuse(core, call, where,
                  {Rule::kCountExceedsTensor, name, "the tensor is too small for the repeats",
                   fmt::format("{} elements", operand.tensor->size), fmt::format("{} elements or more", elements),
                   "GetSortLen gives the elements of sorted records"});
}

// The same bytes as 32-bit words.
LocalView Words(const LocalView& view, DataType type) {
    LocalView words = view;
    words.size = static_cast<uint32_t>(BytesOf(type, view.size) / 4);
    return words;
}

// One word of every record, which no vector instruction reaches in proposals of half: by the scalar unit.
template <class Move>
void EachIndex(runtime::Core& core, uint32_t records, Where where, const Move& move) {
    Framework& framework = Framework::Of(core);
    framework.Order(AscendC::HardEvent::V_S, where);
    for (uint32_t i = 0; i < records; ++i) move(i);
    framework.Order(AscendC::HardEvent::S_V, where);
}

void SetIndices(runtime::Core& core, const WholeSortCall& call, const Records& records) {
    const DataType type = call.concat.type;
    if (type == DataType::kFloat) {
        vconcat({call.concat, {call.index.tensor, 1, type}, {}, call.repeat, 0, call.where, "Sort"});
        return;
    }
    const LocalView words = Words(*call.concat.tensor, type);
    const uint32_t stride = records.elements * BitsOf(type) / 32;
    EachIndex(core, static_cast<uint32_t>(call.repeat) * records.group, call.where, [&](uint32_t i) {
        const uint64_t index = LoadLocal(*call.index.tensor, DataType::kUint32, i, "Sort", call.where);
        StoreLocal(words, DataType::kUint32, uint64_t{i} * stride, index, "Sort", call.where);
    });
}

// `length` sorted records in a row become 4 x length, for all of them.
void MergeLevel(const WholeSortCall& call, const Records& records, const LocalView& to, const LocalView& from,
                uint32_t count, uint32_t length) {
    const DataType type = call.dst.type;
    const auto at = [&](const LocalView& view, uint32_t record) {
        return Advance(view, type, uint64_t{record} * records.elements, call.where);
    };
    for (uint32_t first = 0; first < count; first += kQueues * length) {
        const uint32_t queues = std::min(kQueues, (count - first + length - 1) / length);
        const LocalView dst = at(to, first);
        if (queues == 1) {
            const LocalView src = at(from, first);
            MoveCall move{Between(&dst, &src, type, call.where)};
            move.by_count = true;
            move.block_len = (count - first) * records.elements;
            data_move(move);
            continue;
        }
        LocalView sources[kQueues];
        uint16_t lengths[kQueues] = {};
        MergeCall merge;
        merge.dst = {&dst, 1, type};
        for (uint32_t q = 0; q < queues; ++q) {
            const uint32_t begin = first + q * length;
            sources[q] = at(from, begin);
            merge.src[q] = {&sources[q], 1, type};
            lengths[q] = static_cast<uint16_t>(std::min(length, count - begin));
        }
        merge.lengths = lengths;
        merge.valid = (1u << queues) - 1;
        merge.where = call.where;
        uint32_t taken[kQueues];
        MergeSorted(merge, taken);
    }
    pipe_barrier(PIPE_V, call.where);
}

}  // namespace

uint32_t RecordElements(DataType type, const char* call) { return RecordsOf(ThisCore(call).chip(), type).elements; }

void SortWhole(const WholeSortCall& call) {
    runtime::Core& core = ThisCore("Sort");
    if (!Begin(core, "Sort", call.repeat, call.where)) return;
    const Records records = RecordsOf(core.chip(), call.dst.type);
    const uint32_t count = static_cast<uint32_t>(call.repeat) * records.group;
    uint32_t levels = 0;
    for (uint32_t length = records.group; call.full && length < count; length *= kQueues) ++levels;
    const auto holds = [&](const char* name, const VectorOperand& operand, uint32_t elements) {
        return Holds(core, "Sort", name, operand, elements, call.where);
    };
    if (!holds("dst", call.dst, count * records.elements) ||
        !holds("concat", call.concat, records.pairs ? count : count * records.elements) ||
        !holds("index", call.index, count) || (levels != 0 && !holds("tmp", call.tmp, count * records.elements))) {
        return;
    }
    const runtime::CallScope scope(LibraryCall(core, "Sort", call.where), "Sort", call.where);
    // The levels go to and fro between tmp and dst, and the last one ends in dst.
    const LocalView* from = levels % 2 == 0 ? call.dst.tensor : call.tmp.tensor;
    const LocalView* to = levels % 2 == 0 ? call.tmp.tensor : call.dst.tensor;
    if (!records.pairs) SetIndices(core, call, records);
    if (!records.pairs) pipe_barrier(PIPE_V, call.where);
    SortCall groups{{from, 1, call.dst.type}, call.concat, {}, call.repeat, 0, call.where, "Sort"};
    if (records.pairs) groups.src1 = call.index;
    records.pairs ? vsort32(groups) : vrpsort16(groups);
    if (levels != 0) pipe_barrier(PIPE_V, call.where);
    for (uint32_t length = records.group; levels != 0; length *= kQueues, --levels) {
        MergeLevel(call, records, *to, *from, count, length);
        std::swap(from, to);
    }
}

Concatenated ConcatScores(const VectorOperand& concat, const VectorOperand& src, const VectorOperand& tmp,
                          int32_t repeat, Where where) {
    runtime::Core& core = ThisCore("Concat");
    if (!Begin(core, "Concat", repeat, where)) return Concatenated::kItself;
    const Records records = RecordsOf(core.chip(), src.type);
    const uint32_t count = static_cast<uint32_t>(repeat) * kConcatGroup;
    if (!Holds(core, "Concat", "src", src, count, where)) return Concatenated::kItself;
    core.Called("Concat", where);
    const uint32_t needed = records.pairs ? count : count * records.elements;
    const bool itself = concat.tensor->address && concat.tensor->size >= needed;
    if (records.pairs) {
        if (!itself || concat.tensor->address == src.tensor->address) return Concatenated::kSource;
        MoveCall move{Between(concat.tensor, src.tensor, src.type, where)};
        move.by_count = true;
        move.block_len = count;
        data_move(move);
        return Concatenated::kItself;
    }
    if (!itself && !Holds(core, "Concat", "tmp", tmp, needed, where)) return Concatenated::kItself;
    vconcat({itself ? concat : tmp, src, {}, repeat, kScore, where, "Concat"});
    return itself ? Concatenated::kItself : Concatenated::kTemporary;
}

void ExtractSorted(const VectorOperand& value, const VectorOperand& index, const VectorOperand& sorted, int32_t repeat,
                   Where where) {
    constexpr const char* kCall = "Extract";
    runtime::Core& core = ThisCore(kCall);
    if (!Begin(core, kCall, repeat, where)) return;
    const Records records = RecordsOf(core.chip(), sorted.type);
    const uint32_t count = static_cast<uint32_t>(repeat) * records.group;
    if (!Holds(core, kCall, "dstValue", value, count, where) || !Holds(core, kCall, "dstIndex", index, count, where) ||
        !Holds(core, kCall, "sorted", sorted, count * records.elements, where)) {
        return;
    }
    const runtime::CallScope scope(core, kCall, where);
    const LocalView words = Words(*sorted.tensor, sorted.type);
    if (!records.pairs) {
        vextract({value, sorted, {}, repeat, kScore, where, kCall});
        if (sorted.type == DataType::kFloat) {
            vextract({{index.tensor, 1, sorted.type}, sorted, {}, repeat, 0, where, kCall});
            return;
        }
        const uint32_t stride = records.elements * BitsOf(sorted.type) / 32;
        EachIndex(core, count, where, [&](uint32_t i) {
            const uint64_t word = LoadLocal(words, DataType::kUint32, uint64_t{i} * stride, kCall, where);
            StoreLocal(*index.tensor, DataType::kUint32, i, word, kCall, where);
        });
        return;
    }
    // A repeat is 256 bytes, 32 pairs: of 4 halves each the first is the score, of 2 words the second the index.
    const AscendC::GatherMaskParams params(1, static_cast<uint16_t>(repeat), 8, 0);
    const uint8_t first = sorted.type == DataType::kHalf ? 3 : 1;
    vreduce({value, sorted, {}, first, false, 0, params, where});
    vreduce({index, {&words, 1, DataType::kUint32}, {}, 2, false, 0, params, where});
}

}  // namespace sfumato::ascendc
