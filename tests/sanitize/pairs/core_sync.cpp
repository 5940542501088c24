// SPDX-License-Identifier: Apache-2.0
// Blocks that pass data on through global memory: SyncAll, IBSet, WaitPreBlock and GroupBarrier that are missing or in
// the wrong place (framework.md 2.7).
#include "sanitize/pairs/blocks.h"

namespace sfumato::pairs {
namespace {

// With a workspace, and the slots of the calls that work through memory.
std::vector<Memory> WithSlots(uint32_t blocks) {
    std::vector<Memory> gm = WithWorkspace(blocks);
    gm.push_back(Zeroed(InOut<int32_t>("slots", 64 * blocks)));
    return gm;
}
// The user's memory for these calls.
struct Slots {
    __aicore__ Slots(GM_ADDR address, Block& b) : gm(Gm<int32_t>(address, 64 * b.blocks)), ub(b.New<int32_t>(64)) {}
    GlobalTensor<int32_t> gm;
    LocalTensor<int32_t> ub;
};

// x + 1 of this block's share goes to the workspace.
struct Shared : Block {
    explicit __aicore__ Shared(GM_ADDR* gm, uint32_t of = 2)
        : x(Gm<float>(gm[0], of * kShare)),
          z(Gm<float>(gm[1], of * kShare)),
          work(Gm<float>(gm[2], of * kShare)),
          tile(Plus(x[index * kShare], kShare, 1.0f + index)) {}
    __aicore__ uint32_t Left() const { return (index - 1) * kShare; }
    __aicore__ uint32_t Mine() const { return index * kShare; }

    GlobalTensor<float> x, z, work;
    LocalTensor<float> tile;
};
// What the left neighbour has put into the workspace, plus 1; the first block has none and takes its own tile.
__aicore__ inline void TakeLeft(Shared& b) {
    auto tile = b.index == 0 ? b.tile : b.Plus(b.work[b.Left()], kShare, 1.0f);
    DataCopy(b.z[b.Mine()], tile, kShare);
}

}  // namespace

std::vector<Pair> CoreSyncPairs() {
    return {
        Pair("neighbours_tile_without_sync_all", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Shared b(gm);
                 DataCopy(b.work[b.Mine()], b.tile, kShare);
                 wrong ? PipeBarrier<PIPE_ALL>() : SyncAll();
                 TakeLeft(b);
             },
             {.gm = WithWorkspace(2), .blocks = 2}),
        Pair("sync_all_before_the_store", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Shared b(gm);
                 if (wrong) SyncAll();
                 DataCopy(b.work[b.Mine()], b.tile, kShare);
                 PipeBarrier<PIPE_ALL>();
                 if (!wrong) SyncAll();
                 TakeLeft(b);
             },
             {.gm = WithWorkspace(2), .blocks = 2}),
        Pair("load_issued_before_sync_all", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Shared b(gm);
                 DataCopy(b.work[b.Mine()], b.tile, kShare);
                 if (!wrong) SyncAll();
                 auto left = b.New<float>(kShare);
                 if (b.index != 0) DataCopy(left, b.work, kShare);
                 if (wrong) SyncAll();
                 b.Order<HardEvent::MTE2_MTE3>();
                 DataCopy(b.z[b.Mine()], b.index == 0 ? b.tile : left, kShare);
             },
             {.gm = WithWorkspace(2), .blocks = 2}),
        Pair("scalar_read_behind_the_barrier_it_belongs_before", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto word = Gm<int32_t>(gm[0], 16), z = Gm<int32_t>(gm[1], 8);
                 auto next = b.Filled<int32_t>(7, 8);
                 int32_t seen = 0;
                 if (b.index == 0 && !wrong) seen = word.GetValue(0);
                 SyncAll();
                 if (b.index == 0 && wrong) seen = word.GetValue(0);
                 if (b.index == 1) DataCopy(word, next, 8);
                 if (b.index == 0) DataCopy(z, b.Filled<int32_t>(seen > 7 ? 1 : 2, 8), 8);  // the same for both words
             },
             {.gm = {Zeroed(InOut<int32_t>("word", 16)), Output<int32_t>("z", 8)}, .blocks = 2}),
        Pair("partial_sums_without_sync_all", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto partial = Gm<float>(gm[2], 24);
                 auto mine = b.Plus(Gm<float>(gm[0], 24)[b.index * 8], 8, 1.0f);
                 DataCopy(partial[b.index * 8], mine, 8);
                 wrong ? PipeBarrier<PIPE_ALL>() : SyncAll();
                 if (b.index != 2) return;
                 auto all = b.Loaded(partial, 24);
                 Add(all, all, all[8], 8);
                 Add(all, all, all[16], 8);
                 b.Order<HardEvent::V_MTE3>();
                 DataCopy(Gm<float>(gm[1], 8), all, 8);
             },
             {.gm = {Input<float>("x", 24), Output<float>("z", 8), Workspace<float>("partial", 24)}, .blocks = 3}),
        Pair("workspace_used_again_without_a_second_sync_all", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Shared b(gm);
                 DataCopy(b.work[b.Mine()], b.tile, kShare);
                 SyncAll();
                 TakeLeft(b);
                 wrong ? PipeBarrier<PIPE_ALL>() : SyncAll();
                 auto next = b.Plus(b.x[b.Mine()], kShare, 5.0f + b.index);
                 DataCopy(b.work[b.Mine()], next, kShare);
             },
             {.gm = WithWorkspace(2), .blocks = 2}),
        Pair("table_of_the_first_block_read_at_once", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Shared b(gm);
                 if (b.index == 0) DataCopy(b.work, b.tile, kShare);
                 wrong ? PipeBarrier<PIPE_ALL>() : SyncAll();
                 auto table = b.index == 0 ? b.tile : b.Loaded(b.work, kShare);
                 DataCopy(b.z[b.Mine()], table, kShare);
             },
             {.gm = WithWorkspace(2), .blocks = 2}),
        Pair("sync_all_of_too_few_blocks", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Shared b(gm, 3);
                 Slots slots(gm[3], b);
                 DataCopy(b.work[b.Mine()], b.tile, kShare);
                 if (!wrong) SyncAll(slots.gm, slots.ub);
                 if (wrong && b.index < 2) SyncAll(slots.gm, slots.ub, 2);
                 TakeLeft(b);
             },
             {.gm = WithSlots(3), .blocks = 3}),
        Pair("soft_sync_all_missing_on_310p", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Shared b(gm);
                 Slots slots(gm[3], b);
                 DataCopy(b.work[b.Mine()], b.tile, kShare);
                 PipeBarrier<PIPE_ALL>();
                 if (!wrong) SyncAll(slots.gm, slots.ub);
                 TakeLeft(b);
             },
             {.gm = WithSlots(2), .chip = "Ascend310P3", .blocks = 2}),
        Pair("ib_set_before_the_store", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Shared b(gm);
                 Slots slots(gm[3], b);
                 if (b.index == 0) {
                     if (wrong) IBSet(slots.gm, slots.ub, 0, 0);
                     DataCopy(b.work, b.tile, kShare);
                     if (!wrong) IBSet(slots.gm, slots.ub, 0, 0);
                 } else {
                     IBWait(slots.gm, slots.ub, 0, 0);
                 }
                 TakeLeft(b);
             },
             {.gm = WithSlots(2), .blocks = 2}),
        Pair("ib_wait_missing_on_910", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Shared b(gm);
                 Slots slots(gm[3], b);
                 if (b.index == 0) {
                     DataCopy(b.work, b.tile, kShare);
                     if (!wrong) IBSet(slots.gm, slots.ub, 0, 0);
                 } else if (!wrong) {
                     IBWait(slots.gm, slots.ub, 0, 0);
                 }
                 PipeBarrier<PIPE_ALL>();
                 TakeLeft(b);
             },
             {.gm = WithSlots(2), .chip = "Ascend910A", .blocks = 2}),
        Pair("ib_wait_for_the_wrong_block", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Shared b(gm, 3);
                 Slots slots(gm[3], b);
                 DataCopy(b.work[b.Mine()], b.tile, kShare);
                 if (b.index != 2) IBSet(slots.gm, slots.ub, static_cast<int32_t>(b.index), 0);
                 if (b.index == 2) IBWait(slots.gm, slots.ub, wrong ? 0 : 1, 0);
                 if (b.index != 1) TakeLeft(b);
                 if (b.index == 1) DataCopy(b.z[b.Mine()], b.tile, kShare);
                 if (b.index == 2) IBWait(slots.gm, slots.ub, wrong ? 1 : 0, 0);
             },
             {.gm = WithSlots(3), .blocks = 3}),
        Pair("ib_wait_after_the_load", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Shared b(gm);
                 Slots slots(gm[3], b);
                 auto given = b.New<float>(kShare);
                 if (b.index == 0) {
                     DataCopy(b.work, b.tile, kShare);
                     IBSet(slots.gm, slots.ub, 0, 0);
                 } else if (!wrong) {
                     IBWait(slots.gm, slots.ub, 0, 0);
                 }
                 if (b.index == 1) DataCopy(given, b.work, kShare);
                 if (wrong && b.index == 1) IBWait(slots.gm, slots.ub, 0, 0);
                 b.Order<HardEvent::MTE2_MTE3>();
                 DataCopy(b.z[b.Mine()], b.index == 1 ? given : b.tile, kShare);
             },
             {.gm = WithSlots(2), .blocks = 2}),
        Pair("ib_wait_for_another_event", "deadlock",
             [](GM_ADDR* gm, bool wrong) {
                 Shared b(gm);
                 Slots slots(gm[3], b);
                 if (b.index == 0) {
                     DataCopy(b.work, b.tile, kShare);
                     IBSet(slots.gm, slots.ub, 0, 1);
                 } else {
                     IBWait(slots.gm, slots.ub, 0, wrong ? 0 : 1);
                 }
                 TakeLeft(b);
             },
             {.gm = WithSlots(2), .blocks = 2}),
        Pair("blocks_wait_for_each_other_first", "deadlock",
             [](GM_ADDR* gm, bool wrong) {
                 Shared b(gm);
                 Slots slots(gm[3], b);
                 const auto mine = static_cast<int32_t>(b.index);
                 DataCopy(b.work[b.Mine()], b.tile, kShare);
                 if (!wrong) IBSet(slots.gm, slots.ub, mine, 0);
                 IBWait(slots.gm, slots.ub, 1 - mine, 0);
                 if (wrong) IBSet(slots.gm, slots.ub, mine, 0);
                 TakeLeft(b);
             },
             {.gm = WithSlots(2), .blocks = 2}),
        Pair("sum_so_far_without_wait_pre_block", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 Slots slots(gm[1], b);
                 auto sums = Gm<float>(gm[0], 2 * kShare);
                 InitDetermineComputeWorkspace(slots.gm, slots.ub);
                 if (!wrong) WaitPreBlock(slots.gm, slots.ub);
                 auto sum = b.index == 0 ? b.Filled(1.0f, kShare) : b.Plus(sums, kShare, 1.0f);
                 if (wrong) WaitPreBlock(slots.gm, slots.ub);
                 DataCopy(sums[b.index * kShare], sum, kShare);
                 NotifyNextBlock(slots.gm, slots.ub);
             },
             {.gm = {Output<float>("sums", 2 * kShare), Zeroed(InOut<int32_t>("slots", 128))}, .blocks = 2}),
        Pair("notify_next_block_before_the_store", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 Slots slots(gm[1], b);
                 auto total = Gm<float>(gm[0], 8);
                 InitDetermineComputeWorkspace(slots.gm, slots.ub);
                 WaitPreBlock(slots.gm, slots.ub);
                 if (b.index == 0) {
                     auto sum = b.Filled(7.0f, 8);
                     if (wrong) NotifyNextBlock(slots.gm, slots.ub);
                     DataCopy(total, sum, 8);
                     if (!wrong) NotifyNextBlock(slots.gm, slots.ub);
                 } else {
                     auto sum = b.Filled(8.0f, 8);
                     DataCopy(total, sum, 8);
                     NotifyNextBlock(slots.gm, slots.ub);
                 }
             },
             {.gm = {Output<float>("total", 8), Zeroed(InOut<int32_t>("slots", 128))}, .blocks = 2}),
        Pair("arrive_before_the_store", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Shared b(gm);
                 GroupBarrier<PipeMode::MTE3_MODE> barrier(gm[3], 1, 1);
                 if (b.index == 0) {
                     if (wrong) barrier.Arrive(0);
                     DataCopy(b.work, b.tile, kShare);
                     if (!wrong) barrier.Arrive(0);
                 } else {
                     barrier.Wait(0);
                 }
                 TakeLeft(b);
             },
             {.gm = WithSlots(2), .blocks = 2}),
        Pair("group_wait_missing", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Shared b(gm);
                 GroupBarrier<PipeMode::MTE3_MODE> barrier(gm[3], 1, 1);
                 if (b.index == 0) {
                     DataCopy(b.work, b.tile, kShare);
                     if (!wrong) barrier.Arrive(0);
                 } else if (!wrong) {
                     barrier.Wait(0);
                 }
                 TakeLeft(b);
             },
             {.gm = WithSlots(2), .blocks = 2}),
        Pair("block_returns_before_sync_all", "deadlock",
             [](GM_ADDR* gm, bool wrong) {
                 Shared b(gm);
                 if (wrong && b.index == 1) return;  // no tile for it
                 DataCopy(b.work[b.Mine()], b.tile, kShare);
                 SyncAll();
                 TakeLeft(b);
             },
             {.gm = WithWorkspace(2), .blocks = 2}),
        Pair("sync_all_in_the_branch_of_one_block", "deadlock",
             [](GM_ADDR* gm, bool wrong) {
                 Shared b(gm);
                 if (b.index == 0) DataCopy(b.work, b.tile, kShare);
                 if (!wrong || b.index == 0) SyncAll();
                 if (b.index == 1) DataCopy(b.work[kShare], b.tile, kShare);
                 SyncAll();
                 TakeLeft(b);
             },
             {.gm = WithWorkspace(2), .blocks = 2}),
        Pair("sync_all_once_for_each_of_its_tiles", "deadlock",
             [](GM_ADDR* gm, bool wrong) {
                 Shared b(gm);
                 const uint32_t rounds = wrong && b.index == 1 ? 1 : 2;  // the last block has fewer tiles
                 for (uint32_t i = 0; i < rounds; ++i) {
                     DataCopy(b.work[b.Mine()], b.tile, kShare);
                     SyncAll();
                 }
                 TakeLeft(b);
             },
             {.gm = WithWorkspace(2), .blocks = 2}),
    };
}

}  // namespace sfumato::pairs
