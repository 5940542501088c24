// SPDX-License-Identifier: Apache-2.0
// A block that reads a flag in global memory until another block has set it: data and flag out of order, at the writer
// or at the reader (framework.md 2.7, 2.8).
#include "sanitize/pairs/blocks.h"

namespace sfumato::pairs {
namespace {

// Data that the first block writes and the last one takes, and flags of 64 bytes each.
std::vector<Memory> Handed(uint32_t count = kShare) {
    return {Input<float>("x", count), Output<float>("z", count), Workspace<float>("data", count),
            Zeroed(InOut<int32_t>("flag", 64))};
}
struct Mailbox : Block {
    explicit __aicore__ Mailbox(GM_ADDR* gm, uint32_t count = kShare)
        : x(Gm<float>(gm[0], count)),
          z(Gm<float>(gm[1], count)),
          data(Gm<float>(gm[2], count)),
          flag(Gm<int32_t>(gm[3], 64)),
          one(Filled<int32_t>(1, 8)) {}
    // What lies in data, plus 1, to the output.
    __aicore__ void Take(uint32_t count = kShare) { DataCopy(z, Plus(data, count, 1.0f), count); }

    GlobalTensor<float> x, z, data;
    GlobalTensor<int32_t> flag;
    LocalTensor<int32_t> one;
};

}  // namespace

std::vector<Pair> PollingPairs() {
    return {
        Pair("flag_overtakes_its_data", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Mailbox b(gm);
                 if (b.index == 0) {
                     DataCopy(b.data, b.Plus(b.x, kShare, 1.0f), kShare);
                     if (!wrong) PipeBarrier<PIPE_MTE3>();
                     DataCopy(b.flag, b.one, 8);
                 } else {
                     Poll(b, b.flag);
                     b.Take();
                 }
             },
             {.gm = Handed(), .blocks = 2}),
        Pair("flag_overtakes_what_a_padded_poll_hands_on", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Mailbox b(gm);
                 if (b.index == 0) {
                     DataCopy(b.data, b.Plus(b.x, kShare, 1.0f), kShare);
                     if (!wrong) PipeBarrier<PIPE_MTE3>();
                     DataCopy(b.flag, b.one, 8);
                     return;
                 }
                 auto seen = b.New<int32_t>(8);
                 do {
                     DataCopyPad(seen, b.flag, {1, 4, 0, 0, 0}, {true, 0, 7, 9});
                     b.Order<HardEvent::MTE2_S>();
                 } while (seen.GetValue(0) != 1);
                 b.Take();
             },
             {.gm = Handed(), .blocks = 2}),
        Pair("flag_before_its_data", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Mailbox b(gm);
                 if (b.index == 0) {
                     auto tile = b.Plus(b.x, kShare, 1.0f);
                     if (wrong) DataCopy(b.flag, b.one, 8);
                     PipeBarrier<PIPE_MTE3>();
                     DataCopy(b.data, tile, kShare);
                     PipeBarrier<PIPE_MTE3>();
                     if (!wrong) DataCopy(b.flag, b.one, 8);
                 } else {
                     Poll(b, b.flag);
                     b.Take();
                 }
             },
             {.gm = Handed(), .blocks = 2}),
        Pair("barrier_of_another_pipe_before_the_flag", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Mailbox b(gm);
                 if (b.index == 0) {
                     DataCopy(b.data, b.Plus(b.x, kShare, 1.0f), kShare);
                     wrong ? PipeBarrier<PIPE_MTE2>() : PipeBarrier<PIPE_MTE3>();
                     DataCopy(b.flag, b.one, 8);
                 } else {
                     Poll(b, b.flag);
                     b.Take();
                 }
             },
             {.gm = Handed(), .blocks = 2}),
        Pair("scalar_flag_before_the_data_is_stored", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Mailbox b(gm);
                 if (b.index == 0) {
                     DataCopy(b.data, b.Plus(b.x, kShare, 1.0f), kShare);
                     if (!wrong) b.Order<HardEvent::MTE3_S>();
                     b.flag.SetValue(0, 1);
                     Clean(b.flag);
                 } else {
                     Poll(b, b.flag);
                     b.Take();
                 }
             },
             {.gm = Handed(), .blocks = 2}),
        Pair("scalar_flag_left_in_the_cache", "cache-not-cleaned",
             [](GM_ADDR* gm, bool wrong) {
                 Mailbox b(gm);
                 if (b.index == 0) {
                     DataCopy(b.data, b.Plus(b.x, kShare, 1.0f), kShare);
                     b.Order<HardEvent::MTE3_S>();
                     b.flag.SetValue(0, 1);
                     if (!wrong) Clean(b.flag);
                 } else {
                     Poll(b, b.flag);
                     b.Take();
                 }
             },
             {.gm = Handed(), .blocks = 2}),
        Pair("scalar_data_left_in_the_cache", "cache-not-cleaned",
             [](GM_ADDR* gm, bool wrong) {
                 Mailbox b(gm, 16);
                 if (b.index == 0) {
                     for (uint32_t i = 0; i < 16; ++i) b.data.SetValue(i, 2.0f);
                     if (!wrong) Clean(b.data);
                     DataSyncBarrier<MemDsbT::DDR>();
                     b.flag.SetValue(0, 1);
                     Clean(b.flag);
                 } else {
                     Poll(b, b.flag);
                     b.Take(16);
                 }
             },
             {.gm = Handed(16), .blocks = 2}),
        Pair("poll_through_the_cache", "stale-poll",
             [](GM_ADDR* gm, bool wrong) {
                 Mailbox b(gm);
                 if (b.index == 1) {
                     DataCopy(b.data, b.Plus(b.x, kShare, 1.0f), kShare);
                     PipeBarrier<PIPE_MTE3>();
                     DataCopy(b.flag, b.one, 8);
                 } else {
                     do {
                         if (!wrong) Clean(b.flag);
                     } while (b.flag.GetValue(0) == 0);
                     b.Take();
                 }
             },
             {.gm = Handed(), .blocks = 2}),
        Pair("data_loaded_before_the_flag_is_seen", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Mailbox b(gm);
                 if (b.index == 0) {
                     DataCopy(b.data, b.Plus(b.x, kShare, 1.0f), kShare);
                     PipeBarrier<PIPE_MTE3>();
                     DataCopy(b.flag, b.one, 8);
                 } else {
                     if (!wrong) Poll(b, b.flag);
                     b.Take();
                     if (wrong) Poll(b, b.flag);
                 }
             },
             {.gm = Handed(), .blocks = 2}),
        Pair("flag_set_and_never_read", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Mailbox b(gm);
                 if (b.index == 0) {
                     DataCopy(b.data, b.Plus(b.x, kShare, 1.0f), kShare);
                     PipeBarrier<PIPE_MTE3>();
                     DataCopy(b.flag, b.one, 8);
                 } else {
                     if (!wrong) Poll(b, b.flag);
                     b.Take();
                 }
             },
             {.gm = Handed(), .blocks = 2}),
        Pair("one_of_two_writers_polled", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Mailbox b(gm);
                 constexpr uint32_t kEach = kShare / 2;
                 if (b.index != 2) {
                     auto tile = b.Plus(b.x[b.index * kEach], kEach, 1.0f);
                     DataCopy(b.data[b.index * kEach], tile, kEach);
                     PipeBarrier<PIPE_MTE3>();
                     DataCopy(b.flag[b.index * 16], b.one, 8);
                 } else {
                     Poll(b, b.flag);
                     if (!wrong) Poll(b, b.flag[16]);
                     b.Take();
                 }
             },
             {.gm = Handed(), .blocks = 3}),
        Pair("poll_of_a_slot_nobody_sets", "deadlock",
             [](GM_ADDR* gm, bool wrong) {
                 Mailbox b(gm);
                 if (b.index == 0) {
                     DataCopy(b.data, b.Plus(b.x, kShare, 1.0f), kShare);
                     PipeBarrier<PIPE_MTE3>();
                     DataCopy(b.flag, b.one, 8);
                 } else {
                     Poll(b, b.flag[wrong ? 16 : 0]);
                     b.Take();
                 }
             },
             {.gm = Handed(), .blocks = 2}),
        Pair("counter_overtakes_the_data", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Mailbox b(gm);
                 constexpr uint32_t kEach = kShare / 2;
                 if (b.index != 2) {
                     auto tile = b.Plus(b.x[b.index * kEach], kEach, 1.0f);
                     DataCopy(b.data[b.index * kEach], tile, kEach);
                     if (!wrong || b.index != 0) PipeBarrier<PIPE_MTE3>();
                     SetAtomicAdd<int32_t>();
                     DataCopy(b.flag, b.one, 8);
                     SetAtomicNone();
                 } else {
                     Poll(b, b.flag, 2);
                     b.Take();
                 }
             },
             {.gm = Handed(), .blocks = 3}),
        // The writer waits until the first tile has been taken, and puts the second one in its place.
        Pair("acknowledged_before_the_load_has_finished", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Mailbox b(gm);
                 if (b.index == 0) {
                     auto first = b.Plus(b.x, kShare, 1.0f), second = b.Plus(b.x, kShare, 2.0f);
                     DataCopy(b.data, first, kShare);
                     PipeBarrier<PIPE_MTE3>();
                     DataCopy(b.flag, b.one, 8);
                     Poll(b, b.flag[16]);
                     DataCopy(b.data, second, kShare);
                 } else {
                     auto tile = b.New<float>(kShare);
                     Poll(b, b.flag);
                     DataCopy(tile, b.data, kShare);
                     if (!wrong) b.Order<HardEvent::MTE2_MTE3>();
                     DataCopy(b.flag[16], b.one, 8);
                     b.Order<HardEvent::MTE2_MTE3>();
                     DataCopy(b.z, tile, kShare);
                 }
             },
             {.gm = Handed(), .blocks = 2}),
        Pair("tile_replaced_before_it_was_acknowledged", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Mailbox b(gm);
                 if (b.index == 0) {
                     auto first = b.Plus(b.x, kShare, 1.0f), second = b.Plus(b.x, kShare, 2.0f);
                     DataCopy(b.data, first, kShare);
                     PipeBarrier<PIPE_MTE3>();
                     DataCopy(b.flag, b.one, 8);
                     SyncAll();  // both know that there is work
                     if (!wrong) Poll(b, b.flag[16]);
                     DataCopy(b.data, second, kShare);
                 } else {
                     auto tile = b.New<float>(kShare);
                     SyncAll();
                     Poll(b, b.flag);
                     DataCopy(tile, b.data, kShare);
                     b.Order<HardEvent::MTE2_MTE3>();
                     DataCopy(b.flag[16], b.one, 8);
                     DataCopy(b.z, tile, kShare);
                 }
             },
             {.gm = Handed(), .blocks = 2}),
    };
}

}  // namespace sfumato::pairs
