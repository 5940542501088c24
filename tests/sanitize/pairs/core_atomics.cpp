// SPDX-License-Identifier: Apache-2.0
// Atomic stores of several blocks, which need no order, beside accesses that do (framework.md 3.10).
#include "sanitize/pairs/blocks.h"

namespace sfumato::pairs {
namespace {

template <class T>
__aicore__ inline void AtomicAdd(const GlobalTensor<T>& sum, const LocalTensor<T>& tile, uint32_t count) {
    SetAtomicAdd<T>();
    DataCopy(sum, tile, count);
    SetAtomicNone();
}

}  // namespace

std::vector<Pair> CoreAtomicPairs() {
    return {
        Pair("sum_initialised_beside_the_adds", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto sum = Gm<float>(gm[0], 8);
                 auto mine = b.Filled(1.0f + b.index, 8);
                 if (b.index == 0) DataCopy(sum, b.Filled(100.0f, 8), 8);
                 wrong ? PipeBarrier<PIPE_ALL>() : SyncAll();
                 AtomicAdd(sum, mine, 8);
             },
             {.gm = {Output<float>("sum", 8)}, .blocks = 2}),
        Pair("sum_read_before_all_have_added", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto sum = Gm<float>(gm[0], kShare);
                 AtomicAdd(sum, b.Filled(1.0f + b.index, kShare), kShare);
                 wrong ? PipeBarrier<PIPE_ALL>() : SyncAll();
                 if (b.index == 1) DataCopy(Gm<float>(gm[1], kShare), b.Loaded(sum, kShare), kShare);
             },
             {.gm = {Zeroed(InOut<float>("sum", kShare)), Output<float>("z", kShare)}, .blocks = 2}),
        Pair("sum_read_by_get_value_before_all_have_added", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto sum = Gm<float>(gm[0], 16);
                 AtomicAdd(sum, b.Filled(1.0f + b.index, 8), 8);
                 wrong ? PipeBarrier<PIPE_ALL>() : SyncAll();
                 if (b.index != 1) return;
                 Clean(sum);
                 const float total = sum.GetValue(0);
                 DataCopy(Gm<float>(gm[1], 8), b.Filled(total < 0.0f ? -1.0f : 1.0f, 8), 8);
             },
             {.gm = {Zeroed(InOut<float>("sum", 16)), Output<float>("z", 8)}, .blocks = 2}),
        Pair("atomic_mode_off_before_the_last_tile", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto sum = Gm<float>(gm[0], 16);
                 auto mine = b.Filled(1.0f + b.index, 16);
                 SetAtomicAdd<float>();
                 DataCopy(sum, mine, 8);
                 if (wrong) SetAtomicNone();
                 DataCopy(sum[8], mine, 8);
                 SetAtomicNone();
             },
             {.gm = {Zeroed(InOut<float>("sum", 16))}, .blocks = 2}),
        Pair("one_block_stores_where_another_adds", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto sum = Gm<int32_t>(gm[0], 8);
                 auto mine = b.Filled<int32_t>(static_cast<int32_t>(1 + b.index), 8);
                 if (!wrong || b.index != 0) SetAtomicAdd<int32_t>();
                 DataCopy(sum, mine, 8);
                 SetAtomicNone();
             },
             {.gm = {Zeroed(InOut<int32_t>("sum", 8))}, .blocks = 2}),
        Pair("largest_beside_a_plain_store", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto largest = Gm<half>(gm[0], 16);
                 auto mine = b.Filled(half(1.0f + b.index), 16);
                 if (!wrong || b.index == 0) SetAtomicMax<half>();
                 DataCopy(largest, mine, 16);
                 SetAtomicNone();
             },
             {.gm = {Zeroed(InOut<half>("largest", 16))}, .blocks = 2}),
        Pair("sums_cleared_in_parts_and_added_to_at_once", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto sum = Gm<float>(gm[0], 16);
                 InitGlobalMemory(sum[b.index * 8], 8, 0.0f);
                 wrong&& b.index == 1 ? PipeBarrier<PIPE_ALL>() : SyncAll();
                 AtomicAdd(sum, b.Filled(1.0f + b.index, 16), 16);
                 if (wrong && b.index == 1) SyncAll();
             },
             {.gm = {Output<float>("sum", 16)}, .blocks = 2}),
        Pair("atomic_add_of_910_beside_a_plain_store", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto sum = Gm<float>(gm[0], 8);
                 auto mine = b.Filled(1.0f + b.index, 8);
                 if (!wrong || b.index == 0) SetAtomicAdd<float>();
                 DataCopy(sum, mine, 8);
                 SetAtomicNone();
             },
             {.gm = {Zeroed(InOut<float>("sum", 8))}, .chip = "Ascend910A", .blocks = 2}),
        Pair("atomic_mode_never_off", "atomic-left-on",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto mine = b.Filled(1.0f, 8);
                 SetAtomicAdd<float>();
                 DataCopy(Gm<float>(gm[0], 8), mine, 8);
                 if (!wrong) SetAtomicNone();
             },
             {Zeroed(InOut<float>("sum", 8))}),
    };
}

}  // namespace sfumato::pairs
